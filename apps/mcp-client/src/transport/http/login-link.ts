import type { Secret } from "@postern/endpoint-auth";
import type { Answer } from "../../client/answer.ts";
import type { OAuth } from "../../oauth/oauth.ts";
import type { LostAnswer, Outgoing } from "../link.ts";
import { bearerChallenge } from "./challenge.ts";
import { HttpLink, type HttpLinkOptions } from "./http-link.ts";

/** A login whose tokens a connection presents. */
export interface LinkLogin {
  readonly source: Pick<OAuth, "access" | "heard">;
  /** How a person logs in, up to the scopes: a command line, or words about the API. */
  readonly command: string;
  /** Called when the connection is closed. */
  release(): void;
}

/** The token of the latest request; the link's headers read it. */
export interface TokenSlot {
  token: Secret | undefined;
}

/**
 * An HTTP link whose requests carry the token of a login. It is fetched, and if it has run out renewed, before a
 * request is written; a refusal is answered to the caller and changes only what the caller's next request does.
 */
export class LoginLink extends HttpLink {
  readonly #login: LinkLogin;
  readonly #slot: TokenSlot;
  readonly #waiting = new Map<number, (answer: LostAnswer) => void>();
  #granted: readonly string[] = [];
  #accepted: string | undefined;

  constructor(options: HttpLinkOptions, login: LinkLogin, slot: TokenSlot) {
    super(options);
    this.#login = login;
    this.#slot = slot;
  }

  override async exchange(request: Outgoing): Promise<Answer> {
    const unready = await this.#authorize(request.id);
    if (unready) return unready;
    const { token } = this.#slot;
    const answer = await super.exchange(request);
    return token ? this.#judge(answer, token) : answer;
  }

  override abandon(id: number, answer: LostAnswer): boolean {
    this.#waiting.get(id)?.(answer);
    return super.abandon(id, answer);
  }

  override fail(answer: LostAnswer): void {
    for (const giveUp of this.#waiting.values()) giveUp(answer);
    super.fail(answer);
  }

  override async close() {
    const report = await super.close();
    this.#login.release();
    return report;
  }

  /** Gets the token, unless the request is given up first; nothing of it is written then. */
  async #authorize(id: number): Promise<Answer | undefined> {
    const abort = new AbortController();
    const givenUp = new Promise<LostAnswer>((resolve) => this.#waiting.set(id, resolve));
    const access = await Promise.race([
      this.#login.source.access({ signal: abort.signal }),
      givenUp,
    ]);
    this.#waiting.delete(id);
    abort.abort();
    switch (access.kind) {
      case "token":
        this.#slot.token = access.token;
        this.#granted = access.scopes;
        return undefined;
      case "failed": {
        const { code, message } = access.error;
        const hint = code === "login_required" ? ` ${this.#advice([])}` : "";
        // Every code of this error says that nothing was sent.
        return { kind: "not_sent", code, message: `${message}${hint}` };
      }
      case "lost":
        return { kind: "not_sent", code: access.code, message: access.message };
    }
  }

  async #judge(answer: Answer, token: Secret): Promise<Answer> {
    if (answer.kind === "result") {
      await this.#accept(token);
      return answer;
    }
    if (answer.kind !== "http_status") return answer;
    const challenge = bearerChallenge(answer.challenge);
    const { scopes: required = [] } = challenge;
    if (answer.code === "auth_required") {
      await this.#login.source.heard(token, { kind: "refused", challenge });
      const message = `${answer.message} ${this.#advice(required)}`;
      return { ...answer, message };
    }
    if (answer.code !== "insufficient_scope") return answer;
    await this.#login.source.heard(token, { kind: "insufficient_scope", challenge });
    const missing = required.filter((scope) => !this.#granted.includes(scope));
    const message = `${answer.message} ${this.#advice(required)}`;
    return {
      ...answer,
      message,
      data: { ...answer.data, required, granted: this.#granted, missing },
    };
  }

  async #accept(token: Secret): Promise<void> {
    const value = token.reveal();
    if (value === this.#accepted) return;
    this.#accepted = value;
    // The answer is there: that its login cannot be marked as verified takes nothing from it.
    await this.#login.source.heard(token, { kind: "accepted" }).catch(() => undefined);
  }

  #advice(scopes: readonly string[]): string {
    const words = scopes.map((scope) => ` --scope ${scope}`).join("");
    const { command } = this.#login;
    return command.startsWith("postern-mcp") ? `Run: ${command}${words}` : command;
  }
}
