# conftest.py
import json, os, subprocess

# Not if the tests run as an emulator's command; but a worker has the variables of the process that started it.
if "REFERRAL_BASE_URL" not in os.environ or "PYTEST_XDIST_WORKER" in os.environ:
    # It ends when these tests do, also if they are killed: then its standard input closes.
    command = ["node_modules/.bin/referral-auth", "emulator", "--control", "--json", "--end-with-stdin"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    emulator = json.loads(process.stdout.readline())
    assert "error" not in emulator, emulator["error"]
    os.environ["REFERRAL_BASE_URL"] = emulator["url"]
    for name in ("token", "username", "secret"):
        os.environ["REFERRAL_" + name.upper()] = emulator["accounts"][0][name]
