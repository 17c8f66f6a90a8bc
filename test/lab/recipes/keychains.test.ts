import { expect, test } from "vitest";
import { emulate } from "../../support/emulate.ts";
import { blocksOf } from "../../support/pages.ts";
import { leaks, planted } from "../../support/planted.ts";
import { bash, machineWith } from "./machine.ts";

const [withPass = "", withOthers = ""] = blocksOf("docs/settings.md").flatMap(
  ({ heading, language, text }) => (heading === "Secrets from a command" && language === "yaml" ? text : []),
);

const key = "gpg --batch --quiet --passphrase '' --quick-gen-key me@example.com default default never";

/** What a user types who stores the token, and the page's rc file that fetches it. */
const stores = [
  [
    "pass",
    withPass,
    "north",
    `${key}\npass init me@example.com\necho "$STORED" | pass insert --multiline referral/north\n`,
  ],
  [
    "GNOME's keyring",
    withOthers,
    "linux-keyring",
    'printf pw | gnome-keyring-daemon --unlock --components=secrets\nprintf %s "$STORED" | secret-tool store --label referral service referral account linux-keyring\n',
  ],
] as const;

test.each(stores)("a token comes from %s, by the page's rc file", async (_, rc, profile, store) => {
  const api = await emulate();
  const machine = machineWith({ ".referralrc": rc.replace("https://api.example.com/v1", api.url) });
  const script = `{ ${store} } > stored 2>&1\nreferral-auth test --profile ${profile}; status=$?\ngpgconf --kill gpg-agent\nexit $status\n`;
  const given = { STORED: planted.token, XDG_RUNTIME_DIR: machine.folder };
  const run = await bash(machine, `dbus-run-session -- bash -c '${script.replaceAll("'", "'\\''")}'`, given);
  expect(run, run.everything).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^accepted /) });
  expect(leaks(run.everything)).toEqual([]);
});
