"""Purchase history from backends: signed data, receipts, the Server API, bindings; and who may hand it in."""
import base64
import json
from urllib.parse import quote

import pytest

from harness.app_store import BUNDLE, ISSUER, TESTS
from harness.purchases import DAY, PRO, active, ago, eligibility, hand_in, lapsed, now, signed, summary

TRANSACTIONS, RECEIPTS, REFRESH = "/v1/history/transactions", "/v1/history/receipts", "/v1/history/refresh"
NEVER = "never"


@pytest.fixture
def store(app_store, enforcing):
    """The App Store without what other tests left behind."""
    return app_store.cleared_for(enforcing)


@pytest.fixture(scope="module")
def backend(enforcing):
    return enforcing.client("backend")


def state(service, **who):
    return eligibility(service, **who)["subscription"]["state"]


def report(backend, path, **fields):
    answer = backend.post(path, {"bundleId": BUNDLE, **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()


def binding(customer_id):
    return f"/v1/customers/{customer_id}/transactions"


# Signed data


def test_what_is_new_is_accepted_and_the_same_again_is_unchanged(enforcing, store):
    customer = store.customer()
    subscription = active(customer)
    data = signed(store, customer)
    assert hand_in(enforcing, store, customer, "again", **data) == {"accepted": 3, "unchanged": 0, "rejected": []}
    before = enforcing.history()
    assert hand_in(enforcing, store, customer, "again", **data) == {"accepted": 0, "unchanged": 3, "rejected": []}
    assert enforcing.history() == before
    subscription.refund(at=now())
    data["signedTransactions"][-1] = customer.signed_transactions(store.authority)[-1]
    assert hand_in(enforcing, store, customer, "again", **data) == {"accepted": 1, "unchanged": 2, "rejected": []}


def test_the_order_in_which_data_comes_makes_no_difference(enforcing, store):
    customer = store.customer()
    lapsed(customer, intro=True)
    data = signed(store, customer)
    hand_in(enforcing, store, customer, None, signedTransactions=[], signedRenewalInfos=data["signedRenewalInfos"])
    for each in reversed(data["signedTransactions"] * 2):
        hand_in(enforcing, store, customer, None, signedTransactions=[each], signedRenewalInfos=[])
    first, last = (each["transactionId"] for each in customer.transactions)
    assert summary(eligibility(enforcing, transactionId=first)) == (
        "expired", ("ineligible", ["introductory-offer-used"], first), ("eligible", ["lapsed-subscriber"], last)
    )


def test_what_is_not_good_is_rejected_with_its_place_and_code_and_the_rest_is_kept(enforcing, store, backend):
    customer, other = store.customer(), store.customer("com.example.news", app_apple_id=1234567891)
    active(customer)
    other.buy("com.example.news.coins")
    [good_1, good_2], [renewal] = customer.signed_transactions(store.authority), customer.signed_renewal_infos(store.authority)
    [foreign] = other.signed_transactions(store.authority)
    found = report(
        backend, TRANSACTIONS, customerId="partly", signedTransactions=[foreign, good_1, "nonsense", good_2],
        signedRenewalInfos=["a.b.c", renewal],
    )
    assert (found["accepted"], found["unchanged"]) == (3, 0)
    places = [(each["field"], each["index"], each["code"]) for each in found["rejected"]]
    assert places == [
        ("signedTransactions", 0, "bundle-mismatch"), ("signedTransactions", 2, "malformed-jws"), ("signedRenewalInfos", 0, "malformed-jws"),
    ]
    assert state(enforcing, customerId="partly") == "active"


def test_a_renewal_is_no_transaction_and_a_transaction_no_renewal(enforcing, store, backend):
    customer = store.customer()
    active(customer)
    before = enforcing.counts()
    found = report(
        backend, TRANSACTIONS, signedTransactions=customer.signed_renewal_infos(store.authority), signedRenewalInfos=["x.y"],
    )
    codes = [each["code"] for each in found["rejected"]]
    assert codes[1] == "malformed-jws" and codes[0] in ("bundle-mismatch", "malformed-payload")
    assert enforcing.counts() == before


def test_another_customers_subscription_is_rejected_and_stays_theirs(enforcing, store, backend):
    theirs, own = store.customer(), store.customer()
    active(theirs)
    active(own)
    hand_in(enforcing, store, theirs, "first")
    before = enforcing.history()["purchase_chain"]
    brought = own.signed_transactions(store.authority)[-1:] + theirs.signed_transactions(store.authority)[-1:]
    found = report(backend, TRANSACTIONS, customerId="second", signedTransactions=brought)
    assert found["accepted"] == 1
    assert [(each["index"], each["code"]) for each in found["rejected"]] == [(1, "bound-to-another-customer")]
    assert set(before) < set(enforcing.history()["purchase_chain"])
    assert state(enforcing, customerId="first") == state(enforcing, customerId="second") == "active"


def test_without_a_customer_history_is_kept_and_belongs_to_no_customer_until_it_is_bound(enforcing, store, backend):
    customer = store.customer()
    subscription = active(customer)
    hand_in(enforcing, store, customer)
    assert state(enforcing, transactionId=subscription.last["transactionId"]) == "active"
    assert state(enforcing, customerId="later") == NEVER
    answer = backend.post(binding("later"), {"bundleId": BUNDLE, "transactionId": subscription.original_id})
    assert (answer.status_code, answer.json()) == (200, {"status": "bound"})
    assert state(enforcing, customerId="later") == "active"


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({}, "signedTransactions"), ({"signedTransactions": None}, "signedTransactions"), ({"signedTransactions": "x"}, "signedTransactions"),
        ({"signedTransactions": [1]}, "signedTransactions[0]"), ({"signedTransactions": [""]}, "signedTransactions[0]"),
        ({"signedTransactions": ["x"] * 501}, "signedTransactions"), ({"signedRenewalInfos": {}}, "signedRenewalInfos"),
        ({"signedTransactions": [], "customerId": ""}, "customerId"), ({"signedTransactions": [], "customerId": 7}, "customerId"),
    ],
)
def test_a_field_of_signed_data_with_a_value_that_is_not_allowed_is_named(backend, body, name):
    assert backend.problem(TRANSACTIONS, {"bundleId": BUNDLE, **body}) == (400, "invalid-field", [name])


