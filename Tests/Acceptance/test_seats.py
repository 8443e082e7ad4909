"""Seats of a subscription: added in mid-period, refunded and unclaimed, through every source that tells of them."""
import uuid

import pytest

from harness.app_store import APP_APPLE_ID, BUNDLE
from harness.purchases import DAY, PRO, ago, eligibility, hand_in, verdict

NOTIFICATIONS = f"/v1/appstore/notifications/{BUNDLE}"


def facts(service, customer):
    answer = service.client("backend").get(f"/v1/customers/{customer}?bundleId={BUNDLE}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def kinds(service, customer):
    answer = service.client("backend").get(f"/v1/customers/{customer}/timeline?bundleId={BUNDLE}&limit=200")
    return [each["kind"] for each in answer.json()["items"]]


def notified(service, store, subscription, kind=None, subtype=None, **options):
    sent = store.send_v2(f"{service.url}{NOTIFICATIONS}", subscription, kind, subtype, **options)
    assert sent["attempts"][-1]["status"] == 200, sent


def told(service, store, subscription, source, name):
    """The subscription as it is, through one source."""
    if source == "notification":
        notified(service, store, subscription)
    elif source == "transactions":
        hand_in(service, store, subscription.customer, name)
    else:
        store.add(subscription.customer)
        answer = service.client("backend").post("/v1/history/refresh", {
            "bundleId": BUNDLE, "customerId": name, "transactionId": subscription.original_id})
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("source", ["notification", "transactions", "server-api"])
def test_an_addition_neither_ends_nor_doubles_its_period(enforcing, app_store, source):
    store = app_store.cleared_for(enforcing)
    name = f"seats-{source}"
    subscription = store.customer().start(PRO, at=ago(20 * DAY))
    hand_in(enforcing, store, subscription.customer, name)
    first = subscription.last["transactionId"]
    told(enforcing, store, subscription.add_seats(3, at=ago(10 * DAY)), source, name)
    addition = subscription.last
    for refunded in (False, True):
        if refunded:
            told(enforcing, store, subscription.refund(addition, at=ago(DAY)), source, name)
        found = facts(enforcing, name)
        [group] = found["subscriptions"]
        assert (group["state"], group["transactionId"], group["paidPeriods"]) == ("active", first, 1)
        assert (found["customer"]["purchases"], found["refunds"]["count"]) == (1, 0)
        assert verdict(eligibility(enforcing, customerId=name)["introductoryOffer"])[:2] == ("ineligible", ["current-subscriber"])
        seen = kinds(enforcing, name)
        assert (seen.count("purchase"), seen.count("renewal"), seen.count("refund")) == (1, 0, 0)
        assert (seen.count("seat-addition"), seen.count("seat-refund")) == (1, int(refunded))
    assert "additionalTransactionReason SEAT_ADDITION" in enforcing.cli("history", "show", "--app", BUNDLE, name).stdout
    told(enforcing, store, subscription.refund(subscription.transactions[0], at=ago(DAY)), source, name)
    assert facts(enforcing, name)["subscriptions"][0]["state"] == "revoked"


def test_a_refund_of_seats_revokes_nothing(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    subscription = store.customer().start(PRO, at=ago(20 * DAY), quantity=5)
    hand_in(enforcing, store, subscription.customer, "seat-refund")
    before = enforcing.metric("offersigner_unrecognised_values_total", app=BUNDLE, field="subtype")
    subscription.last.update(revocationDate=ago(DAY), revocationReason=0, multiSeatInfo={"revokedSeatQuantity": 2})
    notified(enforcing, store, subscription, "REFUND", "SEATS")
    assert facts(enforcing, "seat-refund")["subscriptions"][0]["state"] == "active"
    hand_in(enforcing, store, subscription.customer, "seat-refund")
    assert facts(enforcing, "seat-refund")["subscriptions"][0]["state"] == "active"
    assert enforcing.metric("offersigner_unrecognised_values_total", app=BUNDLE, field="subtype") == before


def told_price(service, customer):
    """(price, paid) of the subscription, the timeline's first event and the export."""
    [group] = facts(service, customer)["subscriptions"]
    answer = service.client("backend").get(f"/v1/customers/{customer}/timeline?bundleId={BUNDLE}&limit=200")
    event = next(each for each in answer.json()["items"] if each["kind"] == "purchase")
    exported = service.client("backend").get(f"/v1/customers/{customer}/export?bundleId={BUNDLE}").json()
    [purchase] = exported["purchases"]
    row = purchase["transactions"][0]
    return {(group["price"], group["paid"]), (event["price"], event.get("paid")), (row["charged"], row["paid"])}


@pytest.mark.parametrize("source", ["notification", "transactions", "server-api"])
def test_what_seats_paid_is_the_same_everywhere(enforcing, app_store, source):
    store = app_store.cleared_for(enforcing)
    name = f"paid-{source}"
    tiers = {"priceTiers": [{"price": 9990, "quantity": 5}, {"price": 7990, "quantity": 3}]}
    subscription = store.customer().start(PRO, at=ago(20 * DAY), quantity=8, price=9240, multiSeatInfo=tiers)
    hand_in(enforcing, store, subscription.customer, name)
    assert told_price(enforcing, name) == {(73_920, 73_920)}
    subscription.last["multiSeatInfo"] = tiers | {"revokedSeatQuantity": 2}
    told(enforcing, store, subscription, source, name)
    assert told_price(enforcing, name) == {(73_920, 55_440)}
    assert "price 73920 thousandths" in enforcing.cli("history", "show", "--app", BUNDLE, name).stdout
    assert "paid 55440" in enforcing.cli("history", "show", "--app", BUNDLE, name).stdout
    # The percentage is of all seats, and comes before their number.
    told(enforcing, store, subscription.refund(at=ago(DAY), percentage=50_000), source, name)
    assert told_price(enforcing, name) == {(73_920, 36_960)}
    del subscription.last["revocationPercentage"]
    subscription.last["multiSeatInfo"] = tiers
    told(enforcing, store, subscription, source, name)
    # A part of unknown size: the timeline leaves out what is not known.
    assert told_price(enforcing, name) == {(73_920, None)}
    told(enforcing, store, subscription.reverse_refund(at=ago(DAY // 2)), source, name)
    assert told_price(enforcing, name) == {(73_920, 73_920)}


@pytest.mark.parametrize("names_subscription", [True, False])
def test_unclaimed_seats_are_kept_and_shown(enforcing, app_store, names_subscription):
    store = app_store.cleared_for(enforcing)
    subscription = store.customer().start(PRO, at=ago(20 * DAY))
    name, claim = f"unclaimed-{names_subscription}", str(uuid.uuid4())
    hand_in(enforcing, store, subscription.customer, name)
    before = enforcing.counts()["notification"]
    named = {"originalTransactionId": subscription.original_id, "appAppleId": APP_APPLE_ID} if names_subscription else {}
    notified(enforcing, store, subscription, "UNCLAIM_SEATS", fields={
        "data": None, "unclaimInfo": {"unclaimSeatIds": [claim], **named}})
    assert enforcing.counts()["notification"] == before + 1
    assert kinds(enforcing, name).count("notification") == int(names_subscription)
    assert facts(enforcing, name)["subscriptions"][0]["state"] == "active"
    assert claim in enforcing.log_text()


def test_the_number_of_seats_that_renew_is_shown(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    subscription = store.customer().start(PRO, at=ago(20 * DAY)).add_seats(3, at=ago(10 * DAY))
    hand_in(enforcing, store, subscription.customer, "renewing-seats")
    assert "renewalQuantity 4" in enforcing.cli("history", "show", "--app", BUNDLE, "renewing-seats").stdout
