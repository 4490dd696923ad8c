import { proves } from "@postern/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MalformedListError } from "../../src/domain/list-reader.ts";
import { parseSnapshot } from "../../src/domain/snapshot.ts";

const row = "$0\t@0\t%0\t77\t0\t0\t1\t1\t5\t2\t0\t----\t4\t4\twork\ta\tb\n\tsh\n";
const facts =
  "=\t$0\t@0\t%0\t77\t5\t2\t1\t1\t1\t2000\t0\t1\t0\t\t0\t0\t0\t----\t/dev/pts/1\tsh\t/tmp\n";
const rows = "hello\n wor \nl\n";
const lines = "\u001b[31mhello wor \nl\n";
const output = Buffer.from(row + facts + rows + lines);

proves("TMUX-20", "one answer gives the list, the pane's facts, its rows and its lines", () => {
  const snapshot = parseSnapshot(output, 600);

  expect(snapshot.list).toMatchObject([
    { sessionName: "work", windowName: "a\tb\n", currentCommand: "sh" },
  ]);
  expect(snapshot.facts).toMatchObject({
    paneId: "%0",
    panePid: 77,
    historySize: 1,
    exitStatus: undefined,
  });
  expect(snapshot).toMatchObject({ rows: ["hello", " wor ", "l"], firstRow: 0, complete: true });
  expect(snapshot.lines).toEqual([
    { text: "hello wor ", styled: "\u001b[31mhello wor ", prefix: "", row: 0, rowCount: 2 },
    { text: "l", styled: "l", prefix: "\u001b[31m", row: 2, rowCount: 1 },
  ]);
});

test("a capture that starts inside the history leaves out the line it may have cut", () => {
  const deep = Buffer.from(row + facts.replace("\t1\t2000\t", "\t9\t2000\t") + rows + lines);
  const snapshot = parseSnapshot(deep, 1);

  expect(snapshot).toMatchObject({ firstRow: 8, complete: false });
  expect(snapshot.lines.map(({ text, row: first }) => [text, first])).toEqual([["l", 10]]);
});

test("an answer that is cut anywhere before its text is refused, never half read", () => {
  const listed = row.length + facts.length + rows.length;
  fc.assert(
    fc.property(fc.nat(listed - 1), (length) => {
      expect(() => parseSnapshot(output.subarray(0, length), 600)).toThrow(MalformedListError);
    }),
  );
});

test("bytes that are no UTF-8 become replacement characters in rows and lines alike", () => {
  const bad = Buffer.concat([
    Buffer.from(row + facts),
    Buffer.from([0x61, 0xff, 0x0a, 0x0a, 0x0a, 0x61, 0xff, 0x0a, 0x0a, 0x0a]),
  ]);

  expect(parseSnapshot(bad, 600).lines[0]).toMatchObject({ text: "a\ufffd", row: 0, rowCount: 1 });
});
