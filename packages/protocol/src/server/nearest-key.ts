/** The known key a misspelt one most likely means, or undefined when none is close. */
export function nearestKey(key: string, knownKeys: readonly string[]): string | undefined {
  const wanted = key.slice(0, 64).toLowerCase();
  let best: { readonly key: string; readonly distance: number } | undefined;
  for (const known of knownKeys) {
    const distance = editDistance(wanted, known.toLowerCase());
    if (
      distance <= Math.max(2, Math.floor(known.length / 3)) &&
      distance < (best?.distance ?? Infinity)
    ) {
      best = { key: known, distance };
    }
  }
  return best?.key;
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [line, letter] of Array.from(from).entries()) {
    const next = [line + 1];
    for (const [column, other] of Array.from(to).entries()) {
      next.push(
        Math.min(
          (next[column] ?? 0) + 1,
          (row[column + 1] ?? 0) + 1,
          (row[column] ?? 0) + (letter === other ? 0 : 1),
        ),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
