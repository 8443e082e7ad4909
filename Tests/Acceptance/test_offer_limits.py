"""Limits of offers: what counts, for which customer, until when, and how one could try to get around them."""
import json
import time
import uuid

import pytest

from harness.app_store import BUNDLE
from harness.purchases import DAY, GROUP, PRO, TEAM, active, ago, hand_in, lapsed, now
from harness.service import speaking_to
from harness.waiting import wait_until
from test_key_rotation import make_key

HOUR = 3_600_000
HELD = 24 * HOUR + 300_000
LIMITS = {
    "once": {"perCustomer": 1},
    "twice": {"perCustomer": 2},
    "yearly": {"perCustomer": 1, "per": "P1Y"},
    "cool": {"cooldown": "P90D"},
    "lapsed": {"notWhileActive": True},
    "single": {"outstanding": 1},
    "five": {"total": 5},
    "refundable": {"perCustomer": 1, "countRefunded": False},
    "free": None,
}


def groups(limits):
    offers = [
        {"id": name, "kind": "pay-up-front", "period": "P6M", **({"limits": each} if each else {})} for name, each in limits.items()
    ] + [{"id": "instalments", "kind": "pay-as-you-go", "period": "P3M", "limits": {"perCustomer": 2}}]
    team = [
        {"id": "once", "kind": "pay-up-front", "period": "P6M"},
        {"id": "thousand", "kind": "pay-up-front", "period": "P6M", "limits": {"total": 1000}},
    ]
    return [
        {"id": GROUP, "products": [{"id": PRO, "level": 2, "period": "P1M", "promotionalOffers": offers}]},
        {"id": "20563299", "products": [{"id": TEAM, "level": 1, "period": "P1M", "promotionalOffers": team}]},
    ]


@pytest.fixture(scope="module")
def limited(app_store, tmp_path_factory):
    """A service that enforces eligibility and has a limit of each kind."""
    folder = tmp_path_factory.mktemp("limited")
    with speaking_to(app_store, folder, BUNDLE, eligibility="enforce", subscriptionGroups=groups(LIMITS)) as service:
        yield service


@pytest.fixture(scope="module")
def advising(app_store, tmp_path_factory):
    """One that only advises: it signs for every caller who says a name."""
    folder = tmp_path_factory.mktemp("advising")
    with speaking_to(app_store, folder, BUNDLE, eligibility="advise", subscriptionGroups=groups(LIMITS)) as service:
        yield service


@pytest.fixture
def somebody(limited, app_store):
    """Makes customers with a lapsed subscription, known to the service by a name of their own."""

    def make(build=lapsed, **fields):
        customer = app_store.customer(app_account_token=str(uuid.uuid4()), **fields)
        subscription = build(customer)
        name = f"u-{uuid.uuid4()}"
        hand_in(limited, app_store, customer, name)
        return name, customer, subscription

    return make


def ask(service, offer, product=PRO, role="client", **fields):
    body = {"bundleId": BUNDLE, "offers": [{"productId": product, "offerId": offer}], **fields}
    [result] = service.client(role).sign(body)
    return result


def is_signed(service, offer, **fields):
    result = ask(service, offer, **fields)
    assert result["status"] == "signed" or result["code"] == "offer-limit-reached", result
    return result["status"] == "signed"


def refusal(service, offer, **fields):
    """The evidence of a refusal for a limit: its name, the most, the count, when it frees."""
    result = ask(service, offer, **fields)
    assert (result["status"], result.get("code")) == ("refused", "offer-limit-reached"), result
    evidence = result["evidence"]
    assert set(evidence) == {"limit", "max", "counted", "freesAt"}
    return evidence["limit"], evidence["max"], evidence["counted"], evidence["freesAt"]


def redeem(subscription, offer, at=None):
    return subscription.resubscribe(at=at or now(), offer_id=offer, discount="PAY_UP_FRONT")


# One customer


def test_a_customer_has_one_signature_outstanding_by_whatever_name_they_ask(limited, somebody):
    name, customer, subscription = somebody()
    first = ask(limited, "once", customerId=name)
    assert first["status"] == "signed"
    refused = refusal(limited, "once", customerId=name)
    assert refused == ("perCustomer", 1, 1, first["timestamp"] + HELD)
    original = subscription.original_id
    for who in [
        {"transactionId": original}, {"transactionId": customer.transactions[-1]["transactionId"]},
        {"appAccountToken": customer.app_account_token}, {"customerId": name, "transactionId": original, "form": "jws"},
        {"customerId": name, "appAccountToken": str(uuid.uuid4())}, {"customerId": name, "applicationUsername": "somebody else"},
    ]:
        assert refusal(limited, "once", **who) == refused, who
    # Another customer, and another offer of the same product, have their own.
    assert is_signed(limited, "once", customerId=somebody()[0])
    assert is_signed(limited, "single", customerId=name)
    assert refusal(limited, "single", customerId=name)[:3] == ("outstanding", 1, 1)


