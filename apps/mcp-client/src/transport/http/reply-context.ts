import type { Answer } from "../../client/answer.ts";
import type { LostAnswer, Traffic } from "../link.ts";
import type { JudgeContext } from "./judge.ts";
import type { Asked, StatusAnswer } from "./status.ts";

/** What reading an answer needs of the exchange it belongs to. */
export interface ReplyContext extends Omit<JudgeContext, "httpStatus"> {
  readonly asked: Asked;
  readonly maxMessageBytes: number;
  readonly maxStreamBytes: number;
  readonly traffic: Traffic;
  readonly onActivity: () => void;
  /** Whether a lost stream can be taken up again. */
  readonly resumable: boolean;
  /** What the answer is should nothing more come. */
  readonly expect: (answer: StatusAnswer) => void;
  readonly settle: (answer: Answer) => void;
}

/** The answer to a message over the cap. */
export function tooLarge(limit: number, seen: number): LostAnswer {
  return {
    kind: "lost",
    code: "message_too_large",
    message: `The server sent a message over maxMessageBytes (${String(limit)}).`,
    limit: { name: "maxMessageBytes", limit, seen },
    httpStatus: 200,
  };
}
