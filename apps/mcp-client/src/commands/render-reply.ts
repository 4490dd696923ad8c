import { sanitize, safeLine } from "@postern/terminal-text";
import { decodedLength } from "../content/attachments.ts";
import type { PreparedFile } from "../content/prepare.ts";
import { isMembers } from "../protocol/json-rpc.ts";
import type { ContentBlock, ToolReply } from "../protocol/tool-reply.ts";
import { prettyJson } from "./print.ts";

/** A tool's reply for a person's screen. Every word of it is the server's, made unable to act on the terminal. */
export function renderReply(reply: ToolReply, files: readonly PreparedFile[] = []): string {
  if (reply.kind === "input_required") {
    const questions = Object.entries(reply.inputRequests).map(([key, request]) => {
      const message = isMembers(request.params) ? request.params["message"] : undefined;
      const words = typeof message === "string" ? `: ${safeLine(message, { maxChars: 500 })}` : "";
      return `  ${safeLine(key)} (${safeLine(request.method)})${words}`;
    });
    return ["The server asks before it goes on:", ...questions].join("\n");
  }
  const blocks = reply.content.map((block, index) =>
    renderBlock(
      block,
      files.find((file) => file.block === index),
    ),
  );
  const hasText = reply.content.some((block) => block.type === "text");
  if (reply.structuredContent !== undefined && !hasText) {
    blocks.push(terminalText(prettyJson(reply.structuredContent)));
  }
  return blocks.join("\n");
}

/** Text of several lines that cannot drive a terminal. */
export function terminalText(text: string): string {
  return sanitize(text, { mode: "terminal" }).text;
}

function renderBlock(block: ContentBlock, file: PreparedFile | undefined): string {
  if (block.type === "text" && typeof block["text"] === "string")
    return terminalText(block["text"]);
  const resource = isMembers(block["resource"]) ? block["resource"] : block;
  if (typeof resource["text"] === "string") return terminalText(resource["text"]);
  const facts = [block.type, resource["mimeType"], resource["uri"]]
    .filter((fact) => typeof fact === "string")
    .map((fact) => safeLine(fact));
  const data = resource["data"] ?? resource["blob"];
  if (typeof data === "string") facts.push(`${String(decodedLength(data))} bytes`);
  const saved = file ? ` saved as ${terminalText(file.path)}` : "";
  return `[${facts.join(", ")}]${saved}`;
}
