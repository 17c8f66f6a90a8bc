import { spawn } from "node:child_process";
import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { blocksOf, fileName, recipe } from "../../support/pages.ts";
import { childNode } from "../../support/run.ts";
import { newest, printed, projectWith } from "./project.ts";

/** The files of the page: the first line of a block names its file. */
const files = blocksOf("docs/emulator-in-tests.md").flatMap(({ heading, text }) => {
  const [, name] = fileName.exec(text) ?? [];
  return name === undefined ? [] : [{ heading, name, text }];
});

type Tool = "vitest" | "Jest" | "pytest" | "PHPUnit" | "JUnit 5";

// What Maven does for the page: Debian has the jars, but not the plugins of Maven.
const junit = `jars=$(printf %s: /usr/share/java/{junit-jupiter,junit-platform,opentest4j,apiguardian,picocli,univocity}*[a-z].jar)
javac -cp "$jars" *.java && java -cp ".:$jars" org.junit.platform.console.ConsoleLauncher --scan-classpath`;

/** What runs the three tests of each tool, in the words of the page where it has some. */
const commands: Readonly<Record<Tool, string>> = {
  vitest: "npx vitest run",
  Jest: "npx jest",
  pytest: recipe("docs/emulator-in-tests.md", "pytest", "bash"),
  PHPUnit: recipe("docs/emulator-in-tests.md", "PHPUnit", "bash"),
  "JUnit 5": recipe("docs/emulator-in-tests.md", "JUnit 5", "bash").replace("mvn test", "bash junit.sh"),
};
const tools = Object.keys(commands) as Tool[];

/** Suites of Debian: how one runs, the file with which it starts an emulator as its child, and how that asks a gate. */
const suites = [
  [
    "pytest",
    "pytest -p no:cacheprovider",
    "conftest.py",
    'from urllib.request import urlopen\nurlopen(os.environ["GATE"] + emulator["url"])\n',
  ],
  [
    "PHPUnit",
    "phpunit --bootstrap bootstrap.php ClientTest.php",
    "bootstrap.php",
    "file_get_contents(getenv('GATE') . $emulator->url);\n",
  ],
] as const;

/** A project with the tool's files of the page, changed by `edit`. */
function projectOf(tool: Tool, edit: (text: string, name: string) => string = (text) => text): string {
  const own = files
    .filter(({ heading }) => heading === tool || heading === "JavaScript")
    .map(({ name, text }) => [name, edit(text, name)]);
  const folder = projectWith({ "junit.sh": junit, ...Object.fromEntries(own) });
  symlinkSync(join(newest, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Runs a command of bash with the tools of Debian, and resolves with what it prints once it and all its children have ended. */
function run(folder: string, tool: Tool, command: string, more: object = {}): Promise<string> {
  // Vitest does not start on the oldest Node.
  const node = tool === "vitest" || tool === "Jest" ? process.execPath : childNode;
  const PATH = `${dirname(node)}:/usr/local/bin:/usr/bin:/bin`;
  return printed(folder, ["-c", command], "/bin/bash", { PATH, NO_COLOR: "1", ...more });
}

const allPassed = /\b3 passed|OK \(3 tests,|\b3 tests successful/;

test.each(tools)("the three tests of the page pass in %s", async (tool) => {
  expect(await run(projectOf(tool), tool, commands[tool])).toMatch(allPassed);
});

test.each(tools)("they fail in %s and name the reason if the client makes a wrong digest", async (tool) => {
  const mistaken = projectOf(tool, (text) => text.replace(/created( [+.] \$?secret)/, "nonce$1"));
  const failed = run(mistaken, tool, commands[tool]).catch((error: unknown) => error);
  const { code, stdout, stderr } = Object(await failed);
  expect(code).toBeGreaterThan(0);
  expect(stdout + stderr).toMatch(/rule['"]: ?['"]digest['"]/);
});

test.each(suites)(
  "they pass in %s with an emulator as a service that was started before",
  async (tool, command) => {
    const launcher = join(newest, "node_modules/referral-auth/bin/launch.cjs");
    const service = spawn(childNode, [launcher, "emulator", "--control", "--json"]);
    onTestFinished(() => void service.kill());
    const [line] = await once(createInterface(service.stdout), "line");
    const { url, accounts } = JSON.parse(line);
    const [{ token, username, secret }] = accounts;
    const credentials = { REFERRAL_TOKEN: token, REFERRAL_USERNAME: username, REFERRAL_SECRET: secret };
    const given = { REFERRAL_BASE_URL: url, ...credentials };
    expect(await run(projectOf(tool), tool, command, given)).toMatch(allPassed);
    // The file that starts an emulator has started none.
    expect(await (await fetch(`${url}/__emulator/requests`)).json()).toHaveLength(1);
  },
);

// It takes 19 s of processor time: more than a minute if other programs use the machine too.
test("they pass in 50 suites at once, each with an emulator as its child, and none is left", async () => {
  // A gate lets each suite wait until all have started their emulators.
  const urls = new Set<string>();
  const waiting: ServerResponse[] = [];
  const gate = createServer(({ url = "" }, response) => {
    urls.add(url.slice(1));
    if (waiting.push(response) === 50) for (const suite of waiting) suite.end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => gate.close().closeAllConnections());
  await once(gate, "listening");
  const GATE = `http://127.0.0.1:${(gate.address() as AddressInfo).port}/`;

  const all = await Promise.all(
    suites.flatMap(([tool, command, starter, ask]) => {
      const folder = projectOf(tool, (text, name) => (name === starter ? text + ask : text));
      return Array.from({ length: 25 }, () => run(folder, tool, command, { GATE }));
    }),
  );

  for (const text of all) expect(text).toMatch(allPassed);
  expect(urls.size).toBe(50);
  for (const url of urls) await expect(fetch(url)).rejects.toThrow("fetch failed");
}, 180_000);
