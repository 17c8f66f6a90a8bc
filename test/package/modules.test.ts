import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { childHome, launcher } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

// Writes at the end which of Node's own modules were loaded.
const recorder = `
const own = new Set(process.moduleLoadList);
process.on("exit", () => {
  const loaded = process.moduleLoadList.filter((name) => !own.has(name) && /^NativeModule (?!internal)/.test(name));
  const lines = loaded.map((name) => name.replace("NativeModule ", "") + "\\n");
  require("node:fs").writeFileSync(process.env.LOADED, lines.sort().join(""));
});
`;

// Each costs start-up time.
test("`test --token` loads these modules of Node and no others", async () => {
  const folder = folderWith({ "recorder.cjs": recorder });
  const api = await serve((_request, response) => json(response, 200, success));
  const loaded = join(folder, "loaded.txt");

  const environment = { REFERRAL_BASE_URL: api.url, REFERRAL_TOKEN: planted.token, LOADED: loaded };
  await promisify(execFile)(
    process.execPath,
    ["-r", join(folder, "recorder.cjs"), launcher, "test", "--token"],
    { env: { ...childHome, NODE_DISABLE_COMPILE_CACHE: "1", ...environment } },
  );
  const names = ["net", "os", "stream", "stream/promises", "string_decoder", "vm"];
  expect(readFileSync(loaded, "utf8").trim().split("\n")).toEqual(names);
});
