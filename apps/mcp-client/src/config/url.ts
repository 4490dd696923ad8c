export type UrlProblem = {
  readonly code: "invalid_config" | "insecure_url" | "credential_in_url";
  readonly why: string;
};

export type CheckedUrl = { kind: "ok"; url: URL } | { kind: "refused"; problem: UrlProblem };

/** Judges the address of a server. The address itself is never part of the answer: it may hold a secret. */
export function checkServerUrl(text: string): CheckedUrl {
  const checked = checkUrl(text);
  if (checked.kind === "refused") return checked;
  const { protocol, hostname, searchParams } = checked.url;
  if ([...searchParams.keys()].some((name) => name.toLowerCase() === "access_token")) {
    return refuse("credential_in_url", "it holds an access token; use authTokenFrom");
  }
  if (protocol === "http:" && !isLoopback(hostname)) {
    return refuse("insecure_url", "http is for 127.0.0.0/8, [::1] and localhost; use https");
  }
  return checked;
}

/** Judges the address of a proxy. */
export function checkProxyUrl(text: string): CheckedUrl {
  return checkUrl(text);
}

function checkUrl(text: string): CheckedUrl {
  const url = URL.parse(text);
  if (!url) return refuse("invalid_config", "it is no URL");
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refuse("invalid_config", "it is neither https nor http");
  }
  if (url.username !== "" || url.password !== "") {
    return refuse("credential_in_url", "it holds a user name or password");
  }
  return { kind: "ok", url };
}

function refuse(code: UrlProblem["code"], why: string): CheckedUrl {
  return { kind: "refused", problem: { code, why } };
}

/** Whether a URL's host is one this machine alone can answer. */
export function isLoopback(hostname: string): boolean {
  // URL has brought every spelling of an IPv4 address into this one.
  return /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === "[::1]" || hostname === "localhost";
}

/** Query names whose values are probably secrets and would end up in logs of servers and proxies. */
export function secretLikeQueryNames(url: URL): string[] {
  const names = new Set(url.searchParams.keys());
  return [...names].filter((name) => /token|secret|passw|key|auth|sig|credential/i.test(name));
}
