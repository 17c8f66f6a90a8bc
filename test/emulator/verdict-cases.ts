import { createHash, createHmac } from "node:crypto";
import { knownAccounts } from "../../src/emulator/accounts.ts";
import { passwordDigest } from "../../src/wsse/digest.ts";
import { wsseValue } from "../../src/wsse/header.ts";
import { each } from "../support/texts.ts";
import * as support from "./support.ts";

const { credentials, headerWith, known, now, withToken, withWsse, wsse } = support;
const { secret, token } = credentials;

/** A request, and how the server differs from that of these tests. */
type Case = Parameters<typeof support.judgementOf>[0] & {
  readonly rules?: Parameters<typeof support.judgementOf>[1];
};
type Rules = Case["rules"];
type Cases = Readonly<Record<string, Case>>;

const created = "2026-11-21T03:31:00+00:00";
const hex = "00ff10203040506070809010a0b0c0d0e0f00102";
const base64 = Buffer.from(hex, "hex").toString("base64");

const withHeader = (value: string, rules: Rules = {}): Case => ({ headers: withWsse(value), rules });
const signed = (changes: Parameters<typeof wsse>[0], rules: Rules = {}): Case =>
  withHeader(wsse(changes), rules);
const withTokens = (...tokens: readonly string[]): Case => ({ headers: withToken(...tokens) });

const own = { username: "west@example.com", secret: "west", token: "west" };
const west = { ...known, ...own, digest: "hex-digest" } as const;
const three = knownAccounts([known, west, { ...known, secret: "twin", token: "twin" }]);
const toBase64 = (text: string): string => Buffer.from(text).toString("base64");

const tokens: Cases = {
  "the token": withTokens(token),
  "another token": withTokens("0123"),
  "the secret": withTokens(secret),
  "a scheme before it": withTokens(`Bearer ${token}`),
  "quotation marks": withTokens(`"${token}"`),
  "its name before it": withTokens(`X-Auth-Token: ${token}`),
  "token= before it": withTokens(`token=${token}`),
  "more around it": withTokens(`<${token}>`),
  ...each(["{{token}}", "undefined", "undefined1", "****4567", "a**b"], (one) => withTokens(one)),
  "in upper case": withTokens(token.toUpperCase()),
  "in lower case": { ...withTokens("abcdefgh"), rules: { token: "AbCdEfGh" } },
  "without its last character": withTokens(token.slice(0, -1)),
  "less than half": withTokens(token.slice(0, 19)),
  "twice, with a letter between": { ...withTokens("XYzXY"), rules: { token: "XY" } },
  "more behind it": withTokens(`${token}x`),
  "more before it": withTokens(`x${token}`),
  "the same length": withTokens("9".repeat(40)),
  "the username": withTokens(credentials.username),
  "the value of X-WSSE": withTokens(wsse()),
  "in base64, of three": { ...withTokens(toBase64("twin")), rules: { accounts: three } },
  "cut, of three": { ...withTokens("twi"), rules: { accounts: three } },
  "an empty one": withTokens(""),
  "two of them": withTokens(token, token),
  "X-WSSE as well": { headers: { ...withWsse(wsse()), ...withToken(token) } },
  nothing: {},
  "another scheme": { headers: { authorization: ["Basic bWU6cHc="] } },
};

const [username = "", digest = "", nonce = "", time = ""] = wsse({ nonce: Buffer.from(hex, "hex") })
  .replace("UsernameToken ", "")
  .split(", ");
const headerOf = (...parts: readonly string[]): Case => withHeader(`UsernameToken ${parts.join(", ")}`);
const spaced = (part: string): string => part.replace("=", "\t= ");

