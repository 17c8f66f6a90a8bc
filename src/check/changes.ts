import type { Advice } from "../settings/advice.ts";
import type { DigestAlgorithm } from "../wsse/digest.ts";
import type { Credential, WrappedSecret } from "./credential.ts";
import type { Finding } from "./outcome.ts";
import { pasteWords } from "./paste-mistakes.ts";
import { repaired } from "./repair.ts";

type WsseCredential = Extract<Credential, { method: "wsse" }>;

/** One change of a refused credential. */
export interface Change {
  readonly id: Finding["id"];
  readonly original: Credential;
  apply(credential: Credential): Credential;
  /** Shown before the request goes out. */
  readonly announcement: string;
  /** The cause that is ruled out if it is refused. */
  readonly excluded: string;
  /** What is proved if it is accepted, after the words "accepted with". */
  readonly accepted: string;
  readonly fix: string;
}

/** The change that repairs the visible mistakes of a credential; null if it has none. */
export function repairChange(original: Credential, advice: Advice): Change | null {
  const repair = repaired(original);
  if (repair === null) return null;
  const names = repair.cleaned.map(({ name }) => `the ${name}`).join(" and ");
  const common = { original, apply: () => repair.credential };
  if (repair.swapped) {
    const cleaned = names === "" ? "" : `, and ${names} cleaned`;
    return {
      ...common,
      id: "username-secret-swapped",
      announcement: `username and secret swapped${cleaned}`,
      excluded: "swapped username and secret",
      accepted: `username and secret swapped${cleaned}`,
      fix: `Exchange the username (now set by ${advice.placeOf("username")}) and the secret (now set by ${advice.placeOf("secret")})`,
    };
  }
  const without = repair.cleaned
    .map(
      ({ name, mistakes }) => `the ${name} without ${mistakes.map((kind) => pasteWords[kind]).join(" and ")}`,
    )
    .join(" and ");
  const places = repair.cleaned.map(({ name }) => advice.placeOf(name)).join(" and ");
  return {
    ...common,
    id: "credential-cleaned",
    announcement: without,
    excluded: `paste mistakes in ${names}`,
    accepted: without,
    fix: `Set ${without} (now set by ${places})`,
  };
}

/** The change that uses the token as the secret. */
export function tokenChange(original: WsseCredential, token: WrappedSecret, advice: Advice): Change {
  return {
    id: "token-is-secret",
    original,
    apply: (credential) => (credential.method === "wsse" ? { ...credential, secret: token } : credential),
    announcement: "the token in place of the secret",
    excluded: "the token as the secret",
    accepted: "the token as the secret",
    fix: `Set the secret (now set by ${advice.placeOf("secret")}) to the token (now set by ${advice.placeOf("token")})`,
  };
}

/** The change that adds the Authorization field. */
export function fieldChange(original: WsseCredential, advice: Advice): Change {
  return {
    id: "authorization",
    original,
    apply: (credential) =>
      credential.method === "wsse" ? { ...credential, authorization: "wsse" } : credential,
    announcement: 'with the field Authorization: WSSE profile="UsernameToken"',
    excluded: "a missing Authorization field",
    accepted: "`authorization: wsse`",
    fix: advice.fixFor("authorization", "wsse"),
  };
}

/** The change to another digest convention or hash. */
export function conventionChange(
  original: WsseCredential,
  { digest, hash }: DigestAlgorithm,
  advice: Advice,
): Change {
  const settings = (
    [
      ["digest", digest],
      ["hash", hash],
    ] as const
  ).filter(([name, value]) => original[name] !== value);
  return {
    id: "digest-convention",
    original,
    apply: (credential) => (credential.method === "wsse" ? { ...credential, digest, hash } : credential),
    announcement: `digest ${digest} with ${hash}`,
    excluded: "the other digest conventions and hashes",
    accepted: settings.map(([name, value]) => `\`${name}: ${value}\``).join(" and "),
    fix: settings.map(([name, value]) => advice.fixFor(name, value)).join(". "),
  };
}
