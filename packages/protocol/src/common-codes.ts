/** Refusals every tool may answer, with what each means. A contract adds its own. */
export const commonErrorCodes = {
  invalid_arguments: "The arguments do not match the input schema; `issues` lists each problem.",
  effect_not_enabled: "Tools with this effect are switched off in this server.",
  cancelled: "The call was cancelled before it finished.",
  too_many_in_flight: "Too many calls are running; wait for one to finish.",
  internal_error: "The server failed; its log has the details under the correlation id.",
} as const;

export type CommonErrorCode = keyof typeof commonErrorCodes;