const right = wsse({ nonce: Buffer.from(hex, "hex") });
const layouts: Cases = {
  "the specification's": headerOf(username, digest, nonce, time),
  "no white space": withHeader(`UsernameToken ${username},${digest},${nonce},${time}`),
  "more of it": withHeader(`UsernameToken \t ${username} ,\t${digest}  ,  ${nonce}, ${time}`),
  "white space around =": headerOf(spaced(username), digest, nonce, spaced(time)),
  "another order": headerOf(time, nonce, digest, username),
  empty: withHeader(""),
  "two of it": { headers: withWsse(wsse(), wsse()) },
  "the type in lower case": withHeader(`usernametoken ${username}`),
  "no space behind the type": withHeader(`UsernameToken${username}`),
  "the type alone": withHeader("UsernameToken "),
  "one attribute": headerOf(username),
  "one twice": headerOf(username, username, digest, nonce, time),
  "a fifth": headerOf(username, digest, nonce, time, 'Realm="x"'),
  "a value without quotes": headerOf(username, digest, `Nonce=${hex}`, time),
  "an empty value": headerOf(username, digest, 'Nonce=""', time),
  "an open quote": headerOf(username, digest, nonce, time.slice(0, -1)),
  "an escaped quote": headerOf('Username="a\\"b"', digest, nonce, time),
  "no comma": withHeader(`UsernameToken ${username} ${digest}, ${nonce}, ${time}`),
  "a comma at the end": headerOf(username, digest, nonce, time, ""),
  "many names": headerOf(...Array.from({ length: 99 }, (_, at) => `a${"x".repeat(at)}="b"`)),
  ...each(["Password", "Digest", "passwd"], (one) => withHeader(right.replace("PasswordDigest", one))),
  "Password, with the secret": withHeader(right.replace(/PasswordDigest="[^"]*"/, `Password="${secret}"`)),
  ...each(["User", "Email"], (one) => withHeader(right.replace("Username=", `${one}=`))),
  "Password beside PasswordDigest": withHeader(`${right}, Password="x"`),
  "no comma anywhere": withHeader(right.replaceAll(",", "")),
  "the secret as a name": withHeader('UsernameToken AbCdEfGhIjKl="x"', { secret: "AbCdEfGhIjKl" }),
};

const latin1 = (text: string): string => Buffer.from(text).toString("latin1");
const quotedBy = (open: string, close = open): Case =>
  withHeader(right.replace(/"([^"]*)"/g, `${open}$1${close}`));
const filling = (name: string, text: string): Case =>
  withHeader(right.replace(new RegExp(`${name}="[^"]*"`), `${name}="${text}"`));

/** What is done to a whole header that is right otherwise: it alone is named. */
export const disguises: Cases = {
  "backslashes, from JSON": quotedBy('\\"'),
  "single quotes": quotedBy("'"),
  "curly quotes": quotedBy(latin1("\u201c"), latin1("\u201d")),
  "curly quotes of Windows": quotedBy("\x93", "\x94"),
  backticks: quotedBy("`"),
  "quotes escaped for HTML": quotedBy("&quot;"),
  "no quotes": quotedBy(""),
  "quotes twice": quotedBy('""'),
  "the whole in double quotes": withHeader(`"${right}"`),
  "the whole URL-encoded": withHeader(encodeURIComponent(right)),
  "UsernameToken twice": withHeader(`UsernameToken ${right}`),
  "WSSE before it": withHeader(`WSSE ${right}`),
  "a comma behind UsernameToken": withHeader(right.replace(" ", ", ")),
  "a comma at the end": withHeader(`${right},`),
  "a line end as text": withHeader(`${right}\\r\\n`),
  "arrows for equals signs": withHeader(right.replaceAll('="', '=>"')),
  semicolons: withHeader(right.replaceAll('",', '";')),
  "& for commas": withHeader(right.replaceAll('", ', '"&')),
  "no-break spaces": withHeader(right.replaceAll(", ", latin1(",\u00a0"))),
  "line ends between its parts, as text": withHeader(right.replaceAll(", ", ",\\n")),
  "the prefix of XML": withHeader(right.replace(/(Username|PasswordDigest|Nonce|Created)=/g, "wsse:$1=")),
  "Password-Digest": withHeader(right.replace("PasswordDigest", "Password-Digest")),
  "cut in Created": withHeader(right.slice(0, -8)),
  "cut in Nonce": withHeader(right.slice(0, right.indexOf("Nonce") + 12)),
  "colons for equals signs": withHeader(right.replace(/([ed])="/g, '$1: "').replace('t="', 't: "')),
  ...each(["null", `\${WSSE}`, "[secret]"], (one) => withHeader(one)),
  "XML, of SOAP": withHeader("<wsse:UsernameToken><wsse:Username>me</wsse:Username></wsse:UsernameToken>"),
  "the whole in base64": withHeader(toBase64(right)),
  "the token in X-WSSE": withHeader(token),
  JSON: withHeader('{"Username":"me@example.com"}'),
  "what Authorization has": withHeader('WSSE profile="UsernameToken"'),
  ...each(["{{nonce}}", "$nonce", "..."], (one) => filling("Nonce", one)),
  "a placeholder as Username": filling("Username", "{{username}}"),
  "a placeholder as PasswordDigest": filling("PasswordDigest", "{{digest}}"),
  "a placeholder as Created": filling("Created", "{{timestamp}}"),
};

const nonces: Cases = {
  ...each(
    ["a".repeat(256), "a".repeat(257), "a\tb", "ä", "nonce@", "a{0}", "$", "{}", ";a", "&a="],
    (one) => ({
      headers: headerWith(one, created),
    }),
  ),
  ...each([hex.toUpperCase(), hex.slice(1), `${hex}0`, `${hex.slice(1)}g`], (one) => ({
    headers: headerWith(one, created),
  })),
  ...each(
    [
      base64,
      base64.replace("=", ""),
      Buffer.alloc(20, 0xff).toString("base64").replaceAll("/", "_"),
      Buffer.alloc(21).toString("base64"),
    ],
    (one) => ({
      headers: headerWith(one, created, { digest: "base64-nonce" }),
      rules: { digest: "base64-nonce" },
    }),
  ),
};

const times: Cases = {
  ...each([-301, -300, 300, 301, 900, 1200, 3600, -7230, 5.75 * 3600, 15 * 3600], (seconds) =>
    signed({ now: now + seconds * 1000 }),
  ),
  ...each(
    ["2026-11-21T03:31:00+08:00", "2026-11-21T03:31:00-05:00"],
    (one) => ({ headers: headerWith(hex, one) }),
    (one) => `the wrong zone: ${one}`,
  ),
  ...each(
    [
      ...["1795231860", "1795231860.25", "1795231860000", "1795231860000000", "20261121033100", "2026-11-21"],
      ...["Sat, 21 Nov 2026 03:31:00 GMT", "2026-11-21 03:31:00", "2026-11-21T03:31:00+00:00Z", "now"],
      ...["2026-11-21T03:31:00Z[UTC]", "2026-11-1T03:31:00Z", "null", "%Y-%m-%dT%H:%M:%SZ"],
    ],
    (one) => ({ headers: headerWith(hex, one) }),
  ),
  ...each(
    [
      ...["2026-11-21T03:31:00Z", "2026-11-21T05:01:00+01:30", "2026-11-21T03:31:00-00:00"],
      ...["2026-11-21T03:31:00.999999999Z", "2026-11-21T03:31:00,5+00:00", "20261121T033100.123+0000"],
      ...["20261121T0331+00", "2026-02-30T00:00:00Z", "2026-11-21T03Z", "2026-11-21T03:31.5Z"],
      ...["2026-11-21T24:00:00Z", "2016-12-31T23:59:60Z", "2026-11-21T03:31:00", "2026-1121T03:31:00Z"],
      ...["2026-11-21T03:31:00+24:00", "2026-11-21T03:31:00+00:60", "2026-11-21T03:31:00.Z"],
      ...["2026-11-21 03:31:00Z", "2026-11-21t03:31:00z", " 2026-11-21T03:31:00Z"],
    ],
    (one) => ({ headers: headerWith(hex, one) }),
  ),
};

/** Forms of Created with bytes outside ASCII, which the digest has as they are sent. */
const otherBytes: Cases = each(
  [
    ...[
      "\u0662\u0660\u0662\u0666-11-21T03:31:00Z",
      "2026-11-21T03:31:00\u221200:00",
      "2026\u5e7411\u670821\u65e5",
    ],
    ..."\u00e4",
  ],
  (one) => withHeader(right.replace(/Created="[^"]*"/, `Created="${latin1(one)}"`)),
  (one) => escape(one),
);
const wsseAuthorization = 'WSSE profile="UsernameToken"';

const ofAccounts: Cases = {
  "the first of three": signed({}, { accounts: three }),
  "one with its own convention": signed({ ...own, digest: "hex-digest" }, { accounts: three }),
  "one with the same username": signed({ secret: "twin" }, { accounts: three }),
  "none of three": signed({ username: "a@b.cd" }, { accounts: three }),
  "another's convention": signed(own, { accounts: three }),
  "no secret of three": signed({ secret: "other" }, { accounts: three }),
  "no token of three": { ...withTokens("other"), rules: { accounts: three } },
  "another username": signed({ username: "a@b.cd", digest: "hex-digest" }),
  "its username in upper case": signed({ username: "ME@EXAMPLE.COM" }),
  "its username with a space behind it": signed({ username: "me@example.com " }),
  "its username before the @": signed({ username: "me" }),
  "its username in another's": signed({ username: "me@example.co" }),
  ...each(["undefined", "{0}"], (one) => signed({ username: one })),
  "the token as username": signed({ username: token }),
  "its username in base64, of three": signed({ username: toBase64("me@example.com") }, { accounts: three }),
  "another username of the same length": signed({ username: "we@example.com" }),
  "a long username": signed({ username: "x".repeat(300) }),
  "the secret as username": signed({ username: secret }),
  ...each(
    [
      ...[wsseAuthorization, 'wsse  Profile = "UsernameToken"', "WSSE profile=UsernameToken", undefined],
      ...["WSSE", 'WSSE profile="Other"', 'WSSE profile="UsernameToken', 'Basic profile="UsernameToken"'],
    ],
    (one) => ({
      headers: { ...withWsse(wsse()), authorization: one === undefined ? [] : [one] },
      rules: { authorization: "wsse" },
    }),
    (one) => `Authorization: ${one}`,
  ),
  "Authorization that nobody asks for": { headers: { ...withWsse(wsse()), authorization: ["WSSE"] } },
  "a token where Authorization is asked for": { ...withTokens(token), rules: { authorization: "wsse" } },
};

const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");
const inHex = sha1(`${hex}${created}${secret}`);
const digestOf = (changes: object): string => passwordDigest({ ...known, nonce: hex, created, ...changes });
const slip = (passwordDigest: string, wireNonce = hex, rules: Rules = {}): Case =>
  withHeader(wsseValue({ username: known.username, passwordDigest, nonce: wireNonce, created }), rules);

const digests: Cases = {
  "an empty secret": slip(digestOf({ secret: "" })),
  "the hexadecimal SHA-1 of the secret": slip(digestOf({ secret: sha1(secret) })),
  "sha1() in PHP": slip(toBase64(inHex)),
  "hexadecimal without base64": slip(inHex),
  "upper case for hex-digest": slip(toBase64(inHex.toUpperCase()), hex, { digest: "hex-digest" }),
  "another hash": slip(digestOf({ hash: "sha256" })),
  "base64 hashed, hexadecimal sent": slip(digestOf({ nonce: base64 })),
  "hexadecimal hashed, base64 sent": slip(digestOf({}), base64),
  "three slips": slip(digestOf({ digest: "hex-digest", hash: "sha512", secret: "" })),
  ...Object.fromEntries(
    [
      ...[`${created}${hex}${secret}`, `${hex}:${created}:${secret}`, `${hex}${created}${secret}\u200b`],
      ...[`${hex}${created}${secret}x`, `${hex}2026-11-21 04:31:00${secret}`],
    ].map((text, at) => [`text ${at}`, slip(createHash("sha1").update(text).digest("base64"))]),
  ),
  "an HMAC": slip(createHmac("sha256", secret).update(`${hex}${created}`).digest("base64")),
  "cut hexadecimal": slip(inHex.slice(0, 32)),
  "one digit for small bytes": slip(inHex.replace(/0(.)|(..)/g, "$1$2")),
  "the secret itself": slip(secret),
  "another secret": slip(digestOf({ secret: "other" })),
  "another secret, for hex-digest": slip(digestOf({ secret: "other" }), hex, { digest: "hex-digest" }),
  "no digest": slip("x"),
};

const path = "/test-authentication";
const broken = (text: string): string =>
  text.replace(" Nonce=", ' Realm="x", Nonce=').replace(", Created=", " created=");
const used = { nonce: Buffer.from(hex, "hex"), hash: "sha512" } as const;
const demanding = (): Rules => ({ authorization: "wsse", nonces: new Set([hex, base64]) });
const old = now - 400_000;

const stray = (headers: Readonly<Record<string, string>>): Case => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
});
const demandingOnly = (value: string): Case => ({
  headers: { ...withWsse(wsse()), authorization: [value] },
  rules: { authorization: "wsse" },
});

/** Credentials in another field, and more in Authorization than is asked for. */
const fields: Cases = {
  X_WSSE: stray({ x_wsse: right }),
  WSSE: stray({ wsse: right }),
  HTTP_X_WSSE: stray({ http_x_wsse: "x" }),
  "X-WSSE in Authorization": stray({ authorization: right }),
  "X-WSSE behind WSSE in Authorization": stray({ authorization: `WSSE ${right}` }),
  "the same with another secret": stray({
    authorization: `WSSE ${wsse({ secret: "", nonce: Buffer.alloc(20) })}`,
  }),
  "the token in Authorization": stray({ authorization: `Bearer ${token}` }),
  "the token in another field": stray({ "x-api-key": token }),
  ...each(
    [`X-Auth-Token ${token}`, `X-Auth-Token: ${token}`, `Token token="${token}"`, token, `"${token}"`],
    (one) => stray({ authorization: one }),
    (one) => `the token in Authorization, ${one.replace(token, "…")}`,
  ),
  ...each(
    [
      `${token}:`,
      `me@example.com:${token}`,
      `:${token}`,
      `me@example.com:${secret}`,
      `me:${secret}`,
      "a:b",
      token,
    ],
    (one) => stray({ authorization: `Basic ${toBase64(one)}` }),
    (one) => `Basic with ${one.replace(token, "the token").replace(secret, "the secret")}`,
  ),
  X_Auth_Token: stray({ x_auth_token: "x" }),
  "the secret as a name": stray({ [`x-wsse-${secret}`]: "x" }),
  "the token in the query": { target: `/test-authentication?a=b&api_key=${token}` },
  "the token URL-encoded in the query": {
    ...{ target: "/test-authentication?k=ab%2Bcd", rules: { token: "ab+cd" } },
  },
  "other parameters in the query": { target: "/test-authentication?page=2&tokens_left=1#token=x" },
  "the token in the query beside a token": {
    ...{ ...withTokens("0123"), target: `/test-authentication?token=${token}` },
  },
  "fields of others": stray({ accept: "*/*", "user-agent": "wget", "x-token-count": "1", cookie: "a=b" }),
  "realm beside profile": demandingOnly('WSSE realm="SDP",profile="UsernameToken",type="Appkey"'),
};

/** What a request can have at once: none of it hides another. */
const faults: Cases = {
  "a wrong hash, time, nonce, name and layout, no Authorization, and a token": {
    headers: { ...withWsse(broken(wsse({ ...used, now: old }))), ...withToken("0123") },
    rules: demanding(),
  },
  "the same with an unknown username": {
    headers: { ...withWsse(broken(wsse({ ...used, now: old, username: "a@b.cd" }))), ...withToken("0123") },
    rules: demanding(),
  },
  "a wrong hash, an impossible time, and with --strict the shapes": {
    headers: headerWith(base64, "2026-02-30T00:00:00Z", { hash: "sha256" }),
    rules: { ...demanding(), strict: true },
  },
  "another path": { ...signed({ ...used, now: old }, demanding()), path: "/x" },
  "Created with a space for + that was hashed": {
    headers: withWsse(
      wsseValue({
        ...{ username: known.username, passwordDigest: digestOf({}), nonce: hex },
        created: created.replace("+", " "),
      }),
    ),
  },
  "another path and method": { ...signed({ ...used, now: old }), path: "/x", method: "POST" },
  "another host": { ...signed({ ...used, now: old }), hosts: ["evil.example"] },
  "another method": { ...signed({ ...used, now: old }, demanding()), method: "POST" },
  "OPTIONS, which browsers send without credentials": { ...signed(used, demanding()), method: "OPTIONS" },
  "a planned status": signed({ ...used, now: old }, { ...demanding(), answer: 503 }),
};

const at = (host: string, where: Partial<Case> = {}, ...allowHosts: readonly string[]): Case => ({
  ...{ ...withTokens(token), port: 8080, hosts: [host], ...where, rules: { allowHosts } },
});
const hosts: Cases = {
  // A published port of a container differs from its own.
  ...each(
    [
      ...["127.0.0.1:8080", "LocalHost:8080", "[::1]:8080", "127.0.0.1", "localhost", "[::1]"],
      ...["localhost:32768", "127.0.0.1:18080", "[::1]:1", "127.0.0.2:8080"],
    ],
    (host) => at(host),
  ),
  "no port, of https": at("127.0.0.1", { port: 443, isSecure: true }),
  "the address of the socket": at("192.0.2.7:8080", { address: "192.0.2.7" }),
  "the address of the socket, with another port": at("192.0.2.7:18080", { address: "192.0.2.7" }),
  "the same on a socket of both families": at("192.0.2.7:8080", { address: "::ffff:192.0.2.7" }),
  "an address of version 6": at("[2001:db8::7]:8080", { address: "2001:db8::7" }),
  "another address": at("192.0.2.8:8080", { address: "192.0.2.7" }),
  "an allowed name": at("API:9090", {}, "api"),
  "an allowed name and port": at("api:9090", {}, "api:9090"),
  "another port of it": at("api:9091", {}, "api:9090"),
  ...each(
    [
      ...["evil.example:8080", "evil.example", "127.0.0.1:", "127.0.0.1.evil.example:8080"],
      ...["user@127.0.0.1:8080", "0.0.0.0:8080", "", "api.evil.example"],
      ...["localhost.evil.example:8080", "127.0.0.1.nip.io:8080", "127.1", "localhost.:8080"],
      ...["evil.localhost:8080", "[::1", "::1", "[127.0.0.1]:8080", "[::ffff:127.0.0.1]:8080"],
      ...["localhost:a", "localhost:808080", "2130706433:8080", "localhost, evil.example"],
      ...["localhost:8080@evil.example"],
    ],
    (host) => at(host, {}, "api"),
  ),
  "no Host": { hosts: [] },
  "two of them": { hosts: ["localhost:1", "localhost:1"] },
};

const page = (origins: readonly string[], where: Partial<Case> = {}, rules: Rules = {}): Case => ({
  ...{ headers: { ...withToken(token), origin: origins }, ...where, rules },
});
const asked = (...names: readonly string[]): Partial<Case> => ({
  method: "OPTIONS",
  headers: {
    origin: ["http://localhost:5173"],
    "access-control-request-method": ["GET"],
    ...(names.length > 0 && { "access-control-request-headers": names }),
  },
});

/** Web pages, by their Origin, and all that they get. */
const origins: Cases = {
  ...each(
    [
      ...["http://localhost:5173", "http://localhost", "https://localhost:8443", "http://127.0.0.1:3000"],
      ...["http://[::1]:3000", "http://127.0.0.2", "http://LOCALHOST:1"],
    ],
    (one) => page([one]),
  ),
  "an allowed name": page(["https://app.example"], {}, { allowHosts: ["app.example"] }),
  "the allowed port of it": page(["https://app.example"], {}, { allowHosts: ["app.example:443"] }),
  "another port of it": page(["http://app.example"], {}, { allowHosts: ["app.example:443"] }),
  ...each(
    [
      ...["http://evil.example", "null", "", "http://localhost.evil.example"],
      ...["http://127.0.0.1.nip.io", "localhost", "http://evil.localhost", "http://localhost."],
      ...["http://localhost:5173/", "http://localhost@evil.example", "http://user@localhost"],
      ...["file://", "chrome-extension://localhost", "ftp://localhost", "http://0.0.0.0"],
      ...["http://[::1", "http://localhost http://evil.example"],
      ...["http://localhost, http://evil.example", "http://localhost#evil.example"],
      ...["http://evil.example:5173", "http://192.0.2.7:8080"],
    ],
    (one) => page([one], { address: "192.0.2.7" }, { answer: 503 }),
  ),
  "two of them": page(["http://localhost:5173", "http://localhost:5173"]),
  "of loopback, beside a foreign Host": page(["http://localhost:5173"], { hosts: ["evil.example"] }),
  "of loopback, cross-site": {
    headers: { ...page(["http://localhost:5173"]).headers, "sec-fetch-site": ["cross-site"] },
  },
  "of loopback, refused": { headers: { origin: ["http://localhost:5173"] } },
  "of loopback, with --answer 503": page(["http://localhost:5173"], {}, { answer: 503 }),
  "of loopback, at another path": page(["http://localhost:5173"], { path: "/v1/test-authentication" }),
  ...each(["/__emulator/answers", "/__emulator/health", "/v1/__emulator/requests"], (one) =>
    page(["http://localhost:5173"], { path: one }, { control: true, basePath: "/v1" }),
  ),
  "what a browser asks": asked("x-wsse,content-type"),
  "what it asks, with --answer 503": { ...asked("x-auth-token"), rules: { answer: 503 } },
  "what it asks without fields": asked(),
  "what it asks with an odd field": asked("a: b"),
  "what it asks of a private network": {
    ...asked("x-wsse"),
    headers: { ...asked("x-wsse").headers, "access-control-request-private-network": ["true"] },
  },
  "what it asks for a page of others": {
    ...asked("x-wsse"),
    headers: { ...asked("x-wsse").headers, origin: ["http://evil.example"] },
  },
  "what it asks of steering": { ...asked("x-wsse"), path: "/__emulator/answers", rules: { control: true } },
  "OPTIONS of a page that asks nothing": page(["http://localhost:5173"], { method: "OPTIONS" }),
};

/** Paths where the base URL has one. */
const paths: Cases = each(
  [
    path,
    `/v1${path}`,
    `/v1//test-authentication`,
    `/v1`,
    `/v10${path}`,
    "/__emulator/health",
    "/v1/__emulator/health",
  ],
  (one) => ({ ...withTokens(token), path: one, rules: { basePath: "/v1" } }),
);

const from = (site: string): Case => ({ headers: { ...withToken(token), "sec-fetch-site": [site] } });
const every = { headers: withToken(token) };

/** The request, and all that the client gets. */
const answers: Cases = {
  "a token": every,
  "X-WSSE": signed({}),
  "no credentials": {},
  "another secret": signed({ secret: "other", now: old }),
  "another secret, with --explain": signed({ secret: "other", now: old }, { explain: true }),
  OPTIONS: { method: "OPTIONS" },
  HEAD: { ...every, method: "HEAD" },
  ...each([...[`${path}/`, "/Test-Authentication", `/api${path}`, "/__emulator/requests"]], (one) => ({
    ...every,
    path: one,
  })),
  "a path that steers nothing": { path: "/__emulator/reset", rules: { control: true } },
  "another host": { ...every, hosts: ["evil.example"], rules: { answer: 503 } },
  "an Origin": { headers: { ...withToken(token), origin: ["null"] }, rules: { answer: 503 } },
  ...each(["cross-site", "same-origin", "same-site", "none"], from, (site) => `Sec-Fetch-Site: ${site}`),
  ...each(
    [200, 204, 304, 401, 405, 429, 503, 599],
    (answer) => ({ ...every, rules: { answer, explain: true } }),
    (answer) => `--answer ${answer}`,
  ),
  "--answer 503 for POST": { method: "POST", rules: { answer: 503 } },
  "--answer 503 for OPTIONS": { method: "OPTIONS", rules: { answer: 503 } },
  "--answer 503 for another path": { path: "/", rules: { answer: 503 } },
};

/** The cases of each subject, by their titles. */
export const subjects: Readonly<Record<string, Cases>> = {
  ...{
    tokens,
    layouts,
    disguises,
    fields,
    nonces,
    times: { ...times, ...otherBytes },
    accounts: ofAccounts,
    digests,
    faults,
    hosts,
    origins,
    paths,
    answers,
  },
};
