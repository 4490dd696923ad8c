import type { FastifyRequest } from "fastify";

type Incoming = FastifyRequest["raw"];

/** How much of a refused body is read, so that its sender gets to see the answer. */
const maxRefusedBytes = 65_536;
/** How long the sender of a longer one may take to notice before the connection is cut. */
const lingerMs = 1_000;

/** The bytes of a body, or why there are none. */
export type RequestBody =
  | { readonly kind: "read"; readonly bytes: Uint8Array }
  | { readonly kind: "too_large" }
  | { readonly kind: "broken" };

/** Reads a body of at most `maxBytes`; a longer one is given up as soon as it shows. */
export async function readBody(incoming: Incoming, maxBytes: number): Promise<RequestBody> {
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) return { kind: "too_large" };
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // Without this option leaving the loop would cut the connection that the refusal has to go out on.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      const bytes = chunk as Uint8Array;
      size += bytes.length;
      if (size > maxBytes) return { kind: "too_large" };
      chunks.push(bytes);
    }
  } catch {
    // The sender went away in the middle; nobody is left to be told.
    return { kind: "broken" };
  }
  return { kind: "read", bytes: Buffer.concat(chunks) };
}

/** Reads what is left of a refused body up to 64 KiB, then ends the connection. */
export function discardBody(incoming: Incoming): void {
  let size = 0;
  incoming.on("error", () => incoming.destroy());
  incoming.on("data", (chunk: Uint8Array) => {
    size += chunk.length;
    if (size <= maxRefusedBytes || incoming.isPaused()) return;
    incoming.pause();
    // The answer is on its way; a cut at once could overtake it.
    incoming.socket.end();
    setTimeout(() => incoming.destroy(), lingerMs).unref();
  });
}
