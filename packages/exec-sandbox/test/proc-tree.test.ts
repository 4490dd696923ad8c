import { proves } from "@postern/testing";
import { spawn } from "node:child_process";
import { expect } from "vitest";
import { searchProc } from "../src/proc-tree.ts";
import { newTag } from "./programs.ts";

/** A process that carries a mark of its own. */
function markedSleeper(marker: string): number {
  const child = spawn("sleep", [newTag()], { stdio: "ignore", env: { POSTERN_RUN: marker } });
  return child.pid ?? 0;
}

proves(
  "EXEC-14",
  "only younger processes are searched, until the pid counter may have gone round",
  () => {
    const marker = newTag();
    const older = markedSleeper(marker);
    const group = markedSleeper("another");
    const now = performance.now();

    const young = searchProc({ pid: group, marker, startedMs: now });
    const late = searchProc({ pid: group, marker, startedMs: now - 3_000 });
    const wrapped = searchProc({ pid: 4_194_303, marker, startedMs: now });

    const found = { pid: older, command: "sleep", inGroup: false };
    expect(young).toMatchObject({ members: [], check: "tree" });
    expect(late.members).toEqual([found]);
    expect(wrapped.members).toEqual([found]);
  },
);
