"""StoreKit Testing in Xcode: offers are signed with the key of its own, and with that key nothing else is."""
import base64
import json
import shutil

import pytest
from joserfc import jws
from joserfc.jwk import ECKey

from harness.app_store import BUNDLE
from harness.checks import openssl, payload, private_key, verifies
from harness.purchases import PRO, active, eligibility, hand_in, lapsed, summary
from harness.service import run
from harness.token_issuer import TokenIssuer, app_yaml

XCODE = {"environment": "Xcode"}
XCODE_ID = "1F2E3D4C"
UNKNOWN = ("unknown", ["purchases-in-xcode"], None)
INTRODUCTORY = "/v1/introductory-offers/signatures"


def make_key(file):
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file)
    file.chmod(0o600)
    return file


@pytest.fixture(scope="module")
def key_file(tmp_path_factory):
    """The key of a StoreKit configuration file."""
    return make_key(tmp_path_factory.mktemp("xcode") / "StoreKitTestKey.p8")


@pytest.fixture
def testing(connected, key_file):
    """An app that enforces eligibility, and is tested in Xcode and in the Sandbox as well."""
    return connected(sandbox=True, eligibility="enforce", xcodeKey={"id": XCODE_ID, "file": str(key_file)})


def signed_by(result, key, **changed):
    """Whether a key has made a signature in the payload form."""
    fields = {"username": "", "key_id": result["keyIdentifier"], **changed}
    message = payload(
        BUNDLE, fields["key_id"], result["productId"], result["offerId"], fields["username"], result["nonce"], result["timestamp"])
    return verifies(key.public_key(), base64.b64decode(result["signature"]), message)


def test_each_environment_is_signed_for_with_its_own_key_and_no_other(testing, app_store, key_file):
    company, xcode = private_key(testing.key_file), private_key(key_file)
    for environment in ("Production", "Sandbox"):
        customer = app_store.customer(environment=environment)
        active(customer)
        hand_in(testing, app_store, customer, "u-1")
    client = testing.client()
    expected = {None: company, "Production": company, "Sandbox": company, "Xcode": xcode}
    for form in ("payload", "jws"):
        for environment, key in expected.items():
            [result] = client.sign(testing.offer_body(customerId="u-1", form=form, environment=environment))
            name = XCODE_ID if key is xcode else testing.key_id
            assert (result["status"], result["keyIdentifier"]) == ("signed", name), environment
            other = company if key is xcode else xcode
            if form == "payload":
                assert signed_by(result, key) and not signed_by(result, other), environment
            else:
                token = jws.deserialize_compact(result["compactJWS"], ECKey.import_key(key), algorithms=["ES256"])
                assert token.headers()["kid"] == name
    [result] = client.sign(testing.offer_body(**XCODE))
    fields = ("productId", "offerId", "applicationUsername", "nonce", "timestamp", "signature", "keyIdentifier")
    examined = {"bundleId": BUNDLE, **{name: result[name] for name in fields}}
    assert client.post("/v1/verify", examined).json() == {"valid": True}
    assert client.post("/v1/verify", {**examined, "keyIdentifier": testing.key_id}).json()["valid"] is False


def test_who_never_bought_is_signed_for_in_xcode_and_told_that_nothing_is_known(testing):
    client = testing.client()
    [refused] = client.sign(testing.offer_body(customerId="new"))
    assert (refused["status"], refused["code"]) == ("refused", "never-subscribed")
    [result] = client.sign(testing.offer_body(customerId="new", **XCODE))
    assert result["status"] == "signed"
    advice = result["eligibility"]
    assert (advice["status"], [each["code"] for each in advice["reasons"]]) == UNKNOWN[:2]
    assert summary(eligibility(testing, customerId="new", **XCODE)) == ("never", UNKNOWN, UNKNOWN)
    item = {"productId": PRO, "transactionId": "1", "allow": None}
    [introductory] = testing.client("backend").post(INTRODUCTORY, {"bundleId": BUNDLE, "products": [item], **XCODE}).json()["results"]
    assert (introductory["status"], introductory["code"]) == ("refused", "purchases-in-xcode")
    body = {"bundleId": BUNDLE, "products": [{**item, "allow": False}], **XCODE}
    [introductory] = testing.client("backend").post(INTRODUCTORY, body).json()["results"]
    assert (introductory["status"], introductory["keyIdentifier"]) == ("signed", XCODE_ID)
    # Who may not grant in Production may not here.
    body["products"][0]["allow"] = True
    assert client.problem(INTRODUCTORY, body) == (403, "forbidden", [])


