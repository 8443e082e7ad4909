"""What /v1/verify and `offersigner verify` say about each mistake, made here with other people's crypto."""
import asyncio
import base64
import json
import time
import uuid

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from harness import checks
from harness.checks import openssl
from harness.scale import IS_FULL
from harness.service import Service, run
from harness.waiting import PATIENCE, wait_until

BUNDLE, PRODUCT, OFFER = "com.example.app", "com.example.pro.monthly", "winback50"
OTHER_KEY = "OTHER67890"


def add_other_key(service, state):
    """Lays out the keys of a service that has not started, with one more in this state."""
    manifest = service.lay_out_keys() / "keys.yaml"
    service.other_key_file = manifest.parent / f"SubscriptionKey_{OTHER_KEY}.p8"
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", service.other_key_file)
    service.other_key_file.chmod(0o600)
    manifest.write_text(manifest.read_text() + f"  - {{id: {OTHER_KEY}, file: {service.other_key_file.name}, state: {state}}}\n")


@pytest.fixture(scope="module")
def two_keys(tmp_path_factory):
    """A service with an active key and a retiring one."""
    service = Service(tmp_path_factory.mktemp("diagnosis") / "service")
    add_other_key(service, "retiring")
    service.start()
    yield service
    if service.is_running:
        service.stop()


class Purchase:
    """A signature, and the fields as an app hands them to StoreKit; `signed` and `given` say where they differ."""

    def __init__(self, service, key_file=None, separator=checks.SEPARATOR, end="", given=None, **signed):
        fields = {
            "bundleId": BUNDLE, "keyIdentifier": service.key_id, "productId": PRODUCT, "offerId": OFFER,
            "applicationUsername": "", "nonce": str(uuid.uuid4()), "timestamp": int(time.time() * 1000),
        } | signed
        message = checks.payload(
            fields["bundleId"], fields["keyIdentifier"], fields["productId"], fields["offerId"], fields["applicationUsername"],
            fields["nonce"], fields["timestamp"], separator=separator,
        ) + end.encode()
        fields["signature"] = checks.sign(checks.private_key(key_file or service.key_file), message)
        self.service, self.fields = service, fields | (given or {})

    def over_http(self):
        body = {**self.fields}
        answer = self.service.client().post("/v1/verify", body)
        assert answer.status_code == 200, answer.text
        value = answer.json()
        assert value["valid"] == (not value.get("findings"))
        return {finding["code"] for finding in value.get("findings", [])}

    def over_cli(self):
        names = {
            "bundleId": "--bundle-id", "keyIdentifier": "--key-id", "productId": "--product-id", "offerId": "--offer-id",
            "applicationUsername": "--application-username", "nonce": "--nonce", "timestamp": "--timestamp", "signature": "--signature",
        }
        options = [f"{names[name]}={value}" for name, value in self.fields.items() if value != ""]
        done = run(
            "verify", "--key", self.service.key_file, "--key", self.service.other_key_file, "--other-bundle-id", "com.example.news",
            "--other-bundle-id", BUNDLE, *options,
        )
        lines = done.stdout.splitlines()
        assert not done.stderr, done.stderr
        assert (done.returncode == 0) == (lines == ["valid"]), done.stdout + done.stderr
        return {line.split(":")[0] for line in lines} - {"valid"}

    def codes(self):
        """What both ways say; they must agree."""
        http, cli = self.over_http(), self.over_cli()
        assert http == cli, f"HTTP says {http}, the command line {cli}"
        return http


def test_a_good_signature_has_no_findings(two_keys):
    for username in ["", "jane", "Jane.Doe", "7e3fb20b-4cdb-47cc-936d-99d65f608138", "日本", "e\u0301"]:
        assert Purchase(two_keys, applicationUsername=username).codes() == set()


