import { styleText } from "node:util";

export interface Printer {
  line(text?: string): void;
  heading(text: string): void;
  /** One call as the agent makes it, what came back, and how long it took. */
  exchange(e: {
    readonly call: string;
    readonly answer: unknown;
    readonly elapsedMs: number;
  }): void;
}

const MAX_LINES = 14;
const MAX_WIDTH = 110;

export function printer(output: NodeJS.WriteStream): Printer {
  const style = (format: "bold" | "dim" | "cyan", text: string): string =>
    output.isTTY ? styleText(format, text) : text;
  const line = (text = ""): void => void output.write(`${text}\n`);
  return {
    line,
    heading: (text) => line(`\n${style("bold", text)}`),
    exchange: ({ call, answer, elapsedMs }) => {
      line(`  ${style("cyan", `> ${call}`)}`);
      for (const row of readable(answer)) line(`    ${row}`);
      line(style("dim", `    ${elapsedMs.toFixed(0)} ms`));
    },
  };
}

/** The answer as indented JSON, cut to what a reader takes in at once. */
function readable(answer: unknown): readonly string[] {
  const rows = JSON.stringify(answer, undefined, 2)
    .replaceAll(
      /\[\s+([^[\]{}]{0,80}?)\s+\]/g,
      (_, inner: string) => `[${inner.replaceAll(/\s*\n\s*/g, " ")}]`,
    )
    .split("\n")
    .map((row) => (row.length > MAX_WIDTH ? `${row.slice(0, MAX_WIDTH)}...` : row));
  return rows.length > MAX_LINES
    ? [...rows.slice(0, MAX_LINES), `... ${String(rows.length - MAX_LINES)} more lines`]
    : rows;
}
