import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";

const password = "planted-password-of-a-proxy";
const proxy = `http://user:${password}@proxy.example:3128`;

/** What `config` shows of the proxy, in both of its forms. */
async function shownProxy(args: readonly string[], rc = "{}") {
  const homeFolder = folderWith({ ".referralrc": rc });
  const [text, json] = [
    await runInProcess(["config", ...args], { homeFolder }),
    await runInProcess(["config", "--json", ...args], { homeFolder }),
  ];
  expect(text.everything + json.everything).not.toContain(password);
  expect(json.exitCode).toBe(text.exitCode);
  const row = JSON.parse(json.stdout).settings.find(({ name }: { name: string }) => name === "proxy");
  return { exitCode: json.exitCode, row };
}

test.each([
  ["a base URL", ["--base-url", "https://api.example"], 0],
  ["no base URL", [], 0],
  ["an invalid base URL", ["--base-url", "api.example"], 3],
])("a proxy's password is shown nowhere, with %s", async (_, args, exitCode) => {
  const shown = await shownProxy([...args, "--proxy", proxy]);
  expect(shown).toMatchObject({
    exitCode,
    row: { value: "http://[secret]@proxy.example:3128/", source: { kind: "flag" }, problem: null },
  });
});

test.each([
  ["p.example.com:3128", "http://p.example.com:3128/"],
  ["https://p.example.com:3128", "https://p.example.com:3128/"],
  ["http://user:pass@p.example.com:3128/x", "http://[secret]@p.example.com:3128/x"],
  ["http://user@p.example.com", "http://[secret]@p.example.com/"],
  ["http://:pass@p.example.com", "http://[secret]@p.example.com/"],
])("the proxy %s is shown as %s", async (text, value) => {
  expect((await shownProxy(["--proxy", text])).row.value).toBe(value);
});

test("a proxy that is no URL is invalid whatever the base URL is, and not shown", async () => {
  const shown = await shownProxy(["--proxy", `ftp://user:${password}@proxy.example`]);
  expect(shown).toMatchObject({
    exitCode: 3,
    row: { value: "[invalid]", problem: "--proxy does not begin with https:// or http://" },
  });
});

test("a proxy says what it hides, as every setting does", async () => {
  const { row } = await shownProxy(
    ["--base-url", "https://api.example", "--proxy", proxy],
    "proxy: http://other.example:3128\n",
  );
  expect(row.hides).toMatchObject([{ kind: "rc", line: 1, key: "proxy" }]);
});
