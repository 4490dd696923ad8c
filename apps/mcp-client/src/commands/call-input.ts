import { constants, promises } from "node:fs";
import type { CommandLine } from "../args/flags.ts";
import { readWord, type ArgumentWord } from "../args/words.ts";
import { notSent, type ClientError } from "../errors.ts";
import { isMembers, type Members } from "../protocol/json-rpc.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** What a person gave as arguments, read but not yet typed. */
export interface CallInput {
  readonly words: readonly ArgumentWord[];
  readonly base: Members;
  readonly requestId: string | undefined;
}

export type ReadInput = { kind: "ok"; input: CallInput } | { kind: "refused"; error: ClientError };

class Refusal extends Error {}

/** Reads the words after TOOL, `--args` and the files they name. Nothing is started before all of it is there. */
export async function readCallInput(
  line: CommandLine,
  words: readonly string[],
): Promise<ReadInput> {
  try {
    const read: ArgumentWord[] = [];
    for (const text of words) {
      const word = readWord(text);
      if (!word) throw new Refusal(`"${text.slice(0, 60)}" is no key=text, key:=json or key@=file`);
      const value = word.form === "file" ? await readText(word.value) : word.value;
      if (value.includes("\0")) throw new Refusal(`${word.key} holds NUL`);
      read.push({ ...word, value });
    }
    const base = await readBase(line.value("args"));
    const requestId = line.value("request-id");
    if (
      requestId !== undefined &&
      !/^(?:new|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(requestId)
    ) {
      throw new Refusal("--request-id takes new or a UUID");
    }
    if (
      requestId !== undefined &&
      ("requestId" in base || read.some(({ key }) => key === "requestId"))
    ) {
      throw new Refusal("requestId is given as an argument and by --request-id");
    }
    return { kind: "ok", input: { words: read, base, requestId } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: "refused", error: notSent("invalid_arguments", `${error.message}.`) };
  }
}

async function readBase(text: string | undefined): Promise<Members> {
  if (text === undefined) return {};
  const json =
    text === "-" ? await readStdin() : text.startsWith("@") ? await readText(text.slice(1)) : text;
  const { readExactJson } = await import("../args/exact-arguments.ts");
  const read = await readExactJson(json);
  if (!read.ok) throw new Refusal(`--args is no JSON: ${read.why}`);
  if (!isMembers(read.value)) throw new Refusal("--args is no JSON object");
  return read.value;
}

async function readText(path: string): Promise<string> {
  let file: promises.FileHandle | undefined;
  try {
    file = await promises.open(path, constants.O_RDONLY);
    return decode(await collect(file.createReadStream({ autoClose: false })), path);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? "error";
    throw new Refusal(`The file ${path.slice(0, 200)} cannot be read (${code})`);
  } finally {
    await file?.close();
  }
}

async function readStdin(): Promise<string> {
  return decode(await collect(process.stdin), "Standard input");
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Refusal("More than 16 MiB of arguments");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer, where: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal(`${where} is not UTF-8 text`);
  }
}
