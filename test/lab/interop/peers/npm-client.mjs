// Sends one request with a header that a package of npm makes, from the folder WSSE_CLIENTS. Exits 0 if it is accepted.
// Usage: npm-client.mjs PACKAGE OPTIONS, the options of the package as JSON.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const {
  REFERRAL_BASE_URL,
  REFERRAL_USERNAME: username,
  REFERRAL_SECRET: password,
  WSSE_CLIENTS,
} = process.env;
const [name, json] = process.argv.slice(2);
const options = JSON.parse(json);
const file = createRequire(`${WSSE_CLIENTS}/package.json`).resolve(name);
const { default: WsseToken, UsernameToken } = await import(pathToFileURL(file).href);

const header = {
  wsse: () => new UsernameToken({ username, password, ...options }).getWSSEHeader(options),
  "wsse-token": () => new WsseToken({ username, password, ...options }).toString(),
}[name]();

const response = await fetch(`${REFERRAL_BASE_URL}/test-authentication`, { headers: { "X-WSSE": header } });
process.exitCode = response.status === 200 ? 0 : 1;
