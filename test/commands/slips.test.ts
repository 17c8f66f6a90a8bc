import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildProgram } from "../../src/app.ts";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { contextOf, runInProcess } from "../support/run.ts";
import { textOfCases } from "../support/texts.ts";

/** A command line, with variables before it, and files of the working folder. S3CRET is planted, URL leads to a server. */
type Slip = readonly [line: string, files?: Readonly<Record<string, unknown>> | undefined];

const token = `REFERRAL_TOKEN=${planted.token}`;
const profile = (own: object, top = {}) => ({ ".referralrc": { ...top, profiles: { p: own } } });
const inBraces = ["$" + "{S3CRET}", "$" + "{{secrets.S3CRET}}", "{{S3CRET}}"];

const subjects: Readonly<Record<string, readonly Slip[]>> = {
  "misspelt variables": [
    ["REFERRAL_TOKN=S3CRET test --base-url URL"],
    ["REFERAL_TOKEN=S3CRET header --token"],
    ["REFERRAL_BASEURL=S3CRET REFERRAL_URL=S3CRET REFERRAL_PROXY=S3CRET REFERRAL_TOKEN=S3CRET test"],
    // A name that may be a secret is not shown, and an empty variable or one of others is none.
    [`REFERRAL_${"x".repeat(40)}=1 REFERRAL_TOKN= MY_REFERRAL_TOKEN=x REF_TOKEN=x test --base-url URL`],
    ["REFERRAL_TOKN=S3CRET test --profile p --base-url URL", profile({})],
    ["REFERRAL_TOKEN= test --base-url URL"],
    // A run that needs nothing says nothing.
    [`REFERRAL_TOKN=S3CRET ${token} test --base-url URL --quiet`],
  ],
  placeholders: [
    // test/wsse/characters.test.ts has which texts are placeholders.
    [`test --token=${inBraces[0]} --base-url URL`],
    [`REFERRAL_USERNAME=${inBraces[1]} REFERRAL_SECRET=S3CRET header --wsse`],
    ["test --base-url URL", { ".referralrc": { token: inBraces[2] } }],
    [`${token} test --base-url URL --timeout=${inBraces[0]}`],
    [`${token} REFERRAL_PROXY=x HTTPS_PROXY=${inBraces[0]} test --base-url https://api.example.com`],
    ["test --base-url URL --token-file file", { file: inBraces[2] }],
    [`test --base-url URL --token-file ${inBraces[0]}`],
    [`${token} test --base-url URL --junit ${inBraces[0]}`],
    // The list counts where the proxy of a variable does.
    [`${token} NO_PROXY=${inBraces[0]} HTTPS_PROXY=http://127.0.0.1:1 test --base-url https://192.0.2.1:1`],
    [`${token} NO_PROXY=${inBraces[0]} test --base-url URL --quiet`],
    // A template of Go is a word of many programs.
    [
      "test --base-url URL --quiet --config rc",
      { rc: { tokenCommand: ["sh", "-c", `echo ${planted.token}`, "{{.data.token}}"] } },
    ],
    [`${token} test --base-url URL --resolve ${inBraces[0]}`],
    [`test --base-url URL --accounts file`, { file: `{"token":"${inBraces[0]}"}\n` }],
    [`emulator --token=${inBraces[0]} true`],
    // A part is enough in a URL, but not in its user information.
    [`${token} test --base-url https://$S3CRET/v1`],
    ...["http://u:{{S3CRET}}@127.0.0.1:1", "http://$S3CRET:3128"].map(
      (url) => [`${token} test --base-url https://127.0.0.1:1 --proxy ${url}`] as const,
    ),
  ],
  places: [
    ["REFERRAL_PROFILE=nope config", profile({})],
    ["test --profile p --profile nope --profile other", profile({})],
    ["REFERRAL_PROFILE=p REFERRAL_CONFG=/S3CRET config"],
    // A name may hold these characters, and only where it is not found they are told.
    ["REFERRAL_PROFILE=p\u00a0 config", profile({})],
    ["REFERRAL_PROFILE=O\u2019Reilly header --token", { ".referralrc": "profiles: { O\u2019Reilly: {} }" }],
    [`REFERRAL_PROFILE=${inBraces[0]} config`, profile({})],
    // The rc file of the working folder hides that of the home folder, in which a fault is nothing.
    ["test --profile mine", { ...profile({}), "home/.referralrc": { profiles: { mine: {} } } }],
    ["test --profile mine", { ...profile({}), "home/.referralrc": "a: b: c" }],
    ["test --token-file=~/S3CRET"],
    // Names of files may hold these characters: they are told where there is no such file.
    ...["--accounts", "--config"].map(
      (option) => [`${token} test --base-url URL ${option}=file\u00a0`, { file: "x" }] as const,
    ),
    ["test --base-url URL --token-file=file\u00a0", { file: "x" }],
    ["emulator --cert file\u00a0 --key file", { file: "x" }],
    ["REFERRAL_TOKEN_FILE=~me/S3CRET test --base-url URL"],
  ],
  "half a credential": [
    [`${token} REFERRAL_USERNAME=me@example.com REFERRAL_SECRET= test --base-url URL --quiet`],
    [
      `REFERRAL_TOKEN= REFERRAL_USERNAME=${planted.username} REFERRAL_SECRET=S3CRET test --base-url URL --quiet`,
    ],
    ["test --profile p --base-url URL --quiet", profile({ token: planted.token }, { secret: "S3CRET" })],
    // Silent: a username alone, a method that is asked for, a profile's own token, and lines of --accounts.
    [`${token} REFERRAL_USERNAME=me@example.com test --base-url URL --quiet`],
    [`${token} REFERRAL_SECRET= test --token --base-url URL --quiet`],
    ["REFERRAL_SECRET= test --profile p --base-url URL --quiet", profile({ token: planted.token })],
    [
      "REFERRAL_SECRET= test --accounts file --base-url URL --quiet",
      { file: `{"token":"${planted.token}"}` },
    ],
    // An error anyway.
    [`${token} REFERRAL_SECRET=S3CRET REFERRAL_USERNAME= test --base-url URL --quiet`],
  ],
};

