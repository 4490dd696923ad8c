import type { StandardSchema } from "../standard-schema.ts";
import { type ConfigProblem, configProblems } from "./config-problem.ts";
import { type FilePrivacy, readPrivateFile } from "./private-file.ts";
import { readStrictJson, type StrictJsonCode } from "./read-strict-json.ts";

export interface ConfigFileOptions<T> {
  readonly schema: StandardSchema<T>;
  /**
   * Every key of the file, for naming the nearest to an unknown one. A nested key may be given as
   * `http.port` or `projects.*.name`; it is then offered in that place only.
   */
  readonly knownKeys: readonly string[];
  /** Whether other users may read the file (`not_writable`) or not even that (`private`). */
  readonly privacy: FilePrivacy;
}

export type ConfigFileResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

const MAX_CONFIG_BYTES = 1024 * 1024;

/**
 * Reads a configuration file that must belong to this user, or says everything that is wrong with it and
 * where. A broken file never turns into defaults.
 */
export async function readConfigFile<T>(
  path: string,
  { schema, knownKeys, privacy }: ConfigFileOptions<T>,
): Promise<ConfigFileResult<T>> {
  const file = await readPrivateFile(path, { privacy, maxBytes: MAX_CONFIG_BYTES });
  if (!file.ok) {
    const { code, message } = file;
    return { ok: false, problems: [{ code, line: 1, column: 1, key: "", message }] };
  }
  const json = readStrictJson(file.bytes, { maxBytes: MAX_CONFIG_BYTES });
  if (!json.ok) {
    const { code, line, column } = json;
    const key = json.path.slice(1).replaceAll("/", ".");
    return { ok: false, problems: [{ code, line, column, key, message: strictJsonRules[code] }] };
  }
  const result = await schema["~standard"].validate(json.value);
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, problems: configProblems(file.bytes, result.issues, knownKeys) };
}

/** What each broken rule means to the person who wrote the file. */
const strictJsonRules: Readonly<Record<StrictJsonCode, string>> = {
  too_large: "The file is too large.",
  invalid_utf8: "This byte is not UTF-8.",
  not_json: "This is not JSON: no comments, no trailing commas, no byte order mark, one value.",
  duplicate_key: "This key stands twice in the same object.",
  forbidden_key: "This key is not allowed.",
  too_deep: "This is nested too deep.",
  too_many_values: "The file has too many values.",
  unsafe_number: "This number cannot be kept exactly.",
  lone_surrogate: "This text holds half a character (a lone surrogate).",
};
