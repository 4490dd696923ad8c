import { ReceiptsError } from "../errors.ts";
import type { Connection } from "./connection.ts";
import { isBusy } from "./sqlite-error.ts";

const SCHEMA_VERSION = 1;
const WAL_PATIENCE_MS = 2_000;

/**
 * The tables live in the caller's file, so all names carry the prefix and the version stands in a table of ours.
 * Results have their own table: a receipt stays small when its result goes.
 */
const definitions = `
  CREATE TABLE IF NOT EXISTS postern_receipts (
    seq INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL, principal TEXT NOT NULL, instance TEXT NOT NULL, tool TEXT NOT NULL,
    fingerprint TEXT NOT NULL, attempt TEXT NOT NULL, owner TEXT NOT NULL, state TEXT NOT NULL,
    code TEXT, message TEXT, data TEXT, summary TEXT,
    result_bytes INTEGER, result_sha256 TEXT, result_omitted INTEGER NOT NULL,
    was_unknown INTEGER NOT NULL, established TEXT,
    created_at INTEGER NOT NULL, armed_at INTEGER, finished_at INTEGER,
    UNIQUE (request_id, principal, instance, tool)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS postern_receipts_pending ON postern_receipts (owner)
    WHERE finished_at IS NULL;
  CREATE TABLE IF NOT EXISTS postern_receipts_results (
    seq INTEGER PRIMARY KEY, result TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS postern_receipts_marks (
    name TEXT PRIMARY KEY, value INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT OR IGNORE INTO postern_receipts_marks VALUES ('schema', ${String(SCHEMA_VERSION)});
`;

/** Checks the file, turns on write-ahead logging, and makes the tables if they are not there. */
export function prepareTables(connection: Connection): void {
  const check = connection.first("PRAGMA quick_check(1)");
  if (check?.["quick_check"] !== "ok") {
    throw new ReceiptsError(
      "store_damaged",
      "The receipt store is damaged. It was left as it is; move it away or restore a backup.",
    );
  }
  refuseNewerSchema(connection);
  turnOnWal(connection);
  if (schemaVersion(connection) !== undefined) return;
  connection.exec("BEGIN IMMEDIATE");
  connection.exec(definitions);
  refuseNewerSchema(connection);
  connection.exec("COMMIT");
}

function refuseNewerSchema(connection: Connection): void {
  const version = schemaVersion(connection) ?? 0;
  if (version <= SCHEMA_VERSION) return;
  throw new ReceiptsError(
    "store_too_new",
    `The receipt store has schema ${String(version)}; this release knows ${String(SCHEMA_VERSION)}. Use the newer release.`,
  );
}

function schemaVersion(connection: Connection): number | undefined {
  const table = connection.first(
    "SELECT 1 AS found FROM sqlite_schema WHERE name = 'postern_receipts_marks'",
  );
  if (table === undefined) return undefined;
  const row = connection.first("SELECT value FROM postern_receipts_marks WHERE name = 'schema'");
  return Number(row?.["value"] ?? 0);
}

/** The engine does not wait by itself while another process switches the same file. */
function turnOnWal(connection: Connection): void {
  const patience = performance.now() + WAL_PATIENCE_MS;
  for (;;) {
    try {
      const mode = connection.first("PRAGMA journal_mode = WAL");
      if (mode?.["journal_mode"] === "wal") return;
      throw new ReceiptsError(
        "store_unavailable",
        "This file system cannot do write-ahead logging.",
      );
    } catch (error) {
      if (!isBusy(error) || performance.now() > patience) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
