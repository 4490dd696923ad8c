import { cutText, rpcErrorCodes, type JsonObject } from "../index.ts";
import type { Refusal } from "../server/refusal.ts";

/** A refusal with the HTTP status and headers it goes out with. */
export interface HttpRefusal extends Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal that has no JSON-RPC number of its own. */
export function refusal(
  status: number,
  code: string,
  message: string,
  extra: { readonly data?: JsonObject; readonly headers?: Readonly<Record<string, string>> } = {},
): HttpRefusal {
  const { data = {}, headers = {} } = extra;
  return { status, code: rpcErrorCodes.serverError, message, data: { code, ...data }, headers };
}

export const unknownPath = refusal(404, "unknown_path", "There is nothing at this path.");

export const methodNotAllowed = refusal(
  405,
  "method_not_allowed",
  "Only POST is served: each request is answered on its own, there are no sessions.",
  { headers: { allow: "POST" } },
);

export const unsupportedMediaType = refusal(
  415,
  "unsupported_media_type",
  "The body must be application/json, without a content encoding.",
);

export const bodyTooLarge = (limitBytes: number): HttpRefusal =>
  refusal(413, "too_large", `The body has more than ${String(limitBytes)} bytes.`, {
    data: { limitBytes },
  });

export const draining = refusal(503, "draining", "The server is about to end; nothing was done.");

export const tooManyInFlight = (scope: "server" | "principal", max: number): HttpRefusal =>
  refusal(
    429,
    "too_many_in_flight",
    `Too many requests are in flight, at most ${String(max)} for this ${scope}; wait for an answer first.`,
    { data: { scope, maxInFlight: max }, headers: { "retry-after": "1" } },
  );

export const insufficientScope = (scope: string): HttpRefusal =>
  refusal(403, "insufficient_scope", `This needs the scope ${cutText(scope, 128).text}.`, {
    data: { requiredScopes: [scope] },
    headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` },
  });

export const deadlineExceeded = refusal(
  504,
  "deadline_exceeded",
  "The call was told to stop before it ended, and did not end in time. What it did until then is unknown.",
);
