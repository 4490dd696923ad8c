import { expect, test } from "vitest";
import { unwrap, withClient } from "../../src/index.ts";
import { httpServer } from "../http-support.ts";

test("one connection carries a session from its opening to its end", async () => {
  const server = await httpServer("--session=abc");

  const outcome = await withClient({ url: server.url }, async (client) => {
    await client.callTool("stream");
    return client.callTool("echo", { text: "hi" });
  });

  expect(unwrap(outcome)).toMatchObject({ structuredContent: { text: "hi" } });
  expect(server.lines()).toEqual([
    "POST initialize",
    "POST notifications/initialized",
    "POST tools/call",
    "POST tools/call",
    "DELETE",
  ]);
  expect(server.connections()).toBe(1);
});
