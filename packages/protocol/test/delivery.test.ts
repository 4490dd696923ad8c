import { proves } from "@postern/testing";
import { expect } from "vitest";
import { classifyDelivery, type Delivery, type DeliveryEvidence } from "../src/index.ts";

proves("PROTO-13", "what was never written is not_sent, whatever stopped it", () => {
  const causes = [
    "config",
    "spawn",
    "resolve",
    "connect",
    "tls",
    "request_too_large",
    "cancelled",
  ] as const;

  const verdicts = causes.map((cause) => classifyDelivery({ kind: "never_written", cause }));

  expect(verdicts).toEqual(causes.map(() => ({ delivery: "not_sent", mayHaveRun: false })));
});

proves("PROTO-13", "what was sent and lost is unknown, whatever lost it", () => {
  const causes = [
    "timeout",
    "abort",
    "eof",
    "reset",
    "reply_too_large",
    "reply_unreadable",
    "wrong_id",
    "peer_exit",
  ] as const;

  const verdicts = causes.map((cause) => classifyDelivery({ kind: "lost", cause }));

  expect(verdicts).toEqual(causes.map(() => ({ delivery: "unknown", mayHaveRun: true })));
});

proves("PROTO-13", "a result is delivered", () => {
  expect(classifyDelivery({ kind: "result" })).toEqual({ delivery: "delivered", mayHaveRun: true });
});

proves("PROTO-13", "an RPC error is a rejection only under the codes sent before dispatch", () => {
  const rejected = [-32700, -32600, -32601, -32020, -32021, -32022];

  expect(rpcCodes("tools/call", "rejected")).toEqual(rejected.toSorted(ascending));
  expect(rpcCodes("tools/list", "rejected")).toEqual([...rejected, -32602].toSorted(ascending));
  expect(rpcCodes("tools/call", "unknown")).toEqual([]);
});

proves("PROTO-13", "an HTTP status without a result is a rejection only where it says so", () => {
  const rejected = [
    307, 308, 400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 417, 421, 422, 426, 428, 429, 431,
  ];

  expect(statuses("rejected")).toEqual(rejected);
  expect(statuses("unknown").length).toBe(600 - rejected.length);
});

proves("PROTO-13", "only a definite no says that nothing may have run", () => {
  const evidence: DeliveryEvidence[] = [
    { kind: "http_status", status: 400 },
    { kind: "http_status", status: 502 },
    { kind: "rpc_error", code: -32601, method: "tools/call" },
    { kind: "rpc_error", code: -32602, method: "tools/call" },
  ];

  expect(evidence.map((one) => classifyDelivery(one).mayHaveRun)).toEqual([
    false,
    true,
    false,
    true,
  ]);
});

function rpcCodes(method: string, delivery: Delivery): readonly number[] {
  return range(-33_000, 100).filter(
    (code) => classifyDelivery({ kind: "rpc_error", code, method }).delivery === delivery,
  );
}

function statuses(delivery: Delivery): readonly number[] {
  return range(100, 700).filter(
    (status) => classifyDelivery({ kind: "http_status", status }).delivery === delivery,
  );
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function ascending(one: number, other: number): number {
  return one - other;
}
