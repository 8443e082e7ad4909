"""The JWS forms, verified by an independent library (joserfc)."""
import base64
import json

import pytest
from joserfc import jws
from joserfc.jwk import ECKey

from harness.service import EXAMPLE

ISSUER = "57246542-96fe-1a63-e053-0824d011072a"


@pytest.fixture(scope="module")
def jwk(instance):
    with open(instance.key_file, "rb") as file:
        return ECKey.import_key(file.read())


def decoded(token, jwk):
    """(header, claims) of a token that verifies."""
    found = jws.deserialize_compact(token, jwk, algorithms=["ES256"])
    return found.headers(), json.loads(found.payload)


def parts(token):
    return [base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in token.split(".")]


def test_the_example_issuer_id_is_the_one_these_tests_expect(instance):
    assert ISSUER in EXAMPLE.read_text() and instance.issuer_id == ISSUER


def test_a_promotional_offer_jws_has_exactly_apples_header_and_claims(instance, client, jwk):
    body = instance.offer_body(form="jws", transactionId="2000000123456789", applicationUsername="Jane")
    [result] = client.sign(body)
    header, claims = decoded(result["compactJWS"], jwk)
    assert header == {"alg": "ES256", "kid": instance.key_id, "typ": "JWT"}
    assert claims == {
        "iss": ISSUER,
        "iat": result["timestamp"] // 1000,
        "aud": "promotional-offer",
        "bid": instance.bundle_id,
        "nonce": result["nonce"],
        "productId": instance.product,
        "offerIdentifier": instance.offer,
        "transactionId": "2000000123456789",
    }
    assert type(claims["iat"]) is int
    assert "signature" not in result and "applicationUsername" not in result


@pytest.mark.parametrize("fields", [{}, {"transactionId": None}], ids=["left out", "null"])
def test_a_missing_transaction_id_is_absent_not_null(instance, client, jwk, fields):
    [result] = client.sign(instance.offer_body(form="jws", **fields))
    _, claims = decoded(result["compactJWS"], jwk)
    assert set(claims) == {"iss", "iat", "aud", "bid", "nonce", "productId", "offerIdentifier"}


@pytest.mark.parametrize("allow", [True, False])
def test_an_introductory_offer_jws_has_exactly_apples_claims(instance, jwk, allow):
    answer = instance.client("backend").post("/v1/introductory-offers/signatures", {
        "bundleId": instance.bundle_id,
        "products": [{"productId": instance.product, "transactionId": "2000000123456789", "allow": allow}],
    })
    [result] = answer.json()["results"]
    header, claims = decoded(result["compactJWS"], jwk)
    assert header == {"alg": "ES256", "kid": instance.key_id, "typ": "JWT"}
    assert claims == {
        "iss": ISSUER,
        "iat": result["timestamp"] // 1000,
        "aud": "introductory-offer-eligibility",
        "bid": instance.bundle_id,
        "nonce": result["nonce"],
        "productId": instance.product,
        "allowIntroductoryOffer": allow,
        "transactionId": "2000000123456789",
    }


def test_a_jws_is_base64url_without_padding_and_its_signature_has_64_bytes(instance, client, jwk):
    """Short r or s must be padded: enough signatures to meet some."""
    body = {"bundleId": instance.bundle_id, "form": "jws", "transactionId": "1", "offers": instance.offer_body()["offers"] * 20}
    short = 0
    for _ in range(60):
        for result in client.sign(body):
            token = result["compactJWS"]
            assert not set(token) & set("=+/ \n")
            signature = parts(token)[2]
            assert len(signature) == 64
            short += signature[0] == 0 or signature[32] == 0
            assert decoded(token, jwk)
    assert short > 0, "1 200 signatures without one short integer"


def test_a_jws_with_a_changed_claim_does_not_verify(instance, client, jwk):
    [result] = client.sign(instance.offer_body(form="jws"))
    head, claims, signature = result["compactJWS"].split(".")
    forged = json.loads(parts(result["compactJWS"])[1]) | {"offerIdentifier": "everything-free"}
    forged = base64.urlsafe_b64encode(json.dumps(forged).encode()).rstrip(b"=").decode()
    with pytest.raises(Exception, match="(?i)signature"):
        decoded(f"{head}.{forged}.{signature}", jwk)


def test_a_jws_takes_a_nonce_and_uses_it_up(instance, client, jwk):
    [nonce] = client.nonces(instance.bundle_id)
    [result] = client.sign(instance.offer_body(nonce=nonce.upper(), form="jws"))
    assert decoded(result["compactJWS"], jwk)[1]["nonce"] == nonce == result["nonce"]
    assert client.problem("/v1/signatures", instance.offer_body(nonce=nonce)) == (409, "nonce-replayed", [])
