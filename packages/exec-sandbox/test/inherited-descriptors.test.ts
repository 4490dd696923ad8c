import { proves } from "@postern/testing";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const fixture = fileURLToPath(new URL("fixtures/lists-descriptors.mjs", import.meta.url));

/** What a child sees of descriptors 20 and 30, which its parent's parent left open. */
function inherited(mode: "close" | "keep"): unknown {
  const args = ["-c", 'exec 20</etc/passwd 30</etc/passwd; exec "$@"', "sh", process.execPath];
  const child = spawnSync("bash", [...args, "--conditions=@postern/source", fixture, mode], {
    encoding: "utf8",
  });
  return JSON.parse(child.stdout);
}

proves("EXEC-23", "after closing, children see only their three standard descriptors", () => {
  const kept = inherited("keep");
  const closed = inherited("close");

  expect(kept).toEqual({ closed: 0, seen: expect.arrayContaining(["20", "30"]) });
  expect(closed).toEqual({ closed: expect.any(Number), seen: ["0", "1", "2"] });
});
