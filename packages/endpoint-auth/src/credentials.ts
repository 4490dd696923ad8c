import { Secret } from "./secret.ts";

/** The token in the values of the Authorization header, if there is one header and it has the right scheme. */
export function readCredentials(
  values: readonly string[],
  scheme: "bearer" | "basic",
): Secret | undefined {
  const [value, ...more] = values;
  // Two headers could mean one thing to a proxy and another one here.
  if (value === undefined || more.length > 0) return undefined;
  const [, name, credentials] = /^([A-Za-z]+) +([A-Za-z0-9\-._~+/]+=*)$/.exec(value) ?? [];
  if (name?.toLowerCase() !== scheme || credentials === undefined) return undefined;
  if (scheme === "bearer") return new Secret(credentials);
  const pair = Buffer.from(credentials, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon === -1 ? undefined : new Secret(pair.slice(colon + 1));
}
