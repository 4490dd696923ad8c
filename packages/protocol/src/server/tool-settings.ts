import type { Effect } from "../index.ts";
import type { Log } from "./log.ts";

/** What a server decides once for all of its tools. */
export interface ToolSettings {
  readonly enabledEffects: ReadonlySet<Effect>;
  /** Output that breaks its schema becomes an error; off, it is returned unchanged and logged. */
  readonly strictOutput: boolean;
  /** Mints the id of a call whose contract has an optional `requestId` and that brought none. */
  readonly newRequestId: () => string;
  /** One sentence that ends the refusal of an effect that is not enabled. */
  readonly howToEnable?: string | undefined;
  readonly log: Log;
}
