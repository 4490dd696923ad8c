import { isMembers, type Members } from "./json-rpc.ts";

/** A tool as the server describes it. All texts are the server's own words. */
export interface Tool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Members;
  outputSchema?: Members;
  annotations?: Members;
  _meta?: Members;
}

export interface ToolList {
  tools: Tool[];
  /** Tools that cannot be called by this client, and why. */
  excluded: { tool: string; reason: string }[];
  truncated?: { why: "pages" | "items" | "bytes" | "time" | "cursor_loop"; nextCursor?: string };
}

const MAX_NAME_CHARS = 256;
const MAX_REF_HOPS = 64;

/** A listed tool, or the reason why it cannot be used. */
export function readTool(
  value: unknown,
): { kind: "tool"; tool: Tool } | { kind: "excluded"; tool: string; reason: string } {
  if (!isMembers(value) || typeof value["name"] !== "string") {
    return { kind: "excluded", tool: "", reason: "it has no name" };
  }
  const { name, inputSchema } = value;
  const excluded = (reason: string) => ({ kind: "excluded", tool: name, reason }) as const;
  if (name.length < 1 || name.length > MAX_NAME_CHARS) {
    return excluded(`its name is not 1 to ${String(MAX_NAME_CHARS)} characters long`);
  }
  if (!isMembers(inputSchema)) return excluded("its inputSchema is not an object");
  const root = resolveReference(inputSchema, inputSchema);
  if (root.kind === "unresolved") return excluded(root.reason);
  const type = root.schema["type"] ?? "object";
  if (type !== "object") return excluded("its inputSchema describes something else than an object");
  return { kind: "tool", tool: value as unknown as Tool };
}

/** Follows local `$ref`s of a schema. Nothing is ever fetched. */
export function resolveReference(
  schema: Members,
  root: Members,
): { kind: "resolved"; schema: Members } | { kind: "unresolved"; reason: string } {
  let current = schema;
  for (let hop = 0; hop <= MAX_REF_HOPS; hop += 1) {
    const reference = current["$ref"];
    if (typeof reference !== "string") return { kind: "resolved", schema: current };
    if (!reference.startsWith("#")) {
      return { kind: "unresolved", reason: "its schema refers to another document" };
    }
    const target = followPointer(reference.slice(1), root);
    if (!isMembers(target)) {
      return { kind: "unresolved", reason: "its schema refers to a definition that is not there" };
    }
    const { $ref: _followed, ...beside } = current;
    current = {
      ...target,
      ...beside,
      ...(typeof target["$ref"] === "string" && { $ref: target["$ref"] }),
    };
  }
  return {
    kind: "unresolved",
    reason: `its schema needs more than ${String(MAX_REF_HOPS)} $ref hops`,
  };
}

function followPointer(pointer: string, root: Members): unknown {
  let target: unknown = root;
  for (const part of pointer.split("/").slice(1)) {
    const key = decodePart(part);
    const holder = target;
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key)) {
      return undefined;
    }
    target = (holder as Members)[key];
  }
  return target;
}

/** JSON Pointer in a URI fragment: percent-decoded, then ~1 and ~0. */
function decodePart(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // A stray percent sign stands for itself.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
