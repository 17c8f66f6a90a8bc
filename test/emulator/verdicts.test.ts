import { expect, test } from "vitest";
import { answerTo, reasonText } from "../../src/emulator/answer.ts";
import { textOfCases } from "../support/texts.ts";
import { credentials, judgementOf } from "./support.ts";
import { disguises, subjects } from "./verdict-cases.ts";

// Each header has a Nonce of its own, which the worked example quotes.
const withoutNonces = (text: string): string => text.replace(/\b[0-9a-f]{40}(?=20\d\d-)/g, "NONCE");

// The texts are written with `npx vitest run test/emulator/verdicts.test.ts --update`, and read as a diff.
test.each(Object.entries(subjects))(
  "what is said of each of the %s stands in their text",
  async (name, cases) => {
    const said = Object.entries(cases).map(([title, { rules = {}, ...request }]) => {
      const judgement = judgementOf(request, rules);
      const { status, reasons, notes, account } = judgement;
      const who = rules.accounts === undefined ? [] : [`account ${rules.accounts.placeOf(account)}`];
      const whole = [reasonText(reasons), ...notes.map((note) => `note: ${note}`), ...who].join("; ");
      const log = withoutNonces(whole);
      const { headers, body } = answerTo(judgement, { explain: rules.explain ?? false });
      const { token, secret } = { ...credentials, ...rules };
      const [, digest = secret] = /PasswordDigest="([^"]{2,})"/.exec(`${request.headers?.["x-wsse"]}`) ?? [];
      for (const hidden of [token, secret, digest]) expect(log + body, title).not.toContain(hidden);
      expect(log, title).toMatch(/^[\x20-\x7e…]+$/);
      const received = ["answers", "origins"].includes(name) ? ` > ${JSON.stringify(headers)} ${body}` : "";
      return [title, `${status} ${log}${withoutNonces(received)}`] as const;
    });
    await expect(textOfCases(said)).toMatchFileSnapshot(`verdicts/${name}.txt`);
  },
);

// Of these, the value of PasswordDigest is changed as well.
const changed = ["arrows for equals signs"];
test.each(Object.entries(disguises).filter(([title]) => !changed.includes(title)))(
  "%s: it is named alone, without what follows from it",
  (_title, one) => {
    const { reasons } = judgementOf(one);
    expect(reasons).toEqual([
      {
        rule: "malformed",
        detail: expect.stringMatching(/^X-WSSE /),
        change: expect.stringMatching(/./),
      },
    ]);
  },
);
