import { expect, test } from "vitest";
import { isLockOut } from "../../../src/check/diagnose/conclusions.ts";
import { replied } from "../../support/exchanges.ts";
import { attempted } from "./means.ts";

const refusedWith = (body: object) => attempted(replied({ status: 401, body: JSON.stringify(body) }));

test.each([
  { error: { message: "Account locked" } },
  { errors: [{ detail: "Account locked" }] },
  { errors: ["Account locked"] },
  { fault: { faultstring: "Too many failed logins" } },
  { message: "Unauthorized", errors: [{ detail: "Account locked" }] },
  { message: "Unauthorized", error: "account_locked" },
  { error: "ACCOUNT_LOCKED" },
  { error: { title: "UserLockedOut" } },
  { error: "TooManyAttempts" },
  { message: "too-many-attempts" },
  { message: "Lock out" },
])("words of a lock end a diagnosis wherever the server writes them: %j", (body) => {
  const refused = refusedWith({ errors: [{ detail: "No" }], message: "blocked, UNBLOCKED, deadlocked" });
  expect(isLockOut(refusedWith(body), refused)).toBe(true);
  expect(isLockOut(refused, refused)).toBe(false);
});
