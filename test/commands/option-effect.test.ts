import { EventEmitter, once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
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
  other: "other\n",
};

/** How each option of `test` is given, and what else is given with and without it. */
const options: Readonly<Record<string, readonly [given: string, besides?: string]>> = {
  "--base-url": ["--base-url http://127.0.0.1:~/v1"],
  "--token": ["--token other"],
  "--token-file": ["--token-file ~/other"],
  "--wsse": ["--wsse"],
  "--username": ["--username b@example.com", "--wsse"],
  "--secret": ["--secret other", "--wsse"],
  "--secret-file": ["--secret-file ~/other", "--wsse"],
  "--digest": ["--digest base64-nonce", "--wsse"],
  "--hash": ["--hash sha256", "--wsse"],
  "--authorization": ["--authorization wsse", "--wsse"],
  "--timeout": ["--timeout 0.02", "--base-url http://127.0.0.1:~/slow"],
  "--retry": ["--retry 2", "--base-url http://127.0.0.1:~/busy"],
  "--concurrency": ["--concurrency 1", "--all --base-url http://127.0.0.1:~/together"],
  "--max-wait": ["--max-wait 1", "--retry 1 --base-url http://127.0.0.1:~/pause"],
  "--proxy": ["--proxy http://127.0.0.1:~"],
  "--ca-cert": ["--ca-cert ~/other", "--base-url https://127.0.0.1:~"],
  "--profile": ["--profile b"],
  "--all": ["--all"],
  "--config": ["--config ~/named.yaml"],
  "--no-config": ["--no-config"],
  "--accounts": ["--accounts ~/lines"],
  "--resolve": ["--resolve 127.0.0.1:~:127.0.0.1"],
  "--insecure-http": ["--insecure-http", "--base-url http://api.example:~"],
  "--diagnose": ["--diagnose", "--wsse"],
  "--json": ["--json"],
  "--ndjson": ["--ndjson"],
  "--junit": ["--junit ~/report.xml"],
  "--metrics": ["--metrics ~/report.prom"],
  "--failed-only": ["--failed-only", "--all"],
  "--quiet": ["--quiet"],
  "--verbose": ["--verbose"],
  "--no-color": ["--no-color"],
};
const flags: readonly string[] = settingNames.map(flagOf);

test("every option of `test` has a row here", () => {
  const program = buildProgram(
    contextOf(["test"]),
    () => {},
    () => {},
  );
  const declared = program.commands[0]?.options.map(({ long }) => long) ?? [];
  expect(declared.toSorted()).toEqual(Object.keys(options).toSorted());
});

/** Runs `test` at a server that accepts one token, and gives everything that can be seen of the run. */
async function observed(words: string) {
  const barrier = new EventEmitter();
  const twoMeet = once(barrier, "two").then(() => true);
  let open = 0;
  let together = false;
  const { url, requests } = await serve(async ({ url: path = "", headers }, response) => {
    if (path.startsWith("/busy")) return json(response, 503, {});
    if (path.startsWith("/pause")) return json(response, 429, {}, { "retry-after": "2" });
    if (path.startsWith("/slow")) await delay(500);
    if (path.startsWith("/together")) {
      open += 1;
      if (open === 2) barrier.emit("two");
      // Two meet here, however long it takes. Where each comes alone, it waits for another in vain.
      const inVain = words.includes("--concurrency 1") ? [delay(500, false)] : [];
      together ||= await Promise.race([twoMeet, ...inVain]);
      open -= 1;
    }
    if (headers["x-auth-token"] === "t") json(response, 200, success);
    else json(response, 401, { code: 401, message: "No" });
  });
  const home = folderWith(files);
  const { port } = new URL(url);
  const args = words.split(" ").filter((word) => word !== "");
  const place = (arg: string) => arg.replace(":~", `:${port}`).replace(/^~/, home);
  const environment = { REFERRAL_BASE_URL: url, REFERRAL_TOKEN: "t", FORCE_COLOR: "1" };
  const given = {
    ...{ environment, homeFolder: home, now: 0, nonce: Buffer.alloc(20), addresses: ["127.0.0.1"] },
    waits: [],
  };
  const { exitCode, stdout, stderr } = await runInProcess(["test", ...args.map(place)], given);
  expect(exitCode, stderr).not.toBe(2);
  const written = readdirSync(home).map((name) => [name, readFileSync(join(home, name), "utf8")]);
  const names = ["x-auth-token", "x-wsse", "authorization"];
  const sent = requests.map(({ path, headers }) => [path, ...names.map((name) => headers[name])].join(" "));
  const texts = [stdout, stderr, ...written.flat()].map((text) =>
    text
      .replaceAll(home, "~")
      .replaceAll(port, "port")
      .replace(/\d+ ms/g, "… ms"),
  );
  return { done: { exitCode, together, sent: sent.toSorted() }, texts };
}

test.each(["", "--wsse", "--all"])("with %j, two runs show the same", async (words) => {
  expect(await observed(words)).toEqual(await observed(words));
});

// What a setting changes is seen by the server, or in the code. What the table of settings lists and no check heeds would fail here.
test.each(Object.entries(options))("%s has an effect", async (flag, [given, besides = ""]) => {
  const [without, withIt] = [await observed(besides), await observed(`${besides} ${given}`)];
  if (flags.includes(flag)) expect(withIt.done).not.toEqual(without.done);
  else expect(withIt).not.toEqual(without);
});
