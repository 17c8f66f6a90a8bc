// The floor that start-up is measured against: what Node alone needs for the same request and answer.
const http = require("node:http");
const headers = { accept: "application/json", "x-auth-token": process.env.REFERRAL_TOKEN };
http.get(`${process.env.REFERRAL_BASE_URL}/test-authentication`, { headers }, (response) => {
  let body = "";
  response.on("data", (chunk) => (body += chunk));
  response.on("end", () => {
    process.exitCode = response.statusCode === 200 && JSON.parse(body).code === 200 ? 0 : 4;
    process.stdout.write(body);
  });
});
