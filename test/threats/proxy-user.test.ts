import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkCredentials, exitCodeOfError } from "../../src/index.ts";
import { parseProxy } from "../../src/settings/proxy.ts";
import { numRuns } from "../properties/runs.ts";
import { folderWith } from "../support/folder.ts";
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

describe("a proxy whose user information cannot be sent", () => {
  const wrong = ["us%ffer:pw", "user:p%c3w", "us%3aer:pw", "user:p%0aw", "%80", ":%fe"];
  const ways: ReadonlyArray<
    readonly [string, (proxy: string) => Promise<{ exitCode: number; text: string }>]
  > = [
    ["as a flag", (proxy) => run(["--proxy", proxy], {})],
    ["in the environment", (proxy) => run([], { HTTPS_PROXY: proxy })],
    ["in an rc file", (proxy) => run([], {}, { proxy })],
    [
      "given to the library",
      (proxy) =>
        checkCredentials({ baseUrl, proxy, credential: { method: "token", token: planted.token } }).then(
          () => ({ exitCode: 0, text: "" }),
          (error: unknown) => ({ exitCode: exitCodeOfError(error), text: String(error) }),
        ),
    ],
  ];

  async function run(
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
    rc: object = {},
  ) {
    const result = await runInProcess(["test", "--base-url", baseUrl, ...args], {
      environment: { REFERRAL_TOKEN: planted.token, ...environment },
      homeFolder: folderWith({ ".referralrc": rc }),
    });
    return { exitCode: result.exitCode, text: result.everything };
  }

  test.each(ways)("%s is an error, and nothing is sent to the proxy", async (_, ask) => {
    const { port, connections } = await canary("HTTP/1.1 407 No\r\n\r\n");
    for (const user of wrong) {
      const { exitCode, text } = await ask(`http://${user}@127.0.0.1:${port}`);
      expect([user, exitCode, text]).toEqual([user, 3, expect.stringContaining("user")]);
    }
    expect(connections()).toBe(0);
  });

  test.each(ways)("%s may be written without http://, as for curl", async (_, ask) => {
    const { port, connections } = await canary("HTTP/1.1 407 No\r\n\r\n");
    expect((await ask(`127.0.0.1:${port}`)).text).not.toContain("InputError");
    expect(connections()).toBe(1);
  });
});
