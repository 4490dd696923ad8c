/** What each requirement of this area promises, in one sentence. */
export const tmuxRequirements = {
  "TMUX-01":
    "The server runs only when started by a person or host, starts no tmux server, and answers when tmux is absent.",
  "TMUX-02":
    "A missing configuration is created atomically and privately, and an unwritable home means defaults with one warning.",
  "TMUX-03":
    "A broken configuration is refused with file, line, column, key, what was found and what is allowed.",
  "TMUX-04":
    "A configuration that others can write, or read when it holds a token, is refused with the chmod to run.",
  "TMUX-05": "Configuration is read once at start, and --read-only beats everything.",
  "TMUX-06":
    "The JSON Schema and the example configuration are generated from the schema in the source.",
  "TMUX-07":
    "Every tmux call is an argument array of constants, numbers, ids and closed key names, without a shell and within its timeout.",
  "TMUX-08": "Every tmux from 3.2a on is supported, resolved once, with bytes pasted unchanged.",
  "TMUX-09": "Doctor shows tmux, sessions, settings and store, and a fix for each problem.",
  "TMUX-10": "The app is laid out as documented, one tool per file.",
  "TMUX-13":
    "The allowlist is applied to the full session name on every call before existence shows.",
  "TMUX-14":
    "A target is resolved to ids by one listing, and no name, prefix or glob reaches tmux.",
  "TMUX-15":
    "Every answer carries the identity of the pane it came from, and a difference is pane_not_found.",
  "TMUX-16": "A cached target is confirmed by a fresh list in the same invocation.",
  "TMUX-17": "A linked or grouped window is reachable through an allowed session only.",
  "TMUX-18": "A position belongs to the pane, and another pane behind the same index is told.",
  "TMUX-19": "Session and window names of any content are listed and addressed exactly.",
  "TMUX-20": "A snapshot is one invocation that tmux runs as a unit.",
  "TMUX-21": "Wrapped output is one line with its spaces, and each line knows its first row.",
  "TMUX-22": "Reading positions are kept per caller, pane and process, and bounded.",
  "TMUX-23": "Lines above the cursor are closed, and the cursor's line is partial.",
  "TMUX-24":
    "The tail is captured first and the whole history only when needed, within limits that are told.",
  "TMUX-25": "The difference follows the first rule that holds, and the answer names it.",
  "TMUX-26": "Appending, scrolling and clearing give exactly the new lines.",
  "TMUX-27": "Missed lines are a number only when proven, and each closed line comes once.",
  "TMUX-28":
    "Full reads return the newest lines, other reads the oldest unread, and what is left is counted.",
  "TMUX-29": "A cursor makes a read independent of shared state and survives a restart.",
  "TMUX-30":
    "The alternate screen is read as its rows, and the shell's position resumes without loss.",
  "TMUX-31": "Reads of many panes by several callers never mix.",
  "TMUX-32": "Clearing a buffer touches only the caller's positions.",
  "TMUX-33": "The session list is bounded, and without a server it is empty.",
  "TMUX-34": "Server information is given also without tmux.",
  "TMUX-35": "The state of a pane is the first match of a closed list.",
  "TMUX-36": "The state rests on the foreground program, the terminal's modes and the prompt.",
  "TMUX-37": "Password, continuation, prompt, draft and idle are told apart by stated evidence.",
  "TMUX-38":
    "Pane information says whether a prompt waits, a command runs and a write would be accepted.",
  "TMUX-39":
    "Text of a pane is cleaned after the difference, and what was removed or hidden is counted.",
  "TMUX-40": "Writing needs to be enabled, and the checks come in a fixed order.",
  "TMUX-41":
    "A missing and a wrong token are alike, compared in constant time, slowed down and never shown.",
  "TMUX-42": "Text arrives byte for byte, whole or not at all.",
  "TMUX-43":
    "Text is delivered by buffers on standard input, with brackets only where asked for, and no buffer remains.",
  "TMUX-44":
    "The guard and the paste run in one tmux queue, and the outcome is ok, refused or unknown.",
  "TMUX-45": "Waiting for a prompt sends nothing while the person types.",
  "TMUX-46": "A password prompt refuses text and runs.",
  "TMUX-47": "The server's own pane refuses writes.",
  "TMUX-48":
    "Copy mode refuses writes unless leaving it was asked for, and nothing unasked is sent.",
  "TMUX-49":
    "The answer echoes what was sent within a limit, and pastes to one pane are serialised.",
  "TMUX-50": "Keys are a closed list with exact case.",
  "TMUX-51": "Keys take the same guard, receipt and order as text.",
  "TMUX-52": "Text and keys work while a command runs in the pane.",
  "TMUX-55": "With a command list only whole listed lines are typed.",
  "TMUX-56": "With a command list text and runs need a prompt.",
  "TMUX-57": "With a command list only harmless keys are allowed.",
  "TMUX-58":
    "The documentation says that the command list limits what is typed, not what the shell makes of it.",
  "TMUX-60": "A run needs a prompt, and runs in one pane queue in order.",
  "TMUX-61":
    "A run types one line that keeps the shell's state and never contains the printed marker.",
  "TMUX-62": "A command with newlines stays one line, and one the terminal would cut is refused.",
  "TMUX-63": "The marker is looked for at short and then longer intervals.",
  "TMUX-64": "The output is what stands between the typed line and the marker.",
  "TMUX-65": "A prompt method runs commands in programs that are no shell, without an exit code.",
  "TMUX-66": "A run ends with one of a closed list of outcomes.",
  "TMUX-67": "An exit code is what the shell printed, or null.",
  "TMUX-68":
    "An interrupt is sent once and only when asked for, and cancelling ends the waiting only.",
  "TMUX-69": "Progress tells the line count and the last line.",
  "TMUX-70": "Whatever the shell accepts or rejects completes with its own status and output.",
  "TMUX-75":
    "Writing tools reserve, check, arm, act and record in a durable store shared by the user's processes.",
  "TMUX-76":
    "The same request returns the original answer byte for byte, and other arguments are a conflict.",
  "TMUX-77": "An unknown run is settled by looking for its marker, never by running again.",
  "TMUX-78": "The log of what was done is read from the store.",
  "TMUX-80":
    "Both revisions and the bare methods are served on one pipe, with JSON only on standard output.",
  "TMUX-81": "A bare method runs a tool without a handshake, in order.",
  "TMUX-82": "Bare method errors carry a code, an English message and data.",
  "TMUX-83": "Each JSON-RPC error code has its stated meaning.",
  "TMUX-84": "A bare method without id is not executed, and the dialect can be turned off.",
  "TMUX-85": "A pipe closed right after the request still gets its answer.",
  "TMUX-86":
    "HTTP needs a token, exact Host and Origin, and shows a reader only the reading tools.",
  "TMUX-87": "The person's options restrict panes, windows, sessions or everything, at once.",
  "TMUX-88": "Pause, hide and resume set the person's options from the command line.",
  "TMUX-89": "While the server types or runs it shows itself in a session option.",
  "TMUX-90": "A missing tmux is told with the line that installs it, and looked for again.",
  "TMUX-91": "A killed tmux server is told, and positions stay until processes differ.",
  "TMUX-92": "A hanging tmux is a timeout for reads and unknown for armed writes.",
  "TMUX-93": "A pane killed during a run is told, and the receipt is complete.",
  "TMUX-94": "A server killed at any step never causes a second effect and leaves nothing behind.",
  "TMUX-95": "A closed or slow reader is bounded and ends the server with a reason.",
  "TMUX-96": "Many calls at once are bounded in processes and queued calls.",
  "TMUX-97":
    "A pane that floods, resizes or clears while read gives a correct anchor within the limits.",
  "TMUX-98": "Output that is no valid text never breaks a line of JSON.",
  "TMUX-99": "Without a working store reads go on and writes are refused.",
} as const;
