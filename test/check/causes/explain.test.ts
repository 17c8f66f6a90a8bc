import { expect, test } from "vitest";
import { replied } from "../../support/exchanges.ts";
import { explained } from "./found.ts";

test.each([
  [199, true],
  [200, true],
  [201, false],
])(
  "evidence stands beside its headline where both have 200 characters at most: %i, %s",
  (length, isShown) => {
    const page = (title: string) =>
      replied({ headers: { "content-type": "text/html" }, body: `<title>${title}</title>` });
    const told = (title: string) => {
      const { headline, findings, text } = explained({ exchange: page(title) });
      const [{ message } = { message: "" }] = findings;
      return { length: headline.length + message.length, message, shown: text.evidence };
    };
    const { length: usual } = told("x");
    const one = told("x".repeat(1 + length - usual));
    expect(one).toMatchObject({ length, shown: isShown ? one.message : null });
  },
);
