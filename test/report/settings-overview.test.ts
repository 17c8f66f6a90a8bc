import { expect, test } from "vitest";
import { folderWith } from "../support/folder.ts";
import { runInProcess } from "../support/run.ts";

const rc = `baseUrl: https://api.example/v1
token: 0123456789abcdef0123456789abcdef01234567
secretFile: missing
profiles: { p: { timeout: 0 }, long-name: { username: me } }
`;
const environment = {
  REFERRAL_BASE_URL: "https://other.example",
  REFERRAL_TIMEOUT: "",
  REFERRAL_USERNAME: "me@example.com",
};

/** What a command prints, with the folder of the rc file as FOLDER. */
async function printed(rcText: string, isHome: boolean, ...args: readonly string[]): Promise<string> {
  const folder = folderWith({ ".referralrc": rcText });
  const place = isHome ? { homeFolder: folder } : { workingFolder: folder };
  const { stdout } = await runInProcess(["config", ...args], { ...place, environment });
  return stdout.replaceAll(folder, "FOLDER");
}

test("config prints every setting with its place, what it hides, and which credentials will be used", async () => {
  expect(await printed(rc, true)).toBe(`rc file        FOLDER/.referralrc (yours)
profiles       2, shown by config --all
baseUrl        https://other.example  REFERRAL_BASE_URL
               hides FOLDER/.referralrc:1
token          [secret]               FOLDER/.referralrc:2
               note 40 characters, the last four are 4567
tokenFile      -                      not set
tokenCommand   -                      not set
username       me@example.com         REFERRAL_USERNAME
secret         -                      not set
secretFile     [not found]            FOLDER/.referralrc:3
secretCommand  -                      not set
digest         text-nonce             default
hash           sha1                   default
authorization  none                   default
timeout        10                     default
               note REFERRAL_TIMEOUT is set and empty
retry          0                      default
concurrency    8                      default
maxWait        60                     default
proxy          -                      not set
caCert         -                      not set

will be used  token
will be used  username
withheld      secretFile: the file does not exist
`);
});

test("config names the profile, what is invalid, and where the rc file was found, if there is one", async () => {
  const ofProfile = await printed(rc, true, "--profile", "p");
  expect(ofProfile).toContain(
    "\nprofile        p\nbaseUrl        https://api.example/v1  FOLDER/.referralrc:1\n",
  );
  expect(ofProfile).toContain(
    "\n               invalid timeout in FOLDER/.referralrc, line 4 is not a number from",
  );
  const found = await printed("baseUrl: https://other.example\nsecret: x\n", false, "--token", "t");
  expect(found).toContain("rc file        FOLDER/.referralrc (found in the working tree)\nbaseUrl ");
  const none = await printed("baseUrl: https://api.example\n", false, "--no-config");
  expect(none).toContain("rc file        none\nbaseUrl ");
});

test("config --all prints one line for each profile, in columns", async () => {
  expect(await printed(rc, true, "--all")).toBe(
    `p          https://api.example/v1  token will be used, secretFile withheld, invalid timeout in FOLDER/.referralrc, line 4 is not a number from 0.001 to 86400
long-name  https://api.example/v1  username will be used, secretFile withheld
`,
  );
});

test("config --all prints the line of a profile that contradicts itself among the others'", async () => {
  const twice =
    "profiles: { good: { token: abc }, twice: { token: abc, tokenFile: x } }\nbaseUrl: https://a.example\n";
  const problem =
    "token in FOLDER/.referralrc, line 1 and tokenFile in FOLDER/.referralrc, line 1 set the same thing";
  expect(await printed(twice, true, "--all")).toBe(
    `good   https://a.example  token will be used\ntwice  -                  invalid ${problem}\n`,
  );
  const { exitCode, profiles } = JSON.parse(await printed(twice, true, "--all", "--json"));
  expect({ exitCode, profiles }).toMatchObject({
    exitCode: 3,
    profiles: [
      { profile: "good", problem: null },
      { profile: "twice", problem },
    ],
  });
  expect(await printed(twice, true, "--profile", "twice")).toBe("");
});
