import { isUint8Array } from "node:util/types";
import type { ClockAndRandom } from "../check/credential.ts";
import { wsseCredential } from "../check/prepare-credential.ts";
import { secretSetting } from "../settings/secret-reader.ts";
import { freshNonce, nonceBytes, usernameToken, wsseHeader } from "../wsse/header.ts";
import { fieldsOf, invalidOption } from "./option-values.ts";
import { accountOptions, settingsOfOptions } from "./options.ts";

// Created has four digits for the year.
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The X-WSSE header of the account. Throws InputError for an account, time or nonce that no header can carry. */
export function headerWith(account: unknown, freshness: unknown, fresh: ClockAndRandom): string {
  const settings = settingsOfOptions(accountOptions("account", account));
  const { credential } = wsseCredential(settings, secretSetting("secret", settings));
  const { now = fresh.now(), nonce = freshNonce(credential.digest, fresh.randomBytes) } = fieldsOf(
    "freshness",
    freshness,
  );
  if (!isUint8Array(nonce) || nonce.length !== nonceBytes)
    throw invalidOption("freshness.nonce", `is not ${nonceBytes} bytes`, "Leave it out for a random one");
  if (typeof now !== "number" || !(now >= 0 && now <= latest))
    throw invalidOption(
      "freshness.now",
      `is not a number from 0 to ${latest}`,
      "Leave it out for the default",
    );
  return wsseHeader(usernameToken({ ...credential, secret: credential.secret.reveal(), now, nonce }));
}
