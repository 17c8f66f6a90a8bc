// The `Authorization` field that a request may carry beside X-WSSE.

/** What the `Authorization` field holds beside X-WSSE: nothing, or `authorizationValue`. */
export const authorizationModes = ["none", "wsse"] as const;
/** What the `Authorization` field holds beside X-WSSE. */
export type AuthorizationMode = (typeof authorizationModes)[number];

/** The value of the `Authorization` field that several clients send beside X-WSSE, and that some servers require. */
export const authorizationValue = 'WSSE profile="UsernameToken"';
