import { randomUUID } from "node:crypto";
import {
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import type { RpcError, RpcResult } from "../index.ts";

/**
 * The questions that servers have put to their clients (sampling, elicitation) and that are not answered yet.
 * Under 2025-11-25 an answer comes as a request of its own; with no session to name, it finds its question by an
 * id that cannot be guessed, and only from the principal who was asked.
 */
export class OpenQuestions {
  readonly #open = new Map<string, { subject: string; answer: (message: RpcResult) => void }>();

  ask(subject: string, answer: (message: RpcResult) => void): string {
    const id = randomUUID();
    this.#open.set(id, { subject, answer });
    return id;
  }

  withdraw(id: string): void {
    this.#open.delete(id);
  }

  /** Hands an answer to whoever asked. One that nobody awaits from this principal is dropped. */
  take(message: RpcResult | RpcError, subject: string): void {
    const question = this.#open.get(String(message.id));
    if (question?.subject !== subject) return;
    this.#open.delete(String(message.id));
    question.answer(message as RpcResult);
  }
}

/** The SDK's transport for one 2025-11-25 request, with its server's questions kept apart from all others'. */
export class AskingTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #questions: OpenQuestions;
  readonly #subject: string;
  readonly #asked: string[] = [];

  constructor(questions: OpenQuestions, subject: string, keepAliveMs: number) {
    super({ keepAliveMs });
    this.#questions = questions;
    this.#subject = subject;
  }

  override async send(
    message: JSONRPCMessage,
    options?: Parameters<WebStandardStreamableHTTPServerTransport["send"]>[1],
  ): Promise<void> {
    if (!("method" in message && "id" in message)) return super.send(message, options);
    const id = this.#questions.ask(this.#subject, (answer) =>
      this.onmessage?.({ ...answer, id: message.id }),
    );
    this.#asked.push(id);
    return super.send({ ...message, id }, options);
  }

  override async close(): Promise<void> {
    for (const id of this.#asked.splice(0)) this.#questions.withdraw(id);
    return super.close();
  }
}