# Receipts


def test_a_receipt_is_verified_with_the_app_store_in_production(enforcing, store, backend):
    customer = store.customer()
    lapsed(customer, intro=True)
    customer.buy("com.example.coins")
    store.add(customer)
    fields = {"customerId": "receipt", "receiptData": customer.receipt()}
    assert report(backend, RECEIPTS, **fields) == {"accepted": 2, "unchanged": 0, "rejected": []}
    [asked] = store.requests("verifyReceipt")
    assert (asked["environment"], asked["status"]) == ("Production", 200)
    assert asked["body"] == {
        "receipt-data": customer.receipt(), "password": "0123456789abcdef0123456789abcdef", "exclude-old-transactions": False,
    }
    first, last = (each["transactionId"] for each in customer.transactions[:2])
    assert summary(eligibility(enforcing, customerId="receipt")) == (
        "expired", ("ineligible", ["introductory-offer-used"], first), ("eligible", ["lapsed-subscriber"], last)
    )
    assert report(backend, RECEIPTS, **fields)["accepted"] <= 1, "the same receipt again says nothing new of what was bought"


def test_a_sandbox_receipt_is_asked_about_in_the_sandbox_after_production_has_sent_it_away(enforcing, store, backend):
    customer = store.customer(environment="Sandbox")
    customer.start(PRO, at=ago(DAY), intro=True).cancel_auto_renew(at=ago(DAY)).expire()
    store.add(customer)
    assert report(backend, RECEIPTS, customerId="review", receiptData=customer.receipt())["accepted"] == 1
    assert [each["environment"] for each in store.requests("verifyReceipt")] == ["Production", "Sandbox"]
    # It is kept, and decides nothing in Production.
    assert summary(eligibility(enforcing, customerId="review"))[0] == NEVER
    shown = enforcing.cli("history", "show", "--app", BUNDLE, "review")
    assert "sandbox" in shown.stdout.splitlines()[0]


def test_a_wrong_shared_secret_is_said_and_nothing_is_stored(enforcing, store, backend):
    customer = store.customer()
    active(customer)
    store.add(customer)
    store.register(keys={enforcing.key_id: enforcing.key_file}, shared_secret="f" * 32)
    try:
        before = enforcing.counts()
        body = {"bundleId": BUNDLE, "customerId": "secret", "receiptData": customer.receipt()}
        assert backend.problem(RECEIPTS, body) == (422, "receipt-status-21004", [])
        assert enforcing.counts() == before
    finally:
        store.admit(enforcing)


