import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, proves, temporaryDirectory } from "@postern/testing";
import { expect, type TestContext } from "vitest";
import { openInBrowser } from "../src/index.ts";

/** A desktop whose opener writes down its arguments and environment, then ends with a status. */
function desktop(context: TestContext, exitCode = 0) {
  if (process.platform !== "linux") context.skip("xdg-open is the opener of Linux");
  const directory = temporaryDirectory();
  const log = join(directory, "log");
  const opener = join(directory, "xdg-open");
  const script = `#!${process.execPath}
require("node:fs").writeFileSync(${JSON.stringify(log)}, JSON.stringify({ args: process.argv.slice(2), env: process.env }));
process.exit(${String(exitCode)});`;
  writeFileSync(opener, script);
  chmodSync(opener, 0o755);
  const environment = {
    PATH: `${directory}:/usr/bin:/bin`,
    DISPLAY: ":7",
    SECRET: "canary",
    HOME: directory,
  };
  return { environment, log, seen: () => JSON.parse(readFileSync(log, "utf8")) };
}

proves(
  "EXEC-24",
  "what is not http or https is refused, and no program starts",
  async (context) => {
    const { environment, log } = desktop(context);

    for (const url of [
      "file:///etc/passwd",
      "javascript:alert(1)",
      "ssh://host/",
      "data:text/html,x",
    ]) {
      expect(await openInBrowser(new URL(url), environment)).toBe("refused");
    }
    expect(existsSync(log)).toBe(false);
  },
);

proves(
  "EXEC-24",
  "without a display, or an opener that works, there is no browser",
  async (context) => {
    const { environment, log } = desktop(context);
    const url = new URL("https://example.com/");

    expect(await openInBrowser(url, { ...environment, DISPLAY: undefined })).toBe("no_browser");
    expect(await openInBrowser(url, { ...environment, PATH: temporaryDirectory() })).toBe(
      "no_browser",
    );
    expect(existsSync(log)).toBe(false);
    expect(await openInBrowser(url, desktop(context, 3).environment)).toBe("no_browser");
  },
);

proves(
  "EXEC-24",
  "the address is one argument, written anew, and the environment is a chosen one",
  async (context) => {
    const { environment, log, seen } = desktop(context);
    const url = new URL("HTTPS://Example.com/a b?x=$(calc)&y='`id`\"");

    expect(await openInBrowser(url, environment)).toBe("opened");
    await eventually(() => existsSync(log), { what: "the opener" });

    expect(seen().args).toEqual([url.href]);
    expect(url.href).toMatch(/^https:\/\/example\.com\/a%20b\?/);
    expect(seen().env).toMatchObject({ DISPLAY: ":7" });
    expect(seen().env).not.toHaveProperty("SECRET");
  },
);
