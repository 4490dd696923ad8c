import { proves, temporaryDirectory } from "@postern/testing";
import { expect, test } from "vitest";
import { peakRssMiB, programContender } from "../src/program.ts";
import { race, WrongAnswer } from "../src/race.ts";

proves(
  "QUAL-50",
  "contenders run in turn, the first rounds are dropped, and a wrong answer is marked",
  async () => {
    const order: string[] = [];
    const contender = (name: string, times: number[]) => ({
      name,
      run: async () => {
        order.push(name);
        return { ms: times.shift() ?? 0, cpuMs: 10 };
      },
    });
    const liar = {
      name: "liar",
      run: () => Promise.reject(new WrongAnswer("hello instead of hi")),
    };

    const measured = await race(
      [contender("a", [900, 900, 3, 1, 2]), contender("b", [900, 900, 5, 5, 5]), liar],
      { rounds: 3, warmUps: 2 },
    );

    expect(order.join("")).toBe("ababababab");
    expect(measured.get("a")).toMatchObject({ runs: 3, minMs: 1, p50Ms: 2, p95Ms: 3, cpuMs: 10 });
    expect(measured.get("b")).toMatchObject({ p50Ms: 5 });
    expect(measured.get("liar")).toMatchObject({ runs: 0, wrong: "hello instead of hi" });
  },
);

test("a program is judged by its exit and its output, and tells its peak memory", async () => {
  const home = temporaryDirectory();
  const program = (script: string) => ({
    name: script,
    argv: [process.execPath, "-e", script],
    prints: "hi",
    home,
  });
  const right = program("console.log('hi', process.env.HOME)");
  const programs = [right, program("console.log('no')"), program("console.log('hi'); throw 0")];

  const measured = await race(programs.map(programContender), { rounds: 1, warmUps: 0 });

  expect([...measured.values()].map(({ wrong }) => wrong === undefined)).toEqual([
    true,
    false,
    false,
  ]);
  expect(await peakRssMiB(right)).toBeGreaterThan(10);
});
