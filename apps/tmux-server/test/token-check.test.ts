import { proves } from "@postern/testing";
import { expect } from "vitest";
import { tokenCheck } from "../src/token-check.ts";
import { refusalOf } from "./rig/reading-app.ts";
import { recordingPane, writingRig } from "./rig/writing-rig.ts";

const token = "0123456789abcdef";

proves(
  "TMUX-41",
  "a missing and a wrong token are refused alike, before anything is looked at",
  async () => {
    const rig = await writingRig({ program: ["sleep", "1000"], config: { auth_token: token } });
    const pane = await recordingPane(rig, "raw");
    const missing = await refusalOf(rig.write({ session: "raw", text: "x" }));
    const wrong = await refusalOf(
      rig.press({ session: "no such", key: "C-c", auth_token: `${token}x` }),
    );
    await rig.write({ session: "raw", text: "y", auth_token: token });
    const hosts = { meta: { "postern/auth_token": token } };
    await rig.write({ session: "raw", text: "z" }, hosts);
    const both = rig.write({ session: "raw", text: "n", auth_token: `${token}x` }, hosts);
    expect((await refusalOf(both)).code).toBe("auth_failed");

    expect(missing).toMatchObject({ code: "auth_failed", data: {} });
    expect([wrong.code, wrong.message, wrong.data]).toEqual([missing.code, missing.message, {}]);
    await pane.received("yz");
  },
);

proves("TMUX-41", "from the fifth failure in a row on each one takes a second", async () => {
  const check = tokenCheck(token);
  const timeOf = async (attempt: string): Promise<number> => {
    const startedAt = performance.now();
    await check(attempt).catch((error: { code: string }) => expect(error.code).toBe("auth_failed"));
    return performance.now() - startedAt;
  };
  for (let failure = 1; failure <= 4; failure += 1) await timeOf("wrong");
  const fifth = await timeOf("wrong");
  await check(token);
  const afterSuccess = await timeOf("wrong");

  expect(fifth).toBeGreaterThanOrEqual(990);
  expect(afterSuccess).toBeLessThan(990);
});
