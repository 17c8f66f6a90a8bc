import { expect, test } from "vitest";
import { emulate } from "../../support/emulate.ts";
import { recipe, recipes } from "../../support/pages.ts";
import { planted } from "../../support/planted.ts";
import { bash, machineWith } from "./machine.ts";

const hello = (url: string) =>
  fetch(`${url}/test-authentication`, { headers: { "X-Auth-Token": planted.token } })
    .then(async (response) => response.text().then(() => response.status))
    .catch(() => null);

test("the plan of the page is answered in its order", async () => {
  const api = await emulate({ control: true });
  const command = recipe("docs/emulator.md", "Steering", "bash");
  const run = await bash(machineWith(), command, { REFERRAL_BASE_URL: api.url });
  expect(run).toMatchObject({ exitCode: 0, stdout: "" });

  const statuses: (number | null)[] = [];
  for (let count = 0; count < 5; count += 1) statuses.push(await hello(api.url));
  expect(statuses).toEqual([503, 503, 200, null, 200]);
});

/** The names of the fields of an interface. */
const fieldsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name = ""]) => name);

test("the page shows every part of an answer, and every field of a request", async () => {
  const [answer = "", request = ""] = recipes("docs/emulator.md", "Steering", "ts");
  const api = await emulate();
  for (const part of fieldsOf(answer)) {
    // A known part is refused for its value.
    expect(() => api.answers([{ [part]: Symbol.iterator } as object])).toThrow(`answers[0].${part} `);
  }
  expect(() => api.answers([{ unknown: 1 } as object])).toThrow('"unknown"');
  await hello(api.url);
  expect(Object.keys(api.requests[0] ?? {}).toSorted()).toEqual(fieldsOf(request).toSorted());
  expect(fieldsOf(answer)).toHaveLength(7);
});

test("the emulator of the page has the accounts of its lines, and random ones for what they leave out", async () => {
  const command = recipe("docs/emulator.md", "Other programs", "bash").replace("npx ", "exec timeout 3 ");
  const run = await bash(machineWith(), command);
  const { accounts } = JSON.parse(run.stdout);
  expect(accounts).toMatchObject([
    { profile: "first", token: "first-token", username: "first@example.com", secret: "first-secret" },
    { username: "second@example.com", digest: "hex-digest", hash: "sha256", authorization: "wsse" },
    { digest: "text-nonce", token: expect.stringMatching(/^[0-9a-f]{40}$/) },
  ]);
});

test("the paths of the page are there, and methods that it does not name are not", async () => {
  const api = await emulate({ control: true });
  const rows = recipe("docs/emulator.md", "Steering", "text").matchAll(/^([A-Z]+) +(\/\S+)/gm);
  const named = [...rows].map(([, method = "", path = ""]) => ({ method, path }));
  expect(named.length).toBeGreaterThan(3);
  for (const { method, path } of named) {
    const { status } = await fetch(api.url + path, { method, ...(method === "PUT" && { body: "[]" }) });
    expect([200, 204]).toContain(status);
    expect((await fetch(api.url + path, { method: "POST" })).status).toBe(405);
  }
});
