import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { emulate } from "../../support/emulate.ts";
import { planted } from "../../support/planted.ts";
import { type Run, runInProcess } from "../../support/run.ts";
import { nginx, varnish } from "./servers.ts";

// Each of these keeps every response and looks at no credential, as a careless configuration does.
const nginxCache = (target: string, more = "proxy_cache_valid any 60s;"): Promise<number> =>
  nginx(
    () => `
      location / {
        proxy_pass ${target}; proxy_cache all; proxy_ignore_headers Cache-Control; ${more}
        add_header X-Cache-Status $upstream_cache_status always;
      }`,
    { beside: ({ folder }) => `proxy_cache_path ${folder}/cache keys_zone=all:1m;` },
  );
const varnishCache = (target: string): Promise<number> =>
  varnish(
    target,
    `sub vcl_recv { set req.http.Host = "${new URL(target).host}"; return (hash); }
     sub vcl_backend_response { set beresp.ttl = 60s; return (deliver); }`,
  );

const check = (port: number, token: string): Promise<Run> =>
  runInProcess(["test", "--token"], {
    environment: { REFERRAL_TOKEN: token, REFERRAL_BASE_URL: `http://127.0.0.1:${port}` },
  });

// The cache, how long its response has to lie there to be seen (Age counts whole seconds), and the field that shows it.
describe.each([
  ["Varnish", varnishCache, 1_100, "Age: "],
  ["nginx with X-Cache-Status", (target: string) => nginxCache(target), 0, "X-Cache-Status: HIT"],
])("behind %s, which keeps every response,", (_, start, age, field) => {
  test.each([
    ["a wrong token after the right one is not accepted", planted.token, "wrong-token", 0],
    ["the right token after a wrong one is not blamed", "wrong-token", planted.token, 4],
  ])("%s, and the cache is named", async (_title, first, second, exitCode) => {
    const api = await emulate();
    const port = await start(api.url);

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
