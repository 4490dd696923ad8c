import { nearestKey } from "../nearest-key.ts";
import { issuePath, type StandardIssue } from "../standard-schema.ts";
import { locateMembers } from "./locate-members.ts";
import type { JsonPath } from "./path-tracker.ts";
import type { FileRefusalCode } from "./private-file.ts";
import type { StrictJsonCode } from "./read-strict-json.ts";
import { positionOf, type TextPosition } from "./text-position.ts";

/** One thing wrong with a configuration file; lines and columns count from 1. */
export interface ConfigProblem extends TextPosition {
  readonly code: FileRefusalCode | StrictJsonCode | "unknown_key" | "invalid_value";
  /** The key's path, as in `projects.0.name`; empty for the file as a whole. */
  readonly key: string;
  readonly message: string;
  readonly nearestKey?: string;
}

/** Gives each issue of a schema its place in the file, and each unknown key the known one it resembles. */
export function configProblems(
  bytes: Uint8Array,
  issues: readonly StandardIssue[],
  knownKeys: readonly string[],
): readonly ConfigProblem[] {
  const placeOf = locateMembers(bytes);

  return issues.flatMap((issue) => {
    const path = issuePath(issue);
    const unknown = unknownKeysOf(issue, path);
    if (unknown !== undefined) return unknown.map(unknownKeyProblem);
    const position = positionOf(bytes, nearestPlace(path));
    return [{ code: "invalid_value", ...position, key: path.join("."), message: issue.message }];
  });

  function unknownKeyProblem(path: JsonPath): ConfigProblem {
    const nearest = nearestKey(String(path.at(-1)), siblings(path, knownKeys));
    const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    return {
      code: "unknown_key",
      ...positionOf(bytes, placeOf(path)?.key ?? nearestPlace(path)),
      key: path.join("."),
      message: `This key is not known.${hint}`,
      ...(nearest === undefined ? {} : { nearestKey: nearest }),
    };
  }

  /** A missing key has no place of its own; the innermost value around it does. */
  function nearestPlace(path: JsonPath): number {
    for (let length = path.length; length > 0; length -= 1) {
      const place = placeOf(path.slice(0, length));
      if (place !== undefined) return place.value;
    }
    return placeOf([])?.value ?? 0;
  }
}

/** The paths of the keys an issue calls unknown: zod lists them beside the path, valibot ends the path with one. */
function unknownKeysOf(issue: StandardIssue, path: JsonPath): readonly JsonPath[] | undefined {
  if ("code" in issue && issue.code === "unrecognized_keys" && "keys" in issue) {
    return (issue.keys as readonly string[]).map((key) => [...path, key]);
  }
  const strict = "type" in issue && issue.type === "strict_object" && "expected" in issue;
  return strict && issue.expected === "never" ? [path] : undefined;
}

/** The known keys that may stand where this one does; all of them where the list names no such place. */
function siblings(path: JsonPath, knownKeys: readonly string[]): readonly string[] {
  const known = knownKeys.map((key) => key.split("."));
  const beside = known.filter(
    (key) =>
      key.length === path.length &&
      key.slice(0, -1).every((segment, at) => segment === "*" || segment === String(path[at])),
  );
  return (beside.length > 0 && path.length > 1 ? beside : known).map((key) => key.at(-1) ?? "");
}
