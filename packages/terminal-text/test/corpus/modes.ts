import type { TextCase } from "./text-case.ts";

const ESC = "\u001b";

export const controls: readonly TextCase[] = [
  {
    rule: "caret form",
    input: "a\u0000\u0007\u0008\u007fb",
    output: "a^@^G^H^?b",
    report: { controls: 4 },
  },
  {
    rule: "C1 that opens nothing",
    input: "a\u0085\u0084b",
    output: "a⟦U+0085 +1⟧b",
    report: { controls: 2 },
  },
  {
    rule: "model: CRs before LF collapse",
    input: "a\r\r\nb",
    output: "a\nb",
    report: { controls: 2 },
  },
  {
    rule: "model: CR alone is LF",
    input: "10%\r20%\r",
    output: "10%\n20%\n",
    report: { controls: 2 },
  },
  { rule: "model: a sequence does not part CR and LF", input: `a\r${ESC}[K\nb`, output: "a\nb" },
  {
    rule: "model: keepCrLf",
    input: "a\r\nb\r\r\nc\rd",
    options: { keepCrLf: true },
    output: "a\r\nb\r\nc\nd",
    report: { controls: 2 },
  },
  { rule: "terminal: CR", input: "a\r\nb\rc", options: { mode: "terminal" }, output: "a\nb^Mc" },
  {
    rule: "log: nothing is taken out",
    input: `a${ESC}[31m\r\u0008\u200b\u{e0041}"\\\tb\n`,
    options: { mode: "log" },
    output: 'a\\u001b[31m\\r\\b\\u200b\\udb40\\udc41"\\\tb\n',
    report: { sequences: 1, controls: 2, invisible: 1, tags: 1 },
  },
  {
    rule: "log: strings and concealed text are shown and counted",
    input: `${ESC}]0;t\u0007${ESC}[8mkey`,
    options: { mode: "log" },
    output: "\\u001b]0;t\\u0007\\u001b[8mkey",
    report: { strings: 1, hiddenChars: 3 },
  },
];

const red = `${ESC}[31m`;
const colours = { mode: "terminal", sgr: "colours" } as const;

export const colourCases: readonly TextCase[] = [
  {
    rule: "colour passes and is reset",
    input: `${red}x`,
    options: colours,
    output: `${red}x${ESC}[0m`,
  },
  {
    rule: "only colour, bold and underline pass",
    input: `${ESC}[1;3;4;5;7;9;38;5;200;48;2;1;2;3mx`,
    options: colours,
    output: `${ESC}[1;4;38;5;200;48;2;1;2;3mx${ESC}[0m`,
  },
  {
    rule: "bright colours",
    input: `${ESC}[91;107mx`,
    options: colours,
    output: `${ESC}[91;107mx${ESC}[0m`,
  },
  {
    rule: "a mark is not drawn in the colours that conceal",
    input: `${red}a${ESC}[41mbc${ESC}[42md`,
    options: colours,
    output: `${red}a${ESC}[42m⟦hidden: 2 chars⟧d${ESC}[0m`,
  },
  {
    rule: "nor at the end of its line",
    input: `${ESC}[31;41mab\n${ESC}[8;32mc`,
    options: colours,
    output: "⟦hidden: 2 chars⟧\n⟦+1⟧",
  },
  {
    rule: "of what is restored only concealment",
    input: `${red}${ESC}7${ESC}[0;8m${ESC}8a${ESC}[8m${ESC}7${ESC}[0m${ESC}8b`,
    options: colours,
    output: "a⟦hidden: 1 chars⟧",
  },
  {
    rule: "other sequences go",
    input: `${ESC}[2J${ESC}]0;t\u0007x`,
    options: colours,
    output: "x",
  },
  { rule: "drop", input: `${red}x`, options: { mode: "terminal" }, output: "x" },
];
