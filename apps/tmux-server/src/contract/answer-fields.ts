import { z } from "zod";

/** The longest text of a pane that one answer carries, in characters. */
export const maxAnswerChars = 1_048_576;

/** A name or short text tmux reported. */
export const nameField = z.string().max(4_096);

/** The pane an answer is about, as `session:window.pane`. */
export const targetField = nameField.describe("session:window.pane");

/** A tmux pane id. */
export const paneIdField = z.string().max(10).describe("tmux pane id");

/** A count that tmux or this server keeps. */
export const countField = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A width, height or index inside tmux. */
export const smallField = z.int().min(0).max(65_535);

/** A line of a pane. */
export const lineField = z.string().max(maxAnswerChars);

/** A reading position as text. */
export const cursorField = z.string().max(1_024).describe("Position to read on from");

/** When the answer was made. */
export const timestampField = z.string().max(24).describe("UTC, ISO 8601");

/** What the pane is doing; the first that fits. */
export const paneStateField = z.enum([
  "dead",
  "copy_mode",
  "alternate_screen",
  "password",
  "continuation",
  "prompt",
  "draft",
  "running",
]);
