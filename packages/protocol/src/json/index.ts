export type { ConfigProblem } from "./config-problem.ts";
export type { ConfigFileOptions, ConfigFileResult } from "./read-config-file.ts";
export type { FilePrivacy, FileRefusalCode } from "./private-file.ts";
export type { StandardIssue, StandardResult, StandardSchema } from "../standard-schema.ts";
export type {
  StrictJsonCode,
  StrictJsonFault,
  StrictJsonOptions,
  StrictJsonResult,
} from "./read-strict-json.ts";
export { readConfigFile } from "./read-config-file.ts";
export { readStrictJson } from "./read-strict-json.ts";
