import type { JSONRPCMessage, McpServerFactory, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ProtocolRevision, RpcNotification, RpcRequest } from "../../index.ts";
import type { Log } from "../log.ts";
import type { ServedAuth } from "../serve-context.ts";

/** What a lane needs of its connection. */
export interface LaneOptions {
  readonly factory: McpServerFactory;
  readonly auth: ServedAuth;
  readonly send: (message: JSONRPCMessage) => Promise<void>;
  readonly log: Log;
}

/** One revision's half of a connection, served by the MCP SDK, which keeps one server for the whole of it. */
export class SdkLane {
  readonly #transport: LaneTransport;
  readonly #handle: ReturnType<typeof serveStdio>;

  constructor(revision: ProtocolRevision, { factory, auth, send, log }: LaneOptions) {
    this.#transport = new LaneTransport(send);
    this.#handle = serveStdio((request) => factory({ ...request, authInfo: auth }), {
      transport: this.#transport,
      onerror: (error) => log("warn", "mcp_sdk", { revision, error: error.message }),
    });
  }

  deliver(message: RpcRequest | RpcNotification): void {
    this.#transport.onmessage?.(message);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** The SDK's view of our framing: messages in and out, already parsed. */
class LaneTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly send: (message: JSONRPCMessage) => Promise<void>;

  constructor(send: LaneOptions["send"]) {
    this.send = send;
  }

  async start(): Promise<void> {
    // Frames are read by the connection, for every lane at once.
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}
