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

test.each([
  ["", "is empty"],
  ['quo"te', 'contains a " or \\, which the X-WSSE header cannot carry'],
  ["back\\slash", 'contains a " or \\, which the X-WSSE header cannot carry'],
  ["line\nend", "has more than one line"],
  ["carriage\rreturn", "has more than one line"],
  ...["end\n", "\ttab", "tab\t", "delete\x7f", "müller@example.com"].map((username) => [
    username,
    "contains a control character or one outside ASCII, which a header cannot carry",
  ]),
  [" leading", "begins or ends with white space"],
  ["trailing ", "begins or ends with white space"],
])("the header cannot carry the username %j: it %s", (username, problem) => {
  expect(usernameProblem(username)).toBe(problem);
});
