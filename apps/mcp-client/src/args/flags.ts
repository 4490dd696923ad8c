import { notSent, type ClientError } from "../errors.ts";
import { nearest } from "./nearest.ts";

/** What each flag takes: nothing, one value, or one value each time it is given. */
const FLAGS = {
  json: "switch",
  "dry-run": "switch",
  "no-schema": "switch",
  "show-stderr": "switch",
  quiet: "switch",
  help: "switch",
  version: "switch",
  args: "value",
  timeout: "value",
  protocol: "value",
  "max-bytes": "value",
  "request-id": "value",
  "save-to": "value",
  config: "value",
  cwd: "value",
  env: "list",
  secret: "list",
  "inherit-env": "list",
  header: "list",
  "header-from": "list",
  "token-env": "value",
  "token-file": "value",
  scope: "list",
  "client-id": "value",
  "client-secret-from": "value",
  "client-metadata-url": "value",
  register: "switch",
  port: "value",
  "no-browser": "switch",
  "accept-new-issuer": "switch",
} as const;

type FlagName = keyof typeof FLAGS;

/** The words of one command line, sorted. */
export interface CommandLine {
  readonly words: readonly string[];
  /** What stands after `--`: the server's own argv, verbatim. */
  readonly serverCommand: readonly string[] | undefined;
  has(flag: FlagName): boolean;
  value(flag: FlagName): string | undefined;
  list(flag: FlagName): readonly string[];
}

export type ReadFlags =
  | { kind: "ok"; line: CommandLine }
  /** `json` still tells how the failure is to be printed. */
  | { kind: "refused"; error: ClientError; json: boolean };

/** Sorts argv. Flags may stand anywhere before `--`; one that is not known names the nearest that is. */
export function readCommandLine(argv: readonly string[]): ReadFlags {
  const cut = argv.indexOf("--");
  const own = cut === -1 ? argv : argv.slice(0, cut);
  const words: string[] = [];
  const given = new Map<FlagName, string[]>();
  const refuse = (message: string): ReadFlags => ({
    kind: "refused",
    error: notSent("invalid_arguments", message),
    json: own.includes("--json"),
  });
  for (let at = 0; at < own.length; at += 1) {
    const word = own[at] ?? "";
    if (word === "-h") given.set("help", []);
    else if (!word.startsWith("-") || word === "-") words.push(word);
    else {
      const [, name = "", attached] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
      if (!isFlag(name)) {
        const near = nearest(name, Object.keys(FLAGS));
        return refuse(
          `There is no flag ${word.split("=", 1)[0] ?? word}.${near === undefined ? "" : ` Did you mean --${near}?`}`,
        );
      }
      if (FLAGS[name] === "switch") {
        if (attached !== undefined) return refuse(`--${name} takes no value.`);
        given.set(name, []);
        continue;
      }
      const value = attached ?? own[(at += 1)];
      if (value === undefined) return refuse(`--${name} needs a value.`);
      if (FLAGS[name] === "value" && given.has(name)) return refuse(`--${name} is given twice.`);
      given.set(name, [...(given.get(name) ?? []), value]);
    }
  }
  return {
    kind: "ok",
    line: {
      words,
      serverCommand: cut === -1 ? undefined : argv.slice(cut + 1),
      has: (flag) => given.has(flag),
      value: (flag) => given.get(flag)?.[0],
      list: (flag) => given.get(flag) ?? [],
    },
  };
}

function isFlag(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name);
}
