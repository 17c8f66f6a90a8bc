// Measures what Node alone needs for the same requests, with one connection each and resumed TLS sessions.
// usage: floor.cjs [node | undici] [requests] [requests at once]
const { REFERRAL_BASE_URL, REFERRAL_TOKEN = "", REFERRAL_CA_CERT } = process.env;
const [client = "node", requests = "1", atOnce = "1"] = process.argv.slice(2);
const headers = { accept: "application/json", "x-auth-token": REFERRAL_TOKEN };
/** @type {import("node:tls").ConnectionOptions} */
const tls = {};
if (REFERRAL_CA_CERT) {
  // Node's roots and one more. `context` is what `createSecureContext` itself calls; Node's types leave it out.
  /** @type {any} */
  const secureContext = require("node:tls").createSecureContext();
  secureContext.context.addCACert(require("node:fs").readFileSync(REFERRAL_CA_CERT));
  tls.secureContext = secureContext;
}

/** @param {(status: number | undefined, body: string) => void} done */
function withNode(done) {
  const { get } = REFERRAL_CA_CERT ? require("node:https") : require("node:http");
  const request = get(
    `${REFERRAL_BASE_URL}/test-authentication`,
    { headers, agent: false, ...tls },
    (response) => {
      let body = "";
      response.on("data", (chunk) => (body += chunk));
      response.on("end", () => done(response.statusCode, body));
    },
  );
  if (REFERRAL_CA_CERT)
    request.once("socket", (socket) => socket.on("session", (session) => (tls.session = session)));
}

/** @param {(status: number | undefined, body: string) => void} done */
async function withUndici(done) {
  const { Client } = require("undici");
  const url = new URL(`${REFERRAL_BASE_URL}/test-authentication`);
  const [host, port] = [url.hostname, Number(url.port)];
  const connect = REFERRAL_CA_CERT && {
    connect: (/** @type {unknown} */ _options, /** @type {Function} */ connected) => {
      const socket = require("node:tls").connect({ host, port, ALPNProtocols: ["http/1.1"], ...tls });
      socket.on("session", (session) => (tls.session = session));
      socket.once("secureConnect", () => connected(null, socket));
    },
  };
  const undici = new Client(url.origin, { pipelining: 0, ...connect });
  const response = await undici.request({ method: "GET", path: url.pathname, headers });
  done(response.statusCode, await response.body.text());
  undici.destroy();
}

let left = Number(requests);
process.exitCode = 0;
function next() {
  if (left-- <= 0) return;
  (client === "undici" ? withUndici : withNode)((status, body) => {
    if (status !== 200 || JSON.parse(body).code !== 200) process.exitCode = 4;
    if (requests === "1") process.stdout.write(body);
    next();
  });
}
for (let one = 0; one < Number(atOnce); one++) next();
