import type { McpServerFactory } from "@modelcontextprotocol/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { limitOf } from "../limits.ts";
import { stderrLog, type Log } from "../server/log.ts";
import { admit, type AdmissionOptions } from "./admission.ts";
import { CallsInFlight } from "./calls-in-flight.ts";
import { Exchanges } from "./exchange.ts";
import type { HttpGuard } from "./guard.ts";
import { serveMessage } from "./serve-message.ts";

/** How MCP is mounted on a fastify app. */
export interface MountOptions {
  /** May hold parameters, which the tools get as `context.params`. @default "/mcp" */
  readonly path?: string;
  readonly factory: McpServerFactory;
  /** Decides on every request before its body is read; gives the principal that tools see. */
  readonly guard: HttpGuard;
  /** The scope a call of this tool needs; without it the call is refused with 403 before it is dispatched. */
  readonly requiredScope?: (tool: string) => string;
  /** @default 4 MiB */
  readonly maxBodyBytes?: number;
  /** Requests that may be unanswered at once, 1..1 024. @default 64 */
  readonly maxInFlight?: number;
  /** The same for one principal. @default 16 */
  readonly maxInFlightPerPrincipal?: number;
  /** When a call is told to stop. @default 310 000 */
  readonly callDeadlineMs?: number;
  /** When a call without an answer becomes an event stream, and how often that gets a comment. @default 15 000 */
  readonly keepAliveMs?: number;
  /** @default JSON lines on stderr */
  readonly log?: Log;
}

/** MCP as it is mounted. */
export interface McpMount {
  /**
   * Refuses new calls from now on and resolves when those in flight have ended; what still runs after
   * `deadlineMs` is told to stop.
   */
  readonly drain: (deadlineMs: number) => Promise<void>;
  /** How many requests are being served. */
  readonly inFlight: () => number;
}

/** How long a call may take to notice that it was told to stop. */
const settleMs = 1_000;

/**
 * Serves both MCP revisions by Streamable HTTP, each request on its own: there are no sessions. Every request is
 * checked step by step, and no step reads what a later one needs: method, guard, media type, size, JSON, caps.
 * @throws ProtocolError invalid_option
 */
export function mountMcp(app: FastifyInstance, options: MountOptions): McpMount {
  const log = options.log ?? stderrLog;
  const calls = new CallsInFlight();
  const keepAliveMs = options.keepAliveMs ?? 15_000;
  const exchanges = new Exchanges(options.factory, keepAliveMs, log);
  const state = { draining: false };
  const admission: AdmissionOptions = {
    guard: options.guard,
    requiredScope: options.requiredScope,
    maxBodyBytes: limitOf("maxBytes", options.maxBodyBytes),
    maxInFlight: limitOf("maxInFlight", options.maxInFlight),
    maxInFlightPerPrincipal: limitOf("maxInFlight", options.maxInFlightPerPrincipal ?? 16),
    calls,
    isDraining: () => state.draining,
  };
  const serving = {
    calls,
    exchanges,
    keepAliveMs,
    settleMs,
    callDeadlineMs: options.callDeadlineMs ?? 310_000,
  };

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const admitted = await admit(request, reply, admission);
    if (admitted !== undefined) await serveMessage(admitted, request, reply, serving);
    return reply;
  };
  void app.register(async (scope) => {
    // Bodies are read by us, after the guard and under our own cap.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    scope.all(options.path ?? "/mcp", handle);
  });

  return {
    inFlight: () => calls.size,
    async drain(deadlineMs) {
      state.draining = true;
      calls.abortStanding();
      await calls.idleWithin(deadlineMs);
      calls.abortAll();
      await calls.idleWithin(settleMs * 2);
      await exchanges.close();
    },
  };
}
