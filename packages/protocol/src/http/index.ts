export type { GuardedRequest, GuardRefusal, HttpGuard } from "./guard.ts";
export type { McpMount, MountOptions } from "./mount.ts";
export { refuseUnknownPath } from "./admission.ts";
export { mountMcp } from "./mount.ts";
