import type { ToolReply } from "../protocol/tool-reply.ts";

// Printable ASCII, TAB and LF: what the sanitiser passes byte for byte, so that it need not be loaded.
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** The text of a reply that is nothing but harmless text; undefined when it has to be rendered. */
export function plainReply(reply: ToolReply): string | undefined {
  if (reply.kind !== "complete" || reply.content.length === 0) return undefined;
  const texts = reply.content.map(({ type, text }) => (type === "text" ? text : undefined));
  const plain = texts.filter((text) => typeof text === "string" && PLAIN.test(text));
  return plain.length === texts.length ? plain.join("\n") : undefined;
}
