import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { Socket } from "node:net";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { fileKey, openTarget, removeFile, writeFile } from "../../src/system/file-writing.ts";
import { folderWith, namedPipe } from "../support/folder.ts";

const never = new AbortController().signal;
const write = async (path: string, content: string, interrupted = never): Promise<void> =>
  openTarget(path, false).write([content], interrupted);

/** A named pipe that somebody has open, and reads when told. */
function readPipe() {
  const pipe = namedPipe();
  const descriptor = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const read = () => text(new Socket({ fd: descriptor, readable: true, writable: false }));
  return { pipe, read, leave: () => closeSync(descriptor) };
}

/** A link to this path, in a folder of its own. */
function linkTo(target: string): string {
  const link = join(folderWith(), "link");
  symlinkSync(target, link);
  return link;
}

const moreThanAPipeHolds = "0123456789".repeat(100_000);
const problem = (code: string) => expect.objectContaining({ name: "FileProblem", code });

test("a new file takes the place of the old one, with its mode, and until then the old one stands there", async () => {
  const folder = folderWith({ report: "old and longer" });
  const file = join(folder, "report");
  const target = openTarget(file, false);
  expect([readFileSync(file, "utf8"), readdirSync(folder).length]).toEqual(["old and longer", 2]);
  await target.write(["n", "ew"], never);
  target.close();
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["new", 0o600]);
  expect(readdirSync(folder)).toEqual(["report"]);
});

test("an output that is given up leaves the old file and nothing else", () => {
  const folder = folderWith({ report: "old", "report.1.tmp": "another program's" });
  openTarget(join(folder, "report"), false).close();
  expect(readdirSync(folder).toSorted()).toEqual(["report", "report.1.tmp"]);
});

test("where writing fails, neither a half new nor an old file stays", async () => {
  const folder = folderWith({ report: "old" });
  function* pieces() {
    yield "half";
    throw Object.assign(new Error(), { code: "EIO" });
  }
  await expect(openTarget(join(folder, "report"), false).write(pieces(), never)).rejects.toThrow(
    problem("EIO"),
  );
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ["a folder", "EISDIR", () => join(folderWith({ "report/inside": "" }), "report")],
  ["a named pipe that nobody reads, which is not waited for", "ENXIO", namedPipe],
])("%s cannot be opened, and nothing is left beside it", async (_, code, pathOf) => {
  const path = pathOf();
  expect(() => openTarget(path, false)).toThrow(problem(code));
  await expect(writeFile(path, "new", 0o600)).rejects.toThrow(problem("NOT_REGULAR"));
  removeFile(path);
  expect(readdirSync(dirname(path))).toEqual([basename(path)]);
});

test("adds to the end of a file, through a link too, and to a folder is a FileProblem", async () => {
  const folder = folderWith({ summary: "a" });
  for (const path of [join(folder, "summary"), linkTo(join(folder, "summary"))])
    await openTarget(path, true).write(["b"], never);
  expect(readFileSync(join(folder, "summary"), "utf8")).toBe("abb");
  expect(() => openTarget(folder, true)).toThrow(problem("EISDIR"));
});

test("writes to a named pipe, which stays one, and of which a slow reader gets all", async () => {
  const { pipe, read } = readPipe();
  const writing = write(pipe, moreThanAPipeHolds);
  expect(await read()).toBe(moreThanAPipeHolds);
  await writing;
  expect(statSync(pipe).isFIFO()).toBe(true);
});

test.each([
  ["an interruption ends waiting for a slow reader", "abort", new Error("interrupted")],
  ["a reader that leaves is a FileProblem", "leave", problem("EPIPE")],
])("%s", async (_, event, error) => {
  const { pipe, leave } = readPipe();
  const interruption = new AbortController();
  const writing = write(pipe, moreThanAPipeHolds, interruption.signal);
  if (event === "leave") leave();
  else interruption.abort(error);
  await expect(writing).rejects.toThrow(error);
  if (event !== "leave") leave();
});

