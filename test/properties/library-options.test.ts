import fc from "fast-check";
import { expect, test } from "vitest";
import { checkCredentials, InputError, wsseHeader } from "../../src/index.ts";
import { leaks, planted } from "../support/planted.ts";
import { serveAlways } from "../support/serve.ts";
import { numRuns } from "./runs.ts";

/** Values of every type, among them what nearly has a type. */
const values: readonly unknown[] = [
  ...[null, undefined, true, false, "true", "false", "", 0, 1, -1, Number.NaN, "10", 10n, Symbol("s")],
  ...[[], {}, [null], () => true, Object("text"), Object(true), Object(1), new Date(0), /x/, new Map()],
  ...[planted.secret, [planted.secret], { ...new AbortController().signal }, Buffer.from("text")],
  ...[Object.create(null), new Set([1]), Array(2), { token: planted.secret }],
];

const account = { username: planted.username, secret: planted.secret };
const token = { method: "token", token: planted.token };

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === "string";
const isObject: Check = (value) => typeof value === "object" && value !== null;
const leftOutOr =
  (hasType: Check): Check =>
  (value) =>
    value === undefined || hasType(value);

/** Every option, behind what says whether a value has its type. */
const types: ReadonlyArray<readonly [Check, readonly string[]]> = [
  [isObject, ["options", "credential"]],
  [isText, ["baseUrl", "credential.method", "credential.token", "credential.username", "credential.secret"]],
  [leftOutOr(isText), ["proxy", "credential.digest", "credential.hash", "credential.authorization"]],
  [leftOutOr((value) => typeof value === "number"), ["timeoutSeconds", "retries"]],
  [leftOutOr((value) => typeof value === "boolean"), ["insecureHttp", "diagnose"]],
  [leftOutOr((value) => Array.isArray(value) && value.length === 0), ["caCertificates"]],
  [leftOutOr((value) => value === null || value instanceof AbortSignal), ["signal"]],
];

/** The options of a call that is valid but for this value. */
function withValue(baseUrl: string, name: string, value: unknown): unknown {
  if (name === "options") return value;
  const [option = "", part] = name.split(".");
  const credential = { ...account, ...token, method: part === "token" ? "token" : "wsse" };
  return {
    baseUrl,
    credential: token,
    [option]: part === undefined ? value : { ...credential, [part]: value },
  };
}

function expectMistake(error: unknown): void {
  expect(error).toBeInstanceOf(InputError);
  const { message, hint, kind } = error as InputError;
  expect(kind).toBe("settings");
  expect(leaks(`${message} ${hint}`)).toEqual([]);
}

test.each(types.flatMap(([hasType, names]) => names.map((name) => [name, hasType] as const)))(
  "a value of another type for %s is a mistake, and nothing is sent",
  async (name, hasType) => {
    const api = await serveAlways();
    for (const value of values.filter((value) => !hasType(value))) {
      const given = withValue(api.url, name, value) as Parameters<typeof checkCredentials>[0];
      expectMistake(await checkCredentials(given).catch((error: unknown) => error));
    }
    expect(api.connections()).toBe(0);
  },
);

const anything = fc.oneof(fc.constantFrom(...values), fc.anything());

test("for any input, wsseHeader returns one header or throws InputError", () => {
  const freshness = fc.oneof(
    anything,
    fc.record({ now: anything, nonce: anything }, { requiredKeys: [] }),
    fc.record({ now: fc.oneof(fc.double(), fc.integer()) }),
    fc.record({ nonce: fc.uint8Array({ maxLength: 40 }) }),
  );
  const shape =
    /^UsernameToken Username="[^"]+", PasswordDigest="[^"]+", Nonce="[0-9a-f]{40}", Created="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"$/;
  const property = fc.property(fc.oneof(fc.constant(account), anything), freshness, (...given) => {
    try {
      expect(wsseHeader(...(given as Parameters<typeof wsseHeader>))).toMatch(shape);
    } catch (error) {
      expectMistake(error);
    }
  });
  fc.assert(property, { numRuns });
});
