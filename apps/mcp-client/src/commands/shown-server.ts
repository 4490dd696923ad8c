/** Whether a server was named by its address. */
export function isAddress(name: string): boolean {
  return /^https?:\/\//i.test(name);
}

/** A server's name as it may be shown: of an address neither user info nor the values of its query. */
export function shownServer(name: string): string {
  if (!isAddress(name)) return name;
  const url = URL.parse(name);
  if (!url) return "[unusable URL]";
  const names = [...url.searchParams.keys()].map((key) => `${encodeURIComponent(key)}=...`);
  return `${url.origin}${url.pathname}${names.length > 0 ? `?${names.join("&")}` : ""}`;
}
