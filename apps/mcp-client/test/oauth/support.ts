import { temporaryDirectory } from "@postern/testing";
import { onTestFinished } from "vitest";
import { unwrap } from "../../src/index.ts";
import { oauth, type OAuth, type OAuthConfig } from "../../src/oauth/index.ts";
import { oauthWith } from "../../src/oauth/create.ts";
import {
  startAuthorization,
  visit,
  type Authorization,
  type Ways,
} from "./authorization-server.ts";

export const redirectUri = "http://127.0.0.1:9/oauth/callback";

export interface Party {
  readonly server: Authorization;
  readonly login: OAuth;
  /** Another object with the same configuration, as another process would make it. */
  readonly again: (config?: Changes) => OAuth;
}

type Changes = { [Field in keyof OAuthConfig]?: OAuthConfig[Field] | undefined };

/** A server and a login at it that is known there as "client-1". */
export async function party(
  ways: Ways = {},
  config: Changes = {},
  o: { storeName?: string; candidateUrl?: string } = {},
): Promise<Party> {
  const server = await startAuthorization(ways);
  const make = (other: Changes = {}): OAuth => {
    const full = { url: server.url, clientId: "client-1", ...config, ...other } as OAuthConfig;
    const made = o.candidateUrl
      ? oauthWith(full, o.storeName, o.candidateUrl)
      : oauth(full, o.storeName);
    const login = unwrap(made);
    onTestFinished(() => login.close());
    return login;
  };
  return { server, login: make(), again: make };
}

/** Logs in without a browser; gives the error's code or what is known of the login. */
export async function logIn(login: OAuth, o: Partial<Parameters<OAuth["begin"]>[0]> = {}) {
  const begun = await login.begin({ redirectUri, ...o });
  if (begun.error) return { code: begun.error.code, error: begun.error };
  const { authorizationUrl } = begun.result;
  const asked = new URL(authorizationUrl).searchParams;
  const finished = await begun.result.finish(await visit(authorizationUrl));
  if (finished.error) return { code: finished.error.code, error: finished.error, asked };
  return { code: undefined, state: finished.result, asked };
}

/** Puts sealed stores into a directory of the running test. */
export function ownStateDirectory(): string {
  const directory = temporaryDirectory();
  const before = process.env["XDG_STATE_HOME"];
  process.env["XDG_STATE_HOME"] = directory;
  onTestFinished(() => {
    if (before === undefined) delete process.env["XDG_STATE_HOME"];
    else process.env["XDG_STATE_HOME"] = before;
  });
  return directory;
}

/** The token a transport would send, or the code of why there is none. */
export async function tokenOf(login: OAuth): Promise<string> {
  const access = await login.access();
  return access.kind === "token" ? access.token.reveal() : access.error.code;
}
