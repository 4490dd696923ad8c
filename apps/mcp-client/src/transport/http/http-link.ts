import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Answer } from "../../client/answer.ts";
import type { RpcNotification, RpcRequest, RpcResponse } from "../../protocol/json-rpc.ts";
import type { WireRules } from "../../protocol/revision.ts";
import type {
  Broken,
  CloseReport,
  FailedAnswer,
  Link,
  LostAnswer,
  Outgoing,
  Traffic,
} from "../link.ts";
import { Exchange, type HttpRequest, type Wire } from "./exchange.ts";
import { readReply } from "./reply.ts";
import type { SocketPool } from "./socket-pool.ts";
import { statusAnswer } from "./status.ts";

/** Notices and the end of a session are sent once and waited for this long. */
const NOTICE_MS = 1_000;
const RESPONSE_MS = 30_000;
const MAX_LOST_STREAMS = 64;
const SESSION_ID = /^[\u0021-\u007e]{1,1024}$/;

export interface HttpLinkOptions {
  readonly url: URL;
  readonly pool: SocketPool;
  /** Ends connections that are still being opened. */
  readonly abort: AbortController;
  /** Configured headers and the authorisation. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether they hold an authorisation. */
  readonly hasToken: boolean;
  readonly maxMessageBytes: number;
  readonly maxStreamBytes: number;
}

/** Streamable HTTP: each request is a POST of its own, answered by JSON or by its own stream. */
export class HttpLink implements Link {
  readonly kind = "http";
  readonly traffic: Traffic = { bytesSent: 0, bytesReceived: 0, stray: 0, noiseLines: 0 };
  onMessage: (message: RpcNotification | RpcRequest) => void = () => undefined;
  onActivity: () => void = () => undefined;
  readonly #options: HttpLinkOptions;
  readonly #wire: Wire;
  readonly #pending = new Map<number, Exchange>();
  readonly #notices = new Set<Promise<unknown>>();
  /** Which request a lost stream belonged to, by its last event. */
  readonly #lostStreams = new Map<string, number>();
  #rules: WireRules = { sessions: false, clientMessages: false };
  #sessionId: string | undefined;
  #broken: Broken | undefined;
  #closing: Promise<CloseReport> | undefined;

  constructor(options: HttpLinkOptions) {
    this.#options = options;
    this.#wire = { url: options.url, pool: options.pool, traffic: this.traffic };
  }

  get broken(): Broken | undefined {
    return this.#broken;
  }

  speak(rules: WireRules): void {
    this.#rules = rules;
    if (!rules.sessions) this.#sessionId = undefined;
  }

  exchange(request: Outgoing): Promise<Answer> {
    return this.#run(request.id, this.#post(request.text, request.headers), request.opening);
  }

