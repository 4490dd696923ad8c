/** Whether a string reaches another process unchanged: no NUL, no half of a surrogate pair. */
export function isPlainText(value: unknown): value is string {
  return typeof value === "string" && !/[\0\p{Surrogate}]/u.test(value);
}
