import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { appBin, fixturePath, peakRssMiB, programContender, throwAwayHome } from "./program.ts";
import type { Program } from "./program.ts";
import { race } from "./race.ts";
import { reader, type SuiteOptions, type SuiteResult } from "./suite.ts";

const FLOOR = "node -e 0";
const AGAIN = "node -e 0 under a second name";
const PARENT = "a bare parent and child, same messages";
const CALL = "postern-mcp call";
const MODERN = "postern-mcp call, revision 2026-07-28";
const VERSION = "postern-mcp --version";
const SDK = "SDK 2.4 client script";
const MCPORTER = "mcporter 0.12.3";

/** One cold call over stdio: client and server start, list, call, end. */
export async function clientSuite({ rounds = 21 }: SuiteOptions): Promise<SuiteResult> {
  const { home, remove } = throwAwayHome();
  try {
    const node = process.execPath;
    const server = fixturePath("server.mjs");
    const echo = ["echo", "text=hi"];
    const call = [node, appBin("mcp-client"), "call", ...echo];
    const program = (name: string, argv: readonly string[], prints: string): Program => ({
      name,
      argv,
      prints,
      home,
    });
    const programs = [
      program(FLOOR, [node, "-e", "0"], ""),
      program(AGAIN, [node, "-e", "0"], ""),
      program(PARENT, [node, fixturePath("bare-parent.mjs"), server], "hi"),
      program(VERSION, [node, appBin("mcp-client"), "--version"], "."),
      program(CALL, [...call, "--", node, server], "hi"),
      program(MODERN, [...call, "--protocol", "2026-07-28", "--", node, server], "hi"),
      program(SDK, [node, fixturePath("sdk-call.mjs"), server], "hi"),
    ];
    const notes: string[] = [];
    const mcporter = await installed(home, "mcporter", "0.12.3");
    if (mcporter === undefined) notes.push("mcporter 0.12.3 could not be installed.");
    else {
      const words = ["call", "--stdio", node, "--stdio-arg", server, ...echo];
      programs.push(program(MCPORTER, [node, mcporter, ...words], "hi"));
    }
    const measured = await race(programs.map(programContender), { rounds });
    for (const one of programs) {
      const result = measured.get(one.name);
      if (result?.wrong === undefined && result !== undefined) {
        measured.set(one.name, { ...result, rssMiB: await peakRssMiB(one) });
      }
    }
    return {
      suite: "client",
      floor: FLOOR,
      measured: [...measured.values()],
      notes,
      ...figures(measured),
    };
  } finally {
    remove();
  }
}

function figures(measured: Parameters<typeof reader>[0]): Pick<SuiteResult, "figures"> {
  const of = reader(measured);
  const unit = of(FLOOR);
  const ratio = (what: string, value: number, limit: number) => ({ what, value, unit: "x", limit });
  return {
    figures: [
      ratio("cold call / node -e 0", of(CALL) / unit, 3.4),
      ratio("cold call, 2026-07-28 / 2025-11-25", of(MODERN) / of(CALL), 1.1),
      ratio("--version / node -e 0", of(VERSION) / unit, 1.5),
      ratio("cold call / mcporter", of(CALL) / of(MCPORTER), 0.35),
      ratio("cold call / SDK script", of(CALL) / of(SDK), 0.5),
      ratio("peak RSS of a call / node -e 0", of(CALL, "rssMiB") / of(FLOOR, "rssMiB"), 1.35),
      ratio("peak RSS of a call / mcporter", of(CALL, "rssMiB") / of(MCPORTER, "rssMiB"), 0.7),
      ratio("null run: node -e 0 against itself", Math.abs(1 - of(AGAIN) / unit) + 1, 1.05),
    ],
  };
}

/** The main file of a package put into the throw-away folder; undefined where npm cannot bring it. */
async function installed(home: string, name: string, version: string): Promise<string | undefined> {
  try {
    writeFileSync(join(home, "package.json"), '{"private":true}');
    const words = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
    const options = { cwd: home, timeout: 120_000 };
    await promisify(execFile)("npm", [...words, `${name}@${version}`], options);
    return join(home, "node_modules/.bin", name);
  } catch {
    return undefined;
  }
}
