"""Every value of Apple's enumerations, and an unknown one, through every source: kept, counted, shown, never guessed at."""
import pytest

from AppStoreServer import receipts
from harness.app_store import BUNDLE
from harness.purchases import DAY, PRO, ago, eligibility, hand_in, now, summary, verdict

NOTIFICATIONS = f"/v1/appstore/notifications/{BUNDLE}"
UNKNOWN = "SOMETHING_OF_2027"

# (field of a transaction, the values that are known, one that is not)
OF_TRANSACTIONS = [
    ("offerType", [1, 2, 3, 4, 5], 6),
    ("offerType", [], 1.5),
    ("offerType", [], "1"),
    ("inAppOwnershipType", ["PURCHASED", "FAMILY_SHARED", "ASSIGNED"], UNKNOWN),
    ("type", ["Auto-Renewable Subscription", "Non-Consumable", "Consumable", "Non-Renewing Subscription"], UNKNOWN),
    ("offerDiscountType", ["FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"], UNKNOWN),
    ("transactionReason", ["PURCHASE", "RENEWAL"], UNKNOWN),
    ("additionalTransactionReason", ["SEAT_ADDITION"], UNKNOWN),
    ("revocationReason", [0, 1], 7),
    ("revocationReason", [], 0.5),
    ("revocationType", ["REFUND_FULL", "REFUND_PRORATED", "FAMILY_REVOKE"], UNKNOWN),
    ("billingPlanType", ["BILLED_UPFRONT", "MONTHLY"], UNKNOWN),
]
OF_RENEWALS = [
    ("autoRenewStatus", [0, 1], 2),
    ("autoRenewStatus", [], 0.5),
    ("expirationIntent", [1, 2, 3, 4, 5], 6),
    ("expirationIntent", [], 1.5),
    ("priceIncreaseStatus", [0, 1], 2),
    ("renewalBillingPlanType", ["BILLED_UPFRONT", "MONTHLY"], UNKNOWN),
]
TYPES = [
    "SUBSCRIBED", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "OFFER_REDEEMED", "DID_RENEW", "EXPIRED",
    "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "PRICE_INCREASE", "REFUND", "REFUND_DECLINED", "CONSUMPTION_REQUEST",
    "RENEWAL_EXTENDED", "REVOKE", "TEST", "RENEWAL_EXTENSION", "REFUND_REVERSED", "EXTERNAL_PURCHASE_TOKEN", "ONE_TIME_CHARGE",
    "RESCIND_CONSENT", "METADATA_UPDATE", "MIGRATION", "PRICE_CHANGE", "UNCLAIM_SEATS",
]


def counted(service, field):
    return service.metric("offersigner_unrecognised_values_total", app=BUNDLE, field=field)


def shown(service, customer):
    done = service.cli("history", "show", "--app", BUNDLE, customer)
    assert done.returncode == 0, done.stderr
    return done.stdout


def notified(service, store, subscription, **options):
    sent = store.send_v2(f"{service.url}{NOTIFICATIONS}", subscription, **options)
    assert sent["attempts"][-1]["status"] == 200, sent


def lapsed(store, **fields):
    """A subscription of long ago, cancelled."""
    customer = store.customer()
    return customer, customer.start(PRO, at=ago(200 * DAY), **fields).cancel_auto_renew(at=ago(190 * DAY)).expire()


@pytest.mark.parametrize("source", ["transactions", "notification"])
@pytest.mark.parametrize("field, values, unknown", OF_TRANSACTIONS, ids=[f"{field}-{unknown}" for field, _, unknown in OF_TRANSACTIONS])
def test_fields_of_a_transaction(enforcing, app_store, field, values, unknown, source):
    store = app_store.cleared_for(enforcing)
    before = counted(enforcing, field)
    for value in [*values, unknown]:
        customer, subscription = lapsed(store)
        subscription.last[field] = value
        if source == "notification":
            notified(enforcing, store, subscription)
        else:
            hand_in(enforcing, store, customer, f"{source}-{field}-{value!r}")
        text = shown(enforcing, subscription.original_id)
        if value == unknown:
            assert f"{field} {value} (not recognised)" in text
        else:
            assert "not recognised" not in text and "does not know" not in text
    assert counted(enforcing, field) == before + 1
    found = eligibility(enforcing, transactionId=subscription.original_id)
    depends = {"offerType": "introductoryOffer", "inAppOwnershipType": "both", "type": "both"}.get(field)
    introductory = verdict(found["introductoryOffer"])
    promotional = verdict(found["promotionalOffers"][0])
    assert (introductory[:2] == ("unknown", ["unrecognised-value"])) == (depends is not None)
    assert (promotional[:2] == ("unknown", ["unrecognised-value"])) == (depends == "both")


@pytest.mark.parametrize("field, values, unknown", OF_RENEWALS, ids=[f"{field}-{unknown}" for field, _, unknown in OF_RENEWALS])
def test_fields_of_a_renewal(enforcing, app_store, field, values, unknown):
    store = app_store.cleared_for(enforcing)
    before = counted(enforcing, field)
    for value in [*values, unknown]:
        customer, subscription = lapsed(store)
        subscription.renewal[field] = value
        hand_in(enforcing, store, customer, None)
        text = shown(enforcing, subscription.original_id)
        assert (f"{field} {value} (not recognised)" in text) == (value == unknown)
    assert counted(enforcing, field) == before + 1


