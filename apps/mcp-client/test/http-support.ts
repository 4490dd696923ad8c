import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "@postern/testing";
import { onTestFinished } from "vitest";
import type { Outcome } from "../src/index.ts";
import { fixturePath } from "./support.ts";

/** One raw answer of the fixture; see the head of `fixtures/http-server.mjs`. */
export interface RawAnswer {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  parts?: string[];
  end?: "end" | "reset" | "stall";
  gapMs?: number;
}

/** What a fixture server has seen. */
export interface SeenRequest {
  http?: string;
  url?: string;
  headers: Record<string, string>;
  message: { id?: number; method?: string; params?: Record<string, unknown> };
  connection: number;
  hungUp?: number;
}

/** What a failure comes to in short. */
export const verdict = ({ error }: Outcome<unknown>) => error && [error.code, error.delivery];

/** A JSON-RPC error as a fixture answers it. */
export const rpcError = (code: number, id = "$ID") =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${String(code)},"message":"no"}}`;

/** Starts a fixture program that prints its port, and ends it with the test. */
export async function startFixture(name: string, ...flags: string[]): Promise<number> {
  const child = spawn(process.execPath, [fixturePath(name), ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return Number(line.toString());
}

/** Starts `fixtures/http-server.mjs`. */
export async function httpServer(...flags: string[]) {
  const log = join(temporaryDirectory(), "log");
  const port = await startFixture("http-server.mjs", `--log=${log}`, ...flags);
  const origin = `${flags.some((flag) => flag.startsWith("--cert")) ? "https" : "http"}://127.0.0.1:${String(port)}`;
  const entries = (): SeenRequest[] =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as SeenRequest)
      : [];
  return {
    port,
    url: `${origin}/mcp`,
    entries,
    /** Every HTTP request, in order of arrival. */
    requests: () => entries().filter(({ http }) => http !== undefined),
    /** `METHOD` or `METHOD rpc/method` of each. */
    lines: () =>
      entries()
        .filter(({ http }) => http !== undefined)
        .map(({ http, message }) => [http, message.method].filter(Boolean).join(" ")),
    /** Connections that were opened. */
    connections: () =>
      entries().filter(({ http, hungUp }) => http === undefined && hungUp === undefined).length,
  };
}
