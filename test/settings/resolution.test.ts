import { expect, test } from "vitest";
import { addResolution, resolutionOf } from "../../src/settings/resolution.ts";

test.each<[text: string, of: string, address: string]>([
  ["api.example.com:443:192.0.2.7", "api.example.com:443", "192.0.2.7"],
  ["API.Example.com.:0443:192.0.2.7", "api.example.com:443", "192.0.2.7"],
  ["bücher.example:8443:2001:db8::7", "xn--bcher-kva.example:8443", "2001:db8::7"],
  ["api.example.com:443:[2001:db8::7]", "api.example.com:443", "2001:db8::7"],
  ["[::1]:1:127.0.0.1", "[::1]:1", "127.0.0.1"],
  ["[::1]:65535:127.0.0.1", "[::1]:65535", "127.0.0.1"],
])("--resolve %s is for %s", (text, of, address) => {
  expect(addResolution(text)).toMatchObject([{ of, address }]);
});

test.each([
  ["", "is not of the form"],
  ["api.example.com:192.0.2.7", "is not of the form"],
  ["api.example.com:0:192.0.2.7", "is not of the form"],
  ["api.example.com:65536:192.0.2.7", "is not of the form"],
  [":443:192.0.2.7", "is not of the form"],
  ["x:api.example.com:443:192.0.2.7", "is not of the form"],
  ["https://api.example.com:443:192.0.2.7", "is not of the form"],
  ["api.example.com:443:other.example.com", "names no IP address"],
  ["api.example.com:443:192.0.2.7:80", "names no IP address"],
  ["api.example.com:443:2001:[db8::7]", "names no IP address"],
  ["api.example.com:443:[2001:db8::]7", "names no IP address"],
  ["api.example.com:443:192.0.2.7,192.0.2.8", "names more than one address"],
  ["API.example.com.:8080:192.0.2.8", "is given twice for api.example.com:8080"],
])("--resolve %j is wrong usage", (text, problem) => {
  const known = addResolution("api.example.com:8080:192.0.2.7");
  const message = expect.stringContaining(`--resolve ${problem}`);
  const error = expect.objectContaining({
    kind: "usage",
    message,
    hint: expect.stringMatching(/^(?:Keep|Write)/),
  });
  expect(() => addResolution(text, known)).toThrow(error);
});

test.each([
  ["https://api.example.com/v1", "192.0.2.1"],
  ["https://api.example.com.", "192.0.2.1"],
  ["https://api.example.com:8443", "192.0.2.2"],
  ["http://api.example.com:443", "192.0.2.1"],
  ["http://api.example.com", undefined],
  ["https://other.example.com", undefined],
])("the base URL %s is led to %s", (baseUrl, address) => {
  const all = addResolution("api.example.com:8443:192.0.2.2", addResolution("api.example.com:443:192.0.2.1"));
  expect(resolutionOf(all, new URL(baseUrl))?.address).toBe(address);
});
