import type { AnyContract } from "@postern/protocol";
import * as contracts from "@postern/tmux-server/contract";
import { z } from "zod";

interface Property {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Property;
  readonly anyOf?: readonly Property[];
}

/** One section per tool: what it is for, its arguments, its answer and its own refusals. */
export function toolsPage(): string {
  const tools = Object.values(contracts).filter((entry) => "effect" in entry);
  const index = tools.map(
    ({ name, title, effect }) => `| [\`${name}\`](#${name}) | ${title} | ${effect} |`,
  );
  return [
    "# Tools of tmux-server",
    "",
    "This page is generated from the contracts in the source; do not edit it.",
    "",
    "| tool | | effect |",
    "| --- | --- | --- |",
    ...index,
    ...tools.flatMap(section),
    "",
  ].join("\n");
}

function section(contract: AnyContract): readonly string[] {
  const codes = Object.entries(contract.errors).map(
    ([code, meaning]) => `| \`${code}\` | ${meaning} |`,
  );
  return [
    "",
    `## ${contract.name}`,
    "",
    contract.description,
    "",
    ...table("argument", contract.input, "input"),
    "",
    ...table("answer", contract.output, "output"),
    ...(codes.length > 0 ? ["", "| refusal | meaning |", "| --- | --- |", ...codes] : []),
  ];
}

function table(title: string, schema: z.ZodType, io: "input" | "output"): readonly string[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const rows = Object.entries(properties as Record<string, Property>).map(
    ([name, property]) =>
      `| \`${name}\`${io === "input" && required.includes(name) ? " (required)" : ""} | ${shape(property)} | ${property.description ?? ""} |`,
  );
  if (rows.length === 0) return [`No ${title}s.`];
  return [`| ${title} | type | |`, "| --- | --- | --- |", ...rows];
}

/** Type, bounds and default in one short phrase. */
function shape(property: Property): string {
  const type = property.enum
    ? property.enum.map((value) => `\`${String(value)}\``).join(", ")
    : (property.anyOf?.map(shape).join(" or ") ?? [property.type].flat().join(" or "));
  const bounds = [
    range(property.minimum, property.maximum, ""),
    range(property.minLength, property.maxLength, " characters"),
    range(undefined, property.maxItems, " entries"),
  ].filter(Boolean);
  const preset =
    property.default === undefined ? [] : [`default \`${JSON.stringify(property.default)}\``];
  return [
    property.type === "array" && property.items ? `array of ${shape(property.items)}` : type,
    ...bounds,
    ...preset,
  ].join(", ");
}

function range(
  low: number | undefined,
  high: number | undefined,
  unit: string,
): string | undefined {
  if (high === undefined || high === Number.MAX_SAFE_INTEGER) return undefined;
  return low === undefined
    ? `at most ${String(high)}${unit}`
    : `${String(low)} to ${String(high)}${unit}`;
}
