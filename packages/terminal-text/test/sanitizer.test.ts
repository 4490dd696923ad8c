import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { createSanitizer, TerminalTextError, type Sanitizer } from "../src/index.ts";

test.each([
  { mode: "html" },
  { mode: "model", hidden: "show" },
  { mode: "terminal", sgr: "all" },
  { mode: "model", maxStringBytes: 63 },
  { mode: "model", maxStringBytes: 65_537 },
  { mode: "model", maxStringBytes: 100.5 },
])("an option out of its range is refused: %j", (options) => {
  expect(() => createSanitizer(options as never)).toThrow(
    expect.objectContaining({ name: "TerminalTextError", code: "invalid_option" }),
  );
});

test("the limits themselves are accepted", () => {
  for (const maxStringBytes of [64, 65_536]) {
    expect(createSanitizer({ mode: "model", maxStringBytes }).end()).toBe("");
  }
});

test("nothing can be pushed after the end, and ending twice adds nothing", () => {
  const sanitizer = createSanitizer({ mode: "terminal", sgr: "colours" });
  sanitizer.push(Buffer.from("\u001b[31ma\u001b["));

  expect(sanitizer.end()).toBe("\u001b[0m");
  expect(sanitizer.end()).toBe("");
  expect(sanitizer.report().unterminated).toBe(true);
  expect(() => sanitizer.push(new Uint8Array(1))).toThrow(TerminalTextError);
});

test("text is handed out as soon as it is certain", () => {
  const sanitizer = createSanitizer({ mode: "model" });
  const answers = ["a\u001b", "[31", "mb\r", "\nc", "\u200d"].map((piece) =>
    sanitizer.push(Buffer.from(piece)),
  );

  expect([...answers, sanitizer.end()]).toEqual(["a", "", "b", "\nc", "", "⟦U+200D⟧"]);
});

test("a report already given does not change", () => {
  const sanitizer = createSanitizer({ mode: "model" });
  const before = sanitizer.report();
  sanitizer.push(Buffer.from("\u0007"));

  expect([before.controls, sanitizer.report().controls]).toEqual([0, 1]);
});

proves("TEXT-06", "P5: what a stream keeps does not grow with what passes through", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const floods = [
    "\u001b]0;",
    "\u001b[1;",
    "\r",
    "\u200b",
    "\u001b[8m ",
    "\u001b[8mx",
    "\u0301",
    "\u001bP",
  ];
  const limit = 4_096 + 65_536;
  const flooded = (): Sanitizer[] =>
    floods.flatMap((flood) =>
      (["model", "terminal", "log"] as const).map((mode) => {
        const sanitizer = createSanitizer({ mode, sgr: "colours" });
        const chunk = Buffer.from(flood.repeat(32_768));
        for (let round = 0; round < 3; round += 1) sanitizer.push(chunk);
        return sanitizer;
      }),
    );
  flooded();
  collect();
  const before = process.memoryUsage();

  const streams = flooded();

  collect();
  const after = process.memoryUsage();
  const kept = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  expect(kept / streams.length).toBeLessThan(limit);
  expect(streams.every((sanitizer) => sanitizer.report().inputBytes > limit)).toBe(true);
});
