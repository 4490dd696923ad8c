export type { EndpointCode } from "./endpoint-code.ts";
export type { PrivateDirectoryOutcome } from "./private-directory.ts";
export { openPrivateDirectory } from "./private-directory.ts";
export { equalSecret, Secret } from "./secret.ts";
