import { randomBytes } from "node:crypto";
import { lstat, open, readdir, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import {
  createToken,
  openPrivateDirectory,
  type Secret,
  type TokenRecord,
} from "@postern/endpoint-auth";
import { readConfigFile } from "@postern/protocol/json";
import { z } from "zod";
import { type TokenScope, tokenScopes } from "./token-scopes.ts";

/** The tokens of this user: one file for each, named by the hash it is found by. */
export interface TokenBook {
  /** Makes a token and keeps its record. @throws Error when the directory is not private */
  readonly create: (name: string, scope: TokenScope) => Promise<Secret>;
  readonly find: (sha256: string) => Promise<TokenRecord | undefined>;
  /** Every token, oldest first. */
  readonly list: () => Promise<readonly TokenRecord[]>;
  /** Ends every token of that name and resolves with how many there were. */
  readonly revoke: (name: string) => Promise<number>;
  readonly noteUse: (record: TokenRecord) => Promise<void>;
}

const recordSchema = z.strictObject({
  id: z.uuid(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  subject: z.string().min(1).max(64),
  scopes: z.array(z.enum(tokenScopes)).max(tokenScopes.length),
  label: z.string().max(64),
  createdAt: z.int().min(0),
});

const knownKeys = Object.keys(recordSchema.shape);

/** Opens the book in a state directory; nothing is made before the first token. */
export function tokenBook(stateDirectory: string, now: () => number): TokenBook {
  const directory = join(stateDirectory, "tokens");
  const fileOf = (sha256: string): string => join(directory, `${sha256}.json`);

  async function find(sha256: string): Promise<TokenRecord | undefined> {
    const file = fileOf(sha256);
    const read = await readConfigFile(file, {
      schema: recordSchema,
      knownKeys,
      privacy: "private",
    });
    // A record that cannot be read, or that was moved under another hash, lets nobody in.
    return read.ok && read.value.sha256 === sha256 ? read.value : undefined;
  }

  async function list(): Promise<readonly TokenRecord[]> {
    const names = (await namesIn(directory)).filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
    const records = await Promise.all(
      names.map(async (name) => {
        const sha256 = name.slice(0, 64);
        const [record, lastUsedAt] = [await find(sha256), await timeOf(fileOf(sha256))];
        return record === undefined
          ? []
          : [{ ...record, ...(lastUsedAt > 0 ? { lastUsedAt } : {}) }];
      }),
    );
    return records.flat().sort((one, other) => one.createdAt - other.createdAt);
  }

  return {
    find,
    list,
    async create(name, scope) {
      for (const place of [stateDirectory, directory]) {
        const opened = await openPrivateDirectory(place);
        if (opened.kind === "refused") throw new Error(`${place}: ${opened.message}`);
      }
      const { token, record } = createToken("ptmux", {
        subject: name,
        scopes: [scope],
        createdAt: now(),
      });
      await writeNew(fileOf(record.sha256), `${JSON.stringify(record, null, 2)}\n`);
      return token;
    },
    async revoke(name) {
      const ended = (await list()).filter(({ subject }) => subject === name);
      for (const { sha256 } of ended) await rm(fileOf(sha256), { force: true });
      return ended.length;
    },
    async noteUse({ sha256 }) {
      // Only the file's time is touched, so that noting a use can never bring a revoked token back.
      const seconds = now() / 1_000;
      await utimes(fileOf(sha256), seconds, seconds);
    },
  };
}

/** Writes the file whole or not at all; its time says that the token was never used. */
async function writeNew(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.utimes(0, 0);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function timeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
