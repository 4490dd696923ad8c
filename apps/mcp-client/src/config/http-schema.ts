import * as v from "valibot";
import type { OAuth } from "../oauth/oauth.ts";
import {
  KIB,
  MIB,
  named,
  secretSourceSchema,
  sharedEntries,
  stdioConfigSchema,
  text,
  whole,
} from "./schema.ts";

const headerName = v.pipe(
  v.string(),
  v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, "it is no header name"),
);

/** One server over Streamable HTTP: fields, defaults and bounds. */
export const httpConfigSchema = v.strictObject({
  url: v.pipe(
    text(8 * KIB),
    v.minLength(1),
    v.description("The MCP endpoint itself: https, or http on a loopback address."),
  ),
  headers: v.optional(
    v.pipe(
      named(headerName, text(16 * KIB)),
      v.description("Literal headers, at most 64 and 16 KiB with those of headersFrom."),
    ),
    {},
  ),
  headersFrom: v.optional(
    v.pipe(
      named(headerName, secretSourceSchema),
      v.description("Headers whose values are taken from a variable or a private file."),
    ),
    {},
  ),
  authToken: v.optional(
    v.pipe(text(16 * KIB), v.minLength(1), v.description("Bearer token; authTokenFrom is safer.")),
  ),
  authTokenFrom: v.optional(
    v.pipe(secretSourceSchema, v.description("Where the bearer token is taken from.")),
  ),
  oauth: v.optional(
    v.pipe(
      v.strictObject({
        storeName: v.pipe(
          v.string(),
          v.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
          v.description("The login to use, as it was named when it was stored."),
        ),
      }),
      v.description("A stored login in place of a token: postern-mcp login makes one."),
    ),
  ),
  allowPrivateNetwork: v.optional(
    v.pipe(
      v.boolean(),
      v.description("Lets a server outside name addresses of a private network for its login."),
    ),
    false,
  ),
  caFile: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(4_096),
      v.regex(/^(?:\/|[A-Za-z]:[\\/])[^\u0000]*$/, "it must be an absolute path"),
      v.description("PEM file with further authorities to trust, besides the system's."),
    ),
  ),
  proxy: v.optional(
    v.pipe(
      text(8 * KIB),
      v.minLength(1),
      v.description("http or https proxy that tunnels to the server by CONNECT."),
    ),
  ),
  proxyFrom: v.optional(
    v.pipe(secretSourceSchema, v.description("Where the proxy's user:password is taken from.")),
  ),
  maxStreamBytes: whole("All of one answer stream, in bytes.", 64 * MIB, 64 * KIB, 1_024 * MIB),
  ...sharedEntries,
});

/** One server of either transport. The JSON Schema for editors is made from this. */
export const serverConfigSchema = v.union([stdioConfigSchema, httpConfigSchema]);

/** In code the login itself can stand in place of its name. */
export type HttpConfig = Omit<v.InferInput<typeof httpConfigSchema>, "oauth"> & {
  oauth?: { storeName: string } | OAuth | undefined;
};
export type ResolvedHttpConfig = Omit<v.InferOutput<typeof httpConfigSchema>, "oauth"> & {
  oauth?: { storeName: string } | OAuth | undefined;
};
