"""The clients of Clients/ against a running service: a whole purchase, lost answers, giving up; their types are those of the API.

The package of the TypeScript client is made from a clean clone and installed elsewhere.
"""
import base64
import json
import os
import re
import shutil
import subprocess
import tarfile

import pytest

from harness.checks import payload, private_key, verifies
from harness.purchases import PRO, hand_in, lapsed, now
from harness.service import BINARY, ROOT
from harness.typescript import NODE, PACKAGE, SECONDS, compile_in, compiled, node_environment
from harness.waiting import wait_until
from test_customers import get

PROBE = ROOT / ".build/debug/client-probe"


def run(*command, cwd, **environment):
    done = subprocess.run(
        [str(each) for each in command], cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
        timeout=SECONDS)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
    return done.stdout


def npm(*arguments, cwd, home):
    done = subprocess.run(
        ["npm", *map(str, arguments)], cwd=cwd, env=node_environment(home), capture_output=True, text=True, check=False, timeout=SECONDS)
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
    # For verifyReceipt and the Server API.
    store.add(customer)
    said = test(
        SERVICE=service.url, ACCESS_KEY=service.tokens["client"], BACKEND_KEY=service.tokens["backend"], CUSTOMER=name,
        STRANGER=f"{name}-stranger", TRANSACTION=subscription.last["transactionId"],
        SIGNED_TRANSACTION=customer.signed_transactions(store.authority)[-1], RECEIPT=customer.receipt())
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


def test_the_typescript_tests_pass_without_a_service(typescript):
    said = run(NODE, "--test", "--test-reporter=tap", cwd=typescript)
    passed, skipped = (int(re.search(rf"^# {word} (\d+)$", said, re.M)[1]) for word in ("pass", "skipped"))
    assert passed >= 7 and skipped >= 9, said


@pytest.fixture(scope="module")
def tarball(tmp_path_factory):
    """What `npm pack` makes of a clean clone, of the last commit."""
    home = tmp_path_factory.mktemp("npm")
    run("git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", home / "clone", cwd=home)
    npm("pack", home / "clone/Clients/TypeScript", cwd=home, home=home)
    [made] = home.glob("*.tgz")
    # Nothing but what is ignored was made in the clone.
    assert run("git", "status", "--porcelain", cwd=home / "clone") == ""
    return made


@pytest.fixture(scope="module")
def project(tarball, tmp_path_factory):
    """A project of another team, with the package installed, and nothing else."""
    folder = tmp_path_factory.mktemp("project") / "shop"
    folder.mkdir()
    (folder / "package.json").write_text(json.dumps({"name": "shop", "private": True, "type": "module"}))
    npm("install", "--no-audit", "--no-fund", tarball, cwd=folder, home=folder.parent)
    assert [each.name for each in (folder / "node_modules").iterdir() if not each.name.startswith(".")] == ["offersigner-client"]
    return folder


def test_the_package_of_a_clean_clone_is_whole(tarball):
    with tarfile.open(tarball) as opened:
        files = {name.removeprefix("package/"): opened.extractfile(name).read() for name in opened.getnames()}
    described = json.loads(files["package.json"])
    assert files["LICENSE"] == (ROOT / "LICENSE").read_bytes() and described["license"] == "Apache-2.0"
    modules = {"client", "error", "index", "pause", "result", "types"}
    assert {name for name in files if name.startswith("dist/")} == {f"dist/{each}{end}" for each in modules for end in (".js", ".d.ts")}
    assert set(files) - {name for name in files if name.startswith("dist/")} == {
        "LICENSE", "README.md", "package.json", "examples/function.mjs", "examples/node.mjs"}
    entry = described["exports"]["."]
    named = [described["main"], described["types"], entry["types"], entry["default"]]
    assert all(name.removeprefix("./") in files for name in named) and described["main"] == entry["default"]
    assert described["repository"]["directory"] == "Clients/TypeScript" and "dependencies" not in described


def test_a_purchase_with_the_installed_package(project, enforcing, app_store):
    """The package's own tests, which import it as a project does."""
    text = (PACKAGE / "test/client.test.mjs").read_text()
    assert text.count("'../dist/index.js'") == 1
    (project / "client.test.mjs").write_text(text.replace("'../dist/index.js'", "'offersigner-client'"))
    buys_with(
        lambda **environment: run(NODE, "--test", "--test-reporter=tap", "client.test.mjs", cwd=project, **environment), enforcing, app_store,
        "installed")


@pytest.mark.parametrize("resolution", [{"module": "Node16"}, {"module": "ES2022", "moduleResolution": "node"}], ids=["node16", "node"])
def test_a_program_finds_the_installed_types(project, resolution):
    (project / "buy.ts").write_text(
        "import { OfferSigner, OfferSignerError, isSigned } from 'offersigner-client'\n"
        "import type { BindingAnswer, PayloadSignature } from 'offersigner-client'\n"
        "export async function sign(signer: OfferSigner, customerId: string): Promise<PayloadSignature | undefined> {\n"
        "  const { results: [result] } = await signer.signatures({ customerId, offers: [{ productId: 'p', offerId: 'o' }] })\n"
        "  return result && isSigned(result) && result.form === 'payload' ? result : undefined\n}\n"
        "export function bind(signer: OfferSigner): Promise<BindingAnswer | OfferSignerError> {\n"
        "  return signer.bind('u-123', { transactionId: '1', transfer: true }).catch((error: OfferSignerError) => error)\n}\n"
        "export const receipt = (signer: OfferSigner) => signer.receipts({ verifiedReceipt: { status: 0, receipt: { bundle_id: 'b' } } })\n")
    options = {"target": "ES2022", "lib": ["ES2022", "DOM"], "types": [], "strict": True, "noEmit": True, **resolution}
    (project / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": ["buy.ts"]}))
    compile_in(project)


def test_the_types_are_those_of_the_document(typescript, tmp_path):
    document = tmp_path / "openapi.json"
    document.write_text(run(BINARY, "openapi", cwd=PACKAGE))
    made = run(NODE, "scripts/types.mjs", document, cwd=PACKAGE)
    assert made == (PACKAGE / "src/types.ts").read_text(), "run: npm run types"