def test_what_the_service_signed_verifies_as_answered(two_keys):
    [result] = two_keys.client().sign(two_keys.offer_body(applicationUsername="Jane Doe"))
    names = ["productId", "offerId", "applicationUsername", "nonce", "timestamp", "signature", "keyIdentifier"]
    answer = two_keys.client().post("/v1/verify", {"bundleId": BUNDLE} | {name: result[name] for name in names})
    assert answer.json() == {"valid": True}


def test_base64_twice(two_keys):
    purchase = Purchase(two_keys)
    purchase.fields["signature"] = base64.b64encode(purchase.fields["signature"].encode()).decode()
    assert purchase.codes() == {"base64-twice"}


def test_p1363_in_place_of_der(two_keys):
    purchase = Purchase(two_keys)
    r, s = decode_dss_signature(base64.b64decode(purchase.fields["signature"]))
    purchase.fields["signature"] = base64.b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")).decode()
    assert purchase.codes() == {"p1363-signature"}


def test_url_safe_base64_and_missing_padding(two_keys):
    for _ in range(200):
        purchase = Purchase(two_keys)
        text = purchase.fields["signature"]
        if "=" in text and ("+" in text or "/" in text):
            break
    for changed in [text.rstrip("="), text.replace("+", "-").replace("/", "_"), text.replace("+", "-").replace("/", "_").rstrip("=")]:
        purchase.fields["signature"] = changed
        assert purchase.codes() == {"base64-url"}


@pytest.mark.parametrize("text", ["%%%", "nöt base64", "é"])
def test_no_base64_at_all(two_keys, text):
    assert "base64-invalid" in Purchase(two_keys, given={"signature": text}).codes()


@pytest.mark.parametrize("cut", [1, 10, 60])
def test_a_signature_that_was_cut_off(two_keys, cut):
    purchase = Purchase(two_keys)
    der = base64.b64decode(purchase.fields["signature"])
    purchase.fields["signature"] = base64.b64encode(der[:-cut]).decode()
    assert purchase.codes() == {"signature-malformed"}


