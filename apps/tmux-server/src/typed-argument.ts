import { ToolError } from "@postern/protocol";
import { checkText, type TextLimits } from "./domain/typed-text.ts";

/** A text argument as it will be typed. @throws ToolError when it holds more than text, or too much */
export function typedText(name: string, raw: string, limits: TextLimits): string {
  const checked = checkText(raw, limits);
  switch (checked.kind) {
    case "ok":
      return checked.text;
    case "forbidden":
      throw new ToolError("invalid_arguments", `${name} holds a character that is no text.`, {
        data: { issues: [{ path: `/${name}`, problem: checked.problem }] },
      });
    case "too_long":
      throw new ToolError("text_too_long", `${name}: ${checked.problem}. Nothing was sent.`);
  }
}
