/** What a token lets its holder do: read panes, or also type into them. */
export const tokenScopes = ["read", "write"] as const;

/** One of the scopes. */
export type TokenScope = (typeof tokenScopes)[number];
