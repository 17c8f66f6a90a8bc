import type { Output } from "../system/streams.ts";
import { wrapped } from "./escape.ts";
import { columnsOf } from "./paint.ts";

/** A warning for this stream, escaped and wrapped; ends in a line end. */
export function warningFor(text: string, stream: Output): string {
  return `Warning: ${wrapped(text, { columns: columnsOf(stream) })}\n`;
}
