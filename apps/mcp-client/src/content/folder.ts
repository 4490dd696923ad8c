import { constants } from "node:fs";
import { mkdir, mkdtemp, open, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const MAX_SAME_NAMES = 100;

/** Where the files of one reply go, and how to take them back. */
export class Folder {
  readonly #wanted: string | undefined;
  readonly #written: string[] = [];
  #path: string | undefined;

  constructor(wanted: string | undefined) {
    this.#wanted = wanted === undefined ? undefined : resolve(wanted);
  }

  /** The folder, once something was written. */
  get path(): string | undefined {
    return this.#path;
  }

  /** Writes one new private file and gives its path. A name that is taken gets a number; nothing is overwritten. */
  async write(stem: string, extension: string, bytes: Uint8Array): Promise<string> {
    const folder = (this.#path ??= await this.#make());
    for (let copy = 1; ; copy += 1) {
      const name = copy === 1 ? stem : `${stem}-${String(copy)}`;
      const path = join(folder, `${name}.${extension}`);
      try {
        await this.#writeNew(path, bytes);
        return path;
      } catch (error) {
        if (copy === MAX_SAME_NAMES || !isTaken(error)) throw error;
      }
    }
  }

  /** Removes what was written, and the folder if it was made for this. */
  async undo(): Promise<void> {
    for (const path of this.#written) await rm(path, { force: true });
    if (this.#wanted === undefined && this.#path !== undefined) await rmdir(this.#path);
    this.#path = undefined;
  }

  async #make(): Promise<string> {
    if (this.#wanted === undefined) return mkdtemp(join(tmpdir(), "postern-"));
    await mkdir(this.#wanted, { recursive: true, mode: 0o700 });
    return this.#wanted;
  }

  async #writeNew(path: string, bytes: Uint8Array): Promise<void> {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    this.#written.push(path);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
