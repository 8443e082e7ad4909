"""Every error that the contract names, by its status, its code and the fields that it blames."""
import json
import math
import time

import pytest

SIGN, NONCES, VERIFY = "/v1/signatures", "/v1/nonces", "/v1/verify"
INTRODUCTORY = "/v1/introductory-offers/signatures"
ELIGIBILITY, TRANSACTIONS, RECEIPTS = "/v1/eligibility", "/v1/history/transactions", "/v1/history/receipts"
BINDING = "/v1/customers/u-123/transactions"
# Refreshing is left to test_history.py: a good request asks the App Store.
PATHS = [SIGN, NONCES, VERIFY, INTRODUCTORY, ELIGIBILITY, TRANSACTIONS, RECEIPTS, BINDING]
UUID = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
OFFER = {"productId": "com.example.pro.monthly", "offerId": "winback50"}
PRODUCT = {"productId": "com.example.pro.monthly", "transactionId": "1", "allow": False}
PRESENTED = {
    **OFFER, "nonce": UUID, "timestamp": 1, "signature": "AA==", "keyIdentifier": "EXAMPLE123",
}


def good(path):
    """A request that is well-formed."""
    rest = {
        SIGN: {"offers": [OFFER]}, NONCES: {"count": 1}, INTRODUCTORY: {"products": [PRODUCT]}, VERIFY: PRESENTED,
        ELIGIBILITY: {"customerId": "u-123"}, TRANSACTIONS: {"signedTransactions": []}, RECEIPTS: {"verifiedReceipt": {"status": 0}},
        BINDING: {"transactionId": "1"},
    }[path]
    return {"bundleId": "com.example.app", **json.loads(json.dumps(rest))}


@pytest.fixture(scope="module")
def backend(instance):
    """A caller who may call everything."""
    return instance.client("backend")


def changed(path, where, value):
    """The good request with one place changed; `...` takes it out."""
    body = good(path)
    *outer, last = where
    place = body
    for step in outer:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return body


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"nonsense", b"[]", b"null", b'"text"', b"{}{}", b"{} x", b'{"bundleId":"a","bundleId":"a"}', b'{"bundleId":}',
        b'{"bundleId":"\xff"}', b'{"bundleId":"\xed\xa0\x80"}', b'{"bundleId":"\\ud800"}', b'{"bundleId":"a\nb"}', b"{'bundleId':'a'}",
        b'{"bundleId":"a",}', b'{"count":01}', b'{"count":1.}', b'{"count":+1}', b'{"count":NaN}', b"\xef\xbb\xbf{}", b"[" * 10_000,
    ],
)
def test_a_body_that_is_not_one_json_object_is_malformed(backend, path, body):
    assert backend.problem(path, content=body) == (400, "malformed-json", [])


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", ["bundleID", "BundleId", "bundle_id", "", "x", "bundleId ", "e\u0301"])
def test_an_unknown_field_is_an_error_and_named(backend, path, name):
    assert backend.problem(path, {**good(path), name: None}) == (400, "unknown-field", [name])


def test_every_unknown_field_is_named_at_once_also_inside_lists(client):
    body = good(SIGN) | {"colour": 1, "offers": [OFFER | {"offerID": "x"}, OFFER, OFFER | {"price": 2}]}
    status, code, fields = client.problem(SIGN, body)
    assert (status, code) == (400, "unknown-field")
    assert sorted(fields) == ["colour", "offers[0].offerID", "offers[2].price"]


