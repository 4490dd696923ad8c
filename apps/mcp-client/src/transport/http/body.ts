import type { IncomingMessage } from "node:http";

export type Body =
  | { kind: "whole"; bytes: Buffer }
  /** More than the cap; `bytes` is what came up to it. */
  | { kind: "over"; bytes: Buffer; seen: number }
  | { kind: "broken"; bytes: Buffer; reason: string };

/** Reads a body up to a cap, in linear time. At the cap the connection is ended. */
export function readBody(
  response: IncomingMessage,
  o: { maxBytes: number; onBytes: (count: number) => void },
): Promise<Body> {
  const chunks: Buffer[] = [];
  let seen = 0;
  return new Promise((resolve) => {
    const end = (kind: "whole" | "over" | "broken", reason = "closed"): void => {
      const bytes = Buffer.concat(chunks);
      if (kind === "whole") resolve({ kind, bytes });
      else if (kind === "over") resolve({ kind, bytes, seen });
      else resolve({ kind, bytes, reason });
    };
    response.on("data", (chunk: Buffer) => {
      seen += chunk.length;
      o.onBytes(chunk.length);
      if (seen <= o.maxBytes) chunks.push(chunk);
      else {
        response.destroy();
        end("over");
      }
    });
    response.once("end", () => end("whole"));
    response.on("error", (error: NodeJS.ErrnoException) => end("broken", error.code));
    response.once("close", () => end("broken"));
  });
}
