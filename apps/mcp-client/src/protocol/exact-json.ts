interface SourceContext {
  readonly source?: string;
}

type SourceReviver = (key: string, value: unknown, context: SourceContext) => unknown;

/** The two parts of "JSON.parse source text access" that the type library does not know yet. */
const exactJson = JSON as unknown as {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
  parse(text: string, reviver?: SourceReviver): unknown;
};

/** A number that is written digit for digit as given. */
export function exactNumber(digits: string): object {
  return exactJson.rawJSON(digits);
}

/** The digits of an exact number, or undefined for anything else. */
export function exactDigits(value: unknown): string | undefined {
  return exactJson.isRawJSON(value) ? (value as { rawJSON: string }).rawJSON : undefined;
}

/** Serialises with bigints and exact numbers written as their digits. Throws where JSON cannot say it. */
export function stringifyExact(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "bigint" ? exactNumber(member.toString()) : member,
  );
}

/** Parses with every number that a double would change kept as it is written. */
export function parseExactNumbers(text: string): unknown {
  return exactJson.parse(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && source !== String(value)
      ? exactNumber(source)
      : value,
  );
}

/** Parses with integers beyond the exact range of a double as bigint, and counts them. */
export function parseBigIntegers(text: string): { value: unknown; count: number } {
  let count = 0;
  const value = exactJson.parse(text, (_key, member, { source }) => {
    if (typeof member !== "number" || Number.isSafeInteger(member) || source === undefined) {
      return member;
    }
    if (!/^-?\d+$/.test(source) || BigInt(source) === BigInt(member)) return member;
    count += 1;
    return BigInt(source);
  });
  return { value, count };
}

/** Whether a parsed value holds a number that may have lost digits. Walks without recursion. */
export function mayHaveLostDigits(value: unknown): boolean {
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const item = stack.pop();
    if (typeof item === "number") {
      if (Number.isInteger(item) && !Number.isSafeInteger(item)) return true;
    } else if (typeof item === "object" && item !== null) {
      for (const member of Object.values(item)) {
        if (typeof member === "number" || typeof member === "object") stack.push(member);
      }
    }
  }
  return false;
}
