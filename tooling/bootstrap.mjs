// Brings the pinned Node and pnpm through npm, installs with the frozen lockfile, and hands over to the tour or to
// the verification. Plain JavaScript for Node >= 18: this is the one file that runs before anything is installed.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const nodeVersion = readFileSync(join(root, ".node-version"), "utf8").trim();
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pnpmVersion = packageManager.split("@")[1];
const quiet = { TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", NO_UPDATE_NOTIFIER: "1" };

const INSTALL_TMUX =
  "tmux is not installed. Debian and Ubuntu: apt-get install tmux. macOS: brew install tmux.";

process.exitCode = await main(process.argv[2]);

async function main(task) {
  if (task !== "tour" && task !== "verify") {
    console.error("Usage: node tooling/bootstrap.mjs tour|verify");
    return 2;
  }
  const env = toolEnvironment();
  if (!env)
    return failed(
      task,
      `Could not bring Node ${nodeVersion} and pnpm ${pnpmVersion} through npm.`,
      1,
    );
  const installed = await run("pnpm", ["install", "--frozen-lockfile", "--reporter=silent"], env);
  if (installed !== 0)
    return failed(
      task,
      "pnpm install --frozen-lockfile failed; its output stands above.",
      installed,
    );
  if (!(await tmuxReady(task, env))) return failed(task, INSTALL_TMUX, 3);
  if (task === "verify") return verify(env);
  const built = spawnSync("pnpm", ["run", "--silent", "build"], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  if (built.status !== 0)
    return failed(task, `The build failed:\n${built.stdout}${built.stderr}`, 1);
  return run("node", ["tooling/tour/src/bin.ts"], env);
}

/** The environment whose PATH starts with the pinned Node and pnpm; undefined where npm cannot bring them. */
function toolEnvironment() {
  const env = { ...process.env, ...quiet };
  if (isPinned("node", `v${nodeVersion}`, env) && isPinned("pnpm", pnpmVersion, env)) return env;
  const npm = process.env.npm_execpath;
  const packages = ["--package", `node@${nodeVersion}`, "--package", `pnpm@${pnpmVersion}`];
  const words = [
    "exec",
    "--yes",
    "--prefer-offline",
    ...packages,
    "--",
    "node",
    "-p",
    "process.env.PATH",
  ];
  const command = npm?.endsWith(".js") ? [process.execPath, npm, ...words] : ["npm", ...words];
  const answer = spawnSync(command[0], command.slice(1), {
    cwd: root,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const path = answer.status === 0 ? answer.stdout.trim().split("\n").pop() : undefined;
  return path ? { ...env, PATH: path } : undefined;
}

function isPinned(program, version, env) {
  const answer = spawnSync(program, ["--version"], { cwd: root, env, encoding: "utf8" });
  return answer.status === 0 && answer.stdout.trim() === version;
}

/** The tour only says what is missing; the verification installs tmux where it may (root on Debian). */
async function tmuxReady(task, env) {
  const present = () => spawnSync("tmux", ["-V"], { env }).status === 0;
  if (present()) return true;
  const mayInstall =
    task === "verify" &&
    process.getuid?.() === 0 &&
    spawnSync("apt-get", ["--version"]).status === 0;
  if (!mayInstall) return task === "verify" && !process.env.CI;
  await run("apt-get", ["update", "-qq"], env);
  await run("apt-get", ["install", "-y", "-qq", "tmux"], env);
  return present();
}

async function verify(env) {
  const code = await run("node", ["tooling/verify.mjs"], env);
  // verify.mjs ends with the closing line itself; a death by signal would leave the run without one.
  if (code > 128) return failed("verify", "The verification was ended by a signal.", code);
  return code;
}

function failed(task, message, code) {
  console.error(message);
  if (task === "verify") console.log("0 passed, 1 failed, 0 skipped");
  return code;
}

/** Runs one program with this terminal, passes signals on, and resolves with its exit code (128 + n for a signal). */
function run(program, args, env) {
  const child = spawn(program, args, {
    cwd: root,
    env,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  const forward = (signal) => child.kill(signal);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  // A terminal sends Ctrl-C to the whole foreground group, so SIGINT reaches the child without our help.
  for (const signal of signals)
    process.on(signal, signal === "SIGINT" && process.stdin.isTTY ? ignore : forward);
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(end(127, `${program}: ${error.message}`)));
    child.on("exit", (code, signal) => resolve(end(code ?? 128 + (signal === "SIGINT" ? 2 : 15))));
  });

  function end(code, message) {
    for (const signal of signals) process.removeAllListeners(signal);
    if (message) console.error(message, env.PATH?.split(delimiter)[0] ?? "");
    return code;
  }
}

function ignore() {}
