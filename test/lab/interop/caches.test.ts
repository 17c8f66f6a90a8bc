import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { emulate } from "../../support/emulate.ts";
import { planted } from "../../support/planted.ts";
import { type Run, runInProcess } from "../../support/run.ts";
import { nginx, varnish } from "./servers.ts";

// Each of these keeps every response and looks at no credential, as a careless configuration does.
const nginxCache = (target: string, more = ""): Promise<number> =>
  nginx(
    () => `
      location / {
        proxy_pass ${target}; proxy_cache all; proxy_cache_valid any 60s; proxy_ignore_headers Cache-Control; ${more}
      }`,
    { beside: ({ folder }) => `proxy_cache_path ${folder}/cache keys_zone=all:1m;` },
  );
const varnishCache = (target: string, more = ""): Promise<number> =>
  varnish(
    target,
    `sub vcl_recv { set req.http.Host = "${new URL(target).host}"; return (hash); }
     sub vcl_backend_response { set beresp.ttl = 60s; return (deliver); }
     ${more}`,
  );
const xCache =
  'sub vcl_deliver { if (obj.hits > 0) { set resp.http.X-Cache = "HIT"; } else { set resp.http.X-Cache = "MISS"; } }';
const xCacheStatus = "add_header X-Cache-Status $upstream_cache_status always;";

const check = (port: number, token: string): Promise<Run> =>
  runInProcess(["test", "--token"], {
    environment: { REFERRAL_TOKEN: token, REFERRAL_BASE_URL: `http://127.0.0.1:${port}` },
  });

// The cache, how long its response has to lie there to be seen (Age counts whole seconds), and the field that shows it.
describe.each([
  ["Varnish", varnishCache, "", 1_100, "Age: "],
  ["Varnish with X-Cache", varnishCache, xCache, 0, "X-Cache: HIT"],
  ["nginx with X-Cache-Status", nginxCache, xCacheStatus, 0, "X-Cache-Status: HIT"],
])("behind %s, which keeps every response,", (_, start, more, age, field) => {
  test.each([
    ["a wrong token after the right one is not accepted", planted.token, "wrong-token", 0],
    ["the right token after a wrong one is not blamed", "wrong-token", planted.token, 4],
  ])("%s, and the cache is named", async (_title, first, second, exitCode) => {
    const api = await emulate();
    const port = await start(api.url, more);

    const earlier = await check(port, first);
    expect(earlier, earlier.everything).toMatchObject({ exitCode });
    await delay(age);
    const run = await check(port, second);

    expect(run, run.everything).toMatchObject({ exitCode: 6, stderr: "" });
    expect(run.stdout).toMatch(/^UNEXPECTED +token: [^\n]*cache/);
    expect(run.stdout).toContain(field);
    expect(api.log).toHaveLength(1);
  });
});

test("a cache that marks nothing cannot be seen, as docs/diagnosis.md says", async () => {
  const api = await emulate();
  const port = await nginxCache(api.url);

  await check(port, planted.token);

  expect(await check(port, "wrong-token")).toMatchObject({ exitCode: 0 });
  expect(api.log).toHaveLength(1);
});