def test_what_xcode_signed_is_not_looked_at_and_moves_nothing(testing, app_store):
    """The app under test sends what it always sends; and what it sends by mistake goes nowhere."""
    customer = app_store.customer()
    active(customer, intro=True)
    brought = [*customer.signed_transactions(app_store.authority), "eyJ.not.verifiable"]
    client = testing.client()
    [result] = client.sign(testing.offer_body(customerId="u-1", signedTransactions=brought, **XCODE))
    assert result["status"] == "signed"
    found = eligibility(testing, customerId="u-1", signedTransactions=brought, appTransactionId="1", **XCODE)
    assert summary(found) == ("never", UNKNOWN, UNKNOWN)
    answer = client.post("/v1/eligibility", {"bundleId": BUNDLE, "customerId": "u-1", "appTransactionId": "1", **XCODE}).json()
    assert answer["history"] == "none" and "subscriptionOwner" not in answer
    assert testing.counts()["purchase_chain"] == 0
    assert eligibility(testing, customerId="u-1")["subscription"]["state"] == "never"


def test_what_is_about_purchases_knows_no_xcode(testing):
    backend = testing.client("backend")
    binding = {"bundleId": BUNDLE, "transactionId": "1", **XCODE}
    assert backend.problem("/v1/customers/u/transactions", binding) == (400, "invalid-field", ["environment"])
    for method, path in [
        ("GET", "/v1/customers/u"), ("GET", "/v1/customers/u/timeline"), ("GET", "/v1/customers/u/export"),
        ("DELETE", "/v1/customers/u/transactions/1"),
    ]:
        problem = backend.request(method, f"{path}?bundleId={BUNDLE}&environment=Xcode").json()
        assert (problem["code"], problem["fields"][0]["name"]) == ("invalid-field", "environment"), path
        assert "nothing is known of purchases in Xcode" in problem["fields"][0]["reason"], path


def test_limits_figures_and_audit_rows_are_apart(connected, app_store, key_file):
    offer = {"id": "winback50", "kind": "pay-as-you-go", "period": "P3M", "limits": {"outstanding": 1, "total": 1}}
    service = connected(
        xcodeKey={"id": XCODE_ID, "file": str(key_file)},
        subscriptionGroups=[{"id": "20563228", "products": [{"id": PRO, "level": 1, "period": "P1M", "promotionalOffers": [offer]}]}])
    customer = app_store.customer()
    lapsed(customer)
    hand_in(service, app_store, customer, "u-1")
    body = {"bundleId": BUNDLE, "customerId": "u-1", "offers": [{"productId": PRO, "offerId": "winback50"}]}

    def sign(**fields):
        [result] = service.client().sign({**body, **fields})
        return result.get("code", result["status"])

    assert [sign(**XCODE), sign(**XCODE), sign(), sign()] == ["signed", "offer-limit-reached", "signed", "offer-limit-reached"]
    assert service.metric("offersigner_signatures_total", app=f"{BUNDLE}#Xcode", key=XCODE_ID, outcome="signed") == 1
    assert service.metric("offersigner_signatures_total", app=BUNDLE, key=service.key_id, outcome="signed") == 1
    rows = service.client("viewer").get(f"/v1/admin/audit?bundleId={BUNDLE}&action=signature.made").json()["items"]
    assert sorted((row["subject"], row.get("environment")) for row in rows) == sorted([(XCODE_ID, "Xcode"), (service.key_id, None)])
    # The company's key is none the busier, and the list of keys has no other.
    keys = service.client("security").get("/v1/admin/keys").json()["items"]
    assert [(key["keyId"], key["apps"][0]["signatures"]) for key in keys if key["apps"]] == [(service.key_id, 1)]
    [app] = [each for each in service.client("viewer").get("/v1/admin/apps").json()["items"] if each["bundleId"] == BUNDLE]
    assert (app["xcode"], app["sandbox"]) == (True, False)
    # Erasing a customer takes the names of these rows, too.
    erased = service.client("backend").request("DELETE", f"/v1/customers/u-1?bundleId={BUNDLE}")
    assert erased.status_code == 200, erased.text
    rows = [
        row for action in ("made", "refused")
        for row in service.client("viewer").get(f"/v1/admin/audit?bundleId={BUNDLE}&action=signature.{action}").json()["items"]]
    assert len(rows) == 4 and all(row.get("customerId") is None for row in rows)
    assert service.cli("audit", "verify").returncode == 0


