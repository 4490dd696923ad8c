export type { Delivery } from "@postern/protocol";
export type { ResumePoint } from "./client/answer.ts";
export type {
  Client,
  CallOptions,
  ClientOptions,
  ListOptions,
  Notification,
  Progress,
} from "./client/options.ts";
export type { SecretSource, ServerConfig } from "./config/schema.ts";
export type {
  ClientErrorCode,
  ContentCode,
  DeliveredCode,
  LoginCode,
  NotSentCode,
  RejectedCode,
  UnknownCode,
} from "./errors.ts";
export type { Detail, Outcome, Phase, ProcessTree, Sensitive, Warning } from "./outcome.ts";
export type {
  ElicitationAnswer,
  ElicitationHandler,
  ElicitationQuestion,
} from "./protocol/elicitation.ts";
export type { ServerInfo } from "./protocol/revision.ts";
export type { Tool, ToolList } from "./protocol/tool.ts";
export type { ContentBlock, InputRequest, PendingCall, ToolReply } from "./protocol/tool-reply.ts";
export type { Backend, ResolveOptions } from "./session/backend.ts";
export type { Session, SessionOptions } from "./session/session.ts";
export type { CloseReport } from "./transport/link.ts";
export { callTool } from "./client/call-tool.ts";
export { connect } from "./client/connect.ts";
export { withClient } from "./client/with-client.ts";
export { ClientError } from "./errors.ts";
export { unwrap } from "./outcome.ts";
export { elicitationDefaults } from "./protocol/elicitation.ts";
export { session } from "./session/session.ts";
