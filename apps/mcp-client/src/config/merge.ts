import { isMembers, type Members } from "../protocol/json-rpc.ts";

const MERGED_BY_NAME = ["env", "envFrom", "headers", "headersFrom"] as const;
/** What was meant for one target and must not reach another. */
const BOUND_TO_TARGET = [
  "env",
  "envFrom",
  "inheritEnv",
  "headers",
  "headersFrom",
  "authToken",
  "authTokenFrom",
  "oauth",
] as const;
/** Ways to authorise, of which a server has one. */
const AUTHORISATIONS = ["authToken", "authTokenFrom", "oauth"] as const;

/**
 * Lays an override over a configuration: fields are replaced, variables and headers are merged by name. An
 * override that starts another command, or goes to another origin, gets nothing that was meant for the first.
 */
export function mergeConfig(base: Members, override: Members): Members {
  const kept = { ...base };
  if (isMoved(base, override)) for (const field of BOUND_TO_TARGET) delete kept[field];
  if (AUTHORISATIONS.some((field) => override[field] !== undefined)) {
    for (const field of AUTHORISATIONS) delete kept[field];
  }
  // Credentials of one proxy are none of another's.
  if (override["proxy"] !== undefined && override["proxy"] !== kept["proxy"]) {
    delete kept["proxyFrom"];
  }
  dropReplacedHeaders(kept, override);
  const merged: Members = { ...kept, ...override };
  for (const field of MERGED_BY_NAME) {
    if (isMembers(kept[field]) && isMembers(override[field])) {
      merged[field] = { ...kept[field], ...override[field] };
    }
  }
  const [names, more] = [kept["inheritEnv"], override["inheritEnv"]];
  if (Array.isArray(names) && Array.isArray(more)) {
    merged["inheritEnv"] = [...new Set([...names, ...more])];
  }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

function isMoved(base: Members, override: Members): boolean {
  if (override["command"] !== undefined && override["command"] !== base["command"]) return true;
  return override["url"] !== undefined && originOf(override["url"]) !== originOf(base["url"]);
}

/** What is no URL has an origin of its own, so that nothing is carried to it. */
function originOf(url: unknown): unknown {
  return (typeof url === "string" ? URL.parse(url)?.origin : undefined) ?? Symbol("no origin");
}

/** A header has one value, whatever its case and wherever it is taken from. */
function dropReplacedHeaders(kept: Members, override: Members): void {
  const replaced = new Set(
    ["headers", "headersFrom"].flatMap((field) => {
      const named = override[field];
      return isMembers(named) ? Object.keys(named).map((name) => name.toLowerCase()) : [];
    }),
  );
  if (replaced.size === 0) return;
  for (const field of ["headers", "headersFrom"]) {
    const named = kept[field];
    if (!isMembers(named)) continue;
    kept[field] = Object.fromEntries(
      Object.entries(named).filter(([name]) => !replaced.has(name.toLowerCase())),
    );
  }
}
