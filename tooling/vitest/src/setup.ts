import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

// Tests never touch the user's files: a fake HOME and XDG roots for every test file.
const home = mkdtempSync(join(realpathSync(tmpdir()), "ph-"));
for (const name of Object.keys(process.env)) {
  if (/^(XDG_|TMUX|POSTERN_)|_proxy$/i.test(name)) delete process.env[name];
}
Object.assign(process.env, { HOME: home, TZ: "UTC", LANG: "C.UTF-8", LC_ALL: "C.UTF-8" });
process.umask(0o077);

afterAll(() => rmSync(home, { recursive: true, force: true }));
