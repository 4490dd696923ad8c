import { createHash } from "node:crypto";
import { Account } from "../client/account.ts";
import { ClientError } from "../errors.ts";
import type { Outcome } from "../outcome.ts";
import type { ToolReply } from "../protocol/tool-reply.ts";
import { attachmentsOf, decodeCanonical, type Attachment } from "./attachments.ts";
import { Folder } from "./folder.ts";
import { applyLimits, type ContentLimits, type LeftOut } from "./limits.ts";
import { isMismatch, sniff } from "./sniff.ts";

export interface PrepareOptions extends ContentLimits {
  /** A folder for the files, made if it is not there. @default a new private one among the temporary files */
  readonly dir?: string;
  /** The tool that replied; file names begin with it. @default "reply" */
  readonly tool?: string;
}

export interface PreparedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** What the bytes are; `application/octet-stream` where that cannot be told. */
  readonly sniffedType: string;
  /** What the server said they are. */
  readonly declaredType?: string;
  /** The place of the block in the reply's content. */
  readonly block: number;
}

export interface Prepared {
  /** Where the files lie; undefined if there are none. */
  readonly dir: string | undefined;
  readonly files: readonly PreparedFile[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Writes the images, sounds and blobs of a reply to private files, so that another program can be given paths.
 * File names never come from the server, links are never fetched, and a failure removes the files it made.
 */
export async function prepare(
  reply: ToolReply,
  o: PrepareOptions = {},
): Promise<Outcome<Prepared>> {
  const account = new Account("content");
  const { taken, leftOut, hit } = applyLimits(attachmentsOf(reply), o);
  const folder = new Folder(o.dir);
  const files: PreparedFile[] = [];
  try {
    for (const attachment of taken) {
      const file = await write(attachment, folder, slug(o.tool ?? "reply"));
      if (file.mismatch) {
        account.warn(
          "mime_mismatch",
          `Block ${String(attachment.block)} was declared as another type than its bytes are (${file.written.sniffedType}).`,
        );
      }
      files.push(file.written);
    }
  } catch (error) {
    await folder.undo();
    return account.fail({ error: error instanceof ClientError ? error : writeFailed(error) });
  }
  if (leftOut.length > 0) {
    const message = `${String(leftOut.length)} attachment(s) are over a limit and were not written.`;
    account.warn("content_too_large", message);
  }
  const outcome = account.succeed<Prepared>({ dir: folder.path, files, leftOut });
  if (hit) outcome.detail.limit = hit;
  return outcome;
}

async function write(
  { block, base64, bytes, declaredType }: Attachment,
  folder: Folder,
  tool: string,
): Promise<{ written: PreparedFile; mismatch: boolean }> {
  const content = decodeCanonical(base64);
  if (!content) {
    const message = `Block ${String(block)} of the reply is not canonical base64; no file was kept.`;
    throw new ClientError("content_invalid", "delivered", message, { data: { block } });
  }
  const sniffed = sniff(content, declaredType);
  const sha256 = createHash("sha256").update(content).digest("hex");
  const stem = `${tool}-${String(block)}-${sha256.slice(0, 12)}`;
  const path = await folder.write(stem, sniffed.extension, content);
  const declared = declaredType !== undefined && { declaredType };
  return {
    written: { path, bytes, sha256, sniffedType: sniffed.type, ...declared, block },
    mismatch: isMismatch(declaredType, sniffed),
  };
}

/** A name that means nothing to a shell, a path or a terminal. */
function slug(tool: string): string {
  const plain = tool.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return plain.replaceAll(/^-|-$/g, "").slice(0, 40) || "reply";
}

function writeFailed(cause: unknown): ClientError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "error";
  const message = `The attachments could not be written (${code}); the files made so far were removed.`;
  return new ClientError("content_write_failed", "delivered", message, { cause, data: { code } });
}
