import {
  createToken,
  httpGuard,
  type HttpGuardOptions,
  type RefusalReason,
  type TokenRecord,
} from "@postern/endpoint-auth";
import { proves } from "@postern/testing";
import { expect, test } from "vitest";

const host = "127.0.0.1:4000";
const { token, record } = createToken("ptm", { subject: "laptop", scopes: ["read"], createdAt: 0 });
const good = { host: [host], authorization: [`Bearer ${token.reveal()}`] };

type Verdict = Awaited<ReturnType<ReturnType<typeof httpGuard>>>;

interface Judged {
  readonly judge: (headers: Record<string, readonly string[]>) => Promise<Verdict>;
  readonly reasons: RefusalReason[];
  readonly asked: string[];
}

function guardOf(options: Partial<HttpGuardOptions> = {}, known: TokenRecord = record): Judged {
  const reasons: RefusalReason[] = [];
  const asked: string[] = [];
  const guard = httpGuard({
    hosts: () => [host, "localhost:4000"],
    origins: () => [`http://${host}`],
    findToken: async (sha256) => {
      asked.push(sha256);
      return sha256 === known.sha256 ? known : undefined;
    },
    scopes: ["read"],
    now: () => 100_000,
    onRefusal: (reason) => reasons.push(reason),
    ...options,
  });
  const judge = (headers: Record<string, readonly string[]>): Promise<Verdict> =>
    guard({ method: "POST", path: "/mcp", headers, remoteAddress: "127.0.0.1", connection: {} });
  return { judge, reasons, asked };
}

const hosts: readonly (readonly string[])[] = [
  [],
  ["127.0.0.1"],
  ["127.0.0.1:4001"],
  ["127.0.0.1:4000."],
  ["127.0.0.1.:4000"],
  [" 127.0.0.1:4000"],
  ["127.0.0.1:04000"],
  ["2130706433:4000"],
  ["127.1:4000"],
  ["LOCALHOST:4000"],
  ["localhost:4000.evil.example"],
  ["evil.example"],
  ["evil.example:4000"],
  ["user@127.0.0.1:4000"],
  ["[::1]:4000"],
  ["127.0.0.1:4000", "127.0.0.1:4000"],
  ["127.0.0.1:4000, evil.example"],
];

proves("AUTH-18", "a Host that is not one of ours byte for byte is refused", async () => {
  const { judge, reasons } = guardOf();

  const verdicts = await Promise.all(hosts.map((values) => judge({ ...good, host: values })));

  expect(verdicts.map((verdict) => !verdict.ok && [verdict.status, verdict.code])).toEqual(
    hosts.map(() => [403, "host_refused"]),
  );
  expect(new Set(reasons)).toEqual(new Set(["host_refused"]));
  expect((await judge({ ...good, host: ["localhost:4000"] })).ok).toBe(true);
});

const origins: readonly (readonly string[])[] = [
  [""],
  ["null"],
  ["http://127.0.0.1"],
  ["http://127.0.0.1:4001"],
  ["http://127.0.0.1:40000"],
  ["https://127.0.0.1:4000"],
  ["http://127.0.0.1:4000/"],
  ["HTTP://127.0.0.1:4000"],
  ["http://localhost:3000"],
  ["http://127.0.0.1:4000@evil.example"],
  ["http://127.0.0.1:4000.evil.example"],
  ["chrome-extension://127.0.0.1:4000"],
  ["http://127.0.0.1:4000", "http://127.0.0.1:4000"],
];

proves(
  "AUTH-18",
  "an Origin that is not ours byte for byte is refused, its port included",
  async () => {
    const { judge } = guardOf();

    const verdicts = await Promise.all(origins.map((origin) => judge({ ...good, origin })));

    expect(verdicts.map((verdict) => !verdict.ok && [verdict.status, verdict.code])).toEqual(
      origins.map(() => [403, "origin_refused"]),
    );
    expect((await judge({ ...good, origin: [`http://${host}`] })).ok).toBe(true);
    expect((await judge(good)).ok).toBe(true);
  },
);

proves("AUTH-18", "what proxies add about other hosts changes nothing", async () => {
  const { judge } = guardOf();
  const claims = { "x-forwarded-host": [host], forwarded: [`host="${host}"`] };

  const verdict = await judge({ ...good, ...claims, host: ["evil.example"] });

  expect(verdict).toMatchObject({ ok: false, code: "host_refused" });
});

proves("AUTH-19", "Host, Origin, token and scope are judged in this order", async () => {
  const { judge, reasons, asked } = guardOf({ scopes: ["write"] });

  await judge({ host: ["evil.example"], origin: ["http://evil.example"] });
  await judge({ host: [host], origin: ["http://evil.example"] });
  await judge({ host: [host] });
  await judge(good);

  expect(reasons).toEqual(["host_refused", "origin_refused", "no_token", "insufficient_scope"]);
  expect(asked).toEqual([record.sha256]);
});

