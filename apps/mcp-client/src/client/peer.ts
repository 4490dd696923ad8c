import type { LostCode } from "../errors.ts";
import { stringifyExact } from "../protocol/exact-json.ts";
import type { HeaderMirrors } from "../protocol/header-mirrors.ts";
import type { Members, RpcNotification, RpcRequest } from "../protocol/json-rpc.ts";
import type { Identity, Revision } from "../protocol/revision.ts";
import type { Link, LostAnswer } from "../transport/link.ts";
import type { Answer, LimitHit } from "./answer.ts";
import type { Notification, Progress } from "./options.ts";

// A peer may send this much by itself while one call is under way.
const MAX_REQUESTS_PER_CALL = 64;
const MAX_NOTIFICATIONS_PER_CALL = 10_000;
const MAX_TIMEOUT_MS = 3_600_000;

/** The terms under which one request is made. */
export interface Terms {
  readonly timeoutMs: number;
  readonly idleTimeoutMs?: number;
  readonly signal?: AbortSignal;
  /** A handshake request is never cancelled: its session does not exist yet. */
  readonly handshake?: boolean;
  readonly onProgress?: (progress: Progress) => void;
  readonly onNotification?: (notification: Notification) => void;
  /** Takes what went wrong beside the request. */
  readonly warn?: (code: string, message: string) => void;
}

export interface PeerLimits {
  readonly maxMessageBytes: number;
  readonly maxInFlight: number;
}

interface InFlight {
  readonly terms: Terms;
  readonly idle: NodeJS.Timeout | undefined;
  requests: number;
  notifications: number;
  progress: number;
}

/** The other end of a link: gives each request an id of its own, a deadline and at most one answer. */
export class Peer {
  readonly link: Link;
  readonly identity: Identity;
  revision: Revision;
  /** Which arguments of which tool are repeated in HTTP headers, as last listed. */
  mirrors: HeaderMirrors = new Map();
  readonly #limits: PeerLimits;
  readonly #inFlight = new Map<number, InFlight>();
  #lastId: number;

  constructor(
    link: Link,
    o: { identity: Identity; revision: Revision; limits: PeerLimits; lastId?: number },
  ) {
    this.link = link;
    this.identity = o.identity;
    this.revision = o.revision;
    this.#limits = o.limits;
    this.#lastId = o.lastId ?? 0;
    link.onMessage = (message) => this.#receive(message);
    link.onActivity = () => this.#refreshIdle();
  }

  /** The highest id written so far; an id is written once in the life of a client, respawns included. */
  get lastId(): number {
    return this.#lastId;
  }

