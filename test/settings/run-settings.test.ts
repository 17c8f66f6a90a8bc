import { expect, test } from "vitest";
import type { Level } from "../../src/settings/levels.ts";
import type { Settings } from "../../src/settings/resolve.ts";
import { exposedSecrets } from "../../src/settings/run-settings.ts";
import type { SettingName } from "../../src/settings/table.ts";
import { type GivenRun, level, runOf, type Values } from "./settings-of.ts";

/** What a line of `--accounts` sets. */
const line = (values: Values): Level =>
  level(values, (key) => ({ kind: "account-line", place: "line 1", key }));

const rcText = "baseUrl: https://top.example\ntoken: top\nprofiles: { p: { token: profile } }";
const run = (given: GivenRun = {}) => runOf({ rc: rcText, ...given });

const noAccount = { profile: null, own: null };
const profile = { profile: "p", own: null };
const account = (values: Values) => ({ profile: "p", own: line(values) });
const texts = (settings: Settings, name: SettingName) => settings.texts(name).map(({ text }) => text);

const route = "https://v.example";
const variables = { REFERRAL_TOKEN: "v", REFERRAL_USERNAME: "me", REFERRAL_BASE_URL: route };
const rc =
  "baseUrl: https://top.example\nusername: top\nsecret: fixed\ntokenCommand: [pass, '{profile}']\ntimeout: 7";

test("with a line count, highest first, flag, line, environment without its credential, rc file without a fixed one", () => {
  const given = run({ flags: { retry: "1" }, variables, rc, profiles: [] });
  const settings = given.of(account({ timeoutSeconds: "5" }));
  expect(texts(settings, "timeoutSeconds")).toEqual(["5", "7"]);
  expect(texts(settings, "baseUrl")).toEqual([route, "https://top.example"]);
  expect(texts(settings, "token")).toEqual(['["pass","{profile}"]']);
  expect(texts(settings, "username")).toEqual(["top"]);
  expect([texts(settings, "secret"), texts(settings, "retries")]).toEqual([[], ["1"]]);
  expect([...settings.scope.unused.keys()].toSorted()).toEqual(["secret", "token", "username"]);
});

test.each([
  ["a flag", { flags: { token: "flag" } }, "token", ["flag", "own"], ["own"]],
  ["a command of the rc file for each profile", { rc }, "token", ["own", '["pass","{profile}"]'], ["own"]],
  ["a command for all", { rc: "tokenCommand: [pass, x]" }, "token", ["own"], ["own"]],
  ["a file of the rc file", { rc: "secretFile: ./x" }, "secret", ["own"], ["own"]],
  ["the environment", { variables }, "token", ["own"], ["own"]],
  ["a username by flag", { flags: { username: "flag" } }, "username", ["flag", "own"], ["flag", "own"]],
  ["a username of the rc file", { rc: "username: top" }, "username", ["own", "top"], ["own", "top"]],
] as const)(
  "the credential of a line beside %s, and if the line sets baseUrl or proxy",
  (_, given, name, shared, routed) => {
    const settings = run({ rc: null, profiles: [], ...given });
    expect(texts(settings.of(account({ [name]: "own" })), name)).toEqual(shared);
    for (const more of [{ baseUrl: "https://line.example" }, { proxy: "http://line.example" }])
      expect(texts(settings.of(account({ ...more, [name]: "own" })), name)).toEqual(routed);
  },
);

test("for all accounts of a run counts what they share", () => {
  const shared = (profiles: readonly (string | null)[]) =>
    texts(run({ variables, profiles }).shared, "token");
  expect([shared([null]), shared(["p"]), shared([])]).toEqual([["v", "top"], ["top"], []]);
});

test("the environment may not set one thing in two ways, unless it is not used", () => {
  const twice = run({ variables: { REFERRAL_TOKEN: "a", REFERRAL_TOKEN_FILE: "b" } });
  const message = "REFERRAL_TOKEN and REFERRAL_TOKEN_FILE set the same thing";
  expect(() => twice.of(noAccount)).toThrow(expect.objectContaining({ kind: "settings", message }));
  for (const one of [profile, account({})]) expect(twice.of(one).scope.unused.size).toBeGreaterThan(1);
});

test.each<[string | null, GivenRun, Parameters<ReturnType<typeof run>["of"]>[0]?]>([
  ["proxy.example", {}],
  [null, { flags: { baseUrl: "nonsense" } }],
  [null, { flags: { baseUrl: "https://127.0.0.1" } }],
  [null, { rc: null }],
  ["proxy.example", {}, profile],
  ["proxy.example", { profiles: [] }, account({ timeoutSeconds: "1" })],
  [null, { profiles: [] }, account({ baseUrl: "https://[::1]" })],
  ["other.example", { profiles: [] }, account({ baseUrl: "http://api.example" })],
])(
  "the proxy of the environment is %s by the base URL that counts: %j, %j",
  (host, given, one = noAccount) => {
    const proxies = { https_proxy: "http://proxy.example", http_proxy: "http://other.example" };
    const { given: text = null, problem } = run({ variables: proxies, ...given })
      .of(one)
      .get("proxy");
    expect(text && new URL(text.text).host).toBe(host);
    expect(problem === null).toBe(host !== "other.example");
  },
);

test("a text about an account shows no secret of its levels or of elsewhere, and may show one of another profile", () => {
  const rc =
    "token: top-token\nusername: top-name\nprofiles: { a: { secret: a-secret }, b: { secret: b-secret } }";
  const [flags, variables] = [{ token: "flag-token" }, { REFERRAL_SECRET: "variable-secret" }];
  const settings = run({ flags, variables, rc, profiles: ["a"] });
  const text = "flag-token variable-secret top-token top-name a-secret b-secret more-secret";
  const hidden = "[secret] [secret] [secret] top-name";
  const redacted = settings.of({ profile: "a", own: null }).redactor(["more-secret"])(text);
  expect(redacted).toBe(`${hidden} [secret] b-secret [secret]`);
  expect(settings.shared.redactor()(text)).toBe(`${hidden} a-secret b-secret more-secret`);
  const own = line({ token: "line-token", secret: "line-token" });
  expect(settings.shownName({ profile: "of line-token", own })).toBe("of [secret]");
  expect(settings.shownName(noAccount)).toBeNull();
});

test("the warning of a token and a secret on the command line names both, and what is better", () => {
  expect(exposedSecrets({ token: "a", secret: "b" })).toBe(
    "--token and --secret on the command line can be seen in process lists and shell history; use --token-file or REFERRAL_TOKEN, --secret-file or REFERRAL_SECRET",
  );
  expect(exposedSecrets({ token: true, username: "a" })).toBeNull();
});