LONG, SEPARATED = "x" * 256, "a\u2063b"
INVALID = [
    (SIGN, ["offers"], ..., "offers"),
    (SIGN, ["offers"], None, "offers"),
    (SIGN, ["offers"], [], "offers"),
    (SIGN, ["offers"], [OFFER] * 21, "offers"),
    (SIGN, ["offers"], OFFER, "offers"),
    (SIGN, ["offers"], ["x"], "offers[0]"),
    (SIGN, ["offers", 0, "productId"], ..., "offers[0].productId"),
    (SIGN, ["offers", 0, "productId"], "", "offers[0].productId"),
    (SIGN, ["offers", 0, "productId"], 7, "offers[0].productId"),
    (SIGN, ["offers", 0, "productId"], LONG, "offers[0].productId"),
    (SIGN, ["offers", 0, "productId"], SEPARATED, "offers[0].productId"),
    (SIGN, ["offers", 0, "offerId"], "", "offers[0].offerId"),
    (SIGN, ["offers", 0, "offerId"], LONG, "offers[0].offerId"),
    (SIGN, ["offers", 0, "offerId"], SEPARATED, "offers[0].offerId"),
    (SIGN, ["offers", 0, "nonce"], "", "offers[0].nonce"),
    (SIGN, ["offers", 0, "nonce"], "x", "offers[0].nonce"),
    (SIGN, ["offers", 0, "nonce"], UUID.replace("-", ""), "offers[0].nonce"),
    (SIGN, ["offers", 0, "nonce"], "{" + UUID + "}", "offers[0].nonce"),
    (SIGN, ["offers", 0, "nonce"], UUID[:-1] + "g", "offers[0].nonce"),
    (SIGN, ["offers", 0, "nonce"], UUID + "\n", "offers[0].nonce"),
    (SIGN, ["bundleId"], "", "bundleId"),
    (SIGN, ["bundleId"], LONG, "bundleId"),
    (SIGN, ["bundleId"], SEPARATED, "bundleId"),
    (SIGN, ["bundleId"], ..., "bundleId"),
    (SIGN, ["customerId"], "", "customerId"),
    (SIGN, ["customerId"], LONG, "customerId"),
    (SIGN, ["customerId"], SEPARATED, "customerId"),
    (SIGN, ["customerId"], 12, "customerId"),
    (SIGN, ["appAccountToken"], "", "appAccountToken"),
    (SIGN, ["appAccountToken"], "jane", "appAccountToken"),
    (SIGN, ["applicationUsername"], LONG, "applicationUsername"),
    (SIGN, ["applicationUsername"], SEPARATED, "applicationUsername"),
    (SIGN, ["applicationUsername"], True, "applicationUsername"),
    (SIGN, ["form"], "JWS", "form"),
    (SIGN, ["form"], "", "form"),
    (SIGN, ["form"], 1, "form"),
    (SIGN, ["transactionId"], "", "transactionId"),
    (SIGN, ["transactionId"], "1 2", "transactionId"),
    (SIGN, ["transactionId"], "é", "transactionId"),
    (SIGN, ["transactionId"], "1" * 65, "transactionId"),
    (SIGN, ["transactionId"], 2000000123456789, "transactionId"),
    (NONCES, ["count"], 0, "count"),
    (NONCES, ["count"], 101, "count"),
    (NONCES, ["count"], -1, "count"),
    (NONCES, ["count"], 1.5, "count"),
    (NONCES, ["count"], "1", "count"),
    (NONCES, ["count"], True, "count"),
    (NONCES, ["count"], 10**30, "count"),
    (INTRODUCTORY, ["products"], [], "products"),
    (INTRODUCTORY, ["products"], [PRODUCT] * 21, "products"),
    (INTRODUCTORY, ["products", 0, "productId"], ..., "products[0].productId"),
    (INTRODUCTORY, ["products", 0, "transactionId"], ..., "products[0].transactionId"),
    (INTRODUCTORY, ["products", 0, "transactionId"], None, "products[0].transactionId"),
    (INTRODUCTORY, ["products", 0, "transactionId"], "a b", "products[0].transactionId"),
    (INTRODUCTORY, ["products", 0, "allow"], "true", "products[0].allow"),
    (INTRODUCTORY, ["products", 0, "allow"], 1, "products[0].allow"),
    (VERIFY, ["timestamp"], ..., "timestamp"),
    (VERIFY, ["timestamp"], -1, "timestamp"),
    (VERIFY, ["timestamp"], 2**53, "timestamp"),
    (VERIFY, ["timestamp"], "1", "timestamp"),
    (VERIFY, ["signature"], ..., "signature"),
    (VERIFY, ["signature"], "", "signature"),
    (VERIFY, ["signature"], "x" * 1025, "signature"),
    (VERIFY, ["nonce"], ..., "nonce"),
    (VERIFY, ["nonce"], LONG, "nonce"),
    (VERIFY, ["keyIdentifier"], ..., "keyIdentifier"),
    (VERIFY, ["keyIdentifier"], SEPARATED, "keyIdentifier"),
    (VERIFY, ["productId"], "", "productId"),
]


