import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, proves } from "@postern/testing";
import { expect, test } from "vitest";
import { Secret } from "@postern/endpoint-auth";
import type { LoginOptions, OAuth } from "../../src/oauth/index.ts";
import { visit } from "./authorization-server.ts";
import { logIn, ownStateDirectory, party, tokenOf } from "./support.ts";

/** Begins a login and gives the address it shows, while it goes on waiting. */
async function waiting(login: OAuth, o: LoginOptions = {}) {
  let shown = "";
  const done = login.login({ ...o, onUrl: (url) => void (shown = url) });
  await Promise.race([done, eventually(() => shown !== "", { what: "the address" })]);
  return { done, shown, redirect: new URL(shown).searchParams.get("redirect_uri") ?? "" };
}

proves(
  "CLNT-93",
  "the listener is bound before the address is shown, on the host that is configured",
  async () => {
    for (const host of ["127.0.0.1", "localhost"] as const) {
      const { login } = await party({}, { redirectHost: host });

      const { done, shown, redirect } = await waiting(login);

      const { hostname, pathname, port } = new URL(redirect);
      expect([hostname, pathname]).toEqual([host, "/oauth/callback"]);
      expect(Number(port)).toBeGreaterThan(0);
      await fetch(await visit(shown));
      expect((await done).result?.kind).toBe("logged_in");
    }
  },
);

proves(
  "CLNT-97",
  "a second login at once joins the first, and the page repeats nothing",
  async () => {
    const { server, login } = await party();
    const { done, shown } = await waiting(login);
    const joined = login.login();

    const page = await fetch(await visit(shown));

    expect(await page.text()).not.toMatch(/code|state|127\.0/);
    expect(await joined).toBe(await done);
    expect(server.count("/token")).toBe(1);
  },
);

proves(
  "CLNT-98",
  "a wrong state ends the login at once; wrong paths and methods only when they are 16",
  async () => {
    const { login, again } = await party();
    const first = await waiting(login);
    for (let at = 0; at < 15; at += 1) await fetch(new URL("/favicon.ico", first.redirect));
    expect((await fetch(first.redirect, { method: "POST" })).status).toBe(400);
    expect((await first.done).error?.code).toBe("login_cancelled");

    const second = await waiting(again());
    await fetch(`${second.redirect}?code=a&state=b&iss=${new URL(second.shown).origin}`);
    expect((await second.done).error?.code).toBe("oauth_state_mismatch");
  },
);

test("a login that is aborted or closed is cancelled and its port closed", async () => {
  const { login, again } = await party();
  const controller = new AbortController();
  const aborted = await waiting(login, { signal: controller.signal });
  controller.abort(new Error("any reason"));
  expect((await aborted.done).error?.code).toBe("login_cancelled");
  await expect(fetch(aborted.redirect)).rejects.toThrow("fetch failed");

  const other = again();
  const closed = await waiting(other);
  other.close();
  expect((await closed.done).error?.code).toBe("login_cancelled");
  expect(await tokenOf(other)).toBe("login_cancelled");
});

proves(
  "CLNT-90",
  "making a login opens nothing and asks nothing; closing it wipes memory",
  async () => {
    const state = ownStateDirectory();
    const { server, login } = await party({}, {}, { storeName: "offline" });
    expect(readdirSync(state)).toEqual([]);
    expect(server.seen).toEqual([]);

    const inMemory = await party();
    await logIn(inMemory.login);
    inMemory.login.close();

    expect(await tokenOf(inMemory.login)).toBe("login_cancelled");
    login.close();
  },
);

proves(
  "CLNT-95",
  "a store that cannot be written is found before the person is asked",
  async () => {
    const state = ownStateDirectory();
    const { server, login } = await party({}, {}, { storeName: "shared" });
    await login.state();
    mkdirSync(join(state, "postern", "mcp-client", "oauth.sealed.lock"));

    const { error } = await login.login();

    expect(error?.code).toBe("store_unavailable");
    expect(server.seen).toEqual([]);
  },
);

proves("CLNT-95", "tokens are sealed on disk, and in no file in the open", async () => {
  const state = ownStateDirectory();
  const { login, again } = await party({}, {}, { storeName: "shared" });
  await logIn(login);
  const token = await tokenOf(login);

  expect(await tokenOf(again())).toBe(token);
  const directory = join(state, "postern", "mcp-client");
  const written = readdirSync(directory).map((name) =>
    readFileSync(join(directory, name), "latin1"),
  );
  expect(written.join("")).not.toContain(token);
});

proves("CLNT-106", "a login counts as verified once the server has answered under it", async () => {
  ownStateDirectory();
  const { login, again } = await party({}, {}, { storeName: "shared" });
  const { state } = await logIn(login);
  expect(state?.verified).toBe(false);
  const token = await tokenOf(login);

  await login.heard(new Secret("another"), { kind: "accepted" });
  expect((await again().state()).result?.verified).toBe(false);
  await login.heard(new Secret(token), { kind: "accepted" });

  expect((await again().state()).result?.verified).toBe(true);
});

proves(
  "CLNT-105",
  "logout forgets here and asks once for revocation, whatever comes of it",
  async () => {
    const logOut = async (ways: Parameters<typeof party>[0]) => {
      const { server, login } = await party(ways);
      await logIn(login);
      const { result } = await login.logout();
      expect((await login.state()).result).toEqual({
        kind: "login_required",
        protection: "memory",
      });
      expect(server.count("/revoke")).toBeLessThanOrEqual(1);
      return result?.atServer;
    };

    expect(await logOut({})).toBe("revoked");
    expect(await logOut({ revocationStatus: 503 })).toBe("not_revoked");
    expect(await logOut({ server: { revocation_endpoint: undefined } })).toBe("not_revoked");
    expect(await logOut({ server: { revocation_endpoint: "http://127.0.0.1:9/" } })).toBe(
      "not_revoked",
    );
  },
);
