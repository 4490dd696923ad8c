export type { CapturedStream } from "./captured-stream.ts";
export type { Command } from "./command.ts";
export type {
  DirectoryCode,
  DirectoryResult,
  OpenDirectoryOptions,
  PinnedDirectory,
} from "./directory.ts";
export type { ChildEnvironment, EnvironmentParts } from "./environment.ts";
export type { ExecSandboxErrorCode } from "./errors.ts";
export type {
  ExecutableCode,
  ExecutableResult,
  ResolvedExecutable,
  ResolveOptions,
} from "./executable.ts";
export type { ProgramKind } from "./executable-kind.ts";
export type { LongProcess, StartOptions, StartResult } from "./long-process.ts";
export type { BrowserOutcome } from "./open-in-browser.ts";
export type { OutputListener, OutputStream } from "./output-feed.ts";
export type { SandboxTier } from "./preflight.ts";
export type { Survivor, SurvivorCheck } from "./process-tree.ts";
export type { RunnableCommand } from "./run-command.ts";
export type { RunOptions } from "./run-options.ts";
export type { Ran, RunOutcome } from "./run-outcome.ts";
export type { ChildExit } from "./spawn-child.ts";
export type { SpawnCode } from "./spawn-code.ts";
export type { StopStep, SurvivorPolicy, TreeEnd } from "./tree-end.ts";
export { renderCaptured } from "./captured-stream.ts";
export { openDirectory } from "./directory.ts";
export { buildEnvironment, CLIENT_ENVIRONMENT } from "./environment.ts";
export { ExecSandboxError } from "./errors.ts";
export { resolveExecutable } from "./executable.ts";
export { closeInheritedDescriptors } from "./inherited-descriptors.ts";
export { startProcess } from "./long-process.ts";
export { openInBrowser } from "./open-in-browser.ts";
export { runCommand } from "./run-command.ts";
export { killAllRunning } from "./running.ts";
