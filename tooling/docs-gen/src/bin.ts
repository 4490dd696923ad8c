import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorsPage } from "./errors-page.ts";
import { toolsPage } from "./tools-page.ts";

const root = join(import.meta.dirname, "../../..");
const pages = { "docs/errors.md": errorsPage(), "docs/tmux-server/tools.md": toolsPage() };
const write = process.argv.includes("--write");

for (const [path, text] of Object.entries(pages)) {
  const file = join(root, path);
  if (write) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    console.error(`${path} differs from the source. Run: pnpm docs:write`);
    process.exitCode = 1;
  }
}
