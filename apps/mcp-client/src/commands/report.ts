import type { PreparedFile } from "../content/prepare.ts";
import type { ClientError } from "../errors.ts";
import type { Detail, FailedOutcome } from "../outcome.ts";

/** What one command came to, before it is printed in either form. */
export interface Report {
  readonly command: string;
  readonly server?: string;
  readonly tool?: string;
  readonly exitCode: number;
  /** For `--json`. */
  readonly result?: unknown;
  readonly error?: ClientError;
  readonly detail: Detail;
  /** What was saved of the reply. */
  readonly files?: readonly PreparedFile[];
  /** For people, on stdout; already safe for a terminal. */
  readonly text: string;
  /** The last line on stderr when there is no error but a bad end. */
  readonly lastLine?: string;
}

/** Where a command was meant for. */
export interface Subject {
  readonly command: string;
  readonly server?: string;
  readonly tool?: string;
}

/** The report of a failure. */
export function failureReport(subject: Subject, { error, detail }: FailedOutcome): Report {
  return { ...subject, exitCode: exitCodeOf(error), error, detail, text: "" };
}

const USAGE_CODES: ReadonlySet<string> = new Set([
  "invalid_config",
  "insecure_url",
  "credential_in_url",
  "forbidden_header",
  "config_unreadable",
  "config_not_private",
  "secret_unavailable",
  "invalid_arguments",
  "unknown_tool",
  "unknown_server",
]);

/** A person has to log in, or to grant more, before it can work. */
const LOGIN_CODES: ReadonlySet<string> = new Set([
  "auth_required",
  "insufficient_scope",
  "login_required",
  "registration_required",
  "oauth_discovery_failed",
  "oauth_insecure_endpoint",
  "oauth_pkce_unsupported",
  "oauth_issuer_mismatch",
  "oauth_state_mismatch",
  "oauth_resource_mismatch",
  "oauth_denied",
  "oauth_token_failed",
  "issuer_changed",
  "login_timeout",
  "login_cancelled",
  "store_unavailable",
]);

/** Exit codes of failures: 7 whenever the tool may have run, 2 for what the caller wrote, 5 where a login is needed, else by delivery. */
export function exitCodeOf(error: ClientError): number {
  if (LOGIN_CODES.has(error.code) && error.delivery !== "unknown") return 5;
  switch (error.delivery) {
    case "unknown":
      return 7;
    case "delivered":
      return 1;
    case "rejected":
      return 4;
    case "not_sent":
      break;
  }
  return USAGE_CODES.has(error.code) ? 2 : 3;
}
