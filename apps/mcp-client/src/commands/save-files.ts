import type { Prepared } from "../content/prepare.ts";
import type { Outcome } from "../outcome.ts";
import type { ToolReply } from "../protocol/tool-reply.ts";
import type { Report } from "./report.ts";

/** Writes the attachments of a reply: into the folder asked for, else, for people alone, into a fresh one. */
export async function saveFiles(
  reply: ToolReply,
  o: { tool: string; dir: string | undefined; json: boolean },
): Promise<Outcome<Prepared> | undefined> {
  if (!mayHoldFiles(reply) || (o.json && o.dir === undefined)) return undefined;
  const { prepare } = await import("../content/prepare.ts");
  return prepare(reply, { tool: o.tool, ...(o.dir !== undefined && { dir: o.dir }) });
}

/** Told by the types of the blocks, so that most calls need not load what writes files. */
function mayHoldFiles(reply: ToolReply): boolean {
  if (reply.kind !== "complete") return false;
  return reply.content.some(({ type }) => type !== "text" && type !== "resource_link");
}

type Answered = Pick<Report, "detail" | "exitCode" | "result" | "lastLine">;

/** Adds to the report of an answered call what became of its files. The answer itself is printed in any case. */
export function withFiles(
  report: Answered,
  saved: Outcome<Prepared> | undefined,
): Answered & Pick<Report, "error" | "files"> {
  if (!saved) return report;
  const { exitCode, detail } = report;
  detail.warnings.push(...saved.detail.warnings);
  if (saved.error) {
    const unusable = saved.error.code === "content_invalid" ? 1 : 8;
    return { ...report, exitCode: exitCode === 0 ? unusable : exitCode, error: saved.error };
  }
  if (saved.detail.limit) detail.limit = saved.detail.limit;
  const { files, leftOut } = saved.result;
  if (leftOut.length === 0 || exitCode !== 0) return { ...report, files };
  const lastLine = `content_too_large (delivery: delivered). The answer is whole; ${String(leftOut.length)} attachment(s) were not saved.`;
  return { ...report, files, exitCode: 8, lastLine };
}
