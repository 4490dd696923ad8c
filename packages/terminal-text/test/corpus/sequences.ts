import type { TextCase } from "./text-case.ts";

const ESC = "\u001b";

/** Sequences are taken out; what a real terminal would print stays. */
export const sequences: readonly TextCase[] = [
  { rule: "SGR", input: `${ESC}[1;31mred${ESC}[0m`, output: "red", report: { sequences: 2 } },
  { rule: "8-bit CSI in UTF-8", input: "\u009b31mred", output: "red", report: { sequences: 1 } },
  { rule: "ESC restarts", input: `${ESC}${ESC}[31mx`, output: "x", report: { sequences: 2 } },
  {
    rule: "private and intermediate bytes",
    input: `${ESC}[?1049h${ESC}[!p${ESC}[1 qx`,
    output: "x",
  },
  { rule: "escape with intermediates", input: `${ESC}(B${ESC}#8${ESC}%Gx`, output: "x" },
  { rule: "two-byte escapes", input: `a${ESC}cb${ESC}7c${ESC}=d`, output: "abcd" },
  { rule: "a stray ST", input: `a${ESC}\\b\u009cc`, output: "abc", report: { sequences: 2 } },
  { rule: "a control inside a sequence is executed", input: `${ESC}[3\n1mx`, output: "\nx" },
  { rule: "CAN aborts", input: `${ESC}[31\u0018mx`, output: "^Xmx", report: { controls: 1 } },
  { rule: "SUB aborts", input: `${ESC}]0;t\u001ax`, output: "^Zx", report: { strings: 1 } },
  { rule: "SUB aborts a sequence", input: `${ESC}[31\u001amx`, output: "^Zmx" },
  { rule: "text aborts a sequence", input: `${ESC}[31éx`, output: "éx" },
  {
    rule: "an unfinished sequence",
    input: `x${ESC}[31`,
    output: "x",
    report: { unterminated: true },
  },
  {
    rule: "OSC ended by BEL",
    input: `${ESC}]0;title\u0007x`,
    output: "x",
    report: { strings: 1, sequences: 0, controls: 0, unterminated: false },
  },
  {
    rule: "OSC ended by ST",
    input: `${ESC}]8;;http://a${ESC}\\x`,
    output: "x",
    report: { strings: 1, sequences: 0 },
  },
  { rule: "C1 OSC in UTF-8", input: "\u009d52;c;YQ==\u009cx", output: "x", report: { strings: 1 } },
  { rule: "a UTF-8 byte in a title ends nothing", input: `${ESC}]0;Ü${ESC}\\x`, output: "x" },
  { rule: "BEL does not end DCS", input: `${ESC}P1$q\u0007m${ESC}\\x`, output: "x" },
  { rule: "SOS PM APC", input: `${ESC}Xa${ESC}\\${ESC}^b${ESC}\\${ESC}_c${ESC}\\x`, output: "x" },
  { rule: "ESC in a string opens anew", input: `${ESC}]0;t${ESC}[31mx`, output: "x" },
];

export const unterminatedStrings: readonly TextCase[] = [
  {
    rule: "a string ends at LF",
    input: `a${ESC}]0;never\nnext`,
    output: "a\nnext",
    report: { strings: 1, unterminated: true },
  },
  {
    rule: "a string of exactly the limit may still end",
    input: `${ESC}]${"t".repeat(64)}\u0007x`,
    options: { maxStringBytes: 64 },
    output: "x",
    report: { unterminated: false },
  },
  {
    rule: "one byte beyond the limit is text again",
    input: `${ESC}]${"t".repeat(64)}!x`,
    options: { maxStringBytes: 64 },
    output: "!x",
    report: { unterminated: true },
  },
  {
    rule: "the limit counts bytes, not characters",
    input: `${ESC}]${"é".repeat(32)}éx`,
    options: { maxStringBytes: 64 },
    output: "éx",
    report: { unterminated: true },
  },
  {
    rule: "the default limit",
    input: `${ESC}_${"t".repeat(4096)}x`,
    output: "x",
    report: { unterminated: true },
  },
  { rule: "end of input", input: `a${ESC}Pq`, output: "a", report: { unterminated: true } },
];
