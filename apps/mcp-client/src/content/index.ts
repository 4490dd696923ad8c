export type { LeftOut } from "./limits.ts";
export type { Prepared, PreparedFile, PrepareOptions } from "./prepare.ts";
export { content } from "./content.ts";
