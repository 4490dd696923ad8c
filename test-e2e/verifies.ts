import type { Client } from "@postern/mcp-client";
import { connect, unwrap } from "@postern/mcp-client";
import type { RequirementId } from "@postern/requirements";
import { proves } from "@postern/testing";
import { startHttpServer } from "./harness/http-server.ts";
import { inSurroundings, type SurroundingsOptions } from "./harness/in-surroundings.ts";
import type { Surroundings } from "./harness/surroundings.ts";
import { tmuxServer } from "./harness/tmux-server.ts";

const revisions = ["2025-11-25", "2026-07-28"] as const;
const transports = ["stdio", "http"] as const;

/** One cell of the matrix: a transport and a revision, with a fresh home, tmux server and connected client. */
export interface Cell {
  readonly transport: (typeof transports)[number];
  readonly revision: (typeof revisions)[number];
  readonly surroundings: Surroundings;
  readonly client: Client;
  /** Calls a tool that must succeed and returns its structured content. */
  readonly call: (tool: string, args?: object) => Promise<Record<string, unknown>>;
  /** Calls a tool that must refuse and returns the error it gave. */
  readonly refusal: (tool: string, args?: object) => Promise<Refusal>;
}

/** The error of a refused call. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface CellOptions extends SurroundingsOptions {
  readonly flags?: readonly string[];
}

/**
 * Proves requirements against the built tmux-server, driven by the built client: one test per transport and
 * revision. When the body is done nothing the test started may be alive.
 */
export function verifies(
  ids: RequirementId | readonly RequirementId[],
  title: string,
  options: CellOptions,
  body: (cell: Cell) => Promise<void>,
): void {
  for (const transport of transports) {
    for (const revision of revisions) {
      proves(
        ids,
        `${title} (${transport}, ${revision})`,
        () =>
          inSurroundings(options, (surroundings) =>
            inCell[transport](revision, surroundings, options, body),
          ),
        60_000,
      );
    }
  }
}

type RunCell = (
  revision: Cell["revision"],
  surroundings: Surroundings,
  options: CellOptions,
  body: (cell: Cell) => Promise<void>,
) => Promise<void>;

const inCell: Record<Cell["transport"], RunCell> = {
  stdio: async (revision, surroundings, { flags }, body) => {
    const client = unwrap(await connect(tmuxServer(surroundings, revision, flags)));
    try {
      await body({ transport: "stdio", revision, surroundings, client, ...calls(client) });
    } finally {
      await client.close();
    }
  },
  http: async (revision, surroundings, { flags }, body) => {
    const server = await startHttpServer(surroundings, flags);
    try {
      const client = unwrap(
        await connect({
          url: server.url,
          authToken: await server.newToken("client", "write"),
          protocolVersion: revision,
          timeoutMs: 20_000,
        }),
      );
      try {
        await body({ transport: "http", revision, surroundings, client, ...calls(client) });
      } finally {
        await client.close();
      }
    } finally {
      await server.close();
    }
  },
};

function calls(client: Client): Pick<Cell, "call" | "refusal"> {
  const structured = async (
    tool: string,
    args: object,
    wantError: boolean,
  ): Promise<Record<string, unknown>> => {
    const reply = unwrap(await client.callTool(tool, args));
    if (reply.kind !== "complete" || reply.isError !== wantError) {
      throw new Error(`${tool} answered ${JSON.stringify(reply)}`);
    }
    return reply.structuredContent as Record<string, unknown>;
  };
  return {
    call: (tool, args = {}) => structured(tool, args, false),
    refusal: async (tool, args = {}) => {
      const { error } = await structured(tool, args, true);
      return error as Refusal;
    },
  };
}
