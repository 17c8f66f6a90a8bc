import type { Output } from "../system/streams.ts";
import { wrapped } from "./escape.ts";
import { columnsOf } from "./paint.ts";

/** Writes a message as a line of this stream, escaped and wrapped. */
export function writeLine(text: string, stream: Output): Promise<void> {
  return stream.write(`${wrapped(text, { columns: columnsOf(stream) }, 2)}\n`);
}

/** Writes a warning to this stream. This escapes it. */
export function warn(text: string, stream: Output): Promise<void> {
  return writeLine(`Warning: ${text}`, stream);
}

/** Writes warnings to this stream, one after the other. */
export async function printWarnings(texts: readonly string[], stream: Output): Promise<void> {
  for (const text of texts) await warn(text, stream);
}
