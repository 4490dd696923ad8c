import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { appBin, fixturePath, peakRssMiB, programContender, throwAwayHome } from "./program.ts";
import { race } from "./race.ts";
import { reader, type SuiteOptions, type SuiteResult } from "./suite.ts";

const FLOOR = "node -e 0";
const AGAIN = "node -e 0 under a second name";
const PARENT = "a bare parent and child, same messages";
const VERSION = "postern-mcp --version";
const CALL = "postern-mcp call";
const MODERN = "postern-mcp call, revision 2026-07-28";
const HTTP = "postern-mcp call over HTTP";
const MODERN_HTTP = "postern-mcp call over HTTP, 2026-07-28";
const SDK = "SDK 2.4 client script";
const SDK_HTTP = "SDK 2.4 client script over HTTP";
const MCPORTER = "mcporter 0.12.3";
const MCPORTER_HTTP = "mcporter 0.12.3 over HTTP";

/** One cold call: the client starts, connects, lists, calls and ends. Over stdio the server starts too. */
export async function clientSuite({ rounds = 21 }: SuiteOptions): Promise<SuiteResult> {
  const { home, remove } = throwAwayHome();
  const http = await startHttpServer();
  try {
    const mcporter = await installed(home, "mcporter", "0.12.3");
    const commands = {
      ...ownCommands(http.url),
      ...(mcporter && mcporterCommands(mcporter, http.url)),
    };
    const programs = Object.entries(commands).map(([name, words]) => ({
      name,
      argv: [process.execPath, ...words],
      prints: words.includes("-e") || words.includes("--version") ? "" : "hi",
      home,
    }));
    const measured = await race(programs.map(programContender), { rounds });
    for (const program of programs) {
      const result = measured.get(program.name);
      if (result === undefined || result.wrong !== undefined) continue;
      measured.set(program.name, { ...result, rssMiB: await peakRssMiB(program) });
    }
    return {
      suite: "client",
      floor: FLOOR,
      measured: [...measured.values()],
      figures: figures(measured),
      notes: mcporter ? [] : ["mcporter 0.12.3 could not be installed."],
    };
  } finally {
    http.stop();
    remove();
  }
}

/** The words after `node`, by name. */
function ownCommands(url: string): Record<string, readonly string[]> {
  const server = fixturePath("server.mjs");
  const bin = appBin("mcp-client");
  const call = [bin, "call", "echo", "text=hi"];
  const callHttp = [bin, "call", url, "echo", "text=hi"];
  const stdio = ["--", process.execPath, server];
  const modern = ["--protocol", "2026-07-28"];
  return {
    [FLOOR]: ["-e", "0"],
    [AGAIN]: ["-e", "0"],
    [VERSION]: [bin, "--version"],
    [PARENT]: [fixturePath("bare-parent.mjs"), server],
    [CALL]: [...call, ...stdio],
    [MODERN]: [...call, ...modern, ...stdio],
    [SDK]: [fixturePath("sdk-call.mjs"), server],
    [HTTP]: callHttp,
    [MODERN_HTTP]: [...callHttp, ...modern],
    [SDK_HTTP]: [fixturePath("sdk-call.mjs"), url],
  };
}

function mcporterCommands(mcporter: string, url: string): Record<string, readonly string[]> {
  const echo = ["echo", "text=hi"];
  const server = ["--stdio", process.execPath, "--stdio-arg", fixturePath("server.mjs")];
  return {
    [MCPORTER]: [mcporter, "call", ...server, ...echo],
    [MCPORTER_HTTP]: [mcporter, "call", "--http-url", url, "--allow-http", ...echo],
  };
}

function figures(measured: Parameters<typeof reader>[0]): SuiteResult["figures"] {
  const of = reader(measured);
  const unit = of(FLOOR);
  const ratio = (what: string, value: number, limit: number) => ({ what, value, unit: "x", limit });
  return [
    ratio("cold stdio call / node -e 0", of(CALL) / unit, 3.4),
    ratio("cold HTTP call / node -e 0", of(HTTP) / unit, 2.4),
    ratio("stdio, 2026-07-28 / 2025-11-25", of(MODERN) / of(CALL), 1.1),
    ratio("HTTP, 2026-07-28 / 2025-11-25", of(MODERN_HTTP) / of(HTTP), 1.1),
    ratio("--version / node -e 0", of(VERSION) / unit, 1.5),
    ratio("cold stdio call / mcporter", of(CALL) / of(MCPORTER), 0.35),
    ratio("cold HTTP call / mcporter", of(HTTP) / of(MCPORTER_HTTP), 0.35),
    ratio("cold stdio call / SDK script", of(CALL) / of(SDK), 0.5),
    ratio("cold HTTP call / SDK script", of(HTTP) / of(SDK_HTTP), 0.5),
    ratio("peak RSS of a call / node -e 0", of(CALL, "rssMiB") / of(FLOOR, "rssMiB"), 1.35),
    ratio("peak RSS of a call / mcporter", of(CALL, "rssMiB") / of(MCPORTER, "rssMiB"), 0.7),
    ratio("null run: node -e 0 against itself", 1 + Math.abs(1 - of(AGAIN) / unit), 1.05),
  ];
}

async function startHttpServer(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const argv = [fixturePath("http-server.mjs")];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { url: line.toString().trim(), stop: () => child.kill() };
}

/** The program of a package put into the throw-away folder; undefined where npm cannot bring it. */
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
