import { mergeConfig } from "../config/merge.ts";
import { notSent, type ClientError } from "../errors.ts";
import type { Members } from "../protocol/json-rpc.ts";
import { settings } from "./settings.ts";

export type Overlaid =
  /** `stored` is what the settings hold under the name. */
  | { kind: "ok"; raw: Members | undefined; stored: Members | undefined }
  | { kind: "refused"; error: ClientError };

/** Lays the settings' entry of a name, if there is one, over a configuration. A broken store is an error. */
export async function overlaySettings(name: string, base: Members | undefined): Promise<Overlaid> {
  const { result, error } = await settings.load(name, true);
  if (error) return { kind: "refused", error };
  if (result === undefined) return { kind: "ok", raw: base, stored: undefined };
  if ("secret" in result) {
    const message = `The settings hold a secret under "${name}", so no server can be called so.`;
    return { kind: "refused", error: notSent("invalid_config", message) };
  }
  const stored: Members = { ...result };
  return { kind: "ok", raw: mergeConfig(base ?? {}, stored), stored };
}

/** The names of all entries; for hints, so a broken store has none. */
export async function storedNames(): Promise<readonly string[]> {
  return (await settings.names()).result ?? [];
}