  /** Sends one request, once. Never rejects: what became of it is the answer. */
  async request(method: string, params: Members | undefined, terms: Terms): Promise<Answer> {
    const refusal = this.#refusal(terms);
    if (refusal) return refusal;
    const id = this.#lastId + 1;
    const written = this.#write(id, method, params, terms);
    if (written.kind === "not_sent") return written;
    this.#lastId = id;
    const http = this.link.kind === "http";
    const headers = http ? this.revision.headers(method, written.params, this.mirrors) : {};
    const opening = terms.handshake === true;
    return this.#await(id, method, terms, () =>
      this.link.exchange({ id, text: written.text, headers, opening }),
    );
  }

  /** Takes up the stream that was to bring an answer. The request itself is not sent again. */
  async resume(lastEventId: string, terms: Terms): Promise<Answer> {
    const refusal = this.#refusal(terms);
    if (refusal) return refusal;
    const stream = this.link.resume(lastEventId);
    if (stream) return this.#await(stream.id, "the resumed call", terms, stream.answer);
    const message =
      "This connection has lost no stream at that event, or its revision has no resuming.";
    return { kind: "not_sent", code: "invalid_arguments", message };
  }

  async #await(
    id: number,
    method: string,
    terms: Terms,
    exchange: () => Promise<Answer>,
  ): Promise<Answer> {
    const giveUp = (code: LostCode, message: string, limit?: LimitHit): void =>
      this.#giveUp(id, terms, { kind: "lost", code, message, ...(limit && { limit }) });
    const { timeoutMs, idleTimeoutMs, signal } = terms;
    const deadline = setTimeout(() => {
      const message = `No answer to ${method} came within ${String(timeoutMs)} ms.`;
      giveUp("timeout", message, { name: "timeoutMs", limit: timeoutMs, seen: timeoutMs });
    }, timeoutMs);
    const idle =
      idleTimeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            const message = `The server sent nothing for ${String(idleTimeoutMs)} ms.`;
            const limit = { name: "idleTimeoutMs", limit: idleTimeoutMs, seen: idleTimeoutMs };
            giveUp("idle_timeout", message, limit);
          }, idleTimeoutMs);
    const onAbort = (): void => giveUp("aborted", "The caller gave the request up.");
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#inFlight.set(id, { terms, idle, requests: 0, notifications: 0, progress: -Infinity });
    try {
      return await exchange();
    } finally {
      clearTimeout(deadline);
      clearTimeout(idle);
      signal?.removeEventListener("abort", onAbort);
      this.#inFlight.delete(id);
    }
  }

  /** The next request as it would be written; nothing is sent. */
  preview(method: string, params: Members): { body: object; headers: Record<string, string> } {
    const id = this.#lastId + 1;
    const stamped = this.revision.stamp(params, this.identity);
    return {
      body: { jsonrpc: "2.0", id, method, params: stamped },
      headers: this.link.shownHeaders(this.revision.headers(method, stamped, this.mirrors)),
    };
  }

  #refusal({ signal, timeoutMs }: Terms): Answer | undefined {
    if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > MAX_TIMEOUT_MS) {
      const message = `timeoutMs must be a whole number from 1 to ${String(MAX_TIMEOUT_MS)}.`;
      return { kind: "not_sent", code: "invalid_arguments", message };
    }
    const { broken } = this.link;
    if (broken) {
      const message = `The connection has ended (${broken.code}); open a new one. ${broken.message}`;
      return { kind: "not_sent", code: "session_closed", message };
    }
    if (signal?.aborted) {
      const message = "The caller had given the request up before it was sent.";
      return { kind: "not_sent", code: "aborted", message };
    }
    const { maxInFlight } = this.#limits;
    if (this.#inFlight.size < maxInFlight) return undefined;
    return {
      kind: "not_sent",
      code: "too_many_in_flight",
      message: `${String(maxInFlight)} requests are under way already; wait for one, or raise maxInFlight.`,
      limit: { name: "maxInFlight", limit: maxInFlight, seen: maxInFlight + 1 },
    };
  }

  #write(
    id: number,
    method: string,
    params: Members | undefined,
    terms: Terms,
  ):
    | { kind: "written"; text: string; params: Members | undefined }
    | Extract<Answer, { kind: "not_sent" }> {
    const token = terms.onProgress && id;
    const stamped = terms.handshake ? params : this.revision.stamp(params, this.identity, token);
    let text: string;
    try {
      text = stringifyExact({ jsonrpc: "2.0", id, method, params: stamped });
    } catch (error) {
      const message = `The arguments cannot be written as JSON: ${String(error)}.`;
      return { kind: "not_sent", code: "invalid_arguments", message };
    }
    const seen = Buffer.byteLength(text);
    const limit = this.#limits.maxMessageBytes;
    if (seen <= limit) return { kind: "written", text, params: stamped };
    return {
      kind: "not_sent",
      code: "request_too_large",
      message: `The request is ${String(seen)} bytes long; maxMessageBytes allows ${String(limit)}.`,
      limit: { name: "maxMessageBytes", limit, seen },
    };
  }

  #giveUp(id: number, terms: Terms, answer: LostAnswer): void {
    const ignoreLateAnswer = terms.handshake === true;
    const written = this.link.abandon(id, answer, { ignoreLateAnswer });
    if (terms.handshake || !written) return;
    void this.link.send(this.revision.cancellation(id, answer.code, this.identity));
  }

  #receive(message: RpcNotification | RpcRequest): void {
    if ("id" in message) this.#serve(message);
    else this.#notice(message);
  }

  #serve(request: RpcRequest): void {
    for (const call of this.#inFlight.values()) {
      call.requests += 1;
      if (call.requests > MAX_REQUESTS_PER_CALL) return this.#flooded("requests");
    }
    void this.#answer(request);
  }

  async #answer(request: RpcRequest): Promise<void> {
    const { id } = request;
    try {
      const reply = await this.revision.answer(request, this.identity);
      if (reply) await this.link.send({ jsonrpc: "2.0", id, ...reply });
      else this.link.traffic.stray += 1;
    } catch (error) {
      const message = `The elicitation handler threw, and the server was told so: ${String(error)}`;
      for (const { terms } of this.#inFlight.values()) terms.warn?.("elicitation_failed", message);
      const refusal = { code: -32603, message: "The question could not be answered." };
      await this.link.send({ jsonrpc: "2.0", id, error: refusal });
    }
  }

  #notice(message: RpcNotification): void {
    const own = message.method === "notifications/progress" ? this.#progressOf(message) : undefined;
    for (const call of this.#inFlight.values()) {
      call.notifications += 1;
      if (call.notifications > MAX_NOTIFICATIONS_PER_CALL) return this.#flooded("notifications");
    }
    if (own) return own();
    const { method, params } = message;
    for (const { terms } of this.#inFlight.values()) {
      terms.onNotification?.({ method, ...(params && { params }) });
    }
  }

  /** How to report a progress notice, if it belongs to a call that wants it. One that does not grow is dropped. */
  #progressOf({ params = {} }: RpcNotification): (() => void) | undefined {
    const { progressToken, progress, total, message } = params;
    const call = typeof progressToken === "number" && this.#inFlight.get(progressToken);
    if (!call || !call.terms.onProgress || typeof progress !== "number") return undefined;
    return () => {
      if (progress <= call.progress) return;
      call.progress = progress;
      call.terms.onProgress?.({
        progress,
        ...(typeof total === "number" && { total }),
        ...(typeof message === "string" && { message }),
      });
    };
  }

  #flooded(what: string): void {
    this.link.fail({
      kind: "lost",
      code: "peer_flood",
      message: `The server sent more ${what} of its own during one call than this client takes.`,
    });
  }

  #refreshIdle(): void {
    for (const { idle } of this.#inFlight.values()) idle?.refresh();
  }
}
