import fc from "fast-check";
import { expect, test } from "vitest";
import { checkCredentials, exitCodeOfError } from "../../src/index.ts";
import { parseProxy } from "../../src/settings/proxy.ts";
import { numRuns } from "../properties/runs.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { canary } from "./places.ts";

const baseUrl = "https://a.invalid";
const escapedByte = fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, "0")}`);
const escaped = fc.array(fc.oneof(fc.constantFrom("a", "~", "!", ":"), escapedByte), { maxLength: 6 });

/** What Basic authentication has to carry for this user information; null if it cannot (RFC 7617, section 2). */
function basic(userInformation: string): string | null {
  const [user = "", ...rest] = userInformation.split(":");
  try {
    const [name, password] = [decodeURIComponent(user), decodeURIComponent(rest.join(":"))];
    return name.includes(":") || /\p{Cc}/u.test(name + password) ? null : `${name}:${password}`;
  } catch {
    return null;
  }
}

test("the user and password of a proxy are refused, or are those that were written", () => {
  fc.assert(
    fc.property(escaped, (parts) => {
      const url = parseProxy(`http://${parts.join("")}@proxy.example:3128`);
      const expected = basic(parts.join(""));
      const got =
        "problem" in url ? null : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
      expect(got).toBe(expected);
    }),
    { numRuns },
  );
});

test("a proxy whose user information cannot be sent is an error, for the library too, and nothing is sent to it", async () => {
  const { port, connections } = await canary("HTTP/1.1 407 No\r\n\r\n");
  const credential = { method: "token", token: planted.token } as const;
  for (const user of ["us%ffer:pw", "user:p%c3w", "us%3aer:pw", "user:p%0aw", "%80", ":%fe"]) {
    const proxy = `http://${user}@127.0.0.1:${port}`;
    const environment = { REFERRAL_TOKEN: planted.token, HTTPS_PROXY: proxy };
    const run = await runInProcess(["test", "--base-url", baseUrl], { environment });
    expect(run).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("user") });
    const error: unknown = await checkCredentials({ baseUrl, proxy, credential }).catch((error) => error);
    expect([exitCodeOfError(error), String(error)]).toEqual([3, expect.stringContaining("user")]);
  }
  expect(connections()).toBe(0);
  await checkCredentials({ baseUrl, proxy: `127.0.0.1:${port}`, credential });
  expect(connections()).toBe(1);
});