def test_the_same_offer_twice_in_a_request_is_one_too_many(limited, somebody):
    name, _, _ = somebody()
    signed, *refused = limited.client().sign(
        {"bundleId": BUNDLE, "customerId": name, "offers": [{"productId": PRO, "offerId": "once"}] * 3})
    assert signed["status"] == "signed"
    for result in refused:
        assert (result["status"], result["code"], result["evidence"]["limit"]) == ("refused", "offer-limit-reached", "perCustomer")
    assert refusal(limited, "once", customerId=name)[:3] == ("perCustomer", 1, 1)
    name, _, _ = somebody()
    mixed = limited.client().sign(
        {"bundleId": BUNDLE, "customerId": name, "offers": [{"productId": PRO, "offerId": offer} for offer in ("free", "once", "free")]})
    assert [result["status"] for result in mixed] == ["signed"] * 3


def test_a_redeemed_signature_counts_once_and_for_ever(limited, app_store, somebody):
    name, customer, subscription = somebody()
    assert is_signed(limited, "twice", customerId=name)
    redeem(subscription, "twice")
    hand_in(limited, app_store, customer, name)
    # Were it counted as outstanding, too, there would be none left.
    assert is_signed(limited, "twice", customerId=name)
    limit, most, counted, frees = refusal(limited, "twice", customerId=name)
    assert (limit, most, counted) == ("perCustomer", 2, 2) and frees > now()
    # Handed in again it is the same redemption.
    hand_in(limited, app_store, customer, name)
    assert refusal(limited, "twice", customerId=name)[2] == 2
    limited.kill()
    limited.start()
    assert refusal(limited, "twice", customerId=name)[2] == 2


def test_a_redemption_without_a_signature_of_ours_counts(limited, app_store, somebody):
    name, customer, subscription = somebody()
    redeem(subscription, "once", at=ago(30 * DAY))
    hand_in(limited, app_store, customer, name)
    assert refusal(limited, "once", customerId=name) == ("perCustomer", 1, 1, None)


def test_redemptions_grow_old_where_the_limit_is_for_a_time(limited, app_store, somebody):
    name, customer, subscription = somebody(lambda each: lapsed_long_ago(each))
    redeem(subscription, "yearly", at=ago(400 * DAY))
    hand_in(limited, app_store, customer, name)
    assert is_signed(limited, "yearly", customerId=name)
    other, customer, subscription = somebody()
    at = ago(20 * DAY)
    redeem(subscription, "yearly", at=at)
    hand_in(limited, app_store, customer, other)
    limit, _, _, frees = refusal(limited, "yearly", customerId=other)
    assert limit == "perCustomer" and at + 364 * DAY < frees < at + 367 * DAY


def lapsed_long_ago(customer):
    subscription = customer.start(PRO, at=ago(700 * DAY)).renew()
    return subscription.cancel_auto_renew(at=ago(645 * DAY)).expire()


def test_after_a_redemption_there_is_a_pause_and_a_signature_that_is_outstanding_may_be_one(limited, app_store, somebody):
    name, customer, subscription = somebody()
    at = ago(20 * DAY)
    redeem(subscription, "cool", at=at)
    hand_in(limited, app_store, customer, name)
    assert refusal(limited, "cool", customerId=name) == ("cooldown", 1, 1, at + 90 * DAY)
    fresh, _, _ = somebody()
    assert is_signed(limited, "cool", customerId=fresh)
    assert refusal(limited, "cool", customerId=fresh)[0] == "cooldown"


def test_an_offer_for_those_who_left_is_not_for_subscribers(limited, somebody):
    name, _, _ = somebody(active)
    assert refusal(limited, "lapsed", customerId=name) == ("notWhileActive", 0, 1, None)
    going, _, subscription = somebody(lambda customer: active(customer).cancel_auto_renew(at=ago(DAY)))
    assert refusal(limited, "lapsed", customerId=going) == ("notWhileActive", 0, 1, subscription.last["expiresDate"])
    gone, _, _ = somebody()
    assert is_signed(limited, "lapsed", customerId=gone) and is_signed(limited, "lapsed", customerId=gone)


def test_a_refund_gives_the_offer_back_where_the_catalogue_says_so(limited, app_store, somebody):
    for offer, comes_back in [("refundable", True), ("once", False)]:
        name, customer, subscription = somebody()
        redeem(subscription, offer, at=ago(3 * DAY))
        hand_in(limited, app_store, customer, name)
        assert not is_signed(limited, offer, customerId=name)
        subscription.refund(at=ago(DAY))
        hand_in(limited, app_store, customer, name)
        assert is_signed(limited, offer, customerId=name) == comes_back


