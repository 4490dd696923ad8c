import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Members = Record<string, unknown>;

/** What differs from a server that does everything right; each is one fault, or one way to be right. */
export interface Ways {
  /** Members laid over the resource's metadata, or a status in its place. */
  resource?: Members | number;
  /** Members laid over the authorization server's metadata, or a status in its place. */
  server?: Members | number;
  /** The path of the issuer; its metadata is then only where RFC 8414 wants it. */
  issuerPath?: string;
  /** Changes the answer that goes to the redirect URI. */
  answer?: (answer: URLSearchParams) => void;
  /** Replaces what the token endpoint says: a status and a body, or "cut" for no answer at all. */
  token?: (body: URLSearchParams) => TokenWay | Promise<TokenWay>;
  lifetimeS?: number;
  revocationStatus?: number;
  /** Scopes without which a tool call is refused, until they are granted. */
  toolScope?: string;
  /** More parameters of the challenge that comes with a 401. */
  challenge?: string;
}

type TokenWay = { status: number; body: Members } | "cut" | undefined;

export interface Seen {
  readonly path: string;
  readonly method: string;
  readonly body: URLSearchParams | Members;
  readonly authorization: string | undefined;
}

interface Code {
  readonly challenge: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resource: string;
  readonly scope: string;
}

/** A real authorization server and the resource it guards, on one loopback port. Refresh tokens rotate. */
export async function startAuthorization(ways: Ways = {}) {
  const seen: Seen[] = [];
  const codes = new Map<string, Code>();
  const access = new Map<string, string>();
  const refresh = new Map<string, { scope: string; used: boolean }>();
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const issuer = `${origin}${ways.issuerPath ?? ""}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    const text = await textOf(request);
    const json = request.headers["content-type"]?.startsWith("application/json");
    const body = json ? (JSON.parse(text) as Members) : new URLSearchParams(text);
    const { authorization } = request.headers;
    seen.push({ path: url.pathname, method: request.method ?? "", body, authorization });
    const form = body instanceof URLSearchParams ? body : new URLSearchParams();
    switch (url.pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return publish(response, ways.resource, {
          resource: `${origin}/mcp`,
          authorization_servers: [issuer],
        });
      case `/.well-known/oauth-authorization-server${ways.issuerPath ?? ""}`:
        return publish(response, ways.server, metadata());
      case "/authorize":
        return authorize(response, url.searchParams);
      case "/token":
        return tokens(response, form);
      case "/register":
        return publish(response, 201, { client_id: "registered-1" });
      case "/revoke":
        refresh.delete(form.get("token") ?? "");
        return publish(response, ways.revocationStatus ?? 200, {});
      case "/mcp":
        return serve(response, authorization?.replace("Bearer ", ""), body as Members);
      default:
        return publish(response, 404, {});
    }
  }

  /** The guarded server itself: revision 2025-11-25, one tool. */
  function serve(response: ServerResponse, token: string | undefined, message: Members): void {
    const refuse = (status: number, challenge: string): void =>
      void response.writeHead(status, { "www-authenticate": challenge }).end();
    const scope = access.get(token ?? "");
    if (scope === undefined) return refuse(401, `Bearer realm="r"${ways.challenge ?? ""}`);
    const { id, method } = message;
    const { toolScope } = ways;
    if (method === "tools/call" && toolScope && !scope.split(" ").includes(toolScope)) {
      return refuse(403, `Bearer error="insufficient_scope", scope="${toolScope}"`);
    }
    if (id === undefined) return void response.writeHead(202).end();
    const results: Record<string, Members> = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "guarded", version: "1" },
      },
      "tools/list": { tools: [{ name: "act", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: "acted" }] },
    };
    publish(response, 200, { jsonrpc: "2.0", id, result: results[String(method)] });
  }

  function metadata(): Members {
    return {
      issuer,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      revocation_endpoint: `${origin}/revoke`,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    };
  }

  function authorize(response: ServerResponse, asked: URLSearchParams): void {
    const get = (name: string): string => asked.get(name) ?? "";
    const code = randomBytes(9).toString("hex");
    codes.set(code, {
      challenge: get("code_challenge_method") === "S256" ? get("code_challenge") : "",
      clientId: get("client_id"),
      redirectUri: get("redirect_uri"),
      resource: get("resource"),
      scope: get("scope"),
    });
    const answer = new URLSearchParams({ code, state: get("state"), iss: issuer });
    ways.answer?.(answer);
    response.writeHead(302, { location: `${get("redirect_uri")}?${answer.toString()}` }).end();
  }

  async function tokens(response: ServerResponse, form: URLSearchParams): Promise<void> {
    const replaced = await ways.token?.(form);
    if (replaced === "cut") return void response.destroy();
    if (replaced) return publish(response, replaced.status, replaced.body);
    const scope = form.get("grant_type") === "refresh_token" ? rotate(form) : redeem(form);
    if (scope === undefined) return publish(response, 400, { error: "invalid_grant" });
    const given = {
      access: randomBytes(9).toString("hex"),
      refresh: randomBytes(9).toString("hex"),
    };
    access.set(given.access, scope);
    refresh.set(given.refresh, { scope, used: false });
    publish(response, 200, {
      access_token: given.access,
      refresh_token: given.refresh,
      token_type: "Bearer",
      expires_in: ways.lifetimeS ?? 3_600,
      ...(scope !== "" && { scope }),
    });
  }

  function redeem(form: URLSearchParams): string | undefined {
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    const fits =
      code !== undefined &&
      createHash("sha256").update(verifier).digest("base64url") === code.challenge &&
      form.get("redirect_uri") === code.redirectUri &&
      form.get("resource") === code.resource;
    return fits ? code.scope : undefined;
  }

  /** A refresh token that comes a second time has leaked: the whole family ends. */
  function rotate(form: URLSearchParams): string | undefined {
    const known = refresh.get(form.get("refresh_token") ?? "");
    if (!known || known.used) {
      refresh.clear();
      access.clear();
      return undefined;
    }
    known.used = true;
    return known.scope;
  }

  return {
    origin,
    issuer,
    url: `${origin}/mcp`,
    seen,
    count: (path: string) => seen.filter((request) => request.path === path).length,
    accepts: (token: string) => access.has(token),
    /** Ends every access token before its time; refresh tokens go on. */
    endAccess: () => access.clear(),
  };
}

export type Authorization = Awaited<ReturnType<typeof startAuthorization>>;

/** What a person's browser does: opens the address and follows it back. Returns where it was sent. */
export async function visit(authorizationUrl: string): Promise<string> {
  const response = await fetch(authorizationUrl, { redirect: "manual" });
  return response.headers.get("location") ?? "";
}

function publish(
  response: ServerResponse,
  way: Members | number | undefined,
  right: Members,
): void {
  const status = typeof way === "number" ? way : 200;
  const over = typeof way === "object" ? way : {};
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ ...right, ...over }));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