def test_seconds_in_place_of_milliseconds(two_keys):
    now = int(time.time() * 1000)
    given_in_seconds = Purchase(two_keys, timestamp=now, given={"timestamp": now // 1000})
    assert given_in_seconds.codes() == {"timestamp-in-seconds"}
    assert Purchase(two_keys, timestamp=now // 1000 * 1000, given={"timestamp": now // 1000}).codes() == {"timestamp-in-seconds"}
    assert Purchase(two_keys, timestamp=now // 1000, given={"timestamp": now}).codes() == {"timestamp-in-seconds"}
    assert Purchase(two_keys, timestamp=now // 1000).codes() == {"timestamp-in-seconds"}


def test_an_upper_case_nonce(two_keys):
    nonce = str(uuid.uuid4())
    for signed, given in [(nonce, nonce.upper()), (nonce.upper(), nonce), (nonce.upper(), nonce.upper())]:
        assert Purchase(two_keys, nonce=signed, given={"nonce": given}).codes() == {"nonce-upper-case"}


def test_a_nonce_that_is_no_uuid(two_keys):
    assert Purchase(two_keys, nonce="12345").codes() == {"nonce-not-a-uuid"}


@pytest.mark.parametrize("separator", ["\u2064", "\u2036", "\u2062", "\u2060", "", ".", "|", ",", " ", "\\u2063", "\\u{2063}", "&#x2063;", "&#8291;", "%E2%81%A3", "\n",
                                       "\u2063".encode().decode("latin-1")], ids=ascii)
def test_another_separator(two_keys, separator):
    assert Purchase(two_keys, separator=separator).codes() == {"wrong-separator"}


def test_a_separator_at_the_end(two_keys):
    assert Purchase(two_keys, end=checks.SEPARATOR).codes() == {"wrong-separator"}


@pytest.mark.parametrize("word", ["undefined", "null", "None", "nil", "(null)"])
@pytest.mark.parametrize("given", ["", "jane"])
def test_a_word_for_a_value_that_was_not_set(two_keys, word, given):
    assert Purchase(two_keys, applicationUsername=word, given={"applicationUsername": given}).codes() == {"username-differs"}


def test_a_username_signed_elsewhere_and_not_given(two_keys):
    token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
    assert Purchase(two_keys, applicationUsername=token, given={"applicationUsername": ""}).codes() == {"not-ours", "username-missing"}


def test_a_compact_jws(two_keys):
    [result] = two_keys.client().sign(two_keys.offer_body(form="jws"))
    purchase = Purchase(two_keys, given={"signature": result["compactJWS"]})
    # Only the service knows what the nonce within is for.
    assert (purchase.over_cli(), purchase.over_http()) == ({"compact-jws"}, {"compact-jws", "nonce-on-record"})


def test_a_nonce_on_record_names_the_product_and_offer_that_were_signed(two_keys):
    [result] = two_keys.client().sign(two_keys.offer_body(applicationUsername="jane"))
    names = ["productId", "offerId", "applicationUsername", "nonce", "timestamp", "signature", "keyIdentifier"]
    body = {"bundleId": BUNDLE} | {name: result[name] for name in names}
    other = Purchase(two_keys).fields["signature"]
    for changed, expected in [
        ({"productId": "com.example.pro.yearly"}, {"nonce-on-record"}), ({"offerId": "other"}, {"nonce-on-record"}),
        ({"productId": "com.example.pro.yearly", "applicationUsername": "john"}, {"nonce-on-record", "username-differs"}),
        ({"signature": other}, {"not-ours", "nonce-on-record"}), ({"signature": other[:20]}, {"signature-malformed", "nonce-on-record"}),
        ({"signature": "!"}, {"base64-invalid", "nonce-on-record"}),
    ]:
        answer = two_keys.client().post("/v1/verify", body | changed).json()
        assert {finding["code"] for finding in answer["findings"]} == expected, (changed, answer)
        [message] = [finding["message"] for finding in answer["findings"] if finding["code"] == "nonce-on-record"]
        assert result["productId"] in message and result["offerId"] in message and "jane" not in json.dumps(answer), message
    assert two_keys.client().post("/v1/verify", body).json() == {"valid": True}


def test_a_nonce_of_another_app_is_not_told(two_keys):
    [result] = two_keys.client().sign(two_keys.offer_body())
    body = Purchase(two_keys, bundleId="com.example.news", nonce=result["nonce"], given={"offerId": "other"}).fields
    answer = two_keys.client().post("/v1/verify", body).json()
    assert {finding["code"] for finding in answer["findings"]} == {"not-ours", "username-missing"} and PRODUCT not in json.dumps(answer)


@pytest.mark.parametrize(
    ("signed", "given"), [("jane", " jane"), ("jane", "jane "), ("jane", "  jane\n"), (" jane", "jane"), ("jane ", "jane"), ("jane\n", "jane")]
)
def test_a_trimmed_username(two_keys, signed, given):
    assert Purchase(two_keys, applicationUsername=signed, given={"applicationUsername": given}).codes() == {"username-trimmed"}


@pytest.mark.parametrize(
    ("signed", "given"),
    [("jane.doe", "Jane.Doe"), ("JANE.DOE", "Jane.Doe"), ("jane.doe", "JANE.DOE"),
     ("7e3fb20b-4cdb-47cc-936d-99d65f608138", "7E3FB20B-4CDB-47CC-936D-99D65F608138")],
)
def test_a_username_in_another_case(two_keys, signed, given):
    assert Purchase(two_keys, applicationUsername=signed, given={"applicationUsername": given}).codes() == {"username-case"}


def test_a_uuid_in_upper_case_is_named_with_what_to_give_storekit(two_keys):
    token = str(uuid.uuid4())
    [result] = two_keys.client().sign(two_keys.offer_body(appAccountToken=token.upper()))
    assert result["applicationUsername"] == token
    names = ["productId", "offerId", "nonce", "timestamp", "signature", "keyIdentifier"]
    body = {"bundleId": BUNDLE, "applicationUsername": token.upper()} | {name: result[name] for name in names}
    [finding] = two_keys.client().post("/v1/verify", body).json()["findings"]
    assert finding["code"] == "username-case" and "the applicationUsername of the answer" in finding["message"]
    purchase = Purchase(two_keys, applicationUsername=token, given={"applicationUsername": token.upper()})
    [finding] = two_keys.client().post("/v1/verify", purchase.fields).json()["findings"]
    assert token in finding["message"] and "the applicationUsername of the answer" in finding["message"]


def test_a_mixed_case_username_that_was_lower_cased_on_the_way_is_explained(two_keys):
    """Apple's own libraries do this: the service signed Jane.Doe, the app passes jane.doe. The ledger knows what was signed."""
    [result] = two_keys.client().sign(two_keys.offer_body(applicationUsername="Jane.Doe"))
    names = ["productId", "offerId", "nonce", "timestamp", "signature", "keyIdentifier"]
    body = {"bundleId": BUNDLE, "applicationUsername": "jane.doe"} | {name: result[name] for name in names}
    answer = two_keys.client().post("/v1/verify", body).json()
    assert {finding["code"] for finding in answer["findings"]} == {"username-case"}


def test_a_username_trimmed_of_several_spaces_is_explained(two_keys):
    [result] = two_keys.client().sign(two_keys.offer_body(applicationUsername="  jane\t"))
    names = ["productId", "offerId", "nonce", "timestamp", "signature", "keyIdentifier"]
    body = {"bundleId": BUNDLE, "applicationUsername": "jane"} | {name: result[name] for name in names}
    answer = two_keys.client().post("/v1/verify", body).json()
    assert {finding["code"] for finding in answer["findings"]} == {"username-trimmed"}


def test_a_username_that_was_given_but_not_signed(two_keys):
    assert Purchase(two_keys, applicationUsername="", given={"applicationUsername": "jane"}).codes() == {"username-missing"}


def test_a_username_that_was_signed_but_not_given(two_keys):
    [result] = two_keys.client().sign(two_keys.offer_body(applicationUsername="jane"))
    names = ["productId", "offerId", "nonce", "timestamp", "signature", "keyIdentifier"]
    answer = two_keys.client().post("/v1/verify", {"bundleId": BUNDLE} | {name: result[name] for name in names}).json()
    assert {finding["code"] for finding in answer["findings"]} == {"username-missing"}


def test_another_username_altogether(two_keys):
    [result] = two_keys.client().sign(two_keys.offer_body(applicationUsername="jane"))
    names = ["productId", "offerId", "nonce", "timestamp", "signature", "keyIdentifier"]
    body = {"bundleId": BUNDLE, "applicationUsername": "john"} | {name: result[name] for name in names}
    answer = two_keys.client().post("/v1/verify", body).json()
    assert {finding["code"] for finding in answer["findings"]} == {"username-differs"}
    assert "jane" not in json.dumps(answer)


def test_another_key(two_keys):
    file = two_keys.other_key_file
    assert Purchase(two_keys, keyIdentifier=OTHER_KEY, key_file=file, given={"keyIdentifier": two_keys.key_id}).codes() == {"other-key"}
    assert Purchase(two_keys, keyIdentifier=OTHER_KEY, key_file=file).codes() == set()


def test_a_revoked_key(new_service):
    service = new_service(start=False)
    add_other_key(service, "revoked")
    service.start()
    assert Purchase(service, keyIdentifier=OTHER_KEY, key_file=service.other_key_file).over_http() == {"key-revoked"}
    assert Purchase(service).over_http() == set()


def test_a_crowd_of_inexplicable_signatures_is_turned_away_and_delays_no_request(two_keys):
    body = Purchase(two_keys, given={"productId": "other", "timestamp": int(time.time())}).fields

    async def crowd():
        headers = {"Authorization": f"Bearer {two_keys.tokens['client']}"}
        async with httpx.AsyncClient(base_url=two_keys.url, headers=headers, timeout=PATIENCE, limits=httpx.Limits()) as client:
            examined = [asyncio.create_task(client.post("/v1/verify", json=body)) for _ in range(100)]
            # As soon as one is turned away as many as can be are under way.
            await asyncio.wait(examined, return_when=asyncio.FIRST_COMPLETED)
            start = time.monotonic()
            signed = await client.post("/v1/signatures", json=two_keys.offer_body(), headers={"Idempotency-Key": str(uuid.uuid4())})
            seconds, others = time.monotonic() - start, [task for task in examined if not task.done()]
            answers = await asyncio.gather(*examined)
            return signed.status_code, seconds, sum(task.result().status_code == 200 for task in others), answers

    def overtakes():
        """Whether a signature is answered while many are still examined that came before it."""
        status, seconds, left, answers = asyncio.run(crowd())
        assert status == 200 and (seconds < 2 or not IS_FULL)
        return left >= 16 and answers

    answers = wait_until(overtakes)
    assert {answer.status_code for answer in answers} == {200, 503}
    assert sum(answer.status_code == 200 for answer in answers) >= 32
    assert all("retry-after" in answer.headers for answer in answers if answer.status_code == 503)


def test_the_right_key_id_signed_with_another_key(two_keys):
    assert Purchase(two_keys, key_file=two_keys.other_key_file).codes() == {"other-key"}


def test_an_unknown_key(two_keys):
    assert "unknown-key" in Purchase(two_keys, keyIdentifier="NOBODYS123").codes()
    assert "unknown-key" in Purchase(two_keys, given={"keyIdentifier": "NOBODYS123"}).codes()


def test_another_bundle(two_keys):
    assert Purchase(two_keys, bundleId="com.example.news", given={"bundleId": BUNDLE}).codes() == {"other-bundle"}


def test_older_than_24_hours(two_keys):
    day, now = 24 * 3600 * 1000, int(time.time() * 1000)
    assert Purchase(two_keys, timestamp=now - day - 5_000).codes() == {"expired"}
    assert Purchase(two_keys, timestamp=now - day + 60_000).codes() == set()


def test_from_the_future(two_keys):
    assert Purchase(two_keys, timestamp=int(time.time() * 1000) + 3_600_000).codes() == {"timestamp-in-future"}


def test_two_mistakes_at_once_are_both_named(two_keys):
    purchase = Purchase(two_keys, given={"applicationUsername": "jane"})
    purchase.fields["signature"] = base64.b64encode(purchase.fields["signature"].encode()).decode()
    assert purchase.codes() == {"base64-twice", "username-missing"}
    nonce = str(uuid.uuid4())
    purchase = Purchase(two_keys, separator="\u2064", nonce=nonce, given={"nonce": nonce.upper()})
    assert purchase.codes() == {"wrong-separator", "nonce-upper-case"}


@pytest.mark.parametrize("field", ["productId", "offerId"])
def test_what_no_usual_mistake_explains_is_not_ours(two_keys, field):
    assert Purchase(two_keys, applicationUsername="jane", given={field: "something-else"}).codes() == {"not-ours"}


def test_a_forged_signature_is_not_ours(two_keys, tmp_path):
    forged = tmp_path / "forged.pem"
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", forged)
    assert Purchase(two_keys, key_file=forged, applicationUsername="jane").codes() == {"not-ours"}


def test_nothing_is_stored_by_a_verification(two_keys):
    before = two_keys.counts()
    for _ in range(10):
        Purchase(two_keys).over_http()
    assert two_keys.counts() == before


def test_the_worst_case_does_not_keep_others_waiting(two_keys):
    before = two_keys.processor_time()
    for _ in range(20):
        Purchase(two_keys, applicationUsername=" X y ", given={"productId": "x", "timestamp": 1_700_000_000, "nonce": str(uuid.uuid4()).upper()}).over_http()
    assert (two_keys.processor_time() - before) / 20 < 1
