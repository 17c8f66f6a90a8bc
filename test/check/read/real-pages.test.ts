import { expect, test } from "vitest";
import { replied } from "../../support/exchanges.ts";
import { explained } from "../causes/found.ts";

interface Page {
  /** The server, and what is wrong. */
  readonly title: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** A part of the headline, of a finding or of its fix. */
  readonly says: string;
}

const nginxPage = (title: string, more = ""): string =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n${more || `<center><h1>${title}</h1></center>\r\n`}<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n`;
const apachePage = (title: string, text: string): string =>
  `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">\n<html><head>\n<title>${title}</title>\n</head><body>\n<h1>${title.slice(4)}</h1>\n<p>${text}</p>\n</body></html>\n`;
const basic = { "www-authenticate": 'Basic realm="gateway"' };

/** What the servers of Debian 12 answered: nginx 1.22.1, Apache 2.4.71, HAProxy 2.6.12. `test/lab/interop` asks them again. */
const pages: readonly Page[] = [
  {
    title: "nginx, HTTP to its TLS port",
    status: 400,
    body: nginxPage(
      "400 The plain HTTP request was sent to HTTPS port",
      "<center><h1>400 Bad Request</h1></center>\r\n<center>The plain HTTP request was sent to HTTPS port</center>\r\n",
    ),
    says: "this port expects https",
  },
  {
    title: "Apache, HTTP to its TLS port",
    status: 400,
    body: apachePage(
      "400 Bad Request",
      "Your browser sent a request that this server could not understand.<br />\nReason: You're speaking plain HTTP to an SSL-enabled server port.<br />\n Instead use the HTTPS scheme to access this URL, please.<br />\n",
    ),
    says: "this port expects https",
  },
  {
    title: "nginx, without a client certificate",
    status: 400,
    body: nginxPage(
      "400 No required SSL certificate was sent",
      "<center><h1>400 Bad Request</h1></center>\r\n<center>No required SSL certificate was sent</center>\r\n",
    ),
    says: "it wants a client certificate, which this tool does not send",
  },
  {
    title: "nginx, 404",
    status: 404,
    body: nginxPage("404 Not Found"),
    says: "a web page answered, not the API (404)",
  },
  {
    title: "Apache, 404",
    status: 404,
    body: apachePage("404 Not Found", "The requested URL was not found on this server."),
    says: "a web page answered, not the API (404)",
  },
  {
    title: "nginx, Basic",
    status: 401,
    headers: basic,
    body: nginxPage("401 Authorization Required"),
    says: "asks for other credentials (basic)",
  },
  {
    title: "Apache, Basic",
    status: 401,
    headers: basic,
    body: apachePage(
      "401 Unauthorized",
      "This server could not verify that you\nare authorized to access the document\nrequested.  Either you supplied the wrong\ncredentials (e.g., bad password), or your\nbrowser doesn't understand how to supply\nthe credentials required.",
    ),
    says: "asks for other credentials (basic)",
  },
  {
    title: "HAProxy, Basic",
    status: 401,
    headers: basic,
    body: "<html><body><h1>401 Unauthorized</h1>\nYou need a valid user and password to access this content.\n</body></html>\n",
    says: "asks for other credentials (basic)",
  },
  {
    title: "HAProxy, 403",
    status: 403,
    body: "<html><body><h1>403 Forbidden</h1>\nRequest forbidden by administrative rules.\n</body></html>\n",
    says: "nothing shows that the API itself answered",
  },
];

test.each(pages)("the page of $title", ({ status, headers, body, says }) => {
  const exchange = replied({ status, headers: { "content-type": "text/html", ...headers }, body });
  const { headline, findings } = explained({ exchange });
  const [first, ...rest] = findings;
  expect(JSON.stringify([headline, first])).toContain(says);
  // The title of a page gives no advice of its own where the page says what is wrong.
  for (const { id, fix } of rest) if (id === "web-page") expect(fix).toBe(first?.fix);
});
