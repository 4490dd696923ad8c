/** The version of this program; the package's own, kept equal by a test. */
export const VERSION = "0.0.0";
