import type { TextCase } from "./text-case.ts";

const ESC = "\u001b";

export const concealed: readonly TextCase[] = [
  {
    rule: "SGR 8",
    input: `${ESC}[8mtop secret${ESC}[0m ok`,
    output: "⟦hidden: 10 chars⟧ ok",
    report: { hiddenChars: 10 },
  },
  { rule: "SGR 28 ends it", input: `${ESC}[8mab${ESC}[28mc`, output: "⟦hidden: 2 chars⟧c" },
  {
    rule: "equal palette colours",
    input: `${ESC}[31;41mab${ESC}[32mc`,
    output: "⟦hidden: 2 chars⟧c",
  },
  { rule: "equal in two notations", input: `${ESC}[91;48;5;9mab`, output: "⟦hidden: 2 chars⟧" },
  { rule: "equal RGB", input: `${ESC}[38;2;1;2;3;48:2::1:2:3mab`, output: "⟦hidden: 2 chars⟧" },
  {
    rule: "RGB equal to a cube colour",
    input: `${ESC}[38;5;231;48;2;255;255;255ma`,
    output: "⟦hidden: 1 chars⟧",
  },
  {
    rule: "RGB equal to a grey",
    input: `${ESC}[38:5:232;48:2:8:8:8ma`,
    output: "⟦hidden: 1 chars⟧",
  },
  {
    rule: "RGB equal to another cube colour",
    input: `${ESC}[38;5;198;48;2;255;0;135mab`,
    output: "⟦hidden: 2 chars⟧",
  },
  { rule: "reversed", input: `${ESC}[7;31;41mab`, output: "⟦hidden: 2 chars⟧" },
  { rule: "different colours", input: `${ESC}[31;40mab`, output: "ab", report: { hiddenChars: 0 } },
  { rule: "only one colour is set", input: `${ESC}[40mab${ESC}[49;30mc`, output: "abc" },
  {
    rule: "an 8 inside a colour",
    input: `${ESC}[38;5;8ma${ESC}[58;5;8mb${ESC}[58:2::8:8:8mc`,
    output: "abc",
  },
  { rule: "not SGR", input: `${ESC}[>4;8ma${ESC}[?8mb${ESC}[8 mc`, output: "abc" },
  {
    rule: "8 beyond what is kept of the parameters",
    input: `${ESC}[8;${"1;".repeat(200)}mab`,
    output: "⟦hidden: 2 chars⟧",
  },
  { rule: "reset of the terminal", input: `${ESC}[8ma${ESC}cb`, output: "⟦hidden: 1 chars⟧b" },
  { rule: "soft reset", input: `${ESC}[8ma${ESC}[!pb`, output: "⟦hidden: 1 chars⟧b" },
  {
    rule: "saved and restored",
    input: `${ESC}[8m${ESC}7${ESC}[0ma${ESC}8b`,
    output: "a⟦hidden: 1 chars⟧",
  },
  { rule: "executed inside a sequence", input: `${ESC}[\n8mab`, output: "\n⟦hidden: 2 chars⟧" },
  {
    rule: "blanks look the same",
    input: `${ESC}[8m  a b  ${ESC}[0mc`,
    output: "  ⟦hidden: 3 chars⟧  c",
    report: { hiddenChars: 3 },
  },
  {
    rule: "a block of one colour",
    input: `${ESC}[31;41m   ${ESC}[0mc`,
    output: "   c",
    report: { hiddenChars: 0 },
  },
  {
    rule: "a short mark on the further lines of a run",
    input: `${ESC}[8mab\ncd\n\n${ESC}[0me`,
    output: "⟦hidden: 2 chars⟧\n⟦+2⟧\n\ne",
    report: { hiddenChars: 4 },
  },
  {
    rule: "a run of its own after visible text",
    input: `${ESC}[8mab\n${ESC}[0mc${ESC}[8md`,
    output: "⟦hidden: 2 chars⟧\nc⟦hidden: 1 chars⟧",
  },
  {
    rule: "drop",
    input: `a${ESC}[8mbc\u{e0041}${ESC}[0md`,
    options: { hidden: "drop" },
    output: "ad",
    report: { hiddenChars: 3, tags: 1 },
  },
  {
    rule: "terminal",
    input: `${ESC}[8mab${ESC}[mc`,
    options: { mode: "terminal" },
    output: "⟦hidden: 2 chars⟧c",
  },
];
