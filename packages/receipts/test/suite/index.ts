import { admissionCases } from "./admission.ts";
import { fencedCases } from "./fenced.ts";
import type { StoreCase } from "./kit.ts";
import { onceCases } from "./once.ts";
import { stoppingCases } from "./stopping.ts";

/** What every store must show. */
export const storeSuite: readonly StoreCase[] = [
  ...onceCases,
  ...stoppingCases,
  ...admissionCases,
  ...fencedCases,
];
