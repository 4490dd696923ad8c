/** Prompts with which interpreters ask for the rest: Python, SQLite, Node, MySQL, PostgreSQL, a remote shell. */
const continuations = /^(?:> |\s*(?:\.\.\.>?|->|\|) |\w{1,63}[-('"*][#>] )$/;

/** Whether a program that is no local shell asks for the rest of an entry: by its words, and not as it asked before. */
export function asksForRest(left: string, before: string): boolean {
  return left !== before && continuations.test(left);
}
