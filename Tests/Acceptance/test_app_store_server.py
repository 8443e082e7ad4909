"""The local App Store is like the real one: judged by Apple's own library, PyJWT, openssl and recorded answers."""
import concurrent.futures
import http.server
import json
import socket
import struct
import subprocess
import threading
import time

import httpx
import jwt
import pytest
from appstoreserverlibrary.api_client import APIError, APIException, AppStoreServerAPIClient, GetTransactionHistoryVersion
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, TransactionHistoryRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from harness.app_store import APP_APPLE_ID, BUNDLE, ISSUER, SHARED_SECRET, TESTS, AppStore
from harness.checks import openssl
from harness.waiting import PATIENCE, wait_until
from AppStoreServer import notifications
from AppStoreServer.authority import Authority
from AppStoreServer.certificates import day
from AppStoreServer.jws import claims_of
from AppStoreServer.periods import DAY, HOUR

KEY_ID = "ABCDEFGHIJ"
PRO, TEAM = "com.example.pro.monthly", "com.example.team.monthly"
FIXTURES = TESTS / "Fixtures"
KEY = ec.generate_private_key(ec.SECP256R1())
KEY_PEM = KEY.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def now():
    return int(time.time() * 1000)


class Client(AppStoreServerAPIClient):
    """Apple's client, sent to our server."""

    def __init__(self, store, environment=Environment.PRODUCTION):
        super().__init__(KEY_PEM, KEY_ID, ISSUER, BUNDLE, environment)
        self._base_url = store.production if environment == Environment.PRODUCTION else store.sandbox


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with AppStore(tmp_path_factory.mktemp("app-store")) as server:
        yield server
    assert (server.exit_code, server.log_text()) == (0, "")


@pytest.fixture
def store(server):
    server.reset()
    server.register(keys={KEY_ID: KEY.public_key()})
    return server


@pytest.fixture
def client(store):
    return Client(store)


def verifier(authority, environment=Environment.PRODUCTION):
    root = authority.root.public_bytes(serialization.Encoding.DER)
    return SignedDataVerifier([root], False, environment, BUNDLE, APP_APPLE_ID)


def lapsed(store, **fields):
    """A customer who subscribed 100 days ago, renewed twice and left."""
    customer = store.customer(**fields)
    subscription = customer.start(PRO, at=now() - 100 * DAY, intro=True, intro_period="P1W").renew().renew()
    subscription.cancel_auto_renew(at=now() - 50 * DAY).expire()
    return customer, subscription


def ids(answer):
    return [claims_of(token)["transactionId"] for token in answer.signedTransactions]


# What is signed