def test_what_is_no_receipt_is_refused(enforcing, store, backend):
    before = enforcing.counts()
    made_up = base64.b64encode(b"made up").decode()
    assert backend.problem(RECEIPTS, {"bundleId": BUNDLE, "receiptData": made_up}) == (422, "receipt-status-21003", [])
    assert enforcing.counts() == before


def test_a_receipt_of_another_app_is_refused(enforcing, store, backend):
    store.register("com.example.news", app_apple_id=1234567891, shared_secret="0123456789abcdef0123456789abcdef")
    customer = store.customer("com.example.news", app_apple_id=1234567891)
    customer.buy("com.example.news.coins")
    store.add(customer)
    before = enforcing.counts()
    body = {"bundleId": BUNDLE, "customerId": "u", "receiptData": customer.receipt()}
    assert backend.problem(RECEIPTS, body) == (400, "invalid-field", ["receiptData"])
    assert enforcing.counts() == before


def test_an_ios_6_receipt_shows_one_period_and_the_last(enforcing, store, backend):
    customer = store.customer()
    subscription = customer.start(PRO, at=ago(100 * DAY), intro=True).renew().renew()
    subscription.cancel_auto_renew(at=ago(20 * DAY)).expire()
    store.add(customer)
    receipt = customer.receipt(subscription.transactions[1])
    assert report(backend, RECEIPTS, customerId="ios6", receiptData=receipt)["accepted"] == 1
    found = eligibility(enforcing, customerId="ios6")
    assert summary(found) == (
        "expired", ("unknown", ["incomplete-history"], subscription.transactions[1]["transactionId"]),
        ("eligible", ["lapsed-subscriber"], subscription.last["transactionId"]),
    )
    # The receipt of the first one shows the trial.
    report(backend, RECEIPTS, customerId="ios6", receiptData=customer.receipt(subscription.transactions[0]))
    assert eligibility(enforcing, customerId="ios6")["introductoryOffer"]["status"] == "ineligible"


@pytest.mark.parametrize(
    "fault",
    [
        {"receiptStatus": 21005}, {"receiptStatus": 21009}, {"receiptStatus": 21002}, {"receiptStatus": 21100, "retryable": True},
        {"receiptStatus": 21199, "retryable": "1", "retryableName": "is-retryable"}, {"httpStatus": 503}, {"reset": True},
    ],
    ids=lambda fault: " ".join(map(str, fault.values())),
)
def test_what_can_be_asked_again_is_asked_again(store, backend, fault):
    customer = store.customer()
    active(customer)
    store.add(customer)
    store.fault("verifyReceipt", times=1, **fault)
    assert report(backend, RECEIPTS, receiptData=customer.receipt())["accepted"] == 1
    assert len(store.requests("verifyReceipt")) == 2


def test_what_cannot_be_asked_again_is_not(store, backend):
    customer = store.customer()
    active(customer)
    store.add(customer)
    store.fault("verifyReceipt", times=1, receiptStatus=21100, retryable=False)
    body = {"bundleId": BUNDLE, "receiptData": customer.receipt()}
    assert backend.problem(RECEIPTS, body) == (422, "receipt-status-21100", [])
    assert len(store.requests("verifyReceipt")) == 1


def test_a_receipt_that_a_backend_has_verified_is_taken_without_asking(enforcing, store, backend):
    verified = json.loads((TESTS / "Fixtures/verify-receipt-response-ios7-subscription.json").read_text())
    verified["receipt"]["bundle_id"] = BUNDLE
    assert report(backend, RECEIPTS, customerId="verified", verifiedReceipt=verified)["accepted"] > 0
    assert store.requests() == []
    before = enforcing.history()
    again = report(backend, RECEIPTS, customerId="verified", verifiedReceipt=verified)
    assert (again["accepted"], again["rejected"]) == (0, []) and enforcing.history() == before


