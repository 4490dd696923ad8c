import { exactDigits } from "./exact-json.ts";
import { isMembers, type Members } from "./json-rpc.ts";
import type { Headers, ReadMirrors } from "./revision.ts";
import type { Tool } from "./tool.ts";

/** One argument that a header repeats. */
export interface HeaderMirror {
  readonly path: readonly string[];
  /** The part after `Mcp-Param-`. */
  readonly header: string;
}

/** The mirrored arguments of each tool, by its name. */
export type HeaderMirrors = ReadonlyMap<string, readonly HeaderMirror[]>;

const ANNOTATION = "x-mcp-header";
const MAX_DEPTH = 16;
const MAX_HEADERS = 64;
/** Keywords that hold data, where the annotation's name is a value like any other. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(["default", "const", "enum", "examples"]);
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);

interface Place {
  readonly node: unknown;
  readonly path: readonly string[];
  /** Whether only `properties` were passed on the way here. */
  readonly reachable: boolean;
}

/** Reads the header annotations of a tool (Streamable HTTP, "Custom Headers from Tool Parameters"). */
export function readMirrors({ inputSchema }: Tool): ReadMirrors {
  const mirrors = new Map<string, HeaderMirror>();
  const stack: Place[] = [{ node: inputSchema, path: [], reachable: true }];
  for (let place = stack.pop(); place; place = stack.pop()) {
    const { node, path } = place;
    if (isMembers(node) && Object.hasOwn(node, ANNOTATION)) {
      const read = readAnnotation(node, place);
      const where = `its ${ANNOTATION} at "${path.join(".").slice(0, 60)}"`;
      if ("fault" in read) return { kind: "unusable", reason: `${where} ${read.fault}` };
      const key = read.header.toLowerCase();
      if (mirrors.has(key)) return { kind: "unusable", reason: `${where} names a header twice` };
      mirrors.set(key, { path, header: read.header });
      if (mirrors.size > MAX_HEADERS) {
        return { kind: "unusable", reason: `it asks for more than ${String(MAX_HEADERS)} headers` };
      }
    }
    for (const below of placesBelow(place)) stack.push(below);
  }
  return { kind: "mirrors", mirrors: [...mirrors.values()] };
}

function readAnnotation(node: Members, o: Place): { header: string } | { fault: string } {
  const header = node[ANNOTATION];
  if (!o.reachable || o.path.length === 0) {
    return { fault: "is not reached through properties alone" };
  }
  if (o.path.length > MAX_DEPTH) return { fault: `lies deeper than ${String(MAX_DEPTH)}` };
  if (typeof header !== "string" || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/.test(header)) {
    return { fault: "is no header name" };
  }
  if (TYPES.has(node["type"])) return { header };
  return { fault: "stands on something else than a string, an integer or a boolean" };
}

function placesBelow({ node, path, reachable }: Place): Place[] {
  if (Array.isArray(node)) return node.map((item) => ({ node: item, path, reachable: false }));
  if (!isMembers(node)) return [];
  return Object.entries(node).flatMap(([key, child]): Place[] => {
    if (DATA_KEYWORDS.has(key)) return [];
    if (key !== "properties" || !isMembers(child)) return [{ node: child, path, reachable: false }];
    return Object.entries(child).map(([name, property]) => ({
      node: property,
      // Past the limit the depth alone counts, so a path need not grow with it.
      path: path.length > MAX_DEPTH ? path : [...path, name],
      reachable,
    }));
  });
}

/** The `Mcp-Param-*` headers of one `tools/call`. An argument that is null or absent has none. */
export function mirrorHeaders(params: Members | undefined, mirrors: HeaderMirrors): Headers {
  const name = params?.["name"];
  const wanted = typeof name === "string" ? mirrors.get(name) : undefined;
  const headers: Record<string, string> = {};
  for (const { path, header } of wanted ?? []) {
    const text = headerText(valueAt(params?.["arguments"], path));
    if (text !== undefined) headers[`mcp-param-${header.toLowerCase()}`] = encodeHeaderValue(text);
  }
  return headers;
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let node = root;
  for (const key of path) {
    if (!isMembers(node) || !Object.hasOwn(node, key)) return undefined;
    node = node[key];
  }
  return node;
}

/** A number is written as in the body, digit for digit. */
function headerText(value: unknown): string | undefined {
  const plain = ["string", "number", "boolean", "bigint"].includes(typeof value);
  return plain ? String(value) : exactDigits(value);
}

/** A value as a header can carry it: as it is where that is safe, else as UTF-8 in its base64 form. */
export function encodeHeaderValue(value: string): string {
  const plain = /^[\u0021-\u007e](?:[\t\u0020-\u007e]*[\u0021-\u007e])?$/.test(value);
  if (plain && !(value.startsWith("=?base64?") && value.endsWith("?="))) return value;
  return `=?base64?${Buffer.from(value).toString("base64")}?=`;
}
