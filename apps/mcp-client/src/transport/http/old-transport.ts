import { Connector } from "./connector.ts";
import { Exchange } from "./exchange.ts";
import { SocketPool } from "./socket-pool.ts";
import { mediaType } from "./status.ts";

const LIMIT_MS = 3_000;
const MAX_BYTES = 4_096;

/**
 * Whether an address belongs to the HTTP+SSE transport of 2024-11-05, which this client does not speak: such a
 * server answers a GET with a stream whose first event names another address. One GET, without credentials.
 */
export async function isOldTransport(address: string): Promise<boolean> {
  const url = new URL(address);
  const limit = AbortSignal.timeout(LIMIT_MS);
  const connector = new Connector({ url, ca: undefined, proxy: undefined });
  const pool = new SocketPool(() => connector.connect(limit));
  const traffic = { bytesSent: 0, bytesReceived: 0, stray: 0, noiseLines: 0 };
  const headers = { accept: "text/event-stream", "accept-encoding": "identity" };
  let text = "";
  const over = { kind: "lost", code: "stream_ended", message: "The look is over." } as const;
  const request = { method: "GET", headers, body: undefined } as const;
  const exchange = new Exchange({ url, pool, traffic }, request, (response, own) => {
    const isStream = mediaType(response.headers["content-type"]) === "text/event-stream";
    if (response.statusCode !== 200 || !isStream) return own.settle(over);
    response.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (namesEndpoint(text) || text.length > MAX_BYTES) own.settle(over);
    });
    response.on("error", () => undefined);
    response.once("close", () => own.settle(over));
  });
  const giveUp = (): void => void exchange.abandon(over);
  limit.addEventListener("abort", giveUp, { once: true });
  await exchange.answer;
  exchange.abandon(over);
  pool.destroy();
  return namesEndpoint(text);
}

function namesEndpoint(text: string): boolean {
  return /^event: ?endpoint\r?$/m.test(text);
}
