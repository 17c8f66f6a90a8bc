// The types that a program writes. They stand apart from the code that reads options: the declarations of that code need the
// types of Node.js, which a user of the package may not have.

import type { ConventionName, HashName } from "../wsse/digest.ts";
import type { AuthorizationMode } from "../wsse/header.ts";

/** An X-Auth-Token. */
export interface TokenCredential {
  readonly method: "token";
  readonly token: string;
}

/** The account of an X-WSSE header, and how to compute its digest: by default `text-nonce` with `sha1`. */
export interface WsseAccount {
  readonly username: string;
  readonly secret: string;
  readonly digest?: ConventionName | undefined;
  readonly hash?: HashName | undefined;
}

/** An account that is checked with an X-WSSE header. */
export interface WsseCredential extends WsseAccount {
  readonly method: "wsse";
  /** `wsse` sends `Authorization: WSSE profile="UsernameToken"` too; the default is `none`. */
  readonly authorization?: AuthorizationMode | undefined;
}

/** A credential to check, or to make header fields of. */
export type Credential = TokenCredential | WsseCredential;

/** What the checks of a checker have in common. No value comes from the environment or a file. */
export interface CheckerOptions {
  /** http or https, without `/test-authentication`. */
  readonly baseUrl: string;
  /** The deadline of each request; the default is 10 seconds. */
  readonly timeoutSeconds?: number | undefined;
  /** Extra attempts after `unavailable`, `unreachable` and `timeout`; the default is 0. A longer pause than 60 seconds is not waited for. */
  readonly retries?: number | undefined;
  /** The URL of an HTTP proxy, for https base URLs. */
  readonly proxy?: string | undefined;
  /** Certificates in PEM to trust besides the system's. */
  readonly caCertificates?: readonly string[] | undefined;
  /** Allows clear text to a host that is not loopback. */
  readonly insecureHttp?: boolean | undefined;
}

/** What one check has of its own. */
export interface OneCheckOptions {
  /** Ends the check at once. The check then rejects with the signal's reason. */
  readonly signal?: AbortSignal | null | undefined;
  /** Makes up to 24 further requests to find out why a credential is refused. Each may count as a failed login. */
  readonly diagnose?: boolean | undefined;
}

/** What to check, and how. */
export interface CheckOptions extends CheckerOptions, OneCheckOptions {
  readonly credential: Credential;
}

/** The time and nonce of one header; the defaults are the current time and random bytes. */
export interface HeaderInputs {
  /** Milliseconds since the epoch, until the end of the year 9999. */
  readonly now?: number | undefined;
  /** 20 bytes. Use each nonce only once. */
  readonly nonce?: Uint8Array | undefined;
}
