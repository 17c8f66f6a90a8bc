import { expect, test } from "vitest";
import { authorityCertificate } from "../faults/authority.ts";
import { failing, flag, given, rc, recording, variable } from "./recording.ts";
import { settingsOf } from "./settings-of.ts";

const account = (profile: string | null = null) => settingsOf([], { profile, secrets: ["s3cr3t"] });
const command = (...words: readonly string[]) => given(JSON.stringify(words), rc("yours"), "tokenCommand");

const limit = 65_536;
const found = rc("found");
const bug = failing(new RangeError("bug"));

test.each([given("-"), command("print")])("a bug is no invalid setting: %j", async (setting) => {
  const { inputs } = recording({ readStdin: bug, runCommand: bug });
  await expect(inputs.read(setting, account())).rejects.toThrow(RangeError);
});

test.each([
  ["tokenFile", "Token"],
  ["secretFile", "Secret"],
] as const)("standard input is read once, for %s, and the prompt says %s", async (setting, label) => {
  const { inputs, calls } = recording();
  for (const profile of ["a", "b"])
    expect(String(await inputs.read(given("-", flag, setting), account(profile)))).toBe("content");
  expect(calls).toEqual([["standard input", limit, label]]);
});

test("a command runs once in the folder of its rc file, and once more for words that differ by profile", async () => {
  const { inputs, calls } = recording();
  for (const profile of ["a", "b", "a"]) {
    expect(String(await inputs.read(command("print", "same"), account(profile)))).toBe("content");
    await inputs.read(command("print", "{profile}"), account(profile));
  }
  expect(calls).toEqual(["same", "a", "b"].map((word) => [["print", word], "/own", limit, 30]));
});

test.each([flag, found])("a command of %j never runs", async (source) => {
  const { inputs, calls } = recording();
  const read = inputs.read({ ...command("print"), source }, account());
  await expect(read).rejects.toThrow("only an rc file of yours can name a command");
  expect(calls).toEqual([]);
});

test("a named file is read once for all accounts, and once more by the rules of a found file", async () => {
  const { inputs, calls } = recording();
  for (const profile of ["a", "b", "b"]) {
    expect(String(await inputs.read(given("secret"), account(profile)))).toBe("content");
    await inputs.read(given("/own/secret"), account(profile));
    await inputs.read(given("secret", rc("yours")), account(profile));
    await inputs.read(given("secret", found), account(profile));
  }
  expect(calls).toEqual([
    ["yours", "/working/secret", limit, false],
    ["yours", "/own/secret", limit, false],
    ["found", "/own/secret", limit],
  ]);
});

test.each([
  [given("~/secret", rc("yours")), "/home/me", "/home/me/secret"],
  [given("in~/secret", rc("yours")), "/home/me", "/own/in~/secret"],
  [given("/secret", variable), "/home/me", "/secret"],
])("the file of %j with the home folder %s is %s", async (setting, homeFolder, absolute) => {
  const { inputs, calls } = recording({ homeFolder });
  await inputs.read(setting, account());
  expect(calls).toEqual([["yours", absolute, limit, false]]);
});

const openFile = (mode: number, owner: number | null, isReadOnly = false) => ({
  userId: 7,
  readNamedFile: async () => ({ bytes: Buffer.from("content"), mode, owner }),
  readFile: () => ({ bytes: Buffer.from("content"), mode, owner }),
  isOnReadOnlySystem: () => isReadOnly,
});
const warning =
  "Other users can read the file that --token-file names. Close it to others: chmod 600 /working/x; where that changes nothing, use a copy of your own in another folder, closed by chmod 600";
test.each([
  ["that others can read", openFile(0o100_644, 7), [warning]],
  ["that its group can read", openFile(0o100_640, 7), [warning]],
  ["that is closed", openFile(0o100_600, 7), []],
  ["of another user", openFile(0o100_644, 8), []],
  ["that is mounted for reading", openFile(0o100_644, 7, true), []],
  ["that is a pipe", { ...openFile(0, null), userId: null }, []],
])("a secret or token file %s: one warning, or none", async (_, context, expected) => {
  const { inputs, warnings } = recording(context);
  for (const setting of [given("x"), given("x"), given("x", flag, "secretFile")])
    await inputs.read(setting, account());
  expect(warnings).toEqual(expected);
});

test("certificates are no secret", async () => {
  const { inputs, warnings } = recording(openFile(0o100_644, 7));
  await expect(inputs.certificates(given("x", flag, "extraCertificates"))).rejects.toThrow("PEM");
  expect(warnings).toEqual([]);
});

const setting = given("ca.pem", flag, "extraCertificates");

test("certificates of a file that several accounts name are read, decoded and parsed once", async () => {
  const bytes = Buffer.from(authorityCertificate);
  const { inputs } = recording({ readNamedFile: async () => ({ bytes, mode: null, owner: null }) });
  const first = await inputs.certificates(setting);
  // Whoever decoded it again would see this.
  bytes.fill(0);
  expect(first).toEqual([authorityCertificate.trim()]);
  expect(await inputs.certificates({ ...setting })).toBe(first);
});

const damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
const withoutLine = authorityCertificate.replace(/\n.{64}\n/, "\n");

test.each([
  ["a key", damaged.replaceAll("CERTIFICATE", "PRIVATE KEY"), "a file without a PEM certificate"],
  ["UTF-16", Buffer.from(`\ufeff${authorityCertificate}`, "utf16le"), "a file without a PEM certificate"],
  ["a first block that is damaged", `\n${damaged}${authorityCertificate}`, "block 1 of 2 (line 2)"],
  [
    "a later one that lost a line",
    `${authorityCertificate}# second\n${withoutLine}`,
    "block 2 of 2 (line 11)",
  ],
])("a file with a certificate that cannot be read is refused: %s", async (_, text, problem) => {
  const { inputs } = recording({
    readNamedFile: async () => ({ bytes: Buffer.from(text), mode: null, owner: null }),
  });
  for (const _ of [1, 2]) await expect(inputs.certificates(setting)).rejects.toThrow(problem);
});

test("of NODE_EXTRA_CA_CERTS, such a block gets a warning, once, and the others count", async () => {
  const bytes = Buffer.from(damaged + authorityCertificate);
  const { inputs, warnings } = recording({ readNamedFile: async () => ({ bytes, mode: null, owner: null }) });
  const ofNode = given(
    "ca.pem",
    { kind: "environment", variable: "NODE_EXTRA_CA_CERTS" },
    "extraCertificates",
  );
  for (const _ of [1, 2]) expect(await inputs.certificates(ofNode)).toEqual([authorityCertificate.trim()]);
  expect(warnings).toEqual([
    "NODE_EXTRA_CA_CERTS names a file whose certificate block 1 of 2 (line 1) cannot be read; the other certificates of it count (1)",
  ]);
});
