import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { leaks, planted } from "../support/planted.ts";
import { type Run, ways } from "../support/run.ts";
import { acceptance, canary } from "./places.ts";

/** A checkout whose rc file names a host and this file for the token, and a file of the user outside the checkout. */
async function checkout(tokenFile: (outside: string) => string) {
  const listener = await canary(acceptance);
  const outside = folderWith({ id_ed25519: `${planted.token}\n` });
  const tree = folderWith({
    "token.txt": `${planted.token}\n`,
    "sub/token.txt": `${planted.token}\r\n`,
  });
  const rc = {
    baseUrl: `http://127.0.0.1:${listener.port}`,
    tokenFile: tokenFile(join(outside, "id_ed25519")),
  };
  symlinkSync(join(outside, "id_ed25519"), join(tree, "linked"));
  symlinkSync(outside, join(tree, "linked-folder"));
  symlinkSync("sub/token.txt", join(tree, "linked-inside"));
  symlinkSync("/proc/self/environ", join(tree, "environ"));
  symlinkSync("linked-to-itself", join(tree, "linked-to-itself"));
  execFileSync("mkfifo", [join(tree, "fifo")]);
  return { listener, tree, rc };
}

/** Puts the rc file into the tree; readable by the user alone. */
function withRc(tree: string, rc: object): string {
  writeFileSync(join(tree, ".referralrc"), JSON.stringify(rc), { mode: 0o600 });
  return tree;
}

function holdsNothing(run: Run): void {
  expect(run).toMatchObject({ exitCode: 3, stdout: "" });
  expect(leaks(run.everything)).toEqual([]);
}

describe.each(ways)("an rc file found in the working tree, %s,", (_, run) => {
  test.each<readonly [string, (outside: string) => string, string]>([
    ["an absolute path", (outside) => outside, "outside its own folder"],
    ["a path with ..", () => "../id_ed25519", ""],
    ["a path that leads out and back in", (outside) => `sub/../..${outside}`, ""],
    ["a link to a file outside", () => "linked", "outside its own folder"],
    ["a path through a link to a folder outside", () => "linked-folder/id_ed25519", "outside its own folder"],
    ["a link to /proc/self/environ", () => "environ", "outside its own folder"],
    ["a link that leads back to itself", () => "linked-to-itself", "back to itself"],
    ["its own folder", () => ".", "outside its own folder"],
    ["the home folder as shells write it", () => "~/.ssh/id_ed25519", "does not exist"],
    ["a file of the home folder", () => "~/of-home.txt", "outside its own folder"],
    ["a pipe", () => "fifo", "not a regular file"],
    ["/dev/stdin", () => "/dev/stdin", "outside its own folder"],
    ["standard input", () => "-", "standard input"],
  ])("may not name %s", async (_name, tokenFile, message) => {
    const { listener, tree, rc } = await checkout(tokenFile);
    const workingFolder = withRc(tree, rc);
    const result = await run(["test"], {
      workingFolder,
      homeFolder: folderWith({ "of-home.txt": planted.token }),
      stdin: planted.token,
      environment: { P: planted.token },
    });
    holdsNothing(result);
    expect(result.stderr).toContain(message);
    expect(listener.connections()).toBe(0);
  });

  test.each(["token.txt", "./sub/token.txt", "sub/../token.txt", "linked-inside"])(
    "may name %s, beneath its own folder, and the token in it goes to a base URL of yours alone",
    async (name) => {
      const { listener, tree, rc } = await checkout(() => name);
      const workingFolder = withRc(tree, rc);
      const refused = await run(["test"], { workingFolder });
      holdsNothing(refused);
      expect(refused.stderr.replace(/\s+/g, " ")).toMatch(/give --base-url yourself, or .* --config /);
      expect(listener.connections()).toBe(0);

      const result = await run(["test", "--base-url", rc.baseUrl], { workingFolder });
      expect(result).toMatchObject({ exitCode: 0, stderr: "" });
      expect(listener.connections()).toBe(1);
      expect(listener.received().toLowerCase()).toContain(`x-auth-token: ${planted.token}\r\n`);
      expect(leaks(result.everything)).toEqual([]);
    },
  );

  test("counts from the folder in which it lies, not from the working directory", async () => {
    const { listener, tree, rc } = await checkout(() => "token.txt");
    withRc(tree, rc);
    const args = ["test", "--base-url", rc.baseUrl];
    const result = await run(args, { workingFolder: join(tree, "sub") });
    expect(result.exitCode).toBe(0);
    expect(listener.connections()).toBe(1);
  });

  test("may name any file once the user names the rc file", async () => {
    const { listener, tree, rc } = await checkout((outside) => outside);
    const workingFolder = withRc(tree, rc);
    const result = await run(["test", "--config", ".referralrc"], { workingFolder });
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(listener.connections()).toBe(1);
  });

  test.each([
    ["secretFile", { username: planted.username, secretFile: "/etc/hostname" }],
    [
      "caCert",
      { token: planted.token, baseUrl: "https://127.0.0.1:1", caCert: "/etc/ssl/certs/ca-certificates.crt" },
    ],
    [
      "caCert through ..",
      { token: planted.token, baseUrl: "https://127.0.0.1:1", caCert: "../../../../../etc/hostname" },
    ],
  ])("is held to the same with %s", async (_name, more) => {
    const { listener, tree, rc } = await checkout(() => "token.txt");
    const { tokenFile: _tokenFile, ...rest } = rc;
    const result = await run(["test"], { workingFolder: withRc(tree, { ...rest, ...more }) });
    holdsNothing(result);
    expect(result.stderr).toContain("outside its own folder");
    expect(listener.connections()).toBe(0);
  });
});
