import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, onTestFinished, test } from "vitest";
import { cli, cliJson, serverWords } from "../support.ts";

const attach = (...words: string[]) => ["call", "attach", ...words, ...serverWords()];

/** Makes the system's temporary folder one of this test's own. */
function ownTemporary(): string {
  const own = temporaryDirectory();
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = own;
  onTestFinished(() => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  });
  return own;
}

proves(
  "CLNT-113",
  "text mode saves attachments and says where; the last line of a failure is the verdict",
  async () => {
    const temporary = ownTemporary();

    const saved = await cli(attach());
    const path =
      /^here\n\[image, image\/png, 8 bytes\] saved as (\/\S+\.png)\n\[resource_link/.exec(
        saved.stdout,
      )?.[1];
    expect([saved.exitCode, saved.stderr]).toEqual([0, ""]);
    expect(path?.startsWith(join(temporary, "postern-"))).toBe(true);
    expect(readFileSync(path ?? "").toString("latin1")).toBe("\u0089PNG\r\n\u001a\n");

    const failed = await cli(["call", "die", ...serverWords()]);
    expect(failed.stderr.trimEnd().split("\n").at(-1)).toMatch(
      /^server_exited \(delivery: unknown\)\. The tool may have run\./,
    );
  },
);

test("--json saves only into a folder that was named, and lists the files", async () => {
  const temporary = ownTemporary();
  const dir = join(temporary, "shots");

  const unasked = await cliJson(attach());
  expect([unasked.document.files, readdirSync(temporary)]).toEqual([undefined, []]);
  const { exitCode, document } = await cliJson(attach("--save-to", dir));

  expect(exitCode).toBe(0);
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../schema/envelope.schema.json"), "utf8"),
  );
  const [file] = document.files;
  expect(Object.keys(file).sort()).toEqual(
    Object.keys(schema.properties.files.items.properties).sort(),
  );
  expect(file).toMatchObject({
    bytes: 8,
    sniffedType: "image/png",
    declaredType: "image/png",
    sha256: "4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6",
  });
  expect(existsSync(file.path)).toBe(true);
});

test("what cannot be saved leaves the answer printed and changes the exit code", async () => {
  const dir = join(temporaryDirectory(), "file");
  writeFileSync(dir, "");
  const folder = temporaryDirectory();
  mkdirSync(join(folder, "many"));

  const blocked = await cli(attach("--save-to", dir));
  const unusable = await cli(attach("text=a", "--save-to", folder));
  const many = await cli(attach("count=33", "--save-to", join(folder, "many")));

  expect([blocked.exitCode, blocked.stdout.startsWith("here\n")]).toEqual([8, true]);
  expect(blocked.stderr).toMatch(/content_write_failed \(delivery: delivered\)\./);
  expect([unusable.exitCode, unusable.stdout.startsWith("here\n")]).toEqual([1, true]);
  expect(unusable.stderr).toContain("content_invalid (delivery: delivered).");
  expect([many.exitCode, readdirSync(join(folder, "many")).length]).toEqual([8, 32]);
  expect(many.stderr).toMatch(/content_too_large \(delivery: delivered\)\..*1 attachment/);
});
