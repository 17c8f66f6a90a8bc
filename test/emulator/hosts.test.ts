import { expect, test } from "vitest";
import { sourceError } from "../../src/emulator/hosts.ts";

const loopback = { address: "127.0.0.1", port: 8080 };

/** The reason why a request is not answered; null if it is. */
function problem(
  host: string,
  {
    allowed = [],
    ...at
  }: { readonly address?: string; readonly port?: number; readonly allowed?: string[] } = {},
): string | null {
  const error = sourceError({ ...loopback, ...at, hosts: [host], origins: [] }, allowed, (text) => text);
  return error === null ? null : `${error.status} ${error.reason}`;
}

test.each([
  ["127.0.0.1:8080", {}],
  ["localhost:8080", {}],
  ["LocalHost:8080", {}],
  ["[::1]:8080", {}],
  ["127.0.0.1", { port: 80 }],
  ["localhost", { port: 80 }],
  ["192.0.2.7:8080", { address: "192.0.2.7" }],
  ["192.0.2.7:8080", { address: "::ffff:192.0.2.7" }],
  ["[2001:db8::7]:8080", { address: "2001:db8::7" }],
  ["api:8080", { allowed: ["api"] }],
  ["API", { allowed: ["api"] }],
  ["api:9090", { allowed: ["api"] }],
  ["api:9090", { allowed: ["api:9090"] }],
  ["localhost:32768", { allowed: ["localhost"] }],
  ["[2001:db8::1]:1", { allowed: ["[2001:db8::1]"] }],
])("the host %s is this server's where %j", (host, server) => {
  expect(problem(host, server)).toBeNull();
});

test.each([
  ["evil.example", {}],
  ["evil.example:8080", {}],
  ["127.0.0.1", {}],
  ["127.0.0.1:1", {}],
  ["127.0.0.1:", {}],
  ["localhost", {}],
  ["localhost.:8080", {}],
  ["127.0.0.1.evil.example:8080", {}],
  ["user@127.0.0.1:8080", {}],
  ["127.1:8080", {}],
  ["0.0.0.0:8080", {}],
  ["127.0.0.2:8080", {}],
  ["192.0.2.8:8080", { address: "192.0.2.7" }],
  ["", {}],
  ["", { allowed: ["api"] }],
  ["evil.example:8080", { allowed: ["api"] }],
  ["api.evil.example", { allowed: ["api"] }],
  ["api:9091", { allowed: ["api:9090"] }],
])("the host %s is another server's where %j", (host, server) => {
  expect(problem(host, server)).toMatch(
    /^421 host: this server is [^;]+; the request is for "[^;]*"; other names/,
  );
});

test.each([
  [[], [], 400, "there is no Host header"],
  [["127.0.0.1:8080", "evil.example"], [], 400, "sent more than once"],
  [["127.0.0.1:8080", "127.0.0.1:8080"], [], 400, "sent more than once"],
  ...["http://evil.example", "null", "http://127.0.0.1:8080", ""].map(
    (origin) =>
      [
        ["127.0.0.1:8080"],
        [origin],
        403,
        `web pages may not use this server; this request is from "${origin}"`,
      ] as const,
  ),
] as const)("Host %j with Origin %j gets %i", (hosts, origins, status, reason) => {
  expect(sourceError({ ...loopback, hosts, origins }, [], (text) => text)).toEqual({
    status,
    reason: expect.stringContaining(reason),
  });
});
