/** The help text: one screen. */
export const helpText = `postern-tmux lets an agent read, and when you allow it type into, your tmux panes.

Usage: postern-tmux [serve] [options]          answer MCP on stdin and stdout
       postern-tmux doctor                     check the surroundings, print host snippets
       postern-tmux config path|check          where the configuration is, whether it is valid
       postern-tmux pause|hide|resume [SESSION]
              pause: agents only read; hide: they see nothing; without SESSION: everywhere
       postern-tmux log [--last N] [--json]    what agents wrote: when, where, what became of it
       postern-tmux token new --name NAME --scope read|write, token list, token revoke NAME

Options:
  --config FILE          another configuration file than the default; it must exist
  --socket PATH          the tmux socket, by path
  --socket-name NAME     the tmux socket, by name (tmux -L)
  --write                allow typing for this run
  --read-only            never type, whatever else is set
  --http [HOST:]PORT     answer MCP over HTTP instead, to holders of a token; loopback by default
  --no-legacy            refuse bare method names; MCP only
  --log-level LEVEL      error, warn, info or debug; JSON lines on stderr (default warn)
  --help, --version

Exit codes: 0 ok; 1 a check found a problem; 2 usage or configuration; 3 the port is taken.
`;
