import type { AuthorizationMode } from "../wsse/authorization.ts";
import type { ConventionName, HashName } from "../wsse/digest.ts";

/** An X-Auth-Token. */
export interface TokenCredential {
  readonly method: "token";
  readonly token: string;
}

/** Whose X-WSSE header it is, and how its digest is computed: `text-nonce` with `sha1` unless told otherwise. */
export interface WsseAccount {
  readonly username: string;
  readonly secret: string;
  readonly digest?: ConventionName | undefined;
  readonly hash?: HashName | undefined;
}

/** An account that is checked with an X-WSSE header. */
export interface WsseCredential extends WsseAccount {
  readonly method: "wsse";
  /** `wsse` sends `Authorization: WSSE profile="UsernameToken"` too; `none` unless told otherwise. */
  readonly authorization?: AuthorizationMode | undefined;
}

/** What to check, and how. Nothing of it is taken from the environment or a file. */
export interface CheckOptions {
  /** http or https, without `/test-authentication`. */
  readonly baseUrl: string;
  readonly credential: TokenCredential | WsseCredential;
  /** The deadline of each request; 10 seconds unless told otherwise. */
  readonly timeoutSeconds?: number | undefined;
  /** Extra attempts after `unavailable`, `unreachable` and `timeout`; none unless told otherwise. */
  readonly retries?: number | undefined;
  /** The URL of an HTTP proxy, for https base URLs. */
  readonly proxy?: string | undefined;
  /** Certificates in PEM to trust besides the system's. */
  readonly caCertificates?: readonly string[] | undefined;
  /** Allows clear text to a host that is not loopback. */
  readonly insecureHttp?: boolean | undefined;
  /** Ends the check at once, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What makes one header differ from the next; both are fresh unless they are given. */
export interface HeaderInputs {
  /** Milliseconds since the epoch, until the end of the year 9999. */
  readonly now?: number | undefined;
  /** 20 bytes that are used once. */
  readonly nonce?: Uint8Array | undefined;
}
