import { expect, test } from "vitest";
import { createdAt, usernameProblem, wsseHeader } from "../../src/wsse/header.ts";

test("Created is UTC to the second with a numeric offset", () => {
  expect(createdAt(Date.parse("2026-02-28T23:59:59.999Z"))).toBe("2026-02-28T23:59:59+00:00");
});

test("the attributes stand in the specified order with a comma and a space between", () => {
  const token = { username: "u", passwordDigest: "p", nonce: "n", created: "c" };
  expect(wsseHeader(token)).toBe('UsernameToken Username="u", PasswordDigest="p", Nonce="n", Created="c"');
});

test.each(["a@example.com", "o'hara+ref@example.com", "two words"])(
  "the header can carry the username %j",
  (username) => {
    expect(usernameProblem(username)).toBeNull();
  },
);

test.each(["", 'quo"te', "back\\slash", "line\nend", "tab\t", "müller@example.com", " leading", "trailing "])(
  "the header cannot carry the username %j",
  (username) => {
    expect(usernameProblem(username)).toEqual(expect.any(String));
  },
);
