import type { RequirementId } from "@postern/requirements";
import { test, type TestContext } from "vitest";

/** The title a proof runs under; the coverage gate reads the ids between the brackets. */
export type ProofTitle = `${string} [${string}]`;

/**
 * Declares one test that proves one or more requirements. An unknown id does not compile.
 * The title is a sentence about behaviour.
 */
export function proves(
  ids: RequirementId | readonly RequirementId[],
  title: string,
  body: (context: TestContext) => unknown,
  timeoutMs?: number,
): void {
  test(
    proofTitle(ids, title),
    timeoutMs === undefined ? {} : { timeout: timeoutMs },
    async (context) => {
      await body(context);
    },
  );
}

function proofTitle(ids: RequirementId | readonly RequirementId[], title: string): ProofTitle {
  const list = typeof ids === "string" ? [ids] : ids;
  return `${title} [${list.join(" ")}]`;
}
