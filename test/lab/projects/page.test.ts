import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { emulate } from "../../support/emulate.ts";
import { blocksOf, recipe, textOf } from "../../support/pages.ts";
import { planted } from "../../support/planted.ts";
import { freePort } from "../../support/port.ts";
import { complaints, newest, projectWith } from "./project.ts";

const example = (name: string) => ({ heading: name, text: textOf(`examples/library/${name}.ts`) });
const health = example("health");
const programs = [
  ...blocksOf("docs/library.md").filter(({ language }) => language === "ts"),
  ...[health, example("axios"), example("undici")],
];
const account = { ...planted, username: "me@example.com" };
const environment = {
  TOKEN: planted.token,
  SECRET: planted.secret,
  TOKENS: Array(200).fill(planted.token).join(),
};

/** A program of the page in a project, with this base URL. */
const projectOf = (text: string, url: string): string =>
  projectWith({ "program.mts": text.replace("https://api.example.com/v1", url) });

const start = (cwd: string, more: object = {}) =>
  spawn(process.execPath, ["program.mts"], { cwd, env: { ...environment, ...more } });

test.each(programs)("the program of $heading compiles: %#", ({ text }) => {
  const options = [
    "--noEmit",
    "--lib",
    "es2023",
    "--types",
    "node",
    "--skipLibCheck",
    "--module",
    "nodenext",
  ];
  expect(complaints(newest, projectOf(text, "https://a.example"), ...options, "program.mts")).toBe("");
});

test("the tests of the emulator's page and of examples/emulator compile under strict", () => {
  const names = ["client.cjs", "client.d.cts", "client.test.ts"] as const;
  const files = Object.fromEntries(names.map((name) => [name, textOf(`examples/emulator/${name}`)]));
  const page = recipe("docs/emulator.md", "In your tests", "ts");
  const folder = projectWith({ ...files, "page.test.ts": page, "package.json": '{ "type": "module" }' });
  const options = ["--noEmit", "--types", "node", "--skipLibCheck", "--module", "nodenext"];
  expect(complaints(newest, folder, ...options, "client.test.ts", "page.test.ts")).toBe("");
});

test.each(programs.filter((program) => program !== health))(
  "the program of $heading is accepted by the API: %#",
  async ({ text, heading }) => {
    const api = await emulate({ accounts: [account] });
    const program = start(projectOf(text, api.url));
    const errors: string[] = [];
    program.stderr.on("data", (part) => void errors.push(`${part}`));
    const [code] = await once(program, "close");

    expect([code, errors.join("")]).toEqual([0, ""]);
    expect(api.requests.map(({ status }) => status)).toEqual(Array(heading === "Check" ? 200 : 1).fill(200));
  },
);

test("the service answers 200 requests at once with one check, and does not start without a token", async () => {
  const api = await emulate({ accounts: [account] });
  const folder = projectOf(health.text, api.url);
  const PORT = `${await freePort()}`;
  const service = start(folder, { PORT });
  onTestFinished(() => void service.kill());
  const ask = async (): Promise<number> => (await fetch(`http://127.0.0.1:${PORT}`)).status;
  await expect.poll(() => ask().catch(() => 0), { timeout: 20_000 }).toBe(200);

  const all = await Promise.all(Array.from({ length: 200 }, ask));

  expect(all).toEqual(Array(200).fill(200));
  expect(api.requests).toHaveLength(1);
  expect(await once(start(folder, { PORT, TOKEN: "" }), "close")).toEqual([1, null]);
});
