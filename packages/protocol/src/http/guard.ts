import type { Principal } from "../server/index.ts";

/** What a guard may look at: nothing of the body is read before it has answered. */
export interface GuardedRequest {
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** Every value of every header, names in lower case. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly remoteAddress: string | undefined;
  /** Stands for the connection the request came by, and is good for nothing else. */
  readonly connection: object;
}

/** A refusal of a guard; `code` is the stable word callers test. */
export interface GuardRefusal {
  readonly ok: false;
  readonly status: 401 | 403 | 404;
  readonly code: string;
  readonly message: string;
  /** Headers of the answer, for example `www-authenticate`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Decides whether a request may go on, and who sent it. */
export type HttpGuard = (
  request: GuardedRequest,
) => Promise<{ readonly ok: true; readonly principal: Principal } | GuardRefusal>;

/** Header values by name, each as often as it was sent; Node's own merging hides repetitions. */
export function distinctHeaders(rawHeaders: readonly string[]): Record<string, readonly string[]> {
  // Without a prototype, so that a header named like one of its members is a header.
  const headers: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    (headers[name] ??= []).push(rawHeaders[index + 1] ?? "");
  }
  return headers;
}
