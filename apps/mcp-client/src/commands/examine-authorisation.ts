import { ClientError } from "../errors.ts";
import type { Failure } from "../client/failure.ts";
import type { Finding } from "./doctor.ts";

const CODES: ReadonlySet<string> = new Set(["auth_required", "insufficient_scope", "forbidden"]);

/** Whether a server turned this client away for want of an authorisation. */
export function wantsAuthorisation({ error }: Failure): boolean {
  return CODES.has(error.code);
}

/** What a server that wants an authorisation says about where one is had. Nobody is logged in. */
export async function examineAuthorisation(
  { sensitive }: Failure,
  url: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const check = "authorization";
  const challenge = sensitive?.challenge;
  const named = /\bresource_metadata="([^"]{1,2048})"/i.exec(challenge ?? "")?.[1];
  const first: Finding =
    challenge === undefined
      ? {
          status: "warn",
          check,
          message: "the refusal has no WWW-Authenticate header",
          clause: "Authorization, Protected Resource Metadata Discovery",
        }
      : {
          status: "ok",
          check,
          message: `wanted; the challenge ${named === undefined ? "names no metadata" : "names the metadata"}`,
        };
  return [first, await examineMetadata(new URL(url), named, signal)];
}

async function examineMetadata(
  endpoint: URL,
  resourceMetadataUrl: string | undefined,
  signal: AbortSignal,
): Promise<Finding> {
  const check = "OAuth metadata";
  const [{ oauthHttp }, { discover }] = await Promise.all([
    import("../oauth/http.ts"),
    import("../oauth/discovery.ts"),
  ]);
  try {
    const http = oauthHttp({ endpoint, allowPrivateNetwork: false, signal });
    const found = await discover(http, { endpoint, resourceMetadataUrl, issuer: undefined });
    const { origin } = new URL(found.issuer);
    return { status: "ok", check, message: `issuer at ${origin}, PKCE with S256` };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const clause = "Authorization, Authorization Server Discovery";
    return { status: "fail", check, message: `${error.code}: ${error.message}`, clause };
  }
}
