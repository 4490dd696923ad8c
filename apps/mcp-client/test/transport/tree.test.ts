import { eventually, proves } from "@postern/testing";
import { expect } from "vitest";
import { callTool } from "../../src/index.ts";
import { fixturePath, processesWith, startNode } from "../support.ts";

const trees = [["setsid"], ["stubborn"], ["holder"], ["50"], ["ignores-eof", "stubborn", "setsid"]];
for (const kinds of trees) {
  proves(
    "CLNT-46",
    `no descendant outlives a close or a timeout: ${kinds.join(", ")}`,
    async () => {
      const word = `tree-${kinds.join("-")}-${String(process.pid)}`;
      const config = {
        command: process.execPath,
        args: [fixturePath("tree.mjs"), word, ...kinds],
        closeGraceMs: 200,
        killGraceMs: 200,
      };

      const called = await callTool(config, "echo");
      const left = processesWith(word);
      const timedOut = await callTool({ ...config, timeoutMs: 300 }, "silent");

      expect(called.error).toBeUndefined();
      expect(called.detail.processTree?.survivors).toBe(0);
      expect(left).toEqual([]);
      expect(timedOut.error?.code).toBe("timeout");
      expect(processesWith(word)).toEqual([]);
    },
  );
}

for (const end of ["exit", "throw", "SIGKILL"]) {
  proves("CLNT-46", `no descendant outlives the client's end by ${end}`, async () => {
    const word = `gone-${end}-${String(process.pid)}`;
    const { child, output, ended } = startNode([fixturePath("client.mjs"), word, end]);
    await eventually(() => output.stdout.includes("ready"));
    expect(processesWith(word).length).toBeGreaterThanOrEqual(4);

    if (end === "SIGKILL") child.kill("SIGKILL");
    await ended;

    await eventually(() => processesWith(word).length === 0, { timeoutMs: 2_700 });
  });
}
