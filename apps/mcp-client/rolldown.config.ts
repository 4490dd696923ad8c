import { readFileSync } from "node:fs";
import { defineConfig } from "rolldown";

// Bundles the bin alone: Node needs half a millisecond for each module, and a call would load over a hundred. One
// file for each moment of a call; what only some calls need stays a file of its own.
export default defineConfig({
  input: { bin: "src/bin.ts" },
  platform: "node",
  external: [/^@postern\/endpoint-auth/, "oauth4webapi"],
  resolve: { conditionNames: ["@postern/source", "node", "import", "default"] },
  output: {
    dir: "dist",
    cleanDir: true,
    chunkFileNames: "bin/[name].js",
    codeSplitting: {
      groups: [
        { name: "cli", test: /\/src\/cli\.ts$/, priority: 4 },
        { name: "before", test: /\/src\/commands\/call\.ts$/, priority: 3 },
        { name: "stdio", test: /\/src\/transport\/stdio\/start\.ts$/, priority: 2 },
        {
          name: "http",
          test: /\/src\/(config\/http-schema|transport\/http\/(start|http-link))\.ts$/,
          priority: 2,
        },
        // Loaded while a server starts or a connection opens.
        {
          name: "session",
          test: /\/src\/(commands\/(call-session|print)|client\/handshake)\.ts$/,
          priority: 1,
        },
      ],
    },
  },
  plugins: [
    {
      name: "license-of-bundled-code",
      generateBundle() {
        const source = readFileSync("node_modules/valibot/LICENSE.md", "utf8");
        this.emitFile({ type: "asset", fileName: "bin/valibot.LICENSE.md", source });
      },
    },
  ],
});
