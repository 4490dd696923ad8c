import type { Delivery } from "@postern/protocol";

/** Nothing of the tool call was written: it cannot have run. */
export type NotSentCode =
  | "invalid_config"
  | "insecure_url"
  | "credential_in_url"
  | "forbidden_header"
  | "secret_unavailable"
  | "config_unreadable"
  | "config_not_private"
  | "settings_corrupt"
  | "settings_unavailable"
  | "invalid_arguments"
  | "unknown_tool"
  | "unknown_server"
  | "spawn_failed"
  | "spawn_refused"
  | "connect_failed"
  | "tls_failed"
  | "address_refused"
  | "handshake_failed"
  | "revision_not_supported"
  | "request_too_large"
  | "session_closed"
  | "too_many_in_flight"
  | "already_continued"
  | "method_not_allowed"
  | "tool_excluded";

/** The server said, before running anything, that it will not run this. */
export type RejectedCode =
  | "invalid_request"
  | "method_not_found"
  | "invalid_params"
  | "header_mismatch"
  | "missing_capability"
  | "unsupported_revision"
  | "auth_required"
  | "insufficient_scope"
  | "forbidden"
  | "session_expired"
  | "http_rejected"
  | "redirect_refused";

/** The call was written and nothing that could be judged came back. */
export type LostCode =
  | "timeout"
  | "aborted"
  | "client_closed"
  | "server_exited"
  | "connection_lost"
  | "stream_ended"
  | "idle_timeout"
  | "message_too_large"
  | "stream_too_large"
  | "unparsable_reply"
  | "protocol_violation"
  | "uncorrelated_error"
  | "peer_flood";

/** The call was written and no usable answer came back: it may have run. */
export type UnknownCode = LostCode | "http_status" | "redirect_refused";

/** The server ran the call, or decided not to, and answered with something other than a result. */
export type DeliveredCode = "server_error" | "malformed_result" | "invalid_params";

/** The reply came, but what is attached to it could not be kept as files. */
export type ContentCode = "content_invalid" | "content_write_failed";

/** No login is there that can be used, or a login did not come to its end. Nothing of a call was sent. */
export type LoginCode =
  | "login_required"
  | "registration_required"
  | "oauth_discovery_failed"
  | "oauth_insecure_endpoint"
  | "oauth_pkce_unsupported"
  | "oauth_issuer_mismatch"
  | "oauth_state_mismatch"
  | "oauth_resource_mismatch"
  | "oauth_denied"
  | "oauth_token_failed"
  | "issuer_changed"
  | "login_timeout"
  | "login_cancelled"
  | "store_unavailable";

export type ClientErrorCode =
  | LoginCode
  | NotSentCode
  | RejectedCode
  | UnknownCode
  | DeliveredCode
  | ContentCode;

/**
 * Every expected failure of this client. Test `code` and `delivery`, never the message. The message says what
 * is wrong, what was found and what to do; it holds no secret and at most 200 neutralised characters of the peer's.
 */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ClientErrorCode;
  /** Whether the tool may have run. */
  readonly delivery: Delivery;
  /** Facts that belong to the code, without secrets. */
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: ClientErrorCode,
    delivery: Delivery,
    message: string,
    options: ErrorOptions & { data?: Record<string, unknown> } = {},
  ) {
    super(message, options);
    this.code = code;
    this.delivery = delivery;
    this.data = options.data;
  }
}

/** A failure met before anything of the call was written. */
export function notSent(
  code: NotSentCode | LoginCode | UnknownCode,
  message: string,
  options: ErrorOptions & { data?: Record<string, unknown> } = {},
): ClientError {
  return new ClientError(code, "not_sent", message, options);
}
