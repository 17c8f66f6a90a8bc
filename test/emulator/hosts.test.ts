import { expect, test } from "vitest";
import { sourceError } from "../../src/emulator/hosts.ts";

const loopback = { address: "127.0.0.1", port: 8080 };

test.each<[string, string, { address?: string; port?: number; allowed?: string[] }?]>([
  ["own", "127.0.0.1:8080"],
  ["own", "localhost:8080"],
  ["own", "LocalHost:8080"],
  ["own", "[::1]:8080"],
  ["own", "127.0.0.1", { port: 80 }],
  ["own", "192.0.2.7:8080", { address: "192.0.2.7" }],
  ["own", "192.0.2.7:8080", { address: "::ffff:192.0.2.7" }],
  ["own", "[2001:db8::7]:8080", { address: "2001:db8::7" }],
  ["own", "api:8080", { allowed: ["api"] }],
  ["own", "API", { allowed: ["api"] }],
  ["own", "api:9090", { allowed: ["api:9090"] }],
  ["own", "localhost:32768", { allowed: ["localhost"] }],
  ["own", "[2001:db8::1]:1", { allowed: ["[2001:db8::1]"] }],
  ["another", "evil.example:8080"],
  ["another", "127.0.0.1"],
  ["another", "127.0.0.1:1"],
  ["another", "127.0.0.1:"],
  ["another", "localhost"],
  ["another", "localhost.:8080"],
  ["another", "127.0.0.1.evil.example:8080"],
  ["another", "user@127.0.0.1:8080"],
  ["another", "127.1:8080"],
  ["another", "0.0.0.0:8080"],
  ["another", "127.0.0.2:8080"],
  ["another", "192.0.2.8:8080", { address: "192.0.2.7" }],
  ["another", ""],
  ["another", "", { allowed: ["api"] }],
  ["another", "evil.example:8080", { allowed: ["api"] }],
  ["another", "api.evil.example", { allowed: ["api"] }],
  ["another", "api:9091", { allowed: ["api:9090"] }],
])("it is %s server's: %j where %j", (whose, host, { allowed = [], ...at } = {}) => {
  const error = sourceError({ ...loopback, ...at, hosts: [host], headers: {} }, allowed, (text) => text);
  const reason = /^host: this server is [^;]+; the request is for "[^;]*"; other names/;
  expect(error).toEqual(whose === "own" ? null : { status: 421, reason: expect.stringMatching(reason) });
});

const page = "web pages may not use this server; this request is from";

test.each([
  [[], [], 400, "there is no Host header"],
  [["127.0.0.1:8080", "evil.example"], [], 400, "sent more than once"],
  [["127.0.0.1:8080", "127.0.0.1:8080"], [], 400, "sent more than once"],
  [["127.0.0.1:8080"], ["http://127.0.0.1:8080"], 403, `${page} "http://127.0.0.1:8080"`],
  [["127.0.0.1:8080"], ["null"], 403, `${page} "null"`],
  [["127.0.0.1:8080"], [""], 403, `${page} ""`],
])("Host %j with Origin %j gets %i", (hosts, [origin], status, reason) => {
  const headers = origin === undefined ? {} : { origin: [origin] };
  const error = sourceError({ ...loopback, hosts, headers }, [], (text) => text);
  expect(error).toEqual({ status, reason: expect.stringContaining(reason) });
});
