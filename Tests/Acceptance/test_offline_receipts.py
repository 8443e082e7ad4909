"""Receipts read offline: what Apple signed in them counts without verifyReceipt, and what Apple did not sign does not."""
import base64
import itertools
import json

import pytest

from AppStoreServer import app_receipts, receipts
from AppStoreServer.app_receipts import ReceiptAuthority
from AppStoreServer.certificates import certificate, day, name, new_key
from harness.app_store import SHARED_SECRET
from harness.purchases import DAY, GROUP, HOUR, ago, now
from harness.service import Service

OFFLINE, ASKING = "com.example.offline", "com.example.asking"
MONTHLY, TEAM, COINS = "com.example.pro.monthly", "com.example.team.monthly", "com.example.coins"
RECEIPTS = "/v1/history/receipts"
# What only verifyReceipt says.
UNSAID = ("in_app_ownership_type", "app_account_token", "cancellation_reason", "offer_code_ref_name", "win_back_offer_id")


@pytest.fixture(scope="module")
def authority():
    return ReceiptAuthority()


@pytest.fixture(scope="module")
def service(app_store, authority, tmp_path_factory):
    folder = tmp_path_factory.mktemp("offline")
    extra = app_store.configuration_yaml().replace(
        "  roots: [", f'  roots: ["{authority.save_root(folder)}", ')
    app = {"eligibility": "enforce", "subscriptionGroups": [
        {"id": GROUP, "products": [{"id": MONTHLY, "period": "P1M"}, {"id": TEAM, "period": "P1M"}]}]}
    # JSON is YAML.
    extra += "apps: " + json.dumps([
        {"bundleId": OFFLINE, **app}, {"bundleId": ASKING, "sharedSecret": SHARED_SECRET, **app}]) + "\n"
    service = Service(folder / "service", extra=extra)
    service.start()
    yield service
    service.stop()


@pytest.fixture
def store(app_store):
    app_store.reset()
    app_store.register(ASKING)
    return app_store


