import { cpus, loadavg } from "node:os";
import type { Measured } from "./race.ts";
import { isMet, type Figure, type SuiteResult } from "./suite.ts";

/** Where and when the figures were taken. */
export interface Machine {
  readonly takenAt: string;
  readonly node: string;
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
  readonly loadAtStart: number;
}

export function thisMachine(): Machine {
  const [first] = cpus();
  return {
    takenAt: new Date().toISOString(),
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    processor: first?.model ?? "unknown",
    cores: cpus().length,
    loadAtStart: loadavg()[0] ?? Number.NaN,
  };
}

/** One suite as Markdown: what ran, and what was promised. */
export function suiteTables({ suite, floor, measured, figures, notes }: SuiteResult): string {
  const unit = measured.find(({ contender }) => contender === floor)?.p50Ms ?? Number.NaN;
  return [
    `## ${suite}`,
    "",
    `| | runs | min ms | p50 ms | p95 ms | p50 / ${floor} | CPU ms | peak RSS MiB |`,
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...measured.map((one) => row(one, unit)),
    "",
    "| figure | measured | promised | |",
    "| --- | ---: | ---: | --- |",
    ...figures.map(figureRow),
    "",
    ...notes.map((note) => `- ${note}`),
    ...(notes.length > 0 ? [""] : []),
  ].join("\n");
}

function row(one: Measured, unit: number): string {
  if (one.wrong !== undefined) return `| ${one.contender} | wrong answer | | | | | | |`;
  const { contender, runs, minMs, p50Ms, p95Ms, cpuMs, rssMiB } = one;
  const cells = [minMs, p50Ms, p95Ms, p50Ms / unit, cpuMs, rssMiB].map(digits);
  return `| ${contender} | ${String(runs)} | ${cells.join(" | ")} |`;
}

function figureRow(figure: Figure): string {
  const { what, value, unit, limit, bound = "most" } = figure;
  const promised = `${bound === "most" ? "<=" : ">="} ${String(limit)} ${unit}`;
  const verdict = !isMeasured(value) ? "not measured" : isMet(figure) ? "met" : "**missed**";
  return `| ${what} | ${digits(value)} ${unit} | ${promised} | ${verdict} |`;
}

/** Three significant digits; nothing for what was not measured. */
export function digits(value: number | undefined): string {
  if (!isMeasured(value)) return "";
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

/** JSON has no NaN: what was not measured comes back from a file as null. */
function isMeasured(value: unknown): value is number {
  return typeof value === "number" && !Number.isNaN(value);
}
