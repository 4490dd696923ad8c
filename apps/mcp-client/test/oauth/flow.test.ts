import { proves } from "@postern/testing";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createOAuth, oauth, type OAuthConfig } from "../../src/oauth/index.ts";
import { visit, type Ways } from "./authorization-server.ts";
import { logIn, party, redirectUri, tokenOf } from "./support.ts";

proves(
  "CLNT-100",
  "an answer whose issuer is missing, foreign or doubled is not used",
  async () => {
    const faults: Ways["answer"][] = [
      (answer) => answer.delete("iss"),
      (answer) => answer.set("iss", "https://evil.example"),
      (answer) => answer.set("iss", `${answer.get("iss") ?? ""}/`),
      (answer) => answer.append("iss", answer.get("iss") ?? ""),
      (answer) => {
        answer.set("iss", "https://evil.example");
        answer.set("error", "canary_error");
        answer.delete("state");
      },
    ];
    for (const answer of faults) {
      const { server, login } = await party({ ...(answer && { answer }) });

      const { code, error } = await logIn(login);

      expect(code).toBe("oauth_issuer_mismatch");
      expect(inspect(error)).not.toContain("canary_error");
      expect(server.count("/token")).toBe(0);
    }
  },
);

proves("CLNT-98", "two logins answered with each other's code are both refused", async () => {
  const { server, login } = await party();
  const [first, second] = [await login.begin({ redirectUri }), await login.begin({ redirectUri })];
  if (first.error || second.error) throw new Error("a login did not begin");
  const answers = [
    await visit(first.result.authorizationUrl),
    await visit(second.result.authorizationUrl),
  ];

  const crossed = [
    await first.result.finish(answers[1] ?? ""),
    await second.result.finish(answers[0] ?? ""),
  ];

  expect(crossed.map(({ error }) => error?.code)).toEqual([
    "oauth_state_mismatch",
    "oauth_state_mismatch",
  ]);
  expect(server.count("/token")).toBe(0);
  expect((await first.result.finish(answers[0] ?? "")).error?.code).toBe("oauth_state_mismatch");
});

test("two logins begun at once can each be finished with their own answer", async () => {
  const { login } = await party();
  const [first, second] = [await login.begin({ redirectUri }), await login.begin({ redirectUri })];
  if (first.error || second.error) throw new Error("a login did not begin");

  for (const { result } of [second, first]) {
    const finished = await result.finish(await visit(result.authorizationUrl));
    expect(finished.error).toBeUndefined();
  }
});

proves(
  "CLNT-101",
  "the resource is sent with every request, and the scopes follow their order",
  async () => {
    const listed = { resource: { scopes_supported: ["listed"] } };
    const { server, login } = await party(listed);

    const byList = await logIn(login);
    const byChallenge = await logIn(login, { challenge: { scopes: ["challenged"] } });
    const byCaller = await logIn(login, {
      scopes: ["asked"],
      challenge: { scopes: ["challenged"] },
    });

    const asked = [byList, byChallenge, byCaller].map((done) => done.asked?.get("scope"));
    expect(asked).toEqual(["listed", "listed challenged", "listed challenged asked"]);
    expect(byCaller.asked?.get("resource")).toBe(server.url);
    const bodies = server.seen.filter(({ path }) => path === "/token").map(({ body }) => body);
    expect(bodies.map((body) => (body as URLSearchParams).get("resource"))).toEqual(
      Array.from({ length: 3 }, () => server.url),
    );
  },
);

proves("CLNT-101", "offline_access is asked for only where the server lists it", async () => {
  const lists = await party({ server: { scopes_supported: ["a", "offline_access"] } });
  const silent = await party({ resource: { scopes_supported: ["a", "offline_access"] } });

  expect((await logIn(lists.login, { scopes: ["a"] })).asked?.get("scope")).toBe(
    "a offline_access",
  );
  expect((await logIn(silent.login)).asked?.get("scope")).toBe("a");
});

proves(
  "CLNT-101",
  "the client proves itself as the server supports: not at all, Basic, or in the body",
  async () => {
    process.env["TEST_SECRET"] = "canary-s";
    const send = async (methods: string[] | undefined, config: Partial<OAuthConfig>) => {
      const { server, login } = await party(
        { server: { token_endpoint_auth_methods_supported: methods } },
        config,
      );
      await logIn(login);
      const { authorization, body } = server.seen.at(-1) ?? {};
      return [authorization?.split(" ")[0], (body as URLSearchParams).get("client_secret")];
    };
    const secret = { clientSecretFrom: { env: "TEST_SECRET" } };

    expect(await send(undefined, {})).toEqual([undefined, null]);
    expect(await send(undefined, secret)).toEqual(["Basic", null]);
    expect(await send(["client_secret_post", "client_secret_basic"], secret)).toEqual([
      "Basic",
      null,
    ]);
    expect(await send(["client_secret_post"], secret)).toEqual([undefined, "canary-s"]);
    delete process.env["TEST_SECRET"];
  },
);