  resume(lastEventId: string): { id: number; answer: () => Promise<Answer> } | undefined {
    const id = this.#lostStreams.get(lastEventId);
    if (id === undefined || !this.#rules.clientMessages) return undefined;
    this.#lostStreams.delete(lastEventId);
    const headers = {
      ...this.#headers(),
      accept: "text/event-stream",
      "last-event-id": lastEventId,
    };
    return { id, answer: () => this.#run(id, { method: "GET", headers, body: undefined }, false) };
  }

  abandon(id: number, answer: LostAnswer): boolean {
    const exchange = this.#pending.get(id);
    this.#pending.delete(id);
    return exchange?.abandon(answer) ?? false;
  }

  async send(
    message: RpcNotification | RpcResponse,
    o: { timeoutMs?: number } = {},
  ): Promise<FailedAnswer | undefined> {
    if (this.#broken || !this.#rules.clientMessages) return undefined;
    // A server waits for a response; nobody waits for a notice.
    const { timeoutMs = "method" in message ? NOTICE_MS : RESPONSE_MS } = o;
    const sending = this.#sendOnce(this.#post(JSON.stringify(message), {}), timeoutMs);
    this.#notices.add(sending);
    try {
      return await sending;
    } finally {
      this.#notices.delete(sending);
    }
  }

  fail(answer: LostAnswer): void {
    this.#broken ??= answer;
    for (const id of this.#pending.keys()) this.abandon(id, answer);
  }

  stderrTail(): string {
    return "";
  }

  shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
    const { headers: request } = this.#post("", headers);
    const secret = new Set([...Object.keys(this.#options.headers), "mcp-session-id"]);
    delete request["content-length"];
    return Object.fromEntries(
      Object.entries(request).map(([name, value]) => [name, secret.has(name) ? "[secret]" : value]),
    );
  }

  close(): Promise<CloseReport> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<CloseReport> {
    const hasSession = this.#sessionId !== undefined && this.#broken?.code !== "session_expired";
    this.fail({ kind: "lost", code: "client_closed", message: "The client was closed." });
    // A cancellation under way is worth a moment: without it the server goes on working for nobody.
    if (this.#notices.size > 0) {
      await Promise.race([Promise.all(this.#notices), delay(NOTICE_MS, undefined, { ref: false })]);
    }
    const report = hasSession ? { sessionEnd: await this.#deleteSession() } : {};
    this.#options.abort.abort();
    this.#options.pool.destroy();
    return report;
  }

  async #deleteSession(): Promise<NonNullable<CloseReport["sessionEnd"]>> {
    const request = { method: "DELETE", headers: this.#headers(), body: undefined } as const;
    const refused = await this.#sendOnce(request);
    if (!refused) return "deleted";
    return refused.kind === "http_status" && refused.status === 405 ? "not_offered" : "failed";
  }

  async #run(id: number, request: HttpRequest, opening: boolean): Promise<Answer> {
    if (this.#broken) {
      return { kind: "not_sent", code: "session_closed", message: "The connection has ended." };
    }
    const exchange = new Exchange(this.#wire, request, (response, own) => {
      const unusable = opening ? this.#takeSession(response) : undefined;
      if (unusable) {
        own.settle(unusable);
        response.destroy();
      } else void readReply(response, this.#contextOf(id, own));
    });
    this.#pending.set(id, exchange);
    const answer = await exchange.answer;
    if (this.#pending.get(id) === exchange) this.#pending.delete(id);
    this.#noteLoss(id, answer);
    return answer;
  }

  #contextOf(id: number, exchange: Exchange): Parameters<typeof readReply>[1] {
    const { maxMessageBytes, maxStreamBytes } = this.#options;
    return {
      id,
      asked: this.#asked(),
      maxMessageBytes,
      maxStreamBytes,
      traffic: this.traffic,
      resumable: this.#rules.clientMessages,
      onActivity: () => this.onActivity(),
      onMessage: (message) => this.onMessage(message),
      onStray: () => {
        this.traffic.stray += 1;
      },
      expect: (answer) => exchange.expect(answer),
      settle: (answer) => exchange.settle(answer),
    };
  }

  #asked(): Parameters<typeof statusAnswer>[1] {
    const { url, hasToken } = this.#options;
    return { url, hasSession: this.#sessionId !== undefined, hasToken };
  }

  /** Streamable HTTP, "Session Management": the id comes with the answer to the first request. */
  #takeSession({ headers, statusCode }: IncomingMessage): LostAnswer | undefined {
    const id = headers["mcp-session-id"];
    if (!this.#rules.sessions || id === undefined || statusCode !== 200) return undefined;
    if (typeof id === "string" && SESSION_ID.test(id)) {
      this.#sessionId = id;
      return undefined;
    }
    const message = "The server gave a session id that no header can carry back.";
    return { kind: "lost", code: "protocol_violation", message };
  }

  #noteLoss(id: number, answer: Answer): void {
    if (answer.kind === "http_status" && answer.code === "session_expired") {
      this.#broken ??= { code: answer.code, message: answer.message };
    }
    if (answer.kind !== "lost" || !answer.resume) return;
    this.#lostStreams.set(answer.resume.lastEventId, id);
    const [oldest] = this.#lostStreams.keys();
    if (this.#lostStreams.size > MAX_LOST_STREAMS && oldest) this.#lostStreams.delete(oldest);
  }

  /** Sends what has no answer of its own and waits for the status alone. */
  async #sendOnce(request: HttpRequest, timeoutMs = NOTICE_MS): Promise<FailedAnswer | undefined> {
    let accepted = false;
    const exchange = new Exchange(this.#wire, request, (response, own) => {
      const { statusCode = 0 } = response;
      accepted = statusCode >= 200 && statusCode < 300;
      own.settle(statusAnswer(response, this.#asked()));
      // A body is not expected; reading a short one keeps the connection usable.
      response.on("data", () => response.destroy()).on("error", () => undefined);
    });
    const message = `The message was not taken within ${String(timeoutMs)} ms.`;
    const timer = setTimeout(() => {
      exchange.abandon({ kind: "lost", code: "timeout", message });
    }, timeoutMs);
    const answer = await exchange.answer;
    clearTimeout(timer);
    return accepted || answer.kind === "result" ? undefined : answer;
  }

  #post(text: string, headers: Readonly<Record<string, string>>) {
    const body = Buffer.from(text);
    return {
      method: "POST" as const,
      body,
      headers: {
        ...this.#headers(),
        ...headers,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "content-length": String(body.length),
      } as Record<string, string>,
    };
  }

  #headers(): Record<string, string> {
    const { protocolVersion } = this.#rules;
    return {
      ...this.#options.headers,
      "accept-encoding": "identity",
      ...(protocolVersion !== undefined && { "mcp-protocol-version": protocolVersion }),
      ...(this.#sessionId !== undefined && { "mcp-session-id": this.#sessionId }),
    };
  }
}
