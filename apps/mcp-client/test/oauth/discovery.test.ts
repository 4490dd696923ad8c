import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import type { Ways } from "./authorization-server.ts";
import { logIn, party, redirectUri } from "./support.ts";

/** What a login with one fault comes to, and whether the person was sent to a page. */
async function loginWith(ways: Ways, config = {}) {
  const { server, login } = await party(ways, config);
  const { code } = await logIn(login);
  return { code, pages: server.count("/authorize"), tokens: server.count("/token") };
}

const before = (code: string) => ({ code, pages: 0, tokens: 0 });

proves("CLNT-99", "a server that does not state S256 is refused before any page", async () => {
  for (const methods of [undefined, [], ["plain"], "S256"]) {
    const server = { code_challenge_methods_supported: methods };
    expect(await loginWith({ server })).toEqual(before("oauth_pkce_unsupported"));
  }
  expect(await loginWith({ server: 404 })).toEqual(before("oauth_discovery_failed"));
});

proves("CLNT-106", "an endpoint that is neither https nor on this machine is refused", async () => {
  for (const url of [
    "file:///etc/passwd",
    "http://example.com/$(calc)",
    "javascript:alert(1)",
    "http://127.0.0.1.example.com/",
    "https://user@example.com/",
    "not a url",
    7,
  ]) {
    for (const field of ["authorization_endpoint", "token_endpoint", "revocation_endpoint"]) {
      expect(await loginWith({ server: { [field]: url } })).toEqual(
        before("oauth_insecure_endpoint"),
      );
    }
  }
});

proves("CLNT-100", "metadata of another issuer is refused before any page", async () => {
  const { origin } = new URL("http://127.0.0.1");
  for (const issuer of ["https://evil.example", `${origin}/other`, undefined]) {
    expect(await loginWith({ server: { issuer } })).toEqual(before("oauth_issuer_mismatch"));
  }
  const found = await party({ issuerPath: "/tenant-a" });
  const { login } = await party({
    resource: { authorization_servers: [`${found.server.issuer}/b`] },
  });
  expect(await logIn(login)).toMatchObject({ code: "oauth_discovery_failed" });
});

proves("CLNT-100", "one slash more or less at the end of the issuer is let pass", async () => {
  const { server, login } = await party({ issuerPath: "/tenant" });
  const other = await party({ resource: { authorization_servers: [`${server.issuer}/`] } });

  expect((await logIn(login)).code).toBeUndefined();
  expect((await logIn(other.login)).code).toBeUndefined();
});

proves("CLNT-101", "metadata about another resource is refused", async () => {
  for (const resource of ["https://other.example/mcp", undefined, 5, "mcp"]) {
    expect(await loginWith({ resource: { resource } })).toEqual(before("oauth_resource_mismatch"));
  }
});

proves(
  "CLNT-96",
  "documents are asked for in order, and a broken one ends the search",
  async () => {
    const { server, login } = await party({ resource: 404, server: 404 });
    await logIn(login);
    expect(server.seen.map(({ path }) => path)).toEqual([
      "/mcp",
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-protected-resource",
    ]);

    const deep = await party({ issuerPath: "/t", server: 404 });
    await logIn(deep.login);
    expect(deep.server.seen.slice(2).map(({ path }) => path)).toEqual([
      "/.well-known/oauth-authorization-server/t",
      "/.well-known/openid-configuration/t",
      "/t/.well-known/openid-configuration",
    ]);

    const challenged = await party();
    const challenge = { resourceMetadataUrl: `${challenged.server.origin}/elsewhere` };
    expect(await logIn(challenged.login, { challenge })).toMatchObject({
      code: "oauth_discovery_failed",
    });
    expect(challenged.server.seen.map(({ path }) => path)).toEqual(["/elsewhere"]);
    expect(await loginWith({ resource: 500 })).toEqual(before("oauth_discovery_failed"));
    expect(await loginWith({ resource: 302 })).toEqual(before("oauth_discovery_failed"));
  },
);

proves("CLNT-96", "a document of 256 KiB is read, one byte more is not", async () => {
  const { server } = await party();
  const size = Buffer.byteLength(
    JSON.stringify({
      resource: server.url,
      authorization_servers: [server.issuer],
      padding: "",
    }),
  );
  const padding = (total: number) => ({ padding: "x".repeat(total - size) });

  expect(await loginWith({ resource: padding(262_144) })).toMatchObject({ code: undefined });
  expect(await loginWith({ resource: padding(262_145) })).toEqual(before("oauth_discovery_failed"));
});

test("the configured issuer must be among those the server names", async () => {
  expect(await loginWith({}, { issuer: "https://other.example" })).toEqual(
    before("oauth_issuer_mismatch"),
  );
});

test("a server that does not answer ends the login", async () => {
  const { login } = await party({}, { url: "http://127.0.0.1:9/mcp" });

  expect(await login.begin({ redirectUri })).toMatchObject({
    error: { code: "oauth_discovery_failed", delivery: "not_sent" },
  });
});
