import { digits } from "./report.ts";
import type { SuiteResult } from "./suite.ts";

const ROW = 26;
const LEFT = 330;
const WIDTH = 860;

/** The medians of a suite as bars. Colours follow the reader's light or dark scheme. */
export function suiteChart({ suite, floor, measured }: SuiteResult): string {
  const bars = measured.filter(({ wrong, p50Ms }) => wrong === undefined && !Number.isNaN(p50Ms));
  const longest = Math.max(...bars.map(({ p50Ms }) => p50Ms));
  const rows = bars.map(({ contender, p50Ms }, index) => {
    const y = 44 + index * ROW;
    const width = Math.max(1, ((WIDTH - LEFT - 110) * p50Ms) / longest);
    const kind = contender.startsWith("postern") ? "ours" : contender === floor ? "floor" : "other";
    return [
      `  <text x="${String(LEFT - 8)}" y="${String(y + 13)}" text-anchor="end">${escaped(contender)}</text>`,
      `  <rect class="${kind}" x="${String(LEFT)}" y="${String(y)}" width="${width.toFixed(1)}" height="18" rx="2"/>`,
      `  <text x="${(LEFT + width + 6).toFixed(1)}" y="${String(y + 13)}">${digits(p50Ms)} ms</text>`,
    ].join("\n");
  });
  const height = 56 + bars.length * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(WIDTH)} ${String(height)}" role="img" aria-label="Medians of the ${suite} suite">
  <style>
    text { font: 13px system-ui, sans-serif; fill: #1f2328 }
    .title { font-weight: 600 }
    .ours { fill: #0969da } .floor { fill: #8c959f } .other { fill: #bf8700 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .ours { fill: #58a6ff } .floor { fill: #6e7681 } .other { fill: #d29922 }
    }
  </style>
  <text class="title" x="12" y="24">${suite}: median of one run, in milliseconds (shorter is better)</text>
${rows.join("\n")}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
