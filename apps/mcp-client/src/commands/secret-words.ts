import { processEnvironment } from "../config.ts";
import { resolveSecrets } from "../config/secrets.ts";
import type { SecretSource } from "../config/schema.ts";
import { notSent, type ClientError } from "../errors.ts";
import type { CommandContext } from "./context.ts";
import { promptSecret } from "./prompt.ts";

export type SecretWords =
  | { kind: "ok"; values: Record<string, string> }
  | { kind: "refused"; error: ClientError };

/** Fetches what `--secret NAME=SOURCE` names. The command line holds where a value is, never the value. */
export async function readSecretWords(
  words: readonly string[],
  context: CommandContext,
): Promise<SecretWords> {
  const values: Record<string, string> = {};
  for (const word of words) {
    const [, name, source = ""] = /^([^=]{1,256})=(.*)$/s.exec(word) ?? [];
    if (name === undefined)
      return refuse("--secret takes NAME=env:VAR, NAME=file:PATH or NAME=prompt.");
    const [kind, where = ""] = source.split(/:(.*)/s, 2);
    if (source === "prompt") {
      const typed = await promptSecret(name, context);
      if (typed === undefined)
        return refuse(`No value was given for ${name}; a prompt needs a terminal.`);
      values[name] = typed;
    } else if ((kind === "env" || kind === "file") && where !== "") {
      const from: SecretSource = kind === "env" ? { env: where } : { file: where };
      const found = await resolveSecrets({ [name]: from }, processEnvironment());
      if (found.kind === "unavailable") return { kind: "refused", error: found.error };
      values[name] = found.values.get(name)?.reveal() ?? "";
    } else {
      return refuse(
        `--secret ${name} needs a source: env:VAR, file:PATH or prompt. A value in argv is seen by others.`,
      );
    }
  }
  return { kind: "ok", values };
}

function refuse(message: string): SecretWords {
  return { kind: "refused", error: notSent("invalid_arguments", message) };
}
