import { systemCode } from "./system-error.ts";

/** Why a process was not started. None of these can mean that it ran. */
export type SpawnCode =
  | "cancelled"
  | "executable_missing"
  | "not_permitted"
  | "bad_interpreter"
  | "text_busy"
  | "arguments_too_long"
  | "invalid_argument"
  | "too_many_processes"
  | "too_many_files"
  | "out_of_memory"
  | "directory_missing"
  | "directory_changed"
  | "identity_changed"
  | "tier_unavailable"
  | "spawn_failed";

const SPAWN_CODES: Readonly<Record<string, SpawnCode>> = {
  // The program was seen right before, so what is missing is its `#!` line's program or its loader.
  ENOENT: "bad_interpreter",
  ENOEXEC: "bad_interpreter",
  ELIBBAD: "bad_interpreter",
  ENOTDIR: "bad_interpreter",
  EACCES: "not_permitted",
  EPERM: "not_permitted",
  ETXTBSY: "text_busy",
  E2BIG: "arguments_too_long",
  EAGAIN: "too_many_processes",
  EMFILE: "too_many_files",
  ENFILE: "too_many_files",
  ENOMEM: "out_of_memory",
  ERR_INVALID_ARG_TYPE: "invalid_argument",
  ERR_INVALID_ARG_VALUE: "invalid_argument",
};

/** Names the cause of a failed spawn, given that directory and program were checked right before it. */
export function spawnCodeOf(error: unknown): SpawnCode {
  return SPAWN_CODES[systemCode(error)] ?? "spawn_failed";
}
