import { readFileSync } from "node:fs";
import { join } from "node:path";
import { proves } from "@postern/testing";
import { expect } from "vitest";

proves(
  "TMUX-58",
  "the README says that the list limits what is typed, not what the shell makes of it",
  () => {
    const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");

    expect(readme.replaceAll(/\s+/g, " ")).toContain(
      "`allowed_commands` limits what is typed, not what the shell makes of it",
    );
  },
);
