import { describe, expect, test } from "vitest";
import { absolutePath, pathExists, peekSecretFile } from "../../src/settings/named-file.ts";
import { flag, given, gone, rc, recording, variable } from "./recording.ts";

describe("a file that a setting names", () => {
  test("is read once for all accounts, and once more for another limit or by the rules of a found file", async () => {
    const { inputs, calls } = recording();
    for (const profile of ["a", "b", "b"]) {
      expect(String(await inputs.read(given("secret"), profile, 9))).toBe("content");
      await inputs.read(given("/own/secret"), profile, 9);
      await inputs.read(given("secret", rc("yours")), profile, 9);
      await inputs.read(given("secret", rc("found")), profile, 9);
      await inputs.read(given("/own/secret"), profile, 10);
    }
    expect(calls).toEqual([
      ["yours", "/working/secret", 9, false],
      ["yours", "/own/secret", 9, false],
      ["found", "/own/secret", 9],
      ["yours", "/own/secret", 10, false],
    ]);
  });

  test.each([
    ["~/secret", rc("yours"), "/home/me", "/home/me/secret"],
    ["~/secret", rc("yours"), null, "/own/~/secret"],
    ["~/secret", flag, "/home/me", "/working/~/secret"],
    ["in~/secret", rc("yours"), "/home/me", "/own/in~/secret"],
    ["/secret", variable, "/home/me", "/secret"],
  ])("by %s in %j with the home folder %s is %s", async (path, source, homeFolder, absolute) => {
    const { inputs, calls } = recording({ homeFolder });
    await inputs.read(given(path, source), null, 9);
    expect(calls).toEqual([["yours", absolute, 9, false]]);
  });

  test("may not be outside the folder of a found rc file, wherever a link leads", async () => {
    const links: Readonly<Record<string, string>> = { "/own/link": "/other/secret", "/own": "/own" };
    const { inputs } = recording({ realPath: (path) => links[path] ?? path });
    for (const path of ["link", "../other", "../own2/x", "."])
      await expect(inputs.read(given(path, rc("found")), null, 9)).rejects.toMatchObject({
        kind: "settings",
        message:
          "tokenFile in /own/rc, line 3 names a file outside its own folder; an rc file found in the working tree may not do that",
        hint: "Keep the file beneath /own, or name the rc file with --config /own/rc",
      });
  });

  const absent = "names a file that does not exist";
  const relative = (folder: string) => `Correct the path, which is absolute or relative to ${folder}`;
  test.each([
    [
      given("x"),
      `--token-file ${absent}`,
      `${relative("/working")}; to give the value itself, write - and type or pipe it`,
    ],
    [
      given("x", variable),
      `REFERRAL_TOKEN_FILE ${absent}`,
      `${relative("/working")}; to give the value itself, set REFERRAL_TOKEN or REFERRAL_SECRET`,
    ],
    [
      given("x", rc("found")),
      `tokenFile in /own/rc, line 3 ${absent}`,
      `${relative("/own")}; to give the value itself, use the key token or secret`,
    ],
    [given("x", { kind: "option", option: "caCert" }), `caCert ${absent}`, relative("/working")],
    [given("x", flag, "caCert"), `--token-file ${absent}`, relative("/working")],
  ])("and that does not exist is not shown: %j", async (setting, message, hint) => {
    const { inputs } = recording({
      readNamedFile: gone,
      readFile: gone,
      realPath: gone,
      fileExists: () => false,
    });
    await expect(inputs.read(setting, null, 9)).rejects.toMatchObject({ message, hint });
  });

  test("and that does not exist has no folder to start from if the working directory is gone", async () => {
    const { inputs } = recording({ readNamedFile: gone, fileExists: () => false, workingFolder: null });
    await expect(inputs.read(given("/x"), null, 9)).rejects.toMatchObject({
      hint: "Correct the path; to give the value itself, write - and type or pipe it",
    });
  });

  test("is shown in the error if it exists", async () => {
    const { inputs } = recording({ readNamedFile: gone });
    await expect(inputs.read(given("x"), null, 9)).rejects.toMatchObject({
      kind: "settings",
      message: "--token-file names /working/x, which does not exist",
      hint: "Check the path and its permissions",
    });
  });

  test("needs a working directory if its path is relative", () => {
    expect(() => absolutePath("x", null)).toThrow(
      expect.objectContaining({
        kind: "settings",
        message: "The working directory no longer exists",
        hint: "Change to an existing one, or write absolute paths",
      }),
    );
    expect(absolutePath("/x", null)).toBe("/x");
    const { context } = recording({ workingFolder: null });
    expect([pathExists(given("x"), context), pathExists(given("/x"), context)]).toEqual([false, true]);
    expect(pathExists(given("/x"), { ...context, fileExists: () => false })).toBe(false);
  });

  test("that cannot be read at once has no secret to hide, and a bug is no such file", () => {
    const peek = (content: string | (() => never), text = "x") => {
      const readFile = () =>
        typeof content === "string" ? { bytes: Buffer.from(content), mode: null, owner: null } : content();
      return peekSecretFile(given(text), 9, recording({ readFile, workingFolder: null }).context);
    };
    expect(peek("a\n\r\n", "/x")).toBe("a\n");
    expect(peek("a\n", "/x")).toBe("a");
    expect(peek("\r\na", "/x")).toBe("\r\na");
    expect([peek(gone, "/x"), peek("a", "relative")]).toEqual([null, null]);
    const bug = () => {
      throw new RangeError("bug");
    };
    expect(() => peek(bug, "/x")).toThrow("bug");
  });
});
