export type {
  StrictJsonCode,
  StrictJsonFault,
  StrictJsonOptions,
  StrictJsonResult,
} from "./read-strict-json.ts";
export { readStrictJson } from "./read-strict-json.ts";