@pytest.mark.parametrize(
    ("verified", "expected"),
    [
        ({"status": 21003}, (422, "receipt-status-21003", [])),
        ({"status": 0, "receipt": {"bundle_id": "com.example.news"}}, (400, "invalid-field", ["verifiedReceipt"])),
        ({"receipt": {"bundle_id": BUNDLE}}, (400, "invalid-field", ["verifiedReceipt"])),
        ({"status": -1}, (400, "invalid-field", ["verifiedReceipt"])),
        ("MIIU", (400, "invalid-field", ["verifiedReceipt"])),
        ([], (400, "invalid-field", ["verifiedReceipt"])),
        (
            {"status": 0, "latest_receipt_info": [{"transaction_id": "1\0", "product_id": "p", "purchase_date_ms": "1"}]},
            (400, "invalid-field", ["verifiedReceipt"]),
        ),
    ],
    ids=["refused", "other app", "no status", "impossible status", "text", "list", "U+0000"],
)
def test_a_verified_receipt_that_cannot_be_used_changes_nothing(enforcing, backend, verified, expected):
    before = enforcing.counts()
    body = {"bundleId": BUNDLE, "customerId": "u", "verifiedReceipt": verified}
    assert backend.problem(RECEIPTS, body) == expected
    assert enforcing.counts() == before


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({}, "receiptData"), ({"receiptData": ""}, "receiptData"), ({"receiptData": "ä"}, "receiptData"), ({"receiptData": "a b"}, "receiptData"),
        ({"receiptData": {}}, "receiptData"), ({"receiptData": "MIIU", "verifiedReceipt": {"status": 0}}, "verifiedReceipt"),
    ],
)
def test_a_receipt_is_given_in_one_of_two_forms(backend, body, name):
    assert backend.problem(RECEIPTS, {"bundleId": BUNDLE, **body}) == (400, "invalid-field", [name])


# The Server API


def test_a_refresh_pulls_every_page_and_the_renewal(enforcing, store, backend):
    customer = store.customer()
    subscription = customer.start(PRO, at=ago(250 * DAY), intro=True)
    for _ in range(8):
        subscription.renew()
    customer.buy("com.example.coins")
    subscription.cancel_auto_renew(at=ago(DAY))
    store.add(customer)
    store.settings(pageSize=3)
    assert report(backend, REFRESH, transactionId=subscription.last["transactionId"], customerId="pages") == {
        "accepted": 2, "unchanged": 0, "rejected": [],
    }
    asked = store.requests("history")
    assert [each["status"] for each in asked] == [200] * 4 and {each["environment"] for each in asked} == {"Production"}
    assert [each["query"].get("revision") is None for each in asked] == [True, False, False, False]
    found = eligibility(enforcing, customerId="pages")
    assert (found["subscription"]["state"], found["subscription"]["willRenew"]) == ("active", False)
    assert found["introductoryOffer"]["evidence"] == {"transactionId": subscription.original_id}
    with enforcing.database(enforcing.histories) as connection:
        chain = connection.execute("SELECT id FROM purchase_chain WHERE customer_id = 'pages' AND is_subscription").fetchone()["id"]
        known = connection.execute("SELECT count(*) FROM purchase_transaction WHERE chain = ?", [chain]).fetchone()[0]
    assert known == 8, "the original transaction stands with the chain, each renewal has a row of its own"


def test_a_refresh_completes_a_history_whose_beginning_was_not_known(enforcing, store, backend):
    customer = store.customer()
    subscription = lapsed(customer)
    store.add(customer)
    hand_in(enforcing, store, customer, "completes", signedTransactions=customer.signed_transactions(store.authority)[-1:])
    assert eligibility(enforcing, customerId="completes")["introductoryOffer"]["status"] == "unknown"
    report(backend, REFRESH, transactionId=subscription.last["transactionId"])
    assert eligibility(enforcing, customerId="completes")["introductoryOffer"]["status"] == "eligible"


def test_the_token_for_the_server_api_is_one_that_apple_takes(enforcing, store, backend):
    customer = store.customer()
    subscription = active(customer)
    store.add(customer)
    report(backend, REFRESH, transactionId=subscription.original_id)
    [asked] = store.requests("history")
    assert "refusal" not in asked and asked["token"]["claims"]["bid"] == BUNDLE
    assert asked["token"]["claims"]["aud"] == "appstoreconnect-v1" and asked["token"]["claims"]["iss"] == enforcing.issuer_id


def test_a_transaction_that_the_app_store_does_not_know_is_said(enforcing, store, backend):
    before = enforcing.counts()
    body = {"bundleId": BUNDLE, "customerId": "u", "transactionId": "4800000000000001"}
    assert backend.problem(REFRESH, body) == (422, "app-store-not-found", [])
    assert [each["environment"] for each in store.requests("history")] == ["Production", "Sandbox"]
    assert backend.problem(REFRESH, body | {"transactionId": "../x"}) == (422, "app-store-not-found", [])
    assert enforcing.counts() == before


