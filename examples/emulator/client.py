# client.py: the client under test
import base64, datetime, hashlib, json, secrets, urllib.error, urllib.request


def hello(url, username, secret, tries=3):
    nonce = secrets.token_hex(20)
    created = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    digest = base64.b64encode(hashlib.sha1((nonce + created + secret).encode()).digest()).decode()
    wsse = f'UsernameToken Username="{username}", PasswordDigest="{digest}", Nonce="{nonce}", Created="{created}"'
    request = urllib.request.Request(url + "/test-authentication", headers={"X-WSSE": wsse})
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)["message"]
    except urllib.error.HTTPError as error:
        if error.code >= 500 and tries > 1:
            return hello(url, username, secret, tries - 1)
        raise Exception(f"{error.code} {json.load(error)['message']}")
