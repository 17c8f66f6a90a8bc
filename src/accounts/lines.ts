/** One line of a stream, counted from 1. Its bytes have no line end; null for a line that is too long. */
export interface Line {
  readonly number: number;
  readonly bytes: Uint8Array | null;
}

const lineFeed = 0x0a;
const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf);

/** Joins the pieces of one line, and drops them once they are longer than the limit. */
class LineBuffer {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > this.#maxBytes) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  /** The line, or null if it is too long. The next one begins empty. */
  take(): Uint8Array | null {
    const line = this.#length > this.#maxBytes ? null : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    return line;
  }
}

function withoutMark(bytes: Uint8Array | null, number: number): Uint8Array | null {
  const isMarked =
    number === 1 && bytes !== null && byteOrderMark.every((byte, index) => bytes[index] === byte);
  return isMarked ? bytes.subarray(byteOrderMark.length) : bytes;
}

/**
 * The lines of a stream in the groups in which they arrive, so that not every line costs a promise; each line is made when it
 * is asked for. Take all lines of a group before the next group. At most `maxBytes` of a line are kept. A byte order mark at
 * the start of the stream is dropped, and a last line needs no line end.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Iterable<Line>> {
  const buffer = new LineBuffer(maxBytes);
  let number = 0;
  const next = (): Line => {
    number += 1;
    return { number, bytes: withoutMark(buffer.take(), number) };
  };
  function* endingIn(chunk: Uint8Array): Generator<Line> {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      buffer.add(chunk.subarray(from, end));
      from = end + 1;
      yield next();
    }
    buffer.add(chunk.subarray(from));
  }
  for await (const chunk of chunks) yield endingIn(chunk);
  if (!buffer.isEmpty) yield [next()];
}
