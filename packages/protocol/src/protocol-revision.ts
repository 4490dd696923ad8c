/** The MCP revisions every server here speaks. */
export type ProtocolRevision = "2025-11-25" | "2026-07-28";

/** The supported revisions, oldest first; listed to a peer that asks for another one. */
export const protocolRevisions: readonly ProtocolRevision[] = ["2025-11-25", "2026-07-28"];

/** Whether a peer's revision string is one this package speaks. */
export function isProtocolRevision(value: unknown): value is ProtocolRevision {
  return protocolRevisions.some((revision) => revision === value);
}
