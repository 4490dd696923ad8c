import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { stripVTControlCharacters } from "node:util";
import { ReadBuffer } from "@modelcontextprotocol/client";
import { FrameReader } from "@postern/protocol/framing";
import { readStrictJson } from "@postern/protocol/json";
import { createReceipts, openSqliteStore } from "@postern/receipts";
import { sanitize } from "@postern/terminal-text";
import { throwAwayHome } from "./program.ts";
import { race, timed, WrongAnswer, type Contender } from "./race.ts";
import { reader, type SuiteOptions, type SuiteResult } from "./suite.ts";

const MIB = 1024 * 1024;
const JSON_PARSE = "JSON.parse, 1 MiB";
const STRICT = "postern readStrictJson, 1 MiB";
const FRAME_8 = "postern FrameReader, a line of 8 MiB";
const FRAME_64 = "postern FrameReader, a line of 64 MiB";
const JOIN_64 = "one Buffer.concat and JSON.parse, 64 MiB";
const SDK_8 = "SDK 2.4 ReadBuffer, a line of 8 MiB";
const SDK_64 = "SDK 2.4 ReadBuffer, a line of 64 MiB";
const PLAIN = "postern sanitize, 4 MiB of ASCII";
const HOSTILE = "postern sanitize, 4 MiB hostile";
const HOSTILE_2 = "postern sanitize, 8 MiB hostile";
const STRIP = "node:util stripVTControlCharacters, 4 MiB hostile";
const BARE = "node:sqlite, one insert with synchronous=FULL";
const ONE = "postern runOnce in SQLite, alone";
const SIXTEEN = "postern runOnce in SQLite, 16 at once";

/** The hot loops of the packages, in this process. */
export async function packagesSuite({ rounds = 15 }: SuiteOptions): Promise<SuiteResult> {
  const { home, remove } = throwAwayHome();
  const receipts = await openReceipts(home);
  try {
    const contenders = [...jsonContenders(), ...textContenders(), ...receipts.contenders];
    const measured = await race([...contenders, ...frameContenders()], { rounds });
    // Quadratic, so once is enough, and it would hold up every round.
    const slow = await race([sdkFrame(SDK_64, 64 * MIB)], { rounds: 1, warmUps: 0 });
    const all = new Map([...measured, ...slow]);
    return {
      suite: "packages",
      floor: JSON_PARSE,
      measured: [...all.values()],
      figures: figures(all),
      notes: [
        "Lines arrive in chunks of 64 KiB. The SDK's buffer was given room for them; its default is 10 MiB.",
        "16 at once: the time of all sixteen together.",
      ],
    };
  } finally {
    await receipts.close();
    remove();
  }
}

function figures(measured: Parameters<typeof reader>[0]): SuiteResult["figures"] {
  const of = reader(measured);
  const ratio = (what: string, value: number, limit: number) => ({ what, value, unit: "x", limit });
  const least = (what: string, value: number, unit: string, limit: number) =>
    ({ what, value, unit, limit, bound: "least" }) as const;
  const perSecond = (mib: number, ms: number): number => (mib * MIB) / 1_000 / ms;
  return [
    ratio("readStrictJson / JSON.parse", of(STRICT) / of(JSON_PARSE), 3),
    ratio("a line of 64 MiB / one of 8 MiB", of(FRAME_64) / of(FRAME_8), 10),
    ratio("a line of 64 MiB / one join and one parse", of(FRAME_64) / of(JOIN_64), 4),
    least("SDK / FrameReader at 64 MiB", of(SDK_64) / of(FRAME_64), "x", 20),
    least("sanitize, ASCII", perSecond(4, of(PLAIN)), "MB/s", 50),
    least("sanitize, hostile", perSecond(4, of(HOSTILE)), "MB/s", 10),
    ratio("sanitize, hostile, 8 MiB / 4 MiB", of(HOSTILE_2) / of(HOSTILE), 2.5),
    ratio("runOnce alone / bare insert", of(ONE) / of(BARE), 3),
    least("calls/s with 16 at once / bare inserts/s", (16 * of(BARE)) / of(SIXTEEN), "x", 10),
  ];
}

function jsonContenders(): Contender[] {
  const rows = Array.from({ length: 9_000 }, (_, id) => ({
    id,
    name: `row ${String(id)} of "many"`,
    tags: ["a", "é", "𝄞"],
    ratio: id / 7,
    on: id % 2 === 0,
    none: null,
  }));
  const bytes = Buffer.from(JSON.stringify(rows)).subarray();
  const text = bytes.toString();
  return [
    { name: JSON_PARSE, run: () => timed(() => JSON.parse(text) as unknown) },
    {
      name: STRICT,
      run: () =>
        timed(() => {
          if (!readStrictJson(bytes).ok) throw new WrongAnswer("It was refused.");
        }),
    },
  ];
}

