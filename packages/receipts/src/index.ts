export type {
  ArmOptions,
  Capacity,
  Effect,
  EffectResult,
  EffectSteps,
  Receipt,
  ReceiptAnswer,
  ReceiptCall,
  ReceiptKey,
  ReceiptList,
  ReceiptQuery,
  ReceiptScope,
  ReceiptState,
  Receipts,
  SqlStatement,
  StoreHealth,
} from "./receipt.ts";
export type { FillWarning } from "./fill-warnings.ts";
export type { ReceiptLimits } from "./limits.ts";
export type { ReceiptsErrorCode } from "./errors.ts";
export type { ReceiptsOptions } from "./receipts.ts";
export type { ReceiptStore } from "./receipt-store.ts";
export type { SqliteStoreOptions } from "./sqlite/sqlite-store.ts";
export type { StoreFault } from "./sqlite/faults.ts";
export { ReceiptsError } from "./errors.ts";
export { answerToToolResult } from "./tool-answer.ts";
export { createReceipts } from "./receipts.ts";
export { fingerprint } from "./fingerprint.ts";
export { memoryStore } from "./memory-store.ts";
export { newMintedId } from "./request-id.ts";
export { openSqliteStore } from "./sqlite/sqlite-store.ts";
