import { expect, test } from "vitest";
import { nonce, send, startTestEmulator, token, wsse } from "./support.ts";

const neutral = "Zq7Kp2Xw9Lm4";
const words = ["test", "user", "name", "password", "nonce", "token", "created", "sha1", "username", "digest"];
const others = [
  "usernametoken",
  "expects",
  "authentication",
  "agent",
  "malformed",
  "x-wsse",
  "base64",
  "line",
];

/** Requests that break many rules, in which the client says nothing of its own but `said`. */
const requests = (said: string): readonly Parameters<typeof send>[1][] => [
  {},
  { path: "/v1/test-authentication?x" },
  { path: `/${said}` },
  { method: "POST" },
  { headers: { "X-Auth-Token": said } },
  { headers: { ...token, "User-Agent": "x", [`X-${said}`]: said } },
  { headers: { Host: `${said}:1` } },
  { headers: { Origin: `http://${said}` } },
  ...[
    'Username="me@example.com", PasswordDigest="x", Nonce="y"',
    'UsernameToken username=me, PasswordDigest=x, Nonce=y Created=""',
    `UsernameToken ${said}="x", Username="${said}", PasswordDigest="x", Nonce="y", Created="z"`,
    wsse({ nonce, secret: "other" }),
    wsse({ nonce, digest: "hex-digest", secret: "other" }),
    wsse({ nonce, now: 0 }),
  ].map((header) => ({ headers: { "X-WSSE": header } })),
];

/** All that an emulator with this secret and token says of the requests: to the client, in the log and in its list. */
async function saidWith(word: string, said: string): Promise<readonly string[]> {
  const account = { secret: word, token: word, username: "me@example.com" };
  const emulator = await startTestEmulator({ accounts: [account], explain: true });
  const bodies: string[] = [];
  for (const request of requests(said)) bodies.push((await send(emulator.url, request)).body);
  const all = [...bodies, ...emulator.log, ...emulator.requests.map((one) => JSON.stringify(one))];
  return all.map((line) =>
    line
      .replaceAll(`:${emulator.port}`, ":PORT")
      .replace(/(?<=characters?, this server's has |\[secret: )\d+|(?<=\] = )\d+/g, "N"),
  );
}

let unmasked: ReturnType<typeof saidWith> | undefined;

test.each([...words, ...others])(
  "with %s as secret and token, no word of the emulator's own is masked",
  async (word) => {
    unmasked ??= saidWith(neutral, "qqqq");
    expect(await saidWith(word, "qqqq")).toEqual(await unmasked);
  },
);

test.each([neutral, Buffer.from(neutral).toString("hex")])(
  "what the client says of a secret is masked as %s",
  async (form) => {
    expect((await saidWith(neutral, form)).join("\n")).not.toContain(form);
  },
);
