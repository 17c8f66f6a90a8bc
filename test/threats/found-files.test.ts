import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RunInputs } from "../../src/settings/inputs.ts";
import type { SettingText } from "../../src/settings/levels.ts";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { contextOf, ways } from "../support/run.ts";
import { acceptance, canary } from "./places.ts";

/** A checkout with links, and the user's own file outside it and in the home folder. */
function checkout(files: Readonly<Record<string, unknown>> = {}) {
  const place = folderWith({
    id_ed25519: `${planted.token}\n`,
    "tree-of-another/token.txt": planted.token,
    "tree/token.txt": `${planted.token}\n`,
    "tree/sub/token.txt": `${planted.token}\n`,
    ...files,
  });
  const tree = join(place, "tree");
  const links = {
    linked: "../id_ed25519",
    folder: "..",
    inside: "sub/token.txt",
    environ: "/proc/self/environ",
  };
  for (const [name, target] of Object.entries({ ...links, loop: "loop" }))
    symlinkSync(target, join(tree, name));
  execFileSync("mkfifo", [join(tree, "fifo")]);
  return { place, tree };
}

/** Reads what the rc file of this checkout names; the home folder is around it. */
async function read(text: string, { place, tree }: ReturnType<typeof checkout>, setting = "tokenFile") {
  const source = {
    kind: "rc",
    file: join(tree, ".referralrc"),
    line: 1,
    key: setting,
    trust: "found",
  } as const;
  const inputs = new RunInputs(contextOf([], { homeFolder: place, stdin: planted.token }));
  const given: SettingText = { setting: setting as SettingText["setting"], text, source };
  if (setting === "caCert") return String(await inputs.certificates(given));
  return String(await inputs.read(given, null, 100));
}

const outside = "outside its own folder";
test.each([
  ["/id_ed25519", outside],
  ["../id_ed25519", outside],
  ["sub/../../id_ed25519", outside],
  ["../tree-of-another/token.txt", outside],
  ["linked", outside],
  ["folder/id_ed25519", outside],
  ["environ", outside],
  [".", outside],
  ["~/id_ed25519", outside],
  ["/dev/stdin", outside],
  ["loop", "back to itself"],
  ["~/.ssh/id_ed25519", "does not exist"],
  ["fifo", "not a regular file"],
])("an rc file found in the working tree may not name %s: %s", async (path, message) => {
  const made = checkout();
  const text = path === "/id_ed25519" ? join(made.place, path) : path;
  for (const setting of ["tokenFile", "secretFile", "caCert"]) {
    const error = await read(text, made, setting).catch(({ message }) => message);
    expect(error).toContain(message);
    expect(leaks(error)).toEqual([]);
  }
});

test.each(["token.txt", "./sub/token.txt", "sub/../token.txt", "inside"])(
  "it may name %s, beneath its own folder",
  async (path) => {
    expect(await read(path, checkout())).toBe(`${planted.token}\n`);
  },
);

describe.each(ways)("a token in a file that a found rc file names, %s,", (_, run) => {
  test("goes to a base URL of yours alone, and nowhere if the file is outside", async () => {
    const listener = await canary(acceptance);
    const rc = { baseUrl: `http://127.0.0.1:${listener.port}`, tokenFile: "token.txt" };
    const { tree } = checkout({
      "tree/.referralrc": rc,
      "tree/sub/.referralrc": { ...rc, tokenFile: "../../id_ed25519" },
    });
    for (const [folder, message] of [
      [tree, /give --base-url yourself, or .* --config /],
      [join(tree, "sub"), /outside its own folder/],
    ] as const) {
      const refused = await run(["test"], { workingFolder: folder });
      expect(refused).toMatchObject({ exitCode: 3, stdout: "" });
      expect(refused.stderr.replace(/\s+/g, " ")).toMatch(message);
      expect(leaks(refused.everything)).toEqual([]);
    }
    expect(listener.connections()).toBe(0);

    const config = join(tree, "sub/.referralrc");
    for (const args of [
      ["--base-url", rc.baseUrl],
      ["--config", config],
    ]) {
      const allowed = await run(["test", ...args], { workingFolder: tree });
      expect(allowed).toMatchObject({ exitCode: 0, stderr: "" });
      expect(leaks(allowed.everything)).toEqual([]);
    }
    expect(listener.connections()).toBe(2);
    expect(listener.received().toLowerCase()).toContain(`x-auth-token: ${planted.token}\r\n`);
  });
});
