// Packs every publishable package as the registry would get it, reads what is inside, lints it with publint and attw,
// and installs all of them with plain npm into an empty folder, where each bin must answer --version.
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const problems = [];
const packs = resolve(".verify/packs");
rmSync(packs, { recursive: true, force: true });
mkdirSync(packs, { recursive: true });

const packages = ["packages", "apps"]
  .flatMap((group) => readdirSync(group).map((name) => join(group, name)))
  .map((directory) => ({
    directory,
    manifest: JSON.parse(readFileSync(join(directory, "package.json"), "utf8")),
  }))
  .filter(({ manifest }) => !manifest.private);

const tarballs = packages.map(({ directory, manifest }) => ({
  manifest,
  tarball: pack(directory, manifest.name),
}));
for (const { manifest, tarball } of tarballs) {
  inspect(manifest, tarball);
  check(manifest.name, "publint", ["publint", "--strict", tarball]);
  check(manifest.name, "attw", ["attw", "--profile", "esm-only", "--format", "ascii", tarball]);
}
install();

for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0
    ? `${tarballs.length} packages packed, linted and installed.`
    : `${problems.length} problems.`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

function pack(directory, name) {
  const answer = run("pnpm", ["pack", "--json", "--pack-destination", packs], { cwd: directory });
  if (answer.status !== 0)
    throw new Error(`pnpm pack failed for ${name}: ${answer.stderr}${answer.stdout}`);
  return resolve(packs, JSON.parse(answer.stdout).filename);
}

/** A tarball holds what a user needs and nothing of the workspace it was made in. */
function inspect(manifest, tarball) {
  const files = run("tar", ["-tzf", tarball])
    .stdout.trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""));
  for (const needed of ["package.json", "README.md", "LICENSE"]) {
    if (!files.includes(needed))
      problems.push(`${manifest.name}: ${needed} is missing from the tarball.`);
  }
  const allowed = /^(dist\/|schema\/|vectors\/|(package\.json|README\.md|LICENSE|CHANGELOG\.md)$)/;
  for (const file of files.filter((path) => !allowed.test(path))) {
    problems.push(`${manifest.name}: ${file} does not belong in the tarball.`);
  }
  const text = run("tar", ["-xzOf", tarball, "package/package.json"]).stdout;
  for (const word of ["workspace:", "catalog:", "@postern/source"]) {
    if (text.includes(word))
      problems.push(`${manifest.name}: the packed package.json still says ${word}`);
  }
  for (const script of ["preinstall", "install", "postinstall"]) {
    if (JSON.parse(text).scripts?.[script])
      problems.push(`${manifest.name}: has an install script (${script}).`);
  }
  if (run("tar", ["-xzOf", tarball]).stdout.includes(process.cwd())) {
    problems.push(`${manifest.name}: the tarball holds a path of this machine.`);
  }
}

function check(name, what, argv) {
  const answer = run("pnpm", ["exec", ...argv]);
  if (answer.status !== 0)
    problems.push(`${name}: ${what} found:\n${answer.stdout}${answer.stderr}`);
}

function install() {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "postern-pack-"));
  try {
    writeFileSync(join(folder, "package.json"), '{"private":true}');
    const words = [
      "install",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--prefer-offline",
      ...tarballs.map((t) => t.tarball),
    ];
    const answer = run("npm", words, { cwd: folder });
    if (answer.status !== 0) problems.push(`npm install of the tarballs failed:\n${answer.stderr}`);
    for (const { manifest } of tarballs) {
      for (const bin of Object.keys(manifest.bin ?? {})) {
        const version = run(join(folder, "node_modules/.bin", bin), ["--version"], { cwd: folder });
        if (version.status !== 0 || !version.stdout.includes(manifest.version)) {
          problems.push(
            `${bin} --version answered ${version.status}: ${version.stdout}${version.stderr}`,
          );
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program, args, options = {}) {
  return spawnSync(program, args, { encoding: "utf8", maxBuffer: 256 * 1024 * 1024, ...options });
}
