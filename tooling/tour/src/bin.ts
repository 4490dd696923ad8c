import { printHostSnippets } from "./host-snippets.ts";
import { createStage, tmuxIsThere } from "./stage.ts";
import { tmuxTour } from "./tmux-tour.ts";
import { printer } from "./print.ts";

const print = printer(process.stdout);

if (!(await tmuxIsThere())) {
  process.stderr.write(
    "The tour needs tmux. Debian and Ubuntu: apt-get install tmux. macOS: brew install tmux.\n",
  );
  process.exit(3);
}

const stage = await createStage();
let ending = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => void end(signal === "SIGINT" ? 130 : 143));
}

try {
  await tmuxTour(stage, print);
  printHostSnippets(print);
  await end(0);
} catch (error) {
  if (!ending)
    process.stderr.write(
      `\nThe tour stopped: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  await end(1);
}

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await stage.end();
  process.exit(code);
}
