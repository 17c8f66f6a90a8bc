import { describe, expect, test } from "vitest";
import { type AnswerParts, read } from "../../support/exchanges.ts";

describe("a body is a web page if it begins like one", () => {
  test.each([
    "<html>",
    "<HTML lang='en'>",
    " \n\t<html>",
    "<!doctype html>",
    "<!DOCTYPE \n html>",
    "<head>",
    "<body class='x'>",
    "<title>",
    "<h1>Sign in</h1>",
    "<h6>",
    '<?xml version="1.0"?><html>',
    '<?xml version="1.0"?> \n\n<html>',
    "<!-- one -->\n\n  <!-- two --><html>",
  ])("%j", (body) => {
    expect(read({ body }).content).toBe("web-page");
  });

  test.each([
    "words <html>",
    "words<html>",
    "<htmlx>",
    "<h7>",
    "<header>",
    "<error/>",
    "<?xml?>words<html>",
    "<!-- <html> -->",
  ])("%j does not", (body) => {
    expect(read({ body }).content).toBe("not-json");
  });
});

test.each(["text/html", "Text/HTML ; charset=utf-8", "application/xhtml+xml"])(
  "words of the type %s are a web page, and of another type they are not",
  (type) => {
    expect(read({ body: "words", headers: { "content-type": type } }).content).toBe("web-page");
    expect(read({ body: "words", headers: { "content-type": [] } }).content).toBe("not-json");
  },
);

test.each([
  ["<html><title>Sign in</title>", "Sign in"],
  ['<html><title lang="en"> \n Sign  \t in </title>', "Sign in"],
  ["<html><TITLE>Tom &amp; Ann&#39;s &lt;page></TITLE>", "Tom & Ann's <page>"],
  ["<html><TITLE>Token abcdef</TITLE>", "Token [secret]"],
  ["<html><TITLE>Token a&#98;cdef</TITLE>", "[secret]"],
  ["<html><TITLE>Sign in</TITLE>abcdef", "Sign in"],
  ["<html><title> </title>", null],
  ["<html><titles>Sign in</titles>", null],
  ["<html>", null],
])("the title of %j is %j", (body, title) => {
  const page = read({ body }, "abcdef");
  expect([page.content, page.title]).toEqual(["web-page", title]);
});

test("an empty body and a JSON object are described too", () => {
  expect(read({ body: "" }).contentInWords).toBe("an empty body");
  expect(read({ body: "{}" }).contentInWords).toBe("a JSON object");
  expect(read({ body: "<html>" }).contentInWords).toBe("a web page");
  expect(read({ body: "<title>Sign in</title>" }).contentInWords).toBe('a web page titled "Sign in"');
  expect(read({ body: "words <title>Sign in</title>" }).title).toBeNull();
});

