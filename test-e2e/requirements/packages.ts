/** What each requirement of this area promises, in one sentence. */
export const packagesRequirements = {
  "PROTO-01":
    "A tool contract is checked when it is defined: names, described and bounded fields, snake_case codes, a requestId where the effect is not read.",
  "PROTO-02": "Annotations derive from the effect, and an unknown effect throws.",
  "PROTO-03":
    "Bad arguments answer invalid_arguments with the paths and problems, never the values, and nothing is coerced.",
  "PROTO-04":
    "A refusal is isError with a structured error and the same JSON as text; a success carries structured content and the same JSON as text.",
  "PROTO-05":
    "An undeclared code or a foreign exception becomes internal_error with a correlation id, and the details go to the log only.",
  "PROTO-06":
    "Output that breaks its schema throws in tests and is otherwise returned and logged, so a finished effect never becomes a failure.",
  "PROTO-07":
    "Tools of a disabled effect are unlisted and answer effect_not_enabled; an unknown tool is -32602.",
  "PROTO-08":
    "A handler's signal fires on cancellation, close and drain, and a cancelled request gets no answer.",
  "PROTO-09":
    "Both protocol revisions are served, others are refused with the supported ones listed, and a known 2025 method before initialize is not_initialized.",
  "PROTO-10": "The official server conformance suites of both revisions pass over HTTP.",
  "PROTO-11":
    "A configuration file is read only with safe owner, mode and size, and every problem names line, column, key and the nearest known key.",
  "PROTO-12":
    "The contract client parses outputs, warns on a mismatch, and turns isError into a ToolError with the peer's code.",
  "PROTO-13":
    "Delivery is classified from evidence alone, and nothing retries, resends or reconnects.",
  "PROTO-14":
    "A frame is one strict JSON object per line, read in linear time and bounded memory for any chunking.",
  "PROTO-15": "A frame that is no valid message gets exactly one error, with the id by the rules.",
  "PROTO-16":
    "An id in flight is refused without disturbing the first call, and calls over the limit are refused.",
  "PROTO-17":
    "An oversize line is discarded while the connection goes on, and every end of the connection has its own explained kind.",
  "PROTO-18":
    "Strict JSON refuses duplicate and forbidden keys, excess depth and values, unsafe numbers, lone surrogates and a byte order mark.",
  "PROTO-19":
    "Bare tool names run as methods without a handshake, serially, with the dialect's own error codes.",
  "PROTO-20": "HTTP refusals come in a fixed order, each before the next step reads anything.",
  "PROTO-21": "The light entry points load no schema library, SDK or web framework.",
  "PROTO-22": "Frame and strict JSON vectors are published as JSON that other projects can use.",
  "RCPT-01": "For one scope and requestId the effect starts at most once in the life of the store.",
  "RCPT-02": "What was answered as stored is answered byte for byte for ever, marked as replayed.",
  "RCPT-03":
    "Arming is durable before the effect starts, and not_applied is said only when that is provable.",
  "RCPT-04":
    "A deadline, cancel or fence before arming is not_applied; after arming the receipt is completed with or without the caller.",
  "RCPT-05":
    "The fingerprint covers the canonical arguments, and other arguments under the same id are a conflict.",
  "RCPT-06":
    "The same call in flight is joined up to a limit, and a joiner's cancel is only its own.",
  "RCPT-07": "The scope names the subject and the instance that a restart must not confuse.",
  "RCPT-08": "Once a run is entered every answer is a receipt, refusals too.",
  "RCPT-09":
    "At the limit only new ids are refused, exactly at the figure, while known ids can still be asked about.",
  "RCPT-10": "Without eviction nothing is dropped, and the log warns as the store fills.",
  "RCPT-11": "After a revoke returned, no effect starts.",
  "RCPT-12":
    "Reserving first tells a crash before arming apart, and statements given alongside commit in the same transaction or not at all.",
  "RCPT-13":
    "The SQLite store is private, fully synchronous, checked when opened, and refuses damage and newer schemas without touching the file.",
  "RCPT-14":
    "An error in a durable write makes the store read-only until it is reopened, and reads go on.",
  "RCPT-15": "Pending rows of an owner that died are resolved to what is provable.",
  "RCPT-17": "The memory store lives as long as the process, and every store passes one suite.",
  "RCPT-18": "Deadlines are monotonic, and jumps of the wall clock are harmless.",
  "RCPT-19": "A long-lived store makes room without ever letting an old id run again.",
  "RCPT-20": "Receipt histories and fingerprints are published as vectors.",
  "EXEC-01":
    "Only argument arrays are run, every element reaches the child unchanged, and impossible ones are refused.",
  "EXEC-02":
    "A bare name is looked up in absolute search path parts only, and the answer is the real file.",
  "EXEC-03": "The resolved file is judged as shell, wrapper, interpreter or other.",
  "EXEC-04": "The executable's identity is compared before each spawn.",
  "EXEC-05":
    "The child's environment is exactly the base names, the inherited names and the set names.",
  "EXEC-06": "A directory is resolved, contained and opened before it is used.",
  "EXEC-07": "On Linux the child starts in the directory that was opened.",
  "EXEC-08":
    "Directory and program are checked before the spawn, and every cause has its own code.",
  "EXEC-09":
    "A temporary directory is private and removed on every outcome without following links.",
  "EXEC-10": "Standard input is the null device, or the given bytes and then closed.",
  "EXEC-11": "A deadline ends the group by TERM, then KILL, and returns in time.",
  "EXEC-12":
    "Each child leads its own group and session, and nothing is signalled after it is reaped.",
  "EXEC-13": "Pipes held open by a descendant are told and do not delay the answer.",
  "EXEC-14": "On Linux the end of the whole process tree is proved on every run.",
  "EXEC-15":
    "On macOS and Windows the end of the tree is checked by the means they have, and the proof says which.",
  "EXEC-16": "Output is kept by a fair head and tail within the cap, with exact counts.",
  "EXEC-17":
    "Output is decoded as it streams, cut on character borders, and the bytes stay available.",
  "EXEC-18":
    "Streaming output arrives in order and whole characters, and a slow consumer cannot grow memory.",
  "EXEC-19": "A run ended by a signal has no exit code and names the signal.",
  "EXEC-20": "No log line or error holds arguments, environment or output.",
  "EXEC-21": "Spawn errors map to closed codes and never throw.",
  "EXEC-22":
    "A long process closes by steps with proof, and its tree also ends when its parent is killed.",
  "EXEC-23": "Children see only their three standard descriptors.",
  "EXEC-24":
    "A browser is opened only for re-serialised http and https addresses, as one argument.",
  "EXEC-25": "Groups left by a crash are found by exact match and ended at the next start.",
  "AUTH-01":
    "An endpoint is published last and whole, in a private directory that is never reused.",
  "AUTH-02": "The root of an endpoint must be safe against other users.",
  "AUTH-03": "A socket path that is too long is refused before listening, with what to do.",
  "AUTH-04": "A reader checks path, owner, mode, type, links and identity of an endpoint.",
  "AUTH-05":
    "The endpoint file is strict, and the token is fresh per publish and kept only as a hash.",
  "AUTH-06": "One connection carries one request line and one answer line, checked in order.",
  "AUTH-07": "Connections are bounded in number and time, and wrong tokens look alike.",
  "AUTH-08": "Frames, constants and codes of the endpoint protocol stand in fixtures.",
  "AUTH-09": "The loss of an endpoint is seen within a second and fences it.",
  "AUTH-10": "A call to an endpoint is one attempt, and unknown from its first byte on.",
  "AUTH-11": "A revoke fences at once, answers pending calls and removes only what is ours.",
  "AUTH-12": "Dead endpoints are swept without ever deleting recursively.",
  "AUTH-13": "Secrets are compared as digests in constant time, in one place.",
  "AUTH-14":
    "A secret prints as [secret] everywhere and reaches no log, error, receipt, URL or argument list.",
  "AUTH-15": "Bearer tokens are shown once and stored as hashes with their scopes and times.",
  "AUTH-16": "Scopes are exact, and revocation and expiry hold from the next request.",
  "AUTH-17": "Refusals carry the standard challenge, and unknown, expired and revoked look alike.",
  "AUTH-18": "Host and Origin are compared byte for byte.",
  "AUTH-19": "Host, Origin, token and scope are checked in order before a byte of the body.",
  "AUTH-20":
    "An HTTP listener is on loopback by default, with limits on headers, time and connections.",
  "AUTH-21": "Only one package listens, and unsupported platforms are told clearly.",
  "AUTH-23":
    "Sealed settings are encrypted with a fresh nonce per write and bound to their store and user.",
  "AUTH-24": "The sealing key comes from the best available place and is never silently lowered.",
  "AUTH-25": "A damaged or foreign sealed file is an error of its own and stays untouched.",
  "AUTH-26": "Sealed writes are atomic, locked across processes and survive a crash at any step.",
  "AUTH-27": "A process lock is freed by its owner's death.",
  "AUTH-28": "Every spelling of an address is judged by its kind, and a non-canonical one throws.",
  "AUTH-29": "A loopback redirect is awaited on a port bound first, and the page reflects nothing.",
  "TEXT-01": "Control sequences of every form are recognised byte by byte, in streaming UTF-8.",
  "TEXT-02":
    "Text for a model loses sequences, shows controls in caret form and marks forbidden code points.",
  "TEXT-03": "Text for a terminal passes colours at most, and text for a log is escaped.",
  "TEXT-04":
    "Forbidden code points are removed and counted, while emoji and scripts that need joiners stay whole.",
  "TEXT-05": "An unterminated string gives its text back, and concealed text is told and counted.",
  "TEXT-06":
    "Cleaned text is idempotent, independent of chunking, bounded and inert in a terminal.",
  "TEXT-07": "A safe line is one clipped line, and framed text carries its provenance.",
  "TEXT-08": "Text vectors are published as JSON that other projects can use.",
} as const;
