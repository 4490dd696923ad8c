import { proves } from "@postern/testing";
import { expect, test } from "vitest";
import { readCommandLine } from "../src/flags.ts";
import { configSchema } from "../src/config.ts";
import { helpText } from "../src/help.ts";
import { configPath, ownPane, socketPath, stateDirectory } from "../src/places.ts";

const defaults = configSchema.parse({});

test("an unknown flag, command or value is refused, and the nearest known one is named", () => {
  const problem = (...args: string[]): string => {
    const line = readCommandLine(args);
    return line.kind === "refused" ? line.problem : "";
  };

  expect(problem("--wirte")).toBe("Unknown option --wirte. Did you mean --write?");
  expect(problem("--https", "8080")).toContain("Unknown option --https.");
  expect(problem("-x")).toContain("Unknown option -x.");
  expect(problem("docter")).toBe("Unknown command docter. Did you mean doctor?");
  expect(problem("tokens")).toBe("Unknown command tokens. Did you mean token?");
  expect(problem("--log-level", "loud")).toContain("error, warn, info, debug");
  expect(problem("--socket", "relative")).toContain("absolute");
  expect(problem("--socket", "/s", "--socket-name", "n")).toContain("exclude");
  expect(problem("--socket-name", "a/b")).not.toBe("");
  expect(problem("--config")).not.toBe("");
  expect(problem("--write=no")).not.toBe("");
  expect(problem("serve", "x")).not.toBe("");
  expect(problem("config", "edit")).toBe("config takes path or check.");
  expect(problem("pause", "a", "b")).toContain("Too many");
});

test("commands and flags are understood", () => {
  expect(readCommandLine([])).toMatchObject({
    command: { kind: "serve" },
    flags: { write: false, readOnly: false, legacy: true, logLevel: "warn" },
  });
  expect(
    readCommandLine(["--no-legacy", "--write", "--read-only", "--log-level=debug"]),
  ).toMatchObject({
    flags: { legacy: false, write: true, readOnly: true, logLevel: "debug" },
  });
  expect(readCommandLine(["hide", "my session"])).toMatchObject({
    command: { kind: "switch", to: "hide", session: "my session" },
  });
  expect(readCommandLine(["-h"])).toMatchObject({ command: { kind: "help" } });
  expect(helpText.split("\n").length).toBeLessThanOrEqual(25);
});

proves(
  "TMUX-05",
  "the places come from the user's surroundings, never from the working directory",
  () => {
    expect(configPath({ HOME: "/h" })).toBe("/h/.config/mcp-tmux/config.json");
    expect(configPath({ HOME: "/h", XDG_CONFIG_HOME: "/c" })).toBe("/c/mcp-tmux/config.json");
    expect(configPath({ HOME: "/h", XDG_CONFIG_HOME: "relative" })).toBe(
      "/h/.config/mcp-tmux/config.json",
    );
    expect(stateDirectory({ HOME: "/h" })).toBe("/h/.local/state/mcp-tmux");
  },
);

test("the socket comes from the flag, the configuration, the tmux around, or tmux's default", () => {
  const inside = { TMUX: "/tmp/a,b/s,123,0", TMUX_PANE: "%4" };
  const uid = String(process.getuid?.());
  const path = (flags: object, config: object, environment: object): string =>
    socketPath(flags, { ...defaults, ...config }, environment as Record<string, string>);

  expect(path({ socket: "/f" }, { socket_path: "/c" }, inside)).toBe("/f");
  expect(path({ socketName: "n" }, {}, { TMUX_TMPDIR: "/" })).toBe(`/tmux-${uid}/n`);
  expect(path({}, { socket_path: "/c" }, inside)).toBe("/c");
  expect(path({}, { socket_name: "n" }, {})).toBe(`/tmp/tmux-${uid}/n`);
  expect(path({}, {}, inside)).toBe("/tmp/a,b/s");
  expect(path({}, {}, {})).toBe(`/tmp/tmux-${uid}/default`);
  expect(ownPane(inside)).toEqual({ socket: "/tmp/a,b/s", paneId: "%4" });
  expect(ownPane({ TMUX_PANE: "%4" })).toBe(undefined);
});
