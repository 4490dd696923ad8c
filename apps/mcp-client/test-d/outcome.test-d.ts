import { expectTypeOf, test } from "vitest";
import {
  callTool,
  unwrap,
  type ClientError,
  type ClientErrorCode,
  type DeliveredCode,
  type Detail,
  type Outcome,
  type RejectedCode,
  type ServerConfig,
  type ToolReply,
} from "../src/index.ts";

test("an outcome narrows on error, destructured or not", async () => {
  const outcome = await callTool({ command: "x" }, "t");
  expectTypeOf(outcome).toEqualTypeOf<Outcome<ToolReply>>();
  const { result, error, detail } = outcome;
  expectTypeOf(detail).toEqualTypeOf<Detail>();
  if (error) {
    expectTypeOf(error).toEqualTypeOf<ClientError>();
    expectTypeOf(result).toEqualTypeOf<undefined>();
  } else {
    expectTypeOf(result).toEqualTypeOf<ToolReply>();
  }
  expectTypeOf(unwrap(outcome)).toEqualTypeOf<ToolReply>();
});

test("codes are closed unions", () => {
  expectTypeOf<ClientError["code"]>().toEqualTypeOf<ClientErrorCode>();
  expectTypeOf<DeliveredCode>().toEqualTypeOf<
    "server_error" | "malformed_result" | "invalid_params"
  >();
  expectTypeOf<RejectedCode>().toEqualTypeOf<
    | "invalid_request"
    | "method_not_found"
    | "invalid_params"
    | "header_mismatch"
    | "missing_capability"
    | "unsupported_revision"
    | "auth_required"
    | "insufficient_scope"
    | "forbidden"
    | "session_expired"
    | "http_rejected"
    | "redirect_refused"
  >();
  // @ts-expect-error no such code
  const code: ClientErrorCode = "failed";
  expectTypeOf(code).toBeString();
});

test("a configuration needs its command and knows its fields", () => {
  expectTypeOf({ command: "x" }).toExtend<ServerConfig>();
  // @ts-expect-error no command
  void callTool({}, "t");
  // @ts-expect-error a misspelt field
  void callTool({ command: "x", timoutMs: 5 }, "t");
});
