"""The client guide is true: its backend runs, its client gets signatures through it, its StoreKit code passes the type checker."""
import pathlib
import re
import shutil
import subprocess
import uuid

import httpx
import pytest

from harness.app_store import BUNDLE
from harness.purchases import PRO, lapsed
from harness.service import ROOT, copy_example_keys, run
from harness.typescript import Backend, compiled
from harness.waiting import PATIENCE, wait_until

GUIDE = (ROOT / "docs/client-guide.md").read_text()
RECIPES = (ROOT / "docs/recipes.md").read_text()
HARNESS = pathlib.Path(__file__).with_name("harness")
# A module may be built while others are: the compiler is slow on a busy machine.
SECONDS = 300


def blocks(language, document=GUIDE):
    return re.findall(rf"^ *```{language}\n(.+?)^ *```", document, re.DOTALL | re.MULTILINE)


def swiftc(*arguments, cwd):
    done = subprocess.run(["swiftc", *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stderr


def client_module(folder):
    """Makes the module of Clients/Swift that the guide imports."""
    swiftc(
        "-swift-version", "6", "-parse-as-library", "-emit-module", "-emit-library", "-static", "-module-name", "OfferSignerClient", "-I", ".",
        *sorted((ROOT / "Clients/Swift/Sources/OfferSignerClient").glob("*.swift")), cwd=folder)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The guide's client as a program."""
    folder = tmp_path_factory.mktemp("client")
    client_module(folder)
    [client] = [block for block in blocks("swift") if "struct OfferBackend" in block]
    (folder / "Client.swift").write_text(client)
    # After the guide's imports.
    (folder / "Program.swift").write_text("import Foundation\nimport OfferSignerClient\n" + (HARNESS / "guide_client.swift").read_text())
    said = swiftc(
        "-swift-version", "6", "-parse-as-library", "-I", ".", "-L", ".", "Client.swift", "Program.swift", "-lOfferSignerClient", "-o", "program",
        cwd=folder)
    assert "warning" not in said, said
    return folder / "program"


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("typescript") / "package")


@pytest.fixture
def backend(package, enforcing, tmp_path):
    """The backend that the guide points to; `backend(service_url)` starts one and gives its address."""
    started = []
    users = {user: str(uuid.uuid4()).upper() for user in ("former", "nobody", "other")}

    def start(url=enforcing.url, token=enforcing.tokens["client"]):
        started.append(Backend(tmp_path / f"backend{len(started)}", package, users, url, token))
        start.log = started[-1].log
        return started[-1].url

    start.users = users
    yield start
    for each in started:
        each.kill()


@pytest.fixture
def ask(program):
    def ask(endpoint, user, *signed, product=PRO, offer="winback50", form="payload"):
        done = subprocess.run(
            [program, endpoint, user, product, offer, form, *signed], capture_output=True, text=True, check=True, timeout=PATIENCE,
        )
        return done.stdout.strip()

    return ask


def test_a_former_customer_gets_a_signature_bound_to_the_account_token(backend, ask, app_store, enforcing):
    former = app_store.customer()
    lapsed(former)
    endpoint = backend()
    token = backend.users["former"].lower()
    signed = former.signed_transactions(app_store.authority)
    assert ask(endpoint, "former", *signed) == f"signed {enforcing.key_id} {token} payload"
    # From now on the service knows whose they are.
    assert ask(endpoint, "former", form="jws") == f"signed {enforcing.key_id} - jws"
    # Another customer on the same device: the client goes on without them, and the rules decide.
    assert ask(endpoint, "other", *signed) == "refused never-subscribed"


def test_what_the_app_can_do_something_about_reaches_it(backend, ask, enforcing):
    endpoint = backend()
    assert ask(endpoint, "nobody") == "refused never-subscribed"
    assert ask(endpoint, "nobody", "no.signed.data") == "refused never-subscribed"
    assert ask(endpoint, "nobody", offer="nothing") == "rejected 404 unknown-offer"
    assert ask(endpoint, "nobody", product="") == "rejected 400 invalid-field"
    assert ask(endpoint, "stranger") == "rejected 401 not-signed-in"


def test_what_only_the_operator_can_mend_is_unavailable_to_the_app(backend, ask, enforcing):
    assert ask(backend(token="osk_none"), "nobody") == "unavailable"
    assert ask(backend(url="http://127.0.0.1:9"), "nobody") == "unavailable"


def test_the_backend_tells_the_apps_mistake_from_a_failure_and_logs_that(backend):
    headers = {"Authorization": "Bearer nobody", "Idempotency-Key": "a"}
    endpoint = backend(url="http://127.0.0.1:9")
    for text in ["{", "", "nonsense"]:
        answer = httpx.post(endpoint, content=text, headers=headers, timeout=PATIENCE)
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed-json")
    assert backend.log.read_text() == ""
    assert httpx.post(endpoint, content="{}", headers=headers, timeout=PATIENCE).status_code == 503
    wait_until(lambda: "unavailable: no answer" in backend.log.read_text())


def test_the_storekit_code_passes_the_type_checker(tmp_path):
    for module in ("StoreKit", "SwiftUI"):
        shutil.copy(HARNESS / "storekit" / f"{module}.swift", tmp_path)
        swiftc(
            "-swift-version", "6", "-parse-as-library", "-emit-module", "-module-name", module, "-I", ".", f"{module}.swift",
            "-o", f"{module}.swiftmodule", cwd=tmp_path)
    client_module(tmp_path)
    found = blocks("swift") + blocks("swift", RECIPES)
    assert len(found) > 7
    guide = "import Foundation\n"
    for index, block in enumerate(found):
        # An excerpt of a function.
        if block.startswith("do {"):
            block = f"@MainActor func excerpt{index}(product: Product, offerId: String, backend: OfferBackend, accountToken: UUID?) async throws {{\n{block}}}\n"
        guide += block
    guide += "func handle(_ result: VerificationResult<Transaction>) async {}\nfunc showNormalPrice() {}\nfunc report(_ what: Any) {}\n"
    (tmp_path / "Guide.swift").write_text(guide)
    said = swiftc("-swift-version", "6", "-typecheck", "-parse-as-library", "-I", ".", "Guide.swift", cwd=tmp_path)
    assert "warning" not in said, said


def test_the_configuration_for_xcode_is_one(tmp_path, enforcing):
    [yaml] = [block for block in blocks("yaml") if "environment: Xcode" in block]
    text = "\n".join(line.removeprefix("   ") for line in yaml.splitlines())
    copy_example_keys(tmp_path / "keys")
    certificate = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=StoreKit Testing in Xcode",
         "-days", "3650", "-outform", "DER", "-keyout", "/dev/null"], capture_output=True, check=True, timeout=PATIENCE).stdout
    (tmp_path / "StoreKitTestCertificate.cer").write_bytes(certificate)
    (tmp_path / "xcode.yaml").write_text(text)
    done = run("check-config", "--config", "xcode.yaml", cwd=tmp_path)
    assert done.returncode == 0 and f"app {BUNDLE}: 1 products, 1 promotional offers" in done.stdout, done.stderr
