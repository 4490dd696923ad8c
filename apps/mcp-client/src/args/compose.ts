import { notSent, type ClientError } from "../errors.ts";
import type { Warning } from "../outcome.ts";
import { isMembers, type Members } from "../protocol/json-rpc.ts";
import { resolveReference } from "../protocol/tool.ts";
import { argumentKind } from "./argument-kind.ts";
import { readExactJson } from "./exact-arguments.ts";
import { nearest } from "./nearest.ts";
import { typeProblem } from "./type-check.ts";
import { typeText } from "./typed-text.ts";
import type { ArgumentWord } from "./words.ts";

export type Composed =
  | { kind: "ok"; args: Members; warnings: Warning[] }
  | { kind: "refused"; error: ClientError };

class Refusal extends Error {}

/** Makes a tool's arguments from the words and from `--args`, exactly as typed, or says what is wrong with them. */
export async function composeArguments(o: {
  words: readonly ArgumentWord[];
  base: Members;
  /** The tool's inputSchema; undefined when it was not asked for, then every text is a string. */
  schema: Members | undefined;
}): Promise<Composed> {
  const { base } = o;
  const view = o.schema && new SchemaView(o.schema);
  const fromWords = new Map<string, unknown>();
  const appended = new Set<string>();
  const warnings: Warning[] = [];
  try {
    for (const word of o.words) {
      const { key } = word;
      if (Object.hasOwn(base, key)) throw new Refusal(`${key} is given here and in --args`);
      const property = view?.property(key);
      if (property?.known === false) warnings.push(unknownArgument(key));
      const kind = property && argumentKind(property.schema, property.root);
      const appends = kind?.kind === "array" && word.form !== "json";
      if (fromWords.has(key) && !(appends && appended.has(key))) {
        throw new Refusal(`${key} is given twice`);
      }
      const value = await valueOf(word, kind, property?.root ?? {});
      if (appends) {
        const list = (fromWords.get(key) as unknown[] | undefined) ?? [];
        fromWords.set(key, [...list, value]);
        appended.add(key);
      } else {
        fromWords.set(key, value);
      }
    }
    for (const key of Object.keys(base)) {
      if (view?.property(key).known === false) warnings.push(unknownArgument(key));
    }
    // A null prototype takes "__proto__" as a name like any other.
    const args = Object.assign(Object.create(null), base, Object.fromEntries(fromWords)) as Members;
    view?.check(args);
    return { kind: "ok", args, warnings };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: "refused", error: notSent("invalid_arguments", `${error.message}.`) };
  }
}

async function valueOf(
  word: ArgumentWord,
  kind: ReturnType<typeof argumentKind> | undefined,
  root: Members,
): Promise<unknown> {
  if (word.form === "json") {
    const read = await readExactJson(word.value);
    if (!read.ok) throw new Refusal(`${word.key} is no JSON: ${read.why}`);
    return read.value;
  }
  const typed = typeText(word.value, kind ?? { kind: "string" }, root);
  if (!typed.ok) throw new Refusal(`${word.key} ${typed.why}`);
  return typed.value;
}

function unknownArgument(key: string): Warning {
  return {
    code: "unknown_argument",
    message: `The tool's schema does not name ${key}; it is sent as it stands.`,
  };
}

/** The parts of an inputSchema that arguments are checked against. */
class SchemaView {
  readonly #root: Members;
  readonly #properties: Members;
  readonly #required: readonly unknown[];
  readonly #additional: unknown;
  readonly #hasPatterns: boolean;

  constructor(schema: Members) {
    const resolved = resolveReference(schema, schema);
    const top = resolved.kind === "resolved" ? resolved.schema : schema;
    this.#root = schema;
    this.#properties = isMembers(top["properties"]) ? top["properties"] : {};
    this.#required = Array.isArray(top["required"]) ? top["required"] : [];
    this.#additional = top["additionalProperties"];
    this.#hasPatterns = isMembers(top["patternProperties"]);
  }

  property(key: string): { known: boolean; schema: unknown; root: Members } {
    if (Object.hasOwn(this.#properties, key)) {
      return { known: true, schema: this.#properties[key], root: this.#root };
    }
    if (this.#additional === false && !this.#hasPatterns) {
      const near = nearest(key, Object.keys(this.#properties));
      throw new Refusal(
        `The tool takes no argument ${key}${near === undefined ? "" : `; did you mean ${near}?`}`,
      );
    }
    return { known: false, schema: this.#additional, root: this.#root };
  }

  check(args: Members): void {
    const missing = this.#required.filter((key) => !Object.hasOwn(args, String(key)));
    if (missing.length > 0) {
      const names = missing.slice(0, 12).join(", ");
      throw new Refusal(`Required and not given: ${names}`);
    }
    for (const [key, value] of Object.entries(args)) {
      const problem = typeProblem(value, this.property(key).schema, this.#root);
      if (problem !== undefined) throw new Refusal(`${key}${problem}`);
    }
  }
}
