import { join } from "node:path";
import { expect, test } from "vitest";
import { readNamedFile } from "../../src/system/byte-stream.ts";
import { folderWith } from "../support/folder.ts";

test("a named file may have as many bytes as its limit, and none more", async () => {
  const file = join(folderWith({ file: "1234" }), "file");
  const read = (most: number) => readNamedFile(file, most, new AbortController().signal);
  expect((await read(4)).bytes.toString()).toBe("1234");
  await expect(read(3)).rejects.toMatchObject({ code: "TOO_LARGE" });
});
