import type { Outcome } from "../outcome.ts";
import type { ElicitationHandler } from "../protocol/elicitation.ts";
import type { ToolList } from "../protocol/tool.ts";
import type { PendingCall, ToolReply } from "../protocol/tool-reply.ts";
import type { ServerInfo } from "../protocol/revision.ts";
import type { CloseReport } from "../transport/link.ts";
import type { ResumePoint } from "./answer.ts";

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

export interface Notification {
  method: string;
  params?: Record<string, unknown>;
}

export interface ListOptions {
  signal?: AbortSignal;
  /** One request; the whole walk obeys it too. */
  timeoutMs?: number;
}

export interface CallOptions extends ListOptions {
  /** Puts an id for exactly-once servers into `arguments.requestId`: this one, or a new UUIDv7. */
  requestId?: "new" | (string & {});
  /** Gives integers beyond 2^53 as bigint instead of a number with a warning. */
  exactIntegers?: boolean;
  /** Each report that grows; it never extends the deadline. */
  onProgress?(progress: Progress): void;
  onNotification?(notification: Notification): void;
}

export interface ClientOptions {
  /** Ends the connecting. */
  signal?: AbortSignal;
  /** How this client introduces itself. */
  clientInfo?: { name: string; version: string };
  /**
   * Answers what a server asks the person while a call is under way (revision 2025-11-25). Giving it declares
   * form elicitation; without it nothing is declared. What 2026-07-28 asks is returned as `input_required`.
   */
  elicitation?: ElicitationHandler;
}

/** One open connection to one server. Every method answers with an Outcome; nothing is ever sent twice. */
export interface Client {
  readonly info: ServerInfo;
  /** All tools, page by page, within the configured limits. */
  listTools(o?: ListOptions): Promise<Outcome<ToolList>>;
  callTool(name: string, args?: object, o?: CallOptions): Promise<Outcome<ToolReply>>;
  /** Answers an `input_required` reply, under a new id. Each pending call can be continued once. */
  continueCall(
    pending: PendingCall,
    responses: Record<string, unknown>,
    o?: CallOptions,
  ): Promise<Outcome<ToolReply>>;
  /**
   * Takes up the lost stream of a call of this connection (`detail.resume`, revision 2025-11-25), after the pause
   * its server asked for. The call itself is not sent again.
   */
  resumeCall(token: ResumePoint, o?: CallOptions): Promise<Outcome<ToolReply>>;
  /** Any other request, for example `resources/read`; its result comes back as it is. */
  request(method: string, params?: object, o?: CallOptions): Promise<Outcome<unknown>>;
  /** Ends the connection and the server's process tree. A second call gives the same report. */
  close(): Promise<CloseReport>;
}

export type { ToolList };
