"""Examples/: the backend in Node does what its README prints, and a whole purchase; the SwiftUI app passes the type checker."""
import base64
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import uuid

import httpx
import pytest

from harness.checks import private_key, verifies
from harness.checks import payload as message_of
from harness.purchases import DAY, PRO, ago, lapsed, now
from harness.service import ROOT, free_port
from harness.typescript import NODE, PACKAGE, SECONDS, listens, node_environment
from harness.waiting import PATIENCE, wait_until
from test_client_guide import HARNESS, client_module, swiftc
from test_customers import get

EXAMPLE = ROOT / "Examples/node-backend"
README = (EXAMPLE / "README.md").read_text()
STEPS = [re.sub(r"^   ", "", step, flags=re.M) for step in re.findall(r"^   ```sh\n(.*?)^   ```$", README, re.S | re.M)]


def test_the_steps_are_those_that_are_run_here():
    assert [re.match(r"export ACCESS_KEY|cd Examples|SERVICE=|curl", step)[0] for step in STEPS] == [
        "export ACCESS_KEY", "cd Examples", "SERVICE=", "curl"]


def bash(script, cwd, environment):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A copy of the example with the client that its README has packed and installed."""
    root = tmp_path_factory.mktemp("examples")
    for folder in (EXAMPLE, PACKAGE):
        shutil.copytree(
            folder, root / folder.relative_to(ROOT), ignore=shutil.ignore_patterns("node_modules", "dist", "*.tgz", "package-lock.json"))
    before = (EXAMPLE / "package.json").read_bytes()
    bash(STEPS[1], root, node_environment(root / "npm"))
    folder = root / EXAMPLE.relative_to(ROOT)
    assert (folder / "node_modules/offersigner-client/dist/index.js").exists()
    assert (folder / "package.json").read_bytes() == before
    return folder


class NodeBackend:
    """The example, before a service."""

    def __init__(self, folder, service_url, access_key):
        port = free_port()
        self.url, self.log = f"http://127.0.0.1:{port}", folder / f"log-{port}"
        command = STEPS[2].replace("http://127.0.0.1:8080", service_url).replace("PORT=8081", f"PORT={port}")
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                ["bash", "-c", command], cwd=folder, env=node_environment(folder.parents[1] / "npm", ACCESS_KEY=access_key), stdout=log, stderr=log,
                start_new_session=True)
        wait_until(lambda: listens(port), message=self.log.read_text)

    def ask(self, path, body=None, session="demo-session", **headers):
        """`body`: a value for JSON, or bytes as they are."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        authorization = {"Authorization": f"Bearer {session}"} if session else {}
        return httpx.post(f"{self.url}{path}", content=content, headers={**authorization, **headers}, timeout=PATIENCE)

    def kill(self):
        # npm and node.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture(scope="module")
def backend(installed, enforcing):
    example = NodeBackend(installed, enforcing.url, enforcing.tokens["backend"])
    yield example
    example.kill()


# As sign-in.mjs has them.
TOKEN = "7e3fb20b-4cdb-47cc-936d-99d65f608138"


