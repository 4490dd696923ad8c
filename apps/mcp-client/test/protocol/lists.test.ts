import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { proves, temporaryDirectory } from "@postern/testing";
import { expect } from "vitest";
import { unwrap, withClient, type ServerConfig } from "../../src/index.ts";
import { readTool, resolveReference } from "../../src/protocol/tool.ts";
import { server } from "../support.ts";

const list = async (config: ServerConfig) =>
  unwrap(await withClient(config, (client) => client.listTools()));

proves("CLNT-31", "a tool needs a usable name and an object schema with local references", () => {
  const schema = { type: "object" };
  const chain = (hops: number) => ({
    $ref: "#/$defs/0",
    $defs: Object.fromEntries(
      Array.from({ length: hops }, (_, n) => [
        String(n),
        n + 1 === hops ? { type: "object" } : { $ref: `#/$defs/${String(n + 1)}` },
      ]),
    ),
  });
  const kind = (value: unknown) => readTool(value).kind;

  expect(kind({ name: "a", inputSchema: schema })).toBe("tool");
  expect(kind({ name: "a".repeat(256), inputSchema: schema })).toBe("tool");
  expect(kind({ name: "a".repeat(257), inputSchema: schema })).toBe("excluded");
  expect(kind({ name: "", inputSchema: schema })).toBe("excluded");
  expect(kind({ inputSchema: schema })).toBe("excluded");
  expect(kind({ name: "a" })).toBe("excluded");
  expect(kind({ name: "a", inputSchema: { type: "array" } })).toBe("excluded");
  expect(kind({ name: "a", inputSchema: { $ref: "https://example.com/s" } })).toBe("excluded");
  expect(kind({ name: "a", inputSchema: { $ref: "#/$defs/none" } })).toBe("excluded");
  expect(kind({ name: "a", inputSchema: { $ref: "#" } })).toBe("excluded");
  expect(kind({ name: "a", inputSchema: chain(64) })).toBe("tool");
  expect(kind({ name: "a", inputSchema: chain(65) })).toBe("excluded");
  const escaped = { "a/b~c d": { type: "string" } };
  expect(resolveReference({ $ref: "#/$defs/a~1b~0c%20d" }, { $defs: escaped })).toEqual({
    kind: "resolved",
    schema: { type: "string" },
  });
});

proves("CLNT-32", "paging ends at a repeated cursor or a limit, and says which", async () => {
  const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);
  const paged = server("--pages=3");

  const looped = await list(paged);
  expect(names(looped.tools)).toEqual(["t0", "t1", "t2", "t3"]);
  expect(looped.truncated).toEqual({ why: "cursor_loop", nextCursor: "3" });

  const pages = await list({ ...paged, listMaxPages: 2 });
  expect(names(pages.tools)).toEqual(["t0", "t1"]);
  expect(pages.truncated).toEqual({ why: "pages", nextCursor: "2" });

  const items = await list({ ...paged, listMaxItems: 1 });
  expect(names(items.tools)).toEqual(["t0"]);
  expect(items.truncated).toMatchObject({ why: "items" });

  const bytes = await list({ ...server("--pages=99"), listMaxBytes: 4_096 });
  expect(bytes.truncated?.why).toBe("bytes");

  const file = join(temporaryDirectory(), "tools.json");
  const schema = { type: "object" };
  writeFileSync(
    file,
    JSON.stringify([
      { name: "same", title: "first", inputSchema: schema },
      { name: "same", title: "second", inputSchema: schema },
      { name: "bad", inputSchema: 5 },
    ]),
  );
  const odd = await list(server(`--tools=${file}`));
  expect(odd.tools).toEqual([{ name: "same", title: "first", inputSchema: schema }]);
  expect(odd.excluded).toEqual([{ tool: "bad", reason: "its inputSchema is not an object" }]);
});
