import { existsSync, readdirSync } from "node:fs";
import { defineConfig } from "vitest/config";

const conditions = ["@postern/source", "node", "import", "module", "default"];

/** One project per workspace folder that has tests; every project shares the settings below. */
function projectFolders(): string[] {
  const grouped = ["packages", "apps", "tooling"].flatMap((group) =>
    readdirSync(group).map((name) => `${group}/${name}`),
  );
  return [...grouped.filter((folder) => existsSync(`${folder}/test`)), "test-e2e"];
}

export default defineConfig({
  ssr: { resolve: { conditions } },
  test: {
    execArgv: ["--conditions=@postern/source", "--disable-warning=ExperimentalWarning"],
    maxWorkers: 2,
    projects: projectFolders().map((folder) => ({
      extends: true,
      test: {
        name: folder,
        root: folder,
        include: ["**/*.test.ts"],
        exclude: ["**/node_modules/**", "**/dist/**"],
        setupFiles: ["@postern/testing/setup"],
        testTimeout: 20_000,
        hookTimeout: 20_000,
        typecheck: { enabled: existsSync(`${folder}/test-d`), include: ["test-d/*.test-d.ts"] },
      },
    })),
  },
});
