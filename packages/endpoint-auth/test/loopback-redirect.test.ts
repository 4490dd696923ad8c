import { once } from "node:events";
import { connect } from "node:net";
import { proves } from "@postern/testing";
import { expect, onTestFinished, test } from "vitest";
import { awaitLoopbackRedirect, type LoopbackRedirectOptions } from "../src/index.ts";

async function open(options: LoopbackRedirectOptions = {}) {
  const redirect = await awaitLoopbackRedirect(options);
  onTestFinished(() => redirect.close());
  return redirect;
}

async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  let answer = "";
  socket.on("data", (chunk: string) => (answer += chunk));
  socket.end(text);
  await once(socket, "close");
  return answer;
}

proves("AUTH-29", "anything but a GET of the path under our own Host is refused", async () => {
  const { redirectUri, result } = await open({ path: "/oauth/callback" });
  const { port } = new URL(redirectUri);
  const line = "GET /oauth/callback?code=stolen HTTP/1.1\r\n";

  expect((await fetch(`http://127.0.0.1:${port}/favicon.ico?code=a`)).status).toBe(400);
  expect((await fetch(`${redirectUri}/?code=a`)).status).toBe(400);
  expect((await fetch(redirectUri)).status).toBe(400);
  expect((await fetch(`${redirectUri}?code=a`, { method: "POST" })).status).toBe(400);
  expect((await fetch(`${redirectUri}?code=a`, { method: "HEAD" })).status).toBe(400);
  expect(await raw(Number(port), `${line}Host: rebound.example\r\n\r\n`)).toContain(" 400 ");

  await fetch(`${redirectUri}?code=right`);
  expect((await result).get("code")).toBe("right");
});

proves("AUTH-29", "the sixteenth foreign request ends the wait", async () => {
  const { redirectUri, result } = await open();
  const foreign = new URL("/foreign", redirectUri);

  for (let at = 0; at < 15; at += 1) await fetch(foreign);
  await expect(Promise.race([result, Promise.resolve("waiting")])).resolves.toBe("waiting");
  await fetch(foreign);

  await expect(result).rejects.toMatchObject({ code: "redirect_refused" });
});

proves("AUTH-29", "one redirect is answered by a page that repeats nothing of it", async () => {
  const redirect = await open();
  expect(redirect.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22}$/);

  const response = await fetch(`${redirect.redirectUri}?code=canary-1&state=%3Cscript%3E`);
  const page = await response.text();

  expect(response.status).toBe(200);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(page).not.toMatch(/canary-1|script/);
  expect(Object.fromEntries(await redirect.result)).toEqual({
    code: "canary-1",
    state: "<script>",
  });
  await expect(fetch(`${redirect.redirectUri}?code=b`)).rejects.toThrow("fetch failed");
});

test("the host that is asked for stands in the redirect URI and is listened on", async () => {
  for (const host of ["localhost", "127.0.0.1"] as const) {
    const { redirectUri, result } = await open({ host });

    expect(new URL(redirectUri).hostname).toBe(host);
    await fetch(`${redirectUri}?code=c`);
    expect((await result).get("code")).toBe("c");
  }
});

test("an abort and a close end the wait, and a timeout out of bounds is refused", async () => {
  const controller = new AbortController();
  const aborted = await open({ signal: controller.signal });
  const closed = await open();

  controller.abort(new Error("changed my mind"));
  closed.close();

  await expect(aborted.result).rejects.toThrow("changed my mind");
  await expect(closed.result).rejects.toMatchObject({ code: "redirect_closed" });
  await expect(fetch(`${closed.redirectUri}?code=a`)).rejects.toThrow("fetch failed");
  await expect(open({ timeoutMs: 9_999 })).rejects.toThrow(RangeError);
  await expect(open({ timeoutMs: 1_800_001 })).rejects.toThrow(RangeError);
});
