import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AnswerParts, read } from "../../support/exchanges.ts";

describe("a body is a web page if it begins like one", () => {
  test.each([
    ...["<html>", "<HTML lang='en'>", " \n\t<html>", "<!doctype html>", "<!DOCTYPE \n html>", "<head>"],
    ...["<body class='x'>", "<title>", "<h1>Sign in</h1>", "<h6>", '<?xml version="1.0"?> \n\n<html>'],
    "<!-- one -->\n\n  <!-- two --><html>",
    Buffer.from("<html>Gr\xfcn", "latin1"),
  ])("%j", (body) => {
    expect(read({ body }).content).toBe("web-page");
  });

  test.each([
    ...["words <html>", "words<html>", "<htmlx>", "<h7>", "<header>", "<error/>", "<?xml?>words<html>"],
    "<!-- <html> -->",
  ])("%j does not", (body) => {
    expect(read({ body }).content).toBe("not-json");
  });

  test.each(["text/html", "Text/HTML ; charset=utf-8", "application/xhtml+xml"])(
    "or if its type is %s",
    (type) => {
      expect(read({ body: "words", headers: { "content-type": type } }).content).toBe("web-page");
      expect(read({ body: "words", headers: { "content-type": [] } }).content).toBe("not-json");
    },
  );
});

const said = (body: string | Uint8Array, status = 403, ...secrets: readonly string[]) =>
  read({ status, body, headers: { "content-type": [] } }, ...secrets).message;
const ofJson = (value: unknown, status = 403) => said(JSON.stringify(value), status);

// Words that look like no code, and names that mean nothing here.
const words = fc.stringMatching(/^[a-zäß漢]{1,9} [a-zäß漢]{1,9}$/);
const names = "message error_description detail title error errorMessage errmsg msg reason".split(" ");
const written = fc.constantFrom<(name: string) => string>(
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.replaceAll("_", "-"),
  (name) => name.replaceAll("_", ""),
);
/** An object or list around a value, so many levels deep. */
const nested = (value: unknown, levels: readonly boolean[]): unknown =>
  levels.reduce<unknown>((inner, isList) => (isList ? [7, inner] : { other: null, more: inner }), value);

test("the message of JSON is the first text by the order of names, then by depth, at most four levels down", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(8), written, words, fc.array(fc.boolean(), { maxLength: 5 })), {
        minLength: 1,
        maxLength: 6,
      }),
      (placed) => {
        const parts = placed.map(([name, write, text, levels]) =>
          nested({ [write(names[name] as string)]: text }, levels),
        );
        const json = Object.fromEntries(parts.map((part, at) => [`p${at}`, part]));
        // Each part stands one level down.
        const found = placed
          .filter(([, , , levels]) => levels.length < 4)
          .toSorted(([one, , , deep], [other, , , deeper]) => one - other || deep.length - deeper.length);
        expect(ofJson(json)).toBe(found[0]?.[2] ?? JSON.stringify(json).slice(0, 300));
      },
    ),
  );
});

test.each<[body: unknown, quote: string]>([
  [{ message: " ", detail: ["one", "two"] }, "one"],
  [{ code: "ip.NotInWhiteList", message: "Your IP" }, "ip.NotInWhiteList: Your IP"],
  [{ errors: [{ code: "TOKEN_EXPIRED", title: "Unauthorized" }] }, "TOKEN_EXPIRED: Unauthorized"],
  [{ error: "invalid_token", error_description: "It expired" }, "invalid_token: It expired"],
  [{ code: "two words", errorCode: "E1", message: "No" }, "E1: No"],
  [
    { code: "401", type: "https://x.example", message: "No", more: { type: "ungültiger_Schlüssel" } },
    "ungültiger_Schlüssel: No",
  ],
  [{ error: "No", message: "no way" }, "no way"],
  [
    { is_service_token: true, status: { user_message: "Off" } },
    '{"is_service_token":true,"status":{"user_message":"Off"}}',
  ],
  [
    { auth: { message: "hidden" }, token: [1], "X-Api-Key": 7, sid: null },
    '{"auth":"[secret]","token":"[secret]","X-Api-Key":"[secret]","sid":null}',
  ],
  [["denied"], '["denied"]'],
  ["denied", '"denied"'],
])("%j says %s", (json, quote) => {
  expect(ofJson(json)).toBe(quote);
});

