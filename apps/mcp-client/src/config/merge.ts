import { isMembers, type Members } from "../protocol/json-rpc.ts";

const MERGED_BY_NAME = ["env", "envFrom"] as const;

/**
 * Lays an override over a configuration: fields are replaced, `env`, `envFrom` and `inheritEnv` are merged by
 * name. An override that starts another command gets none of the variables meant for the first.
 */
export function mergeConfig(base: Members, override: Members): Members {
  const moved = override["command"] !== undefined && override["command"] !== base["command"];
  const { env, envFrom, inheritEnv, ...fields } = base;
  const kept: Members = moved ? fields : { ...fields, env, envFrom, inheritEnv };
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
