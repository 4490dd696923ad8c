import { proves, eventually } from "@postern/testing";
import { expect } from "vitest";
import { killAllRunning, runCommand } from "../src/index.ts";
import { psTree } from "../src/ps-tree.ts";
import { endTree } from "../src/tree-end.ts";
import { fixtureCommand, newTag, shellCommand, tagged } from "./programs.ts";

const TREES = {
  stubborn: 'trap "" TERM; while :; do sleep "$0"; done',
  "double-forked": '(setsid sh -c \'trap "" TERM; sleep "$0"; :\' "$0" &); sleep "$0"',
  forking: 'while :; do (setsid sleep "$0" &); sleep 0.02; done',
  "forking-in-group": 'trap "" TERM; while :; do sleep "$0" & sleep 0.02; done',
  "leaving-on-exit": '(setsid sh -c \'trap "" TERM; sleep "$0"; :\' "$0" &); sleep "$0" & exit 0',
};

for (const [name, script] of Object.entries(TREES)) {
  proves(
    ["EXEC-14", "EXEC-11"],
    `ten ${name} trees leave nothing, timed out or cancelled`,
    async () => {
      const tag = newTag();
      const runs = Array.from({ length: 10 }, async (_, index) => {
        const cancelled = index % 2 === 0;
        const command = await shellCommand(script, tag);
        const signal = AbortSignal.timeout(cancelled ? 150 : 60_000);
        return await runCommand(command, { signal, timeoutMs: 150, graceMs: cancelled ? 0 : 50 });
      });

      const outcomes = await Promise.all(runs);

      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ survivors: [], survivorCheck: "tree" });
      }
      await eventually(() => tagged(tag).length === 0, { what: name, timeoutMs: 2_000 });
    },
  );
}

proves("EXEC-14", "what stays in the group after an ordinary end is ended too", async () => {
  const tag = newTag();

  const outcome = await runCommand(await fixtureCommand("forks-and-exits", tag));

  expect(outcome).toMatchObject({ kind: "exited", exitCode: 0, pipesHeldOpen: false });
  expect(outcome).toMatchObject({ killedWith: "TERM", survivors: [] });
  expect(tagged(tag)).toEqual([]);
});

proves("EXEC-14", "what left the session after an ordinary end is found by its mark", async () => {
  const tag = newTag();

  const outcome = await runCommand(await fixtureCommand("leaves-group", tag), { graceMs: 100 });

  expect(outcome).toMatchObject({ kind: "exited", killedWith: "KILL", survivors: [] });
  expect(tagged(tag)).toEqual([]);
});

proves("EXEC-14", "with `report` what lives outside the group is listed, not ended", async () => {
  const tag = newTag();

  const outcome = await runCommand(await fixtureCommand("leaves-group", tag), {
    survivors: "report",
  });

  expect(outcome).toMatchObject({ killedWith: "none", survivorCheck: "tree" });
  const listed = outcome.kind === "exited" ? outcome.survivors.map((one) => one.pid) : [];
  expect(new Set(listed)).toEqual(new Set(tagged(tag)));
});

proves(
  "EXEC-14",
  "with `leave` nothing is marked, searched or ended but the direct child",
  async () => {
    const tag = newTag();
    const script = 'sleep "$0" & printf "%s" "${POSTERN_RUN-none}"; exec sleep "$0"';

    const outcome = await runCommand(await shellCommand(script, tag), {
      survivors: "leave",
      timeoutMs: 200,
      graceMs: 100,
    });

    expect(outcome).toMatchObject({ kind: "timed_out", survivors: [], survivorCheck: "skipped" });
    expect(outcome.kind === "timed_out" && outcome.stdout.head).toBe("none");
    expect(tagged(tag)).toHaveLength(1);
  },
);

proves(
  "EXEC-15",
  "a `ps` walk finds a group and the descendants that left it, and says `group_only`",
  async () => {
    const tag = newTag();
    const command = await shellCommand('setsid sleep "$0" & sleep "$0" & wait', tag);
    let end: Awaited<ReturnType<typeof endTree>> | undefined;

    await runCommand(command, {
      survivors: "leave",
      onStarted: (pid) => {
        void (async () => {
          await eventually(() => tagged(tag).length === 3);
          const tree = psTree({ pid, marker: "", startedMs: 0 });
          end = await endTree(tree, {
            steps: [{ step: "TERM", graceMs: 2_000 }],
            survivors: "kill",
          });
        })();
      },
    });

    await eventually(() => end !== undefined);
    expect(end).toEqual({ killedWith: "TERM", survivors: [], survivorCheck: "group_only" });
    expect(tagged(tag)).toEqual([]);
  },
);

proves("EXEC-12", "killAllRunning ends every run and waits until all are gone", async () => {
  const tags = [newTag(), newTag()];
  const runs = tags.map(async (tag) => await runCommand(await shellCommand(TREES.stubborn, tag)));
  await eventually(() => tags.every((tag) => tagged(tag).length === 2));

  await killAllRunning();

  expect(tags.flatMap(tagged)).toEqual([]);
  expect((await Promise.all(runs)).map((outcome) => outcome.kind)).toEqual([
    "cancelled",
    "cancelled",
  ]);
});
