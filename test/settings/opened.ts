// A file of --accounts without a file system.

/** The bytes in chunks of this size. */
export async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** A context in which every path opens as these chunks, by default of a stream that has no owner, mode and size. */
export function contextOf(
  chunks: AsyncGenerator<Uint8Array>,
  file: { readonly mode?: number; readonly owner?: number; readonly size?: number } = {},
) {
  const opened = { chunks, mode: null, owner: null, size: null, close: () => {}, ...file };
  return {
    openStream: async () => opened,
    workingFolder: "/w",
    homeFolder: null,
    userId: 1,
  };
}
