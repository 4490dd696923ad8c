export type { SettingsPart } from "./part.ts";
export type { SettingsBackend } from "./settings.ts";
export { settings } from "./settings.ts";
