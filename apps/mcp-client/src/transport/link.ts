import type { Answer } from "../client/answer.ts";
import type { ClientErrorCode } from "../errors.ts";
import type { ProcessTree } from "../outcome.ts";
import type { RpcNotification, RpcRequest, RpcResponse } from "../protocol/json-rpc.ts";
import type { WireRules } from "../protocol/revision.ts";

/** Counters of one connection; they only grow. */
export interface Traffic {
  bytesSent: number;
  bytesReceived: number;
  stray: number;
  /** Lines on the server's stdout that are no messages. */
  noiseLines: number;
}

/** How a connection was ended. */
export interface CloseReport {
  processTree?: ProcessTree;
  /** What a server over HTTP did when its session was to be ended, if it had opened one. */
  sessionEnd?: "deleted" | "not_offered" | "failed";
}

/** One request, ready to be written. */
export interface Outgoing {
  readonly id: number;
  readonly text: string;
  /** Headers the revision wants on it; HTTP only. */
  readonly headers: Readonly<Record<string, string>>;
  /** Part of the handshake: what the server says about the session counts. */
  readonly opening: boolean;
}

/** One connection to one server. It carries messages and knows nothing of their meaning. */
export interface Link {
  readonly kind: "stdio" | "http";
  readonly traffic: Traffic;
  /** Set once the connection can carry nothing more. */
  readonly broken: Broken | undefined;
  /** Receives what the server sends by itself. */
  onMessage: (message: RpcNotification | RpcRequest) => void;
  /** Called at every arrival of bytes. */
  onActivity: () => void;
  /** Says which rules of the wire hold from now on. */
  speak(rules: WireRules): void;
  /** Writes one request and waits for its answer; never rejects. */
  exchange(request: Outgoing): Promise<Answer>;
  /** Gives up waiting and says whether the request was written. A late answer is stray, or ignored. */
  abandon(id: number, answer: LostAnswer, o?: { ignoreLateAnswer?: boolean }): boolean;
  /** Writes a message that has no answer, once; resolves with what went wrong, where that can be seen. */
  send(
    message: RpcNotification | RpcResponse,
    o?: { timeoutMs?: number },
  ): Promise<FailedAnswer | undefined>;
  /** Takes up a lost stream of this connection; `undefined` where there is no such thing. */
  resume(lastEventId: string): { id: number; answer: () => Promise<Answer> } | undefined;
  /** Ends the connection at once, as after a broken promise of the peer. */
  fail(answer: LostAnswer): void;
  /** The last of what the server wrote to stderr. */
  stderrTail(): string;
  /** The headers of one request as a person may see them; none over stdio. */
  shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string>;
  close(): Promise<CloseReport>;
}

/** Why a connection is at its end. */
export interface Broken {
  readonly code: ClientErrorCode;
  readonly message: string;
}

export type LostAnswer = Extract<Answer, { kind: "lost" }>;
export type FailedAnswer = Exclude<Answer, { kind: "result" }>;
