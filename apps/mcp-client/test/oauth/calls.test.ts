import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { callTool, connect, unwrap } from "../../src/index.ts";
import { bearerChallenge } from "../../src/transport/http/challenge.ts";
import { logIn, ownStateDirectory, party } from "./support.ts";

proves("CLNT-94", "without a login nothing is sent, and no login starts by itself", async () => {
  const { server, login } = await party();

  const { error } = await callTool({ url: server.url, oauth: login }, "act");

  expect(error).toMatchObject({ code: "login_required", delivery: "not_sent" });
  expect(server.seen).toEqual([]);
});

proves("CLNT-94", "a stored login is named with the command that renews it", async () => {
  ownStateDirectory();
  const { server, login } = await party({}, {}, { storeName: "files" });
  const config = { url: server.url, oauth: { storeName: "files" } };

  expect((await callTool(config, "act")).error?.message).toContain("postern-mcp login files");
  await logIn(login);

  expect((await callTool(config, "act")).result).toMatchObject({ isError: false });
  expect((await login.state()).result?.verified).toBe(true);
});

proves(
  "CLNT-94",
  "a refused token is renewed before the next request, and the refused call is not sent again",
  async () => {
    const { server, login } = await party();
    await logIn(login);
    const client = unwrap(await connect({ url: server.url, oauth: login }));
    server.endAccess();
    const before = server.seen.length;

    const refused = await client.callTool("act");

    expect(refused.error).toMatchObject({ code: "auth_required", delivery: "rejected" });
    expect(server.seen.slice(before).map(({ path }) => path)).toEqual(["/mcp"]);
    expect((await client.callTool("act")).result).toMatchObject({ isError: false });
    expect(server.seen.slice(before).map(({ path }) => path)).toEqual(["/mcp", "/token", "/mcp"]);
    await client.close();
  },
);

proves(
  "CLNT-94",
  "a missing scope is told apart, and a login that asks for it keeps what was granted",
  async () => {
    const { server, login } = await party({ toolScope: "write" });
    await logIn(login, { scopes: ["read"] });
    const config = { url: server.url, oauth: login };

    const { error } = await callTool(config, "act");

    expect(error).toMatchObject({
      code: "insufficient_scope",
      delivery: "rejected",
      data: { required: ["write"], granted: ["read"], missing: ["write"] },
    });
    const again = await logIn(login);
    expect(again.asked?.get("scope")).toBe("read write");
    expect((await callTool(config, "act")).result).toMatchObject({ isError: false });
  },
);

proves("CLNT-94", "met in the handshake, a refusal was not sent for the call", async () => {
  const { server, login } = await party();
  await logIn(login);
  server.endAccess();

  const { error, detail } = await callTool({ url: server.url, oauth: login }, "act");

  expect(error).toMatchObject({ code: "auth_required", delivery: "not_sent" });
  expect(detail.httpStatus).toBe(401);
});

proves("CLNT-23", "a static token never leads to a login, and stands beside none", async () => {
  const { server, login } = await party();
  await logIn(login);
  const before = server.count("/token");

  const { error } = await callTool({ url: server.url, authToken: "static" }, "act");
  const both = await callTool({ url: server.url, authToken: "static", oauth: login }, "act");

  expect(error).toMatchObject({ code: "auth_required" });
  expect(error?.message).toContain("refused the token");
  expect(error?.message).not.toMatch(/log ?in/i);
  expect(both.error?.code).toBe("invalid_config");
  expect(server.count("/token")).toBe(before);
});

test("a request that is given up while its token is fetched is never sent", async () => {
  let release = (): void => undefined;
  const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
  const ways: Parameters<typeof party>[0] = {};
  const { server, login } = await party(ways);
  await logIn(login);
  const client = unwrap(await connect({ url: server.url, oauth: login }));
  server.endAccess();
  await client.callTool("act");
  ways.token = () => held;
  const before = server.count("/mcp");

  const { error } = await client.callTool("act", {}, { timeoutMs: 100 });
  release();

  expect(error).toMatchObject({ code: "timeout", delivery: "not_sent" });
  expect(server.count("/mcp")).toBe(before);
  await client.close();
});

test("the Bearer challenge is read among others, and what cannot be used is left out", () => {
  const url = "https://a.example/.well-known/oauth-protected-resource";

  expect(bearerChallenge(undefined)).toEqual({});
  expect(bearerChallenge("Bearer")).toEqual({});
  expect(bearerChallenge('Basic realm="x"')).toEqual({});
  expect(bearerChallenge(`Bearer resource_metadata="${url}", scope="a b"`)).toEqual({
    resourceMetadataUrl: url,
    scopes: ["a", "b"],
  });
  expect(bearerChallenge(`Basic realm="x", bearer scope=a,resource_metadata=${url}`)).toEqual({
    resourceMetadataUrl: url,
    scopes: ["a"],
  });
  expect(bearerChallenge('Bearer scope="a \\"b\\" c\u00e9"')).toEqual({ scopes: ["a"] });
});
