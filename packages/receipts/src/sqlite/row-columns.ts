import type { ReceiptRow } from "../receipt-row.ts";
import type { ReceiptState } from "../receipt.ts";
import type { SqlRow, SqlValue } from "./connection.ts";

/** How each column is read from a row; the order is that of the placeholders. */
const columns: readonly (readonly [name: string, value: (row: ReceiptRow) => SqlValue])[] = [
  ["request_id", (row) => row.requestId],
  ["principal", (row) => row.principal],
  ["instance", (row) => row.instance],
  ["tool", (row) => row.tool],
  ["fingerprint", (row) => row.fingerprint],
  ["attempt", (row) => row.attempt],
  ["owner", (row) => row.owner],
  ["created_at", (row) => row.createdAt],
  ["state", (row) => row.state],
  ["code", (row) => row.code],
  ["message", (row) => row.message],
  ["data", (row) => row.data],
  ["summary", (row) => row.summary],
  ["result_bytes", (row) => row.resultBytes],
  ["result_sha256", (row) => row.resultSha256],
  ["result_omitted", (row) => Number(row.resultOmitted)],
  ["was_unknown", (row) => Number(row.wasUnknown)],
  ["established", (row) => row.established],
  ["armed_at", (row) => row.armedAt],
  ["finished_at", (row) => row.finishedAt],
];

// What a row is about and whose it is never changes, so that an update leaves the key's index alone.
const FIXED = 8;
const outcomeColumns = columns.slice(FIXED);

const names = columns.map(([name]) => name).join(", ");
const places = columns.map(() => "?").join(", ");
const assignments = outcomeColumns.map(([name]) => `${name} = ?`).join(", ");

export const insertRow = `INSERT INTO postern_receipts (${names}) VALUES (${places})`;
/** Takes state, armed_at, data and seq; it stays off the index of pending rows. */
export const armRow = "UPDATE postern_receipts SET state = ?, armed_at = ?, data = ? WHERE seq = ?";
/** Takes the outcome's values and then the seq. */
export const endRow = `UPDATE postern_receipts SET ${assignments} WHERE seq = ?`;

export function valuesOf(row: ReceiptRow): SqlValue[] {
  return columns.map(([, value]) => value(row));
}

export function outcomeValuesOf(row: ReceiptRow): SqlValue[] {
  return outcomeColumns.map(([, value]) => value(row));
}

export function rowFrom(record: SqlRow): ReceiptRow {
  const text = (name: string): string => String(record[name]);
  const textOrNull = (name: string): string | null =>
    record[name] === null ? null : String(record[name]);
  const numberOrNull = (name: string): number | null =>
    record[name] === null ? null : Number(record[name]);
  return {
    requestId: text("request_id"),
    principal: text("principal"),
    instance: text("instance"),
    tool: text("tool"),
    fingerprint: text("fingerprint"),
    attempt: text("attempt"),
    owner: text("owner"),
    state: text("state") as ReceiptState,
    code: textOrNull("code"),
    message: textOrNull("message"),
    data: textOrNull("data"),
    result: textOrNull("result"),
    summary: textOrNull("summary"),
    resultBytes: numberOrNull("result_bytes"),
    resultSha256: textOrNull("result_sha256"),
    resultOmitted: record["result_omitted"] === 1,
    wasUnknown: record["was_unknown"] === 1,
    established: textOrNull("established") as ReceiptRow["established"],
    createdAt: Number(record["created_at"]),
    armedAt: numberOrNull("armed_at"),
    finishedAt: numberOrNull("finished_at"),
  };
}
