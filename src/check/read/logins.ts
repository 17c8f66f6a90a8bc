// Tells a login from a new address of the API. Servers send an invalid token to one, and gateways and captive portals everybody.

import { endpointPath, withoutEndSlashes } from "../../settings/urls.ts";

/** Whose login it is: of this network, of an identity provider in front of the API, or not known. */
export type Login = "network" | "provider" | "unknown";

// Hosts that serve logins; what is below them counts too.
const hosts: ReadonlyArray<readonly [Login, string]> = [
  [
    "network",
    `zscaler.net zscalerone.net zscalertwo.net zscalerthree.net zscalerbeta.net zscalergov.net zscloud.net goskope.com opendns.com
     umbrella.com wss.symantec.com bluecoat.com iboss.com menlosecurity.com network-auth.com arubanetworks.com captive.apple.com`,
  ],
  [
    "provider",
    `login.microsoftonline.com login.microsoftonline.us login.partner.microsoftonline.cn login.microsoft.com login.windows.net
     sts.windows.net login.live.com b2clogin.com ciamlogin.com accounts.google.com okta.com oktapreview.com okta-emea.com auth0.com
     amazoncognito.com awsapps.com signin.aws.amazon.com pingone.com pingone.eu pingidentity.com onelogin.com duosecurity.com
     jumpcloud.com cloudflareaccess.com login.salesforce.com id.atlassian.com auth.atlassian.com login.gov idp.ngrok.com vercel.com`,
  ],
];

/** The most labels of a known host. A host that a server names can have thousands, and nothing above these counts. */
const mostLabels = 4;

/** Whether a list, as it is written here, holds a name. */
const holds = (list: string, name: string): boolean => list.split(/\s+/).includes(name);

// Whole segments of a path and labels of a host, without extension, hyphen and underscore: `sign-in`, `Login.aspx`. `auth` alone
// is none: paths of APIs have it too.
const ofNetworks =
  "captive captiveportal guestportal guestlogin guestwifi hotspot wifi fgtauth customwebauth securelogin walledgarden";
const ofOthers = `login logon signin signon signinoidc pfsignin sso ssologin singlesignon oauth oauth2 oidc openid openidconnect saml saml2 authorize
   adfs idp userlogin loginform wplogin dologin weblogin portal guest splash`;
const paths = /\/(?:sessions?\/new|my\.policy)\/?$|\/outpost\.goauthentik\.io\/|\/codespaces\/auth\//i;
// A login at such an address is one of the network that this machine is in (RFC 1918).
const privateAddress = /^(?:10|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.[\d.]+$/;

const segmentsOf = (parts: readonly string[]): readonly string[] =>
  parts.map(
    (part) =>
      part
        .toLowerCase()
        .split(";", 1)[0]
        ?.replace(/\.[a-z]{2,6}$|[-_]/g, "") ?? "",
  );

/** The login that a redirect leads to; null if it leads to none: the endpoint is the API's new address. Pure. */
export function loginAt({ hostname, pathname }: Pick<URL, "hostname" | "pathname">): Login | null {
  const labels = hostname.replace(/\.$/, "").split(".");
  const last = labels.slice(-mostLabels);
  for (const index of last.keys()) {
    const host = last.slice(index).join(".");
    const known = hosts.find(([, names]) => holds(names, host));
    if (known !== undefined) return known[0];
  }
  if (withoutEndSlashes(pathname).endsWith(endpointPath)) return null;
  const words = [...segmentsOf(pathname.split("/")), ...segmentsOf(labels)];
  if (words.some((word) => holds(ofNetworks, word))) return "network";
  if (!words.some((word) => holds(ofOthers, word)) && !paths.test(pathname)) return null;
  return privateAddress.test(hostname) ? "network" : "unknown";
}
