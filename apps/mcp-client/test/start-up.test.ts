import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { serverWords, startNode } from "./support.ts";

const source = join(import.meta.dirname, "../src");

/** Runs a module with hooks in front of every import. */
async function runWith(hooks: string, program: string) {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, "hooks.mjs"), hooks);
  writeFileSync(join(folder, "program.mjs"), program);
  const { ended } = startNode(["--import", join(folder, "hooks.mjs"), join(folder, "program.mjs")]);
  return ended;
}

proves(
  "CLNT-02",
  "importing, a session and a login object open no socket, process, timer or file",
  async () => {
    // Once the library is imported, every function of the poisoned modules has been replaced by a bomb before it.
    const poison = `
    import { createRequire, syncBuiltinESMExports } from "node:module";
    const require = createRequire(import.meta.url);
    globalThis.fired = [];
    const poison = (name, allowed = []) => {
      const module = require(name);
      for (const [key, value] of Object.entries(module)) {
        if (typeof value !== "function" || /^[A-Z]/.test(key) || allowed.includes(key)) continue;
        module[key] = (...args) => { fired.push(name + "." + key); return value.apply(module, args); };
      }
    };
    globalThis.arm = () => {
      for (const name of ["node:net", "node:child_process", "node:http", "node:https", "node:dns", "node:tls", "node:worker_threads", "node:timers", "node:timers/promises", "node:fs/promises"]) poison(name);
      for (const key of ["open", "writeFile", "writeFileSync", "mkdirSync", "mkdir", "watch", "existsSync", "readFile", "createReadStream", "createWriteStream", "opendir", "access"]) {
        const fs = require("node:fs"); const old = fs[key];
        fs[key] = (...args) => { fired.push("fs." + key); return old.apply(fs, args); };
      }
      for (const key of ["setTimeout", "setInterval"]) {
        const old = globalThis[key];
        globalThis[key] = (...args) => { fired.push(key); return old(...args); };
      }
      syncBuiltinESMExports();
    };`;
    const program = `
    await import("node:fs/promises");
    arm();
    const library = await import(${JSON.stringify(join(source, "index.ts"))});
    const config = { command: "node", args: ["x"] };
    library.session(config, "name", { reconnect: "next_call", elicitation: () => ({ action: "cancel" }) });
    library.session(() => config);
    const { createOAuth, oauth } = await import(${JSON.stringify(join(source, "oauth/index.ts"))});
    library.unwrap(createOAuth({ url: "https://example.com/mcp" }, "store"));
    library.unwrap(oauth({ url: "https://example.com/mcp", clientId: "a" }));
    await import(${JSON.stringify(join(source, "settings/index.ts"))});
    await import(${JSON.stringify(join(source, "content/index.ts"))});
    console.log(JSON.stringify({ fired, names: Object.keys(library).sort(), handles: process.getActiveResourcesInfo().filter((name) => !/TTY|Pipe|FS/.test(name)), signals: process.listenerCount("SIGINT") }));`;

    const { stdout, stderr } = await runWith(poison, program);

    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      fired: [],
      names: [
        "ClientError",
        "callTool",
        "connect",
        "elicitationDefaults",
        "session",
        "unwrap",
        "withClient",
      ],
      handles: [],
      signals: 0,
    });
  },
);

test("a call loads neither zod nor the SDK, and --version next to nothing", async () => {
  const hooks = `
    import { registerHooks } from "node:module";
    globalThis.loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    process.on("exit", () => process.stderr.write("LOADED " + JSON.stringify(loaded)));`;
  const loadedBy = async (argv: string[]): Promise<string[]> => {
    const program = `process.argv.splice(2, Infinity, ...${JSON.stringify(argv)}); await import(${JSON.stringify(join(source, "bin.ts"))});`;
    const { stderr } = await runWith(hooks, program);
    return JSON.parse(stderr.slice(stderr.indexOf("LOADED ") + 7));
  };

  const call = await loadedBy(["call", "echo", "text=hi", ...serverWords()]);
  const version = await loadedBy(["--version"]);

  expect(
    call.filter((url) => /\/zod\/|modelcontextprotocol|fastify|execa|endpoint-auth/.test(url)),
  ).toEqual([]);
  expect(call.filter((url) => /transport\/http|config\/http-/.test(url))).toEqual([]);
  expect(call.some((url) => url.includes("valibot"))).toBe(true);
  expect(version.filter((url) => url.startsWith("file:")).length).toBeLessThanOrEqual(12);
});
