import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildProgram } from "../../src/app.ts";
import { flagOf, settingNames } from "../../src/settings/table.ts";
import { folderWith } from "../support/folder.ts";
import { contextOf, runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";

const wsse = { username: "a@example.com", secret: "s" };
const files = {
  ".referralrc": { ...wsse, profiles: { a: { token: "t" }, b: { token: "other" } } },
  "named.yaml": "token: t\n",
  lines: '{"token":"t"}\n{"token":"other"}\n',
};

/** How each option of `test` that is no setting is given, and what else is given with and without it. */
const options: Readonly<Record<string, readonly [given: readonly string[], besides?: readonly string[]]>> = {
  "--wsse": [["--wsse"]],
  "--profile": [["--profile", "b"]],
  "--all": [["--all"]],
  "--config": [["--config", "~/named.yaml"]],
  "--no-config": [["--no-config"]],
  "--accounts": [["--accounts", "~/lines"]],
  "--shard": [["--shard", "1/2"], ["--all"]],
  "--insecure-http": [["--insecure-http"], ["--base-url", "http://api.example:~"]],
  "--diagnose": [["--diagnose"], ["--wsse"]],
  "--json": [["--json"]],
  "--ndjson": [["--ndjson"]],
  "--junit": [["--junit", "~/report.xml"]],
  "--metrics": [["--metrics", "~/report.prom"]],
  "--failed-only": [["--failed-only"], ["--all"]],
  "--quiet": [["--quiet"]],
  "--verbose": [["--verbose"]],
  "--no-color": [["--no-color"]],
};

test("every option of `test` is a setting, or has a row here", () => {
  const program = buildProgram(
    contextOf(["test"]),
    () => {},
    () => {},
  );
  const declared = program.commands[0]?.options.map(({ long }) => long) ?? [];
  const settings: ReadonlyArray<string | null | undefined> = settingNames.map(flagOf);
  expect(declared.filter((flag) => !settings.includes(flag)).toSorted()).toEqual(
    Object.keys(options).toSorted(),
  );
});

/** Runs `test` at a server that accepts one token, and gives everything that can be seen of the run. */
async function observed(args: readonly string[]) {
  const { url, requests } = await serve(({ headers }, response) =>
    headers["x-auth-token"] === "t"
      ? json(response, 200, success)
      : json(response, 401, { code: 401, message: "No" }),
  );
  const home = folderWith(files);
  const { port } = new URL(url);
  const place = (arg: string) => arg.replace(":~", `:${port}`).replace(/^~/, home);
  const environment = { REFERRAL_BASE_URL: url, REFERRAL_TOKEN: "t", FORCE_COLOR: "1" };
  const given = { environment, homeFolder: home, now: 0, nonce: Buffer.alloc(20), addresses: ["127.0.0.1"] };
  const { exitCode, stdout, stderr } = await runInProcess(["test", ...args.map(place)], given);
  expect(exitCode, stderr).not.toBe(2);
  const written = readdirSync(home).map((name) => [name, readFileSync(join(home, name), "utf8")]);
  const sent = requests.map(({ headers }) => `${headers["x-auth-token"]} ${headers["x-wsse"]}`).toSorted();
  const texts = [stdout, stderr, ...written.flat()].map((text) =>
    text
      .replaceAll(home, "~")
      .replaceAll(port, "port")
      .replace(/\d+ ms/g, "… ms"),
  );
  return { exitCode, sent, texts };
}

test.each([[[]], [["--wsse"]], [["--all"]]])("with %j, two runs show the same", async (args) => {
  expect(await observed(args)).toEqual(await observed(args));
});

test.each(Object.entries(options))("%s has an effect", async (_, [given, besides = []]) => {
  expect(await observed([...besides, ...given])).not.toEqual(await observed(besides));
});
