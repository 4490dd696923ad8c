/** The most rows of history that are ever captured. */
export const deepestRows = 50_000;
