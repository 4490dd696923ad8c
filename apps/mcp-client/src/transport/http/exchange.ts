import type { ClientRequest, IncomingMessage } from "node:http";
import type { Answer } from "../../client/answer.ts";
import type { LostAnswer, Traffic } from "../link.ts";
import { ConnectError } from "./connect-error.ts";
import type { SocketPool } from "./socket-pool.ts";

const MAX_HEADER_BYTES = 16 * 1_024;

/** What every request of one connection shares. */
export interface Wire {
  readonly url: URL;
  readonly pool: SocketPool;
  readonly traffic: Traffic;
}

export interface HttpRequest {
  readonly method: "POST" | "GET" | "DELETE";
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer | undefined;
}

/**
 * One HTTP request and its answer. It counts as sent from the moment it is given a connected socket: from then
 * on the server may have it. `answer` never rejects.
 */
export class Exchange {
  readonly answer: Promise<Answer>;
  readonly #request: ClientRequest;
  #resolve: (answer: Answer) => void = () => undefined;
  #sent = false;
  #settled = false;
  #answered = false;
  #expected: Answer | undefined;

  constructor(
    wire: Wire,
    { method, headers, body }: HttpRequest,
    onResponse: (response: IncomingMessage, exchange: Exchange) => void,
  ) {
    this.answer = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    wire.pool.sweep();
    const { url, pool } = wire;
    this.#request = process.getBuiltinModule("node:http").request({
      agent: pool,
      // One pool leads to one server, so these only name its connections.
      host: url.hostname,
      port: url.port,
      method,
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, ...headers },
      setHost: false,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    this.#request.once("socket", () => {
      this.#sent = true;
      wire.traffic.bytesSent += body?.length ?? 0;
    });
    this.#request.once("response", (response) => {
      // From here on the response's own events tell what happens to it.
      this.#answered = true;
      pool.note(response.socket, response.headers);
      onResponse(response, this);
    });
    this.#request.on("error", (error) => {
      if (!this.#answered) this.settle(this.#afterError(error));
    });
    this.#request.once("close", () => {
      if (!this.#answered) this.settle(this.#lost("it was closed"));
    });
    this.#request.end(body);
  }

  /** Takes the first answer; whatever comes later changes nothing. */
  settle(answer: Answer): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#resolve(answer);
  }

  /** Says what the answer is if nothing better comes any more. */
  expect(answer: Answer): void {
    this.#expected = answer;
  }

  /** Gives up and ends the connection; true if the request may have arrived. */
  abandon(answer: LostAnswer): boolean {
    const { code, message, limit } = answer;
    const unsent: Answer = { kind: "not_sent", code, message, ...(limit && { limit }) };
    this.settle(this.#sent ? (this.#expected ?? answer) : unsent);
    this.#request.destroy();
    return this.#sent;
  }

  #afterError(error: NodeJS.ErrnoException): Answer {
    if (error instanceof ConnectError) {
      return { kind: "not_sent", code: error.code, message: error.message };
    }
    if (!this.#sent) {
      const message = `There was no connection to send on (${error.code ?? "error"}).`;
      return { kind: "not_sent", code: "connect_failed", message };
    }
    if (error.code === "HPE_HEADER_OVERFLOW") {
      return {
        kind: "lost",
        code: "message_too_large",
        message: "The headers of the answer are over 16 KiB.",
        limit: { name: "headerBytes", limit: MAX_HEADER_BYTES, seen: MAX_HEADER_BYTES + 1 },
      };
    }
    if (error.code?.startsWith("HPE_")) {
      const message = `The answer is no HTTP/1.1 (${error.code}).`;
      return { kind: "lost", code: "unparsable_reply", message };
    }
    return this.#lost(error.code ?? "error");
  }

  #lost(why: string): Answer {
    const message = `The connection was lost before an answer (${why}).`;
    return { kind: "lost", code: "connection_lost", message };
  }
}
