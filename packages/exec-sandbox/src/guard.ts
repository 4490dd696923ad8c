/** The program of the guard: argv is MARKER STEPS [PID], or PID on stdin; runs when its starter is gone. */
import { readFileSync } from "node:fs";
import { guardTree } from "./guard-tree.ts";

const [marker = "", steps = "[]", pid = readFileSync(0, "utf8")] = process.argv.slice(2);
await guardTree(Number(pid.trim()), marker, steps);
