import { readFileSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { execa } from "execa";
import { beforeAll, expect } from "vitest";
import { startHttpServer } from "../harness/http-server.ts";
import { inSurroundings } from "../harness/in-surroundings.ts";
import { installReferee, judge } from "../harness/referee.ts";
import { tokenProxy } from "../harness/token-proxy.ts";

const everything = join(
  import.meta.dirname,
  "../../packages/protocol/test/fixtures/everything/server.ts",
);

beforeAll(installReferee, 120_000);

// The suite's own lists of what a revision requires; whatever it runs beyond them decides nothing.
const required = { "2025-11-25": 30, "2026-07-28": 37 } as const;

for (const [revision, scenarios] of Object.entries(required)) {
  proves(
    "PROTO-10",
    `a server of the parts of protocol passes every required scenario of ${revision}`,
    async () => {
      const server = execa(process.execPath, ["--conditions=@postern/source", everything], {
        reject: false,
      });
      try {
        const url = await new Promise<string>((resolve) => {
          server.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
        });

        const verdict = await judge(url, temporaryDirectory(), ["--requirements", revision]);

        const passed = verdict.summary.match(/^✓ /gm)?.length ?? 0;
        expect(verdict.exitCode === 0 ? "" : verdict.summary).toBe("");
        expect(passed).toBeGreaterThanOrEqual(scenarios);
      } finally {
        server.kill("SIGTERM");
        await server;
      }
    },
    90_000,
  );
}

proves(
  ["TMUX-86", "TMUX-80"],
  "tmux-server itself passes what the suite asks of any HTTP server",
  async () => {
    await inSurroundings({}, async (surroundings) => {
      const server = await startHttpServer(surroundings);
      const token = await server.newToken("referee", "read");
      const proxy = await tokenProxy(new URL(server.url), token);
      try {
        for (const [scenario, revision] of [
          ["dns-rebinding-protection", "2025-11-25"],
          ["dns-rebinding-protection", "2026-07-28"],
          ["http-header-validation", "2026-07-28"],
          ["server-stateless", "2026-07-28"],
        ] as const) {
          const notes = join(surroundings.folder, `${scenario}-${revision}`);

          const verdict = await judge(proxy.url, notes, [
            "--scenario",
            scenario,
            "--spec-version",
            revision,
          ]);

          // Some checks need tools that only the suite's own example server has.
          expect(verdict.failed.filter(({ untestable }) => !untestable)).toEqual([]);
          expect(verdict.failed.length).toBe(scenario === "server-stateless" ? 4 : 0);
        }
      } finally {
        await proxy.close();
        await server.close();
      }
    });
  },
  90_000,
);

proves("QUAL-24", "the suite is pinned in a folder of its own and never in our lockfile", () => {
  const folder = join(import.meta.dirname, "../conformance");
  const manifest = readFileSync(join(folder, "package.json"), "utf8");
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  const ours = readFileSync(join(import.meta.dirname, "../../pnpm-lock.yaml"), "utf8");
  const mine = readFileSync(join(import.meta.dirname, "../package.json"), "utf8");

  expect(JSON.parse(manifest)).toMatchObject({
    dependencies: { "@modelcontextprotocol/conformance": "0.2.0-alpha.12" },
  });
  expect(JSON.parse(lock)).toMatchObject({
    packages: {
      "node_modules/@modelcontextprotocol/conformance": { integrity: expect.any(String) as string },
    },
  });
  expect(ours).not.toContain("@modelcontextprotocol/conformance");
  expect(JSON.parse(mine)).toMatchObject({
    dependencies: { "@modelcontextprotocol/sdk": "catalog:" },
  });
});
