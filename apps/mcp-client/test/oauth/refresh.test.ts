import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { Secret } from "@postern/endpoint-auth";
import { fixturePath, startNode } from "../support.ts";
import { logIn, ownStateDirectory, party, tokenOf } from "./support.ts";

proves("CLNT-102", "eight processes with one expired token make one refresh request", async () => {
  ownStateDirectory();
  const ways = { lifetimeS: 30 };
  const { server, login } = await party(ways, {}, { storeName: "shared" });
  await logIn(login);
  // What is renewed lives long enough to be used.
  ways.lifetimeS = 3_600;
  const before = server.count("/token");

  const runs = Array.from({ length: 8 }, () =>
    startNode([fixturePath("takes-token.mjs"), server.url]),
  );
  const tokens = await Promise.all(runs.map(async ({ ended }) => (await ended).stdout));

  expect(server.count("/token") - before).toBe(1);
  expect(new Set(tokens).size).toBe(1);
  expect(server.accepts(tokens[0] ?? "")).toBe(true);
});

proves("CLNT-102", "a token is renewed 60 s before its end, not sooner", async () => {
  const refreshes = async (lifetimeS: number): Promise<number> => {
    const { server, login } = await party({ lifetimeS });
    await logIn(login);
    await tokenOf(login);
    return server.count("/token") - 1;
  };

  expect(await refreshes(59)).toBe(1);
  expect(await refreshes(60)).toBe(1);
  expect(await refreshes(90)).toBe(0);
});

proves("CLNT-102", "callers of one object share a refresh", async () => {
  const ways = { lifetimeS: 30 };
  const { server, login } = await party(ways);
  await logIn(login);
  ways.lifetimeS = 3_600;

  const tokens = await Promise.all([1, 2, 3, 4].map(() => tokenOf(login)));

  expect(new Set(tokens).size).toBe(1);
  expect(server.count("/token")).toBe(2);
});

test("a token the server refused is renewed before the next request, and only then", async () => {
  const { server, login } = await party();
  await logIn(login);
  const token = await tokenOf(login);

  await login.heard(new Secret(token), { kind: "refused", challenge: {} });
  expect(server.count("/token")).toBe(1);
  const renewed = await tokenOf(login);

  expect(renewed).not.toBe(token);
  expect(await tokenOf(login)).toBe(renewed);
  expect(server.count("/token")).toBe(2);
});

proves(
  "CLNT-103",
  "any 4xx is login_required after one request, and ends only that token",
  async () => {
    for (const [status, error] of [
      [400, "invalid_request"],
      [400, "invalid_grant"],
      [401, "invalid_client"],
      [429, "slow_down"],
    ] as const) {
      let replies = 0;
      const { server, login } = await party({
        lifetimeS: 30,
        token: (form) => {
          if (form.get("grant_type") !== "refresh_token") return undefined;
          replies += 1;
          return { status, body: { error } };
        },
      });
      await logIn(login);

      expect([await tokenOf(login), await tokenOf(login)]).toEqual([
        "login_required",
        "login_required",
      ]);
      expect(replies).toBe(1);
      expect((await login.state()).result).toMatchObject({
        issuer: server.issuer,
        renewable: false,
      });
    }
  },
);

proves("CLNT-103", "a refresh whose answer is lost is told and not repeated", async () => {
  let requests = 0;
  const { login } = await party({
    lifetimeS: 30,
    token: (form) => {
      if (form.get("grant_type") !== "refresh_token") return undefined;
      requests += 1;
      return "cut";
    },
  });
  await logIn(login);

  const access = await login.access();

  expect(access).toMatchObject({
    kind: "failed",
    error: { code: "oauth_token_failed", delivery: "not_sent", data: { lost: true } },
  });
  expect(requests).toBe(1);
});

test("a failed refresh leaves a login that another process made meanwhile", async () => {
  ownStateDirectory();
  const ways: Parameters<typeof party>[0] = { lifetimeS: 30 };
  const { login, again } = await party(ways, {}, { storeName: "shared" });
  await logIn(login);
  ways.token = async (form) => {
    if (form.get("grant_type") !== "refresh_token") return undefined;
    delete ways.token;
    await logIn(again());
    return { status: 400, body: { error: "invalid_grant" } };
  };

  expect(await tokenOf(login)).toBe("login_required");

  expect((await login.state()).result).toMatchObject({ kind: "logged_in", renewable: true });
});

proves("CLNT-104", "another issuer gets nothing of a login until it is accepted", async () => {
  const { server: second } = await party();
  const ways: Parameters<typeof party>[0] = {};
  const { server, login } = await party(ways, { dynamicRegistration: true, clientId: undefined });
  ways.server = { client_id_metadata_document_supported: false };
  await logIn(login, { scopes: ["old"] });
  ways.resource = { authorization_servers: [second.issuer] };

  expect(await logIn(login)).toMatchObject({ code: "issuer_changed" });
  expect(second.count("/register") + second.count("/token")).toBe(0);
  const accepted = await logIn(login, { acceptNewIssuer: true });

  expect(accepted.state?.issuer).toBe(second.issuer);
  expect(accepted.asked?.get("scope")).toBeNull();
  expect([server.count("/register"), second.count("/register")]).toEqual([1, 1]);
});

proves("CLNT-104", "a login is not used for another client, issuer or endpoint", async () => {
  ownStateDirectory();
  const { login, again } = await party({}, {}, { storeName: "shared" });
  await logIn(login);

  expect(await tokenOf(again())).toMatch(/^[0-9a-f]{18}$/);
  expect(await tokenOf(again({ clientId: "client-2" }))).toBe("login_required");
  expect(await tokenOf(again({ issuer: "https://other.example" }))).toBe("login_required");
  expect(await tokenOf(again({ url: "http://127.0.0.1:9/mcp" }))).toBe("login_required");
});
