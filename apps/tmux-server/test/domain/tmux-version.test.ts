import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { isAtLeast, parseTmuxVersion } from "../../src/domain/tmux-version.ts";

proves("TMUX-08", "3.2a and everything newer is supported, development builds too", () => {
  const supported = (line: string): boolean => {
    const version = parseTmuxVersion(line);
    return version !== undefined && isAtLeast(version, 3, 2, "a");
  };

  expect(["2.9", "3.1c", "3.2"].filter((version) => supported(`tmux ${version}\n`))).toEqual([]);
  const newer = [
    "3.2a",
    "3.3",
    "3.3a",
    "3.10",
    "next-3.8",
    "3.5-rc",
    "4.0",
    "master",
    "openbsd-7.6",
  ];
  expect(newer.filter((version) => !supported(`tmux ${version}\n`))).toEqual([]);
});

test("what no tmux prints is no version", () => {
  const lines = ["", "tmux", "screen 4.09", "tmux 3", "tmux 3.3a extra", "tmux x1.y"];

  expect(lines.filter((line) => parseTmuxVersion(line) !== undefined)).toEqual([]);
});