def test_what_is_paid_in_instalments_is_one_redemption(limited, app_store, somebody):
    name, customer, subscription = somebody()
    subscription.resubscribe(at=ago(35 * DAY), offer_id="instalments", discount="PAY_AS_YOU_GO")
    subscription.redeem_promotional_offer("instalments", at=ago(30 * DAY)).renew()
    hand_in(limited, app_store, customer, name)
    assert is_signed(limited, "instalments", customerId=name)
    assert refusal(limited, "instalments", customerId=name)[2] == 2


def test_an_instalment_that_is_charged_late_is_one_and_a_second_purchase_is_none(limited, app_store, somebody):
    for recovers, counted in [(True, 1), (False, 2)]:
        name, customer, subscription = somebody(lapsed_long_ago)
        subscription.resubscribe(at=ago(100 * DAY), offer_id="instalments", discount="PAY_AS_YOU_GO")
        if recovers:
            subscription.redeem_promotional_offer("instalments", at=ago(80 * DAY)).billing_retry().renew(at=ago(50 * DAY))
        else:
            subscription.resubscribe(at=ago(50 * DAY), offer_id="instalments", discount="PAY_AS_YOU_GO")
        hand_in(limited, app_store, customer, name)
        assert is_signed(limited, "instalments", customerId=name) == (counted < 2)
        assert refusal(limited, "instalments", customerId=name)[2] == 2


def test_an_apple_account_with_two_names_in_the_app_is_one_customer(limited, app_store):
    customer = app_store.customer()
    first = lapsed(customer)
    second = customer.start(TEAM, group="20563299", at=ago(100 * DAY))
    redeem(first, "once", at=ago(2 * DAY))
    for name, subscription in [("one-name", first), ("another-name", second)]:
        signed = [app_store.authority.sign(each) for each in subscription.transactions]
        report = limited.client("backend").post(
            "/v1/history/transactions", {"bundleId": BUNDLE, "customerId": name, "signedTransactions": signed}).json()
        assert report["rejected"] == []
    assert refusal(limited, "once", customerId="one-name") == ("perCustomer", 1, 1, None)
    assert refusal(limited, "once", customerId="another-name") == ("perCustomer", 1, 1, None)


def test_a_request_that_names_no_customer_gets_no_offer_with_a_limit_per_customer(advising):
    for offer in ["once", "cool", "single", "lapsed"]:
        for who in [{}, {"applicationUsername": "anything"}, {"reuse": True}]:
            assert ask(advising, offer, **who)["code"] == "customer-not-named"
    assert ask(advising, "free")["status"] == "signed"
    # A name is enough where the app takes only advice, and each thing that names is looked at.
    token = str(uuid.uuid4())
    assert is_signed(advising, "once", customerId="ann", appAccountToken=token)
    for who in [{"customerId": "ann"}, {"appAccountToken": token}, {"customerId": "bob", "appAccountToken": token}]:
        assert not is_signed(advising, "once", **who)


def test_history_that_comes_later_changes_no_limit(advising, app_store):
    customer = app_store.customer()
    subscription = lapsed(customer)
    assert is_signed(advising, "once", customerId="late")
    hand_in(advising, app_store, customer, "late")
    assert not is_signed(advising, "once", customerId="late")
    assert is_signed(advising, "single", customerId="late")
    assert not is_signed(advising, "single", transactionId=subscription.original_id)


# All customers


def test_as_many_are_signed_for_as_there_are_in_all(limited, app_store, somebody):
    people = [somebody() for _ in range(7)]
    redeem(people[0][2], "five", at=ago(DAY))
    hand_in(limited, app_store, people[0][1], people[0][0])
    assert [is_signed(limited, "five", customerId=name) for name, _, _ in people] == [True] * 4 + [False] * 3
    limit, most, counted, frees = refusal(limited, "five", customerId=people[6][0])
    assert (limit, most, counted) == ("total", 5, 5) and now() < frees <= now() + HELD
    # Redeemed, it is no longer outstanding: one is one.
    redeem(people[1][2], "five")
    hand_in(limited, app_store, people[1][1], people[1][0])
    assert refusal(limited, "five", customerId=people[6][0])[2] == 5


# Again


def test_a_signature_that_is_outstanding_comes_again_unchanged(limited, app_store, somebody):
    name, customer, subscription = somebody()
    rows = len(limited.rows())
    first = ask(limited, "once", customerId=name, reuse=True)
    again = ask(limited, "once", customerId=name, reuse=True)
    assert first == again and first["status"] == "signed"
    assert len(limited.rows()) == rows + 1
    limited.kill()
    limited.start()
    assert ask(limited, "once", customerId=name, reuse=True) == first
    # Without being asked for it does not, nor where something else would be signed, or another caller asks.
    refusal(limited, "once", customerId=name)
    refusal(limited, "once", customerId=name, reuse=True, applicationUsername="x")
    refusal(limited, "once", customerId=name, reuse=True, form="jws")
    refusal(limited, "once", customerId=name, reuse=True, role="backend")
    redeem(subscription, "once")
    hand_in(limited, app_store, customer, name)
    assert refusal(limited, "once", customerId=name, reuse=True) == ("perCustomer", 1, 1, None)


