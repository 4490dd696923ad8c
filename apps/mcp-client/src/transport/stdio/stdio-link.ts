import { setImmediate } from "node:timers/promises";
import type { LongProcess } from "@postern/exec-sandbox";
import { FrameReader } from "@postern/protocol/framing";
import type { Answer } from "../../client/answer.ts";
import {
  readEnvelope,
  type Incoming,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
} from "../../protocol/json-rpc.ts";
import type { CloseReport, FailedAnswer, Link, LostAnswer, Outgoing, Traffic } from "../link.ts";
import { awaitExitUnderWay } from "./exit-watch.ts";
import { NoiseCount } from "./noise-count.ts";

const liveLinks = new Set<StdioLink>();

/** Kills every server of this process at once; for a second interrupt. */
export function killAllServers(): void {
  for (const link of liveLinks) link.kill();
}

/** One message per line over a child's standard streams. */
export class StdioLink implements Link {
  readonly kind = "stdio";
  readonly traffic: Traffic = { bytesSent: 0, bytesReceived: 0, stray: 0, noiseLines: 0 };
  onMessage: (message: RpcNotification | RpcRequest) => void = () => undefined;
  onActivity: () => void = () => undefined;
  readonly #process: LongProcess;
  readonly #pending = new Map<number, (answer: Answer) => void>();
  readonly #ignoredLate = new Set<number>();
  readonly #noise: NoiseCount;
  readonly #reader: FrameReader;
  readonly #maxMessageBytes: number;
  readonly #exitHandled: Promise<void>;
  #broken: LostAnswer | undefined;
  #closing: Promise<CloseReport> | undefined;

