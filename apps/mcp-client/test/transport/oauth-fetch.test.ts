import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { proves } from "@postern/testing";
import { expect, onTestFinished } from "vitest";
import { oauthFetch } from "../../src/transport/http/oauth-fetch.ts";

async function countingServer() {
  const server = createServer((_request, response) => response.end("{}"));
  let connections = 0;
  server.on("connection", () => (connections += 1));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const codeOf = (url: string, allowPrivate: boolean): Promise<string> =>
  oauthFetch(new URL(url), {}, { allowPrivate, timeoutMs: 500 }).then(
    ({ status }) => String(status),
    (error: { code: string }) => error.code,
  );

proves(
  "CLNT-96",
  "a server outside leads to no address inside, in whatever form it is written",
  async () => {
    const { port, connections } = await countingServer();

    for (const host of [
      "127.0.0.1",
      "localhost",
      "[::1]",
      "10.0.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "100.64.0.1",
      "[fd00::1]",
      "[::ffff:127.0.0.1]",
      "[64:ff9b::a00:1]",
      "2130706433",
      "0x7f.1",
    ]) {
      expect([host, await codeOf(`https://${host}:${String(port)}/`, false)]).toEqual([
        host,
        "address_refused",
      ]);
    }
    for (const host of ["127.0.0.1", "localhost"]) {
      expect(await codeOf(`http://${host}:${String(port)}/`, false)).toBe(
        "oauth_insecure_endpoint",
      );
    }

    expect(connections()).toBe(0);
    expect(await codeOf(`http://127.0.0.1:${String(port)}/`, true)).toBe("200");
  },
);

proves(
  "CLNT-96",
  "no scheme but https leads off this machine, and no private address to a broadcast",
  async () => {
    expect(await codeOf("http://10.0.0.1/", true)).toBe("oauth_insecure_endpoint");
    expect(await codeOf("ftp://127.0.0.1/", true)).toBe("oauth_insecure_endpoint");
    expect(await codeOf("https://user@127.0.0.1/", true)).toBe("oauth_insecure_endpoint");
    expect(await codeOf("https://255.255.255.255/", true)).toBe("address_refused");
    expect(await codeOf("https://224.0.0.1/", true)).toBe("address_refused");
  },
);

proves(
  "CLNT-96",
  "an answer that does not come in time, or is compressed, is no answer",
  async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    const zipped = createServer((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end("x"),
    ).listen(0, "127.0.0.1");
    onTestFinished(() => {
      silent.closeAllConnections();
      silent.close();
      zipped.close();
    });
    await Promise.all([once(silent, "listening"), once(zipped, "listening")]);
    const urlOf = (server: typeof silent) =>
      `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;

    expect(await codeOf(urlOf(silent), true)).toBe("timeout");
    expect(await codeOf(urlOf(zipped), true)).toBe("unparsable_reply");
  },
);
