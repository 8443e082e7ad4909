"""What /v1/verify, `offersigner verify` and the console say about a JWS. Apple's own library and PyJWT make them."""
import base64
import json
import pathlib
import time
import uuid

import jwt
import pytest
from appstoreserverlibrary.jws_signature_creator import (
    IntroductoryOfferEligibilitySignatureCreator, PromotionalOfferV2SignatureCreator,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from playwright.sync_api import expect

from harness.browser import Visit, chromium
from harness.scale import IS_FULL
from harness.service import run

PER_LIBRARY = 1000 if IS_FULL else 100
HEADER = {"alg": "ES256", "typ": "JWT"}


def claims(service, **changes):
    """Apple's claims of a promotional offer with some of them changed; None leaves one out."""
    all = {
        "iss": service.issuer_id, "iat": int(time.time()), "aud": "promotional-offer", "bid": service.bundle_id,
        "nonce": str(uuid.uuid4()), "productId": service.product, "offerIdentifier": service.offer, "transactionId": "2000000123456789",
    } | changes
    return {name: value for name, value in all.items() if value is not None}


def signed(service, *, header=None, key=None, remove_header=(), **changes):
    headers = HEADER | {"kid": service.key_id} | (header or {})
    for name in remove_header:
        headers[name] = None
    return jwt.encode(claims(service, **changes), pathlib.Path(key or service.key_file).read_text(), algorithm="ES256", headers=headers)


def with_der(service):
    message, _, signature = signed(service).rpartition(".")
    raw = base64.urlsafe_b64decode(signature + "==")
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    return f"{message}.{base64.urlsafe_b64encode(der).decode().rstrip('=')}"


def tampered(service):
    head, _, signature = signed(service).split(".")
    body = base64.urlsafe_b64encode(json.dumps(claims(service, productId="another")).encode()).decode().rstrip("=")
    return f"{head}.{body}.{signature}"


def over_http(service, text):
    answer = service.client().post("/v1/verify", {"bundleId": service.bundle_id, "compactJWS": text})
    assert answer.status_code == 200, answer.text
    value = answer.json()
    assert value["valid"] == (not value.get("findings"))
    return [finding["code"] for finding in value.get("findings", [])]


def over_cli(service, text):
    done = run(
        "verify", "--key", service.key_file, "--bundle-id", service.bundle_id, "--issuer-id", service.issuer_id, f"--compact-jws={text}")
    lines = done.stdout.splitlines()
    assert not done.stderr and (done.returncode == 0) == (lines == ["valid"]), done.stdout + done.stderr
    return [line.split(":")[0] for line in lines if line != "valid"]


def test_apples_library_and_this_service_make_right_ones(instance, client):
    """No false alarm, however many."""
    pem = pathlib.Path(instance.key_file).read_bytes()
    of_apple = (pem, instance.key_id, instance.issuer_id, instance.bundle_id)
    promotional, introductory = PromotionalOfferV2SignatureCreator(*of_apple), IntroductoryOfferEligibilitySignatureCreator(*of_apple)
    texts = []
    for number in range(PER_LIBRARY):
        texts.append(promotional.create_signature(instance.product, instance.offer, str(number) if number % 2 else None))
        texts.append(introductory.create_signature(instance.product, number % 2 == 0, str(number)))
    texts += [result["compactJWS"] for result in client.sign(instance.offer_body(form="jws", transactionId="2000000123456789"))]
    for text in texts:
        assert over_http(instance, text) == [], text
    for text in texts[:2] + texts[-1:]:
        assert over_cli(instance, text) == []


WRONG = {
    "double Base64": (lambda s: base64.b64encode(signed(s).encode()).decode(), ["base64-twice"]),
    "quoted": (lambda s: f'"{signed(s)}"', ["jws-wrapped"]),
    "broken into lines": (lambda s: signed(s)[:76] + "\n" + signed(s)[76:], None),
    "bearer": (lambda s: f"Bearer {signed(s)}", ["jws-wrapped"]),
    "cut off": (lambda s: signed(s)[:-10], ["signature-malformed"]),
    "two parts": (lambda s: signed(s).rpartition(".")[0], ["jws-malformed"]),
    "padded": (lambda s: signed(s) + "==", ["base64-standard"]),
    "payload form": (lambda s: s.client().sign(s.offer_body())[0]["signature"], ["payload-signature"]),
    "DER": (with_der, ["der-signature"]),
    "no type": (lambda s: signed(s, remove_header=["typ"]), ["wrong-type"]),
    "no key id": (lambda s: signed(s, header={"kid": ""}), ["key-id-missing"]),
    "unknown key": (lambda s: signed(s, header={"kid": "UNKNOWNKEY"}), ["unknown-key", "other-key"]),
    "other audience": (lambda s: signed(s, aud="appstoreconnect-v1"), ["wrong-audience"]),
    "no audience": (lambda s: signed(s, aud=None), ["claim-missing"]),
    "other app": (lambda s: signed(s, bid="com.example.elsewhere"), ["other-bundle"]),
    "team id": (lambda s: signed(s, iss="TEAM123456"), ["other-issuer"]),
    "exp": (lambda s: signed(s, exp=int(time.time()) + 300), ["expiry-present"]),
    "jti": (lambda s: signed(s, jti="x"), ["claim-unknown"]),
    "offerId": (lambda s: signed(s, offerIdentifier=None, offerId=s.offer), ["claim-misspelt"]),
    "upper-case name": (lambda s: signed(s, productId=None, productID=s.product), ["claim-misspelt"]),
    "no nonce": (lambda s: signed(s, nonce=None), ["claim-missing"]),
    "upper-case nonce": (lambda s: signed(s, nonce=str(uuid.uuid4()).upper()), ["nonce-upper-case"]),
    "other nonce": (lambda s: signed(s, nonce="12345"), ["nonce-not-a-uuid"]),
    "milliseconds": (lambda s: signed(s, iat=int(time.time() * 1000)), ["timestamp-in-milliseconds"]),
    "fraction": (lambda s: signed(s, iat=time.time() + 0.001), ["claim-malformed"]),
    "old": (lambda s: signed(s, iat=int(time.time()) - 86_500), ["expired"]),
    "future": (lambda s: signed(s, iat=int(time.time()) + 900), ["timestamp-in-future"]),
    "number": (lambda s: signed(s, transactionId=2000000123456789), ["claim-malformed"]),
    "text for a flag": (
        lambda s: signed(s, aud="introductory-offer-eligibility", offerIdentifier=None, allowIntroductoryOffer="true"),
        ["claim-malformed"]),
    "no transaction": (
        lambda s: signed(s, aud="introductory-offer-eligibility", offerIdentifier=None, allowIntroductoryOffer=True, transactionId=None),
        ["claim-missing"]),
    "changed afterwards": (tampered, ["not-ours"]),
    "no JWS": (lambda s: "no JWS", ["jws-wrapped", "jws-malformed"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named(instance, name):
    make, expected = WRONG[name]
    text = make(instance)
    found = over_http(instance, text)
    if expected is not None:
        assert found == expected
    else:
        assert "jws-wrapped" in found
    assert over_cli(instance, text) == found


def test_a_nonce_on_record_names_what_was_signed(instance, client):
    [result] = client.sign(instance.offer_body(form="jws", transactionId="2000000123456789"))
    head, body, signature = result["compactJWS"].split(".")
    told = json.loads(base64.urlsafe_b64decode(body + "==")) | {"productId": "another"}
    changed = base64.urlsafe_b64encode(json.dumps(told).encode()).decode().rstrip("=")
    findings = client.post(
        "/v1/verify", {"bundleId": instance.bundle_id, "compactJWS": f"{head}.{changed}.{signature}"}).json()["findings"]
    assert [finding["code"] for finding in findings] == ["not-ours", "nonce-on-record"]
    assert instance.product in findings[1]["message"] and instance.offer in findings[1]["message"]


def test_a_jws_is_given_alone_and_a_signature_with_its_fields(instance, client):
    def fields(body):
        answer = client.post("/v1/verify", {"bundleId": instance.bundle_id} | body)
        assert answer.status_code == 400, answer.text
        return {field["name"]: field["reason"] for field in answer.json()["fields"]}

    both = fields({"compactJWS": signed(instance), "productId": "x", "timestamp": 1})
    assert set(both) == {"productId", "timestamp"} and "compactJWS" in both["productId"]
    none = fields({})
    assert set(none) == {"productId", "offerId", "nonce", "timestamp", "signature", "keyIdentifier"} and "compactJWS" in none["signature"]
    assert set(fields({"compactJWS": "x" * 8193})) == set(fields({"compactJWS": 7})) == {"compactJWS"}
    done = run("verify", "--key", instance.key_file, "--bundle-id", "b", "--compact-jws", "x", "--nonce", "y")
    assert done.returncode == 64 and "--nonce cannot be given together with --compact-jws" in done.stderr
    done = run("verify", "--key", instance.key_file, "--bundle-id", "b")
    assert done.returncode == 64 and "--product-id is missing" in done.stderr


@pytest.mark.parametrize("options", [{}, {"size": "narrow", "scripts": False}], ids=["whole", "without scripts"])
def test_the_console_says_the_same(new_service, options):
    service = new_service()
    made = service.cli("access", "create", "--role", "security", "--note", "security-1")
    [result] = service.client().sign(service.offer_body())
    with chromium() as browser:
        window = Visit(browser, service, **options)
        page = window.page
        window.sign_in(made.stdout.strip())
        page.goto("/console/verify")
        expect(page.get_by_role("heading", name="Check a signature", level=1)).to_be_visible()
        text = page.get_by_label("JWS, or signature of the payload form")
        window.look("verify")
        text.fill(signed(service))
        page.get_by_role("button", name="Check").click()
        expect(page.get_by_text("Nothing is wrong with it")).to_be_visible()
        window.look("verify-valid")
        text.fill(signed(service, exp=1, productId=None, productID=service.product))
        page.get_by_role("button", name="Check").click()
        expect(page.get_by_text("2 things are wrong:")).to_be_visible()
        expect(page.get_by_text("claim-misspelt")).to_be_visible()
        window.look("verify-invalid")
        # A signature of the payload form is asked for its fields.
        text.fill(result["signature"])
        page.get_by_role("button", name="Check").click()
        expect(page.get_by_text("payload-signature")).to_be_visible()
        page.get_by_label("productId").fill(service.product)
        page.get_by_role("button", name="Check").click()
        expect(page.get_by_role("link", name="timestamp is empty.")).to_be_visible()
        for name in ["offerId", "nonce", "timestamp", "keyIdentifier"]:
            page.get_by_label(name).fill(str(result[name]))
        page.get_by_role("button", name="Check").click()
        expect(page.get_by_text("Nothing is wrong with it")).to_be_visible()
        page.get_by_label("timestamp").fill(str(result["timestamp"] // 1000))
        page.get_by_role("button", name="Check").click()
        expect(page.get_by_text("timestamp-in-seconds")).to_be_visible()
        window.look("verify-payload")
        window.close()


def test_people_who_may_not_check_signatures_have_no_such_page(new_service):
    service = new_service()
    made = service.cli("access", "create", "--role", "marketing", "--note", "marketing-1")
    with chromium() as browser:
        window = Visit(browser, service)
        window.sign_in(made.stdout.strip())
        assert window.page.get_by_role("link", name="Check a signature").count() == 0
        assert window.page.goto("/console/verify").status == 403
        window.close()
