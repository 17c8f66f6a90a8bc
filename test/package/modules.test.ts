import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { childHome } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { root } from "./packed.ts";

// Writes at the end what was loaded: modules of the bundle, as a traced build tells, and Node's own.
const recorder = `
const modules = new Set();
process.on("module", (id) => modules.add(id));
const own = new Set(process.moduleLoadList);
process.on("exit", () => {
  const builtin = process.moduleLoadList.filter((name) => !own.has(name) && name.startsWith("NativeModule "));
  const lines = [...modules, ...builtin.map((name) => name.replace("NativeModule ", "node: "))];
  require("node:fs").writeFileSync(process.env.LOADED, lines.sort().join("\\n") + "\\n");
});
`;

// Whoever loads one more, or one less, says so: npx vitest run test/package/modules.test.ts --update
test("`test --token` loads these modules and no others", async () => {
  const folder = folderWith({ "recorder.cjs": recorder });
  execFileSync(process.execPath, ["scripts/build.js", join(folder, "dist"), "--trace"], { cwd: root });
  mkdirSync(join(folder, "bin"));
  for (const file of ["bin/launch.cjs", "package.json"]) cpSync(join(root, file), join(folder, file));
  const api = await serve((_request, response) => json(response, 200, success));
  const loaded = join(folder, "loaded.txt");

  await promisify(execFile)(
    process.execPath,
    ["-r", join(folder, "recorder.cjs"), join(folder, "bin/launch.cjs"), "test", "--token"],
    {
      env: {
        ...childHome,
        NODE_DISABLE_COMPILE_CACHE: "1",
        REFERRAL_BASE_URL: api.url,
        REFERRAL_TOKEN: planted.token,
        LOADED: loaded,
      },
    },
  );
  await expect(readFileSync(loaded, "utf8")).toMatchFileSnapshot("loaded-modules.txt");
});
