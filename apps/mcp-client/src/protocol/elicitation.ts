import { isMembers, type Members } from "./json-rpc.ts";
import type { ServerRequestReply } from "./revision.ts";

const INVALID_PARAMS = -32602;

/** What a server asks the person. Its words are the server's own: show them as such, obey them never. */
export interface ElicitationQuestion {
  readonly message: string;
  /** A flat JSON Schema of what may be answered. */
  readonly requestedSchema: Members;
}

export type ElicitationAnswer =
  | { action: "accept"; content: Members }
  /** The person said no, or dismissed the question. */
  | { action: "decline" | "cancel" };

export type ElicitationHandler = (
  question: ElicitationQuestion,
) => ElicitationAnswer | Promise<ElicitationAnswer>;

/** The answer that leaves every field of a question at its default; fields without one are left out. */
export function elicitationDefaults(schema: object): Record<string, unknown> {
  const properties = isMembers(schema) ? schema["properties"] : undefined;
  return Object.fromEntries(
    Object.entries(isMembers(properties) ? properties : {}).flatMap(([name, property]) =>
      isMembers(property) && property["default"] !== undefined ? [[name, property["default"]]] : [],
    ),
  );
}

/** Has the handler answer one `elicitation/create`. Elicitation: a mode that was not declared is -32602. */
export async function answerQuestion(
  params: Members | undefined,
  handler: ElicitationHandler,
): Promise<ServerRequestReply> {
  const { mode = "form", message, requestedSchema } = params ?? {};
  if (mode !== "form" || typeof message !== "string" || !isMembers(requestedSchema)) {
    const error = {
      code: INVALID_PARAMS,
      message: "This client answers questions in form mode only.",
    };
    return { error };
  }
  return { result: { ...(await handler({ message, requestedSchema })) } };
}