def test_the_chain_has_apples_structure_and_openssl_accepts_it(store, tmp_path):
    names = ["leaf", "intermediate", "root"]
    for name, certificate in zip(names, store.authority.genuine.certificates):
        (tmp_path / f"{name}.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    files = {name: tmp_path / f"{name}.pem" for name in names}
    assert files["root"].read_bytes() == store.root_pem.read_bytes()
    openssl("verify", "-x509_strict", "-CAfile", files["root"], "-untrusted", files["intermediate"], files["leaf"])
    text = {name: openssl("x509", "-in", file, "-noout", "-text").stdout.decode() for name, file in files.items()}
    assert "(384 bit)" in text["root"] and "(384 bit)" in text["intermediate"] and "(256 bit)" in text["leaf"]
    assert "1.2.840.113635.100.6.2.1:" in text["intermediate"] and "1.2.840.113635.100.6.11.1:" in text["leaf"]


def test_a_stranger_to_the_root_is_refused_by_openssl(store, tmp_path):
    leaf = tmp_path / "leaf.pem"
    leaf.write_bytes(Authority().genuine.certificates[0].public_bytes(serialization.Encoding.PEM))
    with pytest.raises(subprocess.CalledProcessError):
        openssl("verify", "-CAfile", store.root_pem, leaf)


@pytest.mark.parametrize("environment", [Environment.PRODUCTION, Environment.SANDBOX])
def test_apples_verifier_reads_everything_that_we_sign(store, environment):
    token = "7F0CA5D1-9A7B-4F21-B9B0-5B5C2F1B6A33"
    customer, subscription = lapsed(store, environment=environment.value, app_account_token=token)
    subscription.resubscribe(at=now() - HOUR, offer_id="winback50").refund(at=now(), percentage=50000)
    judge = verifier(store.authority, environment)
    read = [judge.verify_and_decode_signed_transaction(each) for each in customer.signed_transactions(store.authority)]
    first, *_, last = read
    assert (first.rawOfferType, first.rawOfferDiscountType, first.offerPeriod) == (1, "FREE_TRIAL", "P1W")
    assert (last.offerIdentifier, last.rawOfferType, last.revocationPercentage) == ("winback50", 2, 50000)
    assert {each.originalTransactionId for each in read} == {first.transactionId}
    assert {each.appAccountToken for each in read} == {token.lower()}
    [renewal] = [judge.verify_and_decode_renewal_info(each) for each in customer.signed_renewal_infos(store.authority)]
    assert renewal.originalTransactionId == first.transactionId and renewal.rawAutoRenewStatus == 1


FORGERIES = {
    "alg none": lambda a: {"alg": "none"},
    "HS256 with the public key": lambda a: {"alg": "HS256"},
    "RS256": lambda a: {"alg": "RS256"},
    "alg says ES384": lambda a: {"header": {"alg": "ES384"}},
    "DER signature": lambda a: {"der_signature": True},
    "tampered": lambda a: {"tampered": {"productId": "everything"}},
    "signed by another key": lambda a: {"key": KEY},
    "no x5c": lambda a: {"header": {"x5c": None}},
    "another root": lambda a: {"chain": Authority().genuine},
    "leaf of another authority": lambda a: {"chain": a.with_foreign_leaf()},
    "leaf without the marker": lambda a: {"chain": a.chain(leaf_oid=None)},
    "leaf with another marker": lambda a: {"chain": a.chain(leaf_oid="1.2.840.113635.100.6.11.2")},
    "intermediate without the marker": lambda a: {"chain": a.chain(intermediate_oid=None)},
    "intermediate is no CA": lambda a: {"chain": a.chain(intermediate_is_ca=False)},
    "leaf not yet valid": lambda a: {"chain": a.chain(leaf_validity=(day(2040), day(2041)))},
    "intermediate expired": lambda a: {"chain": a.chain(intermediate_validity=(day(2015), day(2020)))},
    "RSA leaf": lambda a: {"chain": a.chain(leaf_key="RSA")},
    "one certificate": lambda a: {"chain": a.chain(length=1)},
    "two certificates": lambda a: {"chain": a.chain(length=2)},
    "four certificates": lambda a: {"chain": a.chain(length=4)},
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_apples_verifier_refuses_what_we_forge(store, forgery):
    customer = store.customer()
    customer.start(PRO)
    [forged] = customer.signed_transactions(store.authority, **FORGERIES[forgery](store.authority))
    with pytest.raises(VerificationException):
        verifier(store.authority).verify_and_decode_signed_transaction(forged)


@pytest.mark.parametrize("chain", [Authority.with_foreign_root, Authority.with_reissued_root])
def test_another_third_certificate_changes_nothing(store, chain):
    token = store.authority.sign({"bundleId": BUNDLE, "environment": "Production"}, chain=chain(store.authority))
    assert verifier(store.authority).verify_and_decode_signed_transaction(token).bundleId == BUNDLE


def test_validity_is_judged_at_the_signed_date(store):
    short = store.authority.chain(leaf_validity=(day(2020), day(2021)))
    payload = {"bundleId": BUNDLE, "environment": "Production", "signedDate": int(day(2020, 6).timestamp() * 1000)}
    assert verifier(store.authority).verify_and_decode_signed_transaction(store.authority.sign(payload, chain=short))


# A subscription's life


def test_every_step_of_a_life_makes_a_notification_that_apples_verifier_reads(store):
    start = now() - 200 * DAY
    customer, member = store.customer(), store.customer()
    one = customer.start(PRO, at=start)
    judge = verifier(store.authority)
    seen = []

    def look(subscription):
        identifier = f"00000000-0000-4000-8000-{len(seen):012d}"
        body = notifications.v2(store.authority, subscription, identifier=identifier, at=subscription.event.at)
        read = judge.verify_and_decode_notification(body["signedPayload"])
        assert read.notificationUUID == identifier and read.version == "2.0"
        judge.verify_and_decode_signed_transaction(read.data.signedTransactionInfo)
        judge.verify_and_decode_renewal_info(read.data.signedRenewalInfo)
        seen.append((read.rawNotificationType, read.rawSubtype, read.data.rawStatus))

    for step in [
        lambda: one, lambda: one.renew(), lambda: one.redeem_promotional_offer("loyalty20", at=start + 40 * DAY),
        lambda: one.renew(), lambda: one.cancel_auto_renew(at=start + 70 * DAY),
        lambda: one.resume_auto_renew(at=start + 71 * DAY), lambda: one.billing_retry(),
        lambda: one.renew(at=start + 100 * DAY), lambda: one.grace(), lambda: one.end_grace(), lambda: one.expire(2),
        lambda: one.resubscribe(at=now() - 10 * DAY), lambda: one.downgrade(TEAM, at=now() - 9 * DAY),
        lambda: one.upgrade(TEAM, at=now() - 8 * DAY), lambda: one.ask_price_consent(12990, at=now() - 7 * DAY),
        lambda: one.extend(DAY, at=now() - 6 * DAY), lambda: one.share_with(member),
        lambda: member.subscriptions[0].revoke_sharing(at=now() - 4 * DAY), lambda: one.refund(at=now() - 3 * DAY),
        lambda: one.reverse_refund(at=now() - 2 * DAY),
    ]:
        look(step())
    assert seen == [
        ("SUBSCRIBED", "INITIAL_BUY", 1), ("DID_RENEW", None, 1), ("OFFER_REDEEMED", None, 1), ("DID_RENEW", None, 1),
        ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", 1), ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", 1),
        ("DID_FAIL_TO_RENEW", None, 3), ("DID_RENEW", "BILLING_RECOVERY", 1), ("DID_FAIL_TO_RENEW", "GRACE_PERIOD", 4),
        ("GRACE_PERIOD_EXPIRED", None, 3), ("EXPIRED", "BILLING_RETRY", 2), ("SUBSCRIBED", "RESUBSCRIBE", 1),
        ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", 1), ("DID_CHANGE_RENEWAL_PREF", "UPGRADE", 1), ("PRICE_INCREASE", "PENDING", 1),
        ("RENEWAL_EXTENDED", None, 1), ("SUBSCRIBED", "INITIAL_BUY", 1), ("REVOKE", None, 5), ("REFUND", None, 5),
        ("REFUND_REVERSED", None, 1),
    ]
    redeemed = [each for each in one.transactions if each.get("offerIdentifier") == "loyalty20"]
    assert [each["transactionReason"] for each in redeemed] == ["RENEWAL"]
    assert [each["productId"] for each in one.transactions if each.get("isUpgraded")] == [PRO]
    assert {each["inAppOwnershipType"] for each in member.transactions} == {"FAMILY_SHARED"}


# The Server API


def test_subscription_statuses_for_any_of_a_customers_identifiers(store, client):
    customer, subscription = lapsed(store)
    customer.buy("com.example.coins")
    other = customer.start("com.example.news", group="20563229", at=now() - DAY)
    store.add(customer)
    for identifier in (subscription.original_id, subscription.last["transactionId"], customer.app_transaction_id):
        answer = client.get_all_subscription_statuses(identifier)
        assert (answer.rawEnvironment, answer.bundleId, answer.appAppleId) == ("Production", BUNDLE, APP_APPLE_ID)
        groups = {each.subscriptionGroupIdentifier: each.lastTransactions for each in answer.data}
        [found] = groups["20563228"]
        assert (found.status, found.originalTransactionId) == (Status.EXPIRED, subscription.original_id)
        assert [each.status for each in groups["20563229"]] == [Status.ACTIVE]
    judge = verifier(store.authority)
    last = judge.verify_and_decode_signed_transaction(groups["20563229"][0].signedTransactionInfo)
    assert last.transactionId == other.last["transactionId"]
    assert len(client.get_all_subscription_statuses(other.original_id, [Status.ACTIVE]).data) == 1


def everything(client, identifier, request=TransactionHistoryRequest(sort=Order.ASCENDING), revision=None):
    """(pages of transaction ids, last revision)."""
    pages = []
    while True:
        answer = client.get_transaction_history(identifier, revision, request, GetTransactionHistoryVersion.V2)
        pages.append(ids(answer))
        revision = answer.revision
        if not answer.hasMore:
            return pages, revision


def test_history_comes_in_pages_of_twenty_and_resumes_with_what_is_new_or_changed(store, client):
    customer = store.customer()
    subscription = customer.start(PRO, at=now() - 44 * 30 * DAY)
    for _ in range(44):
        subscription.renew()
    store.add(customer)
    pages, revision = everything(client, subscription.original_id)
    assert [len(page) for page in pages] == [20, 20, 5]
    assert sum(pages, []) == [each["transactionId"] for each in subscription.transactions]
    assert everything(client, subscription.original_id, revision=revision) == ([[]], revision)
    subscription.refund(subscription.transactions[3], at=now())
    subscription.renew()
    store.add(customer)
    [page], later = everything(client, subscription.original_id, revision=revision)
    assert sorted(page) == sorted([subscription.transactions[3]["transactionId"], subscription.last["transactionId"]])
    assert later != revision
    down, _ = everything(client, subscription.original_id, TransactionHistoryRequest(sort=Order.DESCENDING))
    up, _ = everything(client, subscription.original_id)
    assert sum(down, []) == sum(up, [])[::-1]
    store.settings(pageSize=3)
    assert len(everything(client, subscription.original_id)[0]) == 16
    refunded = client.get_refund_history(subscription.original_id, None)
    assert ids(refunded) == [subscription.transactions[3]["transactionId"]]


def test_a_revision_is_good_only_for_its_query(store, client):
    customer, subscription = lapsed(store)
    store.add(customer)
    _, revision = everything(client, subscription.original_id)
    with pytest.raises(APIException) as failure:
        everything(client, subscription.original_id, TransactionHistoryRequest(sort=Order.DESCENDING), revision)
    assert failure.value.api_error == APIError.INVALID_REQUEST_REVISION


def test_history_takes_filters(store, client):
    customer, subscription = lapsed(store)
    coins = customer.buy("com.example.coins")
    store.add(customer)
    [page], _ = everything(client, subscription.original_id, TransactionHistoryRequest(productIds=["com.example.coins"]))
    assert page == [coins["transactionId"]]
    [page], _ = everything(client, subscription.original_id, TransactionHistoryRequest(startDate=now() - 60 * DAY))
    assert coins["transactionId"] in page and subscription.original_id not in page


def test_an_identifier_of_the_other_environment_is_not_found(store, client):
    customer, subscription = lapsed(store, environment="Sandbox")
    store.add(customer)
    sandbox = Client(store, Environment.SANDBOX)
    assert sandbox.get_all_subscription_statuses(subscription.original_id).rawEnvironment == "Sandbox"
    for code in (APIError.TRANSACTION_ID_NOT_FOUND, APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND):
        store.settings(notFoundCode=code.value)
        for ask in (client.get_all_subscription_statuses, lambda each: everything(client, each)):
            with pytest.raises(APIException) as failure:
                ask(subscription.original_id)
            assert (failure.value.http_status_code, failure.value.api_error) == (404, code)
    with pytest.raises(APIException) as failure:
        client.get_transaction_info("no-number")
    assert (failure.value.http_status_code, failure.value.api_error) == (400, APIError.INVALID_TRANSACTION_ID)


def claims(**changes):
    second = int(time.time())
    fields = {"iss": ISSUER, "iat": 0, "exp": 300, "aud": "appstoreconnect-v1", "bid": BUNDLE, **changes}
    return {name: second + value if isinstance(value, int) else value for name, value in fields.items() if value is not None}


TOKENS = {
    "other issuer": ({"iss": "6971a1c3-0000-4000-8000-000000000000"}, {}),
    "other audience": ({"aud": "appstoreconnect-v2"}, {}),
    "other app": ({"bid": "com.example.other"}, {}),
    "no exp": ({"exp": None}, {}),
    "expired": ({"iat": -600, "exp": -300}, {}),
    # In seconds from now.
    "too long": ({"exp": 3700}, {}),
    "issued in the future": ({"iat": 400, "exp": 500}, {}),
    "text as exp": ({"iat": None, "exp": "4102444800"}, {}),
    "other kid": ({}, {"headers": {"kid": "ZZZZZZZZZZ"}}),
    "other key": ({}, {"key": ec.generate_private_key(ec.SECP256R1())}),
    "HS256": ({}, {"key": "a secret that is long enough to be one", "algorithm": "HS256"}),
}


def asked(store, token):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx.get(f"{store.production}/inApps/v1/subscriptions/1", headers=headers, timeout=PATIENCE)


def token(changes, key=KEY, algorithm="ES256", headers=None):
    return jwt.encode(claims(**changes), key, algorithm=algorithm, headers={"kid": KEY_ID, **(headers or {})})


@pytest.mark.parametrize("case", TOKENS)
def test_a_bad_bearer_token_is_a_401(store, case):
    changes, signing = TOKENS[case]
    assert asked(store, token(changes, **signing)).status_code == 401
    [request] = store.requests("subscriptions")
    assert request["status"] == 401 and request["refusal"]


@pytest.mark.parametrize("value", [None, "x", "a.b.c", "e30.e30."])
def test_no_bearer_token_is_a_401(store, value):
    assert asked(store, value).status_code == 401


def test_a_good_bearer_token_is_let_through(store):
    # One hour exactly is allowed, and so is the token of Apple's library, which has no iat.
    for changes in ({}, {"exp": 3600, "iat": 0}, {"iat": None}):
        assert asked(store, token(changes)).json()["errorCode"] == 4040010
    assert store.requests()[0]["token"]["claims"]["bid"] == BUNDLE


# Faults


def test_faults_come_in_order_and_end(store, client):
    customer, subscription = lapsed(store)
    store.add(customer)
    store.fault("history", times=2, errorCode=5000001)
    store.fault("history", times=1, retryAfterMilliseconds=1500)
    store.fault("history", times=1, httpStatus=503)
    store.fault("history", environment="Sandbox", httpStatus=502)
    url, headers = f"{store.production}/inApps/v2/history/{subscription.original_id}", {"Authorization": f"Bearer {token({})}"}

    def get(url):
        return httpx.get(url, headers=headers, timeout=PATIENCE)

    began = now()
    answers = [get(url) for _ in range(5)]
    ended = now()
    assert [each.status_code for each in answers] == [500, 500, 429, 503, 200]
    assert [each.json().get("errorCode") for each in answers[:3]] == [5000001, 5000001, 4290000]
    assert began <= int(answers[2].headers["Retry-After"]) - 1500 <= ended
    assert [each["status"] for each in store.requests("history")] == [500, 500, 429, 503, 200]
    assert client.get_all_subscription_statuses(subscription.original_id)
    assert get(url.replace("production", "sandbox")).status_code == 502
    store.clear_faults()
    assert get(url.replace("production", "sandbox")).json()["errorCode"] == 4040010


def test_faults_of_the_wire(store):
    customer, _ = lapsed(store)
    store.add(customer)

    def ask():
        body = {"receipt-data": customer.receipt(), "password": SHARED_SECRET}
        return httpx.post(f"{store.production}/verifyReceipt", json=body, timeout=PATIENCE)

    store.fault("verifyReceipt", times=1, malformed=True)
    with pytest.raises(ValueError):
        ask().json()
    store.fault("verifyReceipt", times=1, truncated=True)
    with pytest.raises(httpx.RemoteProtocolError):
        ask()
    store.fault("verifyReceipt", times=1, reset=True)
    with pytest.raises(httpx.ReadError):
        ask()
    store.fault("verifyReceipt", times=1, delayMilliseconds=200)
    began = time.monotonic()
    assert ask().json()["status"] == 0
    assert time.monotonic() - began >= 0.2
    store.fault("verifyReceipt", held=True)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        held = pool.submit(ask)
        wait_until(lambda: store.held == 1)
        assert not held.done()
        store.clear_faults()
        assert held.result().json()["status"] == 0


def test_a_misspelled_fault_is_refused(store):
    with pytest.raises(AssertionError, match="unknown in a fault"):
        store.fault("history", statusCode=500)


# verifyReceipt


def receipt(store, data, environment="production", password=SHARED_SECRET, **fields):
    body = {"receipt-data": data, **({"password": password} if password else {}), **fields}
    answer = httpx.post(f"{store.url}/{environment}/verifyReceipt", json=body, timeout=PATIENCE)
    assert answer.status_code == 200
    return answer.json()


def kinds(value):
    """The JSON type of each field."""
    return {name: type(each).__name__ for name, each in value.items()}


def fixture(name):
    return json.loads((FIXTURES / name).read_text())


SOMETIMES = {
    "cancellation_date", "cancellation_date_ms", "cancellation_date_pst", "cancellation_reason", "is_upgraded",
    "promotional_offer_id", "in_app_ownership_type", "app_account_token",
}


def test_an_ios_7_style_answer_has_the_fields_and_types_of_a_real_one(store):
    customer, subscription = lapsed(store, environment="Sandbox")
    customer.buy("com.example.coins")
    store.add(customer)
    ours, real = receipt(store, customer.receipt(), "sandbox"), fixture("verify-receipt-response-ios7-subscription.json")
    assert kinds(ours) == kinds(real)
    assert kinds(ours["receipt"]) == kinds(real["receipt"])
    assert kinds(ours["pending_renewal_info"][0]) == kinds(real["pending_renewal_info"][0])
    for found, wanted in [
        (ours["latest_receipt_info"], real["latest_receipt_info"]), (ours["receipt"]["in_app"], real["receipt"]["in_app"]),
    ]:
        allowed = {frozenset(kinds(each).items()) for each in wanted}
        for each in found:
            known = {name: kind for name, kind in kinds(each).items() if name not in SOMETIMES}
            assert frozenset(known.items()) in allowed
    assert {each["transaction_id"] for each in ours["latest_receipt_info"]} == {
        each["transactionId"] for each in subscription.transactions}
    in_time = sorted(ours["latest_receipt_info"], key=lambda each: each["purchase_date_ms"])
    assert [each["is_trial_period"] for each in in_time] == ["true", "false", "false"]
    only = receipt(store, customer.receipt(), "sandbox", **{"exclude-old-transactions": True})["latest_receipt_info"]
    assert [each["transaction_id"] for each in only] == [subscription.last["transactionId"]]
    assert receipt(store, ours["latest_receipt"], "sandbox")["status"] == 0


def test_dates_are_spelled_as_in_the_recorded_answer(store):
    customer = store.customer(environment="Sandbox")
    customer.buy("com.example.coins", at=1589879179000)
    store.add(customer)
    [ours] = receipt(store, customer.receipt(), "sandbox", password=None)["receipt"]["in_app"]
    real = fixture("verify-receipt-response-ios7-subscription.json")["receipt"]["in_app"][0]
    assert {name: ours[name] for name in ours if "date" in name} == {name: real[name] for name in real if "date" in name}


def test_an_ios_6_style_answer_has_the_fields_and_types_of_a_real_one(store):
    customer, subscription = lapsed(store)
    coins = customer.buy("com.example.coins")
    active = customer.start("com.example.news", group="20563229")
    store.add(customer)
    ours, real = receipt(store, customer.receipt(coins)), fixture("verify-receipt-response-ios6-consumable.json")
    assert kinds(ours) == kinds(real)
    known = {name: kind for name, kind in kinds(ours["receipt"]).items() if name not in SOMETIMES}
    # Consumables of newer receipts leave this one out.
    assert known == {name: kind for name, kind in kinds(real["receipt"]).items() if name != "is_in_intro_offer_period"}
    over = receipt(store, customer.receipt(subscription.transactions[0]))
    assert (over["status"], over["auto_renew_status"], over["expiration_intent"]) == (21006, 0, "1")
    assert over["is_in_billing_retry_period"] == "0" and "latest_receipt_info" not in over
    assert over["latest_expired_receipt_info"]["expires_date"] == str(subscription.last["expiresDate"])
    running = receipt(store, customer.receipt(active.last))
    assert (running["status"], running["auto_renew_status"]) == (0, 1)
    assert running["latest_receipt_info"]["transaction_id"] == active.last["transactionId"]


def test_an_upgrade_and_a_refund_show_as_cancellations(store):
    customer = store.customer()
    subscription = customer.start(PRO, at=now() - 5 * DAY).upgrade(TEAM, at=now() - 2 * DAY).refund(at=now() - DAY, reason=1)
    store.add(customer)
    found = {each["transaction_id"]: each for each in receipt(store, customer.receipt())["latest_receipt_info"]}
    first, last = (found[each["transactionId"]] for each in subscription.transactions)
    assert (first["is_upgraded"], first["cancellation_date_ms"]) == ("true", last["purchase_date_ms"])
    assert last["cancellation_reason"] == "1" and "is_upgraded" not in last


def test_verify_receipt_statuses(store):
    customer, _ = lapsed(store)
    sandbox, _ = lapsed(store, environment="Sandbox")
    store.add(customer, sandbox)
    assert httpx.get(f"{store.production}/verifyReceipt", timeout=PATIENCE).json() == {"status": 21000}
    assert httpx.post(f"{store.production}/verifyReceipt", content=b"{", timeout=PATIENCE).json() == {"status": 21002}
    assert receipt(store, "%%%")["status"] == 21002
    assert receipt(store, "aGVsbG8=")["status"] == 21003
    assert receipt(store, store.customer().receipt())["status"] == 21003
    assert receipt(store, customer.receipt(), password="wrong")["status"] == 21004
    assert receipt(store, customer.receipt(), password=None)["status"] == 21004
    assert receipt(store, sandbox.receipt()) == {"status": 21007}
    assert receipt(store, sandbox.receipt(), "sandbox")["status"] == 0
    assert receipt(store, customer.receipt(), "sandbox") == {"status": 21008}


@pytest.mark.parametrize("name", ["is_retryable", "is-retryable"])
@pytest.mark.parametrize("value", [True, 1, "1", "true", False, 0, "0"])
def test_internal_errors_say_in_many_ways_whether_to_retry(store, name, value):
    store.fault("verifyReceipt", times=1, receiptStatus=21100, retryable=value, retryableName=name)
    assert receipt(store, "") == {"status": 21100, "environment": "Production", name: value}
    assert receipt(store, "aGVsbG8=")["status"] == 21003


@pytest.mark.parametrize("status", [21005, 21009, 21010])
def test_other_statuses_can_be_asked_for(store, status):
    store.fault("verifyReceipt", times=1, receiptStatus=status)
    assert receipt(store, "")["status"] == status


# Notifications


class Listener(http.server.ThreadingHTTPServer):
    """Takes notifications, and answers with the statuses that it is given, then 200."""

    daemon_threads = True

    def __init__(self, *statuses):
        self.statuses, self.bodies = list(statuses), []
        listener = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                listener.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(listener.statuses.pop(0) if listener.statuses else 200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server_port}/notifications"

    def __exit__(self, *arguments):
        self.shutdown()
        super().__exit__(*arguments)


def test_version_2_is_sent_again_until_it_is_taken(store):
    customer, subscription = lapsed(store)
    with Listener(503, 404) as listener:
        sent = store.send_v2(listener.url, subscription, sending={"hourMilliseconds": 1})
        assert [each.get("status") for each in sent["attempts"]] == [503, 404, 200]
        assert [each["sendAttemptResult"] for each in sent["attempts"]] == ["UNSUCCESSFUL_HTTP_RESPONSE_CODE"] * 2 + ["SUCCESS"]
        assert listener.bodies == [sent["body"]] * 3
    read = verifier(store.authority).verify_and_decode_notification(sent["body"]["signedPayload"])
    assert (read.rawNotificationType, read.rawSubtype, read.data.status) == ("EXPIRED", "VOLUNTARY", Status.EXPIRED)


def test_a_client_that_goes_away_is_not_a_fault(tmp_path):
    with AppStore(tmp_path) as server:
        with socket.create_connection(("127.0.0.1", httpx.URL(server.production).port)) as connection:
            connection.sendall(b"GET /control HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert connection.recv(1)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        httpx.get(f"{server.production}/nothing", timeout=PATIENCE)
    assert (server.exit_code, server.log_text()) == (0, "")


@pytest.mark.parametrize("version, attempts", [(1, 4), (2, 6)])
def test_in_the_end_the_app_store_gives_up(store, version, attempts):
    customer = store.customer()
    subscription = customer.start(PRO)
    send = store.send_v1 if version == 1 else store.send_v2
    with Listener(*[500] * 10) as listener:
        sent = send(listener.url, subscription, sending={"hourMilliseconds": 0.1})
        assert len(sent["attempts"]) == len(listener.bodies) == attempts and sent["done"]


def test_notification_history_has_what_was_sent_and_what_never_arrived(store, client):
    customer, subscription = lapsed(store)
    other = store.customer()
    second = other.start(PRO)
    store.add(customer, other)
    with Listener() as listener:
        for _ in range(24):
            store.send_v2(listener.url, subscription)
        store.send_v2(listener.url, subscription, data={"bundleId": "com.example.other"})
        store.send_v1(listener.url, second)
    lost = store.send_v2(None, second, sending={"resendAfterMilliseconds": []})
    span = {"startDate": now() - DAY, "endDate": now() + HOUR}
    request = NotificationHistoryRequest(**span)
    first = client.get_notification_history(None, request)
    assert len(first.notificationHistory) == 20 and first.hasMore
    rest = client.get_notification_history(first.paginationToken, request)
    assert len(rest.notificationHistory) == 5 and not rest.hasMore and rest.paginationToken is None
    last = rest.notificationHistory[-1]
    assert last.signedPayload == lost["body"]["signedPayload"]
    assert [each.rawSendAttemptResult for each in last.sendAttempts] == ["NO_RESPONSE"]
    failures = client.get_notification_history(None, NotificationHistoryRequest(**span, onlyFailures=True))
    assert [each.signedPayload for each in failures.notificationHistory] == [last.signedPayload]
    mine = client.get_notification_history(None, NotificationHistoryRequest(**span, transactionId=second.original_id))
    assert [each.signedPayload for each in mine.notificationHistory] == [last.signedPayload]
    for page, start, end, code in [
        (first.paginationToken, now() - HOUR, now(), APIError.INVALID_PAGINATION_TOKEN),
        (None, now(), now() - HOUR, APIError.START_DATE_AFTER_END_DATE),
        (None, now() - 200 * DAY, now(), APIError.START_DATE_TOO_FAR_IN_PAST),
    ]:
        with pytest.raises(APIException) as failure:
            client.get_notification_history(page, NotificationHistoryRequest(startDate=start, endDate=end))
        assert failure.value.api_error == code


def when_there(ask):
    """What Apple's client gets, once it is no longer a 404."""
    def found():
        try:
            return ask()
        except APIException as failure:
            assert failure.api_error == APIError.TEST_NOTIFICATION_NOT_FOUND

    return wait_until(found)


def test_a_test_notification(store, client):
    with pytest.raises(APIException) as failure:
        client.request_test_notification()
    assert failure.value.api_error == APIError.SERVER_NOTIFICATION_URL_NOT_FOUND
    with Listener() as listener:
        store.settings(notificationURLs={"Production": listener.url})
        answer = client.request_test_notification()
        result = when_there(lambda: client.get_test_notification_status(answer.testNotificationToken))
    assert [each.rawSendAttemptResult for each in result.sendAttempts] == ["SUCCESS"]
    assert verifier(store.authority).verify_and_decode_notification(result.signedPayload).rawNotificationType == "TEST"


@pytest.mark.parametrize("generation", ["unified", "legacy"])
def test_version_1_has_the_fields_and_types_of_a_real_one(store, generation):
    customer = store.customer()
    subscription = customer.start(PRO, at=now() - 5 * DAY).cancel_auto_renew(at=now() - DAY).refund(at=now())
    with Listener() as listener:
        store.send_v1(listener.url, subscription, generation=generation)
        [ours] = listener.bodies
    real = fixture("notification-v1-refund.json")
    assert ours["password"] == SHARED_SECRET
    for name in ("notification_type", "environment"):
        assert ours[name] == real[name]
    assert ours["auto_renew_status"] == "false" and ours["unified_receipt"]["environment"] == "Production"
    on_top = {"latest_receipt", "latest_receipt_info"}
    assert {name for name in ours if name.startswith("latest_")} == (on_top if generation == "legacy" else set())
    pairs = [
        (ours, {name: value for name, value in real.items() if name not in on_top}),
        (ours["unified_receipt"], real["unified_receipt"]),
        (ours["unified_receipt"]["latest_receipt_info"][0], real["unified_receipt"]["latest_receipt_info"][0]),
    ]
    if generation == "legacy":
        pairs.append((ours["latest_receipt_info"], real["latest_receipt_info"]))
        assert ours["latest_receipt_info"]["cancellation_date_ms"] == str(subscription.last["revocationDate"])
    for mine, theirs in pairs:
        assert kinds(mine).items() >= kinds(theirs).items()


def test_version_1_says_nothing_of_an_expiry(store):
    _, subscription = lapsed(store)
    with pytest.raises(ValueError, match="EXPIRED"):
        store.send_v1("http://127.0.0.1:9", subscription)
    sent = store.send_v1(None, subscription, "DID_RENEW", generation="legacy", sending={"resendAfterMilliseconds": []})
    assert {"latest_expired_receipt", "latest_expired_receipt_info"} < set(sent["body"])


def test_a_life_has_to_have_ended_before_it_can_expire(store):
    subscription = store.customer().start(PRO)
    for step in (subscription.expire, subscription.billing_retry, subscription.grace):
        with pytest.raises(ValueError, match="earlier"):
            step()


# The program


def test_the_program_ends_with_its_parent(tmp_path):
    command = [TESTS / "AppStoreServer/serve", "--authority", tmp_path / "authority", "--until-input-ends"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process.stdout as output:
        assert json.loads(output.readline())
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


def test_the_program_ends_on_a_signal_and_its_authority_can_be_kept(tmp_path):
    folder = tmp_path / "authority"
    roots = []
    for _ in range(2):
        process = subprocess.Popen([TESTS / "AppStoreServer/serve", "--authority", folder], stdout=subprocess.PIPE)
        with process.stdout as output:
            line = json.loads(output.readline())
            roots.append(open(line["root"]).read())
            assert httpx.get(f"{line['url']}/control", timeout=PATIENCE).json()["customers"] == 0
            process.terminate()
            assert process.wait(PATIENCE) == 0
    assert roots[0] == roots[1]
