import { type Fix, fix, nowSet, setTo } from "../../settings/fix.ts";
import type { ConventionName, HashName } from "../../wsse/digest.ts";
import { shiftInWords } from "../clock.ts";
import type { Credential, SigningCredential, WrappedSecret } from "../credential.ts";
import { pasteWords } from "../paste-mistakes.ts";
import { cleanedParts } from "../repair.ts";
import type { Finding } from "../result.ts";

/** What a request authenticates with. */
export interface Variant {
  /** Null for a request without credentials. */
  readonly credential: Credential | null;
  /** Added to the clock for Created. */
  readonly shiftSeconds: number;
}

/** One change of a refused request. */
export interface Change {
  readonly id: Finding["id"];
  apply(variant: Variant): Variant;
  /** Shown before the request goes out. */
  readonly announcement: string;
  /** The cause that is ruled out if it is refused. */
  readonly excluded: string;
  /** What is proved if it is accepted, after the words "accepted with". */
  readonly accepted: string;
  readonly fix: Fix;
  /** The words of the proof if no other change is needed. */
  readonly alone?: Pick<Finding<Fix>, "message" | "fix">;
}

/** A change that sets these fields of a WSSE credential. */
const settingOf =
  (fields: Partial<SigningCredential>): Change["apply"] =>
  ({ credential, shiftSeconds }) => ({
    credential: credential?.method === "wsse" ? { ...credential, ...fields } : credential,
    shiftSeconds,
  });

/** The request without credentials. */
export const withoutCredential: Change = {
  id: "no-authentication",
  apply: () => ({ credential: null, shiftSeconds: 0 }),
  announcement: "without credentials, to see whether the response differs",
  excluded: "a header lost on the way",
  accepted: "no credentials",
  fix: [],
  alone: {
    message: "accepted without credentials: the server does not check them",
    fix: fix`Check the base URL ${nowSet("baseUrl")}: this endpoint may be a stand-in, or have its authentication switched off`,
  },
};

/** The change that adds so many seconds to the clock for Created. */
export function clockChange(shiftSeconds: number): Change {
  const accepted = `Created ${shiftInWords(shiftSeconds)}`;
  return {
    id: "clock",
    apply: ({ credential }) => ({ credential, shiftSeconds }),
    announcement: accepted,
    excluded: "the clock",
    accepted,
    fix: fix`Also set this machine's clock by NTP`,
    alone: {
      message: `accepted with ${accepted}: only the time was wrong`,
      fix: fix`Set this machine's clock by NTP, for example with: timedatectl set-ntp true`,
    },
  };
}

/** The changes that remove paste mistakes, one for each part of the credential that has any. */
export function cleaningChanges(original: Credential): readonly Change[] {
  return cleanedParts(original).map(({ name, mistakes, clean }) => {
    const without = `the ${name} without ${mistakes.map((kind) => pasteWords[kind]).join(" and ")}`;
    return {
      id: "credential-cleaned",
      apply: ({ credential, shiftSeconds }) => ({
        credential: credential && clean(credential),
        shiftSeconds,
      }),
      announcement: without,
      excluded: `paste mistakes in the ${name}`,
      accepted: without,
      fix: fix`Set ${without} ${nowSet(name)}`,
    };
  });
}

/** The change that uses the token as the secret. */
export function tokenChange(token: WrappedSecret): Change {
  return {
    id: "token-is-secret",
    apply: settingOf({ secret: token }),
    announcement: "the token in place of the secret",
    excluded: "the token as the secret",
    accepted: "the token as the secret",
    fix: fix`Set the secret ${nowSet("secret")} to the token ${nowSet("token")}`,
  };
}

/** The change that adds the Authorization field. */
export const fieldChange: Change = {
  id: "authorization",
  apply: settingOf({ authorization: "wsse" }),
  announcement: 'with the field Authorization: WSSE profile="UsernameToken"',
  excluded: "a missing Authorization field",
  accepted: "`authorization: wsse`",
  fix: setTo("authorization", "wsse"),
};

/** The change to another digest convention, or to another hash. */
export function conventionChange(
  setting: { readonly digest: ConventionName } | { readonly hash: HashName },
): Change {
  const [name, value] =
    "digest" in setting ? (["digest", setting.digest] as const) : (["hash", setting.hash] as const);
  return {
    id: "digest-convention",
    apply: settingOf(setting),
    announcement: `${name} ${value}`,
    excluded: "the other digest conventions and hashes",
    accepted: `\`${name}: ${value}\``,
    fix: setTo(name, value),
  };
}
