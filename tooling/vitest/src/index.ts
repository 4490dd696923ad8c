export { eventually } from "./eventually.ts";
export { proves, type ProofTitle } from "./proves.ts";
export { temporaryDirectory } from "./temporary-directory.ts";
export { requirePart } from "./require-part.ts";
