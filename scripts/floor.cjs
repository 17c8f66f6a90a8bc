// The floor that start-up is measured against: what Node alone needs for the same request and answer.
const { REFERRAL_BASE_URL, REFERRAL_TOKEN, REFERRAL_CA_CERT } = process.env;
const options = { headers: { accept: "application/json", "x-auth-token": REFERRAL_TOKEN } };
if (REFERRAL_CA_CERT) {
  // Node's roots and one more.
  options.secureContext = require("node:tls").createSecureContext();
  options.secureContext.context.addCACert(require("node:fs").readFileSync(REFERRAL_CA_CERT));
}
const { get } = REFERRAL_CA_CERT ? require("node:https") : require("node:http");
get(`${REFERRAL_BASE_URL}/test-authentication`, options, (response) => {
  let body = "";
  response.on("data", (chunk) => (body += chunk));
  response.on("end", () => {
    process.exitCode = response.statusCode === 200 && JSON.parse(body).code === 200 ? 0 : 4;
    process.stdout.write(body);
  });
});