  constructor(child: LongProcess, maxMessageBytes: number) {
    this.#process = child;
    this.#maxMessageBytes = maxMessageBytes;
    this.#noise = new NoiseCount(this.traffic);
    this.#reader = new FrameReader({
      maxFrameBytes: maxMessageBytes,
      onFrame: (bytes) => this.#onLine(bytes),
      onFault: (fault) => fault.kind === "too_large" && this.#tooLarge(),
    });
    child.stdout.on("data", (chunk: Buffer) => this.#onBytes(chunk));
    child.stdout.once("end", () => void this.#onEnd());
    child.stdout.once("error", () => void this.#onEnd());
    // A server that stopped reading may still answer; what it cost is seen by the write's own callback.
    child.stdin.on("error", () => undefined);
    liveLinks.add(this);
    this.#exitHandled = child.exited.then((exit) => this.#onExit(exit));
  }

  get broken(): LostAnswer | undefined {
    return this.#broken;
  }

  speak(): void {
    // The rules of the wire differ between revisions over HTTP only.
  }

  exchange({ id, text }: Outgoing): Promise<Answer> {
    if (this.#broken || !this.#process.stdin.writable) {
      const message = "The server takes no more input.";
      return Promise.resolve({ kind: "not_sent", code: "session_closed", message });
    }
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#write(text, (error) => {
        if (error) void this.#onWriteFailed(id);
      });
    });
  }

  abandon(id: number, answer: LostAnswer, o: { ignoreLateAnswer?: boolean } = {}): boolean {
    if (o.ignoreLateAnswer) this.#ignoredLate.add(id);
    return this.#settle(id, answer);
  }

  async send(message: RpcNotification | RpcResponse): Promise<FailedAnswer | undefined> {
    if (!this.#broken && this.#process.stdin.writable) this.#write(JSON.stringify(message));
    return undefined;
  }

  resume(): undefined {
    return undefined;
  }

  shownHeaders(): Record<string, string> {
    return {};
  }

  fail(answer: LostAnswer): void {
    this.#break(answer);
    this.kill();
    void this.close();
  }

  /** Kills the server's process tree at once, without the graces of a close. */
  kill(): void {
    void this.#process.kill();
  }

  stderrTail(): string {
    const { head, tail } = this.#process.stderrTail();
    return head + tail;
  }

  close(): Promise<CloseReport> {
    this.#break({ kind: "lost", code: "client_closed", message: "The client was closed." });
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<CloseReport> {
    const { killedWith, survivors, survivorCheck } = await this.#process.close();
    liveLinks.delete(this);
    const stage = ({ none: "eof", TERM: "sigterm", KILL: "sigkill" } as const)[killedWith];
    return { processTree: { stage, survivors: survivors.length, proof: survivorCheck } };
  }

  #write(text: string, onWritten?: (error: Error | null | undefined) => void): void {
    const line = Buffer.from(`${text}\n`);
    this.traffic.bytesSent += line.length;
    this.#process.stdin.write(line, onWritten);
  }

  #onBytes(chunk: Buffer): void {
    this.traffic.bytesReceived += chunk.length;
    this.onActivity();
    if (!this.#broken) this.#reader.push(chunk);
  }

  #onLine(bytes: Uint8Array): void {
    if (this.#broken) return;
    const value = parse(bytes);
    // Revision 2025-03-26 lets a server answer in batches; each member is a message of its own.
    for (const item of Array.isArray(value) && value.length > 0 ? value : [value]) {
      this.#onIncoming(readEnvelope(item), bytes);
    }
  }

  #onIncoming(incoming: Incoming, bytes: Uint8Array): void {
    switch (incoming.kind) {
      case "request":
      case "notification":
        return this.onMessage(incoming.message);
      case "result":
        return this.#answer(incoming.id, { kind: "result", result: incoming.result, bytes });
      case "error":
        if (incoming.id === null) return this.#uncorrelated(incoming.error.message);
        return this.#answer(incoming.id, { kind: "rpc_error", error: incoming.error });
      case "broken_answer":
        return this.#answer(incoming.id, {
          kind: "lost",
          code: "unparsable_reply",
          message: "The answer is neither a result nor an error.",
          head: Buffer.from(bytes.subarray(0, 1_024)).toString("utf8"),
        });
      case "noise": {
        const flood = this.#noise.add(bytes.length);
        if (flood) this.fail(flood);
      }
    }
  }

  #answer(id: number | string, answer: Answer): void {
    if (typeof id === "number" && this.#settle(id, answer)) return;
    if (typeof id === "number" && this.#ignoredLate.delete(id)) return;
    this.traffic.stray += 1;
  }

  /** JSON-RPC: an error without an id means that the server could not tell what it answers. */
  #uncorrelated(head: string): void {
    const [only, ...others] = this.#pending.keys();
    if (only === undefined || others.length > 0) {
      this.traffic.stray += 1;
      return;
    }
    const message = "The server answered with an error that names no request.";
    this.#settle(only, { kind: "lost", code: "uncorrelated_error", message, head });
  }

  #settle(id: number, answer: Answer): boolean {
    const resolve = this.#pending.get(id);
    this.#pending.delete(id);
    resolve?.(answer);
    return resolve !== undefined;
  }

  #tooLarge(): void {
    const limit = this.#maxMessageBytes;
    this.fail({
      kind: "lost",
      code: "message_too_large",
      message: `The server sent a message over maxMessageBytes (${String(limit)}). The connection was ended.`,
      limit: { name: "maxMessageBytes", limit, seen: limit + 1 },
    });
  }

  async #onWriteFailed(id: number): Promise<void> {
    await this.#afterExit();
    const message = "The server's input was closed while the request was written.";
    this.#settle(id, { kind: "lost", code: "connection_lost", message });
  }

  async #onEnd(): Promise<void> {
    this.#reader.end();
    await this.#afterExit();
    const message = "The server closed its output.";
    this.#break({ kind: "lost", code: "stream_ended", message });
  }

  /** The exit's own handler comes first where there is one: it knows more. */
  async #afterExit(): Promise<void> {
    await awaitExitUnderWay(this.#process.pid, this.#exitHandled);
  }

  async #onExit({
    exitCode,
    signal,
  }: {
    exitCode: number | null;
    signal: string | null;
  }): Promise<void> {
    await this.#drained();
    const how = signal === null ? `with status ${String(exitCode)}` : `by signal ${signal}`;
    this.#break({
      kind: "lost",
      code: "server_exited",
      message: `The server ended ${how}.`,
      data: { exitCode, signal },
    });
  }

  /** A grandchild may hold stdout open for ever, so "read to its end" means: until a turn of the loop brings nothing. */
  async #drained(): Promise<void> {
    let before: number;
    do {
      before = this.traffic.bytesReceived;
      await setImmediate();
      await setImmediate();
    } while (this.traffic.bytesReceived > before);
  }

  #break(answer: LostAnswer): void {
    this.#broken ??= answer;
    for (const id of this.#pending.keys()) this.#settle(id, answer);
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
