import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { JsonObject } from "@postern/protocol";
import {
  serveStdio,
  type ServeEnd,
  type ServeStdioOptions,
  type ToolServerFactory,
} from "@postern/protocol/server";
import { eventually } from "@postern/testing";

/** The two kinds of client: one that shakes hands, one that says its revision with each request. */
export type Dialect = "2025-11-25" | "2026-07-28";
export const dialects: readonly Dialect[] = ["2025-11-25", "2026-07-28"];

export interface LogLine {
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

export const initialize = {
  jsonrpc: "2.0",
  id: "hello",
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

/** One MCP request as a client of that revision writes it. */
export function request(
  dialect: Dialect,
  id: string | number,
  method: string,
  params: object = {},
  meta: object = {},
): object {
  const _meta = dialect === "2026-07-28" ? { ...envelope, ...meta } : meta;
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta } };
}

/** Serves a factory in this process and talks to it in raw lines. */
export function openPipe(
  factory: ToolServerFactory,
  options: ServeStdioOptions = {},
): {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly lines: string[];
  readonly log: LogLine[];
  readonly served: Promise<ServeEnd>;
  send(...messages: object[]): void;
  answers(id: string | number | null): JsonObject[];
  answer(id: string | number | null): Promise<JsonObject>;
  call(
    dialect: Dialect,
    id: number,
    name: string,
    args: object,
    meta?: object,
  ): Promise<JsonObject>;
  end(): Promise<ServeEnd>;
} {
  const input = new PassThrough();
  const output = new PassThrough();
  const lines: string[] = [];
  const log: LogLine[] = [];
  createInterface(output).on("line", (line) => lines.push(line));
  const served = serveStdio(factory, {
    input,
    output,
    log: (level, event, fields) => log.push({ level, event, ...fields }),
    ...options,
  });
  const pipe = {
    input,
    output,
    lines,
    log,
    served,
    send: (...messages: object[]) => {
      input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
    },
    answers: (id: string | number | null) =>
      lines.map((line) => JSON.parse(line) as JsonObject).filter((message) => message["id"] === id),
    answer: async (id: string | number | null) =>
      eventually(() => pipe.answers(id)[0], { what: `the answer to ${String(id)}` }),
    call: async (dialect: Dialect, id: number, name: string, args: object, meta: object = {}) => {
      if (dialect === "2025-11-25" && pipe.answers("hello").length === 0) {
        pipe.send(initialize);
        await pipe.answer("hello");
      }
      pipe.send(request(dialect, id, "tools/call", { name, arguments: args }, meta));
      return pipe.answer(id);
    },
    end: async () => {
      input.end();
      return served;
    },
  };
  return pipe;
}
