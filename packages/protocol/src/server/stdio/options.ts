import type { Readable, Writable } from "node:stream";
import type { Log } from "../log.ts";
import type { Principal } from "../serve-context.ts";
import type { ToolBinding } from "../tool-binding.ts";

/** How `serveStdio` serves one pipe. */
export interface ServeStdioOptions {
  /** @default process.stdin */
  readonly input?: Readable;
  /** @default process.stdout */
  readonly output?: Writable;
  /** Bytes of one line. @default 4 MiB */
  readonly maxFrameBytes?: number;
  /** Requests that may be unanswered at once, 1..1 024. @default 64 */
  readonly maxInFlight?: number;
  /** Tools that may also be called by their bare name as the method, without a handshake, one at a time. */
  readonly bareMethods?: ReadonlyMap<string, ToolBinding>;
  /** Codes of these tools that say the arguments were at fault: -32602 to a bare call, as `invalid_arguments` is. */
  readonly bareArgumentCodes?: ReadonlySet<string>;
  /** Who is at the other end. @default subject "stdio", no scopes */
  readonly principal?: Principal;
  /** Aborting it ends serving at once: calls are aborted, nothing more is answered. */
  readonly signal?: AbortSignal;
  /** @default JSON lines on stderr */
  readonly log?: Log;
}