test("a body without words says nothing, and what is not UTF-8 is never quoted", () => {
  for (const body of ["", "{}", "[]", "{ }", " ", "<html></p>", "<html><!-- never <b>ends", "a\0b"])
    expect(said(body), body).toBeNull();
  for (const text of ['{"message":"Gr\xfcn"}', "Gr\xfcn", "<html><title>Gr\xfcn</title>"])
    expect(said(Buffer.from(text, "latin1"))).toBeNull();
});

test("of other JSON with 2xx, only keys and kinds are shown, and nothing of what looks like JSON and is none", () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 299 }), fc.jsonValue(), (status, value) => {
      const text = JSON.stringify({ inner: value, Zq8XvK2m: "Geheim7K" });
      const quote = said(text, status);
      if (quote?.startsWith('{ "inner": ')) expect(quote).toMatch(/, "Zq8XvK2m": text }$/);
      expect(quote).not.toContain("Geheim7K");
      expect(said(` ${text.slice(0, -1)}`, status)).toBeNull();
    }),
  );
  const all = { a: null, b: [1], c: { d: 1 }, e: "f", g: 1, h: true };
  expect(ofJson(all, 200)).toBe(
    '{ "a": null, "b": list, "c": object, "e": text, "g": number, "h": boolean }',
  );
  expect([ofJson([1], 202), ofJson("x", 200), ofJson({ errcode: 7, errmsg: "no ip" }, 200)]).toEqual([
    "list",
    "text",
    "no ip",
  ]);
  expect(said('["denied"]', 300)).toBe('["denied"]');
  expect(said("{ x", 300)).toBe("{ x");
  expect(["{ x", "\n  [x", "see {x}"].map((text) => said(text, 200))).toEqual([null, null, "see {x}"]);
});

const secretWords = "token secret password key sid session auth sig otp pin jwt cookie".split(" ");
const secretName = fc
  .tuple(fc.constantFrom(...secretWords), fc.constantFrom("user", "x", ""), fc.constantFrom("_", "-", "A"))
  .map(([word, before, joint]) => {
    if (before === "") return word;
    return joint === "A" ? before + word.charAt(0).toUpperCase() + word.slice(1) : before + joint + word;
  });
const value = "Zq8XvK2mGeheim";

test("what stands behind the name of a secret is hidden, in JSON, text, forms and XML, and nothing else", () => {
  const forms: readonly ((name: string) => string)[] = [
    (name) => JSON.stringify({ keep: 1, [name]: value, kept: "x" }),
    (name) => JSON.stringify({ keep: 1, [name]: { deep: [value] }, kept: "x" }),
    (name) =>
      JSON.stringify([{ keep: 1, [name]: 12345678901234567890n.toString(), a: value.slice(9) }]).replaceAll(
        "Z",
        "z",
      ),
    (name) => `keep ${name}=${value} kept`,
    (name) => `keep=1&${name}=${value}&kept=x`,
    (name) => `keep ${name}: "${value}", kept`,
    (name) => `<keep>1</keep><${name}>${value}</${name}><kept>x`,
    (name) => `<html><p>keep ${name}: ${value}</p>kept`,
    (name) => `{"keep":1,"${name}":"${value}","kept`,
    (name) =>
      `{"keep":1,"kept":2,"${name.replace(/^./, "\\u00$&").replace(/u00./, () => `u00${name.charCodeAt(0).toString(16)}`)}":{"a":["b ${value}`,
  ];
  fc.assert(
    fc.property(secretName, fc.constantFrom(...forms), (name, form) => {
      const quote = said(form(name)) ?? "";
      expect(quote).toContain("[secret]");
      expect(quote).not.toContain(value);
      if (!quote.startsWith("[{")) expect(quote).toMatch(/keep.*kept/);
    }),
  );
  for (const name of ["tokens", "monkey", "author", "signal", "opinion", "keyboard", "is_key_x2"])
    expect(said(`${name}=${value}`)?.includes(value), name).toBe(name !== "is_key_x2");
  for (const name of ["userToken", "APIKey", "oauth2Token"])
    expect(said(`${name}=${value}`)).toBe(`${name}=[secret]`);
});

