import { expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";

const { token } = planted;

const warnings = (stderr: string): number =>
  stderr.split("Warning: REFERRAL_BASE_URL is set and not used").length - 1;

test("a run over several profiles or lines warns once that another base URL counts, and names its place", async () => {
  const api = await emulate();
  const environment = { REFERRAL_BASE_URL: "http://127.0.0.1:1" };
  const rc = { baseUrl: api.url, profiles: { a: { token }, b: { token } } };
  const homeFolder = folderWith({ ".referralrc": rc });

  const all = await runInProcess(["test", "--all"], { environment, homeFolder });
  expect(all, all.everything).toMatchObject({ exitCode: 0 });
  expect(warnings(all.stderr)).toBe(1);
  expect(all.stderr.replace(/\s+/g, " ")).toContain(
    `the base URL is baseUrl in ${homeFolder}/.referralrc, line 1`,
  );

  const stdin = `${JSON.stringify({ baseUrl: api.url, token })}\n`.repeat(2);
  const lines = await runInProcess(["test", "--accounts", "-"], { environment, stdin });
  expect(lines, lines.everything).toMatchObject({ exitCode: 0 });
  expect(warnings(lines.stderr)).toBe(1);
});

test("a line without a base URL is checked at that of the environment, before that of the rc file", async () => {
  const api = await emulate();
  const homeFolder = folderWith({ ".referralrc": { baseUrl: "http://127.0.0.1:1" } });
  const environment = { REFERRAL_BASE_URL: api.url };
  const stdin = JSON.stringify({ token });
  expect(await runInProcess(["test", "--accounts", "-"], { environment, homeFolder, stdin })).toMatchObject({
    exitCode: 0,
    stderr: "",
  });
});
