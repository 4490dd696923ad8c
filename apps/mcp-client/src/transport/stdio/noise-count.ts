import type { LostAnswer, Traffic } from "../link.ts";

const MAX_LINES = 1_000;
const MAX_BYTES = 1024 * 1024;

/** Counts lines on stdout that are no messages. Banners are common; a stream of them is no protocol. */
export class NoiseCount {
  readonly #traffic: Traffic;
  #bytes = 0;

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
  }

  /** Counts one line; over 1 000 lines or 1 MiB of them the connection is lost. */
  add(bytes: number): LostAnswer | undefined {
    this.#traffic.noiseLines += 1;
    this.#bytes += bytes;
    const tooMany = this.#traffic.noiseLines > MAX_LINES;
    if (!tooMany && this.#bytes <= MAX_BYTES) return undefined;
    return {
      kind: "lost",
      code: "protocol_violation",
      message: "The server writes something else than protocol messages to stdout.",
      limit: tooMany
        ? { name: "noiseLines", limit: MAX_LINES, seen: this.#traffic.noiseLines }
        : { name: "noiseBytes", limit: MAX_BYTES, seen: this.#bytes },
    };
  }
}