test.each<[body: string, quote: string]>([
  [" two\n\tlines \n", "two lines"],
  ["a < b & c > <d>", "a < b & c > <d>"],
  ["<html><head>\n<title>No</title></head><body><h1 class=x>Not <b>now</b></h1>", "Not now"],
  [
    "<html><title>Oops</title><noscript>Turn it on</noscript><script>x y</script ><style>y {}</style >",
    "Oops Turn it on",
  ],
  ["<html>No<script>x y", "No"],
  ["<html>No<style>x y", "No"],
  ["session=key: Zq8X", "session=[secret] [secret]"],
  ["<html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1><hr>nginx", "502 Bad Gateway nginx"],
  ["<html><TITLE lang=en>A &amp; B</TITLE><p>you&#39;re out", "A & B you're out"],
  [`<html>${"x".repeat(301)}`, `${"x".repeat(299)}…`],
  ["x".repeat(301), `${"x".repeat(299)}…`],
  ["\ud83d\ude00".repeat(150), "\ud83d\ude00".repeat(150)],
])("%j says %j", (body, quote) => {
  expect(said(body)).toBe(quote);
});

test.each<[body: string, secret: string, quote: string]>([
  ['{"status":"No \\u0061bcdef here"}', "abcdef", "[secret]"],
  ['{"abcdef":["denied"]}', "abcdef", "[secret]"],
  [`<html><script>${"x".repeat(900)}</script><p>No abcdef here`, "abcdef", "No [secret] here"],
  ["<title>abcdef</title>abcdef abcdef", "abcdef", "[secret] [secret]"],
  ["<html><title>Token a&#98;cdef</title>", "abcdef", "[secret]"],
  ['{"error":"No \\"abcdef\\" here","abc":1,"def":2}', "abcdef", 'No "[secret]" here'],
  ['{"error":"No \\"way\\" here","abcdef":1}', "abcdef", "[secret]"],
  ['{"a":1,"error":"no","b":2}', 'error":"no","b', '{"a":1,"[secret]":"[secret]"}'],
  ["<html><p>a<b>c", "a<b>c", "[secret]"],
  ["a\nb-c-d", "a b-c-d", "[secret]"],
])("%j with the secret %j says %j", (body, secret, quote) => {
  expect(said(body, 403, secret)).toBe(quote);
});

test("a code is read where it is a safe number, and hidden where it holds a secret", () => {
  const codeIn = (body: string, secret = "9999") => read({ body }, secret).code;
  expect([codeIn('{"code":71234}'), codeIn('{"code":71234}', "1234")]).toEqual([71234, "hidden"]);
  expect(codeIn('{"code":9007199254740993}')).toBe("hidden");
  for (const body of ['{"message":"Hello"}', '[{"code":1}]']) expect(codeIn(body)).toBeNull();
});

test("the type is shown in small letters, without its parameters and without secrets", () => {
  const typeOf = (type: string | string[], secret = "abcdef") =>
    read({ headers: { "content-type": type } }, secret).contentType;
  expect(["text/ABCdef", "text/html; a=abcdef"].map((type) => typeOf(type))).toEqual([
    "[secret]",
    "[secret]",
  ]);
  expect([typeOf("Text/HTML; a=b"), typeOf("application/json", "json")]).toEqual([
    "text/html",
    "application/json",
  ]);
  expect([typeOf([]), typeOf("; a=b")]).toEqual([null, null]);
});

test("the request's id is the first field of five that is not blank, without secrets", () => {
  const fields = ["x-request-id", "x-correlation-id", "request-id", "x-amzn-requestid", "cf-ray"];
  const idIn = (headers: NonNullable<AnswerParts["headers"]>, ...secrets: readonly string[]) =>
    read({ status: 401, headers }, ...secrets).requestId;
  for (const [index, name] of fields.entries()) {
    const sent = fields.map((one, at) => [one, at < index ? " " : `id of ${one}`]);
    expect(idIn(Object.fromEntries(sent))).toBe(`id of ${name}`);
  }
  expect(idIn({ "x-trace-id": "1" })).toBeNull();
  expect(idIn({ "x-request-id": "abcdef-1" }, "abcdef")).toBe("[secret]-1");
});
