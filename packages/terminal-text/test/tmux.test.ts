import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, proves, requirePart, temporaryDirectory } from "@postern/testing";
import { expect, onTestFinished } from "vitest";
import { sanitizeLines } from "../src/index.ts";

proves(
  "TEXT-05",
  "text concealed over several lines of a real tmux pane is seen on each",
  async (context) => {
    const tmux = requirePart(context, "tmux", "apt-get install tmux");
    const directory = temporaryDirectory();
    const server = ["-S", join(directory, "s"), "-f", "/dev/null"];
    const text = join(directory, "text");
    writeFileSync(
      text,
      "seen \u001b[8mpass\nword\n\u001b[0;31mred\u001b[41m on red\nstill\u001b[0m seen\n\u202etxt\nend",
    );
    const run = (...args: string[]): string =>
      execFileSync(tmux, [...server, ...args], { encoding: "utf8" });
    run("new-session", "-d", "-x", "80", "-y", "10", `cat ${text}; read line`);
    onTestFinished(() => void run("kill-server"));

    const capture = await eventually(() => {
      const captured = run("capture-pane", "-p", "-J", "-e");
      return captured.includes("end") && captured;
    });

    expect(sanitizeLines(capture).lines.slice(0, 6)).toEqual([
      { text: "seen ⟦hidden: 4 chars⟧", hiddenChars: 4, removedChars: 0 },
      { text: "⟦hidden: 4 chars⟧", hiddenChars: 4, removedChars: 0 },
      { text: "red ⟦hidden: 6 chars⟧", hiddenChars: 6, removedChars: 0 },
      { text: "⟦hidden: 5 chars⟧ seen", hiddenChars: 5, removedChars: 0 },
      expect.objectContaining({ text: expect.stringContaining("txt") as string, hiddenChars: 0 }),
      { text: "end", hiddenChars: 0, removedChars: 0 },
    ]);
    expect(sanitizeLines(capture).lines).toHaveLength(10);
  },
);
