import { readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { textOf } from "../../support/pages.ts";
import { childNode } from "../../support/run.ts";
import { newest, printed, projectWith } from "./project.ts";

/** The files of each tool in examples/emulator. */
const filesOf = {
  vitest: ["client.cjs", "client.test.ts"],
  Jest: ["client.cjs", "client.jest.test.cjs"],
  pytest: ["client.py", "conftest.py", "test_client.py"],
  PHPUnit: ["Client.php", "ClientTest.php", "bootstrap.php"],
  "JUnit 5": ["Client.java", "ClientTest.java"],
  shared: ["client.cjs", "emulator.setup.js", "shared.test.js"],
};
const example = (name: string): string => textOf(`examples/emulator/${name}`);

type Tool = keyof typeof commands;

// What Maven does for the page: Debian has the jars, but not the plugins of Maven.
const junit = `jars=$(printf %s: /usr/share/java/{junit-jupiter,junit-platform,opentest4j,apiguardian,picocli,univocity}*[a-z].jar)
javac -cp "$jars" *.java && java -cp ".:$jars" org.junit.platform.console.ConsoleLauncher --scan-classpath`;

/** The command that docs/emulator.md has in the row of this tool. */
const onPage = (tool: string): string => {
  const row = textOf("docs/emulator.md").match(new RegExp(`^\\| ${tool} .*`, "m"))?.[0] ?? "";
  return `npx referral-auth ${/`(emulator --control [^`]+)`/.exec(row)?.[1]}`;
};

/** What runs the three tests of each tool, in the words of the page where it has some. */
const commands = {
  vitest: "npx vitest run",
  Jest: "npx jest",
  pytest: onPage("pytest"),
  PHPUnit: onPage("PHPUnit"),
  "JUnit 5": onPage("JUnit 5").replace("mvn test", "bash junit.sh"),
};
const tools = Object.keys(commands) as Tool[];

/** Suites that start an emulator themselves: how one runs, the file that starts it, and how that writes its URL into a file. */
const suites = [
  ["pytest", "pytest -p no:cacheprovider", "conftest.py", 'open("url", "w").write(emulator["url"])\n'],
  [
    "PHPUnit",
    "phpunit --bootstrap bootstrap.php ClientTest.php",
    "bootstrap.php",
    "file_put_contents('url', $emulator->url);\n",
  ],
] as const;

/** A project with the tool's files of the page, changed by `edit`. */
function projectOf(tool: Tool, edit: (text: string, name: string) => string = (text) => text): string {
  const own = filesOf[tool].map((name) => [name, edit(example(name), name)]);
  const folder = projectWith({ "junit.sh": junit, ...Object.fromEntries(own) });
  symlinkSync(join(newest, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Runs a command of bash with the tools of Debian, and resolves with what it prints once it and all its children have ended. */
function run(folder: string, tool: Tool, command: string): Promise<string> {
  // Vitest does not start on the oldest Node.
  const node = tool === "vitest" || tool === "Jest" ? process.execPath : childNode;
  const PATH = `${dirname(node)}:/usr/local/bin:/usr/bin:/bin`;
  return printed(folder, ["-c", command], "/bin/bash", { PATH, NO_COLOR: "1" });
}

const allPassed = /\b3 passed|OK \(3 tests,|\b3 tests successful/;

test.each(tools)("the three tests of examples/emulator pass in %s", async (tool) => {
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
  "they pass in %s by `%s`, or are killed, and the emulator that %s started is gone",
  async (...row) => {
    const [tool, command, starter, ask] = row;
    const kill = tool === "pytest" ? "os.kill(os.getpid(), 9)\n" : "posix_kill(getmypid(), 9);\n";
    for (const end of ["", kill]) {
      const folder = projectOf(tool, (text, name) => (name === starter ? text + ask + end : text));
      const said = await run(folder, tool, `${command} || true`);
      if (end === "") expect(said).toMatch(allPassed);
      const url = readFileSync(join(folder, "url"), "utf8");
      const reached = () => fetch(url).catch(({ message }: Error) => message);
      await expect.poll(reached, { timeout: 10_000 }).toBe("fetch failed");
    }
  },
);

test("one emulator for all files of vitest, as the page starts it, is steered by one of them", async () => {
  const config = 'export default { test: { globalSetup: "./emulator.setup.js" } };\n';
  const folder = projectWith({
    "vitest.config.mjs": config,
    "package.json": '{ "type": "module" }',
    ...Object.fromEntries(filesOf.shared.map((name) => [name, example(name)])),
  });
  expect(await run(folder, "vitest", `${join(newest, "node_modules/.bin/vitest")} run`)).toMatch(
    /\b1 passed/,
  );
});
