import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";

const folder = join(import.meta.dirname, "../conformance");
const program = join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** Installs the official conformance suite from its own lockfile, unless it is there. No script of it is run. */
export async function installReferee(): Promise<void> {
  if (existsSync(program)) return;
  await execa("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
}

/** What the suite found at a server. */
export interface Verdict {
  /** Zero when everything that counts has passed. */
  readonly exitCode: number | undefined;
  /** The suite's own account of the scenarios it ran. */
  readonly summary: string;
  /** The checks that did not pass, of every scenario that ran. */
  readonly failed: readonly FailedCheck[];
}

/** One check of a scenario; untestable where the server has no tool that the suite needs for looking. */
export interface FailedCheck {
  readonly id: string;
  readonly error: string;
  readonly untestable: boolean;
}

/** Judges the server at `url`; the suite's notes go to `notes`. */
export async function judge(url: string, notes: string, args: readonly string[]): Promise<Verdict> {
  const { exitCode, stdout } = await execa(
    process.execPath,
    [program, "server", "--url", url, "--output-dir", notes, ...args],
    { reject: false },
  );
  return {
    exitCode,
    summary: stdout.split("=== SUMMARY ===").at(-1) ?? "",
    failed: failuresIn(notes),
  };
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
  readonly details?: { readonly untestable?: boolean };
}

function failuresIn(notes: string): readonly FailedCheck[] {
  return readdirSync(notes)
    .flatMap(
      (name) => JSON.parse(readFileSync(join(notes, name, "checks.json"), "utf8")) as Check[],
    )
    .filter(({ status }) => status === "FAILURE")
    .map(({ id, errorMessage = "", details }) => ({
      id,
      error: errorMessage,
      untestable: details?.untestable ?? false,
    }));
}
