import { ToolError, type JsonObject } from "@postern/protocol";
import { bindTool } from "@postern/protocol/server";
import { proves } from "@postern/testing";
import { describe, expect, test } from "vitest";
import { dialects, openPipe } from "./pipe.ts";
import { answering, dropNote, readNote, serve, writeNote } from "./tools.ts";

/** The error of a refusal, after checking the shape every refusal has. */
function errorOf(answer: JsonObject): { code: string; message: string; data: JsonObject } {
  const result = answer["result"] as {
    isError: boolean;
    structuredContent: JsonObject;
    content: unknown;
  };
  expect(result.isError).toBe(true);
  expect(result.content).toEqual([
    { type: "text", text: JSON.stringify(result.structuredContent) },
  ]);
  return result.structuredContent["error"] as { code: string; message: string; data: JsonObject };
}

describe.each(dialects)("under %s", (dialect) => {
  proves("PROTO-03", "bad arguments are listed one by one and never echoed", async () => {
    let ran = false;
    const binding = bindTool(readNote, async () => {
      ran = true;
      return { text: "" };
    });
    const pipe = openPipe(serve([binding]));

    const answer = await pipe.call(dialect, 1, "read_note", {
      lines: "7-secret",
      nmae: "secret",
      where: [{ word: "ok" }, { word: 5, wrod: "secret" }],
    });

    expect(errorOf(answer)).toEqual({
      code: "invalid_arguments",
      message: "The arguments of read_note are not valid: 5 problems; nothing was done.",
      data: {
        issues: [
          { path: "/name", problem: "Required." },
          { path: "/lines", problem: "Invalid input: expected number, received string" },
          { path: "/where/1/word", problem: "Invalid input: expected string, received number" },
          { path: "/where/1/wrod", problem: "Unknown key.", nearestKey: "word" },
          { path: "/nmae", problem: "Unknown key.", nearestKey: "name" },
        ],
      },
    });
    expect(JSON.stringify(answer)).not.toContain("secret");
    expect(ran).toBe(false);
  });

  proves("PROTO-03", "a number written as text is refused, not coerced", async () => {
    const pipe = openPipe(serve([answering("x")]));

    const answer = await pipe.call(dialect, 1, "read_note", { name: "a", lines: "3" });

    expect(errorOf(answer).code).toBe("invalid_arguments");
  });

  proves("PROTO-03", "twenty issues are listed at most", async () => {
    const pipe = openPipe(serve([answering("x")]));
    const keys = (count: number): object =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`other_${String(index)}`, 1]),
      );

    const twenty = await pipe.call(dialect, 1, "read_note", { name: "a", ...keys(20) });
    const more = await pipe.call(dialect, 2, "read_note", { name: "a", ...keys(21) });

    expect(errorOf(twenty).data["issues"]).toHaveLength(20);
    expect(errorOf(more).data["issues"]).toHaveLength(20);
    expect(errorOf(more).data["omittedIssues"]).toBe(1);
  });

  proves("PROTO-04", "a success is structured content and the same as JSON text", async () => {
    const pipe = openPipe(serve([answering("hi")]));

    const { result } = await pipe.call(dialect, 1, "read_note", { name: "a" });

    expect(result).toMatchObject({
      content: [{ type: "text", text: '{"text":"hi"}' }],
      structuredContent: { text: "hi" },
    });
    expect(result).not.toHaveProperty("isError");
  });

  proves("PROTO-04", "a declared refusal reaches the caller as it was thrown", async () => {
    const binding = bindTool(readNote, async () => {
      throw new ToolError("note_not_found", "No note a.", { data: { names: ["b"] } });
    });
    const pipe = openPipe(serve([binding]));

    const answer = await pipe.call(dialect, 1, "read_note", { name: "a" });

    expect(errorOf(answer)).toEqual({
      code: "note_not_found",
      message: "No note a.",
      data: { names: ["b"] },
    });
  });

  proves(
    "PROTO-05",
    "a foreign exception becomes internal_error and only the log has its words",
    async () => {
      const log: Record<string, unknown>[] = [];
      const binding = bindTool(readNote, async () => {
        throw new TypeError("the secret path /root");
      });
      const pipe = openPipe(
        serve([binding], { log: (level, event, fields) => log.push({ level, event, ...fields }) }),
      );

      const error = errorOf(await pipe.call(dialect, 1, "read_note", { name: "a" }));

      expect(error.code).toBe("internal_error");
      expect(error.message).toBe(
        "The server failed in a way its contract does not describe. Its log has the details under the correlation id.",
      );
      expect(log).toEqual([
        {
          level: "error",
          event: "internal_error",
          tool: "read_note",
          correlationId: error.data["correlationId"],
          error: expect.stringContaining("the secret path /root"),
        },
      ]);
    },
  );

  proves("PROTO-05", "a code the contract does not declare becomes internal_error", async () => {
    const binding = bindTool(readNote, async () => {
      throw new ToolError("made_up", "Whatever.");
    });
    const pipe = openPipe(serve([binding]));

    const error = errorOf(await pipe.call(dialect, 1, "read_note", { name: "a" }));

    expect(error.code).toBe("internal_error");
  });

  proves("PROTO-06", "output that breaks its schema is an error under strictOutput", async () => {
    const pipe = openPipe(serve([answering("x".repeat(101))]));

    const answer = await pipe.call(dialect, 1, "read_note", { name: "a" });

    expect(errorOf(answer).code).toBe("internal_error");
  });

  proves("PROTO-06", "without strictOutput it is returned unchanged and logged", async () => {
    const events: string[] = [];
    const text = "x".repeat(101);
    const pipe = openPipe(
      serve([answering(text)], { strictOutput: false, log: (_level, event) => events.push(event) }),
    );

    const { result } = await pipe.call(dialect, 1, "read_note", { name: "a" });

    expect(result).toMatchObject({ structuredContent: { text } });
    expect(result).not.toHaveProperty("isError");
    expect(events).toEqual(["output_breaks_schema"]);
  });

  proves(
    "PROTO-05",
    "output that is no JSON object becomes internal_error even without strictOutput",
    async () => {
      const cycle: Record<string, unknown> = {};
      cycle["self"] = cycle;
      const outputs = [undefined, null, "text", { text: 1n }, cycle];
      const binding = bindTool(readNote, async () => outputs.shift() as { text: string });
      const pipe = openPipe(serve([binding], { strictOutput: false }));

      for (const id of [1, 2, 3, 4, 5]) {
        const answer = await pipe.call(dialect, id, "read_note", { name: "a" });

        expect(errorOf(answer).code).toBe("internal_error");
      }
    },
  );

  proves(
    "PROTO-07",
    "a tool of a disabled effect answers effect_not_enabled and does not run",
    async () => {
      let ran = false;
      const binding = bindTool(dropNote, async ({ requestId }) => {
        ran = true;
        return { requestId };
      });
      const pipe = openPipe(serve([binding], { enabledEffects: () => new Set(["read", "write"]) }));

      const error = errorOf(await pipe.call(dialect, 1, "drop_note", {}));

      expect(error.code).toBe("effect_not_enabled");
      expect(error.data).toEqual({ effect: "destroy" });
      expect(ran).toBe(false);
    },
  );

  proves("PROTO-07", "a tool that does not exist is -32602", async () => {
    const pipe = openPipe(serve([answering("x")]));

    for (const [id, name] of ["no_such_tool", "constructor", "__proto__"].entries()) {
      const answer = await pipe.call(dialect, id, name, {});

      expect(answer["error"]).toMatchObject({ code: -32602 });
    }
  });

  proves("PROTO-01", "a call that brought no requestId gets a minted one, told apart", async () => {
    const seen: unknown[] = [];
    const binding = bindTool(
      writeNote,
      async (_args, { requestId, requestIdMinted, sentArguments }) => {
        seen.push({ requestIdMinted, sentArguments });
        return { requestId };
      },
    );
    const minted = "0193aaaa-0000-8000-8000-000000000001";
    const sent = "0193aaaa-0000-7000-8000-000000000002";
    const pipe = openPipe(serve([binding], { newRequestId: () => minted }));

    const without = await pipe.call(dialect, 1, "write_note", { text: "a" });
    const withOne = await pipe.call(dialect, 2, "write_note", { requestId: sent });

    expect(without["result"]).toMatchObject({ structuredContent: { requestId: minted } });
    expect(withOne["result"]).toMatchObject({ structuredContent: { requestId: sent } });
    expect(seen).toEqual([
      { requestIdMinted: true, sentArguments: { text: "a" } },
      { requestIdMinted: false, sentArguments: {} },
    ]);
  });

  test("progress is told only to a caller that asked, only growing, and not after the answer", async () => {
    const binding = bindTool(readNote, async (_args, { reportProgress }) => {
      reportProgress(1, 3, "one");
      reportProgress(1, 3, "again");
      reportProgress(2);
      setImmediate(() => reportProgress(3));
      return { text: "" };
    });
    const pipe = openPipe(serve([binding]));

    await pipe.call(dialect, 1, "read_note", { name: "a" });
    await pipe.call(dialect, 2, "read_note", { name: "a" }, { progressToken: "t" });
    await pipe.end();

    const told = pipe.lines
      .map((line) => JSON.parse(line))
      .filter(({ method }) => method !== undefined);
    expect(told).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: "t", progress: 1, total: 3, message: "one" },
      },
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: "t", progress: 2 },
      },
    ]);
  });

  test("a handler knows the revision and the principal of its caller", async () => {
    const seen: unknown[] = [];
    const binding = bindTool(readNote, async (_args, { revision, principal, params }) => {
      seen.push({ revision, principal, params });
      return { text: "" };
    });
    const pipe = openPipe(serve([binding]), {
      principal: { subject: "stdio:ann", scopes: ["read"] },
    });

    await pipe.call(dialect, 1, "read_note", { name: "a" });

    expect(seen).toEqual([
      { revision: dialect, principal: { subject: "stdio:ann", scopes: ["read"] }, params: {} },
    ]);
  });
});
