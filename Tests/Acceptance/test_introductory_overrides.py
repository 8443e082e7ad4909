"""Who can make the App Store give an introductory offer twice: only callers who are trusted to decide it."""
import base64
import json
import uuid

import pytest

from harness.app_store import BUNDLE
from harness.purchases import DAY, PRO, YEARLY, ago, hand_in, lapsed

PATH = "/v1/introductory-offers/signatures"


def product(allow, transaction="704289572311513293", product_id=PRO):
    return {"productId": product_id, "transactionId": transaction, "allow": allow}


def body(*allows, **fields):
    return {"bundleId": BUNDLE, "products": [product(allow) for allow in allows], **fields}


def granted(text):
    """The JWS in an answer whose claim is true."""
    results = json.loads(text).get("results", [])
    payloads = [each["compactJWS"].split(".")[1] for each in results if "compactJWS" in each]
    claims = [json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))) for payload in payloads]
    return [each for each in claims if each["allowIntroductoryOffer"]]


def test_a_new_account_name_gets_no_second_trial_for_the_same_apple_account(enforcing, app_store):
    customer = app_store.customer()
    lapsed(customer, intro=True)
    hand_in(enforcing, app_store, customer, "first-name")
    client = enforcing.client()
    for name, transaction in [("second-name", "704289572311513293"), ("third-name", "1"), (None, "2")]:
        answer = client.post(PATH, {"bundleId": BUNDLE, "customerId": name, "products": [product(None, transaction)]})
        [result] = answer.json()["results"]
        assert result["status"] == "not-needed" and granted(answer.text) == [], name
    # Nor by bringing along what the other account has.
    transaction = customer.transactions[0]["transactionId"]
    request = {"bundleId": BUNDLE, "customerId": "second-name", "products": [product(None, transaction)]}
    assert client.problem(PATH, request) == (409, "bound-to-another-customer", [])


@pytest.mark.parametrize("role", ["client", "viewer", "marketing", "approver", "security"])
@pytest.mark.parametrize("allows", [[True], [None, False, True], [True] + [None] * 19], ids=["alone", "last", "among twenty"])
def test_who_may_not_override_gets_403_for_the_whole_request_and_nothing_is_signed(enforcing, role, allows):
    rows = len(enforcing.rows())
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    for options in ({}, {"headers": headers}, {"headers": headers}):
        assert enforcing.client(role).problem(PATH, body(*allows), **options) == (403, "forbidden", [])
    assert len(enforcing.rows()) == rows


@pytest.mark.parametrize("role", ["backend", "admin"])
def test_who_may_override_gets_what_they_say(enforcing, role):
    answer = enforcing.client(role).post(PATH, body(True, False, None))
    assert [each["status"] for each in answer.json()["results"]] == ["signed", "signed", "not-needed"]
    assert len(granted(answer.text)) == 1


def test_a_stored_answer_to_the_backend_goes_to_no_other_caller(enforcing):
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    answer = enforcing.client("backend").post(PATH, body(True), headers=headers)
    assert len(granted(answer.text)) == 1
    assert enforcing.client().problem(PATH, body(True), headers=headers) == (403, "forbidden", [])
    # What the client may ask under the same key is its own question.
    other = enforcing.client().post(PATH, body(None), headers=headers)
    assert granted(other.text) == [] and "idempotency-replayed" not in other.headers


@pytest.mark.parametrize("text", [
    '"true"', '"True"', "1", "1.0", "1e0", "[true]", '{"value":true}', 'null,"allow":true', 'true,"allow":null',
    'null,"\\u0061llow":true', 'null,"Allow":true', 'null,"allow ":true',
])
def test_only_a_plain_true_is_true_and_nothing_else_slips_by_as_one(enforcing, text):
    rows = len(enforcing.rows())
    content = f'{{"bundleId":"{BUNDLE}","products":[{{"productId":"{PRO}","transactionId":"1","allow":{text}}}]}}'
    for role in ("client", "backend"):
        assert enforcing.client(role).problem(PATH, content=content.encode())[0] == 400, role
    assert len(enforcing.rows()) == rows


def test_advice_never_becomes_a_signed_true(connected, app_store):
    service = connected(eligibility="advise")
    customer = app_store.customer()
    lapsed(customer, intro=True)
    hand_in(service, app_store, customer, "had-a-trial")
    client = service.client()
    for name, status in [("had-a-trial", "signed"), ("new", "not-needed")]:
        answer = client.post(PATH, body(None, customerId=name))
        assert [each["status"] for each in answer.json()["results"]] == [status] and granted(answer.text) == []
    assert client.problem(PATH, body(True)) == (403, "forbidden", [])
    assert len(service.rows()) == 1


def test_an_app_may_let_clients_override_until_it_does_not_any_more(connected, app_store):
    service = connected(introductoryOverrides="client")
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    answer = service.client().post(PATH, body(True), headers=headers)
    assert len(granted(answer.text)) == 1
    assert service.client("viewer").problem(PATH, body(True)) == (403, "forbidden", [])
    # Of this app, not of the others.
    other = {"productId": "com.example.news.monthly", "transactionId": "1", "allow": True}
    assert service.client().problem(PATH, {"bundleId": "com.example.news", "products": [other]}) == (403, "forbidden", [])
    service.stop()
    service.extra.write_text(app_store.configuration_yaml(BUNDLE))
    service.start()
    for options in ({}, {"headers": headers}):
        assert service.client().problem(PATH, body(True), **options) == (403, "forbidden", [])
    assert service.client("backend").post(PATH, body(True)).status_code == 200


def test_a_customer_with_an_unconfirmed_renewal_gets_no_jws(enforcing, app_store):
    customer = app_store.customer()
    customer.start(PRO, at=ago(35 * DAY))
    hand_in(enforcing, app_store, customer, signedTransactions=customer.signed_transactions(app_store.authority), signedRenewalInfos=[])
    transaction = customer.transactions[0]["transactionId"]
    answer = enforcing.client().post(PATH, {"bundleId": BUNDLE, "products": [product(None, transaction)]})
    [result] = answer.json()["results"]
    assert (result["status"], result["code"]) == ("refused", "renewal-unconfirmed")


def test_an_override_that_is_not_needed_is_logged_and_counted(connected):
    service = connected()
    products = [product(None), product(None, product_id=YEARLY)]
    answer = service.client().post(PATH, {"bundleId": BUNDLE, "products": products})
    lines = service.log_lines_of(answer.headers["x-request-id"], 3)
    assert [(line["productId"], line["code"]) for line in lines if line["message"] == "not-needed"] == [
        (PRO, "new-customer"), (YEARLY, "new-customer"),
    ]
    assert service.metric("offersigner_signatures_total", app=BUNDLE, outcome="not-needed") == 2
