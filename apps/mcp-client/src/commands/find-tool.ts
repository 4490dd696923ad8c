import { nearest } from "../args/nearest.ts";
import type { Failure } from "../client/failure.ts";
import { notSent } from "../errors.ts";
import type { Tool, ToolList } from "../protocol/tool.ts";

/** The listed tool of that name, or why it cannot be called. */
export function findTool(
  name: string,
  { tools, excluded, truncated }: ToolList,
): { kind: "ok"; tool: Tool } | { kind: "failed"; failure: Failure } {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool) return { kind: "ok", tool };
  const shown = JSON.stringify(name.slice(0, 64));
  const reason = excluded.find((candidate) => candidate.tool === name)?.reason;
  if (reason !== undefined) {
    const error = notSent("tool_excluded", `The tool ${shown} cannot be called: ${reason}.`);
    return { kind: "failed", failure: { error } };
  }
  const names = tools.map((candidate) => candidate.name);
  const near = nearest(name, names);
  const hint = near === undefined ? "" : ` Did you mean ${JSON.stringify(near.slice(0, 64))}?`;
  const cut = truncated ? " The list was cut; --no-schema calls without it." : "";
  const error = notSent("unknown_tool", `The server lists no tool ${shown}.${hint}${cut}`);
  return { kind: "failed", failure: { error } };
}
