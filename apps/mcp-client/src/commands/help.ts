/** `--help`: one screen. */
export const HELP = `postern-mcp: call a tool of an MCP server once, and say honestly whether it may have run

  postern-mcp list SERVER...             tools of servers
  postern-mcp describe SERVER [TOOL]     a server, or a tool with its arguments
  postern-mcp call SERVER TOOL [key=text | key:=json | key@=file]...
  postern-mcp call TOOL [arguments] -- COMMAND ARG...    a server that is started for this call
  postern-mcp doctor [SERVER]            this machine, or how a server keeps to the protocol
  postern-mcp login | logout | status SERVER
  postern-mcp settings list | show | add | set | remove | rename | check [NAME]
  postern-mcp help [arguments | exit-codes | config | settings | login]

  --args JSON|@FILE|-     arguments as one object     --json            one JSON document on stdout
  --timeout MS            limit of one request        --quiet           no hints on stderr
  --protocol REV|auto     2025-11-25 or 2026-07-28    --show-stderr     what the server wrote there
  --max-bytes N           limit of one message        --dry-run         connect and list, never call
  --request-id new|UUID   for exactly-once tools      --no-schema       do not list first
  --save-to DIR           folder for attachments      --config PATH     servers file
  --cwd DIR  --env K=V  --inherit-env NAME            of the server
  --token-env VAR  --token-file PATH  --header 'N: V'  --header-from N=env:VAR|file:PATH
  --version, --help

SERVER is a URL or a name of the servers file or the settings. Exit 7: the tool may have run.
`;

/** Longer help, by topic. */
export const TOPICS: Readonly<Record<string, string>> = {
  arguments: `key=text    typed by the tool's schema: text as it is, integers and numbers digit for digit,
            true or false, the exact word of an enum. A list takes the word once per element.
key:=json   any JSON; the only form for objects and unions.
key@=file   as key=text, with the text of a file.
--args      an object as JSON, from @FILE, or from standard input with -.
Without a schema (--no-schema) every key=text is a string.
`,
  "exit-codes": `0    complete result                    5    login needed
1    the server answered with an error   6    the server asks for input first
2    usage, configuration, arguments     7    delivery unknown: the tool may have run
3    the call was never sent             8    answered, but a local limit cut it
4    rejected before running             130, 143  interrupted, terminated
`,
  config: `{"servers": {"files": {"command": "node", "args": ["server.mjs"], "cwd": "/srv/files",
  "env": {"LEVEL": "2"}, "envFrom": {"TOKEN": {"env": "FILES_TOKEN"}}}}}
envFrom takes {"env": NAME}, {"setting": NAME} or {"file": "/absolute/path"}; that file must be your own with mode 0600.
The file is yours alone to write; with a secret in it, its mode must be 0600.
`,
  login: `postern-mcp login NAME     prints the address, opens it in a browser, waits 5 minutes for the answer
--no-browser                    only prints it
--scope S..                     what to ask for; what was granted before is asked for again
--client-id ID --client-secret-from env:VAR|file:PATH    how the server knows this client
--client-metadata-url URL|none  a published document in place of an id
--register                      lets the server register this client
--port N                        of the answer; the system chooses one otherwise
--accept-new-issuer             lets go of a login at another issuer
postern-mcp status [NAME]       issuer, scopes, end and place of the login, no token; exit 5 without one
postern-mcp logout NAME         forgets it here, then asks once for it to be revoked
`,
  settings: `Sealed entries of your user, laid over the entries of the same name in the file.
settings list | show NAME            what there is; secrets read [secret]
settings add NAME -- COMMAND ARG...  a new entry; the flags of a server and --timeout, --protocol belong to it
settings set NAME [-- COMMAND...]    changes an entry, or starts one that only holds a part
settings rename NAME NAME | remove NAME
settings check [NAME]                checks file and entries without starting anything
--secret NAME=env:VAR|file:PATH|prompt   seals the value under that variable; it never stands in argv
settings add NAME --secret secret=prompt   a secret by itself; configurations say {"setting": NAME}
`,
};
