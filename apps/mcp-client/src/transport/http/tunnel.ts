import type { Socket } from "node:net";
import { ConnectError } from "./connect-error.ts";

/** Asks a proxy for a tunnel (RFC 9110, "CONNECT"); what comes back leads to the target. */
export function openTunnel(
  socket: Socket,
  o: { host: string; port: number; authorization: string | undefined; signal: AbortSignal },
): Promise<Socket> {
  const { request } = process.getBuiltinModule("node:http");
  const authority = `${o.host.includes(":") ? `[${o.host}]` : o.host}:${String(o.port)}`;
  return new Promise((resolve, reject) => {
    const refuse = (why: string): void => {
      socket.destroy();
      reject(new ConnectError("connect_failed", `The proxy opened no tunnel (${why}).`));
    };
    const asked = request({
      method: "CONNECT",
      path: authority,
      headers: {
        host: authority,
        ...(o.authorization !== undefined && { "proxy-authorization": o.authorization }),
      },
      createConnection: () => socket,
      setHost: false,
      maxHeaderSize: 16 * 1_024,
      signal: o.signal,
    });
    asked.once("connect", ({ statusCode }, tunnel, head) => {
      if (statusCode !== 200) return refuse(`status ${String(statusCode)}`);
      if (head.length > 0) tunnel.unshift(head);
      resolve(tunnel);
    });
    asked.once("response", ({ statusCode }) => refuse(`status ${String(statusCode)}`));
    asked.on("error", (error: NodeJS.ErrnoException) => refuse(error.code ?? "error"));
    asked.end();
  });
}
