import type { Agent, ClientRequest, IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

const { Agent: HttpAgent } = process.getBuiltinModule("node:http");

const MAX_IDLE_MS = 3_000;

/**
 * Keeps connections for the next request, but none that its server may be about to close: a request on such a
 * one would be lost without anybody knowing whether it arrived.
 */
export class SocketPool extends HttpAgent {
  readonly #connect: () => Promise<Socket>;
  readonly #maxIdleMs = new WeakMap<Duplex, number>();
  readonly #usableUntil = new WeakMap<Duplex, number>();

  constructor(connect: () => Promise<Socket>) {
    super({ keepAlive: true, maxFreeSockets: 8, scheduling: "fifo" });
    this.#connect = connect;
  }

  /** A request is given its socket only when that can carry it: until then nothing of it was sent. */
  override createConnection: Agent["createConnection"] = (_options, callback) => {
    void this.#open(callback as (error: Error | null, socket?: Socket) => void);
    return undefined;
  };

  async #open(done: (error: Error | null, socket?: Socket) => void): Promise<void> {
    const opened = await this.#connect().catch((error: unknown) => error as Error);
    if (opened instanceof Error) done(opened);
    else done(null, opened);
  }

  /** Notes how long a server says it keeps an idle connection (`Keep-Alive: timeout=`). */
  note(socket: Duplex, headers: IncomingHttpHeaders): void {
    const [, seconds] = /(?:^|[\s,;])timeout=(\d{1,6})/.exec(String(headers["keep-alive"])) ?? [];
    const announced = seconds === undefined ? MAX_IDLE_MS : Number(seconds) * 1_000 - 1_000;
    this.#maxIdleMs.set(socket, Math.min(MAX_IDLE_MS, announced));
  }

  /** Ends what has been idle for too long, whatever timers have or have not run. */
  sweep(): void {
    const now = performance.now();
    for (const sockets of Object.values(this.freeSockets)) {
      for (const socket of sockets ?? []) {
        if ((this.#usableUntil.get(socket) ?? 0) <= now) socket.destroy();
      }
    }
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const idleMs = this.#maxIdleMs.get(socket) ?? MAX_IDLE_MS;
    if (idleMs <= 0) return false;
    this.#usableUntil.set(socket, performance.now() + idleMs);
    super.keepSocketAlive(socket);
    // The agent destroys a free socket at its timeout.
    (socket as Socket).setTimeout(idleMs);
    return true;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    super.reuseSocket(socket, request);
    (socket as Socket).setTimeout(0);
  }
}
