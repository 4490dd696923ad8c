import { defineTool } from "@postern/protocol";
import { z } from "zod";
import { countField, nameField } from "./answer-fields.ts";
import { errorsOf } from "./error-codes.ts";

export const getServerInfo = defineTool({
  name: "get_server_info",
  title: "Describe this server",
  description:
    "Tells this server's settings: whether writing is enabled, whether tmux runs, on which socket. Use it when a call was refused or tmux seems absent. Changes nothing.",
  effect: "read",
  input: z.strictObject({}),
  output: z.strictObject({
    version: nameField.describe("Version of this server"),
    write_enabled: z.boolean().describe("Write tools are enabled"),
    tmux_available: z.boolean().describe("A tmux that can be used was found"),
    config_path: nameField.describe("The configuration file"),
    buffer_count: countField.describe("Your reading positions"),
    tmux_version: nameField.nullable().describe("Version of tmux"),
    server_running: z.boolean().describe("A tmux server answers"),
    socket_path: nameField.describe("The tmux socket in use"),
    command_allowlist: z.boolean().describe("Only configured commands may be typed"),
    protocol_revisions: z.array(nameField).max(8).describe("MCP revisions served"),
  }),
  errors: errorsOf(),
});
