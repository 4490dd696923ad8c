/** A name of the closed list below: the only form in which a key reaches tmux. */
export type KeyName = string & { readonly __key: true };

/** Every key that `send_keys_tmux` presses, as tmux spells it. */
export const keyNames: readonly string[] = [
  ...letters().map((letter) => `C-${letter}`),
  ...letters().map((letter) => `M-${letter}`),
  ..."Enter Escape Tab BTab BSpace Space Up Down Left Right".split(" "),
  ..."Home End PageUp PageDown Insert Delete".split(" "),
  ...Array.from({ length: 12 }, (_, index) => `F${String(index + 1)}`),
];

/** Whether a key has exactly this name: nothing is folded, trimmed or guessed. */
export function isKeyName(name: string): name is KeyName {
  return keyNames.includes(name);
}

/** The keys that stay allowed while `allowed_commands` is set: history plus Enter would run anything. */
export const restrictedKeys: ReadonlySet<string> = new Set(["C-c", "C-l", "C-u"]);

/** The keys that a password prompt takes: they leave it, they do not answer it. */
export const passwordKeys: ReadonlySet<string> = new Set(["C-c", "C-d", "Escape"]);

function letters(): string[] {
  return Array.from("abcdefghijklmnopqrstuvwxyz");
}