describe("the server's own words are", () => {
  const words = (body: string, ...secrets: readonly string[]) =>
    read({ status: 403, body, headers: { "content-type": [] } }, ...secrets).message;
  const fields = [
    ...["message", "error_description", "detail", "description", "replyText"],
    ...["errorMessage", "msg", "reason", "error", "title"],
  ];

  test.each(fields.map((name, index) => [name, index] as const))(
    "the field %s of a JSON object, behind the %i fields before it",
    (name, index) => {
      const all = Object.fromEntries(fields.slice(index).map((one) => [one, `in ${one}`]));
      expect(words(JSON.stringify(all))?.split("; ")[0]).toBe(`in ${name}`);
      expect(words(JSON.stringify({ ...all, message: 7, error_description: " " }))?.split("; ")[0]).toBe(
        `in ${fields[Math.max(2, index)]}`,
      );
    },
  );

  test.each([
    ["WSSE Login failed for me", "WSSE Login failed for me"],
    [" two\n\tlines \n", "two lines"],
    ["<html><head>\n<title>No</title></head><body><h1 class=x>Not <b>now</b></h1>", "No Not now"],
    ["a < b and c > d", "a < b and c > d"],
    ["[]", "[]"],
    ["x".repeat(300), "x".repeat(300)],
    ["ä".repeat(300), "ä".repeat(300)],
    ["😀".repeat(300), "😀".repeat(300)],
    ["x".repeat(301), null],
    [`<p>${"x".repeat(290)}</p>\n${" ".repeat(400)}<p>y`, `${"x".repeat(290)} y`],
    [`<p>${"x".repeat(290)}</p><p>${"y".repeat(20)}`, null],
    [
      `<script>${"x".repeat(900)}</script><style>a{}</style><!-- <p>b --><p>Request blocked.`,
      "Request blocked.",
    ],
    ["<!-- never <b>ends", null],
    ["<script>never ends", null],
    [
      "<html><title>502 Bad Gateway</title><center><h1>502 Bad Gateway</h1></center><hr>nginx",
      "502 Bad Gateway nginx",
    ],
    [
      "<html><title>421 Misdirected Request</title><h1>Misdirected Request</h1><p>why",
      "421 Misdirected Request why",
    ],
    [
      "<html><title>421 - Misdirected Request</title><h1>Misdirected Request</h1><p>why",
      "421 - Misdirected Request why",
    ],
    [
      "<html><title>Error 421 Misdirected</title><p>Error Misdirected",
      "Error 421 Misdirected Error Misdirected",
    ],
    ["<html><title>No</title><p>Nothing", "No Nothing"],
    ["<html><title>No</title><p>a b", "No a b"],
    ["one<script>x</script>two", "one two"],
    ["a &amp; b", "a &amp; b"],
    ["<html><title>No</title><p>No.", "No."],
    ["<html><title>A &amp; B</title><p>you&#39;re out", "A & B you're out"],
    ["\u001f\u008b\u0008", null],
    ["<p></p>", null],
    ["", null],
    ["{}", null],
    ['{"Message":"m"}', "m"],
    ['{"MESSAGE":"m"}', "m"],
    ['{"ErrorMessage":"m"}', "m"],
    ['{"error_message":"m"}', "m"],
    ['{"error-description":"m"}', "m"],
    ['{"Message":"other","message":"m"}', "m"],
    ['{"message":"m","Message":"other"}', "m"],
    ['{"Message":"m","MESSAGE":"other"}', "m"],
    ['{"data":{"message":"m"}}', "m"],
    ['{"data":null,"meta":{"error_message":"m"}}', "m"],
    ['{"messages":["m","n"]}', "m"],
    ['{"messages":[{"text":"t","msg":"m"}]}', "m"],
    ['{"detail":[{"loc":["header"],"msg":"m","type":"t"}]}', "m"],
    ['{"detail":["m"]}', "m"],
    ['{"Errors":{"token":["m","n"]}}', "m"],
    ['{"errors":{"token":"m"}}', "m"],
    ['{"errors":{"token":[" "]}}', null],
    ['{"errors":{"first":[" "],"second":["m"]}}', '{"errors":{"first":[" "],"second":["m"]}}'],
    ['{"error":{"user":["m"]}}', '{"error":{"user":["m"]}}'],
    ['{"errors":[{"other":"none of these fields"}]}', '{"errors":[{"other":"none of these fields"}]}'],
    [
      '{"errors":[],"error":null,"details":[[]],"fault":7}',
      '{"errors":[],"error":null,"details":[[]],"fault":7}',
    ],
    ['{\n  "status": "denied"\n}', '{ "status": "denied" }'],
    [`{"status":"${"x".repeat(300)}"}`, null],
    ['{"status":"denied","access_token":"of somebody else"}', null],
    ['{"a":[{"apiKey":"of somebody else"}]}', null],
    ['["denied"]', '["denied"]'],
    ['[{"Session-Id":"1"}]', null],
    ['"denied"', '"denied"'],
    ['\uFEFF"denied"', '"denied"'],
    ['{"error":{"message":"m"}}', "m"],
    ['{"errors":[{"detail":"Account locked"},{"detail":"second"}]}', "Account locked"],
    ['{"errors":{"title":" two\\n\\tlines "}}', "two lines"],
    ['{"errors":["a text"]}', "a text"],
    ['{"details":[{"description":"d"}]}', "d"],
    ['{"fault":{"detail":{"errorcode":"c"},"faultstring":"f"}}', "f"],
    ['{"fault":{"faultstring":"f","message":"m"}}', "m; f"],
    ['{"errors":[{"message":"e"}],"error":{"message":" "}}', "e"],
    ['{"errors":[{"message":"inner"}],"title":"outer"}', "outer; inner"],
    ['{"errors":[{"code":"TOKEN_EXPIRED","title":"Unauthorized"}]}', "Unauthorized; TOKEN_EXPIRED"],
    ['{"message":"Account locked","error":"account"}', "Account locked"],
    ['{"error":{"errors":[{"message":"too deep"}]}}', '{"error":{"errors":[{"message":"too deep"}]}}'],
  ])("of %j: %j", (body, expected) => {
    expect(words(body)).toBe(expected);
  });

  test.each([200, 202, 299])(
    "not JSON without words of a success (%i), which may hold anything",
    (status) => {
      for (const body of ['{"status":"denied"}', '["denied"]'])
        expect(read({ status, body }).message).toBeNull();
      expect(read({ status, body: '{"Message":"m"}' }).message).toBe("m");
      for (const other of [199, 300])
        expect(read({ status: other, body: '["denied"]' }).message).toBe('["denied"]');
    },
  );

  test("not a lock where a field alone is named so", () => {
    expect(read({ status: 401, body: '{"code":401,"locked":false}' }).saysLocked).toBe(false);
    expect(read({ status: 401, body: '{"data":{"reason":"account_locked"}}' }).saysLocked).toBe(true);
    expect(read({ status: 401, body: "Your account is locked" }).saysLocked).toBe(true);
    expect(read({ status: 401, body: `Your account is locked ${"x".repeat(300)}` }).saysLocked).toBe(false);
  });

  test("shown without secrets", () => {
    expect(words('{"status":"No abcdef here"}', "abcdef")).toBe('{"status":"No [secret] here"}');
    expect(words('{"status":"No \\u0061bcdef here"}', "abcdef")).toBe("[secret]");
    expect(words('{"abcdef":["denied"]}', "abcdef")).toBe('{"[secret]":["denied"]}');
    expect(words(`<script>${"x".repeat(900)}</script><p>No abcdef here`, "abcdef")).toBe("No [secret] here");
    expect(words("<title>abcdef</title>abcdef abcdef", "abcdef")).toBe("[secret] [secret]");
    expect(words("No abcdef here", "abcdef")).toBe("No [secret] here");
    expect(words('{"error":"No abcdef here"}', "abcdef")).toBe("No [secret] here");
    expect(words('{"errors":[{"detail":"No abcdef here"}]}', "abcdef")).toBe("No [secret] here");
    expect(words('{"error":"No \\"abcdef\\" here","abc":1,"def":2}', "abcdef")).toBe('No "[secret]" here');
    expect(words('{"error":"No \\"way\\" here","abcdef":1}', "abcdef")).toBe("[secret]");
    expect(words('{"a":1,"error":"no","b":2}', 'error":"no","b')).toBeNull();
    expect(words("<p>a<b>c", "a<b>c")).toBe("[secret]");
    expect(words("a\nb-c-d", "a b-c-d")).toBe("[secret]");
  });
});

