import type { z } from "zod";
import type { CommonErrorCode } from "./common-codes.ts";
import { schemaProblems } from "./contract-schema.ts";
import { type Effect, EFFECT_RULE, effects } from "./effect.ts";
import { ContractError } from "./errors.ts";

/** Everything there is to say about one tool; server, typings, documentation and tests read this. */
export interface ToolContract<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
  E extends Readonly<Record<string, string>> = Readonly<Record<string, string>>,
> {
  /** The wire name, `^[a-z][a-z0-9_]{2,63}$`. */
  readonly name: string;
  readonly title: string;
  /** What it does; use it when; do not use it when; side effects. 40..1 024 bytes. */
  readonly description: string;
  /** A `z.strictObject`: every field described, every number bounded, every string and array capped. */
  readonly input: I;
  readonly output: O;
  readonly effect: Effect;
  /** The tool's own error codes and what each means; the common codes are implied. */
  readonly errors: E;
  /** How the input takes its `requestId`; only for effects other than `read`. @default "required" */
  readonly requestId?: "required" | "optional";
  /** Whether the tool reaches an open set of outside systems. @default false */
  readonly openWorld?: boolean;
}

export type AnyContract = ToolContract;

/** The arguments as the handler gets them, defaults filled in. */
export type InputOf<C extends AnyContract> = z.output<C["input"]>;
/** The arguments as a caller writes them, defaults left out. */
export type ArgumentsOf<C extends AnyContract> = z.input<C["input"]>;
export type OutputOf<C extends AnyContract> = z.output<C["output"]>;
/** Every code the tool may answer, the common ones included. */
export type ErrorCodeOf<C extends AnyContract> = (keyof C["errors"] & string) | CommonErrorCode;

/** Checks a contract and returns it unchanged. @throws ContractError naming every broken rule. */
export function defineTool<const C extends AnyContract>(contract: C): C {
  const problems = [...contractProblems(contract)];
  if (problems.length > 0) throw new ContractError(contract.name, problems);
  return contract;
}

function* contractProblems(contract: AnyContract): Generator<string> {
  if (!/^[a-z][a-z0-9_]{2,63}$/.test(contract.name)) {
    yield "name: must match ^[a-z][a-z0-9_]{2,63}$.";
  }
  if (contract.title.trim() === "") yield "title: must not be empty.";
  const bytes = Buffer.byteLength(contract.description);
  if (bytes < 40 || bytes > 1024) {
    yield `description: must have 40 to 1024 bytes, has ${String(bytes)}.`;
  }
  if (!effects.includes(contract.effect)) yield EFFECT_RULE;
  yield* schemaProblems(contract.input, "input");
  yield* schemaProblems(contract.output, "output");
  for (const [code, meaning] of Object.entries(contract.errors)) {
    if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(code)) yield `errors: "${code}" is not snake_case.`;
    if (meaning.trim() === "") yield `errors: "${code}" has no meaning.`;
  }
  yield* requestIdProblems(contract);
}

function* requestIdProblems(contract: AnyContract): Generator<string> {
  if (contract.effect === "read") {
    if (contract.requestId !== undefined) yield "requestId: a read tool takes none.";
    return;
  }
  const field = contract.input.shape["requestId"];
  if (field === undefined) {
    yield "input.requestId: must exist, because the effect is not read.";
    return;
  }
  const optional = contract.requestId === "optional";
  if ((field._zod.def.type === "optional") !== optional) {
    yield `input.requestId: must be ${optional ? "optional" : "required"}, as requestId says.`;
  }
  if (optional && contract.output.shape["requestId"] === undefined) {
    yield "output.requestId: must exist, so that a minted id is returned.";
  }
}
