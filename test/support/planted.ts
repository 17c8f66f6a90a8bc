/** Credentials that no other text contains. Tests search for them in every output. */
export const planted = {
  username: "planted@example.com",
  secret: "pl4nted-s3cret-Zq8XvK2m",
  token: "c0ffee11deadbeef22c0ffee33deadbeef44c0ff",
} as const;

/** The forms in which a text could hide a secret. */
export function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret).toString("base64");
  return [
    secret,
    base64.replace(/=+$/, ""),
    Buffer.from(secret).toString("base64url"),
    Buffer.from(secret).toString("hex"),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
}

/** The forms of the planted secrets that the text holds; empty in a text that leaks nothing. */
export const leaks = (text: string, secrets: readonly string[] = [planted.secret, planted.token]) =>
  secrets.flatMap((secret) => formsOf(secret).filter((form) => text.includes(form)));