def test_a_nonce_is_good_once_whatever_the_environment(testing):
    client = testing.client()
    [nonce] = client.nonces(BUNDLE)
    [result] = client.sign(testing.offer_body(nonce=nonce, customerId="u-1", **XCODE))
    assert result["nonce"] == nonce
    assert client.problem("/v1/signatures", testing.offer_body(nonce=nonce, customerId="u-1", **XCODE))[:2] == (409, "nonce-replayed")


def test_an_end_user_gets_a_signature_in_xcode_that_is_useless_outside(app_store, new_service, tmp_path, key_file):
    issuer = TokenIssuer()
    (tmp_path / "jwks.json").write_text(issuer.jwks())
    (tmp_path / "jwks.json").chmod(0o644)
    app = app_yaml({"file": str(tmp_path / "jwks.json")}, eligibility="enforce", xcodeKey={"id": XCODE_ID, "file": str(key_file)})
    service = new_service(extra=app_store.configuration_yaml() + f"apps: {json.dumps([app])}\n")
    client = service.client(token=issuer.token("u-1"))
    [result] = client.sign(service.offer_body(**XCODE))
    assert signed_by(result, private_key(key_file))
    [refused] = client.sign(service.offer_body())
    assert refused["code"] == "never-subscribed"


def test_without_a_key_a_request_for_xcode_is_refused_with_the_remedy(connected):
    problem = connected().client().post("/v1/signatures", {
        "bundleId": BUNDLE, "customerId": "u", "offers": [{"productId": PRO, "offerId": "winback50"}], **XCODE}).json()
    [field] = problem["fields"]
    assert (problem["code"], field["name"]) == ("invalid-field", "environment") and "apps[].xcodeKey" in field["reason"]


# At load


@pytest.fixture
def service(new_service):
    """Not started: its keys and configuration are laid out first."""
    made = new_service(start=False)
    made.lay_out_keys()
    return made


def checked(service, tmp_path, command="check-config", **app):
    """One run of a command with the app as given: (exit code, all that it said)."""
    file = tmp_path / "checked.yaml"
    file.write_text(
        f"http: {{port: 18080}}\nstore: {{sqlite: {json.dumps(str(tmp_path / 'store.sqlite'))}}}\n"
        f"keys: {{directory: {json.dumps(str(service.folder / 'keys'))}}}\n"
        f"apps: [{json.dumps({'bundleId': BUNDLE, **app})}]\n")
    done = run(*command.split(), "--config", "offersigner.example.yaml", "--config", file)
    return done.returncode, done.stdout + done.stderr


def test_check_config_says_with_which_key_xcode_is_signed_for(service, tmp_path, key_file):
    code, text = checked(service, tmp_path, xcodeKey={"id": XCODE_ID, "file": str(key_file)})
    assert code == 0 and f"signs with EXAMPLE123, for Xcode with {XCODE_ID}" in text, text


def is_in_the_manifest(keys, file):
    shutil.copy(file, keys / "SubscriptionKey_ABCDE12345.p8")
    (keys / "keys.yaml").write_text("keys: [{id: ABCDE12345, file: SubscriptionKey_ABCDE12345.p8, state: active}]\n")