@pytest.mark.parametrize(
    ("path", "where", "value", "name"), INVALID,
    ids=[f"{path.split('/')[-1] if path != INTRODUCTORY else 'introductory'}-{name}-{ascii(value)[:24]}" for path, _, value, name in INVALID],
)
def test_a_field_with_a_value_that_is_not_allowed_is_named(client, path, where, value, name):
    assert client.problem(path, changed(path, where, value)) == (400, "invalid-field", [name])


def test_an_account_token_and_a_username_exclude_each_other(client):
    body = good(SIGN) | {"appAccountToken": UUID, "applicationUsername": ""}
    status, code, fields = client.problem(SIGN, body)
    assert (status, code) == (400, "invalid-field") and set(fields) <= {"applicationUsername", "appAccountToken"} and fields


def test_every_invalid_field_is_named_at_once(client):
    body = good(SIGN) | {"form": "x", "customerId": "", "offers": [{"productId": "", "offerId": "x"}, {"offerId": LONG}]}
    status, code, fields = client.problem(SIGN, body)
    assert (status, code) == (400, "invalid-field")
    assert sorted(fields) == ["customerId", "form", "offers[0].productId", "offers[1].offerId", "offers[1].productId"]


def test_lengths_are_counted_in_scalars_not_in_bytes_or_characters(client):
    for text in ["😀" * 255, "e\u0301" * 127 + "x", "👩‍👩‍👧‍👦" * 36]:
        client.sign(good(SIGN) | {"applicationUsername": text, "customerId": text})
    for text in ["😀" * 256, "e\u0301" * 128]:
        assert client.problem(SIGN, good(SIGN) | {"applicationUsername": text}) == (400, "invalid-field", ["applicationUsername"])


def test_null_for_an_optional_field_means_that_it_is_absent(client):
    nothing = dict.fromkeys(["customerId", "appAccountToken", "applicationUsername", "form", "transactionId"])
    [result] = client.sign(good(SIGN) | nothing | {"offers": [OFFER | {"nonce": None}]})
    assert result["form"] == "payload" and result["applicationUsername"] == ""
    assert len(client.post(NONCES, {"bundleId": "com.example.app", "count": None}).json()["nonces"]) == 1


@pytest.mark.parametrize("path", PATHS)
def test_without_a_good_access_key_the_answer_is_401(instance, path):
    good_token = instance.tokens["client"]
    mistaken = ["", "osk_", good_token[:-1], good_token + "A", good_token.upper(), "osk_0000000000000000_" + "A" * 43, "x" * 300]
    for token in mistaken:
        assert instance.client(token=token).problem(path, good(path)) == (401, "unauthorized", []), token
    for header in ["Basic dTpw", good_token, f"Bearer  {good_token}", "Bearer", f"Token {good_token}"]:
        status, code, _ = instance.client(token="").problem(path, good(path), headers={"Authorization": header})
        assert (status, code) == (401, "unauthorized"), header


def test_the_scheme_of_the_access_key_may_be_written_in_any_case(instance):
    for scheme in ["Bearer", "bearer", "BEARER"]:
        headers = {"Authorization": f"{scheme} {instance.tokens['client']}"}
        assert instance.client(token="").post(NONCES, good(NONCES), headers=headers).status_code == 200


