import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
} from "@modelcontextprotocol/server";
import type { RpcNotification, RpcRequest } from "../index.ts";
import type { Log } from "../server/index.ts";
import type { ServedAuth } from "../server/serve-context.ts";
import { AskingTransport, OpenQuestions } from "./asking-transport.ts";

/** What the SDK made of one message. `close` ends whatever still serves it. */
export interface Exchange {
  readonly response: Promise<Response>;
  readonly close: () => Promise<void>;
}

/** One message with who sent it, in the form the SDK takes. */
export interface IncomingMessage {
  /** The HTTP request without its body; under 2026-07-28 its signal ends the exchange. */
  readonly request: Request;
  readonly message: RpcRequest | RpcNotification;
  readonly auth: ServedAuth;
}

/** Serves single messages through the MCP SDK: each by a fresh server, at the revision it belongs to. */
export class Exchanges {
  readonly questions = new OpenQuestions();
  readonly #factory: McpServerFactory;
  readonly #keepAliveMs: number;
  readonly #modern: ReturnType<typeof createMcpHandler>;

  constructor(factory: McpServerFactory, keepAliveMs: number, log: Log) {
    this.#factory = factory;
    this.#keepAliveMs = keepAliveMs;
    this.#modern = createMcpHandler(factory, {
      legacy: "reject",
      keepAliveMs,
      onerror: (error) => log("debug", "mcp_sdk", { error: error.message }),
    });
  }

  /** Whether the SDK takes the message for one of 2025-11-25. */
  async isLegacy({ request, message }: IncomingMessage): Promise<boolean> {
    return isLegacyRequest(request, message);
  }

  modern({ request, message, auth }: IncomingMessage): Exchange {
    const response = this.#modern.fetch(request, { parsedBody: message, authInfo: auth });
    return { response, close: async () => undefined };
  }

  /** Unlike the SDK's own stateless serving, this one goes on when the connection is lost, as 2025-11-25 asks. */
  async legacy({ request, message, auth }: IncomingMessage): Promise<Exchange> {
    const server = await this.#factory({ era: "legacy", authInfo: auth, requestInfo: request });
    const { subject } = auth.context.principal;
    const transport = new AskingTransport(this.questions, subject, this.#keepAliveMs);
    await server.connect(transport);
    const response = transport.handleRequest(request, { parsedBody: message, authInfo: auth });
    return { response, close: () => server.close() };
  }

  async close(): Promise<void> {
    await this.#modern.close();
  }
}