def shown(customer, created_at=None):
    """verifyReceipt's `receipt` about a customer, as of the creation of a receipt."""
    at = created_at or now()
    found = receipts.ios7(customer.record(), at)["receipt"]
    return {**found, **receipts.date("receipt_creation_date", at // 1000 * 1000), **receipts.date("request_date", at // 1000 * 1000)}


def content(customer, created_at=None):
    return app_receipts.content(shown(customer, created_at), opaque=base64.b64decode(customer.receipt()).decode())


def hand_in(service, customer, receipt, customer_id, **fields):
    body = {"bundleId": customer.bundle_id, "customerId": customer_id, "receiptData": base64.b64encode(receipt).decode(), **fields}
    return service.client("backend").post(RECEIPTS, body)


def eligibility(service, customer, customer_id):
    body = {"bundleId": customer.bundle_id, "customerId": customer_id, "products": [MONTHLY]}
    answer = service.client("backend").post("/v1/eligibility", body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def lapsed(customer):
    subscription = customer.start(MONTHLY, at=ago(100 * DAY), intro=True).renew()
    return subscription.cancel_auto_renew(at=ago(45 * DAY)).expire()


SIGNED = {
    "SHA-256": lambda authority, what: authority.sign(what),
    "SHA-1": lambda authority, what: authority.sign_with_openssl(what, "-md", "sha1"),
    "BER": lambda authority, what: authority.sign_with_openssl(what, "-md", "sha256", "-stream"),
}


@pytest.mark.parametrize("form", SIGNED)
def test_an_app_without_a_shared_secret_reads_receipts_and_asks_for_nothing(service, store, authority, form):
    customer = store.customer(OFFLINE)
    lapsed(customer)
    customer.buy(COINS)
    receipt = SIGNED[form](authority, content(customer))
    assert (receipt[1] == 0x80) == (form == "BER")
    answer = hand_in(service, customer, receipt, f"lapsed {form}")
    assert (answer.status_code, answer.json()) == (200, {"accepted": 2, "unchanged": 0, "rejected": []})
    assert store.requests("verifyReceipt") == []
    found = eligibility(service, customer, f"lapsed {form}")
    first, last = (each["transactionId"] for each in customer.transactions[:2])
    assert found["history"] == "complete"
    [product] = found["products"]
    assert product["introductoryOffer"]["status"] == "no-offer"
    assert product["promotionalOffers"] == [] and product["subscription"]["state"] == "expired"
    assert product["subscription"]["originalTransactionId"] == first
    again = hand_in(service, customer, receipt, f"lapsed {form}")
    assert again.json() == {"accepted": 0, "unchanged": 2, "rejected": []}


def test_thousands_of_unsigned_digest_algorithms_cost_nothing(service, store, authority):
    """OpenSSL's CMS_verify takes minutes for them, or all of the stack."""
    customer = store.customer(OFFLINE)
    lapsed(customer)
    receipt = app_receipts.listing_digests(authority.sign(content(customer)), 60_000)
    assert hand_in(service, customer, receipt, "many digests").status_code == 200


def test_an_old_receipt_does_not_show_the_whole_account(service, store, authority):
    customer = store.customer(OFFLINE)
    lapsed(customer)
    answer = hand_in(service, customer, authority.sign(content(customer, ago(30 * DAY))), "old")
    assert answer.status_code == 200
    assert eligibility(service, customer, "old")["history"] == "partial"


def xcode():
    """A certificate of its own, as StoreKit Testing in Xcode has it."""
    key = new_key("RSA")
    return [certificate(name("StoreKit"), key, validity=(day(2020), day(2040)), is_ca=False)], key


FORGERIES = {
    "other root": (lambda authority, what: ReceiptAuthority().sign(what), "untrusted-root"),
    "Xcode": (lambda authority, what: authority.sign(what, xcode()), "untrusted-root"),
    "wrong marker": (
        lambda authority, what: authority.sign(what, authority.other_leaf("1.2.840.113635.100.6.11.2")), "missing-leaf-marker"),
    "expired": (
        lambda authority, what: authority.sign(what, authority.other_leaf(validity=(day(2016), day(2020)))), "certificate-expired"),
    "tampered": (
        lambda authority, what: authority.sign(what).replace(MONTHLY.encode(), TEAM.encode().ljust(len(MONTHLY))[:len(MONTHLY)]),
        "invalid-signature"),
}


@pytest.mark.parametrize("bundle_id", [OFFLINE, ASKING])
@pytest.mark.parametrize("forgery", FORGERIES)
def test_what_apple_did_not_sign_is_refused_and_nothing_is_stored_or_asked(service, store, authority, forgery, bundle_id):
    customer = store.customer(bundle_id)
    lapsed(customer)
    store.add(customer)
    sign, code = FORGERIES[forgery]
    before = service.counts()
    answer = hand_in(service, customer, sign(authority, content(customer)), "forger")
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert [each["name"] for each in answer.json()["fields"]] == ["receiptData"]
    assert service.counts() == before and store.requests("verifyReceipt") == []


def test_what_cannot_be_read_is_not_believed(service, store, authority):
    """verifyReceipt may read it, where it can be asked."""
    for bundle_id, code in ((OFFLINE, "malformed-payload"), (ASKING, "receipt-status-21003")):
        customer = store.customer(bundle_id)
        answer = hand_in(service, customer, authority.sign(b"made up"), "reader")
        assert (answer.status_code, answer.json()["code"]) == (422, code)


def test_a_receipt_of_another_app_is_refused_without_asking(service, store, authority):
    customer = store.customer("com.example.stranger")
    lapsed(customer)
    receipt = base64.b64encode(authority.sign(content(customer))).decode()
    before = service.counts()
    for bundle_id in (OFFLINE, ASKING):
        body = {"bundleId": bundle_id, "customerId": "u", "receiptData": receipt}
        assert service.client("backend").problem(RECEIPTS, body) == (400, "invalid-field", ["receiptData"])
    assert service.counts() == before and store.requests("verifyReceipt") == []


def test_verifyreceipt_is_asked_for_what_a_receipt_lacks_only(service, store, authority):
    buyer = store.customer(ASKING)
    buyer.buy(COINS)
    subscriber = store.customer(ASKING)
    subscription = lapsed(subscriber)
    store.add(buyer, subscriber)
    assert hand_in(service, buyer, authority.sign(content(buyer)), "buyer").json()["accepted"] == 1
    assert store.requests("verifyReceipt") == []
    assert eligibility(service, buyer, "buyer")["history"] == "complete"
    # An old one may lack purchases.
    old = hand_in(service, buyer, authority.sign(content(buyer, ago(2 * DAY))), "buyer")
    assert old.status_code == 200 and len(store.requests("verifyReceipt")) == 1
    # The state of the renewal is not in the receipt.
    answer = hand_in(service, subscriber, authority.sign(content(subscriber)), "subscriber")
    assert answer.status_code == 200 and "verifyReceipt" not in answer.json() and len(store.requests("verifyReceipt")) == 2
    [product] = eligibility(service, subscriber, "subscriber")["products"]
    assert product["subscription"] == {
        "state": "expired", "productId": MONTHLY, "expiresAt": subscription.last["expiresDate"], "willRenew": False,
        "originalTransactionId": subscription.original_id,
    }


@pytest.mark.parametrize(
    ("fault", "code"),
    [({"httpStatus": 503}, "app-store-unavailable"), ({"httpStatus": 404}, "app-store-not-found"), ({"receiptStatus": 21004}, "receipt-status-21004")],
    ids=["away", "switched off", "wrong secret"])
def test_without_verifyreceipt_what_the_receipt_says_is_stored_and_the_answer_says_so(service, store, authority, fault, code):
    customer = store.customer(ASKING)
    subscription = lapsed(customer)
    store.fault("verifyReceipt", **fault)
    answer = hand_in(service, customer, authority.sign(content(customer)), code)
    assert answer.status_code == 200, answer.text
    assert answer.json()["accepted"] == 1 and answer.json()["verifyReceipt"]["code"] == code
    [product] = eligibility(service, customer, code)["products"]
    assert product["subscription"]["originalTransactionId"] == subscription.original_id
    assert "willRenew" not in product["subscription"]
    # Kept, and asked about when the App Store is back: then the rest is known.
    assert service.cli("receipts").returncode == 0


def test_two_thousand_purchases_are_read(service, store, authority):
    customer = store.customer(OFFLINE)
    # More than the thousand ids that a customer has apart from others.
    customer.new_id = (f"9900{number:012d}" for number in itertools.count()).__next__
    for hour in range(2000):
        customer.buy(COINS, at=ago(hour * HOUR))
    answer = hand_in(service, customer, authority.sign(content(customer)), "collector")
    assert (answer.status_code, answer.json()["accepted"]) == (200, 2000)


def test_receipts_are_imported_without_asking(service, store, authority, tmp_path):
    customer, stranger = store.customer(OFFLINE), store.customer(ASKING)
    subscription = lapsed(customer)
    lapsed(stranger)

    def line(name, receipt):
        return json.dumps({"customerId": name, "receiptData": base64.b64encode(receipt).decode()}) + "\n"

    file = tmp_path / "receipts.jsonl"
    file.write_text("".join([
        line("imported", authority.sign(content(customer))), line("foreign", authority.sign(content(stranger))),
        line("forged", authority.sign(content(customer), xcode())), line("old form", b"made up")]))
    done = service.cli("history", "import", "--app", OFFLINE, file)
    assert done.returncode == 2, done.stderr
    rejected = [json.loads(each) for each in (tmp_path / "receipts.jsonl.rejected.jsonl").read_text().splitlines()]
    assert [(each["line"], each["code"]) for each in rejected] == [
        (2, "bundle-mismatch"), (3, "untrusted-root"), (4, "malformed-receipt")]
    found = eligibility(service, customer, "imported")
    assert found["history"] == "complete"
    assert found["products"][0]["subscription"]["originalTransactionId"] == subscription.original_id
    assert store.requests("verifyReceipt") == []


def lives(store, bundle_id):
    """One of each kind; the same for the same bundle id, but for ids."""
    def customer():
        return store.customer(bundle_id)

    trial, paid, promotional, upgraded, refunded, mixed, idle = (customer() for _ in range(7))
    lapsed(trial)
    paid.start(MONTHLY, at=ago(70 * DAY), intro="PAY_UP_FRONT").renew().renew()
    promotional.start(MONTHLY, at=ago(200 * DAY)).cancel_auto_renew(at=ago(190 * DAY)).expire() \
        .resubscribe(at=ago(50 * DAY), offer_id="back").renew()
    upgraded.start(MONTHLY, at=ago(40 * DAY)).renew().upgrade(TEAM, at=ago(5 * DAY))
    refunded.start(MONTHLY, at=ago(40 * DAY), intro=True).renew().refund(at=ago(DAY))
    mixed.start(MONTHLY, at=ago(20 * DAY))
    mixed.start("com.example.news", group="20563299", at=ago(90 * DAY)).renew()
    mixed.buy(COINS, quantity=3)
    mixed.buy("com.example.book", "Non-Consumable", at=ago(300 * DAY))
    return [trial, paid, promotional, upgraded, refunded, mixed, idle]


def test_a_receipt_gives_the_history_that_verifyreceipt_gives_of_it(service, store, authority):
    for number, customer in enumerate(lives(store, OFFLINE)):
        # Whole seconds, as a receipt has them.
        for each in customer.transactions:
            each.update({field: value // 1000 * 1000 for field, value in each.items() if field.endswith("Date")})
        at = now()
        answer = hand_in(service, customer, authority.sign(content(customer, at)), f"life {number}")
        assert answer.status_code == 200, answer.text
        said = shown(customer, at)
        said["in_app"] = [{name: value for name, value in each.items() if name not in UNSAID} for each in said["in_app"]]
        verified = {"status": 0, "environment": customer.environment, "receipt": {**said, "bundle_id": ASKING}}
        body = {"bundleId": ASKING, "customerId": f"life {number}", "verifiedReceipt": verified}
        other = service.client("backend").post(RECEIPTS, body)
        assert (other.status_code, other.json()) == (200, answer.json())
        assert purchases(service, OFFLINE, f"life {number}") == purchases(service, ASKING, f"life {number}"), number


def purchases(service, bundle_id, customer_id):
    answer = service.client("admin").get(f"/v1/customers/{customer_id}/export", params={"bundleId": bundle_id})
    assert answer.status_code == 200, answer.text
    return answer.json()["purchases"]