ALLOWED = {
    SIGN: {"client", "backend", "admin"},
    NONCES: {"client", "backend", "admin"},
    INTRODUCTORY: {"client", "backend", "admin"},
    VERIFY: {"client", "backend", "security", "admin"},
    ELIGIBILITY: {"client", "backend", "admin"},
    TRANSACTIONS: {"backend", "admin"},
    RECEIPTS: {"backend", "admin"},
    BINDING: {"backend", "admin"},
}


@pytest.mark.parametrize("path", ALLOWED)
@pytest.mark.parametrize("role", ["client", "backend", "marketing", "approver", "security", "viewer", "admin"])
def test_each_role_may_call_what_the_documentation_says(instance, role, path):
    answer = instance.client(role).post(path, good(path))
    if role in ALLOWED[path]:
        assert answer.status_code == 200
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize("path", PATHS)
def test_an_app_that_is_not_configured_is_unknown(backend, path):
    for bundle_id in ["com.example.other", "com.example.App", "com.example.app ", "x"]:
        assert backend.problem(path, good(path) | {"bundleId": bundle_id}) == (404, "unknown-app", [])


@pytest.mark.parametrize("product", ["com.example.pro", "com.example.PRO.monthly", "com.example.news.monthly", "com.example.pro.monthly "])
def test_a_product_that_the_catalogue_lacks_is_unknown(client, product):
    assert client.problem(SIGN, changed(SIGN, ["offers", 0, "productId"], product)) == (404, "unknown-product", [])
    assert client.problem(INTRODUCTORY, changed(INTRODUCTORY, ["products", 0, "productId"], product)) == (404, "unknown-product", [])


@pytest.mark.parametrize("offer", ["winback", "WINBACK50", "yearly30", "winback50\u200b"])
def test_an_offer_that_the_product_lacks_is_unknown(client, offer):
    assert client.problem(SIGN, changed(SIGN, ["offers", 0, "offerId"], offer)) == (404, "unknown-offer", [])


def test_an_unknown_offer_among_good_ones_fails_the_request_and_uses_up_no_nonce(instance, client):
    [nonce] = client.nonces("com.example.app")
    rows = len(instance.rows())
    body = good(SIGN) | {"offers": [OFFER | {"nonce": nonce}, OFFER | {"offerId": "none"}]}
    assert client.problem(SIGN, body) == (404, "unknown-offer", [])
    assert len(instance.rows()) == rows
    client.sign(good(SIGN) | {"offers": [OFFER | {"nonce": nonce}]})


