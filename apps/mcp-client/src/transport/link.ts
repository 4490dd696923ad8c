import type { Answer } from "../client/answer.ts";
import type { ProcessTree } from "../outcome.ts";
import type { RpcNotification, RpcRequest, RpcResponse } from "../protocol/json-rpc.ts";

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
}

/** One connection to one server. It carries messages and knows nothing of their meaning. */
export interface Link {
  readonly kind: "stdio" | "http";
  readonly traffic: Traffic;
  /** Set once the connection can carry nothing more. */
  readonly broken: LostAnswer | undefined;
  /** Receives what the server sends by itself. */
  onMessage: (message: RpcNotification | RpcRequest) => void;
  /** Called at every arrival of bytes. */
  onActivity: () => void;
  /** Writes one request and waits for its answer; never rejects. */
  exchange(id: number, text: string): Promise<Answer>;
  /** Gives up waiting: an answer that still comes is counted as stray, or ignored. */
  abandon(id: number, answer: Answer, o?: { ignoreLateAnswer?: boolean }): void;
  /** Writes a message that has no answer; what becomes of it is not known. */
  send(message: RpcNotification | RpcResponse): void;
  /** Ends the connection at once, as after a broken promise of the peer. */
  fail(answer: LostAnswer): void;
  /** The last of what the server wrote to stderr. */
  stderrTail(): string;
  close(): Promise<CloseReport>;
}

export type LostAnswer = Extract<Answer, { kind: "lost" }>;
