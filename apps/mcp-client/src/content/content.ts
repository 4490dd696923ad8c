import { prepare } from "./prepare.ts";

/** What a program does with the content of replies. */
export const content = { prepare } as const;
