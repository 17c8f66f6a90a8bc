# test_client.py
import json, os, urllib.error, urllib.request
import pytest
from client import hello

URL, USERNAME, SECRET = (os.environ["REFERRAL_" + name] for name in ("BASE_URL", "USERNAME", "SECRET"))


def emulator(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + "/__emulator/" + path, data, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return json.loads(response.read() or "null")
    except urllib.error.HTTPError as error:
        raise Exception(error.read().decode()) from None


@pytest.fixture(autouse=True)
def afresh():
    emulator("DELETE", "answers")
    emulator("DELETE", "requests")


def test_recovers_after_two_failures():
    emulator("PUT", "answers", [{"status": 503, "times": 2}])
    assert "authenticated" in hello(URL, USERNAME, SECRET)
    assert [request["status"] for request in emulator("GET", "requests")] == [503, 503, 200]


def test_reports_a_locked_account():
    locked = {"status": 423, "body": {"code": 423, "message": "Locked"}, "account": 0}
    emulator("PUT", "answers", [locked])
    with pytest.raises(Exception, match="423 Locked"):
        hello(URL, USERNAME, SECRET)


def test_makes_a_header_that_is_accepted():
    try:
        hello(URL, USERNAME, SECRET)
    finally:
        [request] = emulator("GET", "requests")
        assert request["accepted"], request["reasons"]
