import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { cli, startBin } from "../support.ts";
import { visit } from "./authorization-server.ts";
import { ownStateDirectory, party } from "./support.ts";

/** Starts `login files` and follows the address it prints, as a person's browser would. */
async function logInByHand(...flags: readonly string[]) {
  const { child, ended, output } = startBin(["login", "files", "--no-browser", ...flags]);
  const [url = ""] = await eventually(() => /http:\/\/\S*code_challenge=\S*/.exec(output.stderr), {
    what: "the address",
  });
  expect(child.exitCode).toBeNull();
  await fetch(await visit(url));
  return { url, ...(await ended) };
}

proves(
  "CLNT-97",
  "the address is shown at once and opened where there is a display",
  async (context) => {
    if (process.platform !== "linux") context.skip("xdg-open is the opener of Linux");
    ownStateDirectory();
    const { server } = await party();
    await cli(["settings", "add", "files", server.url]);
    const directory = temporaryDirectory();
    const opener = join(directory, "xdg-open");
    const follow = `fetch(process.argv[2]).then(() => process.exit(0))`;
    writeFileSync(opener, `#!${process.execPath}\n${follow}`, { mode: 0o755 });
    chmodSync(opener, 0o755);
    const env = { PATH: `${directory}:${process.env["PATH"] ?? ""}`, DISPLAY: ":7" };

    const { ended } = startBin(["login", "files", "--client-id", "c"], { env });
    const { exitCode, stderr } = await ended;

    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("Open this address")]);
    expect(server.count("/authorize")).toBe(1);
  },
);

proves("CLNT-105", "a login is made, used, shown and forgotten from the command line", async () => {
  ownStateDirectory();
  const { server } = await party();
  await cli(["settings", "add", "files", server.url]);
  expect((await cli(["status", "files"])).exitCode).toBe(5);

  const done = await logInByHand("--client-id", "c", "--quiet");
  const called = await cli(["call", "files", "act"]);
  const status = await cli(["status", "files", "--json"]);
  await cli(["settings", "add", "other", server.url, "--token-env", "T"]);
  const all = await cli(["status"]);
  const out = await cli(["logout", "files"]);

  expect(done.stderr).toContain("Open this address");
  expect([done.exitCode, done.stdout]).toEqual([0, expect.stringContaining("verified  yes")]);
  expect([called.exitCode, called.stdout]).toEqual([0, "acted\n"]);
  expect(JSON.parse(status.stdout)).toMatchObject({
    ok: true,
    result: { kind: "logged_in", issuer: server.issuer, clientId: "c", verified: true },
  });
  // Tokens and codes of the fixture are 18 hexadecimal digits.
  const shown = [done, called, status, all, out].flatMap(({ stdout, stderr }) => [stdout, stderr]);
  expect(shown.join("")).not.toMatch(/[0-9a-f]{18}/);
  expect([all.exitCode, all.stdout]).toEqual([
    0,
    expect.stringMatching(/^files\n  issuer .*\n(  .*\n)+$/),
  ]);
  expect(out.stdout).toContain("revoked at the authorization server");
  expect((await cli(["status", "files"])).exitCode).toBe(5);
  const again = await cli(["call", "files", "act"]);
  expect([again.exitCode, again.stderr]).toEqual([
    5,
    expect.stringContaining("postern-mcp login files"),
  ]);
});

proves("CLNT-104", "the command line lets go of an issuer only when it is told to", async () => {
  ownStateDirectory();
  const { server: second } = await party();
  const ways: Parameters<typeof party>[0] = {};
  const { server } = await party(ways);
  await cli(["settings", "add", "files", server.url]);
  await logInByHand("--client-id", "c");
  ways.resource = { authorization_servers: [second.issuer] };

  const refused = await cli(["login", "files", "--client-id", "c"]);
  expect([refused.exitCode, refused.stderr]).toEqual([
    5,
    expect.stringContaining("--accept-new-issuer"),
  ]);
  expect(second.count("/token")).toBe(0);

  await logInByHand("--client-id", "c", "--accept-new-issuer");
  expect(second.count("/token")).toBe(1);
});

test("the metadata that only the server's challenge names is found", async () => {
  ownStateDirectory();
  const ways: Parameters<typeof party>[0] = { resource: 404 };
  const { server } = await party(ways);
  const { server: other } = await party({
    resource: { resource: server.url, authorization_servers: [server.issuer] },
  });
  ways.challenge = `, resource_metadata="${other.origin}/.well-known/oauth-protected-resource/mcp", scope="a"`;
  await cli(["settings", "add", "files", server.url]);

  const { url, exitCode } = await logInByHand("--client-id", "c");

  expect(new URL(url).searchParams.get("scope")).toBe("a");
  expect(exitCode).toBe(0);
});

test("what nobody can log in to is refused before anything is asked", async () => {
  ownStateDirectory();
  const { server } = await party();
  await cli(["settings", "add", "tool", "--", "node", "server.mjs"]);
  await cli(["settings", "add", "static", server.url, "--token-env", "T"]);

  for (const words of [
    ["login"],
    ["login", server.url],
    ["login", "tool"],
    ["login", "static"],
    ["login", "absent"],
    ["login", "tool", "--client-secret-from", "secret"],
  ]) {
    expect((await cli(words)).exitCode).toBe(2);
  }
  expect(server.seen).toEqual([]);
});
