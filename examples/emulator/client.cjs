// client.cjs: the client under test
const { createHash, randomBytes } = require("node:crypto");

exports.hello = async function hello(url, username, secret, tries = 3) {
  const nonce = randomBytes(20).toString("hex");
  const created = new Date().toISOString().replace(/\..*/, "+00:00");
  const digest = createHash("sha1")
    .update(nonce + created + secret)
    .digest("base64");
  const wsse = `UsernameToken Username="${username}", PasswordDigest="${digest}", Nonce="${nonce}", Created="${created}"`;
  const response = await fetch(`${url}/test-authentication`, { headers: { "X-WSSE": wsse } });
  if (response.status >= 500 && tries > 1) return hello(url, username, secret, tries - 1);
  const { message } = await response.json();
  if (!response.ok) throw new Error(`${response.status} ${message}`);
  return message;
};
