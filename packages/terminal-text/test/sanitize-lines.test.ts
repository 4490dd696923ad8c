import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { sanitizeLines } from "../src/index.ts";

function textsOf(input: string): string[] {
  return sanitizeLines(input).lines.map((line) => line.text);
}

test("there is one result per LF and one for what follows the last", () => {
  expect(textsOf("")).toEqual([]);
  expect(textsOf("a")).toEqual(["a"]);
  expect(textsOf("a\n")).toEqual(["a"]);
  expect(textsOf("a\n\nb")).toEqual(["a", "", "b"]);
  expect(textsOf("\n\n")).toEqual(["", ""]);
  expect(textsOf("a\n\u001b[0m")).toEqual(["a", ""]);
});

test("a CR ends no line", () => {
  expect(textsOf("a\rb\r\nc")).toEqual(["a^Mb", "c"]);
});

proves(["TEXT-04", "TEXT-05"], "each line has its own counts, and styling goes on", () => {
  const { lines, report } = sanitizeLines("a\u200b\u200b\u001b[8mb\nc\nd\u001b[0m\u0007");

  expect(lines).toEqual([
    { text: "a⟦U+200B +1⟧⟦hidden: 1 chars⟧", hiddenChars: 1, removedChars: 2 },
    { text: "⟦hidden: 1 chars⟧", hiddenChars: 1, removedChars: 0 },
    { text: "⟦hidden: 1 chars⟧^G", hiddenChars: 1, removedChars: 1 },
  ]);
  expect(report).toMatchObject({ hiddenChars: 3, controls: 1, invisible: 2 });
});

test("concealed text can be dropped", () => {
  expect(sanitizeLines("a\u001b[8mbc\nd", { hidden: "drop" }).lines).toEqual([
    { text: "a", hiddenChars: 2, removedChars: 0 },
    { text: "", hiddenChars: 1, removedChars: 0 },
  ]);
});
