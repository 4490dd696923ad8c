import { request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@postern/protocol";
import {
  mountMcp,
  refuseUnknownPath,
  type HttpGuard,
  type McpMount,
  type MountOptions,
} from "@postern/protocol/http";
import type { ToolBinding } from "@postern/protocol/server";
import { fastify, type FastifyInstance } from "fastify";
import { onTestFinished } from "vitest";
import { serve } from "../server/tools.ts";
import { initialize, request, type Dialect } from "../server/pipe.ts";

/** Knows everybody by name: `Bearer alice` is alice, with the scope `read`. */
const byName: HttpGuard = async ({ headers }) => {
  const name = /^Bearer ([a-z]+)$/.exec(headers["authorization"]?.[0] ?? "")?.[1];
  return name === undefined
    ? {
        ok: false,
        status: 401,
        code: "unauthorized",
        message: "No token.",
        headers: { "www-authenticate": "Bearer" },
      }
    : { ok: true, principal: { subject: name, scopes: ["read"] } };
};

export interface Rig {
  readonly app: FastifyInstance;
  readonly mount: McpMount;
  /** Posts one body without a socket. */
  readonly post: (body: unknown, headers?: Record<string, string>) => Promise<Posted>;
  /** Calls `read_note` and resolves with the whole answer. */
  readonly call: (dialect: Dialect, id: number, name: string) => Promise<JsonObject>;
}

export interface Posted {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly message: JsonObject;
}

/** A fastify app with these tools at `/mcp`. */
export function mounted(tools: readonly ToolBinding[], options: Partial<MountOptions> = {}): Rig {
  const app = fastify();
  onTestFinished(async () => app.close());
  app.addHook("onRequest", refuseUnknownPath);
  const mount = mountMcp(app, {
    factory: serve(tools),
    guard: byName,
    log: () => undefined,
    ...options,
  });
  const rig: Rig = {
    app,
    mount,
    async post(body, headers = {}) {
      const answer = await app.inject({
        method: "POST",
        url: (options.path ?? "/mcp").replace(":id", "blue"),
        headers: { ...usual, ...headers },
        payload: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      });
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text: answer.payload,
        message: messageOf(answer.payload),
      };
    },
    call: async (dialect, id, name) => {
      const call = callOf(dialect, id, name);
      return (await rig.post(call.body, call.headers)).message;
    },
  };
  return rig;
}

const usual = {
  authorization: "Bearer alice",
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
};

/** A `read_note` call with the headers its revision asks for. */
export function callOf(
  dialect: Dialect,
  id: number,
  name: string,
  meta: object = {},
): { body: object; headers: Record<string, string> } {
  const body = request(dialect, id, "tools/call", { name: "read_note", arguments: { name } }, meta);
  return { body, headers: headersOf(dialect, "tools/call", "read_note") };
}

/** The headers a request of this revision carries. */
export function headersOf(dialect: Dialect, method: string, name?: string): Record<string, string> {
  if (dialect === "2025-11-25") return { "mcp-protocol-version": dialect };
  return {
    "mcp-protocol-version": dialect,
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  };
}

/** The last message of a body, be it JSON or an event stream. */
export function messageOf(text: string): JsonObject {
  const data = text.split("\n").filter((line) => line.startsWith("data: "));
  const last = data.at(-1)?.slice("data: ".length) ?? text;
  return last === "" ? {} : (JSON.parse(last) as JsonObject);
}

/** Posts over a real socket; the caller may write the body piece by piece and leave at any time. */
export async function open(
  rig: Pick<Rig, "app">,
  headers: Record<string, string>,
): Promise<{
  readonly outgoing: ReturnType<typeof httpRequest>;
  readonly answered: Promise<IncomingMessage & { text(): Promise<string> }>;
}> {
  if (!rig.app.server.listening) await rig.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = rig.app.server.address() as AddressInfo;
  const outgoing = httpRequest({
    host: "127.0.0.1",
    port,
    method: "POST",
    path: "/mcp",
    headers: { ...usual, ...headers },
  });
  onTestFinished(() => void outgoing.destroy());
  const answered = new Promise<IncomingMessage & { text(): Promise<string> }>((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.on("response", (response) =>
      resolve(Object.assign(response, { text: () => textOf(response) })),
    );
  });
  // Whoever leaves early does not look at the answer.
  answered.catch(() => "gone");
  return { outgoing, answered };
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return text;
}

export { initialize, request };
