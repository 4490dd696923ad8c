export type { JsonObject, JsonValue } from "./json-value.ts";
export type { CommonErrorCode } from "./common-codes.ts";
export type { Delivery, DeliveryEvidence, DeliveryVerdict } from "./delivery.ts";
export type { Effect, ToolAnnotations } from "./effect.ts";
export type { CutText } from "./cut-text.ts";
export type {
  RequestId,
  RpcError,
  RpcErrorBody,
  RpcNotification,
  RpcRequest,
  RpcResult,
} from "./json-rpc.ts";
export type { ProtocolErrorCode } from "./errors.ts";
export type { ProtocolRevision } from "./protocol-revision.ts";
export type {
  AnyContract,
  ArgumentsOf,
  ErrorCodeOf,
  InputOf,
  OutputOf,
  ToolContract,
} from "./tool-contract.ts";
export type { ContentBlock, ToolResult } from "./tool-result.ts";
export { commonErrorCodes } from "./common-codes.ts";
export { ContractError, ProtocolError } from "./errors.ts";
export { annotationsOf, effects } from "./effect.ts";
export { classifyDelivery, deliveries } from "./delivery.ts";
export { cutText } from "./cut-text.ts";
export { defineTool } from "./tool-contract.ts";
export { isProtocolRevision, protocolRevisions } from "./protocol-revision.ts";
export { isRequestId, rpcErrorCodes } from "./json-rpc.ts";
export { newRequestId } from "./request-id.ts";
export { resultWithText } from "./tool-result.ts";
export { ToolError, toolErrorFromResult, toolErrorToResult } from "./tool-error.ts";
