import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { assert, property, uint8Array } from "fast-check";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect, onTestFinished, test } from "vitest";
import { content, type PrepareOptions } from "../../src/content/index.ts";
import { decodeCanonical } from "../../src/content/attachments.ts";
import { unwrap, type ContentBlock, type ToolReply } from "../../src/index.ts";

const PNG = Buffer.from("\u0089PNG\r\n\u001a\n....", "latin1");
const reply = (...blocks: ContentBlock[]): ToolReply => ({
  kind: "complete",
  isError: false,
  content: blocks,
});
const image = (bytes: Buffer | string, mimeType = "image/png"): ContentBlock => ({
  type: "image",
  data: typeof bytes === "string" ? bytes : bytes.toString("base64"),
  mimeType,
});
const blob = (bytes: Buffer, mimeType?: string): ContentBlock => ({
  type: "resource",
  resource: { uri: "file:///etc/../evil.sh", blob: bytes.toString("base64"), mimeType },
});
const into = (dir: string, o: PrepareOptions = {}) => ({ dir, tool: "Take Shot/../", ...o });

proves(
  "CLNT-80",
  "attachments become private files whose names and endings the server cannot choose",
  async () => {
    const dir = join(temporaryDirectory(), "new");
    const svg = Buffer.from("<svg onload='x()'/>");
    const blocks = [
      { type: "text", text: "aGk=" },
      image(PNG),
      { type: "audio", data: Buffer.from("OggS....").toString("base64"), mimeType: "audio/mpeg" },
      blob(svg, "image/svg+xml"),
      blob(Buffer.from("<html>")),
      blob(Buffer.from("%PDF-1.7"), "application/pdf"),
      blob(Buffer.from("\u0000\u0001"), "application/zip"),
      { type: "resource_link", uri: "https://127.0.0.1:1/x.png", name: "x" },
    ];

    const outcome = await content.prepare(reply(...blocks), into(dir));

    const { files, leftOut } = unwrap(outcome);
    expect(leftOut).toEqual([]);
    expect(files.map(({ block, sniffedType }) => [block, sniffedType])).toEqual([
      [1, "image/png"],
      [2, "audio/ogg"],
      [3, "text/plain"],
      [4, "text/plain"],
      [5, "application/pdf"],
      [6, "application/octet-stream"],
    ]);
    const names = files.map(({ path }) => basename(path));
    const form = (block: number, ending: string) =>
      expect.stringMatching(new RegExp(`^take-shot-${String(block)}-[0-9a-f]{12}\\.${ending}$`));
    expect(names).toEqual([
      form(1, "png"),
      form(2, "ogg"),
      form(3, "txt"),
      form(4, "txt"),
      form(5, "pdf"),
      form(6, "bin"),
    ]);
    expect(readdirSync(dir).sort()).toEqual([...names].sort());
    expect([lstatSync(dir).mode & 0o777, lstatSync(files[0]?.path ?? "").mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
    expect(readFileSync(files[0]?.path ?? "")).toEqual(PNG);
    expect(outcome.detail).toMatchObject({ phase: "content", delivery: "delivered" });
    expect(outcome.detail.warnings.map(({ code }) => code)).toEqual(["mime_mismatch"]);
  },
);

test("without a folder a fresh private one is made, and none for a reply without attachments", async () => {
  const temporary = temporaryDirectory();
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = temporary;
  onTestFinished(() => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  });

  const none = unwrap(await content.prepare(reply({ type: "text", text: "a" })));
  const some = unwrap(await content.prepare(reply(image(PNG))));

  expect(none).toEqual({ dir: undefined, files: [], leftOut: [] });
  expect(readdirSync(temporary)).toEqual([basename(some.dir ?? "")]);
  expect(lstatSync(some.dir ?? "").mode & 0o777).toBe(0o700);
});

test("what is no canonical base64 is refused and leaves no file", async () => {
  for (const bad of ["aGk", "aGl=", "aG k", "aGk=\n", "-_-_", "!!!!"]) {
    const dir = temporaryDirectory();
    const { error } = await content.prepare(reply(image(PNG), image(bad)), into(dir));
    expect(error).toMatchObject({ code: "content_invalid", delivery: "delivered" });
    expect(readdirSync(dir)).toEqual([]);
  }
  assert(
    property(uint8Array(), (bytes) => {
      const text = Buffer.from(bytes).toString("base64");
      expect(decodeCanonical(text)?.equals(bytes)).toBe(true);
      expect(decodeCanonical(`${text}=`)).toBeUndefined();
    }),
  );
});

proves(
  "CLNT-81",
  "each limit holds at its figure, the rest is listed with its size, and a failure removes its files",
  async () => {
    const files = async (count: number) =>
      unwrap(
        await content.prepare(
          reply(...Array.from({ length: count }, () => image(PNG))),
          into(temporaryDirectory()),
        ),
      );
    expect((await files(32)).leftOut).toEqual([]);
    expect((await files(33)).leftOut).toEqual([
      { block: 32, bytes: PNG.length, declaredType: "image/png", limit: "maxFiles" },
    ]);

    const sizes = async (limits: PrepareOptions, ...lengths: number[]) => {
      const blocks = lengths.map((length) => blob(Buffer.alloc(length)));
      const outcome = await content.prepare(reply(...blocks), into(temporaryDirectory(), limits));
      const { leftOut } = unwrap(outcome);
      return { left: leftOut.map(({ block, limit }) => [block, limit]), detail: outcome.detail };
    };
    expect((await sizes({ maxFileBytes: 10 }, 9, 10)).left).toEqual([]);
    const over = await sizes({ maxFileBytes: 10 }, 11, 1);
    expect(over.left).toEqual([[0, "maxFileBytes"]]);
    expect(over.detail.limit).toEqual({ name: "maxFileBytes", limit: 10, seen: 11 });
    expect(over.detail.warnings.map(({ code }) => code)).toEqual(["content_too_large"]);
    expect((await sizes({ maxTotalBytes: 10 }, 5, 5)).left).toEqual([]);
    expect((await sizes({ maxTotalBytes: 10 }, 5, 6, 5)).left).toEqual([[1, "maxTotalBytes"]]);
    const mib = 1024 * 1024;
    expect((await sizes({}, 16 * mib, 16 * mib + 1)).left).toEqual([[1, "maxFileBytes"]]);
    const many = await sizes({}, 16 * mib, 16 * mib, 16 * mib, 16 * mib, 1);
    expect(many.left).toEqual([[4, "maxTotalBytes"]]);

    const notAFolder = join(temporaryDirectory(), "file");
    writeFileSync(notAFolder, "");
    const failed = await content.prepare(reply(image(PNG)), into(notAFolder));
    expect(failed.error).toMatchObject({ code: "content_write_failed", delivery: "delivered" });
  },
);

test("nothing is overwritten and no link is followed", async () => {
  const dir = temporaryDirectory();
  const first = unwrap(await content.prepare(reply(image(PNG)), into(dir)));
  const second = unwrap(await content.prepare(reply(image(PNG)), into(dir)));
  expect(second.files[0]?.path).toBe(first.files[0]?.path.replace(/\.png$/, "-2.png"));

  const other = temporaryDirectory();
  const victim = join(temporaryDirectory(), "victim");
  mkdirSync(join(other, "out"));
  symlinkSync(victim, join(other, "out", basename(first.files[0]?.path ?? "")));
  unwrap(await content.prepare(reply(image(PNG)), into(join(other, "out"))));
  expect(() => lstatSync(victim)).toThrow("ENOENT");
});