def test_notifications_of_every_type_and_of_none_that_is_known(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    _, subscription = lapsed(store)
    before = counted(enforcing, "notificationType"), counted(enforcing, "subtype"), counted(enforcing, "status")
    for kind in TYPES:
        notified(enforcing, store, subscription, kind=kind)
    assert before == (counted(enforcing, "notificationType"), counted(enforcing, "subtype"), counted(enforcing, "status"))
    notified(enforcing, store, subscription, kind=UNKNOWN, subtype=UNKNOWN, data={"status": 6})
    after = counted(enforcing, "notificationType"), counted(enforcing, "subtype"), counted(enforcing, "status")
    assert after == tuple(count + 1 for count in before)
    assert f"notification V2 {UNKNOWN} {UNKNOWN} received" in shown(enforcing, subscription.original_id)


def test_a_notification_from_nowhere_is_kept_and_changes_nothing(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    _, subscription = lapsed(store)
    before = enforcing.counts(), counted(enforcing, "environment")
    notified(enforcing, store, subscription, data={"environment": "Orbit"})
    after = enforcing.counts()
    assert after["notification"] == before[0]["notification"] + 1
    assert after["purchase_chain"] == before[0]["purchase_chain"]
    assert counted(enforcing, "environment") == before[1] + 1


def test_a_kind_of_data_that_came_later_is_kept(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    _, subscription = lapsed(store)
    before = enforcing.counts()["notification"]
    container = {"bundleId": BUNDLE, "environment": "Production", "appAppleId": 1234567890, "news": [1]}
    notified(enforcing, store, subscription, kind=UNKNOWN, fields={"data": None, "orbitData": container})
    assert enforcing.counts()["notification"] == before + 1


@pytest.mark.parametrize("app_apple_id, status", [(1234567890, 200), (None, 401), ("x", 401), (1234567891, 401)])
def test_a_notification_of_production_names_our_app(enforcing, app_store, app_apple_id, status):
    store = app_store.cleared_for(enforcing)
    _, subscription = lapsed(store)
    url = f"{enforcing.url}{NOTIFICATIONS}"
    sent = store.send_v2(url, subscription, data={"appAppleId": app_apple_id}, sending={"resendAfterMilliseconds": []})
    assert sent["attempts"][-1]["status"] == status


def test_receipts_and_notifications_v1(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    customer, _ = lapsed(store)
    record = customer.record()
    response = receipts.ios7(record, now())
    for item in response["latest_receipt_info"]:
        item["in_app_ownership_type"] = UNKNOWN
    for item in response["receipt"]["in_app"]:
        item["in_app_ownership_type"] = UNKNOWN
    before = counted(enforcing, "inAppOwnershipType")
    answer = enforcing.client("backend").post(
        "/v1/history/receipts", {"bundleId": BUNDLE, "customerId": "old", "verifiedReceipt": response})
    assert answer.status_code == 200, answer.text
    assert counted(enforcing, "inAppOwnershipType") == before + 1
    _, introductory, promotional = summary(eligibility(enforcing, customerId="old"))
    assert introductory[:2] == promotional[:2] == ("unknown", ["unrecognised-value"])
    _, subscription = lapsed(store)
    before = counted(enforcing, "notification_type")
    sent = store.send_v1(f"{enforcing.url}{NOTIFICATIONS}", subscription, UNKNOWN)
    assert sent["attempts"][-1]["status"] == 200
    assert counted(enforcing, "notification_type") == before + 1


def test_a_free_offer_code_is_no_introductory_offer(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    customer, _ = lapsed(store)
    response = receipts.ios7(customer.record(), now())
    for item in response["latest_receipt_info"] + response["receipt"]["in_app"]:
        item.update(is_trial_period="true", offer_code_ref_name="SPRING")
    enforcing.client("backend").post(
        "/v1/history/receipts", {"bundleId": BUNDLE, "customerId": "spring", "verifiedReceipt": response})
    assert verdict(eligibility(enforcing, customerId="spring")["introductoryOffer"])[:2] == (
        "eligible", ["lapsed-without-introductory-offer"])


def test_seats_bundles_commitments_and_partial_refunds_are_shown(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    customer, subscription = lapsed(store)
    subscription.last.update(
        billingPlanType="MONTHLY", commitmentInfo={"billingPeriodNumber": 3, "totalBillingPeriods": 12},
        multiSeatInfo={"revokedSeats": 2}, invitationManagement="APPLE", revocationType="REFUND_PRORATED",
        revocationPercentage=40000)
    subscription.renewal.update(priceIncreaseStatus=0)
    hand_in(enforcing, store, customer, "seats")
    text = shown(enforcing, "seats")
    for part in [
        "billingPlanType MONTHLY", '"billingPeriodNumber":3', '"revokedSeats":2', "revocationPercentage 40000",
        "price increase not answered yet", "expiration intent 1", f"appTransactionId {customer.app_transaction_id}",
    ]:
        assert part in text, text
    bundle = store.customer()
    bundle.start(PRO, at=ago(100 * DAY), previousOriginalTransactionId=subscription.original_id)
    hand_in(enforcing, store, bundle, None)
    assert f"in place of {subscription.original_id}" in shown(enforcing, "seats")
