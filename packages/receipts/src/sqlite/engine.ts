import { dirname, join } from "node:path";
import { Connection } from "./connection.ts";
import { Executor } from "./executor.ts";
import type { StoreFault } from "./faults.ts";
import { OwnerLocks } from "./owner-lock.ts";
import { preparePrivateFile } from "./private-file.ts";
import { SqliteTable } from "./sqlite-table.ts";
import { prepareTables } from "./tables.ts";

export interface OpenEngine {
  readonly owner: string;
  readonly executor: Executor;
  close(): void;
}

/** Checks and opens the file, takes an owner's lock, and ends what owners that are gone left pending. */
export function openEngine(options: {
  readonly file: string;
  readonly fault?: StoreFault;
}): OpenEngine {
  preparePrivateFile(options.file);
  const connection = new Connection(options.file, options.fault);
  prepareTables(connection);
  const locks = new OwnerLocks(join(dirname(options.file), "owners"));
  const executor = new Executor(connection, new SqliteTable(connection), locks);
  executor.buryDeadOwners(Date.now());
  return {
    owner: locks.owner,
    executor,
    close: () => {
      connection.close();
      locks.release();
    },
  };
}
