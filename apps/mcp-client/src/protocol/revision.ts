import type { ProtocolRevision } from "@postern/protocol";
import type { Answer } from "../client/answer.ts";
import type { FailedAnswer } from "../transport/link.ts";
import type { ElicitationHandler } from "./elicitation.ts";
import type { HeaderMirror, HeaderMirrors } from "./header-mirrors.ts";
import type { Members, RpcError, RpcNotification, RpcRequest } from "./json-rpc.ts";
import type { Tool } from "./tool.ts";

/** Who this client says it is, and what it offers (nothing, unless a handler was given). */
export interface Identity {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly capabilities: Members;
  /** Answers the questions of servers; only the caller's own code does. */
  readonly elicitation?: ElicitationHandler;
}

/** What the server said about itself when the connection opened. */
export interface ServerInfo {
  /** The revision this connection speaks, as the server named it. */
  readonly revision: string;
  readonly serverInfo?: unknown;
  readonly capabilities: unknown;
  readonly instructions?: string;
}

/** One raw exchange before the revision is agreed; nothing is added to the message. */
export interface HandshakePort {
  request(method: string, params: Members, o?: { timeoutMs?: number }): Promise<Answer>;
  /** Resolves once it has been taken, with what went wrong where the transport can tell. */
  notify(notification: RpcNotification): Promise<FailedAnswer | undefined>;
  /** Says which revision's rules hold from now on for what the server sends by itself. */
  speak(revision: Revision): void;
  /** Says which revision was agreed, by the name every later message carries. */
  agree(name: string): void;
}

/** What a revision wants of the transport below it. */
export interface WireRules {
  /** Named in a header of every HTTP request; absent until it is agreed. */
  readonly protocolVersion?: string;
  /** Whether a server may open a session, named on every later request and deleted at the end. */
  readonly sessions: boolean;
  /** Whether notifications and responses may be sent, and lost streams taken up again, over HTTP. */
  readonly clientMessages: boolean;
}

/** How an attempt to open the connection in one revision ended. */
export type Opening =
  | { kind: "open"; info: ServerInfo }
  | { kind: "other_revision"; offered: readonly string[] }
  | { kind: "malformed"; why: string }
  | { kind: "failed"; answer: FailedAnswer };

/** What the `result` of an answer is in one revision. */
export type ResultShape =
  | { kind: "complete"; result: Members }
  | { kind: "input_required"; inputRequests: Members; requestState?: string }
  | { kind: "malformed"; why: string };

/** How a request that only a server can send is met; `undefined` where the revision forbids any reply. */
export type ServerRequestReply = { result: Members } | { error: RpcError } | undefined;

export type Headers = Readonly<Record<string, string>>;

export type ReadMirrors =
  | { kind: "mirrors"; mirrors: readonly HeaderMirror[] }
  | { kind: "unusable"; reason: string };

/** Everything that differs between two protocol revisions. Nothing else in this program branches on one. */
export interface Revision {
  readonly name: ProtocolRevision;
  open(port: HandshakePort, identity: Identity, accept: readonly string[]): Promise<Opening>;
  /** The params of a request as this revision writes them. */
  stamp(params: Members | undefined, identity: Identity, progressToken?: number): Members;
  /** The notice that a request is given up. */
  cancellation(id: number, reason: string, identity: Identity): RpcNotification;
  /** Rejects only when the caller's own code threw. */
  answer(request: RpcRequest, identity: Identity): ServerRequestReply | Promise<ServerRequestReply>;
  readResult(result: unknown): ResultShape;
  readonly wire: WireRules;
  /** HTTP headers that repeat what a request's body says, for those who route it. */
  headers(method: string, params: Members | undefined, mirrors: HeaderMirrors): Headers;
  /** Which arguments of a tool are repeated in headers; undefined where the revision knows no such thing. */
  readonly readMirrors: ((tool: Tool) => ReadMirrors) | undefined;
}
