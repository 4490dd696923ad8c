import type { HeaderMirror } from "../protocol/header-mirrors.ts";
import { isMembers, type Members } from "../protocol/json-rpc.ts";
import type { Revision } from "../protocol/revision.ts";
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
  // Header annotations bind a client over HTTP alone.
  const read = peer.link.kind === "http" ? peer.revision.readMirrors : undefined;
  const walk = new ToolWalk(config.listMaxItems, read);
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
  readonly #mirrors = new Map<string, readonly HeaderMirror[]>();
  readonly #readMirrors: Revision["readMirrors"];
  readonly #excluded: ToolList["excluded"] = [];
  readonly #cursors = new Set<string>();
  #seen = 0;

  constructor(maxItems: number, read: Revision["readMirrors"]) {
    this.#maxItems = maxItems;
    this.#readMirrors = read;
  }

  /** Takes one page; false once the items are too many. The first tool of a name wins. */
  take(page: readonly unknown[]): boolean {
    for (const value of page) {
      this.#seen += 1;
      if (this.#seen > this.#maxItems) return false;
      const read = readTool(value);
      if (read.kind === "excluded") {
        this.#excluded.push({ tool: read.tool, reason: read.reason });
      } else if (!this.#tools.has(read.tool.name)) this.#takeTool(read.tool);
    }
    return true;
  }

  #takeTool(tool: Tool): void {
    const read = this.#readMirrors?.(tool);
    if (read?.kind === "unusable") {
      this.#excluded.push({ tool: tool.name, reason: read.reason });
      return;
    }
    this.#tools.set(tool.name, tool);
    if (read && read.mirrors.length > 0) this.#mirrors.set(tool.name, read.mirrors);
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
    connection.peer.mirrors = this.#mirrors;
    connection.excludedTools = new Map(
      this.#excluded
        .filter(({ tool }) => !this.#tools.has(tool))
        .map(({ tool, reason }) => [tool, reason]),
    );
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
