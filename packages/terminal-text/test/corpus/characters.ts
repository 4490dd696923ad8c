import type { TextCase } from "./text-case.ts";

const ESC = "\u001b";

const zalgo = "\u0301";

export const utf8: readonly TextCase[] = [
  {
    rule: "a stray byte",
    input: [0x61, 0xff, 0x62],
    output: "a\ufffdb",
    report: { invalidBytes: 1 },
  },
  { rule: "a stray continuation", input: [0x80, 0xbf], output: "\ufffd\ufffd" },
  {
    rule: "a cut character",
    input: [0xe2, 0x82, 0x41],
    output: "\ufffdA",
    report: { invalidBytes: 2 },
  },
  {
    rule: "cut by the end",
    input: [0xf0, 0x9f, 0x98],
    output: "\ufffd",
    report: { invalidBytes: 3 },
  },
  { rule: "overlong", input: [0xc0, 0xaf, 0xe0, 0x80, 0xaf], output: "\ufffd".repeat(5) },
  {
    rule: "a surrogate",
    input: [0xed, 0xa0, 0x80],
    output: "\ufffd".repeat(3),
    report: { invalidBytes: 3 },
  },
  { rule: "beyond Unicode", input: [0xf4, 0x90, 0x80, 0x80], output: "\ufffd".repeat(4) },
  {
    rule: "a C1 byte inside a character",
    input: [0xc3, 0x9b],
    output: "Û",
    report: { invalidBytes: 0 },
  },
  { rule: "four bytes", input: "\u{1f600}\u{10fffd}", output: "\u{1f600}\u{10fffd}" },
];

export const forbidden: readonly TextCase[] = [
  {
    rule: "one mark for a run",
    input: "a\u200b\u2060\ufeffb",
    output: "a⟦U+200B +2⟧b",
    report: { invisible: 3 },
  },
  { rule: "a lonely one", input: "a\u00adb", output: "a⟦U+00AD⟧b", report: { invisible: 1 } },
  { rule: "a sequence does not part a run", input: `\u200b${ESC}[m\u200b`, output: "⟦U+200B +1⟧" },
  {
    rule: "bidi",
    input: "\u061c\u200e\u200f\u202a\u202e\u2066\u2069",
    output: "⟦U+061C +6⟧",
    report: { bidi: 7, invisible: 0 },
  },
  {
    rule: "tags",
    input: "a\u{e0001}\u{e0061}\u{e007f}",
    output: "a⟦U+E0001 +2⟧",
    report: { tags: 3 },
  },
  {
    rule: "tags of a flag",
    input: "\u{1f3f4}\u{e0067}\u{e007f}",
    output: "\u{1f3f4}⟦U+E0067 +1⟧",
    report: { tags: 2 },
  },
  {
    rule: "VS17 to VS256",
    input: "😀\u{e0100}\u{e01ef}",
    output: "😀⟦U+E0100 +1⟧",
    report: { invisible: 2 },
  },
  {
    rule: "fillers",
    input: "\u115f\u1160\u3164\uffa0\u17b4",
    output: "⟦U+115F +4⟧",
    report: { fillers: 5 },
  },
  { rule: "CGJ", input: "a\u034fb", output: "a⟦U+034F⟧b" },
  { rule: "line and paragraph separator", input: "\u2028a\u2029", output: "⟦U+2028⟧a⟦U+2029⟧" },
  { rule: "interlinear", input: "\ufff9a\ufffb", output: "⟦U+FFF9⟧a⟦U+FFFB⟧" },
  { rule: "noncharacters", input: "\ufdd0\uffff\u{1fffe}\u{10ffff}", output: "⟦U+FDD0 +3⟧" },
  { rule: "invisible operators", input: "f\u2061x", output: "f⟦U+2061⟧x" },
  {
    rule: "other Unicode stays",
    input: "ж漢😀é\u00a0\u3000\ue0b0⣿\u2800",
    output: "ж漢😀é\u00a0\u3000\ue0b0⣿\u2800",
  },
];

export const joiners: readonly TextCase[] = [
  {
    rule: "ZWJ in emoji",
    input: "👩🏽\u200d💻 👨\u200d👩\u200d👧",
    output: "👩🏽\u200d💻 👨\u200d👩\u200d👧",
  },
  { rule: "VS16 in emoji", input: "❤\ufe0f\u200d🔥 ❤\ufe0e", output: "❤\ufe0f\u200d🔥 ❤\ufe0e" },
  { rule: "keycap", input: "1\ufe0f\u20e3#\ufe0f\u20e3", output: "1\ufe0f\u20e3#\ufe0f\u20e3" },
  {
    rule: "VS16 after a digit alone",
    input: "1\ufe0f2",
    output: "1⟦U+FE0F⟧2",
    report: { invisible: 1 },
  },
  { rule: "VS16 twice", input: "❤\ufe0f\ufe0f", output: "❤\ufe0f⟦U+FE0F⟧" },
  { rule: "ZWJ between letters", input: "a\u200db", output: "a⟦U+200D⟧b" },
  { rule: "ZWJ after the last emoji", input: "😀\u200d", output: "😀⟦U+200D⟧" },
  { rule: "ZWJ from emoji to text", input: "😀\u200dx", output: "😀⟦U+200D⟧x" },
  {
    rule: "two ZWJ in emoji",
    input: "😀\u200d\u200d😀",
    output: "😀⟦U+200D +1⟧😀",
    report: { invisible: 2 },
  },
  {
    rule: "ZWNJ in Persian",
    input: "می\u200cخواهم",
    output: "می\u200cخواهم",
    report: { invisible: 0 },
  },
  { rule: "ZWJ after a virama", input: "क्\u200dष", output: "क्\u200dष" },
  { rule: "two ZWNJ", input: "ی\u200c\u200cخ", output: "ی\u200c⟦U+200C⟧خ" },
  { rule: "ZWNJ in Latin", input: "a\u200cb", output: "a⟦U+200C⟧b" },
  {
    rule: "VS1 after a symbol and after a letter",
    input: "≩\ufe00a\ufe00",
    output: "≩\ufe00a⟦U+FE00⟧",
  },
  { rule: "VS1 twice", input: "≩\ufe00\ufe00", output: "≩\ufe00⟦U+FE00⟧" },
  { rule: "Mongolian selector", input: "ᠠ\u180ba\u180b", output: "ᠠ\u180ba⟦U+180B⟧" },
  {
    rule: "the ninth combining mark",
    input: `e${zalgo.repeat(8)} e${zalgo.repeat(9)} e${zalgo.repeat(20)}`,
    output: `e${zalgo.repeat(8)} e${zalgo.repeat(8)} e${zalgo.repeat(8)}`,
    report: { combiningCut: 13 },
  },
  {
    rule: "neither sequences nor joiners restart the count",
    input: `क${"्\u200d".repeat(6)}${ESC}[m${"्".repeat(4)}`,
    output: `क${"्\u200d".repeat(6)}${"्".repeat(2)}`,
    report: { combiningCut: 2 },
  },
];
