"""Verifies X-WSSE with httplib2's own digest. Usage: httplib2-server.py PORT USERNAME SECRET"""

import sys
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import parse_http_list, parse_keqv_list

from httplib2 import _wsse_username_token

port, username, secret = sys.argv[1:]
used_nonces = set()


def is_valid(header):
    scheme, _, attributes = header.partition(" ")
    if scheme != "UsernameToken":
        return False
    values = parse_keqv_list(parse_http_list(attributes))
    if set(values) != {"Username", "PasswordDigest", "Nonce", "Created"} or values["Nonce"] in used_nonces:
        return False
    used_nonces.add(values["Nonce"])
    digest = _wsse_username_token(values["Nonce"], values["Created"], secret)
    return values["Username"] == username and compare_digest(digest, values["PasswordDigest"])


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        valid = is_valid(self.headers.get("X-WSSE", ""))
        body = b'{"code":200,"message":"ok"}' if valid else b""
        self.send_response(200 if valid else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if not valid:
            self.send_header("WWW-Authenticate", 'WSSE realm="httplib2", profile="UsernameToken"')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(port)), Handler).serve_forever()
