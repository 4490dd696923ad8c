import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect } from "vitest";
import { readCommandLine } from "../src/args/flags.ts";
import * as library from "../src/index.ts";
import { cli, fixturePath, startNode } from "./support.ts";

const docs = join(import.meta.dirname, "../../../docs/mcp-client");
const blocks = (page: string, language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, "g"))].map(
    ([, code = ""]) => code,
  );

proves(
  "CLNT-12",
  "one page of at most 40 lines is all an agent needs, and what the pages show works",
  async () => {
    const index = readFileSync(join(docs, "index.md"), "utf8");
    const skill = readFileSync(join(docs, "skill.md"), "utf8");
    expect(index.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
    for (const exit of [0, 1, 2, 3, 4, 5, 6, 7, 8])
      expect(index).toMatch(new RegExp(`^\\| .*\\b${String(exit)}\\b.* \\|`, "m"));

    const [shell = ""] = blocks(index, "sh");
    const commands = [
      ...`${shell}\n${skill}`.matchAll(/(?:^|`)postern-mcp (.*?)(?: {2,}#.*|`.*)?$/gm),
    ];
    expect(commands.length).toBeGreaterThanOrEqual(8);
    for (const [, line = ""] of commands) {
      const words = line.trim().split(/ +/);
      expect(readCommandLine(words)).toMatchObject({ kind: "ok" });
      if (!line.includes("server.mjs")) continue;
      const real = words.map((word) => (word === "server.mjs" ? fixturePath(word) : word));
      expect(await cli(real)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("hi") });
    }

    const [code = ""] = blocks(index, "ts");
    const [, names = ""] = /import \{ (.*?) \} from "@postern\/mcp-client"/.exec(code) ?? [];
    for (const name of names.split(", ")) expect(library).toHaveProperty(name);
    const folder = temporaryDirectory();
    const runnable = `${code}\nconsole.log(error?.code, result?.structuredContent);`
      .replace("@postern/mcp-client", join(import.meta.dirname, "../src/index.ts"))
      .replace('"server.mjs"', JSON.stringify(fixturePath("server.mjs")));
    writeFileSync(join(folder, "example.mjs"), runnable);
    const ran = await startNode([join(folder, "example.mjs")]).ended;
    expect(ran).toMatchObject({ exitCode: 0, stdout: "undefined { text: 'hi' }\n", stderr: "" });

    const [config = ""] = blocks(skill, "json");
    writeFileSync(join(folder, "mcp-client.json"), config, { mode: 0o644 });
    const checked = await cli(["settings", "check", "--config", join(folder, "mcp-client.json")]);
    expect(checked).toMatchObject({ exitCode: 0, stdout: "ok   notes\n" });
    expect(existsSync(join(docs, "skill.md"))).toBe(true);
  },
);
