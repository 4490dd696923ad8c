export type { OAuthConfig } from "./config.ts";
export type {
  Access,
  BeginOptions,
  Challenge,
  LoginOptions,
  LogoutReport,
  OAuth,
  OAuthState,
  PendingLogin,
  Verdict,
} from "./oauth.ts";
export { createOAuth, oauth } from "./create.ts";
