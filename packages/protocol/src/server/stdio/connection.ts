import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Frame } from "../../framing/index.ts";
import {
  rpcErrorCodes,
  type ProtocolRevision,
  type RequestId,
  type RpcNotification,
  type RpcRequest,
} from "../../index.ts";
import type { Log } from "../log.ts";
import { ServedAuth, type ServeContext } from "../serve-context.ts";
import type { ToolServerFactory } from "../server-factory.ts";
import type { ToolBinding } from "../tool-binding.ts";
import { BareLane, bareParamsReply } from "./bare-lane.ts";
import { InFlight } from "./in-flight.ts";
import { refusalReply, type Refusal } from "../refusal.ts";
import { revisionOf, routeRequest } from "./route.ts";
import { SdkLane } from "./sdk-lane.ts";

/** What one connection is made of. */
export interface ConnectionOptions {
  readonly factory: ToolServerFactory;
  readonly context: ServeContext;
  readonly maxInFlight: number;
  readonly bareMethods: ReadonlyMap<string, ToolBinding>;
  readonly bareArgumentCodes: ReadonlySet<string>;
  /** Resolves when the message left, or cannot any more; whoever owns the output knows which. */
  readonly write: (message: object) => Promise<void>;
  /** Resolves when the output has room for more, or takes nothing more. */
  readonly whenRoom: () => Promise<void>;
  readonly log: Log;
}

/** What is left to say about a connection that ended. */
export interface ConnectionSummary {
  /** Responses the peer sent although nothing was asked of it. */
  readonly unawaitedResponses: number;
  /** Calls whose handlers had not ended when serving did. */
  readonly unsettledCalls: number;
}

/**
 * One peer's conversation: gives every frame to whoever answers it and keeps count of what is unanswered, so
 * that each request gets exactly one answer, and a cancelled one none.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #inFlight = new InFlight();
  readonly #lanes = new Map<ProtocolRevision, SdkLane>();
  readonly #bare: BareLane;
  #initialized = false;
  #unawaitedResponses = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const settings = options.factory.settingsFor(options.context);
    const { context, bareArgumentCodes: argumentCodes, whenRoom } = options;
    this.#bare = new BareLane({ context, settings, argumentCodes, whenRoom });
  }

  accept(frame: Frame): void {
    switch (frame.kind) {
      case "request":
        this.#onRequest(frame.message);
        return;
      case "notification":
        this.#onNotification(frame.message);
        return;
      case "response":
        // No server here asks the client anything, so no response is ever awaited.
        this.#unawaitedResponses += 1;
        return;
      case "fault":
        void this.#options.write(
          this.#options.bareMethods.has(frame.badParamsOf ?? "")
            ? bareParamsReply(frame.reply)
            : frame.reply,
        );
        return;
    }
  }

  /** Fires the signal of every call in flight; none of them is answered any more. */
  abort(): void {
    this.#inFlight.abortAll();
  }

  /** Lets calls in flight finish for `drainMs`, aborts the rest, and waits `settleMs` for their handlers. */
  async end(drainMs: number, settleMs: number): Promise<ConnectionSummary> {
    await this.#inFlight.idleWithin(drainMs);
    this.abort();
    await this.#inFlight.idleWithin(settleMs);
    const unsettledCalls = this.#inFlight.awaited;
    for (const lane of this.#lanes.values()) await lane.close();
    return { unawaitedResponses: this.#unawaitedResponses, unsettledCalls };
  }

  #onRequest(message: RpcRequest): void {
    if (this.#inFlight.get(message.id) !== undefined) {
      this.#refuse(message.id, duplicateId);
      return;
    }
    const { bareMethods, maxInFlight } = this.#options;
    const route = routeRequest(message, { initialized: this.#initialized, bareMethods });
    if (route.kind === "refused") {
      this.#refuse(message.id, route.error);
    } else if (this.#inFlight.size >= maxInFlight) {
      this.#refuse(message.id, tooManyInFlight(maxInFlight));
    } else if (route.kind === "bare") {
      void this.#callBare(route.binding, message);
    } else {
      this.#inFlight.begin(message.id, message.method);
      // Set at once, so that a client may write its first calls behind initialize without waiting.
      if (message.method === "initialize") this.#initialized = true;
      this.#lane(route.revision).deliver(message);
    }
  }

  async #callBare(binding: ToolBinding, message: RpcRequest): Promise<void> {
    const { abort } = this.#inFlight.begin(message.id, message.method);
    const answer = await this.#bare.call(binding, message, abort.signal);
    this.#inFlight.end(message.id);
    if (!abort.signal.aborted) await this.#options.write(answer);
  }

  #onNotification(message: RpcNotification): void {
    if (message.method === "notifications/cancelled") {
      this.#cancel(message);
    } else if (this.#options.bareMethods.has(message.method)) {
      this.#options.log("warn", "bare_call_without_id", { method: message.method });
    } else {
      this.#lanes.get(revisionOf(message))?.deliver(message);
    }
  }

  /** Cancels by our own signal: the SDK then still answers, which tells when the handler has really ended. */
  #cancel(message: RpcNotification): void {
    const id = message.params?.["requestId"];
    if (typeof id !== "string" && typeof id !== "number") return;
    const request = this.#inFlight.get(id);
    if (request === undefined || request.method === "initialize") return;
    request.abort.abort();
    if (!request.standing) return;
    this.#inFlight.end(id);
    this.#lanes.get("2026-07-28")?.deliver(message);
  }

  /** What a lane sends. An answer to a cancelled request ends it without being written. */
  async #send(message: JSONRPCMessage): Promise<void> {
    if ("method" in message) {
      await this.#options.write(message);
      return;
    }
    const { id } = message;
    const request = id === undefined ? undefined : this.#inFlight.get(id);
    if (id === undefined || request === undefined) return;
    if (request.method === "initialize" && "error" in message) this.#initialized = false;
    this.#inFlight.end(id);
    if (!request.abort.signal.aborted) await this.#options.write(message);
  }

  #lane(revision: ProtocolRevision): SdkLane {
    const open = this.#lanes.get(revision);
    if (open) return open;
    const { factory, context, log } = this.#options;
    const auth = new ServedAuth(context, (id) => this.#inFlight.get(id)?.abort.signal);
    const lane = new SdkLane(revision, {
      factory,
      auth,
      send: (message) => this.#send(message),
      log,
    });
    this.#lanes.set(revision, lane);
    return lane;
  }

  #refuse(id: RequestId, error: Refusal): void {
    void this.#options.write(refusalReply(id, error));
  }
}

const duplicateId: Refusal = {
  code: rpcErrorCodes.invalidRequest,
  message: "A request with this id is still in flight; it goes on undisturbed.",
  data: { code: "duplicate_id" },
};

function tooManyInFlight(maxInFlight: number): Refusal {
  return {
    code: rpcErrorCodes.serverError,
    message: `Too many requests are in flight, at most ${String(maxInFlight)}; wait for an answer first.`,
    data: { code: "too_many_in_flight", maxInFlight },
  };
}
