import { expect, test } from "vitest";
import { InputError } from "../../src/errors.ts";
import { startRun } from "./start-run.ts";

test.each([
  [["--port", "S3CRET"], "--port is not a whole number from 0 to 65535"],
  [["--port", "65536"], "--port is not a whole number"],
  [["--port", "-1"], "--port is not a whole number"],
  [["--port", ""], "--port is not a whole number"],
  [["--port", "1e3"], "--port is not a whole number"],
  [["--latency", "-1"], "--latency is not a whole number from 0 to 600000"],
  [["--clock-offset", "1.5"], "--clock-offset is not a whole number"],
  [["--clock-offset", "99999999999"], "--clock-offset is not a whole number"],
  [["--digest", "S3CRET"], "--digest is not one of text-nonce, base64-nonce, decoded-nonce, hex-digest"],
  [["--digest", "__proto__"], "--digest is not one of"],
  [["--hash", "md5"], "--hash is not one of sha1, sha256, sha512"],
  [["--answer", "S3CRET"], "--answer is neither a status from 200 to 599 nor one of html, redirect, slow"],
  [["--authorization", "S3CRET"], "--authorization is not one of none, wsse"],
  [["--answer", "199"], "--answer is neither"],
  [["--answer", "600"], "--answer is neither"],
  [["--host", "S3CRET"], "--host is not an IP address"],
  [["--host", "localhost"], "--host is not an IP address"],
  [["--allow-host", "api", "--allow-host", "S3CRET/"], "--allow-host is not a host name"],
  [["--accounts", "S3CRET", "--token", "S3CRET"], "--accounts and --token cannot be used together"],
  [["--json", "--", "true"], "--json cannot be used with a command"],
  [["--token", " S3CRET"], "The value of --token begins or ends with white space"],
  [["--token", "a", "--token", "S3CRET"], "--token is given twice"],
  [["--port", "0", "--port", "0"], "--port is given twice"],
])("%j is wrong usage with a hint, without the value", async (args, message) => {
  const run = startRun(args);
  const error = await run.ended.catch((reason: InputError) => reason);
  expect(error).toBeInstanceOf(InputError);
  const said = { kind: "usage", message: expect.stringContaining(message), hint: expect.stringMatching(/./) };
  expect(error).toMatchObject(said);
  expect(JSON.stringify([error, String(error)])).not.toContain("S3CRET");
  expect([run.stdout(), run.stderr()]).toEqual(["", ""]);
});
