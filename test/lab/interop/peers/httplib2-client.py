"""Sends one request by httplib2, which answers the challenge of the first 401 by WSSE. Exits 0 if it is accepted."""

import os
import sys

import httplib2

client = httplib2.Http()
client.add_credentials(os.environ["REFERRAL_USERNAME"], os.environ["REFERRAL_SECRET"])
response, _ = client.request(os.environ["REFERRAL_BASE_URL"] + "/test-authentication")
sys.exit(0 if response.status == 200 else 1)
