/** What a sanitiser met in its input. Text can forge a mark such as `⟦U+200B⟧`; it cannot forge this. */
export interface SanitizeReport {
  readonly version: 1;
  readonly inputBytes: number;
  /** C0 controls other than TAB and LF, DEL, and single C1 controls, in caret form, marked or removed. */
  readonly controls: number;
  /** Escape and control sequences taken out, styling included. */
  readonly sequences: number;
  /** Control strings (OSC, DCS, SOS, PM, APC) taken out with what they carried. */
  readonly strings: number;
  /** Bytes that are no UTF-8; each broken sequence of them became one U+FFFD. */
  readonly invalidBytes: number;
  /** Zero-width and other default-ignorable characters, line separators, noncharacters. */
  readonly invisible: number;
  /** Characters that reorder the text around them. */
  readonly bidi: number;
  /** Tag characters, U+E0000 to U+E007F. */
  readonly tags: number;
  /** Letters that are drawn as nothing. */
  readonly fillers: number;
  /** Concealed characters: SGR 8, or foreground and background set to the same colour. */
  readonly hiddenChars: number;
  /** Combining marks cut because eight of them already sat on the character before. */
  readonly combiningCut: number;
  /** Whether a control string or sequence was cut by a line end, the length limit or the end of input. */
  readonly unterminated: boolean;
}

export type MutableReport = { -readonly [Key in keyof SanitizeReport]: SanitizeReport[Key] };

export function emptyReport(): MutableReport {
  return {
    version: 1,
    inputBytes: 0,
    controls: 0,
    sequences: 0,
    strings: 0,
    invalidBytes: 0,
    invisible: 0,
    bidi: 0,
    tags: 0,
    fillers: 0,
    hiddenChars: 0,
    combiningCut: 0,
    unterminated: false,
  };
}

/** How many characters did not come through as themselves; sequences and concealed text are not among them. */
export function removedChars(report: SanitizeReport): number {
  return (
    report.controls +
    report.invisible +
    report.bidi +
    report.tags +
    report.fillers +
    report.combiningCut
  );
}
