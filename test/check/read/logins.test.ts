import { expect, test } from "vitest";
import { loginAt } from "../../../src/check/read/logins.ts";
import { judged, read, replied } from "../../support/exchanges.ts";
import { unredacted } from "../causes/found.ts";

const at = (location: string) => loginAt(new URL(location, "https://api.example.com/v1/test-authentication"));

// Addresses of public products, and of frameworks as they are installed.
test.each([
  ["network", "https://gateway.zscloud.net/auD?origurl=x"],
  ["network", "https://gateway.zscaler.net:443/zscaler_auth"],
  ["network", "https://nsauth-example.goskope.com/"],
  ["network", "https://n1.network-auth.com/splash/?mac=1"],
  ["network", "http://captive.apple.com/"],
  ["network", "http://192.0.2.1:1000/fgtauth?0a1b"],
  ["network", "http://192.0.2.1/fs/customwebauth/login.html?switch_url=x"],
  ["network", "https://hotspot.example.net/"],
  ["network", "/captive-portal/index.html"],
  ["provider", "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=1"],
  ["provider", "https://example.okta.com/app/x"],
  ["provider", "https://example.eu.auth0.com/u/x"],
  ["provider", "https://example.cloudflareaccess.com/cdn-cgi/access/x"],
  ["provider", "https://accounts.google.com/o/x/test-authentication"],
  ["provider", "https://login.microsoftonline.com./x/test-authentication"],
  ["unknown", "/login"],
  ["unknown", "/LOGIN?next=/v1/test-authentication"],
  ["unknown", "/users/sign_in"],
  ["unknown", "/users/sign-in/"],
  ["unknown", "/Account/Login.aspx?ReturnUrl=%2f"],
  ["unknown", "/wp-login.php?redirect_to=x"],
  ["unknown", "/login;jsessionid=1A2B"],
  ["unknown", "/session/new"],
  ["unknown", "/my.policy"],
  ["unknown", "/oauth2/start"],
  ["unknown", "/adfs/ls/?wa=1"],
  ["unknown", "/realms/x/protocol/openid-connect/auth?client_id=1"],
  ["unknown", "https://sso.example.com/"],
  ["unknown", "https://api.example.com/portal"],
  ["unknown", "/guest/s/default/"],
  [null, "/v2/test-authentication"],
  [null, "/login/test-authentication"],
  [null, "https://sso.example.com/v1/test-authentication//"],
  [null, "/v2/"],
  [null, "/login.old.page"],
  [null, "/v2/?next=/login"],
  [null, "/auth/v2"],
  [null, "https://auth.example.com/"],
  [null, "https://api.example.com/authors/blogin"],
  [null, "https://myokta.com/"],
  [null, "https://okta.com.example.net/"],
  [null, "https://loginexample.com/portals"],
])("%j: %s", (login, location) => {
  expect(at(location)).toBe(login);
  const { reason } = judged(replied({ status: 302, headers: { location } }), 10, unredacted) as {
    reason?: object;
  };
  expect(reason).toEqual(login === null ? { kind: "redirect" } : { kind: "login", whose: login });
});

// A search that looked at each end of the host would take minutes.
test("a host of 200,000 labels is read at once", () => {
  const hostname = `${"a.".repeat(200_000)}example.okta.com`;
  expect(loginAt({ hostname, pathname: "/v1" })).toBe("provider");
  expect(loginAt({ hostname: `${hostname}.example`, pathname: "/v1" })).toBe(null);
});

test("a redirect without an address, or to no URL, is no login, nor is a response of another status", () => {
  expect(read({ status: 302 }).login).toBeNull();
  expect(read({ status: 302, headers: { location: "http://[login" } }).login).toBeNull();
  expect(judged(replied({ status: 304, headers: { location: "/login" } }), 10, unredacted)).toMatchObject({
    reason: { kind: "status" },
  });
});

test.each([
  ["/login?one", "/login?other", true],
  ["/login", "/login/", false],
  ["http://[", "/login", false],
  ["https://a.example/x", "https://b.example/x", false],
])("redirects to %j and %j are the same: %j", (one, other, same) => {
  const to = (location: string, status = 302) => read({ status, headers: { location } });
  expect(to(one).redirectsTheSame(to(other))).toBe(same);
  expect(to(one).redirectsTheSame(to(one, 303))).toBe(false);
});
