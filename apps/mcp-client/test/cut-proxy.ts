import { createServer, connect, type Socket } from "node:net";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** Where a connection breaks: after so many bytes in one direction, counted from the arming. */
export interface Cut {
  readonly where: "request" | "answer";
  readonly bytes: number;
  readonly how: "drop" | "reset" | "stall";
}

/** A proxy that passes every byte on until it is told to break. */
export class CutProxy {
  readonly #target: number;
  #cut: Cut | undefined;
  #armed = false;
  #passed = { request: 0, answer: 0 };

  private constructor(target: number) {
    this.#target = target;
  }

  static async start(target: number): Promise<{ proxy: CutProxy; port: number }> {
    const proxy = new CutProxy(target);
    const server = createServer((client) => proxy.#carry(client)).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return { proxy, port: (server.address() as { port: number }).port };
  }

  /** Counts from here on, and breaks once. */
  arm(cut?: Cut): void {
    this.#cut = cut;
    this.#armed = true;
    this.#passed = { request: 0, answer: 0 };
  }

  /** Passes everything again, and says what has passed since the arming. */
  disarm(): { request: number; answer: number } {
    this.#armed = false;
    this.#cut = undefined;
    return this.#passed;
  }

  #carry(client: Socket): void {
    const server = connect(this.#target, "127.0.0.1");
    const broken = { yes: false };
    const pass = (where: Cut["where"], from: Socket, to: Socket) => {
      from.on("data", (chunk: Buffer) => {
        if (broken.yes) return;
        const left =
          (this.#cut?.where === where ? this.#cut.bytes : Infinity) - this.#passed[where];
        if (!this.#armed || chunk.length < left) {
          if (this.#armed) this.#passed[where] += chunk.length;
          to.write(chunk);
          return;
        }
        broken.yes = true;
        to.write(chunk.subarray(0, left), () => this.#break(client, server));
      });
      from.on("end", () => broken.yes || to.end());
      from.on("error", () => to.destroy());
    };
    pass("request", client, server);
    pass("answer", server, client);
  }

  /** Both sides see the same, as when the machine between them goes. */
  #break(...sockets: Socket[]): void {
    const how = this.#cut?.how;
    if (how === "stall") return;
    for (const socket of sockets) {
      if (how === "reset") socket.resetAndDestroy();
      else socket.end().destroySoon();
    }
    this.#cut = undefined;
    this.#armed = false;
  }
}
