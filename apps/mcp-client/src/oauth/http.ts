import { networksOf, oauthFetch, type OAuthRequest } from "../transport/http/oauth-fetch.ts";

/** Requests of one login or refresh, all under one policy on addresses. */
export interface OAuthHttp {
  readonly get: (url: URL) => Promise<Response>;
  /** In the form that oauth4webapi takes. */
  readonly fetch: (url: string, request: SentRequest) => Promise<Response>;
}

type SentRequest = Omit<OAuthRequest, "body"> & { readonly body?: string | URLSearchParams };

export interface OAuthHttpOptions {
  readonly endpoint: URL;
  readonly allowPrivateNetwork: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/** A server on a private network may send this client to others there; one outside may not. */
export function oauthHttp({ endpoint, allowPrivateNetwork, ...o }: OAuthHttpOptions): OAuthHttp {
  let allowed: Promise<boolean> | undefined;
  const send = async (url: URL, request: OAuthRequest): Promise<Response> => {
    allowed ??= allowPrivateNetwork
      ? Promise.resolve(true)
      : networksOf(endpoint).then((kinds) => kinds.every((kind) => kind !== "public"));
    return oauthFetch(url, request, { ...o, allowPrivate: await allowed });
  };
  return {
    get: (url) => send(url, { headers: { accept: "application/json" } }),
    fetch: (url, { method, headers, body }) =>
      send(new URL(url), {
        method,
        headers,
        body: body?.toString(),
      }),
  };
}
