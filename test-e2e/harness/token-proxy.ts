import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Stands before a server for clients that cannot be given a token: adds it to every request. The proxy's own name
 * becomes the server's; every other Host or Origin passes as it came.
 */
export async function tokenProxy(
  target: URL,
  token: string,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  let own = "";
  const server: Server = createServer((incoming, outgoing) => {
    const rename = (value: string): string => value.replace(own, target.host);
    const headers = incoming.rawHeaders.map((word, index) =>
      index % 2 === 0 ? word : rename(word),
    );
    const forwarded = request(
      {
        host: target.hostname,
        port: target.port,
        path: incoming.url,
        method: incoming.method,
        headers: [...headers, "Authorization", `Bearer ${token}`],
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  own = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url: `http://${own}/mcp`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
