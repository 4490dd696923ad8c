import type { ProcessTree, Warning } from "../outcome.ts";
import type { CloseReport } from "../transport/link.ts";

/** What is left to say once a connection has been closed. */
export interface Closed {
  readonly processTree?: ProcessTree;
  readonly warnings: readonly Warning[];
}

/** Ends a connection. A close that fails, or leaves something behind, is a warning and never a failure. */
export async function closeQuietly(link: { close(): Promise<CloseReport> }): Promise<Closed> {
  let report: CloseReport;
  try {
    report = await link.close();
  } catch (error) {
    return { warnings: [{ code: "close_failed", message: `The close failed: ${String(error)}.` }] };
  }
  const { processTree } = report;
  if (!processTree) return { warnings: [] };
  if (processTree.survivors === 0) return { processTree, warnings: [] };
  const message = `${String(processTree.survivors)} process(es) of the server could not be ended.`;
  return { processTree, warnings: [{ code: "survivors", message }] };
}
