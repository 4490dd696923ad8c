import { ToolError } from "@postern/protocol";
import { ProcessGate } from "./tmux/process-gate.ts";

const maxWaiting = 256;

/** Runs the tasks of one key one after another, in the order they came. */
export class Turns {
  readonly #gates = new Map<string, { readonly gate: ProcessGate; users: number }>();

  /** @throws ToolError `too_many_in_flight` when 256 tasks of the key wait already. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const entry = this.#gates.get(key) ?? {
      gate: new ProcessGate({ running: 1, waiting: maxWaiting }),
      users: 0,
    };
    this.#gates.set(key, entry);
    entry.users += 1;
    try {
      const done = await entry.gate.run(async () => ({ value: await task() }));
      if (done === undefined) {
        throw new ToolError("too_many_in_flight", "Too many reads wait; try again later.");
      }
      return done.value;
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#gates.delete(key);
    }
  }
}
