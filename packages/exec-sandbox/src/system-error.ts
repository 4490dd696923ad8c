/** The system's error code (`ENOENT`) of whatever was thrown, or an empty string. */
export function systemCode(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
