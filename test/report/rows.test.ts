import { expect, test } from "vitest";
import { Rows } from "../../src/report/rows.ts";
import { reported } from "../support/outcomes.ts";

// Findings that differ only in the account's own line are kept once, so each text must come back as it was.
test.each([
  "token at a.jsonl:41",
  "token in row 41 of a.csv, and :41 again",
  "line 41 of --accounts is not a JSON object",
  "line 410, :414 and row 41x",
  'https://a.example:41/v1 says ":41" and {"code":41}',
  "nothing",
])("a text of line 41 is read as it was added: %s", (text) => {
  const finding = { id: "settings", certainty: "measured", message: text, fix: text } as const;
  const texts = { url: "https://a.example:41/", credential: text, headline: text, findings: [finding] };
  const rows = new Rows();
  for (const line of [41, 7, null])
    rows.add(reported({ ...texts, line, clock: { skewSeconds: 41, uncertaintySeconds: 1 } }));
  for (const row of rows) expect(row).toMatchObject({ ...texts, clock: { skewSeconds: 41 } });
});