/** What a run says: its code and the text of its error or warning; and whether it sent anything. */
async function told([line, files = {}]: Slip, url: string, more: Readonly<Record<string, string>> = {}) {
  const folder = folderWith(JSON.parse(JSON.stringify(files).replaceAll("S3CRET", planted.secret)));
  const words = line
    .replaceAll("S3CRET", planted.secret)
    .replace(/ URL(?= |$)/g, ` ${url}`)
    .split(" ");
  const start = words.findIndex((word) => !/^\w+=/.test(word));
  const environment = Object.fromEntries(
    words.slice(0, start).map((word) => [word.split("=", 1)[0] ?? "", word.replace(/^\w+=/, "")]),
  );
  const run = await runInProcess(words.slice(start), {
    ...{
      workingFolder: folder,
      environment: { ...environment, ...more },
      stdin: "x",
      nonce: randomBytes(20),
    },
    ...("home/.referralrc" in files && { homeFolder: join(folder, "home") }),
  });
  const text = (run.exitCode === 0 ? run.stderr : run.everything).replaceAll(folder, "FOLDER");
  return `${run.exitCode} ${text.replaceAll(url, "URL").trim().replace(/\s+/g, " ")}`;
}

const titled = ([line, files]: Slip): string =>
  files === undefined ? line : `${line} ${JSON.stringify(files).replaceAll('"', "")}`;

// The texts are changed with `npx vitest run test/commands --update`, and read as a diff. Every run holds no secret (support/run.ts).
describe("what people type and forget is told in the text beside this test:", () => {
  test.each(Object.keys(subjects))("%s", async (subject) => {
    const emulator = await emulate();
    const said: (readonly [string, string])[] = [];
    for (const slip of subjects[subject] ?? []) {
      const before = emulator.requests.length;
      const text = await told(slip, emulator.url);
      // Nothing is sent where something is refused.
      expect([slip, emulator.requests.length > before]).toEqual([slip, text.startsWith("0")]);
      // The same in JSON and as an annotation, of which support/run.ts looks for secrets too.
      expect(await told([`${slip[0]} --json`, slip[1]], emulator.url, { GITHUB_ACTIONS: "true" })).not.toBe(
        "",
      );
      said.push([titled(slip).replaceAll(planted.token, "TOKEN"), text]);
    }
    await expect(textOfCases(said)).toMatchFileSnapshot(`slips/${subject.replaceAll(" ", "-")}.txt`);
  });
});

test("an empty value is wrong usage, for every option of every command that takes one", async () => {
  const program = buildProgram(
    contextOf([]),
    () => {},
    () => {},
  );
  const options = program.commands.flatMap((command) =>
    command.options
      .filter(({ required, optional }) => required || optional)
      .map(({ long }) => [command.name(), long ?? ""]),
  );
  expect(options.length).toBeGreaterThan(50);
  for (const [command = "", long = ""] of options)
    for (const words of [[long, ""], [`${long}=`]]) {
      const { exitCode, stderr } = await runInProcess([command, "--json", ...words]);
      expect([exitCode, stderr.slice(0, 60)]).toEqual([
        2,
        expect.stringContaining(`Error: ${long} is empty`),
      ]);
    }
});
