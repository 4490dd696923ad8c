import { nearest } from "../args/nearest.ts";
import { Account } from "../client/account.ts";
import { ClientError, notSent } from "../errors.ts";
import type { Outcome } from "../outcome.ts";
import { nameProblem, readPart, type SettingsPart } from "./part.ts";
import { changeServers, readServers, withStore, type Servers } from "./sealed-servers.ts";

/** Where the key of the settings lies, and what that protects against. */
export interface SettingsBackend {
  readonly kind: "keychain" | "key_file" | "memory";
  readonly protects: string;
}

const PROTECTS: Readonly<Record<SettingsBackend["kind"], string>> = {
  keychain: "The key is in the system's keychain: whoever gets the files alone cannot read them.",
  key_file:
    "The key is in a file beside the data: it hides the content, and protects from nobody who can read your files.",
  memory: "Nothing is kept: the settings end with this program.",
};

/** Configurations of servers, sealed for this user. A damaged store is an error and stays as it is. */
export const settings = {
  /** Stores all or a part of a server's configuration in place of what the name held before. */
  save: (name: string, part: SettingsPart): Promise<Outcome<void>> =>
    attempt(async () => {
      const problem = nameProblem(name);
      if (problem) throw problem;
      const read = readPart(part);
      if (read.kind === "invalid") {
        throw notSent("invalid_config", `The settings were not saved: ${read.problem}.`);
      }
      await changeServers((servers) => new Map([...servers, [name, read.part]]));
    }),

  load,

  remove: (name: string): Promise<Outcome<void>> =>
    attempt(() =>
      changeServers((servers) => {
        if (!servers.has(name)) throw absent(name, servers);
        return new Map([...servers].filter(([other]) => other !== name));
      }),
    ),

  /** Gives an entry another name, which no entry may have yet. */
  rename: (from: string, to: string): Promise<Outcome<void>> =>
    attempt(async () => {
      const problem = nameProblem(to);
      if (problem) throw problem;
      await changeServers((servers) => {
        if (!servers.has(from)) throw absent(from, servers);
        if (from !== to && servers.has(to)) {
          throw notSent("invalid_arguments", `The settings already have an entry "${to}".`);
        }
        return new Map([...servers].map(([name, part]) => [name === from ? to : name, part]));
      });
    }),

  names: (): Promise<Outcome<string[]>> =>
    attempt(async () => [...(await readServers()).keys()].sort()),

  backend: (): Promise<Outcome<SettingsBackend>> =>
    attempt(() =>
      withStore(async ({ protection }) => ({ kind: protection, protects: PROTECTS[protection] })),
    ),
} as const;

/** What is stored under a name. Absence is undefined where it was allowed, else an error. */
function load(name: string): Promise<Outcome<SettingsPart>>;
function load(name: string, optional: boolean): Promise<Outcome<SettingsPart | undefined>>;
function load(name: string, optional = false): Promise<Outcome<SettingsPart | undefined>> {
  return attempt(async () => {
    const servers = await readServers();
    const part = servers.get(name);
    if (part === undefined && !optional) throw absent(name, servers);
    return part;
  });
}

async function attempt<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  const account = new Account("config");
  try {
    return account.succeed(await work(), "not_sent");
  } catch (error) {
    if (error instanceof ClientError) return account.fail({ error });
    throw error;
  }
}

function absent(name: string, servers: Servers): ClientError {
  const near = nearest(name, servers.keys());
  const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
  return notSent("unknown_server", `The settings have no entry "${name.slice(0, 64)}".${hint}`);
}
