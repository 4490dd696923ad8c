/** The help text: one screen. */
export const helpText = `postern-tmux lets an agent read, and when you allow it type into, your tmux panes.

Usage: postern-tmux [serve] [options]          answer MCP on stdin and stdout
       postern-tmux doctor                     check the surroundings, print host snippets
       postern-tmux config path|check          where the configuration is, whether it is valid
       postern-tmux pause|hide|resume [SESSION]
              pause: agents only read; hide: they see nothing; without SESSION: everywhere

Options:
  --config FILE          another configuration file than the default; it must exist
  --socket PATH          the tmux socket, by path
  --socket-name NAME     the tmux socket, by name (tmux -L)
  --write                allow typing for this run
  --read-only            never type, whatever else is set
  --no-legacy            refuse bare method names; MCP only
  --log-level LEVEL      error, warn, info or debug; JSON lines on stderr (default warn)
  --help, --version

Exit codes: 0 ok; 1 a check found a problem; 2 usage or configuration.
`;