@pytest.mark.parametrize("redeems", [0, 1], ids=["the alias redeems", "the customer redeems"])
def test_what_was_signed_for_one_name_and_redeemed_by_the_other_is_one(limited, app_store, somebody, redeems):
    people = [somebody(), somebody()]
    (name, customer, subscription), (other, _, _) = people[redeems], people[1 - redeems]
    signed = ask(limited, "twice", customerId=other, reuse=True)
    assert signed["status"] == "signed"
    redeem(subscription, "twice")
    hand_in(limited, app_store, customer, name)
    merged = limited.client("backend").post(
        f"/v1/customers/{people[1][0]}/merge", {"bundleId": BUNDLE, "from": people[0][0]})
    assert merged.status_code == 200, merged.text
    again = ask(limited, "twice", customerId=other, reuse=True)
    assert again["status"] == "signed" and again["nonce"] != signed["nonce"]
    assert refusal(limited, "twice", customerId=name)[2] == 2


def test_a_signature_of_an_offer_with_a_total_alone_comes_again(limited, somebody):
    name, _, _ = somebody()
    signed = ask(limited, "thousand", TEAM, customerId=name)
    assert signed["status"] == "signed"
    assert ask(limited, "thousand", TEAM, customerId=name, reuse=True) == signed
    assert ask(limited, "thousand", TEAM, customerId=name)["nonce"] != signed["nonce"]


def test_a_jws_comes_again_and_an_offer_without_limits_where_both_asked(limited, somebody):
    name, _, _ = somebody()
    first = ask(limited, "once", customerId=name, form="jws", reuse=True)
    assert first["compactJWS"] and ask(limited, "once", customerId=name, form="jws", reuse=True) == first
    plain = ask(limited, "free", customerId=name)
    kept = ask(limited, "free", customerId=name, reuse=True)
    assert plain["nonce"] != kept["nonce"]
    time.sleep(0.01)
    assert ask(limited, "free", customerId=name, reuse=True) == kept
    assert ask(limited, "free", customerId=name)["nonce"] != kept["nonce"]


def test_what_a_key_signed_that_is_revoked_does_not_come_again(new_service):
    offers = [{"id": "free", "kind": "pay-up-front", "period": "P6M"}, {"id": "once", "kind": "pay-up-front", "period": "P6M", "limits": LIMITS["once"]}]
    products = [{"id": GROUP, "products": [{"id": PRO, "level": 2, "period": "P1M", "promotionalOffers": offers}]}]
    service = new_service(extra=f"apps: {json.dumps([{'bundleId': BUNDLE, 'eligibility': 'advise', 'subscriptionGroups': products}])}\n")
    first = {offer: ask(service, offer, customerId="u-1", reuse=True) for offer in ["free", "once"]}
    assert all(ask(service, offer, customerId="u-1", reuse=True)["signature"] == first[offer]["signature"] for offer in first)
    make_key(service, "SECONDKEY1")
    for arguments in [["activate", "SECONDKEY1"], ["revoke", first["free"]["keyIdentifier"]]]:
        done = service.cli("keys", *arguments)
        assert done.returncode == 0, done.stderr
    # The service hears of the activation first, and of the revocation a moment later.
    wait_until(lambda: ask(service, "free", customerId="u-1", reuse=True)["keyIdentifier"] == "SECONDKEY1")
    # The App Store may take the first one still: it counts.
    assert refusal(service, "once", customerId="u-1", reuse=True)[:3] == ("perCustomer", 1, 1)


def test_the_catalogue_shows_its_limits(limited):
    products = limited.client("admin").get(f"/v1/admin/apps/{BUNDLE}/catalogue").json()["products"]
    [product] = [each for each in products if each["productId"] == PRO]
    offers = {each["offerId"]: each for each in product["promotionalOffers"]}
    assert offers["yearly"]["limits"] == {"perCustomer": 1, "per": "P1Y", "notWhileActive": False, "countRefunded": True}
    assert offers["five"]["limits"]["total"] == 5 and "limits" not in offers["free"]
    [app] = [each for each in json.loads(limited.cli("check-config", "--json").stdout)["apps"] if each["bundleId"] == BUNDLE]
    [product] = [each for each in app["products"] if each["productId"] == PRO]
    assert product["limits"] == {offer: each["limits"] for offer, each in offers.items() if "limits" in each}
