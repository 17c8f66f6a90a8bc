import { expect, test } from "vitest";
import { emulate } from "../support/emulate.ts";
import { folderWith } from "../support/folder.ts";
import { planted } from "../support/planted.ts";
import { runInProcess } from "../support/run.ts";
import { wsse } from "./diagnose.ts";

/** What a user can change to follow a fix: arguments, variables, and the text of the rc file. */
interface Situation {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly rc?: string;
}

const account = `username: ${planted.username}\nsecret: ${planted.secret}\n`;
const profile = `profiles:\n  live:\n    username: ${planted.username}\n    secret: ${planted.secret}\n`;
const live = ["--profile", "live"];
const [wrong, right] = ["digest: text-nonce\n", "digest: base64-nonce\n"];
const [flag, variable] = [["--digest", "base64-nonce"], { REFERRAL_DIGEST: "base64-nonce" }];

const useIt = "Use --digest base64-nonce";
const writeIt = "Write digest: base64-nonce into RC";
const either = `${useIt}, or set REFERRAL_DIGEST=base64-nonce (not set now)`;

// test/settings/advice.test.ts has every sentence. These show that to do what it says changes the request.
test.each<[string, Situation, string, Situation]>([
  [
    "a flag",
    { args: ["--digest", "text-nonce"], rc: account },
    `${useIt} (now set by --digest)`,
    { args: flag, rc: account },
  ],
  [
    "a variable",
    { environment: { REFERRAL_DIGEST: "text-nonce" }, rc: account },
    `${useIt} (now set by REFERRAL_DIGEST)`,
    { environment: { REFERRAL_DIGEST: "text-nonce" }, args: flag, rc: account },
  ],
  ["the rc file", { rc: account + wrong }, `${writeIt}, line 3 (now set there)`, { rc: account + right }],
  [
    "a profile",
    { args: live, rc: `${profile}    ${wrong}` },
    `${writeIt}, line 5 (now set there)`,
    { args: live, rc: `${profile}    ${right}` },
  ],
  ["the defaults, with an rc file", { rc: account }, `${writeIt} (not set now)`, { rc: right + account }],
  [
    "the defaults, of a profile",
    { args: live, rc: profile },
    `${writeIt}, below this profile (not set now)`,
    { args: live, rc: `${profile}    ${right}` },
  ],
  ["the defaults, by a flag", { environment: wsse }, either, { environment: wsse, args: flag }],
  ["the defaults, by a variable", { environment: wsse }, either, { environment: { ...wsse, ...variable } }],
])("a fix for a value of %s is followed literally, and works", async (_, before, fix, after) => {
  const { url } = await emulate({ digest: "base64-nonce" });
  const run = ({ args = [], environment, rc }: Situation, ...more: readonly string[]) => {
    const homeFolder = folderWith(rc === undefined ? {} : { ".referralrc": rc });
    const given = { homeFolder, environment: { REFERRAL_BASE_URL: url, ...environment } };
    return runInProcess(["test", "--wsse", ...args, ...more], given);
  };
  const refused = await run(before, "--diagnose", "--json");
  const [first] = refused.checks[0]?.findings ?? [];
  expect(first?.certainty).toBe("proved");
  expect(first?.fix.replace(/\S*\.referralrc/, "RC")).toBe(fix);
  expect(await run(after)).toMatchObject({ exitCode: 0, stderr: "" });
});
