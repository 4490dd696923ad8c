import { proves } from "@postern/testing";
import * as fc from "fast-check";
import { expect } from "vitest";
import { readingRig, work } from "../rig/reading-rig.ts";

type Plain = "begin" | "progress" | "clear" | "drop" | "alternate";

type Output =
  | { readonly kind: "print"; readonly lines: readonly string[] }
  | { readonly kind: Plain | "read" };

const repeated = fc.constantFrom("", "same", "same", "y", "日本語", "x".repeat(95), "two  words");
const lines = fc.array(repeated, { maxLength: 12 });
const print = { weight: 5, arbitrary: fc.record({ kind: fc.constant("print" as const), lines }) };
const width = fc.constantFrom(30, 50, 80);
const resize = { weight: 1, arbitrary: fc.record({ kind: fc.constant("resize" as const), width }) };
// tmux 3.3a forgets that a line wrapped when a full-screen program and a resize come together.
const steps = fc.oneof(
  fc.array(fc.oneof(print, resize, plain("begin", "progress", "clear", "drop")), longEnough()),
  fc.array(fc.oneof(print, plain("begin", "progress", "clear", "drop", "alternate")), longEnough()),
);

proves(
  ["TMUX-25", "TMUX-27", "TMUX-97"],
  "whatever a pane prints, each line comes once and in order, or the anchor says otherwise",
  async () => {
    const { read, print, tmux } = await readingRig();
    let session = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const name = `m${String((session += 1))}`;
        await tmux("new-session", "-d", "-x", "80", "-y", "10", "-s", name, "sleep", "1000");
        const model = new PaneModel();
        for (const one of [...steps, { kind: "read" } as const]) {
          // tmux 3.3a may split a wrapped line when a full-screen program starts; a line is read before that.
          if (one.kind === "read" || one.kind === "alternate")
            model.check(await read({ session: name }));
          if ("width" in one) await tmux("resize-window", "-t", name, "-x", String(one.width));
          else if (one.kind !== "read") await print(`${name}:0.0`, model.output(one));
        }
        await tmux("kill-session", "-t", name);
      }),
      { numRuns: 12 },
    );
    expect(await read(work)).toMatchObject({ anchor: "new" });
  },
  60_000,
);

function plain(...kinds: readonly Plain[]) {
  const kind = fc.constantFrom("read" as const, "read" as const, "read" as const, ...kinds);
  return { weight: 5, arbitrary: fc.record({ kind }) };
}

function longEnough() {
  return { minLength: 3, maxLength: 14 };
}

/** The finished lines a pane must have shown, and how far they were read. */
class PaneModel {
  readonly #lines: string[] = [];
  #partial = "";
  #read = 0;
  #printed = 0;

  /** What the pane's program prints for a step; the last line is never the same twice. */
  output(one: Output): string {
    if (one.kind === "print") {
      const lines = [...one.lines, this.#unique()];
      for (const text of lines) this.#finish(text);
      return `${lines.join("\n")}\n`;
    }
    return this.#special(one.kind);
  }

  #special(kind: Plain | "read"): string {
    const text = this.#unique();
    switch (kind) {
      case "begin":
        this.#partial += text;
        return text;
      case "progress":
        if (this.#partial !== "") return "";
        this.#finish(text);
        return `?\r${text}\n`;
      case "read":
        return "";
      case "alternate":
        return "\u001b[?1049hfull\nscreen\u001b[?1049l";
      case "clear":
      case "drop":
        // tmux moves what the screen shows into the history.
        if (this.#partial !== "") this.#finish("");
        return kind === "clear" ? "\u001b[H\u001b[2J" : "\u001b[H\u001b[2J\u001b[3J";
      default:
        return kind satisfies never;
    }
  }

  check(answer: {
    readonly anchor: string;
    readonly new_lines: readonly string[];
    readonly lines_missed: number | null;
    readonly partial_line: string | null;
  }): void {
    const { anchor, new_lines: lines } = answer;
    const unread =
      anchor === "exact"
        ? this.#lines.slice(this.#read)
        : this.#lines.slice(-lines.length || this.#lines.length);

    expect(lines).toEqual(unread);
    expect(answer.partial_line ?? "").toBe(this.#partial);
    expect(answer.lines_missed).toBe(anchor === "exact" || anchor === "new" ? 0 : null);
    this.#read = this.#lines.length;
  }

  #unique(): string {
    this.#printed += 1;
    return `#${String(this.#printed)}`;
  }

  #finish(text: string): void {
    this.#lines.push(this.#partial + text);
    this.#partial = "";
  }
}
