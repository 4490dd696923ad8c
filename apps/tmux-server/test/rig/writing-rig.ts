import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { AnyContract, ArgumentsOf, JsonObject, OutputOf } from "@postern/protocol";
import { newRequestId } from "@postern/protocol";
import type { ToolBinding, ToolContext } from "@postern/protocol/server";
import { eventually, temporaryDirectory } from "@postern/testing";
import { onTestFinished } from "vitest";
import { configSchema } from "../../src/config.ts";
import type {
  executeAndWait,
  getPaneInfo,
  getReceipt,
  sendKeysTmux,
  writeTmuxPane,
} from "../../src/contract/index.ts";
import { openApp } from "../../src/open-app.ts";
import { executeAndWaitTool } from "../../src/tools/execute-and-wait.ts";
import { getPaneInfoTool } from "../../src/tools/get-pane-info.ts";
import { getReceiptTool } from "../../src/tools/get-receipt.ts";
import { sendKeysTmuxTool } from "../../src/tools/send-keys-tmux.ts";
import { writeTmuxPaneTool } from "../../src/tools/write-tmux-pane.ts";
import type { WriteApp } from "../../src/write-app.ts";
import { privateTmux, type PrivateTmux, type PrivateTmuxOptions } from "./private-tmux.ts";

/** The pane every rig starts with. */
export const work = { session: "work" };

const shells = {
  bash: ["bash", "--noprofile", "--norc", "-i"],
  dash: ["dash", "-i"],
  zsh: ["zsh", "-f"],
  fish: ["fish", "--private"],
} as const;

/** How to get the shells that a machine may lack. */
export const shellPackages = "apt-get install zsh fish, or brew install zsh fish";

/** A shell that rigs can start at its prompt. */
export type ShellName = keyof typeof shells;

/** What a caller may do besides waiting. */
interface CallerOptions {
  readonly signal?: AbortSignal;
  readonly meta?: JsonObject;
  readonly reportProgress?: ToolContext["reportProgress"];
}

type Caller<C extends AnyContract> = (
  args: ArgumentsOf<C>,
  options?: CallerOptions,
) => Promise<OutputOf<C>>;

export interface WritingTools {
  readonly write: Caller<typeof writeTmuxPane>;
  readonly press: Caller<typeof sendKeysTmux>;
  readonly run: Caller<typeof executeAndWait>;
  readonly info: Caller<typeof getPaneInfo>;
  readonly receipt: Caller<typeof getReceipt>;
}

export interface WritingRig extends PrivateTmux, WritingTools {
  readonly app: WriteApp;
  readonly state: string;
  /** Another server of the same user, as after a restart. */
  readonly another: (
    config?: JsonObject,
    environment?: JsonObject,
  ) => WritingTools & { readonly app: WriteApp };
}

export interface WritingOptions extends Omit<PrivateTmuxOptions, "command"> {
  /** The program of the pane; a shell waits at its prompt before the rig is there. @default bash */
  readonly program?: ShellName | readonly string[];
  readonly config?: JsonObject;
  readonly environment?: JsonObject;
}

/** A private tmux server and the writing tools over it, with a receipt store of their own. */
export async function writingRig(options: WritingOptions = {}): Promise<WritingRig> {
  const { program = "bash", config = {}, environment = {}, ...sizes } = options;
  const shell = typeof program === "string" ? shells[program] : program;
  const home = temporaryDirectory();
  const command = ["env", "PS1=$ ", "HISTFILE=/dev/null", `HOME=${home}`, ...shell];
  const server = await privateTmux({ ...sizes, command });
  const state = join(temporaryDirectory(), "state");
  const another: WritingRig["another"] = (otherConfig = config, otherEnvironment = environment) =>
    writingTools(server.socket, state, otherConfig, otherEnvironment);
  const tools = another();
  const rig = { ...server, ...tools, state, another };
  if (typeof program === "string") await atPrompt(rig);
  return rig;
}

/** Waits until the shell of the pane shows its prompt. */
export async function atPrompt({ info }: Pick<WritingTools, "info">): Promise<void> {
  await eventually(async () => (await info(work)).state === "prompt", { what: "the prompt" });
}

function writingTools(
  socket: string,
  state: string,
  config: JsonObject,
  environment: JsonObject,
): WritingTools & { readonly app: WriteApp } {
  const closing = new AbortController();
  const { app, book } = openApp({
    flags: {
      config: undefined,
      socket,
      socketName: undefined,
      write: true,
      readOnly: false,
      legacy: true,
      logLevel: "error",
    },
    config: configSchema.parse(config),
    configPath: "/nowhere/config.json",
    version: "1.2.3",
    environment: {
      PATH: process.env["PATH"],
      XDG_STATE_HOME: state,
      ...(environment as Record<string, string>),
    },
    log: () => undefined,
    closing: closing.signal,
  });
  onTestFinished(async () => {
    closing.abort();
    await book.close();
    await app.sign.close();
  });
  return {
    app,
    write: caller(writeTmuxPaneTool(app)),
    press: caller(sendKeysTmuxTool(app)),
    run: caller(executeAndWaitTool(app)),
    info: caller(getPaneInfoTool(app)),
    receipt: caller(getReceiptTool(app)),
  };
}

/** Calls a bound tool as the server does: arguments parsed, answer held against its schema. */
function caller<C extends AnyContract>({ contract, handle }: ToolBinding): Caller<C> {
  return async (args, options = {}) => {
    const { requestId, ...sentArguments } = args as JsonObject;
    const context = {
      principal: { subject: "user", scopes: [] },
      params: {},
      signal: options.signal ?? new AbortController().signal,
      revision: "2025-11-25",
      sentArguments,
      meta: options.meta ?? {},
      requestId: typeof requestId === "string" ? requestId : newRequestId(),
      requestIdMinted: requestId === undefined,
      reportProgress: options.reportProgress ?? (() => undefined),
    } as const;
    const output = await handle(contract.input.parse(args), context);
    return contract.output.parse(output) as OutputOf<C>;
  };
}

/** A pane whose program records every byte it gets. */
export interface RecordingPane {
  /** Waits until exactly this arrived, then forgets it. Fails with what arrived instead. */
  readonly received: (expected: string) => Promise<void>;
  readonly bytes: () => string;
}

/** Starts a recording program in a new session. */
export async function recordingPane(
  { tmux }: PrivateTmux,
  session: string,
  mode: "raw" | "bracketed" = "raw",
): Promise<RecordingPane> {
  const file = join(temporaryDirectory(), "received");
  const program = join(import.meta.dirname, "../fixtures/raw-reader.mjs");
  await tmux(
    "new-session",
    "-d",
    "-s",
    session,
    "-x",
    "100",
    "-y",
    "30",
    process.execPath,
    program,
    file,
    mode,
  );
  await eventually(async () =>
    (await tmux("capture-pane", "-p", "-t", session)).includes("reading"),
  );
  const bytes = (): string => readFileSync(file, "utf8");
  return {
    bytes,
    async received(expected) {
      await eventually(() => bytes().length >= expected.length, { what: "the bytes", everyMs: 3 });
      if (bytes() !== expected) {
        throw new Error(
          `Expected ${JSON.stringify(expected.slice(0, 500))}, got ${JSON.stringify(bytes().slice(0, 500))}`,
        );
      }
      truncateSync(file);
    },
  };
}
