import fc from "fast-check";
import { expect, test } from "vitest";
import { checkCredentials, InputError, wsseHeader } from "../../src/index.ts";
import { leaks, planted } from "../support/planted.ts";
import { json, serve, success } from "../support/serve.ts";
import { manyRuns, numRuns } from "./runs.ts";

const anything = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, undefined, true, false, "true", "false", "", 0, 1, -1, Number.NaN, "10", 10n, Symbol("s")],
    ...[[], {}, [null], () => true, Object("text"), Object(true), Object(1), new Date(0), /x/, new Map()],
    ...[planted.secret, [planted.secret], { ...new AbortController().signal }, Buffer.from("text")],
  ),
  fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  }),
);

const account = { username: planted.username, secret: planted.secret };
const token = { method: "token", token: planted.token };
const wsse = { method: "wsse", ...account };
const isText = (value: unknown): boolean => typeof value === "string";
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
const leftOutOr =
  (isValid: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || isValid(value);
const isNumber = leftOutOr((value) => typeof value === "number");

/** Every option: the options of a call in which it has a value, and whether the value has the type of the option. */
const options: Readonly<
  Record<string, { set: (value: unknown) => unknown; hasType: (value: unknown) => boolean }>
> = {
  options: { set: (value) => value, hasType: isObject },
  baseUrl: { set: (baseUrl) => ({ baseUrl }), hasType: isText },
  credential: { set: (credential) => ({ credential }), hasType: isObject },
  "credential.method": { set: (method) => ({ credential: { ...wsse, ...token, method } }), hasType: isText },
  "credential.token": { set: (value) => ({ credential: { ...token, token: value } }), hasType: isText },
  "credential.username": { set: (username) => ({ credential: { ...wsse, username } }), hasType: isText },
  "credential.secret": { set: (secret) => ({ credential: { ...wsse, secret } }), hasType: isText },
  "credential.digest": { set: (digest) => ({ credential: { ...wsse, digest } }), hasType: leftOutOr(isText) },
  "credential.hash": { set: (hash) => ({ credential: { ...wsse, hash } }), hasType: leftOutOr(isText) },
  "credential.authorization": {
    set: (authorization) => ({ credential: { ...wsse, authorization } }),
    hasType: leftOutOr(isText),
  },
  timeoutSeconds: { set: (timeoutSeconds) => ({ timeoutSeconds }), hasType: isNumber },
  retries: { set: (retries) => ({ retries }), hasType: isNumber },
  proxy: { set: (proxy) => ({ proxy }), hasType: leftOutOr(isText) },
  caCertificates: {
    set: (caCertificates) => ({ caCertificates }),
    hasType: leftOutOr((value) => Array.isArray(value) && value.length === 0),
  },
  insecureHttp: {
    set: (insecureHttp) => ({ insecureHttp }),
    hasType: leftOutOr((value) => typeof value === "boolean"),
  },
  signal: { set: (signal) => ({ signal }), hasType: leftOutOr((value) => value instanceof AbortSignal) },
};

function expectMistake(error: unknown): void {
  expect(error).toBeInstanceOf(InputError);
  const { message, hint, kind } = error as InputError;
  expect(kind).toBe("settings");
  expect(leaks(`${message} ${hint}`)).toEqual([]);
}

test.each(Object.entries(options))(
  "a value of another type for %s is a mistake, and nothing is sent",
  manyRuns,
  async (name, { set, hasType }) => {
    const api = await serve((_, response) => json(response, 200, success));
    await fc.assert(
      fc.asyncProperty(
        anything.filter((value) => !hasType(value)),
        async (value) => {
          const valid = { baseUrl: api.url, credential: token };
          const given = name === "options" ? value : { ...valid, ...(set(value) as object) };
          const error = await checkCredentials(given as Parameters<typeof checkCredentials>[0]).then(
            () => null,
            (reason: unknown) => reason,
          );
          expectMistake(error);
        },
      ),
      { numRuns },
    );
    expect(api.connections()).toBe(0);
  },
);

test("for any input, wsseHeader returns one header or throws InputError", manyRuns, () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.constant(account), anything),
      fc.oneof(
        anything,
        fc.record({ now: anything, nonce: anything }, { requiredKeys: [] }),
        fc.record({ now: fc.oneof(fc.double(), fc.integer()) }),
        fc.record({ nonce: fc.uint8Array({ maxLength: 40 }) }),
      ),
      (given, freshness) => {
        try {
          const header = wsseHeader(given as typeof account, freshness as Parameters<typeof wsseHeader>[1]);
          expect(header).toMatch(
            /^UsernameToken Username="[^"]+", PasswordDigest="[^"]+", Nonce="[0-9a-f]{40}", Created="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"$/,
          );
        } catch (error) {
          expectMistake(error);
        }
      },
    ),
    { numRuns },
  );
});