def test_sandbox_purchases_are_left_out_of_a_production_app(enforcing, store, backend):
    customer = store.customer(environment="Sandbox")
    subscription = customer.start(PRO, at=now())
    store.add(customer)
    before = enforcing.counts()
    found = report(backend, REFRESH, transactionId=subscription.original_id)
    assert (found["accepted"], found["unchanged"]) == (0, 0)
    assert {each["code"] for each in found["rejected"]} == {"environment-mismatch"}
    assert {each["field"] for each in found["rejected"]} == {"signedTransactions", "signedRenewalInfos"}
    assert enforcing.counts() == before


def test_a_refresh_binds_to_the_customer_that_it_names_and_takes_from_no_other(enforcing, store, backend):
    customer = store.customer()
    subscription = active(customer)
    store.add(customer)
    report(backend, REFRESH, transactionId=subscription.original_id, customerId="holder")
    assert state(enforcing, customerId="holder") == "active"
    before = enforcing.history()
    found = report(backend, REFRESH, transactionId=subscription.original_id, customerId="other")
    assert [(each["field"], each["code"]) for each in found["rejected"]] == [("chains", "bound-to-another-customer")]
    assert enforcing.history()["purchase_chain"] == before["purchase_chain"] and state(enforcing, customerId="other") == NEVER


def test_a_list_of_the_server_api_in_which_something_is_forged_is_not_taken_for_complete(enforcing, store, backend):
    """Else the trial that could not be read would be a trial that never was."""
    customer = store.customer()
    subscription = lapsed(customer, intro=True)
    store.add(customer)
    trial, renewal = customer.signed_transactions(store.authority)
    [forged, _] = customer.signed_transactions(store.authority, tampered={"offerType": None})
    hand_in(enforcing, store, customer, signedTransactions=[renewal])
    store.fault("history", body={
        "revision": "1", "hasMore": False, "bundleId": BUNDLE, "environment": "Production", "signedTransactions": [forged, renewal],
    })
    found = report(backend, REFRESH, transactionId=subscription.last["transactionId"])
    assert [(each["field"], each["index"], each["code"]) for each in found["rejected"]] == [("signedTransactions", 0, "invalid-signature")]
    last = subscription.last["transactionId"]
    assert eligibility(enforcing, transactionId=last)["introductoryOffer"]["status"] == "unknown"
    hand_in(enforcing, store, customer, signedTransactions=[trial])
    assert eligibility(enforcing, transactionId=last)["introductoryOffer"]["status"] == "ineligible"


def test_an_app_without_issuer_id_cannot_ask_the_server_api(connected):
    catalogue = """
  - bundleId: com.example.plain
    subscriptionGroups: [{id: "1", products: [{id: p, period: P1M}]}]
"""
    service = connected(start=False, extra=catalogue)
    (service.folder / "keys/keys.yaml").unlink()
    service.start()
    body = {"bundleId": "com.example.plain", "transactionId": "1"}
    assert service.client("backend").problem(REFRESH, body) == (422, "issuer-id-missing", [])


# Bindings


def test_a_binding_is_made_once_and_stays(enforcing, store, backend):
    customer = store.customer()
    subscription = active(customer)
    hand_in(enforcing, store, customer)
    body = {"bundleId": BUNDLE, "transactionId": subscription.original_id}
    assert backend.post(binding("one"), body).json() == {"status": "bound"}
    before = enforcing.history()
    assert backend.post(binding("one"), body).json() == {"status": "unchanged"}
    assert backend.problem(binding("two"), body) == (409, "bound-to-another-customer", [])
    assert enforcing.history() == before
    assert (state(enforcing, customerId="one"), state(enforcing, customerId="two")) == ("active", NEVER)


def test_a_subscription_can_be_bound_before_its_history_comes(enforcing, store, backend):
    customer = store.customer()
    subscription = lapsed(customer)
    body = {"bundleId": BUNDLE, "transactionId": subscription.original_id}
    assert backend.post(binding("early"), body).json() == {"status": "bound"}
    assert state(enforcing, customerId="early") == NEVER
    hand_in(enforcing, store, customer)
    assert state(enforcing, customerId="early") == "expired"
    assert backend.problem(binding("late"), body) == (409, "bound-to-another-customer", [])


def test_the_id_of_a_renewal_stands_for_the_subscription_that_it_belongs_to(enforcing, store, backend):
    customer = store.customer()
    subscription = active(customer)
    hand_in(enforcing, store, customer)
    body = {"bundleId": BUNDLE, "transactionId": subscription.last["transactionId"]}
    assert backend.post(binding("by-renewal"), body).json() == {"status": "bound"}
    assert state(enforcing, customerId="by-renewal") == "active"
    assert backend.problem(binding("another"), body) == (409, "bound-to-another-customer", [])
    assert state(enforcing, transactionId=subscription.last["transactionId"]) == "active"


