export type { Frame } from "./classify-frame.ts";
export type { FrameFault, FrameReaderOptions } from "./frame-reader.ts";
export type { FrameWriterOptions, OutputFault } from "./frame-writer.ts";
export { classifyFrame, oversizeReply } from "./classify-frame.ts";
export { FrameReader } from "./frame-reader.ts";
export { FrameWriter } from "./frame-writer.ts";
