import { BlockList, isIPv4, isIPv6 } from "node:net";
import { EndpointAuthError } from "./errors.ts";

export type AddressKind =
  | "loopback"
  | "private"
  | "link_local"
  | "shared"
  | "multicast"
  | "unspecified"
  | "reserved"
  | "public";

// https://www.iana.org/assignments/iana-ipv4-special-registry
const ranges4: readonly (readonly [network: string, prefix: number, kind: AddressKind])[] = [
  ["0.0.0.0", 32, "unspecified"],
  ["0.0.0.0", 8, "reserved"],
  ["10.0.0.0", 8, "private"],
  ["100.64.0.0", 10, "shared"],
  ["127.0.0.0", 8, "loopback"],
  ["169.254.0.0", 16, "link_local"],
  ["172.16.0.0", 12, "private"],
  ["192.0.0.0", 24, "reserved"],
  ["192.0.2.0", 24, "reserved"],
  ["192.88.99.0", 24, "reserved"],
  ["192.168.0.0", 16, "private"],
  ["198.18.0.0", 15, "reserved"],
  ["198.51.100.0", 24, "reserved"],
  ["203.0.113.0", 24, "reserved"],
  ["224.0.0.0", 4, "multicast"],
  ["240.0.0.0", 4, "reserved"],
];

// https://www.iana.org/assignments/iana-ipv6-special-registry
const ranges6: typeof ranges4 = [
  ["::", 128, "unspecified"],
  ["::1", 128, "loopback"],
  ["fc00::", 7, "private"],
  ["fe80::", 10, "link_local"],
  ["fec0::", 10, "private"],
  ["ff00::", 8, "multicast"],
  ["2001::", 23, "reserved"],
  ["2001:db8::", 32, "reserved"],
  ["3fff::", 20, "reserved"],
];

/** Where an IPv6 address carries an IPv4 one that the packet reaches in the end: the first of its 16-bit groups. */
const carriers: readonly (readonly [network: string, prefix: number, group: number])[] = [
  ["::ffff:0:0", 96, 6], // IPv4-mapped
  ["::ffff:0:0:0", 96, 6], // IPv4-translated
  ["64:ff9b::", 96, 6], // NAT64
  ["2002::", 16, 1], // 6to4
];

/**
 * Says what kind of network an IP address belongs to; of an IPv6 address that carries an IPv4 one, what kind
 * that one is. Throws `address_not_canonical` for a name, a zone, or any spelling but the usual one.
 */
export function addressKind(address: string): AddressKind {
  if (isIPv4(address)) return kindIn(ranges4, address, "ipv4") ?? "public";
  const groups = canonicalGroups(address);
  const carrier = carriers.find(([network, prefix]) => contains(network, prefix, address, "ipv6"));
  if (carrier) return addressKind(dotted(groups, carrier[2]));
  const special = kindIn(ranges6, address, "ipv6");
  // Nothing outside 2000::/3 has been given out yet.
  return special ?? (contains("2000::", 3, address, "ipv6") ? "public" : "reserved");
}

function kindIn(ranges: typeof ranges4, address: string, family: "ipv4" | "ipv6") {
  return ranges.find(([network, prefix]) => contains(network, prefix, address, family))?.[2];
}

function contains(network: string, prefix: number, address: string, family: "ipv4" | "ipv6") {
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return list.check(address, family);
}

/** The eight groups, if the address is spelt as RFC 5952 says. */
function canonicalGroups(address: string): readonly number[] {
  const canonical = isIPv6(address) && !address.includes("%") ? hexForm(address) : undefined;
  if (canonical === undefined || (canonical !== address && !isMixedForm(canonical, address))) {
    throw new EndpointAuthError(
      "address_not_canonical",
      "Only an IP address in its usual spelling is judged, without a zone.",
    );
  }
  const [head = "", tail] = canonical.split("::");
  const [before, after] = [numbers(head), numbers(tail ?? "")];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: zeros }, () => 0), ...after];
}

function hexForm(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** RFC 5952 section 5: resolvers print a mapped address with its IPv4 part dotted. */
function isMixedForm(canonical: string, address: string): boolean {
  return /^::ffff:(\d+\.){3}\d+$/.test(address) && canonical.startsWith("::ffff:");
}

function numbers(groups: string): readonly number[] {
  return groups === "" ? [] : groups.split(":").map((group) => Number.parseInt(group, 16));
}

function dotted(groups: readonly number[], at: number): string {
  return groups
    .slice(at, at + 2)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}
