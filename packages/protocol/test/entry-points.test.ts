import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { proves } from "@postern/testing";
import { expect } from "vitest";

const fixture = fileURLToPath(new URL("fixtures/loaded-modules.mjs", import.meta.url));

/** The URLs of every module that a fresh process loads for one entry point, by import or require. */
async function modulesLoadedBy(entry: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--conditions=@postern/source",
    fixture,
    entry,
  ]);
  return JSON.parse(stdout) as string[];
}

for (const entry of ["", "/json", "/framing", "/client"]) {
  proves(
    "PROTO-21",
    `@postern/protocol${entry} loads its own files and node's, nothing else`,
    async () => {
      const loaded = await modulesLoadedBy(`@postern/protocol${entry}`);

      expect(loaded.filter((url) => url.includes("/packages/protocol/src/"))).not.toEqual([]);
      expect(loaded.filter((url) => !/^node:|\/packages\/protocol\/src\//.test(url))).toEqual([]);
    },
  );
}

proves("PROTO-21", "the listing sees zod and the SDK where they are loaded", async () => {
  const schema = await modulesLoadedBy("@postern/protocol/schema");
  const server = await modulesLoadedBy("@postern/protocol/server");

  expect(schema.some((url) => url.includes("/node_modules/zod/"))).toBe(true);
  expect(server.some((url) => url.includes("/@modelcontextprotocol/server/"))).toBe(true);
});
