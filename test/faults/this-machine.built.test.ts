import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { started } from "../support/child.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { childHome, childNode, emptyFolder, launcher } from "../support/run.ts";
import { type Served, serveAlways } from "../support/serve.ts";
import { accepting } from "./peers.ts";

const usual: Readonly<Record<string, string>> = {
  ...childHome,
  PATH: process.env.PATH ?? "",
  REFERRAL_TOKEN: planted.token,
};

/** How a run ended that this command line began. */
async function ended(words: readonly string[], env: Readonly<Record<string, string>>) {
  const { exitCode, stdout, stderr } = await started(words, { cwd: emptyFolder, env }).ended;
  expect(leaks(stdout + stderr)).toEqual([]);
  return { code: exitCode, output: stdout + stderr };
}

const limited = (limit: string) => ["sh", "-c", `ulimit ${limit}; exec "$@"`, "sh"];
const onNode = (...more: readonly string[]) => [childNode, ...more, launcher, "test"];

/** Nothing that a firewall, a proxy or the network could have done. */
function expectOwnFault(
  { code, output }: Awaited<ReturnType<typeof ended>>,
  expected: number,
  words: string,
) {
  expect(output).toContain(words);
  expect(output).not.toMatch(/firewall|closes connections|no host named|a bug in|spelling/);
  expect(code).toBe(expected);
}

/** The arguments of a run straight to this API, and of one through a proxy that would lead there. */
const routesTo = ({ url }: Served) => [
  ["--base-url", url],
  ["--base-url", url.replace("http", "https"), "--proxy", url],
];

const asNobody = ["setpriv", "--reuid=12345", "--clear-groups"];
const [setpriv = "", ...ids] = asNobody;
const knowsNobody = spawnSync(setpriv, [...ids, childNode, "-e", "0"]).status === 0;
test.runIf(knowsNobody).each([{}, { HOME: "" }, { HOME: "relative" }, { HOME: "/no/such/folder" }])(
  "an unknown user with the home folder %j is no obstacle",
  async (home) => {
    const { HOME: _, ...environment } = usual;
    const served = await serveAlways();
    for (const args of [["config"], ["emulator", "true"], ["test", "--base-url", served.url]])
      expect(
        await ended([...asNobody, childNode, launcher, ...args], { ...environment, ...home }),
      ).toMatchObject({ code: 0 });
  },
);

test("without WebAssembly, nothing is sent and the exit code is 1", async () => {
  const served = await serveAlways();
  for (const route of routesTo(served)) {
    const run = await ended([...onNode("--jitless"), ...route], usual);
    expect(run).toMatchObject({ code: 1, output: expect.stringContaining("This is a bug in referral-auth") });
  }
  expect(served.requests).toEqual([]);
});

test("a list of ciphers that OpenSSL cannot use exits 1, and is named", async () => {
  const environment = { ...usual, NODE_OPTIONS: "--tls-cipher-list=nonsense" };
  const { url } = await accepting("https", (socket) => socket.destroy());
  const run = await ended([...onNode(), "--base-url", url], environment);
  expectOwnFault(
    run,
    1,
    "OpenSSL does not work as it is configured on this machine (ERR_SSL_NO_CIPHER_MATCH)",
  );
});

const knowsNetPermission = spawnSync(childNode, ["--permission", "--allow-net", "-e", ""]).status === 0;
test
  .runIf(knowsNetPermission)
  .each([
    [["--base-url", "http://127.0.0.1:9"]],
    [["--base-url", "https://api.example.com"]],
    [["--base-url", "https://api.example.com", "--proxy", "http://proxy.example.com:9"]],
  ])("a Node.js that may not use the network exits 7 and says so: %j", async (args) => {
  const run = await ended([...onNode("--permission", "--allow-fs-read=*"), ...args], usual);
  expectOwnFault(run, 7, "ERR_ACCESS_DENIED: Access to this API has been restricted");
});

/** A module that leaves no file descriptor once a name is looked up or a socket connects. */
const greedy = `
  const [dns, net, fs] = ["dns", "net", "fs"].map(require);
  const before = (object, name) => {
    const original = object[name];
    object[name] = function (...args) {
      try {
        for (;;) fs.openSync("/dev/null");
      } catch {}
      return original.apply(this, args);
    };
  };
  before(dns, "lookup");
  before(net.Socket.prototype, "connect");
`;

test.each([
  [["--base-url", "http://127.0.0.1:9"]],
  [["--base-url", "http://localhost:9"]],
  [["--base-url", "https://api.example.com", "--proxy", "http://localhost:9"]],
])("without a free file descriptor it exits 7 and says so: %j", async (args) => {
  const preload = join(folderWith({ "greedy.cjs": greedy }), "greedy.cjs");
  const run = await ended([...limited("-n 100"), ...onNode("--require", preload), ...args], usual);
  expectOwnFault(run, 7, "EMFILE: too many open files");
});
