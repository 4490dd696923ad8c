import { isMembers, type Members } from "../protocol/json-rpc.ts";
import { readTool, type Tool, type ToolList } from "../protocol/tool.ts";
import type { Account } from "./account.ts";
import type { Connection } from "./connection.ts";
import { failureOf, type Failure } from "./failure.ts";
import { malformedResult } from "./malformed.ts";
import type { ListOptions } from "./options.ts";

/** Walks `tools/list` to its end or to the first limit. */
export async function listAllTools(
  connection: Connection,
  account: Account,
  o: ListOptions,
): Promise<{ kind: "listed"; list: ToolList } | { kind: "failed"; failure: Failure }> {
  const { peer, config } = connection;
  const timeoutMs = o.timeoutMs ?? config.timeoutMs;
  const deadline = performance.now() + timeoutMs;
  const walk = new ToolWalk(config.listMaxItems);
  account.phase = "list";
  let bytes = 0;
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const answer = await peer.request("tools/list", cursor === undefined ? undefined : { cursor }, {
      timeoutMs: Math.max(1, Math.round(deadline - performance.now())),
      ...(config.idleTimeoutMs !== undefined && { idleTimeoutMs: config.idleTimeoutMs }),
      ...(o.signal && { signal: o.signal }),
    });
    // A walk that ran out of time still has the pages it read.
    if (answer.kind === "lost" && answer.code === "timeout" && page > 1) {
      return walk.end(connection, "time", cursor);
    }
    if (answer.kind !== "result") {
      return {
        kind: "failed",
        failure: await failureOf(answer, { method: "tools/list", phase: "list" }),
      };
    }
    const shape = peer.revision.readResult(answer.result);
    if (shape.kind !== "complete") return walk.malformed("it is no complete result");
    const { tools, nextCursor } = shape.result;
    if (!Array.isArray(tools)) return walk.malformed("it has no list of tools");
    bytes += answer.bytes.length;
    if (!walk.take(tools)) return walk.end(connection, "items", cursor);
    if (typeof nextCursor !== "string" || nextCursor === "") return walk.end(connection);
    if (!walk.isNew(nextCursor)) return walk.end(connection, "cursor_loop", nextCursor);
    if (page >= config.listMaxPages) return walk.end(connection, "pages", nextCursor);
    if (bytes >= config.listMaxBytes) return walk.end(connection, "bytes", nextCursor);
    cursor = nextCursor;
  }
}

class ToolWalk {
  readonly #maxItems: number;
  readonly #tools = new Map<string, Tool>();
  readonly #excluded: ToolList["excluded"] = [];
  readonly #cursors = new Set<string>();
  #seen = 0;

  constructor(maxItems: number) {
    this.#maxItems = maxItems;
  }

  /** Takes one page; false once the items are too many. The first tool of a name wins. */
  take(page: readonly unknown[]): boolean {
    for (const value of page) {
      this.#seen += 1;
      if (this.#seen > this.#maxItems) return false;
      const read = readTool(value);
      if (read.kind === "excluded") {
        this.#excluded.push({ tool: read.tool, reason: read.reason });
      } else if (!this.#tools.has(read.tool.name)) {
        this.#tools.set(read.tool.name, read.tool);
      }
    }
    return true;
  }

  isNew(cursor: string): boolean {
    const before = this.#cursors.size;
    return this.#cursors.add(cursor).size > before;
  }

  end(
    connection: Connection,
    why?: NonNullable<ToolList["truncated"]>["why"],
    nextCursor?: string,
  ): { kind: "listed"; list: ToolList } {
    connection.knownTools = this.#tools;
    const truncated = why && { why, ...(nextCursor !== undefined && { nextCursor }) };
    return {
      kind: "listed",
      list: {
        tools: [...this.#tools.values()],
        excluded: this.#excluded,
        ...(truncated && { truncated }),
      },
    };
  }

  malformed(why: string): { kind: "failed"; failure: Failure } {
    return { kind: "failed", failure: malformedResult("tools/list", why, "not_sent") };
  }
}

/** What the server claims a tool does to the world. */
export function claimedEffects(tool: Tool | undefined): "claimed_read_only" | "possible" {
  const annotations: Members = isMembers(tool?.annotations) ? tool.annotations : {};
  return annotations["readOnlyHint"] === true ? "claimed_read_only" : "possible";
}