proves(
  "CLNT-99",
  "the challenge is S256, and the verifier is in no address and no print",
  async () => {
    const { server, login } = await party();
    const { asked, state } = await logIn(login);
    const body = server.seen.at(-1)?.body as URLSearchParams;
    const verifier = body.get("code_verifier") ?? "";

    expect(asked?.get("code_challenge_method")).toBe("S256");
    expect(verifier).toMatch(/^[\w-]{43}$/);
    expect(asked?.toString()).not.toContain(verifier);
    const printed = inspect([login, state], { depth: 9, showHidden: true }) + JSON.stringify(login);
    for (const secret of [verifier, await tokenOf(login)]) expect(printed).not.toContain(secret);
  },
);

test("an answer that is an error, and a token that cannot be used, have codes of their own", async () => {
  const denied = await party({
    answer: (answer) => {
      answer.delete("code");
      answer.set("error", "access_denied");
    },
  });
  expect((await logIn(denied.login)).error).toMatchObject({
    code: "oauth_denied",
    data: { oauthError: "access_denied" },
  });
  for (const body of [
    { access_token: "a", token_type: "mac" },
    { access_token: "a", token_type: "DPoP" },
    { token_type: "Bearer" },
  ]) {
    const { login } = await party({ token: () => ({ status: 200, body }) });
    expect((await logIn(login)).code).toBe("oauth_token_failed");
  }
  const cut = await party({ token: () => "cut" });
  expect((await logIn(cut.login)).error).toMatchObject({ data: { lost: true } });
  expect(cut.server.count("/token")).toBe(1);
});

proves(
  "CLNT-92",
  "the identity is the configured one, else a document, else a registration",
  async () => {
    const id = async (ways: Ways, config: Partial<OAuthConfig>, candidateUrl?: string) => {
      const { login } = await party(
        ways,
        { clientId: undefined, ...config },
        {
          ...(candidateUrl && { candidateUrl }),
        },
      );
      const { asked, code } = await logIn(login);
      return asked?.get("client_id") ?? code;
    };
    const own = { clientMetadataUrl: "https://me.example/client.json" };
    const registers = { dynamicRegistration: true };
    const noDocuments = { server: { client_id_metadata_document_supported: false } };

    expect(await id({}, { clientId: "c", ...own, ...registers })).toBe("c");
    expect(await id({}, { ...own, ...registers })).toBe(own.clientMetadataUrl);
    expect(await id(noDocuments, { ...own, ...registers })).toBe("registered-1");
    expect(await id(noDocuments, own)).toBe("registration_required");
    expect(await id({}, {})).toBe("registration_required");
    expect(await id({ server: { registration_endpoint: undefined } }, registers)).toBe(
      "registration_required",
    );
  },
);

proves("CLNT-92", "a registration says that this is a native program", async () => {
  const { server, login } = await party(
    {},
    {
      clientId: undefined,
      dynamicRegistration: true,
    },
  );
  await logIn(login);

  expect(server.seen.find(({ path }) => path === "/register")?.body).toMatchObject({
    application_type: "native",
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: "none",
  });
  await logIn(login);
  expect(server.count("/register")).toBe(1);
});

test("a registration that is refused or not answered is told as one that is missing", async () => {
  const { server: other } = await party();
  for (const registration_endpoint of ["http://127.0.0.1:9/", `${other.origin}/absent`]) {
    const changes = { clientId: undefined, dynamicRegistration: true };
    const { login } = await party({ server: { registration_endpoint } }, changes);

    expect((await logIn(login)).code).toBe("registration_required");
  }
});

proves(
  "CLNT-91",
  "the offered document gives way to a client id, another document or false",
  async () => {
    const candidateUrl = "https://postern.example/client.json";
    const id = async (config: Partial<OAuthConfig>) => {
      const { login } = await party(
        {},
        { clientId: undefined, ...config },
        {
          candidateUrl,
        },
      );
      const { asked, code } = await logIn(login);
      return asked?.get("client_id") ?? code;
    };

    expect(await id({})).toBe(candidateUrl);
    expect(await id({ clientId: "c" })).toBe("c");
    expect(await id({ clientMetadataUrl: "https://me.example/c.json" })).toBe(
      "https://me.example/c.json",
    );
    expect(await id({ clientMetadataUrl: false })).toBe("registration_required");
  },
);

test("a configuration that cannot be used is refused without showing its values", () => {
  for (const [config, code] of [
    [{ url: "http://example.com/mcp" }, "insecure_url"],
    [{ url: "https://canary:canary@example.com/" }, "credential_in_url"],
    [{ url: "https://example.com/", redirectPort: 65_536 }, "invalid_config"],
    [{ url: "https://example.com/", loginTimeoutMs: 9_999 }, "invalid_config"],
    [{ url: "https://example.com/", loginTimeoutMs: 1_800_001 }, "invalid_config"],
    [{ url: "https://example.com/", clientMetadataUrl: "http://a.example/c" }, "invalid_config"],
    [{ url: "https://example.com/", clientSecretFrom: { env: "A" } }, "invalid_config"],
    [{ url: "https://example.com/", canary: 1 }, "invalid_config"],
  ] as const) {
    const { error } = oauth(config as Parameters<typeof oauth>[0]);
    expect(error?.code).toBe(code);
    expect(error?.message).not.toContain("canary:");
  }
  expect(createOAuth({ url: "https://example.com/mcp" }).error).toBeUndefined();
});
