import { proves } from "@postern/testing";
import { expect } from "vitest";
import { sanitize } from "../src/index.ts";
import { forbidden, joiners, utf8 } from "./corpus/characters.ts";
import { concealed } from "./corpus/concealed.ts";
import { colourCases, controls } from "./corpus/modes.ts";
import { sequences, unterminatedStrings } from "./corpus/sequences.ts";
import type { TextCase } from "./corpus/text-case.ts";

function expectEach(cases: readonly TextCase[]): void {
  for (const { rule, input, options, output, report = {} } of cases) {
    const bytes = typeof input === "string" ? input : Uint8Array.from(input);
    const answer = sanitize(bytes, { mode: "model", ...options });

    expect({ rule, output: answer.text }).toEqual({ rule, output });
    expect({ rule, ...answer.report }).toMatchObject({ rule, ...report });
  }
}

proves("TEXT-01", "sequences in every form are taken out as a terminal would read them", () => {
  expectEach(sequences);
});

proves("TEXT-01", "each broken piece of UTF-8 becomes one U+FFFD", () => {
  expectEach(utf8);
});

proves("TEXT-05", "an unterminated string ends at LF or at the limit", () => {
  expectEach(unterminatedStrings);
});

proves(["TEXT-02", "TEXT-03"], "controls are written by the rules of the mode", () => {
  expectEach(controls);
});

proves("TEXT-03", "colours pass as colour, bold and underline only", () => {
  expectEach(colourCases);
});

proves(["TEXT-02", "TEXT-04"], "forbidden characters become one mark a run and are counted", () => {
  expectEach(forbidden);
});

proves("TEXT-04", "joiners and selectors stay only where a script needs them", () => {
  expectEach(joiners);
});

proves("TEXT-05", "concealed text is marked or dropped, and counted", () => {
  expectEach(concealed);
});
