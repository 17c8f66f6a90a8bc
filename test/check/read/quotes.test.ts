import fc from "fast-check";
import { expect, test } from "vitest";
import { hiddenInFields } from "../../../src/check/read/quotes.ts";
import { read } from "../../support/exchanges.ts";

const sign = fc.constantFrom(..."aZ09-._~%!$&'*+,=: ");
const text = fc.string({ unit: sign, maxLength: 9 });
const hidden = "Zq8XvK2m";

test("of where a response leads, user information and what follows a sign of a session are shown nowhere", () => {
  const before = fc.constantFrom("https://", "//", "https:/\t/", "\\\\");
  const behind = fc.constantFrom(";", "?", "#", "%3B", "%3b");
  const names = fc.constantFrom("Location", "location ", "\tRefresh");
  const paths = text.map((path) => `/${path.replaceAll(":", "")}`);
  fc.assert(
    fc.property(names, before, text, text, paths, behind, (name, start, user, rest, path, sign) => {
      const value = `${start}${user.trim()}${hidden}${rest}@h.example${path}${sign}${rest}${hidden}${user}`;
      const pause = name.includes("R") ? "0; url=" : "";
      const line = `HTTP/1.1 302 No\r\n${name}: ${pause}${value}\r\nX-Kept: ${value}`;
      const [, shown, kept] = hiddenInFields(line).split("\r\n");
      expect(shown).toMatch(/h\.example/);
      expect(shown).not.toContain(hidden);
      expect(kept).toBe(`X-Kept: ${value}`);
      const headers = { [name.trim().toLowerCase()]: pause + value };
      expect(read({ status: 302, headers }).quotes.location ?? "").not.toMatch(new RegExp(hidden, "i"));
    }),
  );
});
