import { proves, requirePart, temporaryDirectory } from "@postern/testing";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect } from "vitest";
import { shellPackages, type ShellName, work, writingRig } from "../rig/writing-rig.ts";

/** A command, its exit code, its output; what a shell calls differently is a pattern. */
const commands: readonly (readonly [command: string, code: number, output: readonly string[]])[] = [
  ["echo one", 0, ["one"]],
  ["true", 0, []],
  ["(exit 7)", 7, []],
  ["echo hi;", 0, ["hi"]],
  ["printf READY", 0, ["READY"]],
  ["cat <<E1\nline1\nline2\nE1", 0, ["line1", "line2"]],
  ["printf '%s\\n' 'a\tb!c\\d' | cat -A", 0, ["a^Ib!c\\d$"]],
  ["for i in 1 2 3; do echo $i; done", 0, ["1", "2", "3"]],
  ["cd /; X=kept", 0, []],
  ["pwd; echo $X", 0, ["/", "kept"]],
  ["# only a comment", 0, []],
  ["clear; echo after", 0, ["after"]],
  ["printf '\\033[H\\033[2J'", 0, []],
  ["printf '\\033[31mred\\033[0m\\n'", 0, ["red"]],
  ["echo ✓日本語 | cat", 0, ["✓日本語"]],
  ["printf '%s\\n' 'a👩‍👩‍👧b é́ ✈️' | tr -d '\\n' | wc -c", 0, ["32"]],
  ["sleep 0.2; false", 1, []],
  [`echo ${"0123456789".repeat(30)}`, 0, ["0123456789".repeat(30)]],
];

/** What only these shells do, and what they call differently. */
const own: Readonly<
  Record<ShellName, { readonly fails: number; readonly commands: typeof commands }>
> = {
  bash: { fails: 2, commands },
  dash: { fails: 2, commands },
  zsh: { fails: 1, commands },
  fish: {
    fails: 123,
    commands: [
      ...commands.filter(([command]) => !/^(?:cat <<|for |cd |pwd|\(exit)/.test(command)),
      ["begin\n echo 1\n false\nend", 1, ["1"]],
      ["for i in 1 2 3; echo $i; end", 0, ["1", "2", "3"]],
      ["cd /; set -g X kept", 0, []],
      ["pwd; echo $X", 0, ["/", "kept"]],
    ],
  },
};

for (const program of ["bash", "dash", "zsh", "fish"] as const) {
  proves(
    ["TMUX-61", "TMUX-64", "TMUX-67", "TMUX-70"],
    `in ${program} commands complete back to back with their own status and output`,
    async (context) => {
      requirePart(context, program, shellPackages);
      const { run } = await writingRig({ program });

      for (const [command, code, output] of own[program].commands) {
        const answer = await run({ ...work, command });
        expect(answer).toMatchObject({
          command,
          outcome: "completed",
          method: "marker",
          exit_code: code,
          output_lines: output,
          ends_without_newline: command === "printf READY",
        });
      }
      const broken = await run({ ...work, command: 'echo "unterminated' });
      expect(broken).toMatchObject({ outcome: "completed", exit_code: own[program].fails });
      expect((await run({ ...work, command: "-x" })).exit_code).toBe(127);
      expect((await run({ ...work, command: "echo 'x" })).exit_code).toBe(own[program].fails);
      expect(await run({ ...work, command: "echo fine" })).toMatchObject({
        output_lines: ["fine"],
      });
    },
    60_000,
  );

  proves(
    "TMUX-61",
    `in ${program} any command reaches eval as it was given`,
    async (context) => {
      requirePart(context, program, shellPackages);
      const { run } = await writingRig({ program });
      const file = join(temporaryDirectory(), "said");
      const piece = fc.oneof(
        fc.constantFrom(
          "'",
          '"',
          "\\",
          "!",
          "!!",
          "$HOME",
          "`",
          "\n",
          "\t",
          "%",
          "^x^y",
          "*",
          "~",
          "#",
          "0041",
          "\\n",
        ),
        fc
          .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
          .map((text) => text.replace(/\p{Cc}/gu, "?")),
      );
      const text = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(""));

      await fc.assert(
        fc.asyncProperty(text, async (said) => {
          const quoted = quote(program, said);
          const answer = await run({ ...work, command: `printf %s ${quoted} > ${file}` });
          expect(answer).toMatchObject({ outcome: "completed", exit_code: 0 });
          expect(readFileSync(file, "utf8")).toBe(said);
        }),
        { numRuns: 15 },
      );
    },
    60_000,
  );
}

proves(
  "TMUX-64",
  "output is whole however the typed line fills the rows of the screen",
  async (context) => {
    for (const program of ["bash", "dash", "zsh", "fish"] as const) {
      requirePart(context, program, shellPackages);
      const { run, tmux } = await writingRig({ program });
      const typed = async (command: string): Promise<number> => {
        await run({ ...work, command });
        const screen = await tmux("capture-pane", "-p", "-J", "-S", "-", "-t", "work");
        return (
          screen
            .split("\n")
            .findLast((line) => line.includes(command))
            ?.trimEnd().length ?? 0
        );
      };
      const shortest = await typed("echo out; : ");
      for (const length of [99, 100, 101, 199, 200, 201]) {
        const command = `echo out; : ${"x".repeat(length - shortest)}`;

        const silent = command.replace("echo out", ":       ");

        expect(await run({ ...work, command })).toMatchObject({ output_lines: ["out"] });
        expect(await run({ ...work, command: silent })).toMatchObject({
          exit_code: 0,
          output_lines: [],
          output_skipped: 0,
          ends_without_newline: false,
        });
      }
    }
  },
);

function quote(program: ShellName, text: string): string {
  if (program === "fish") return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
