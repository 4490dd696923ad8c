import { cutText, type JsonObject, type JsonValue } from "@postern/protocol";
import { sha256Hex } from "./fingerprint.ts";
import type { ResolvedLimits } from "./limits.ts";
import type { EffectResult } from "./receipt.ts";
import { plainOutcome, type RowOutcome } from "./receipt-row.ts";
import { sentenceOf } from "./sentences.ts";

const MAX_SUMMARY_BYTES = 4_096;
const MAX_MESSAGE_BYTES = 4_096;

/** An outcome ready to store, and the result's text where it is too large to be stored. */
export interface EncodedOutcome {
  readonly outcome: RowOutcome;
  readonly omittedResult: string | null;
}

/** Turns what an effect returned into what is stored, within the limits. Throws for a value that is not JSON. */
export function encodeOutcome(
  result: EffectResult,
  limits: Pick<ResolvedLimits, "maxResultBytes">,
): EncodedOutcome {
  if (result.kind === "applied") return encodeApplied(result, limits.maxResultBytes);
  if (result.kind === "refused") {
    const data = within(result.data, limits.maxResultBytes);
    return small(plainOutcome("refused", result.code, cut(result.message), data));
  }
  const message = result.message === undefined ? sentenceOf(result.code) : cut(result.message);
  return small(plainOutcome(result.kind, result.code, message));
}

/** Turns what an effect noted at its arming into what is stored. */
export function encodeNote(note: JsonObject | undefined): string | null {
  return within(note, MAX_SUMMARY_BYTES);
}

function encodeApplied(
  { result, summary }: Extract<EffectResult, { kind: "applied" }>,
  maxResultBytes: number,
): EncodedOutcome {
  const text = jsonText(result);
  const resultBytes = Buffer.byteLength(text);
  const fits = resultBytes <= maxResultBytes;
  const outcome: RowOutcome = {
    state: "applied",
    code: null,
    message: null,
    data: null,
    result: fits ? text : null,
    summary: within(summary, MAX_SUMMARY_BYTES),
    resultBytes,
    resultSha256: sha256Hex(text),
    resultOmitted: !fits,
  };
  return { outcome, omittedResult: fits ? null : text };
}

function small(outcome: RowOutcome): EncodedOutcome {
  return { outcome, omittedResult: null };
}

function cut(message: string): string {
  // Through UTF-8 and back, so that a lone surrogate reads the same now and from the store.
  return cutText(Buffer.from(message).toString(), MAX_MESSAGE_BYTES).text;
}

function within(value: JsonValue | undefined, maxBytes: number): string | null {
  if (value === undefined) return null;
  const text = jsonText(value);
  return Buffer.byteLength(text) <= maxBytes ? text : null;
}

function jsonText(value: JsonValue): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError("The effect's result is not JSON.");
  return text;
}