def is_the_first_of_the_folder(keys, file):
    (keys / "keys.yaml").unlink()
    shutil.copy(file, keys / "SubscriptionKey_ABCDE12345.p8")


@pytest.mark.parametrize("lay", [is_in_the_manifest, is_the_first_of_the_folder], ids=lambda each: each.__name__)
def test_a_key_that_is_both_is_refused(service, tmp_path, key_file, lay):
    lay(service.folder / "keys", key_file)
    xcode = {"id": XCODE_ID, "file": str(key_file)}
    for command in ("check-config", "serve"):
        code, text = checked(service, tmp_path, command, xcodeKey=xcode)
        assert code != 0 and f"ABCDE12345 is also the xcodeKey of {BUNDLE}" in text, text
    # It is this and nothing else.
    assert checked(service, tmp_path)[0] == 0


def test_a_key_that_is_both_is_not_staged_and_not_used_from_the_folder(testing, key_file, tmp_path):
    staged = testing.cli("keys", "stage", str(key_file), "--id", "ABCDE12345")
    assert staged.returncode != 0 and "is also the xcodeKey" in staged.stderr, staged.stderr
    shutil.copy(key_file, testing.folder / "keys" / "SubscriptionKey_ABCDE12345.p8")
    listed = testing.cli("keys", "list")
    assert listed.returncode == 0 and "ABCDE12345" not in listed.stdout and "is also the xcodeKey" in listed.stderr, listed.stderr
    assert testing.cli("keys", "activate", "ABCDE12345").returncode != 0


WRONG = {
    "another curve": lambda file: openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384", "-out", file),
    "RSA": lambda file: openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", file),
    "no key": lambda file: file.write_text("no key\n"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_key_is_refused_as_any_other(service, tmp_path, kind):
    file = tmp_path / "key.p8"
    WRONG[kind](file)
    file.chmod(0o600)
    code, text = checked(service, tmp_path, xcodeKey={"id": XCODE_ID, "file": str(file)})
    assert code != 0 and f"apps[0].xcodeKey: {file}: " in text, text


@pytest.mark.parametrize(
    ("app", "complaint"),
    [
        ({"xcodeKey": {"id": XCODE_ID}}, "apps[0].xcodeKey.file: is missing"),
        ({"xcodeKey": {"file": "key.p8"}}, "apps[0].xcodeKey.id: is missing"),
        ({"xcodeKey": {"id": "not an id", "file": "KEY"}}, "not an id is not a key id"),
        ({"xcodeKey": {"id": "EXAMPLE123", "file": "KEY"}}, f"EXAMPLE123 is also the id of the xcodeKey of {BUNDLE}"),
        ({"xcodeKey": {"id": XCODE_ID, "file": "nowhere.p8"}}, "apps[0].xcodeKey: nowhere.p8: "),
        ({"xcodeKey": {"id": XCODE_ID, "file": "KEY"}, "environment": "Xcode"}, "apps[0].xcodeKey: is for apps whose environment is"),
    ])
def test_what_does_not_go_together_is_named(service, tmp_path, key_file, app, complaint):
    if app["xcodeKey"].get("file") == "KEY":
        app = {**app, "xcodeKey": {**app["xcodeKey"], "file": str(key_file)}}
    code, text = checked(service, tmp_path, **app)
    assert code != 0 and complaint in text, text


def test_a_key_that_others_may_read_is_refused(service, tmp_path):
    file = make_key(tmp_path / "key.p8")
    file.chmod(0o644)
    code, text = checked(service, tmp_path, xcodeKey={"id": XCODE_ID, "file": str(file)})
    assert code != 0 and "file-readable-by-others" in text, text


def test_a_key_that_cannot_be_read_does_not_prevent_a_revocation(service, tmp_path):
    code, text = checked(
        service, tmp_path, "keys revoke EXAMPLE123 --even-if-active --reason stolen", xcodeKey={"id": XCODE_ID, "file": "nowhere.p8"})
    assert code == 0 and "EXAMPLE123 is revoked" in text, text
