import { escapeText } from "../report/escape.ts";
import type { Credentials } from "./credentials.ts";

const longestShown = 200;

/** Foreign text for a log or a message: escaped, cut, and left out where it holds the token or the secret. */
export function shownText(text: string, { token, secret }: Credentials): string {
  // A client that mixes up its settings puts a credential into a path or a Username.
  const holdsCredential = [text, decoded(text)].some((form) => form.includes(token) || form.includes(secret));
  return holdsCredential ? "(holds a credential, not shown)" : escapeText(text, longestShown);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
