/** Whether a text is an e-mail address as a whole, which is what the specification shows of a username (section 5.1). */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}

/** Whether username and secret seem to be swapped: then the username is the secret, and is shown nowhere. */
export function looksSwapped(username: string, secret: string): boolean {
  return isEmailAddress(secret) && !isEmailAddress(username);
}
