import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve } from "../support/serve.ts";

const yours = { REFERRAL_TOKEN: planted.token };

test.each([
  ["a credential of yours is sent once", {}, yours, 1],
  ["a credential of yours is sent as often as you say", {}, { ...yours, REFERRAL_RETRY: "2" }, 3],
  ["a file that it names is sent once", { tokenFile: "token.txt" }, {}, 1],
  ["its own credential is sent as often as it says", { token: planted.token }, {}, 5],
])("where a found rc file says `retry: 4`, %s", async (_, rc, environment, requests) => {
  const api = await serve((_request, response) => json(response, 503, {}));
  const run = await runInProcess(["test", "--base-url", api.url], {
    workingFolder: folderWith({ ".referralrc": { retry: 4, ...rc }, "token.txt": `${planted.token}\n` }),
    environment,
    waits: [],
  });
  expect(run, run.everything).toMatchObject({ exitCode: 5 });
  expect(api.requests).toHaveLength(requests);
});

test("`config` says that a found file's `retry` does not apply to a credential of yours", async () => {
  const files = { ".referralrc": { retry: 4 } };
  const found = await runInProcess(["config"], { workingFolder: folderWith(files) });
  expect(found.stdout).toContain("note does not apply to a credential of yours");
  const own = await runInProcess(["config"], { homeFolder: folderWith(files) });
  expect(own.stdout).not.toContain("does not apply");
});