@pytest.mark.parametrize("name", ["ä b/c?d#e%", "日本", "%41", "a+b", "😀" * 255])
def test_a_customers_id_in_the_path_is_percent_decoded(enforcing, store, backend, name):
    customer = store.customer()
    subscription = active(customer)
    hand_in(enforcing, store, customer)
    body = {"bundleId": BUNDLE, "transactionId": subscription.original_id}
    assert backend.post(binding(quote(name, safe="")), body).json() == {"status": "bound"}
    assert state(enforcing, customerId=name) == "active"


@pytest.mark.parametrize("name", ["a%E2%81%A3b", "x" * 256, "a%00b", "a%FF", "a%ZZ", "a%4"])
def test_a_customers_id_in_the_path_has_the_same_limits_as_one_in_a_body(backend, name):
    body = {"bundleId": BUNDLE, "transactionId": "1"}
    assert backend.problem(binding(name), body) == (400, "invalid-field", ["customerId"])


@pytest.mark.parametrize("value", [..., None, "", "1 2", 1, "1" * 65])
def test_a_binding_needs_a_transaction_id(backend, value):
    body = {"bundleId": BUNDLE} | ({} if value is ... else {"transactionId": value})
    assert backend.problem(binding("u"), body) == (400, "invalid-field", ["transactionId"])


# Who may, and how much


@pytest.mark.parametrize("path", [TRANSACTIONS, RECEIPTS, REFRESH, binding("u")])
def test_only_backends_hand_history_in(enforcing, path):
    before = enforcing.counts()
    for role in ["client", "marketing", "approver", "security", "viewer"]:
        assert enforcing.client(role).problem(path, {"bundleId": BUNDLE}) == (403, "forbidden", []), role
    assert enforcing.client(token="").problem(path, {"bundleId": BUNDLE}) == (401, "unauthorized", [])
    for role in ["backend", "admin"]:
        assert enforcing.client(role).problem(path, {"bundleId": BUNDLE})[0] == 400
    assert enforcing.counts() == before


def test_a_key_for_one_app_hands_nothing_in_for_another(enforcing):
    token = enforcing.cli("access", "create", "--role", "backend", "--app", "com.example.news").stdout.strip()
    client = enforcing.client(token=token)
    for path, body in [(TRANSACTIONS, {"signedTransactions": []}), (binding("u"), {"transactionId": "1"})]:
        assert client.problem(path, {"bundleId": BUNDLE, **body}) == (403, "forbidden", [])


def test_a_mebibyte_of_transactions_is_read_and_a_byte_more_is_not(enforcing, store, backend):
    customer = store.customer()
    subscription = customer.start(PRO, at=ago(200 * DAY))
    while len(json.dumps(customer.signed_transactions(store.authority))) < 200_000:
        subscription.renew()
    content = json.dumps({"bundleId": BUNDLE, "customerId": "big", "signedTransactions": customer.signed_transactions(store.authority)})
    content = content.encode().ljust(1 << 20)
    assert backend.post(TRANSACTIONS, content=content).json()["accepted"] == len(customer.transactions)
    assert backend.problem(TRANSACTIONS, content=content + b" ") == (413, "body-too-large", [])
    assert backend.problem(TRANSACTIONS, content=iter([content, b" "])) == (413, "body-too-large", [])


@pytest.mark.parametrize(
    "path", [TRANSACTIONS, "/v1/eligibility", "/v1/nonces", "/v1/verify", REFRESH, binding("u")]
)
def test_all_bodies_but_those_of_signatures_and_receipts_may_have_a_mebibyte(enforcing, path):
    client = enforcing.client("backend")
    assert client.post(path, content=b" " * (1 << 20)).status_code == 400
    assert client.problem(path, content=b" " * ((1 << 20) + 1)) == (413, "body-too-large", [])