proves(["AUTH-17", "AUTH-15"], "no token and a bad one get the standard challenges", async () => {
  const resourceMetadataUrl = "http://127.0.0.1:4000/.well-known/oauth-protected-resource";
  const { judge } = guardOf({ resourceMetadataUrl });
  const other = createToken("ptm", { subject: "x", scopes: [], createdAt: 0 }).token.reveal();

  const none = await judge({ host: [host] });
  const bad = await judge({ host: [host], authorization: [`Bearer ${other}`] });
  const twice = await judge({ ...good, authorization: [...good.authorization, "Bearer x"] });
  const basic = await judge({ ...good, authorization: [`Basic ${token.reveal()}`] });

  const metadata = `resource_metadata="${resourceMetadataUrl}"`;
  expect(none).toMatchObject({
    status: 401,
    headers: { "www-authenticate": `Bearer realm="postern", ${metadata}` },
  });
  expect(bad).toMatchObject({
    status: 401,
    headers: { "www-authenticate": `Bearer realm="postern", error="invalid_token", ${metadata}` },
  });
  expect(twice).toEqual(none);
  expect(basic).toEqual(none);
});

proves(
  ["AUTH-17", "AUTH-16"],
  "unknown, mistyped, expired and revoked tokens look alike outside and apart in the log",
  async () => {
    const other = createToken("ptm", { subject: "x", scopes: [], createdAt: 0 }).token.reveal();
    const unknown = guardOf();
    const expired = guardOf({}, { ...record, expiresAt: 100_000 });
    const revoked = guardOf({}, { ...record, revokedAt: 100_000 });
    const mistyped = token.reveal().slice(0, -1);

    const answers = [
      await unknown.judge({ ...good, authorization: [`Bearer ${other}`] }),
      await unknown.judge({ ...good, authorization: [`Bearer ${mistyped}`] }),
      await expired.judge(good),
      await revoked.judge(good),
    ];

    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect([...unknown.reasons, ...expired.reasons, ...revoked.reasons]).toEqual([
      "unknown_token",
      "malformed_token",
      "expired_token",
      "revoked_token",
    ]);
    expect(unknown.asked).toHaveLength(1);
  },
);

proves(
  "AUTH-16",
  "expiry and revocation hold from the next request, to the millisecond",
  async () => {
    let now = 99_999;
    let known: TokenRecord = { ...record, expiresAt: 100_000 };
    const { judge } = guardOf({ now: () => now, findToken: async () => known });

    const before = await judge(good);
    now = 100_000;
    const at = await judge(good);
    known = record;
    const renewed = await judge(good);
    known = { ...record, revokedAt: 100_000 };
    const revoked = await judge(good);

    expect([before.ok, at.ok, renewed.ok, revoked.ok]).toEqual([true, false, true, false]);
  },
);

proves("AUTH-16", "scopes are exact, and bring others only where that is said", async () => {
  const held = (scopes: readonly string[]): Judged =>
    guardOf(
      { scopes: ["pro:read"], implies: { "pro:admin": ["pro:write"], "pro:write": ["pro:read"] } },
      { ...record, scopes },
    );

  const near = await Promise.all(
    ["pro:rea", "pro:reads", "pro:*", "pro", "PRO:READ", "__proto__"].map((scope) =>
      held([scope]).judge(good),
    ),
  );
  const implied = await held(["pro:admin"]).judge(good);

  expect(near.map((verdict) => !verdict.ok && verdict.code)).toEqual(
    near.map(() => "insufficient_scope"),
  );
  expect(implied).toEqual({
    ok: true,
    principal: { subject: "laptop", scopes: ["pro:admin", "pro:write", "pro:read"] },
  });
});

proves("AUTH-17", "a missing scope is told with all that are needed", async () => {
  const { judge } = guardOf({ scopes: ["read", "write"] });

  const verdict = await judge(good);

  expect(verdict).toMatchObject({
    status: 403,
    code: "insufficient_scope",
    headers: {
      "www-authenticate": 'Bearer realm="postern", error="insufficient_scope", scope="read write"',
    },
  });
});

proves("AUTH-15", "the last use is noted at most once a minute", async () => {
  const uses: string[] = [];
  let now = 100_000;
  const { judge } = guardOf({
    now: () => now,
    onUse: ({ id }) => uses.push(`${id} ${String(now)}`),
  });

  await judge(good);
  now = 159_999;
  await judge(good);
  now = 160_000;
  await judge(good);

  expect(uses).toEqual([`${record.id} 100000`, `${record.id} 160000`]);
});

proves("AUTH-19", "Basic credentials are judged by their password alone", async () => {
  const { judge } = guardOf({ scheme: "basic" });
  const basic = (pair: string): readonly string[] => [
    `Basic ${Buffer.from(pair).toString("base64")}`,
  ];

  const right = await judge({ host: [host], authorization: basic(`any:${token.reveal()}`) });
  const wrong = await judge({ host: [host], authorization: basic("any:wrong") });
  const bearer = await judge(good);

  expect(right.ok).toBe(true);
  expect(wrong).toMatchObject({
    status: 401,
    headers: { "www-authenticate": 'Basic realm="postern", charset="UTF-8"' },
  });
  expect(bearer).toEqual(wrong);
});

test("no refusal repeats what was sent", async () => {
  const { judge } = guardOf({ scopes: ["write"] });

  const verdicts = [
    await judge({ ...good, host: ["canary.example"] }),
    await judge({ ...good, origin: ["http://canary.example"] }),
    await judge({ host: [host], authorization: ["Bearer canary"] }),
    await judge(good),
  ];

  expect(JSON.stringify(verdicts)).not.toMatch(/canary|ptm_/);
});
