import { cutText } from "../cut-text.ts";
import type { JsonPath } from "./path-tracker.ts";

/** A path as a JSON Pointer (RFC 6901), cut to 256 bytes: keys come from the peer and have no bound. */
export function pointerOf(path: JsonPath): string {
  const pointer = path.map((segment) => `/${escapeSegment(String(segment))}`).join("");
  return cutText(pointer, 256).text;
}

function escapeSegment(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}
