/** One thing that is measured, under the name the tables show. */
export interface Contender {
  readonly name: string;
  /** Runs once. Throws a `WrongAnswer` when it did not do what it was asked for. */
  readonly run: () => Promise<Sample>;
}

export interface Sample {
  readonly ms: number;
  /** User and system time of the process and everything it waited for. */
  readonly cpuMs?: number;
}

export class WrongAnswer extends Error {
  override readonly name = "WrongAnswer";
}

export interface Measured {
  readonly contender: string;
  readonly runs: number;
  readonly minMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** The mean: the system counts it in steps of 10 ms. */
  readonly cpuMs?: number;
  readonly rssMiB?: number;
  readonly wrong?: string;
}

/** Runs all contenders in turn, round by round, so that a busy moment of the machine falls on all of them. */
export async function race(
  contenders: readonly Contender[],
  o: { readonly rounds: number; readonly warmUps?: number },
): Promise<Map<string, Measured>> {
  const { rounds, warmUps = 2 } = o;
  const samples = new Map(contenders.map(({ name }) => [name, [] as Sample[]]));
  const wrong = new Map<string, string>();
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const { name, run } of contenders) {
      if (wrong.has(name)) continue;
      try {
        const sample = await run();
        if (round >= warmUps) samples.get(name)?.push(sample);
      } catch (error) {
        if (!(error instanceof WrongAnswer)) throw error;
        wrong.set(name, error.message);
      }
    }
  }
  return new Map([...samples].map(([name, list]) => [name, summary(name, list, wrong.get(name))]));
}

/** Times one piece of work that other processes do. */
export async function stopwatch(work: () => unknown): Promise<Sample> {
  const startedMs = performance.now();
  await work();
  return { ms: performance.now() - startedMs };
}

/** Times one piece of work of this process, with its CPU time. */
export async function timed(work: () => unknown): Promise<Sample> {
  const cpu = process.cpuUsage();
  const { ms } = await stopwatch(work);
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1_000 };
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

function summary(
  contender: string,
  samples: readonly Sample[],
  wrong: string | undefined,
): Measured {
  const times = samples.map(({ ms }) => ms);
  const cpu = samples.flatMap(({ cpuMs }) => cpuMs ?? []);
  return {
    contender,
    runs: samples.length,
    minMs: quantile(times, 0),
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    ...(cpu.length > 0 && { cpuMs: cpu.reduce((sum, ms) => sum + ms, 0) / cpu.length }),
    ...(wrong !== undefined && { wrong }),
  };
}