describe("a response is shown without secrets", () => {
  test.each([
    ['{"code":71234}', "1234", "hidden"],
    ['{"code":71234}', "9999", 71234],
    ['{"code":9007199254740993}', "9999", "hidden"],
    ['{"message":"Hello"}', "9999", null],
    ['[{"code":1}]', "9999", null],
  ])("in the code of %s", (body, secret, code) => {
    expect(read({ body }, secret).code).toBe(code);
  });

  test.each([
    ["text/ABCdef", "abcdef", "[secret]"],
    ["text/html; a=abcdef", "abcdef", "[secret]"],
    ["Text/HTML; a=b", "abcdef", "text/html"],
    ["application/json; a=b", "json", "application/json"],
    [[], "abcdef", null],
    ["; a=b", "abcdef", null],
  ] as const)("in the type %j", (type, secret, expected) => {
    expect(read({ headers: { "content-type": type } }, secret).contentType).toBe(expected);
  });
});

describe("the request's id is", () => {
  const names = ["x-request-id", "x-correlation-id", "request-id", "x-amzn-requestid", "cf-ray"];
  const idIn = (headers: AnswerParts["headers"] = {}, ...secrets: readonly string[]) =>
    read({ status: 401, headers }, ...secrets).requestId;

  test.each(names.map((name, index) => [name, index] as const))(
    "the field %s, behind the %i fields before it, which may be blank",
    (name, index) => {
      const fields = names.map((one, at) => [one, at < index ? " " : `id of ${one}`]);
      expect(idIn(Object.fromEntries(fields))).toBe(`id of ${name}`);
    },
  );

  test("null without one, and shown without secrets", () => {
    expect(idIn({ "x-trace-id": "1" })).toBeNull();
    expect(idIn({ "x-request-id": "abcdef-1" }, "abcdef")).toBe("[secret]-1");
  });
});
