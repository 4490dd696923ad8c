const LOOKUP_LIMIT_MS = 2_000;

/** Waits for a file system answer for at most two seconds; a hung mount answers "late". */
export async function withinTwoSeconds<T>(lookup: Promise<T>): Promise<T | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, LOOKUP_LIMIT_MS, "late");
  });
  try {
    return await Promise.race([lookup, late]);
  } finally {
    clearTimeout(timer);
  }
}