function textContenders(): Contender[] {
  const ascii = "The quick brown fox jumps over the lazy dog, 0123456789.\n".repeat(73_584);
  const noisy =
    "\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007 \u202eevil\u202c \u0007 e\u0301\u0301 \u{e0041}tag \u009b2J ".repeat(
      62_000,
    );
  const cut = (text: string, mib: number): string => text.slice(0, mib * MIB);
  const clean = (name: string, text: string): Contender => ({
    name,
    run: () => timed(() => sanitize(text, { mode: "model" })),
  });
  const hostile = cut(noisy, 4);
  return [
    clean(PLAIN, cut(ascii, 4)),
    clean(HOSTILE, hostile),
    clean(HOSTILE_2, hostile + hostile),
    { name: STRIP, run: () => timed(() => stripVTControlCharacters(hostile)) },
  ];
}

function frameContenders(): Contender[] {
  const chunks = lineChunks(64 * MIB);
  const join = () => JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  return [
    ownFrame(FRAME_8, 8 * MIB),
    ownFrame(FRAME_64, 64 * MIB),
    { name: JOIN_64, run: () => timed(join) },
    sdkFrame(SDK_8, 8 * MIB),
  ];
}

function ownFrame(name: string, bytes: number): Contender {
  const chunks = lineChunks(bytes);
  return {
    name,
    run: () =>
      timed(() => {
        let seen = 0;
        const reader = new FrameReader({
          maxFrameBytes: bytes,
          onFrame: (frame) => {
            JSON.parse(Buffer.from(frame.buffer, frame.byteOffset, frame.length).toString());
            seen += frame.length;
          },
          onFault: ({ kind }) => {
            throw new WrongAnswer(kind);
          },
        });
        for (const chunk of chunks) reader.push(chunk);
        if (seen === 0) throw new WrongAnswer("No frame came.");
      }),
  };
}

function sdkFrame(name: string, bytes: number): Contender {
  return {
    name,
    run: () => {
      const chunks = lineChunks(bytes);
      return timed(() => {
        const buffer = new ReadBuffer({ maxBufferSize: bytes * 2 });
        let message: unknown = null;
        for (const chunk of chunks) {
          buffer.append(chunk);
          message = buffer.readMessage();
        }
        if (message === null) throw new WrongAnswer("No message came.");
      });
    },
  };
}

/** One JSON-RPC message of about so many bytes and its line end, as a pipe would deliver it. */
function lineChunks(bytes: number): Buffer[] {
  const frame = { jsonrpc: "2.0", id: 1, result: { text: "" } };
  const room = bytes - JSON.stringify(frame).length - 1;
  frame.result.text = "x".repeat(room);
  const line = Buffer.from(`${JSON.stringify(frame)}\n`);
  const size = 64 * 1024;
  return Array.from({ length: Math.ceil(line.length / size) }, (_, index) =>
    line.subarray(index * size, (index + 1) * size),
  );
}

async function openReceipts(home: string) {
  const folder = join(home, "receipts");
  mkdirSync(folder, { mode: 0o700 });
  const store = await openSqliteStore({ file: join(folder, "receipts.db") });
  const receipts = createReceipts(store, {
    now: Date.now,
    monotonicNow: () => performance.now(),
    newAttempt: randomUUID,
    limits: { maxReceipts: 10_000 },
  });
  const bare = new DatabaseSync(join(folder, "bare.db"));
  bare.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE row (id TEXT, at INT)");
  const insert = bare.prepare("INSERT INTO row VALUES (?, ?)");
  const scope = { principal: "bench", instance: "bench", tool: "write" };
  const once = async (): Promise<void> => {
    const call = { scope, requestId: randomUUID(), args: { text: "hi" } };
    const answer = await receipts.runOnce(call, async (steps) => {
      await steps.arm();
      return { kind: "applied", result: { done: true } };
    });
    if (answer.kind !== "receipt") throw new WrongAnswer(answer.kind);
  };
  const sixteen = Array.from({ length: 16 });
  const contenders: Contender[] = [
    { name: BARE, run: () => timed(() => insert.run(randomUUID(), Date.now())) },
    { name: ONE, run: () => timed(once) },
    { name: SIXTEEN, run: () => timed(() => Promise.all(sixteen.map(once))) },
  ];
  const close = async (): Promise<void> => {
    bare.close();
    await store.close();
  };
  return { contenders, close };
}
