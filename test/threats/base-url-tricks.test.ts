import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { acceptance, canary } from "./places.ts";

const { secret } = planted;

/** Base URLs that another parser would read as another host or path. A listener has the port `PORT`. */
const tricks: ReadonlyArray<readonly [string, string]> = [
  ["user information", `http://user:${secret}@127.0.0.1:PORT/v1`],
  ["a user alone", `http://${secret}@127.0.0.1:PORT/v1`],
  ["empty user information", "http://@127.0.0.1:PORT/v1"],
  ["user information behind a third slash", `http:///user:${secret}@127.0.0.1:PORT/v1`],
  ["a third slash", "http:///127.0.0.1:PORT/v1"],
  ["percent-encoded user information", `http://user%3A${secret}%40127.0.0.1:PORT/v1`],
  ["a backslash in the path", "http://127.0.0.1:PORT/v1\\\\admin"],
  ["two @", `http://a@${secret}@127.0.0.1:PORT`],
  ["a host behind a backslash", `http://api.example.com\\@127.0.0.1:PORT/v1`],
  ["backslashes for slashes", "http:\\\\127.0.0.1:PORT\\v1"],
  ["one slash", "http:/127.0.0.1:PORT/v1"],
  ["no slash", "http:127.0.0.1:PORT/v1"],
  ["no scheme", "127.0.0.1:PORT/v1"],
  ["the scheme of the page", "//127.0.0.1:PORT/v1"],
  ["a query", `http://127.0.0.1:PORT/v1?key=${secret}`],
  ["an empty query", "http://127.0.0.1:PORT/v1?"],
  ["a fragment", `http://127.0.0.1:PORT/v1#${secret}`],
  ["a space at the end", "http://127.0.0.1:PORT/v1 "],
  ["a space at the beginning", " http://127.0.0.1:PORT/v1"],
  ["a space inside", "http://127.0.0.1:PORT/v 1"],
  ["a tab in the scheme", "ht\ttp://127.0.0.1:PORT/v1"],
  ["a line end in the host", "http://127.0.\n0.1:PORT/v1"],
  ["CR and LF in the path", `http://127.0.0.1:PORT/v1\r\nX-Injected: ${secret}`],
  ["a NUL", "http://127.0.0.1:PORT/v1\0"],
  ["digits that look like others", "http://１２７.0.0.1:PORT/v1"],
  ["a dot that is none", "http://127。0。0。1:PORT/v1"],
  ["an invisible character", "http://127.0.0.1\u200b:PORT/v1"],
  ["a path that leads upward", "http://127.0.0.1:PORT/v1/../admin"],
  ["a path that leads upward, encoded", "http://127.0.0.1:PORT/v1/%2e%2E/admin"],
  ["a path that ends with ..", "http://127.0.0.1:PORT/v1/.."],
  ["a broken escape", "http://127.0.0.1:PORT/%zz"],
  ["a port out of range", "http://127.0.0.1:99999/v1"],
  ["port 0", "http://127.0.0.1:0/v1"],
  ["an open bracket", "http://[::1:PORT/v1"],
  ["ftp:", "ftp://127.0.0.1:PORT/v1"],
  ["file:", "file:///etc/passwd"],
  ["javascript:", "javascript:alert(1)"],
  ["data:", `data:text/plain,${secret}`],
  ["no host", "http://"],
  ["a word", "localhost"],
  ["nothing but a space", " "],
];

describe.each(["--base-url", "REFERRAL_BASE_URL", "baseUrl"])("a base URL from %s with", (from) => {
  test.each(tricks)("%s exits 3, reaches nobody and is not repeated", async (_, written) => {
    const listener = await canary(acceptance);
    const url = written.replace("PORT", String(listener.port));
    const given = {
      environment: { REFERRAL_TOKEN: planted.token, ...(from.startsWith("REFERRAL") ? { [from]: url } : {}) },
      homeFolder: folderWith(from === "baseUrl" ? { ".referralrc.json": { baseUrl: url } } : {}),
    };
    const flag = from.startsWith("--") ? [from, url] : [];
    for (const args of [["test"], ["test", "--json", "--verbose"], ["config"], ["config", "--json"]]) {
      const run = await runInProcess([...args, ...flag], given);
      expect(run.exitCode, run.everything).toBe(3);
      expect(leaks(run.everything)).toEqual([]);
      expect(run.everything).toContain(from);
    }
    expect(listener.connections()).toBe(0);
  });
});

test.each([
  `http:///user:${secret}@127.0.0.1:3128`,
  `http://user:${secret}@`,
  "socks5://127.0.0.1:1080",
  "http://127.0.0.1:3128/?a",
  "http://127.0.0.1 :3128",
])("the proxy %s exits 3 and is not repeated", async (proxy) => {
  const environment = { REFERRAL_TOKEN: planted.token };
  for (const command of [["test"], ["config"], ["config", "--json"]]) {
    const args = [...command, "--base-url", "https://canary.invalid", "--proxy", proxy];
    const runs = [
      await runInProcess(args, { environment }),
      await runInProcess(args.slice(0, -2), { environment: { ...environment, https_proxy: proxy } }),
    ];
    for (const run of runs) {
      expect(run.exitCode, run.everything).toBe(3);
      expect(leaks(run.everything)).toEqual([]);
    }
  }
});

test.each([
  ["127.0.0.1 in another notation", "http://0x7f.1:PORT/v1"],
  ["a scheme in capitals and a slash at the end", "HTTP://127.0.0.1:PORT/v1/"],
  ["matrix parameters and an encoded slash", "http://127.0.0.1:PORT/v1;a=b/c%2Fd"],
])("%s is a URL like any other, and its path is kept", async (_, written) => {
  const listener = await canary(acceptance);
  const url = written.replace("PORT", String(listener.port));
  const run = await runInProcess(["test", "--base-url", url], {
    environment: { REFERRAL_TOKEN: planted.token },
  });
  expect(run.exitCode, run.everything).toBe(0);
  const path = url.replace(/^http:\/\/[^/]*/i, "").replace(/\/$/, "");
  expect(listener.received()).toMatch(
    new RegExp(`^GET ${path.replaceAll(".", "\\.")}/test-authentication HTTP/1.1\r\n`),
  );
});

test.each([`http://user:${secret}@127.0.0.1:1`, `user:${secret}@127.0.0.1:1`])(
  "the user and password of the proxy %s are used and not repeated",
  async (proxy) => {
    const environment = { REFERRAL_TOKEN: planted.token, https_proxy: proxy };
    for (const [command, exitCode] of [
      ["test", 7],
      ["config", 0],
    ] as const) {
      const run = await runInProcess([command, "--base-url", "https://canary.invalid"], { environment });
      expect(run.exitCode).toBe(exitCode);
      expect(leaks(run.everything)).toEqual([]);
    }
  },
);