def test_a_backend_moves_a_subscription_and_takes_it_away(connected, app_store):
    service = connected()
    backend = service.client("backend")
    customer = app_store.customer()
    active(customer)
    hand_in(service, app_store, customer, "old-account")
    original = customer.transactions[0]["transactionId"]
    path = "/v1/customers/new-account/transactions"
    body = {"bundleId": BUNDLE, "transactionId": original}
    assert backend.problem(path, body) == (409, "bound-to-another-customer", [])
    assert backend.problem(path, {**body, "transfer": False}) == (409, "bound-to-another-customer", [])
    assert service.client("client").problem(path, {**body, "transfer": True})[0] == 403
    assert backend.post(path, {**body, "transfer": True}).json() == {"status": "transferred"}
    assert backend.post(path, {**body, "transfer": True}).json() == {"status": "unchanged"}
    states = [eligibility(service, customerId=name)["subscription"]["state"] for name in ("old-account", "new-account")]
    assert states == ["never", "active"]
    one = f"{path}/{original}?bundleId={BUNDLE}"
    assert backend.request("DELETE", one.replace("new-account", "old-account")).json()["code"] == "bound-to-another-customer"
    assert service.client("client").request("DELETE", one).status_code == 403
    assert backend.request("DELETE", one).json() == {"status": "unbound"}
    assert backend.request("DELETE", one).json() == {"status": "unchanged"}
    assert eligibility(service, customerId="new-account")["subscription"]["state"] == "never"
    hand_in(service, app_store, customer, "third-account")
    assert eligibility(service, customerId="third-account")["subscription"]["state"] == "active"
    with service.database() as database:
        events = database.execute("SELECT action, customer_id, after FROM audit_event WHERE action LIKE 'customer.%' ORDER BY id").fetchall()
    # Asked for, done, and asked for once more.
    asked, done = ("customer.bind", "new-account", "transfer"), ("customer.unbind", "old-account", "transferred")
    assert [tuple(event) for event in events if tuple(event) in (asked, done)] == [asked, done, asked]
    assert ("customer.unbind", "new-account", None) in [tuple(event) for event in events]


@pytest.mark.parametrize("setting, backend_status, client_status", [("never", 409, 409), ("backend", 200, 409), ("to-latest", 200, 200)])
def test_the_app_says_who_may_move_a_subscription(connected, app_store, setting, backend_status, client_status):
    service = connected(transfer=setting)
    customer = app_store.customer()
    active(customer)
    hand_in(service, app_store, customer, "old-account")
    body = {"bundleId": BUNDLE, "customerId": "new-account", "signedTransactions": customer.signed_transactions(app_store.authority)}
    sign = service.client().post("/v1/signatures", {**body, "offers": service.offer_body()["offers"]})
    assert sign.status_code == client_status, sign.text
    body = {"bundleId": BUNDLE, "transactionId": customer.transactions[0]["transactionId"], "transfer": True}
    assert service.client("backend").post("/v1/customers/newest-account/transactions", body).status_code == backend_status


def test_who_signs_in_keeps_what_they_bought_before(connected, app_store):
    service = connected()
    backend, client = service.client("backend"), service.client()
    customer = app_store.customer()
    active(customer)
    # Not signed in: the app made a name up.
    offers = service.offer_body()["offers"]
    body = {"bundleId": BUNDLE, "customerId": "anon-1", "signedTransactions": customer.signed_transactions(app_store.authority)}
    assert client.post("/v1/signatures", {**body, "offers": offers}).json()["results"][0]["status"] == "signed"
    path = "/v1/customers/u-123/merge"
    assert client.problem(path, {"bundleId": BUNDLE, "from": "anon-1"})[0] == 403
    assert backend.problem(path, {"bundleId": BUNDLE, "from": "u-123"}) == (400, "invalid-field", ["from"])
    assert backend.problem(path, {"bundleId": BUNDLE}) == (400, "invalid-field", ["from"])
    assert backend.problem(path, {"bundleId": BUNDLE, "from": "anon-1", "transfer": True}) == (400, "unknown-field", ["transfer"])
    assert backend.post(path, {"bundleId": BUNDLE, "from": "anon-1"}).json() == {"status": "merged"}
    assert backend.post(path, {"bundleId": BUNDLE, "from": "anon-1"}).json() == {"status": "unchanged"}
    service.kill()
    service.start()
    assert service.client("backend").problem("/v1/customers/u-9/merge", {"bundleId": BUNDLE, "from": "anon-1"}) == (
        409,
        "bound-to-another-customer",
        [],
    )
    for name in ("u-123", "anon-1"):
        assert eligibility(service, customerId=name)["subscription"]["state"] == "active", name
        # A device that has not heard of the sign-in, and one that has.
        answer = service.client().post("/v1/signatures", {**body, "customerId": name, "offers": offers})
        assert answer.json()["results"][0]["status"] == "signed", answer.text
    with service.database() as database:
        events = database.execute("SELECT customer_id, after FROM audit_event WHERE action = 'customer.merge' ORDER BY id LIMIT 2")
        assert [tuple(event) for event in events] == [("u-123", "into"), ("anon-1", "from")]


