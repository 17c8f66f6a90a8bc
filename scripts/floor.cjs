// Measures what Node alone needs for the same requests, with one connection each and resumed TLS sessions.
// usage: floor.cjs [requests] [requests at once]
const { REFERRAL_BASE_URL, REFERRAL_TOKEN = "", REFERRAL_CA_CERT } = process.env;
const [requests = "1", atOnce = "1"] = process.argv.slice(2);
const { get } = REFERRAL_CA_CERT ? require("node:https") : require("node:http");
/** @type {import("node:https").RequestOptions & import("node:tls").ConnectionOptions} */
const options = {
  headers: { accept: "application/json", "x-auth-token": REFERRAL_TOKEN },
  agent: false,
};
if (REFERRAL_CA_CERT) {
  // Node's roots and one more. `context` is what `createSecureContext` itself calls; Node's types leave it out.
  /** @type {any} */
  const secureContext = require("node:tls").createSecureContext();
  secureContext.context.addCACert(require("node:fs").readFileSync(REFERRAL_CA_CERT));
  options.secureContext = secureContext;
}

let left = Number(requests);
process.exitCode = 0;
function next() {
  if (left-- <= 0) return;
  const request = get(`${REFERRAL_BASE_URL}/test-authentication`, options, (response) => {
    let body = "";
    response.on("data", (chunk) => (body += chunk));
    response.on("end", () => {
      if (response.statusCode !== 200 || JSON.parse(body).code !== 200) process.exitCode = 4;
      if (requests === "1") process.stdout.write(body);
      next();
    });
  });
  if (REFERRAL_CA_CERT)
    request.once("socket", (socket) => socket.on("session", (session) => (options.session = session)));
}
for (let one = 0; one < Number(atOnce); one++) next();