def test_a_purchase_through_the_example_backend(backend, enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    customer = store.customer(app_account_token=TOKEN)
    subscription = lapsed(customer, intro=True)
    held = customer.signed_transactions(store.authority)

    # The paywall: what the device holds shows that the customer may come back.
    shown = backend.ask("/eligibility", {"products": [PRO], "signedTransactions": held})
    assert shown.status_code == 200, shown.text
    assert shown.json()["appAccountToken"] == TOKEN
    [product] = shown.json()["products"]
    assert product == {"productId": PRO, "introductoryOffer": False, "promotionalOffers": ["loyalty20", "winback50"], "winBackOffers": []}
    offers = backend.ask("/offers", {"placement": "paywall"})
    assert (offers.status_code, offers.json()) == (200, {"appAccountToken": TOKEN, "offers": []})

    # A JWS, and then two taps with a repetition of the first.
    wanted = {"productId": PRO, "offerId": "winback50", "customerId": "another", "bundleId": "com.example.other"}
    jws = backend.ask("/signatures", {**wanted, "form": "jws", "transactionId": subscription.last["transactionId"]}, **{"Idempotency-Key": "jws"})
    assert jws.json()["compactJWS"].count(".") == 2
    attempts = [str(uuid.uuid4()) for _ in range(2)]
    first, again, second = (
        backend.ask("/signatures", wanted, **{"Idempotency-Key": key}) for key in (attempts[0], attempts[0], attempts[1]))
    assert first.status_code == 200 and first.json() == again.json() != second.json()
    signed = second.json()
    message = message_of(enforcing.bundle_id, signed["keyIdentifier"], PRO, "winback50", TOKEN, signed["nonce"], signed["timestamp"])
    assert verifies(private_key(enforcing.key_file).public_key(), base64.b64decode(signed["signature"]), message)

    # The purchase, as StoreKit reports it; once more, as after a lost answer.
    subscription.resubscribe(at=now() - 1000, offer_id="winback50")
    bought = customer.signed_transactions(store.authority)[-1]
    reported = [backend.ask("/purchases", {"signedTransaction": bought}) for _ in range(2)]
    assert [(each.status_code, each.json()["status"]) for each in reported][1] == (200, "unchanged")
    assert reported[0].json()["status"] in ("bound", "unchanged")
    # Of the customer's signatures for the offer the last one counts.
    [found] = wait_until(lambda: [each for each in get(enforcing, "u-123").json()["offers"]["redeemed"] if each["signature"]])
    assert (found["offerId"], found["signature"]["nonce"]) == ("winback50", signed["nonce"])
    # Another user of the same device.
    taken = backend.ask("/purchases", {"signedTransaction": bought}, session="other-session")
    assert (taken.status_code, taken.json()["code"]) == (409, "bound-to-another-customer")


def test_a_purchase_binds_a_customer_of_whom_nothing_was_known(backend, enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    customer = store.customer(app_account_token="1f0c9c1e-9a4e-4c7a-8a35-6a4c8a1b2d3f")
    customer.start(PRO, at=ago(DAY))
    [bought] = customer.signed_transactions(store.authority)
    reported = backend.ask("/purchases", {"signedTransaction": bought}, session="other-session")
    assert (reported.status_code, reported.json()) == (200, {"status": "bound"})
    assert get(enforcing, "u-456").json()["subscriptions"][0]["state"] == "active"


def test_what_the_example_backend_refuses(backend, installed, enforcing):
    def code(answer):
        return answer.status_code, answer.json()["code"]

    for session in (None, "", "stranger", "__proto__", "constructor"):
        assert code(backend.ask("/eligibility", {}, session=session)) == (401, "not-signed-in")
    assert code(backend.ask("/nothing", {})) == code(backend.ask("/constructor", {})) == (404, "not-found")
    other = httpx.get(f"{backend.url}/eligibility", headers={"Authorization": "Bearer demo-session"}, timeout=PATIENCE)
    assert code(other) == (405, "method-not-allowed") and other.headers["Allow"] == "POST"
    for body in (b"null", b"[]", b"7", b'"text"', b"{", b""):
        for path in ("/eligibility", "/offers", "/purchases"):
            assert code(backend.ask(path, body)) == (400, "malformed-json"), (path, body)
        assert code(backend.ask("/signatures", body, **{"Idempotency-Key": "one"})) == (400, "malformed-json")
    assert code(backend.ask("/signatures", {})) == (400, "idempotency-key-missing")
    assert code(backend.ask("/signatures", b" " * 70_000, **{"Idempotency-Key": "one"})) == (413, "body-too-large")
    assert code(backend.ask("/signatures", {"productId": PRO, "offerId": "nothing"}, **{"Idempotency-Key": "two"})) == (404, "unknown-offer")
    assert code(backend.ask("/purchases", {})) == (400, "invalid-field")
    assert code(backend.ask("/purchases", {"signedTransaction": "no.signed.data"})) == (422, "malformed-jws")
    assert "osk_" not in backend.log.read_text()
    # What only the operator can mend.
    for url, key, expected in [(enforcing.url, "osk_none", (500, "internal-error")), ("http://127.0.0.1:9", "osk_1_2", (503, "unavailable"))]:
        broken = NodeBackend(installed, url, key)
        try:
            assert code(broken.ask("/eligibility", {})) == expected
            wait_until(lambda: re.search("rejected: unauthorized|unavailable: no answer", broken.log.read_text()))
        finally:
            broken.kill()


def test_the_stub_of_the_sign_in_is_not_for_production(installed):
    environment = {**os.environ, "NODE_ENV": "production", "SERVICE": "http://127.0.0.1:9", "ACCESS_KEY": "k", "BUNDLE_ID": "b", "PORT": "1"}
    done = subprocess.run([NODE, "server.mjs"], cwd=installed, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode != 0 and "replace it by your own sign-in" in done.stderr


def test_the_steps_as_printed(installed, instance):
    """With an app that takes advice, as the example configuration has it."""
    command = STEPS[0].strip().replace("--config offersigner.example.yaml", " ".join(instance.command()[1:]))
    key = bash(f"{command}\necho $ACCESS_KEY", ROOT, os.environ).strip()
    backend = NodeBackend(installed, instance.url, key)
    try:
        shown, signed = bash(STEPS[3].replace("http://127.0.0.1:8081", backend.url), ROOT, os.environ).splitlines()
    finally:
        backend.kill()
    [product] = json.loads(shown)["products"]
    assert product["promotionalOffers"] == [] and product["introductoryOffer"] is True
    assert json.loads(signed)["status"] == "signed" and json.loads(signed)["eligibility"]["status"] == "ineligible"


def test_the_swiftui_app_passes_the_type_checker(tmp_path):
    for module in ("StoreKit", "SwiftUI"):
        shutil.copy(HARNESS / "storekit" / f"{module}.swift", tmp_path)
        swiftc(
            "-swift-version", "6", "-parse-as-library", "-emit-module", "-module-name", module, "-I", ".", f"{module}.swift",
            "-o", f"{module}.swiftmodule", cwd=tmp_path)
    client_module(tmp_path)
    sources = sorted((ROOT / "Examples/SwiftUI/OfferApp").glob("*.swift"))
    assert len(sources) == 4
    said = swiftc("-swift-version", "6", "-typecheck", "-parse-as-library", "-I", ".", *sources, cwd=tmp_path)
    assert "warning" not in said, said
