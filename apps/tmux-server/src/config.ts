import { z } from "zod";

const maxEntryBytes = 4_096;
const maxSocketPathBytes = 100;

/** The configuration file. Every default stands here and nowhere else. */
export const configSchema = z
  .strictObject({
    $schema: z.string().max(2_048).optional().describe("Where this file's JSON Schema is."),
    version: z.literal("1.0.0").default("1.0.0").describe("Version of this format."),
    write_enabled: z
      .boolean()
      .default(false)
      .describe("Lets agents type text, press keys and run commands."),
    allowed_sessions: z
      .array(z.string().min(1).max(256))
      .max(256)
      .refine(isUnique, "a name stands twice")
      .default([])
      .meta({ uniqueItems: true })
      .describe("Exact names of the sessions agents may see; empty: all."),
    buffer_size: z
      .int()
      .min(10)
      .max(50_000)
      .default(1_000)
      .describe("Lines remembered per pane, and most lines of one answer."),
    auth_token: z
      .string()
      .min(16)
      .max(512)
      .nullable()
      .default(null)
      .describe("If set, every write must carry it. Keep the file unreadable by others then."),
    allowed_commands: z
      .array(
        z
          .string()
          .min(1)
          .refine(isSingleLine, "more than one line")
          .refine(fitsEntry, "longer than 4096 bytes")
          .max(maxEntryBytes),
      )
      .max(1_000)
      .nullable()
      .default(null)
      .describe("Exact lines that may be typed; null: any; []: none."),
    prompt_suffixes: z
      .array(z.string().min(1).max(16))
      .min(1)
      .max(32)
      .default(["$ ", "# ", "% ", "> ", "❯ ", "➜ ", "» ", "λ "])
      .describe("What the text of a prompt ends with."),
    socket_path: z
      .string()
      .min(1)
      .max(maxSocketPathBytes)
      .refine((path) => path.startsWith("/"), "not an absolute path")
      .refine((path) => byteLength(path) <= maxSocketPathBytes, "longer than 100 bytes")
      .nullable()
      .default(null)
      .describe("Absolute path of the tmux socket."),
    socket_name: z
      .string()
      .regex(
        /^[A-Za-z0-9._-]{1,64}$/,
        "only letters, digits, dot, underscore and hyphen, at most 64",
      )
      .nullable()
      .default(null)
      .describe("Name of the tmux socket, as in tmux -L."),
    tmux_timeout_ms: z
      .int()
      .min(500)
      .max(30_000)
      .default(5_000)
      .describe("Milliseconds one tmux command may take."),
    tmux_path: z
      .string()
      .min(1)
      .max(4_096)
      .refine((path) => path.startsWith("/") || !path.includes("/"), "a relative path")
      .default("tmux")
      .describe("Name of the tmux program, looked up in PATH, or its absolute path."),
  })
  .refine((config) => config.socket_path === null || config.socket_name === null, {
    message: "socket_path and socket_name exclude each other",
    path: ["socket_name"],
  });

/** A configuration with every default filled in. */
export type Config = z.output<typeof configSchema>;

/** The keys a configuration file may hold. */
export const configKeys: readonly string[] = Object.keys(configSchema.shape);

/** What the file that is created on the first start holds. */
export const firstConfig = {
  version: "1.0.0",
  write_enabled: false,
  allowed_sessions: [],
  buffer_size: 1_000,
  auth_token: null,
} satisfies z.input<typeof configSchema>;

/** A configuration with writing enabled and fenced in; parsed, so that it cannot go out of date. */
export const exampleConfig = configSchema.parse({
  ...firstConfig,
  write_enabled: true,
  allowed_sessions: ["gm-robo-monitor", "diarization"],
  buffer_size: 2_000,
  auth_token: "your-secret-token-here",
});

/** The JSON Schema of the configuration file. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: "input" });
}

function isUnique(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

function isSingleLine(text: string): boolean {
  return !/[\r\n]/.test(text);
}

function fitsEntry(text: string): boolean {
  return byteLength(text) <= maxEntryBytes;
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
