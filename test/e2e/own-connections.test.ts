import { describe, expect, test } from "vitest";
import { answer, successText } from "../faults/answers.ts";
import { type Act, answering, type Peer } from "../faults/peers.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { json, serve, success } from "../support/serve.ts";
import { checksOf, plain, rcOf } from "./profiles.ts";

const accounts = 12;
const complete = answer("200 OK", successText).toString();

function testAll(url: string, profiles: Parameters<typeof rcOf>[1], ...args: readonly string[]) {
  return runInProcess(["test", "--all", "--json", ...args], {
    homeFolder: folderWith({ ".referralrc": rcOf(url, profiles) }),
  });
}

test.each([1, 3, 8])("every account has its own connection, with --concurrency %i", async (concurrency) => {
  const api = await serve((_, response) => json(response, 200, success));

  const run = await testAll(api.url, plain(accounts), "--concurrency", `${concurrency}`);

  expect(run.exitCode).toBe(0);
  expect([api.requests.length, api.connections()]).toEqual([accounts, accounts]);
  expect(new Set(api.requests.map(({ headers }) => headers.connection))).toEqual(new Set(["close"]));
  expect(await api.openConnections()).toBe(0);
});

test("every retry and every request of a diagnosis has its own connection", async () => {
  const refusing = await serve((_, response) => json(response, 401, { code: 401, message: "no" }));
  const busy = await serve((_, response) => json(response, 503, {}));
  const environment = { REFERRAL_USERNAME: planted.username, REFERRAL_SECRET: planted.secret };

  const diagnosed = await runInProcess(["test", "--diagnose", "--base-url", refusing.url], { environment });
  const retried = await runInProcess(["test", "--retry", "3", "--base-url", busy.url], { environment });

  expect([diagnosed.exitCode, retried.exitCode]).toEqual([4, 5]);
  expect(refusing.requests.length).toBeGreaterThan(10);
  expect(refusing.connections()).toBe(refusing.requests.length);
  expect([busy.requests.length, busy.connections()]).toEqual([4, 4]);
});

/** The moments at which a server closes the connection after it has read a request. */
const hangUps: ReadonlyArray<readonly [where: string, act: Act]> = [
  ["at once, with a reset", (socket) => socket.resetAndDestroy()],
  ["in the body", (socket) => socket.end(complete.slice(0, -5))],
];

describe("if a server closes the connection, no request is sent twice", () => {
  test.each(hangUps)("%s", async (_where, act) => {
    const peer = await answering(act);

    const run = await testAll(peer.url, plain(accounts), "--concurrency", "2", "--retry", "0");

    expect(run.exitCode).toBe(7);
    expect(JSON.parse(run.stdout).checks).toMatchObject(
      Array(accounts).fill({ outcome: "unreachable", request: { attempts: 1 } }),
    );
    expect([peer.requests(), peer.connections()]).toEqual([accounts, accounts]);
  });

  test.each(hangUps)("%s, but with --retry", async (_where, act) => {
    const peer = await answering(act);

    const run = await testAll(peer.url, plain(2), "--retry", "2");

    expect(run.exitCode).toBe(7);
    expect([peer.requests(), peer.connections()]).toEqual([6, 6]);
  });
});

/** What a gateway sends for each request: its response, and then one that belongs to another request. */
const gateways: ReadonlyArray<readonly [title: string, act: (own: string, previous: string) => Act]> = [
  [
    "twice, the second time late",
    (own) => (socket) => {
      socket.write(own);
      setTimeout(() => socket.write(own), 15);
    },
  ],
  [
    "late, followed by the one before",
    (own, previous) => (socket) => void setTimeout(() => socket.write(own + previous), 15),
  ],
];

describe("every verdict is right behind a gateway that delivers an answer", () => {
  test.each(gateways)("%s", async (_title, act) => {
    const refusal = answer("401 Unauthorized", '{"code":401,"message":"no"}').toString();
    let previous = refusal;
    const gateway: Peer = await answering((socket) => {
      const token = [...gateway.received().matchAll(/x-auth-token: (\S+)/gi)].at(-1)?.[1];
      const own = token === planted.token ? complete : refusal;
      act(own, previous)(socket);
      previous = own;
    });
    const revoked = planted.token.split("").reverse().join("");
    const profiles = Object.fromEntries(
      Array.from({ length: accounts }, (_, index) => [`p${index}`, index % 3 ? {} : { token: revoked }]),
    );

    const run = await testAll(gateway.url, profiles, "--concurrency", "1");

    expect(run.exitCode).toBe(4);
    expect(checksOf(run.stdout).map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: accounts }, (_, index) => (index % 3 ? "accepted" : "rejected")),
    );
    expect([gateway.requests(), gateway.connections()]).toEqual([accounts, accounts]);
  });
});
