import type { PaneRow } from "../domain/pane-list.ts";
import type { Tmux } from "./run-tmux.ts";

/** What the server does in a pane. */
export type AgentActivity = "typing" | "running" | "waiting";

/** One activity that is shown until it ends. */
export interface ShownActivity {
  /** The option's value: the activity and the pane's id, never content. */
  readonly text: string;
  /** Takes it away; `linger`: after a moment, so that a person can see it. */
  readonly end: (options?: { readonly linger: boolean }) => void;
}

const lingerMs = 1_000;

/**
 * Shows the person what this server does: the session option `@postern_agent`, which a status line may print.
 * Whoever writes in one tmux script sets the option there, with `text`; nothing waits for the sign.
 */
export class AgentSign {
  readonly #tmux: Tmux;
  readonly #shown = new Map<string, string[]>();
  readonly #lingering = new Map<NodeJS.Timeout, () => void>();
  readonly #working = new Set<Promise<unknown>>();

  constructor(tmux: Tmux) {
    this.#tmux = tmux;
  }

  /** Notes an activity; the script that does it sets the option. */
  begin({ sessionId, paneId }: PaneRow, activity: AgentActivity): ShownActivity {
    const text = `${activity} ${paneId}`;
    const texts = this.#shown.get(sessionId) ?? [];
    this.#shown.set(sessionId, texts);
    texts.push(text);
    let isShown = true;
    const end = (): void => {
      if (!isShown) return;
      isShown = false;
      texts.splice(texts.indexOf(text), 1);
      this.#run(clearCommand(sessionId, text, texts.at(-1)));
    };
    return { text, end: ({ linger } = { linger: false }) => (linger ? this.#later(end) : end()) };
  }

  /** Notes an activity and shows it now. */
  show(row: PaneRow, activity: AgentActivity): ShownActivity {
    const shown = this.begin(row, activity);
    this.#run(["set-option", "-t", row.sessionId, "@postern_agent", shown.text]);
    return shown;
  }

  /** Takes away what is still shown. */
  async close(): Promise<void> {
    for (const [timer, end] of this.#lingering) {
      clearTimeout(timer);
      end();
    }
    for (const [sessionId, texts] of this.#shown) {
      const last = texts.at(-1);
      if (last !== undefined) this.#run(clearCommand(sessionId, last, undefined));
    }
    await Promise.allSettled(this.#working);
  }

  #later(end: () => void): void {
    const timer = setTimeout(() => {
      this.#lingering.delete(timer);
      end();
    }, lingerMs).unref();
    this.#lingering.set(timer, end);
  }

  /** A sign that cannot be set, because its session has gone, is no fault of the write. */
  #run(args: readonly string[]): void {
    const work = this.#tmux.run(args).finally(() => this.#working.delete(work));
    this.#working.add(work);
  }
}

/** Another server may have shown something since; only our own text is taken away. */
function clearCommand(sessionId: string, text: string, next: string | undefined): string[] {
  const target = `-t '${sessionId}'`;
  const command =
    next === undefined
      ? `set-option -u ${target} @postern_agent`
      : `set-option ${target} @postern_agent '${next}'`;
  return ["if-shell", "-F", "-t", sessionId, `#{==:#{@postern_agent},${text}}`, command];
}
