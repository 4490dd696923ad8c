import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, proves, temporaryDirectory } from "@postern/testing";
import { beforeEach, expect } from "vitest";
import { unwrap } from "../src/index.ts";
import { settings } from "../src/settings/index.ts";
import { httpServer } from "./http-support.ts";
import { visit } from "./oauth/authorization-server.ts";
import { party } from "./oauth/support.ts";
import { cli, fixturePath, logged, serverWords, startBin } from "./support.ts";

const CANARY = "canary-7f3a91";
let folder: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  folder = temporaryDirectory();
  env = { CANARY, XDG_STATE_HOME: join(folder, "state") };
  Object.assign(process.env, env);
});

/** Everything under a folder, as text. */
function contentOf(path: string): string {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

/** The command lines of all processes. */
function commandLines(): string {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8");
      } catch {
        return "";
      }
    })
    .join("\n");
}

/** Runs a call in each form and outcome and gives all that was written anywhere. */
async function everythingWritten(words: readonly string[], tools: readonly string[][]) {
  const runs = tools.flatMap((tool) =>
    [["--json"], ["--show-stderr"], ["--dry-run"], ["--dry-run", "--json"]].map((form) => {
      const cut = words.indexOf("--");
      const [own, command] = cut === -1 ? [words, []] : [words.slice(0, cut), words.slice(cut)];
      return ["call", ...own, ...tool, ...form, ...command];
    }),
  );
  let written = "";
  for (const argv of runs) {
    const { stdout, stderr, exitCode } = await cli(argv);
    expect([argv, exitCode]).not.toEqual([argv, 2]);
    written += stdout + stderr;
  }
  return written;
}

proves(
  "CLNT-166",
  "secrets of a started server show in no output, command line or file",
  async () => {
    const file = join(folder, "token");
    writeFileSync(file, CANARY, { mode: 0o600 });
    const [, command, ...args] = serverWords("--log=" + join(folder, "log"));
    const config = join(temporaryDirectory(), "config.json");
    const envFrom = { FROM_ENV: { env: "CANARY" }, FROM_FILE: { file } };
    writeFileSync(config, JSON.stringify({ servers: { files: { command, args, envFrom } } }), {
      mode: 0o600,
    });
    unwrap(await settings.save("files", { env: { SEALED: CANARY } }));
    const words = ["files", "--config", config];

    const slow = startBin(["call", ...words, "sleep", "ms=1500"], { env });
    await eventually(() =>
      logged(join(folder, "log")).some(({ method }) => method === "tools/call"),
    );
    expect(commandLines()).toContain(fixturePath("server.mjs"));
    expect(commandLines()).not.toContain(CANARY);
    await slow.ended;

    const written = await everythingWritten(words, [["echo"], ["die"]]);
    const shown = [
      await cli(["settings", "show", "files"]),
      await cli(["settings", "check", "--config", config, "--json"]),
      await cli(["doctor", "files", "--config", config]),
      await startBin(["call", ...words, "die"], { env }).ended,
    ];
    expect(written).toContain("[secret]");
    expect(written + JSON.stringify(shown)).not.toContain(CANARY);
    expect(contentOf(join(folder, "state"))).not.toContain(CANARY);
    expect(readFileSync(join(folder, "log"), "utf8")).not.toContain(CANARY);
  },
  60_000,
);

proves(
  "CLNT-166",
  "tokens and headers of a server over HTTP reach it, and nothing else",
  async () => {
    const server = await httpServer();
    const file = join(folder, "token");
    writeFileSync(file, CANARY, { mode: 0o600 });
    const sources = ["--token-env", "CANARY", "--header-from", `X-Key=file:${file}`];

    const written = await everythingWritten([server.url, ...sources], [["echo"], ["raw"]]);

    const sent = server
      .requests()
      .map(({ headers }) => [headers["authorization"], headers["x-key"]]);
    expect(sent[0]).toEqual([`Bearer ${CANARY}`, CANARY]);
    expect(written).toContain("[secret]");
    expect(written).not.toContain(CANARY);
    expect(commandLines()).not.toContain(CANARY);
  },
);

proves(
  "CLNT-166",
  "what a login brings is seen by the server alone",
  async () => {
    const { server } = await party();
    await cli(["settings", "add", "files", server.url]);
    const client = ["--client-id", "c", "--client-secret-from", "env:CANARY"];
    const login = startBin(["login", "files", "--no-browser", "--json", ...client], { env });
    const [url = ""] = await eventually(() =>
      /http:\/\/\S*code_challenge=\S*/.exec(login.output.stderr),
    );
    await fetch(await visit(url));

    const outputs: object[] = [await login.ended];
    for (const words of [
      ["call", "files", "act"],
      ["call", "files", "act", "--dry-run"],
      ["status", "files"],
      ["doctor", "files"],
      ["settings", "show", "files"],
    ])
      outputs.push(await cli(words), await cli([...words, "--json"]));

    const secrets = server.seen.flatMap(({ authorization, body }) => {
      const form = body instanceof URLSearchParams ? body : new URLSearchParams();
      return [authorization?.split(" ")[1], form.get("code"), form.get("code_verifier")];
    });
    const known = new Set([CANARY, ...secrets.filter((secret) => typeof secret === "string")]);
    expect(known.size).toBeGreaterThanOrEqual(4);
    const written = JSON.stringify(outputs) + contentOf(join(folder, "state")) + commandLines();
    for (const secret of known) expect(written).not.toContain(secret);
  },
  60_000,
);
