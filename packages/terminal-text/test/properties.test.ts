import { proves } from "@postern/testing";
import * as fc from "fast-check";
import { expect } from "vitest";
import { createSanitizer, sanitize, sanitizeLines, type SanitizeOptions } from "../src/index.ts";
import { cutAt, hostileBytes, runs } from "./hostile-bytes.ts";

const everyMode: readonly SanitizeOptions[] = [
  { mode: "model" },
  { mode: "model", keepCrLf: true, hidden: "drop", maxStringBytes: 64 },
  { mode: "terminal", maxStringBytes: 64 },
  { mode: "terminal", sgr: "colours" },
  { mode: "log" },
];

/** Written apart from the package: what may never come out, and the joiners that may, in their places. */
const neverOut = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5" +
    "\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufdd0-\\ufdef\\ufeff\\uffa0" +
    "\\ufff0-\\ufffb\\u{e0000}-\\u{e0fff}]|\\p{Noncharacter_Code_Point}|\\p{Surrogate}",
  "u",
);
const joiningScripts =
  "Arab Syrc Mand Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Bali Java Brah"
    .split(" ")
    .map((script) => `\\p{sc=${script}}`)
    .join("");
const joinersInPlace = new RegExp(
  "(?<=[\\p{Extended_Pictographic}\\u{1f3fb}-\\u{1f3ff}][\\ufe0e\\ufe0f\\u{1f3fb}-\\u{1f3ff}]*)\\u200d" +
    "(?=[\\p{Extended_Pictographic}\\u{1f3fb}-\\u{1f3ff}])" +
    `|(?<=[\\p{L}\\p{M}])(?<=[${joiningScripts}])[\\u200c\\u200d]` +
    "|(?<=[\\p{Extended_Pictographic}\\u{1f3fb}-\\u{1f3ff}])[\\ufe0e\\ufe0f]" +
    "|(?<=[0-9#*])\\ufe0f(?=\\u20e3)|(?<=[^\\0-\\x9f\\p{M}])[\\ufe00-\\ufe0d]",
  "gu",
);
const colour = /\u001b\[[0-9;]*m/gu;
const tooManyMarks = /\p{M}{9}/u;

function outputOf(input: Uint8Array, options: SanitizeOptions): string {
  const { text } = sanitize(input, options);
  if (options.keepCrLf === true) return text.replaceAll("\r\n", "\n");
  return options.sgr === "colours" ? text.replaceAll(colour, "") : text;
}

proves("TEXT-06", "P1: no forbidden code point comes out in any mode", () => {
  fc.assert(
    fc.property(hostileBytes, fc.constantFrom(...everyMode), (input, options) => {
      const visible = outputOf(input, options).replaceAll(joinersInPlace, "");

      expect(visible).not.toMatch(neverOut);
      expect(visible).not.toMatch(/\u200c|\u200d|[\u{fe00}-\u{fe0f}]|[\u{180b}-\u{180f}]/u);
      expect(visible).not.toMatch(tooManyMarks);
    }),
    {
      numRuns: runs,
      examples: [[new TextEncoder().encode("\u{1f469}\ufe00\u200d\u{1f600}"), { mode: "model" }]],
    },
  );
});

proves("TEXT-06", "P2: cleaning cleaned text changes nothing and finds nothing", () => {
  const idempotent = everyMode.filter(({ mode, sgr }) => mode !== "log" && sgr === undefined);
  fc.assert(
    fc.property(hostileBytes, fc.constantFrom(...idempotent), (input, options) => {
      const once = sanitize(input, options).text;
      const { text, report } = sanitize(once, options);

      expect(text).toBe(once);
      expect(report).toMatchObject({ controls: 0, invisible: 0, hiddenChars: 0, combiningCut: 0 });
    }),
    { numRuns: runs },
  );
});

proves("TEXT-06", "P3: the answer does not depend on how the bytes are cut", () => {
  const cuts = fc.array(fc.nat(200), { maxLength: 12 });
  fc.assert(
    fc.property(hostileBytes, cuts, fc.constantFrom(...everyMode), (input, places, options) => {
      const whole = sanitize(input, options);
      const sanitizer = createSanitizer(options);
      const pieces = cutAt(input, places).map((piece) => sanitizer.push(piece));

      expect(pieces.join("") + sanitizer.end()).toBe(whole.text);
      expect(sanitizer.report()).toEqual(whole.report);
    }),
    { numRuns: runs },
  );
});

proves("TEXT-06", "P4: printable ASCII, TAB and LF come through byte for byte", () => {
  const plain = fc.constantFrom("\t", "\n", " ", '"', "\\", "⟦", "\n\n");
  const ascii = fc.string({ unit: "grapheme-ascii", maxLength: 60 });
  fc.assert(
    fc.property(
      fc.array(fc.oneof(plain, ascii)),
      fc.constantFrom(...everyMode),
      (parts, options) => {
        const text = parts.join("");
        const answer = sanitize(text, options);

        expect(answer.text).toBe(text);
        expect(answer.report.controls + answer.report.invisible).toBe(0);
      },
    ),
    { numRuns: runs },
  );
});

proves("TEXT-06", "P6: output stays within five times the input, in a log six", () => {
  fc.assert(
    fc.property(hostileBytes, fc.constantFrom(...everyMode), (input, options) => {
      const factor = options.mode === "log" ? 6 : 5;

      expect(Buffer.byteLength(sanitize(input, options).text)).toBeLessThanOrEqual(
        factor * input.length + 64,
      );
    }),
    { numRuns: runs },
  );
});

proves("TEXT-06", "P6: output stays in proportion when the worst fragment repeats", () => {
  fc.assert(
    fc.property(hostileBytes, fc.constantFrom(...everyMode), (unit, options) => {
      const input = Buffer.concat(Array.from({ length: 40 }, () => unit.subarray(0, 24)));
      const factor = options.mode === "log" ? 6 : 5;

      expect(Buffer.byteLength(sanitize(input, options).text)).toBeLessThanOrEqual(
        factor * input.length + 64,
      );
    }),
    { numRuns: runs },
  );
});

proves("TEXT-06", "P8: a secret broken up by what is taken out is whole again afterwards", () => {
  const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  const breaker = fc.constantFrom(
    "\u001b[1m",
    "\u001b]0;t\u0007",
    "\u009b4m",
    "\u001b(B",
    "\u001bPq\u001b\\",
  );
  fc.assert(
    fc.property(fc.nat(secret.length), breaker, fc.nat(secret.length), breaker, (a, b, c, d) => {
      const [first, second] = a < c ? [a, c] : [c, a];
      const broken =
        secret.slice(0, first) + b + secret.slice(first, second) + d + secret.slice(second);

      expect(sanitize(broken, { mode: "model" }).text).toBe(secret);
    }),
    { numRuns: runs },
  );
});

proves("TEXT-05", "lines cleaned together carry the text and the counts of the whole", () => {
  fc.assert(
    fc.property(hostileBytes, (input) => {
      const withoutReturns = input.filter((byte) => byte !== 0x0d);
      const { lines, report } = sanitizeLines(withoutReturns);
      const sum = (each: "hiddenChars" | "removedChars"): number =>
        lines.reduce((total, line) => total + line[each], 0);

      const whole = sanitize(withoutReturns, { mode: "model" });
      const removed = report.controls + report.invisible + report.bidi + report.tags;
      expect(report).toEqual(whole.report);
      expect(sum("hiddenChars")).toBe(report.hiddenChars);
      expect(sum("removedChars")).toBe(removed + report.fillers + report.combiningCut);
      expect(
        lines.map((line) => line.text.replaceAll("hidden: ", "+").replaceAll(" chars", "")),
      ).toEqual(
        linesOf(whole.text, withoutReturns).map((line) =>
          line.replaceAll("hidden: ", "+").replaceAll(" chars", ""),
        ),
      );
    }),
    { numRuns: runs },
  );
});

/** The lines of a text; after a last LF there is none. */
function linesOf(text: string, input: Uint8Array): string[] {
  const lines = text.split("\n");
  return input.length === 0 || input.at(-1) === 0x0a ? lines.slice(0, -1) : lines;
}
