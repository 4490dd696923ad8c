import { proves } from "@postern/testing";
import { assert, ipV4, property } from "fast-check";
import { expect } from "vitest";
import { addressKind } from "../src/index.ts";

proves("AUTH-28", "an address in any but its usual spelling is refused", () => {
  for (const address of [
    "127.1",
    "0177.0.0.1",
    "2130706433",
    "0x7f.0.0.1",
    "127.0.0.01",
    "localhost",
    "",
    "::0",
    "0:0:0:0:0:0:0:1",
    "FE80::1",
    "fe80::1%eth0",
    "[::1]",
    "::ffff:127.0.0.1 ",
    "::127.0.0.1",
  ]) {
    expect(() => addressKind(address)).toThrow(
      expect.objectContaining({ code: "address_not_canonical" }),
    );
  }
});

proves("AUTH-28", "an address is judged by the network it reaches in the end", () => {
  const kinds = {
    loopback: ["127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1"],
    private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "fc00::1", "fdff::1"],
    link_local: ["169.254.169.254", "fe80::1", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::"],
    shared: ["100.64.0.1", "100.127.255.255", "::ffff:100.64.0.1"],
    multicast: ["224.0.0.1", "ff02::1"],
    unspecified: ["0.0.0.0", "::", "::ffff:0:0"],
    reserved: [
      "0.0.0.1",
      "192.0.2.1",
      "198.19.0.1",
      "255.255.255.255",
      "2001:db8::1",
      "1::",
      "::2",
    ],
    public: ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2002:808:808::1"],
  };

  for (const [kind, addresses] of Object.entries(kinds)) {
    expect(addresses.map((address) => [address, addressKind(address)])).toEqual(
      addresses.map((address) => [address, kind]),
    );
  }
});

proves("AUTH-28", "an IPv4 address is judged alike in every IPv6 form that carries it", () => {
  assert(
    property(ipV4(), (v4) => {
      const hex = v4.split(".").map((byte) => Number(byte).toString(16).padStart(2, "0"));
      const tail = `${hex[0] ?? ""}${hex[1] ?? ""}:${hex[2] ?? ""}${hex[3] ?? ""}`;
      const forms = [`::ffff:${tail}`, `64:ff9b::${tail}`, `2002:${tail}::`, `::ffff:0:${tail}`];
      for (const form of forms) {
        const canonical = new URL(`http://[${form}]`).hostname.slice(1, -1);
        expect(addressKind(canonical)).toBe(addressKind(v4));
      }
    }),
  );
});
