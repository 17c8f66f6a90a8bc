// Recognises a username by its form, to notice a username and a secret that were swapped.

/**
 * Whether the whole text is an e-mail address, as the specification shows usernames (section 5.1). Its domain has a dot and
 * ends in letters: many passwords have an @.
 */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@]+@(?:[a-z0-9-]+\.)+[a-z]{2,}$/i.test(text);
}

/** Whether username and secret seem to be swapped. If so, never show the username: it is the secret. */
export function looksSwapped(username: string, secret: string): boolean {
  return isEmailAddress(secret) && !isEmailAddress(username);
}
