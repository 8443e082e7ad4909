"""The clients of Clients/ against a running service: a whole purchase, lost answers, giving up; their types are those of the API."""
import base64
import json
import os
import re
import shutil
import subprocess

import pytest

from harness.checks import payload, private_key, verifies
from harness.purchases import PRO, hand_in, lapsed, now
from harness.service import BINARY, ROOT
from harness.typescript import NODE, PACKAGE, SECONDS, compiled
from harness.waiting import wait_until
from test_customers import get

PROBE = ROOT / ".build/debug/client-probe"


def run(*command, cwd, **environment):
    done = subprocess.run(
        [str(each) for each in command], cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
        timeout=SECONDS)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def typescript(tmp_path_factory):
    """The package, compiled."""
    return compiled(tmp_path_factory.mktemp("typescript") / "package")


def buys_with(test, service, store, name):
    """Has a client's tests ask for signatures, and the customer buy with the one that they print."""
    store = store.cleared_for(service)
    customer = store.customer()
    subscription = lapsed(customer, intro=True)
    hand_in(service, store, customer, name)
    said = test(SERVICE=service.url, ACCESS_KEY=service.tokens["client"], CUSTOMER=name, STRANGER=f"{name}-stranger")
    signed = [json.loads(printed) for printed in re.findall(r"signed (\{.*\})", said)]
    subscription.resubscribe(at=now() - 1000, offer_id="winback50")
    hand_in(service, store, customer, name)
    found = wait_until(lambda: get(service, name).json()["offers"]["redeemed"][0]["signature"])
    # Of the customer's signatures for the offer the last one counts; the tests make others after those that they print.
    assert found["keyIdentifier"] == signed[0]["keyIdentifier"] and found["signedAt"] >= signed[-1]["timestamp"]
    public = private_key(service.key_file).public_key()
    for each in signed:
        message = payload(service.bundle_id, each["keyIdentifier"], PRO, "winback50", "", each["nonce"], each["timestamp"])
        assert verifies(public, base64.b64decode(each["signature"]), message)
    return len(signed)


def test_swift_with_each_transport(enforcing, app_store):
    assert buys_with(lambda **environment: run(PROBE, cwd=ROOT, **environment), enforcing, app_store, "swift") == 2


def test_the_swift_package_is_whole():
    """Its manifest names what the sources import; they are built with the service's."""
    described = json.loads(run("swift", "package", "--package-path", "Clients/Swift", "describe", "--type", "json", cwd=ROOT))
    assert {product["name"] for product in described["products"]} == {"OfferSignerClient", "OfferSignerServerClient"}
    for target in described["targets"]:
        sources = [(ROOT / "Clients/Swift" / target["path"] / source).read_text() for source in target["sources"]]
        imported = set(re.findall(r"^ *(?:public )?import (\w+)", "\n".join(sources), re.MULTILINE)) - {"Foundation", "FoundationNetworking", "StoreKit"}
        assert imported == {*target.get("target_dependencies", []), *target.get("product_dependencies", [])}, target["name"]


def test_the_storekit_part_passes_the_type_checker(tmp_path):
    """With the module that the client guide's StoreKit code is checked with."""
    shutil.copy(ROOT / "Tests/Acceptance/harness/storekit/StoreKit.swift", tmp_path)
    run("swiftc", "-swift-version", "6", "-parse-as-library", "-emit-module", "-module-name", "StoreKit", "StoreKit.swift", cwd=tmp_path)
    sources = sorted((ROOT / "Clients/Swift/Sources/OfferSignerClient").glob("*.swift"))
    (tmp_path / "Use.swift").write_text(
        "import Foundation\nimport StoreKit\n"
        "func options(_ signed: PayloadSignature, _ token: UUID) -> Set<Product.PurchaseOption> { signed.purchaseOptions(appAccountToken: token) }\n")
    run("swiftc", "-swift-version", "6", "-typecheck", "-warnings-as-errors", "-I", ".", "Use.swift", *sources, cwd=tmp_path)


def test_typescript(typescript, enforcing, app_store):
    buys_with(
        lambda **environment: run(NODE, "--test", "--test-reporter=tap", "test/client.test.mjs", cwd=typescript, **environment), enforcing, app_store,
        "typescript")


def test_the_types_are_those_of_the_document(typescript, tmp_path):
    document = tmp_path / "openapi.json"
    document.write_text(run(BINARY, "openapi", cwd=PACKAGE))
    made = run(NODE, "scripts/types.mjs", document, cwd=PACKAGE)
    assert made == (PACKAGE / "src/types.ts").read_text(), "run: npm run types"
