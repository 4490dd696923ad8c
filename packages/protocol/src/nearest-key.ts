/** The known key a misspelt one most likely means, or undefined when none is close. */
export function nearestKey(key: string, knownKeys: readonly string[]): string | undefined {
  const wanted = key.slice(0, 64).toLowerCase();
  let best: { readonly key: string; readonly distance: number } | undefined;
  for (const known of knownKeys) {
    const distance = editDistance(wanted, known.toLowerCase());
    const allowed = Math.max(2, Math.floor(known.length / 3));
    if (distance <= allowed && distance < (best?.distance ?? Infinity)) {
      best = { key: known, distance };
    }
  }
  return best?.key;
}

/** Levenshtein's distance, row by row. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 0; line < from.length; line += 1) {
    const next = [line + 1];
    for (let column = 0; column < to.length; column += 1) {
      const replaced = (row[column] ?? 0) + (from[line] === to[column] ? 0 : 1);
      next.push(Math.min((next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
