import { exactDigits, stringifyExact } from "../protocol/exact-json.ts";
import { isMembers } from "../protocol/json-rpc.ts";
import { escapeUnsafe } from "./escape.ts";
import type { Report } from "./report.ts";

export interface Output {
  stdout(text: string): Promise<void>;
  stderr(text: string): void;
  readonly stderrIsTerminal: boolean;
}

export interface PrintOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly showStderr: boolean;
}

const MAX_DEPTH = 512;
const MAX_TEXT_BYTES = 1024 * 1024;
const TAIL_LINES = 20;

/** Prints a report: the result alone on stdout, everything else on stderr. */
export async function printReport(report: Report, out: Output, o: PrintOptions): Promise<void> {
  await printServerStderr(report, out, o);
  if (o.json) return out.stdout(`${envelopeText(report)}\n`);
  if (report.text !== "") await out.stdout(cutText(report.text));
  if (!o.quiet) {
    for (const { code, message } of report.detail.warnings) {
      out.stderr(`warning: ${await line(message)} (${code})\n`);
    }
  }
  const { error, detail, lastLine } = report;
  if (error) {
    out.stderr(`${await line(error.message)}\n`);
    const next = detail.nextStep ?? nextStep(report.exitCode);
    out.stderr(`${error.code} (delivery: ${error.delivery}). ${next}\n`);
  } else if (lastLine !== undefined) {
    out.stderr(`${lastLine}\n`);
  }
}

/** The one document of `--json`, on one line, without any character that a terminal or a reader could be led by. */
export function envelopeText(report: Report): string {
  const { command, server, tool, exitCode, result, error, detail, files } = report;
  const { warnings, ...facts } = detail;
  return escapeUnsafe(
    stringifyExact({
      postern: 1,
      command,
      server,
      tool,
      ok: exitCode === 0,
      delivery: detail.delivery,
      requestId: detail.requestId,
      result: cutDepth(result),
      error: error && { code: error.code, message: error.message, data: error.data },
      detail: facts,
      warnings,
      files: files?.map(({ block: _place, ...file }) => file),
    }),
  );
}

function cutDepth(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || exactDigits(value) !== undefined) return value;
  if (depth >= MAX_DEPTH) return `[nested deeper than ${String(MAX_DEPTH)}]`;
  if (Array.isArray(value)) return value.map((item) => cutDepth(item, depth + 1));
  if (!isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, cutDepth(item, depth + 1)]),
  );
}

/** Pretty JSON for people, with the same limits on depth. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(JSON.parse(stringifyExact(cutDepth(value))), undefined, 2);
}

function cutText(text: string): string {
  const ended = text.endsWith("\n") ? text : `${text}\n`;
  const bytes = Buffer.from(ended);
  if (bytes.length <= MAX_TEXT_BYTES) return ended;
  const kept = bytes
    .subarray(0, MAX_TEXT_BYTES)
    .toString("utf8")
    .replace(/\uFFFD+$/, "");
  return `${kept}\n[cut: ${String(bytes.length - MAX_TEXT_BYTES)} more bytes; --json prints all]\n`;
}

async function printServerStderr(report: Report, out: Output, o: PrintOptions): Promise<void> {
  const tail = report.detail.sensitive.stderrTail ?? "";
  const unasked = report.error !== undefined && out.stderrIsTerminal && !o.quiet && !o.json;
  if (tail === "" || (!o.showStderr && !unasked)) return;
  const { sanitize } = await import("@postern/terminal-text");
  const lines = sanitize(tail, { mode: "terminal" }).text.replace(/\n$/, "").split("\n");
  const shown = o.showStderr ? lines : lines.slice(-TAIL_LINES);
  out.stderr(shown.map((text) => `server: ${text}\n`).join(""));
}

async function line(text: string): Promise<string> {
  const { safeLine } = await import("@postern/terminal-text");
  return safeLine(text, { maxChars: 1_000 });
}

function nextStep(exitCode: number): string {
  switch (exitCode) {
    case 1:
      return "The call reached the server; look at what it changed before calling again.";
    case 2:
      return "Nothing was sent; correct the command and run it again.";
    case 5:
      return "Nothing ran; do what is said above, then call again.";
    case 4:
      return "The tool did not run; correct the call and send it again.";
    default:
      return "The call was not sent; running it again is safe.";
  }
}
