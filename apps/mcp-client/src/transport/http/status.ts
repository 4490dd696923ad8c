import type { IncomingMessage } from "node:http";
import type { Answer } from "../../client/answer.ts";

export type StatusAnswer = Extract<Answer, { kind: "http_status" }>;

/** What is known of a request when only its status came back. */
export interface Asked {
  readonly url: URL;
  readonly hasSession: boolean;
  readonly hasToken: boolean;
}

/** Statuses that refuse a request before it is handled, besides those with a meaning of their own. */
const REJECTING: ReadonlySet<number> = new Set([
  400, 404, 405, 406, 411, 413, 414, 415, 417, 421, 422, 426, 428, 429, 431,
]);

/** What an HTTP status means where no message of the server came with it. */
export function statusAnswer(response: IncomingMessage, asked: Asked): StatusAnswer {
  const { statusCode: status = 0, headers } = response;
  const challenge = headers["www-authenticate"];
  const shown = String(status);
  const answer = (
    code: StatusAnswer["code"],
    message: string,
    data: Record<string, unknown> = {},
  ): StatusAnswer => ({
    kind: "http_status",
    status,
    code,
    message,
    data: { status, ...data },
    ...(challenge !== undefined && { challenge }),
  });
  if (status >= 300 && status < 400 && status !== 304) return redirect(answer, response, asked);
  if (status === 401) {
    return answer(
      "auth_required",
      asked.hasToken
        ? "The server refused the token it was given (401)."
        : "The server wants to know who asks (401), and no token is configured.",
    );
  }
  if (status === 403) {
    return challenge !== undefined && /error="?insufficient_scope/.test(challenge)
      ? answer("insufficient_scope", "The token may not do this: the server asks for more scope.")
      : answer("forbidden", "The server forbids this (403).");
  }
  if (status === 404 && asked.hasSession) {
    return answer("session_expired", "The server has ended this session (404); open a new one.");
  }
  const isPage = isHtml(response) || status === 404;
  const hint = isPage ? " Check the URL: it must be the MCP endpoint itself, not a web page." : "";
  if (REJECTING.has(status)) {
    return answer("http_rejected", `The server rejected the request with status ${shown}.${hint}`);
  }
  return answer("http_status", `The server answered with status ${shown} and no result.${hint}`);
}

function redirect(
  answer: (
    code: StatusAnswer["code"],
    message: string,
    data?: Record<string, unknown>,
  ) => StatusAnswer,
  { headers, statusCode }: IncomingMessage,
  { url }: Asked,
): StatusAnswer {
  // The origin alone: path and query of the target may hold what nobody should print.
  const target = headers.location === undefined ? null : URL.parse(headers.location, url.href);
  const where = target ? ` to ${target.origin}` : "";
  return answer(
    "redirect_refused",
    `The server redirects${where} (${String(statusCode)}); no redirect is followed. Check the URL.`,
    target ? { origin: target.origin } : {},
  );
}

/** Whether the body is a web page. */
export function isHtml({ headers }: IncomingMessage): boolean {
  return mediaType(headers["content-type"]) === "text/html";
}

/** A content type without its parameters. */
export function mediaType(header: string | undefined): string {
  return (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
