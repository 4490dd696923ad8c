import { isMembers } from "../protocol/json-rpc.ts";
import type { ToolReply } from "../protocol/tool-reply.ts";

/** One block of a reply that holds bytes, still as base64. */
export interface Attachment {
  /** Its place in the reply's content. */
  readonly block: number;
  readonly blockType: string;
  readonly declaredType: string | undefined;
  readonly base64: string;
  /** How many bytes it decodes to. */
  readonly bytes: number;
}

/** The blocks of a reply that hold bytes: images, sounds and embedded blobs. Links are never followed. */
export function attachmentsOf(reply: ToolReply): Attachment[] {
  if (reply.kind !== "complete") return [];
  return reply.content.flatMap((content, block) => {
    const { type } = content;
    const holder = type === "resource" ? content["resource"] : content;
    if (!isMembers(holder) || !["image", "audio", "resource"].includes(type)) return [];
    const base64 = type === "resource" ? holder["blob"] : holder["data"];
    if (typeof base64 !== "string") return [];
    const declaredType = typeof holder["mimeType"] === "string" ? holder["mimeType"] : undefined;
    return [{ block, blockType: type, declaredType, base64, bytes: decodedLength(base64) }];
  });
}

/** How many bytes a base64 text stands for. */
export function decodedLength(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

/** The bytes, if the text is the one base64 form of them: no line breaks, padding complete, spare bits zero. */
export function decodeCanonical(base64: string): Buffer | undefined {
  const bytes = Buffer.from(base64, "base64");
  return bytes.toString("base64") === base64 ? bytes : undefined;
}
