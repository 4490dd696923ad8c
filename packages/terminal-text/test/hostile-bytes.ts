import * as fc from "fast-check";

/** Runs of each property; a longer search sets FAST_CHECK_RUNS. */
export const runs = Number(process.env["FAST_CHECK_RUNS"] ?? 3_000);

const ESC = "\u001b";

const plain = "a Z 0 9 # * ~ ; : m [ ] \\ é ж 漢 ی خ क 😀 👩 ⟦ ⟧ \ufffd".split(" ");
const controls = ["\0", "\u0007", "\b", "\t", "\n", "\r", "\r\n", "\r\r", "\u0018", "\u001a", ESC];
const c1 = ["\u007f", "\u0084", "\u0085", "\u0090", "\u009b", "\u009c", "\u009d", "\u009f"];
const escapes = "[ ] P X ^ _ c 7 8 (0 [m [8m [28m ]0;t \\".split(" ").map((rest) => ESC + rest);
const renditions = (
  "31 41 31;41 32;42 38;5;1 1;4 0;1 ;8 39;49 38;2;;; 48;2;;; 38;2;1;2;3 48;2;1;2;3 " +
  "38:2::255:255:255;48;5;231 1;4;38;5;255;48;2;255;255;255"
)
  .split(" ")
  .map((parameters) => `${ESC}[${parameters}m`);
const forbidden =
  "\u00ad \u034f \u061c \u115f \u200b \u202e \u2028 \ufeff \ufff9 \ufff0 \uffff \u{1fffe} \u{1d173} " +
  "\u{e0041} \u{e0080} \u{e0100}";
const contextual =
  "\u200d \u200c \ufe0f \ufe0e \ufe00 \u180b \u20e3 \u{1f3fd} \u094d \u0301 \u0301\u0301\u0301\u0301\u0301";
const fragments = [
  ...[plain, controls, c1, escapes, renditions, [" ", "x\n", "y "]].flat(),
  ...forbidden.split(" "),
  ...contextual.split(" "),
];

const fragment = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...fragments).map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 4 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: "binary", maxLength: 4 }).map((text) => Buffer.from(text)),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 90 }).map((text) => Buffer.from(text)) },
);

/** Bytes made of the pieces that sanitisers get wrong, in any order. */
export const hostileBytes: fc.Arbitrary<Uint8Array> = fc
  .array(fragment, { maxLength: 40, size: "max" })
  .map((parts) => new Uint8Array(Buffer.concat(parts)));

/** The same bytes in pieces, cut at the given places. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places].sort((a, b) => a - b).concat(bytes.length);
  let start = 0;
  return ends.map((end) => {
    const piece = bytes.subarray(start, Math.max(start, end));
    start = Math.max(start, end);
    return piece;
  });
}
