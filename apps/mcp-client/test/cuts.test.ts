import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect } from "vitest";
import { callTool, connect, unwrap, type Outcome } from "../src/index.ts";
import { CutProxy, type Cut } from "./cut-proxy.ts";
import { httpServer } from "./http-support.ts";
import { fixturePath } from "./support.ts";

/** Cuts per transport; CUTS=5000 in the environment makes one of nearly every byte. */
const CUTS = Number(process.env["CUTS"] ?? 240);
const STALL_MS = 100;

interface Seen {
  readonly cut: string;
  readonly code: string;
  readonly delivery: string;
}

/** So many places of a length, its two ends among them. */
function places(length: number, count: number): number[] {
  const step = Math.max(1, length / count);
  const spread = Array.from({ length: Math.ceil(length / step) }, (_, at) => Math.floor(at * step));
  return [...new Set([...spread, length - 1])];
}

function seenOf(cut: string, { error, detail }: Outcome<unknown>): Seen {
  return { cut, code: error?.code ?? "none", delivery: error?.delivery ?? detail.delivery };
}

/** What is wrong with what the client says, given how often the server ran the call. */
function faults(seen: readonly Seen[], ran: ReadonlyMap<string, number>): unknown[] {
  return seen.filter(({ cut, code, delivery }) => {
    const times = ran.get(cut) ?? 0;
    if (times > 1) return true;
    if (delivery === "not_sent" || delivery === "rejected") return times > 0;
    // A stream may be cut between its last message and its end: then the answer is there, and the call ran.
    if (delivery === "delivered") return times !== 1 || code !== "none";
    return delivery !== "unknown";
  });
}

function countRuns(cuts: readonly unknown[]): Map<string, number> {
  const ran = new Map<string, number>();
  for (const cut of cuts) ran.set(String(cut), (ran.get(String(cut)) ?? 0) + 1);
  return ran;
}

proves(
  ["CLNT-13", "CLNT-162"],
  "a cut anywhere over HTTP is told right, and nothing is sent twice",
  async () => {
    const server = await httpServer();
    const { proxy, port } = await CutProxy.start(server.port);
    const seen: Seen[] = [];
    const kinds = [
      { protocolVersion: "2025-11-25", tool: "echo" },
      { protocolVersion: "2026-07-28", tool: "stream" },
    ] as const;
    const callOnce = async (kind: (typeof kinds)[number], name: string, cut?: Cut) => {
      const { protocolVersion, tool } = kind;
      const client = unwrap(
        await connect({ url: `http://127.0.0.1:${String(port)}/mcp`, protocolVersion }),
      );
      await client.listTools();
      proxy.arm(cut);
      const outcome = await client.callTool(
        tool,
        { cut: name },
        { timeoutMs: cut?.how === "stall" ? STALL_MS : 10_000 },
      );
      const passed = proxy.disarm();
      await client.close();
      return { outcome, passed };
    };

    for (const kind of kinds) {
      // As long as the names of the cuts are, so that the lengths are the same.
      const whole = await callOnce(kind, "whole-0000");
      expect(whole.outcome.error).toBeUndefined();
      for (const where of ["request", "answer"] as const) {
        for (const bytes of places(whole.passed[where], CUTS / 12)) {
          for (const how of ["drop", "reset", "stall"] as const) {
            const name = `c-${String(seen.length).padStart(8, "0")}`;
            const { outcome } = await callOnce(kind, name, { where, bytes, how });
            seen.push(seenOf(name, outcome));
          }
        }
      }
    }

    const calls = server.requests().filter(({ message }) => message.method === "tools/call");
    const ran = countRuns(
      calls.map(
        ({ message }) => (message.params?.["arguments"] as { cut?: string } | undefined)?.cut,
      ),
    );
    // There are fewer than 5 000 places, three ways each.
    expect(seen.length).toBeGreaterThan(Math.min(CUTS * 0.9, 4_000));
    expect(seen.filter(({ delivery }) => delivery === "delivered").length).toBeLessThan(
      seen.length / 20,
    );
    expect(faults(seen, ran)).toEqual([]);
    // The cuts reach both sides of the moment at which the server has the call.
    expect(seen.filter(({ cut }) => ran.has(cut)).length).toBeGreaterThan(seen.length / 4);
    expect(seen.filter(({ cut }) => !ran.has(cut)).length).toBeGreaterThan(seen.length / 4);
  },
  600_000,
);

proves(
  "CLNT-162",
  "a cut anywhere over stdio is told right, and nothing is written twice",
  async () => {
    const log = join(temporaryDirectory(), "log");
    const seen: Seen[] = [];
    const lengths = { request: 110, answer: 75 };
    const queue = (["request", "answer"] as const).flatMap((where) =>
      places(lengths[where], CUTS / 8).flatMap((bytes) =>
        ["exit", "kill", "close", "stall"].map((how) => `${where}:${String(bytes)}:${how}`),
      ),
    );
    const total = queue.length;
    const work = async () => {
      for (let cut = queue.pop(); cut !== undefined; cut = queue.pop()) {
        const args = [fixturePath("cut-server.mjs"), `--cut=${cut}`, `--log=${log}`];
        const config = { command: process.execPath, args, closeGraceMs: 0, killGraceMs: 0 };
        const timeoutMs = cut.endsWith("stall") ? STALL_MS : 10_000;
        seen.push(seenOf(cut, await callTool(config, "echo", { cut }, { timeoutMs })));
      }
    };
    await Promise.all(Array.from({ length: 6 }, work));

    const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
    const ran = countRuns(lines.map((line) => (JSON.parse(line) as { cut: string }).cut));
    expect(seen).toHaveLength(total);
    expect(faults(seen, ran)).toEqual([]);
    expect(
      seen.filter(({ cut }) => cut.startsWith("answer")).every(({ cut }) => ran.has(cut)),
    ).toBe(true);
    expect(
      seen.filter(({ cut }) => cut.startsWith("request")).some(({ cut }) => ran.has(cut)),
    ).toBe(false);
  },
  600_000,
);
