import { readFileSync } from "node:fs";
import { join } from "node:path";
import { unwrap } from "@postern/mcp-client";
import { newRequestId } from "@postern/protocol";
import type { Printer } from "./print.ts";
import type { Stage } from "./stage.ts";

type Answer = Readonly<Record<string, unknown>>;

/** Drives tmux-server through mcp-client as an agent would; throws at the first answer that is not what it should be. */
export async function tmuxTour(stage: Stage, print: Printer): Promise<void> {
  const call = async (tool: string, args: object = {}): Promise<Answer> => {
    const startedAt = performance.now();
    const reply = unwrap(await stage.client.callTool(tool, args));
    const elapsedMs = performance.now() - startedAt;
    if (reply.kind !== "complete") throw new Error(`${tool} did not complete.`);
    const answer = reply.structuredContent as Answer;
    print.exchange({ call: `${tool} ${JSON.stringify(args)}`, answer, elapsedMs });
    return answer;
  };

  print.line("Postern, tmux-server: an agent and you look at the same terminal.");
  print.line("A private tmux server was started for this tour; yours is not touched.");

  print.heading("1. The agent sees the sessions you allowed");
  const { sessions } = await call("get_tmux_sessions");
  expectEqual(
    "the session list",
    (sessions as { name: string }[]).map(({ name }) => name),
    ["demo"],
  );

  print.heading("2. You work; it reads");
  await stage.person("send-keys", "-t", "demo", "echo hello from the person", "Enter");
  await settled(stage, "hello from the person");
  const first = await call("read_tmux_pane", { session: "demo" });
  expectEqual("the first read", (first["new_lines"] as string[]).at(-1), "hello from the person");

  print.heading("3. You allowed writing, so it may run a command and gets the real exit code");
  const run = await call("execute_and_wait", { session: "demo", command: "ls /nowhere" });
  expectEqual("the outcome and exit code", [run["outcome"], run["exit_code"]], ["completed", 2]);

  print.heading("4. A second read returns only what is new");
  const second = await call("read_tmux_pane", { session: "demo" });
  expectEqual(
    "lines seen before",
    (second["new_lines"] as string[]).includes("hello from the person"),
    false,
  );

  print.heading("5. You scroll back in copy mode: it refuses to type blind");
  await stage.person("copy-mode", "-t", "demo");
  const refused = await call("write_tmux_pane", { session: "demo", text: "echo typed blind\n" });
  expectEqual("the refusal", (refused["error"] as Answer)["code"], "pane_in_mode");
  await stage.person("send-keys", "-t", "demo", "-X", "cancel");

  print.heading("6. The same requestId twice: one effect, the same answer");
  const requestId = newRequestId();
  const request = { session: "demo", command: "echo done >> effects", requestId };
  const original = await call("execute_and_wait", request);
  const replayed = await call("execute_and_wait", request);
  expectEqual("the replayed answer", replayed, original);
  const effects = readFileSync(join(stage.folder, "effects"), "utf8");
  expectEqual("lines in the file the command appends to", effects, "done\n");
  print.line("    The file that the command appends to has one line.");
}

/** Waits until the person's pane shows the text on a line of its own. */
async function settled(stage: Stage, text: string): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!(await stage.person("capture-pane", "-p", "-t", "demo")).split("\n").includes(text)) {
    if (performance.now() > deadline) throw new Error(`The pane never showed: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function expectEqual(what: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(wanted)) return;
  throw new Error(
    `Expected ${what} to be ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}.`,
  );
}
