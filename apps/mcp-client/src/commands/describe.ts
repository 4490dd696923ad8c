import { safeLine } from "@postern/terminal-text";
import { argumentKind, kindLabel } from "../args/argument-kind.ts";
import { exampleWord } from "../args/example.ts";
import type { CommandLine } from "../args/flags.ts";
import { Account } from "../client/account.ts";
import { claimedEffects } from "../client/lists.ts";
import { isMembers, type Members } from "../protocol/json-rpc.ts";
import type { ServerInfo } from "../protocol/revision.ts";
import { resolveReference, type Tool, type ToolList } from "../protocol/tool.ts";
import type { CommandContext } from "./context.ts";
import { findTool } from "./find-tool.ts";
import { exitOf, listOne } from "./list.ts";
import { terminalText } from "./render-reply.ts";
import { failureReport, type Report } from "./report.ts";
import { shownServer } from "./shown-server.ts";

/** One argument of a tool as this program will read it. */
export interface DescribedArgument {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  /** A word the parser of this program accepts. */
  readonly example: string;
}

/** `describe [SERVER] [TOOL]`: what a server or one of its tools says of itself, and how to call it. */
export async function describe(line: CommandLine, context: CommandContext): Promise<Report> {
  const words = line.words.slice(1);
  const server = line.serverCommand ? undefined : words.shift();
  const name = words.shift();
  const subject = {
    command: "describe",
    ...(server && { server: shownServer(server) }),
    ...(name && { tool: name }),
  };
  const listed = await listOne(line, context, server);
  if (!listed.info) return failureReport(subject, listed.outcome);
  const { outcome, info } = listed;
  const { result, detail } = outcome;
  if (name === undefined) {
    const about = { ...info, tools: result.tools.map((tool) => tool.name) };
    const text = serverText(info, result);
    return { ...subject, exitCode: exitOf(outcome), result: about, detail, text };
  }
  const found = findTool(name, result);
  if (found.kind === "failed") {
    return failureReport(subject, new Account("list").fail(found.failure));
  }
  const args = describeArguments(found.tool);
  const text = toolText(found.tool, args, server);
  return { ...subject, exitCode: 0, result: { tool: found.tool, arguments: args }, detail, text };
}

/** The arguments of a tool, in the order of its schema. */
export function describeArguments({ inputSchema }: Tool): DescribedArgument[] {
  const top = resolveReference(inputSchema, inputSchema);
  const { properties, required } = top.kind === "resolved" ? top.schema : inputSchema;
  return Object.entries(isMembers(properties) ? properties : {}).map(([name, schema]) => {
    const resolved = isMembers(schema) ? resolveReference(schema, inputSchema) : undefined;
    const view: Members = resolved?.kind === "resolved" ? resolved.schema : {};
    const kind = argumentKind(schema, inputSchema);
    return {
      name,
      type: kindLabel(kind, inputSchema),
      required: Array.isArray(required) && required.includes(name),
      ...(typeof view["description"] === "string" && { description: view["description"] }),
      ...(view["default"] !== undefined && { default: view["default"] }),
      ...(kind.kind === "enum" && { enum: kind.values }),
      example: exampleWord(name, schema, inputSchema),
    };
  });
}

function serverText(info: ServerInfo, { tools }: ToolList): string {
  const { serverInfo, revision, instructions } = info;
  const own = isMembers(serverInfo) ? serverInfo : {};
  const named = [own["name"], own["version"]].filter((part) => typeof part === "string").join(" ");
  const lines = [
    `server    ${safeLine(named || "unnamed")}`,
    `revision  ${revision}`,
    `tools     ${tools.map((tool) => safeLine(tool.name)).join(", ")}`,
  ];
  if (instructions !== undefined) lines.push("The server says:", quoted(instructions));
  return lines.join("\n");
}

function toolText(
  tool: Tool,
  args: readonly DescribedArgument[],
  server: string | undefined,
): string {
  const lines = [`${safeLine(tool.name)}  (effects: ${claimedEffects(tool).replaceAll("_", " ")})`];
  if (tool.description !== undefined) lines.push("The server says:", quoted(tool.description));
  for (const argument of args) {
    const facts = [argument.type, argument.required ? "required" : "optional"];
    if (argument.enum) facts[0] = `one of ${argument.enum.map(jsonLine).join(", ")}`;
    if (argument.default !== undefined) facts.push(`default ${jsonLine(argument.default)}`);
    lines.push("", `${safeLine(argument.name)}  ${facts.join(", ")}`);
    if (argument.description !== undefined) lines.push(quoted(argument.description));
    lines.push(`  example: ${safeLine(argument.example)}`);
  }
  const words = args.filter(({ required }) => required).map(({ example }) => safeLine(example));
  const [before, after] = server === undefined ? [[], ["-- COMMAND"]] : [[server], []];
  lines.push(
    "",
    ["call: postern-mcp call", ...before, safeLine(tool.name), ...words, ...after].join(" "),
  );
  return lines.join("\n");
}

/** The server's own words, marked on every line so that they cannot pose as ours. */
function quoted(text: string): string {
  return terminalText(text)
    .split("\n")
    .map((line) => `  | ${line}`)
    .join("\n");
}

function jsonLine(value: unknown): string {
  return safeLine(JSON.stringify(value) ?? "null");
}