def test_the_rightful_owner_gets_what_another_customer_uploaded_first(connected, app_store):
    service = connected()
    backend, client = service.client("backend"), service.client()
    customer = app_store.customer()
    active(customer)
    signed = customer.signed_transactions(app_store.authority)
    offers = service.offer_body()["offers"]

    def upload(caller, name):
        return caller.post("/v1/signatures", {"bundleId": BUNDLE, "customerId": name, "signedTransactions": signed, "offers": offers})

    assert upload(client, "thief").status_code == 200
    assert upload(client, "owner").json()["code"] == "bound-to-another-customer"
    body = {"bundleId": BUNDLE, "customerId": "owner", "signedTransactions": signed}
    assert backend.post("/v1/history/transactions", body).json()["rejected"] == []
    assert upload(client, "owner").status_code == 200
    assert upload(client, "thief").json()["code"] == "bound-to-another-customer"
    assert eligibility(service, customerId="thief")["subscription"]["state"] == "never"
    with service.database() as database:
        events = database.execute("SELECT action, customer_id, after FROM audit_event WHERE action LIKE 'customer.%' ORDER BY id")
        assert [tuple(event) for event in events] == [
            ("customer.bind", "owner", "better-proof"),
            ("customer.unbind", "thief", "better-proof"),
        ]


def test_a_renewal_without_a_signed_in_customer_binds_nothing_and_does_not_fail(connected, app_store):
    service = connected()
    customer = app_store.customer()
    subscription = active(customer)
    hand_in(service, app_store, customer, "owner")
    subscription.renew()
    signed = customer.signed_transactions(app_store.authority)
    for caller in (service.client(), service.client("backend")):
        body = {"bundleId": BUNDLE, "signedTransactions": signed, "offers": service.offer_body()["offers"]}
        assert caller.post("/v1/signatures", body).json()["results"][0]["status"] == "signed"
    other = app_store.customer()
    active(other)
    body = {"bundleId": BUNDLE, "signedTransactions": other.signed_transactions(app_store.authority)}
    assert service.client("backend").post("/v1/history/transactions", body).json()["rejected"] == []
    hand_in(service, app_store, other, "came-later")
    for name in ("owner", "came-later"):
        assert eligibility(service, customerId=name)["subscription"]["state"] == "active"


def test_a_binding_can_be_written_back_to_the_app_store(connected, app_store):
    service = connected(issuerId=ISSUER, writeAppAccountToken=True)
    backend = service.client("backend")
    customer = app_store.customer()
    original = active(customer).original_id
    app_store.add(customer)
    token = "0A7E5B1C-0000-4000-8000-00000000000A"
    body = {"bundleId": BUNDLE, "transactionId": original}
    # An id that is no UUID says nothing to the App Store; one that is does, and so does one that is given.
    assert backend.post(binding("ada"), body).json() == {"status": "bound"}
    assert backend.post(binding("ada"), {**body, "appAccountToken": token}).json() == {"status": "unchanged", "appAccountToken": "written"}
    [asked] = app_store.requests("set_app_account_token")
    assert (asked["method"], asked["path"].endswith(f"/transactions/{original}/appAccountToken")) == ("PUT", True)
    # What it signs from now on says so.
    refresh = {"bundleId": BUNDLE, "transactionId": original}
    assert backend.post(REFRESH, refresh).json()["rejected"] == []
    assert eligibility(service, appAccountToken=token)["subscription"]["state"] == "active"
    # The binding stands when the App Store cannot be reached.
    app_store.fault("set_app_account_token", httpStatus=404, errorCode=4040010, times=9)
    other = token.replace("A", "B")
    answer = backend.post(binding(other), {**body, "transfer": True}).json()
    app_store.clear_faults()
    assert (answer["status"], answer["appAccountToken"]) == ("transferred", "not-written") and "4040010" in answer["reason"]


def test_nothing_is_written_to_the_app_store_unless_the_app_wants_it(connected, app_store):
    service = connected(issuerId=ISSUER)
    app_store.forget_requests()
    token = "0a7e5b1c-0000-4000-8000-00000000000a"
    body = {"bundleId": BUNDLE, "transactionId": "1"}
    backend = service.client("backend")
    assert backend.post(binding(token), body).json() == {"status": "bound"}
    assert backend.problem(binding(token), {**body, "appAccountToken": token}) == (400, "invalid-field", ["appAccountToken"])
    assert app_store.requests("set_app_account_token") == []
