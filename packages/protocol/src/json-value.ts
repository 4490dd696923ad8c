/** A value JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; also the shape of every params, result and structured content. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
