import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { requirements } from "@postern/requirements";
import { expect, test } from "vitest";

interface Excuse {
  readonly id: string;
  readonly reason: string;
  /** The day from which the excuse no longer counts, as YYYY-MM-DD. */
  readonly until: string;
}

const here = import.meta.dirname;
const report = join(here, "../.verify/tests.json");
const pending = readList("pending.json") as readonly string[];
const excuses = readList("allowed-skips.json") as readonly Excuse[];

test("every requirement is proved by a test that passed, or stands as pending or excused", () => {
  const proved = provedIds();
  const accounted = new Set([...proved, ...pending, ...excuses.map(({ id }) => id)]);

  const unproved = Object.keys(requirements).filter((id) => !accounted.has(id));

  expect(unproved).toEqual([]);
});

test("nothing is both pending and proved, so that the pending list only shrinks", () => {
  const proved = provedIds();

  expect(pending.filter((id) => proved.has(id))).toEqual([]);
});

test("only known requirements are cited, pending or excused", () => {
  const cited = [...provedIds(), ...pending, ...excuses.map(({ id }) => id)];

  expect(cited.filter((id) => !(id in requirements))).toEqual([]);
});

test("every excuse has a reason and has not run out", () => {
  const today = new Date().toISOString().slice(0, 10);

  expect(excuses.filter(({ reason, until }) => reason.length < 20 || until <= today)).toEqual([]);
});

test("every requirement says in one sentence what it promises", () => {
  const silent = Object.entries(requirements).filter(
    ([, sentence]: [string, string]) => !/^[A-Z`].{20,}\.$/s.test(sentence),
  );

  expect(silent.map(([id]) => id)).toEqual([]);
});

/** Ids between the brackets that end the titles of tests that passed in this run. */
function provedIds(): ReadonlySet<string> {
  if (!existsSync(report))
    throw new Error("There is no report of a test run to judge. Run: pnpm verify");
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
    testResults: { assertionResults: { status: string; title: string }[] }[];
  };
  const passed = testResults
    .flatMap((file) => file.assertionResults)
    .filter(({ status }) => status === "passed");
  return new Set(
    passed.flatMap(
      ({ title }) => /\[([A-Z]+-\d+(?: [A-Z]+-\d+)*)\]$/.exec(title)?.[1]?.split(" ") ?? [],
    ),
  );
}

function readList(name: string): unknown {
  return JSON.parse(readFileSync(join(here, "requirements", name), "utf8"));
}
