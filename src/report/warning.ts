import type { Output } from "../system/streams.ts";
import { wrapped } from "./escape.ts";
import { columnsOf } from "./paint.ts";

/** Writes a warning to this stream, escaped and wrapped. */
export function warn(text: string, stream: Output): Promise<void> {
  return stream.write(`Warning: ${wrapped(text, { columns: columnsOf(stream) })}\n`);
}