describe("a link is replaced and never followed:", () => {
  const other = 12_345;
  test.each(["file", "missing", "link", "/dev/null", "folder"])("one to %s", async (target) => {
    for (const owner of process.getuid?.() === 0 ? [0, other] : [process.getuid?.() ?? 0]) {
      const folder = folderWith({ file: "kept", "folder/inside": "kept" });
      const link = join(folder, "link");
      for (const make of [() => write(link, "new"), () => writeFile(link, "new", 0o600)]) {
        symlinkSync(target, link);
        lchownSync(link, owner, owner);
        // As /tmp: everyone can put a link here.
        chmodSync(folder, 0o1777);
        await make();
        expect([lstatSync(link).isFile(), readFileSync(link, "utf8")]).toEqual([true, "new"]);
        removeFile(link);
      }
      expect(readdirSync(folder).toSorted()).toEqual(["file", "folder"]);
      expect(readFileSync(join(folder, "file"), "utf8")).toBe("kept");
    }
  });
});

test("a ready file has its own mode, whatever stood there", async () => {
  const file = join(folderWith({ ready: "old" }), "ready");
  chmodSync(file, 0o666);
  await writeFile(file, "new", 0o600);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

describe("a descriptor of this process", () => {
  /** Runs a script in a Node of its own, whose descriptors the shell has opened. */
  function run(redirections: string, script: string, files: Readonly<Record<string, string>> = {}) {
    const folder = folderWith(files);
    const { href } = new URL("../../src/system/file-writing.ts", import.meta.url);
    const all = `import { openTarget, writeFile } from ${JSON.stringify(href)};
      const write = async (path, text) => openTarget(path, false).write([text], new AbortController().signal);
      const tryTo = (path) => write(path, "report\\n").then(() => "written", ({ code }) => code);
      ${script}`;
    const words = ['"$0" --input-type=module -e "$1"', redirections].join(" ");
    const stdout = execFileSync("bash", ["-c", words, process.execPath, all], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    return { stdout, read };
  }

  test("/dev/stdout is where standard output goes, at the place that it has come to", () => {
    const script = `await write("/dev/stdout", "report\\n"); process.stdout.write("after\\n");`;
    expect(run(">> log", script, { log: "before\n" }).read("log")).toBe("before\nreport\nafter\n");
  });

  test("above 2 is taken if it is a file, or certainly the caller's", () => {
    const script = `for (const path of ["/dev/fd/9", "/proc/self/fd/9", "/dev/fd/63"]) console.log(await tryTo(path));`;
    const { stdout, read } = run("9>> log 63> >(cat > piped; echo > done)", script);
    expect(stdout).toBe("written\nwritten\nwritten\n");
    expect(read("log")).toBe("report\nreport\n");
  });

  test("above 2 is refused if it may be Node's own, or is not open, and a ready file never is one", () => {
    const script = `const results = [];
      for (let fd = 3; fd < 40; fd += 1) results.push(await tryTo("/dev/fd/" + fd));
      console.log([...new Set(results)].toSorted().join());
      for (const path of ["/dev/stdout", "/dev/stdin", "/dev/fd/1"])
        console.log(await writeFile(path, "x", 0o600).catch(({ code }) => code));`;
    expect(run("", script).stdout).toBe("EBADF,NODES_OWN\nNOT_REGULAR\nNOT_REGULAR\nNOT_REGULAR\n");
  });
});

// test/settings/output-paths.test.ts shows which paths are one file.
test("a device and a pipe have no key, as a standard stream; one that is redirected to a file has that file's", () => {
  expect(["/dev/null", namedPipe()].map(fileKey)).toEqual([null, null]);
  const folder = folderWith({ in: "", out: "" });
  const files = ["in", "out"].map((name) => join(folder, name));
  const { href } = new URL("../../src/system/file-writing.ts", import.meta.url);
  const script = `const { fileKey } = await import(process.argv[1]);
    const keys = ["/dev/stdin", "/dev/fd/1", "/dev/stderr", "/dev/fd/99"].map(fileKey);
    console.error(JSON.stringify(keys));`;
  const stdio = [...files.map((file) => openSync(file, "r")), "pipe" as const];
  const args = ["--input-type=module", "--eval", script, href];
  const { stderr } = spawnSync(process.execPath, args, { stdio, encoding: "utf8" });
  expect(JSON.parse(stderr)).toEqual([...files.map(fileKey), null, null]);
});

test("the temporary file of a report has a name that nobody foresees", async () => {
  const folder = folderWith();
  const open = [1, 2].map(() => openTarget(join(folder, "report"), false));
  const names = readdirSync(folder);
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name).toMatch(/^report\.[0-9a-f]{12}\.tmp$/);
  for (const target of open) target.close();
});