@pytest.mark.parametrize("path", ["/v1", "/v1/", "/v1/signatures/", "/v1/Signatures", "/v2/signatures", "/v1//signatures", "/console/nowhere", "/favicon.ico", "/%00"])
def test_a_path_that_does_not_exist_is_not_found(client, path):
    for method in ["GET", "POST"]:
        answer = client.request(method, path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("path", PATHS)
def test_another_method_than_post_is_not_allowed(client, path, method):
    answer = client.request(method, path)
    assert (answer.status_code, answer.json()["code"], answer.headers["allow"]) == (405, "method-not-allowed", "POST")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@pytest.mark.parametrize("path", ["/", "/livez", "/readyz", "/metrics", "/openapi.json", "/docs"])
def test_another_method_than_get_is_not_allowed_where_there_is_only_something_to_read(client, path, method):
    answer = client.request(method, path)
    assert (answer.status_code, answer.json()["code"], answer.headers["allow"]) == (405, "method-not-allowed", "GET, HEAD")


@pytest.mark.parametrize("path", [SIGN, INTRODUCTORY])
def test_a_request_for_signatures_over_64_kib_is_too_large_with_and_without_a_length(client, path):
    assert client.problem(path, content=b" " * 65_537) == (413, "body-too-large", [])
    assert client.problem(path, content=iter([b" " * 40_000, b" " * 40_000])) == (413, "body-too-large", [])


def test_a_body_of_just_64_kib_is_read(client):
    body = json.dumps(good(SIGN)).encode()
    assert client.post(SIGN, content=body + b" " * (65_536 - len(body))).status_code == 200
    parts = [body, b" " * (65_536 - len(body))]
    assert client.post(SIGN, content=iter(parts)).status_code == 200


def test_a_jws_of_an_app_without_issuer_id_cannot_be_made(new_service):
    catalogue = """
apps:
  - bundleId: com.example.plain
    eligibility: advise
    subscriptionGroups: [{id: "1", products: [{id: p, period: P1M, promotionalOffers: [{id: o, kind: free-trial, period: P1M}]}]}]
"""
    service = new_service(extra=catalogue, start=False)
    (service.lay_out_keys() / "keys.yaml").unlink()
    service.start()
    client = service.client()
    offers = {"bundleId": "com.example.plain", "offers": [{"productId": "p", "offerId": "o"}]}
    assert client.problem(SIGN, offers | {"form": "jws"}) == (422, "issuer-id-missing", [])
    client.sign(offers)
    products = {"bundleId": "com.example.plain", "products": [{"productId": "p", "transactionId": "1", "allow": False}]}
    assert client.problem(INTRODUCTORY, products) == (422, "issuer-id-missing", [])
    # Whether or not anything would be signed in the end.
    products["products"][0]["allow"] = None
    assert client.problem(INTRODUCTORY, products) == (422, "issuer-id-missing", [])


def until_limited(client, path):
    """The answers up to the first 429."""
    answers = []
    while not answers or answers[-1].status_code == 200:
        assert len(answers) < 1000
        answers.append(client.post(path, good(path)))
    assert answers[-1].status_code == 429
    return answers


def test_the_rate_limit_answers_429_and_says_when_to_come_again(new_service):
    service = new_service(extra="limits: {requestsPerSecond: 2, burst: 5}\n")
    client, body = service.client(), good(NONCES)
    begin = time.monotonic()
    answers = until_limited(client, NONCES)
    # So many were allowed again meanwhile.
    again = math.ceil((time.monotonic() - begin) * 2)
    *allowed, last = answers
    assert 5 <= len(allowed) <= 5 + again
    left = [int(answer.headers["ratelimit"].split(";")[1].removeprefix("r=")) for answer in allowed]
    assert all(4 - number <= each <= min(4, 4 - number + again) for number, each in enumerate(left)), left
    assert {answer.headers["ratelimit-policy"].split(";")[1] for answer in answers} == {"q=5"}
    assert last.json()["code"] == "rate-limited" and 1 <= int(last.headers["retry-after"]) <= 3
    assert last.headers["ratelimit"].split(";")[1] == "r=0"
    # Every caller has a rate of its own, and the public paths have none.
    assert service.client("backend").post(NONCES, body).status_code == 200
    assert {client.get("/livez").status_code for _ in range(20)} == {200}
    time.sleep(int(last.headers["retry-after"]))
    assert client.post(NONCES, body).status_code == 200


def test_a_request_that_the_rate_limit_refuses_signs_nothing(new_service):
    service = new_service(extra="limits: {requestsPerSecond: 1, burst: 3}\n")
    client = service.client()
    answers = until_limited(client, SIGN)
    assert [answer.status_code for answer in answers].count(200) == len(service.rows()) == len(answers) - 1


def test_forged_keys_do_not_use_up_the_rate_of_the_real_one(new_service):
    service = new_service(extra="limits: {requestsPerSecond: 1, burst: 3}\n")
    token = service.tokens["client"]
    forged = service.client(token=token[:-2] + ("aa" if token[-2:] != "aa" else "bb"))
    for _ in range(20):
        assert forged.problem(NONCES, good(NONCES)) == (401, "unauthorized", [])
    assert service.client().post(NONCES, good(NONCES)).status_code == 200
