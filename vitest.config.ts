import { existsSync, readdirSync } from "node:fs";
import { defineConfig } from "vitest/config";

const conditions = ["@postern/source", "node", "import", "module", "default"];
const excluded = ["**/node_modules/**", "**/dist/**"];

/** One project per workspace folder that has tests, the cross-package suite, and the gate that reads their report. */
const projects = [
  ...["packages", "apps", "tooling"].flatMap((group) =>
    readdirSync(group)
      .map((name) => `${group}/${name}`)
      .filter((folder) => existsSync(`${folder}/test`))
      .map((folder) => ({ name: folder, root: folder, include: ["test/**/*.test.ts"] })),
  ),
  { name: "test-e2e", root: "test-e2e", include: ["scenarios/**/*.test.ts"] },
  { name: "coverage", root: "test-e2e", include: ["coverage.test.ts"] },
];

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    execArgv: ["--conditions=@postern/source", "--disable-warning=ExperimentalWarning"],
    expect: { requireAssertions: true },
    maxWorkers: 2,
    projects: projects.map((project) => ({
      extends: true,
      test: {
        ...project,
        exclude: excluded,
        setupFiles: ["@postern/testing/setup"],
        testTimeout: 20_000,
        hookTimeout: 20_000,
      },
    })),
  },
});
