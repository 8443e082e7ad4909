"""Limits of offers: what counts, for which customer, until when, and how one could try to get around them."""
import json
import uuid

import pytest

from harness.app_store import BUNDLE
from harness.purchases import DAY, GROUP, PRO, TEAM, active, ago, hand_in, lapsed, now
from harness.service import speaking_to

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
    ] + [{"id": "instalments", "kind": "pay-as-you-go", "period": "P3M", "limits": {"perCustomer": 1}}]
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


def test_a_customer_who_cancels_gets_a_new_signature_until_one_is_redeemed(limited, app_store, somebody):
    name, customer, subscription = somebody()
    signed = [ask(limited, "once", customerId=name) for _ in range(5)]
    limited.kill()
    limited.start()
    signed += [ask(limited, "once", customerId=name, form=form) for form in ["payload", "jws", "payload", "jws", "payload"]]
    assert {each["status"] for each in signed} == {"signed"}
    assert len({each["nonce"] for each in signed}) == 10
    # Ten are outstanding. The first to lapse makes room.
    assert refusal(limited, "once", customerId=name) == ("outstanding", 10, 10, signed[0]["timestamp"] + HELD)
    redeem(subscription, "once")
    hand_in(limited, app_store, customer, name)
    assert refusal(limited, "once", customerId=name) == ("perCustomer", 1, 1, None)


def test_outstanding_signatures_count_by_whatever_name_the_customer_asks(limited, somebody):
    name, customer, subscription = somebody()
    first = ask(limited, "single", customerId=name)
    assert first["status"] == "signed"
    refused = refusal(limited, "single", customerId=name)
    assert refused == ("outstanding", 1, 1, first["timestamp"] + HELD)
    original = subscription.original_id
    for who in [
        {"transactionId": original}, {"transactionId": customer.transactions[-1]["transactionId"]},
        {"appAccountToken": customer.app_account_token}, {"customerId": name, "transactionId": original, "form": "jws"},
        {"customerId": name, "appAccountToken": str(uuid.uuid4())}, {"customerId": name, "applicationUsername": "somebody else"},
    ]:
        assert refusal(limited, "single", **who) == refused, who
    # Another customer, and another offer of the same product, have their own.
    assert is_signed(limited, "single", customerId=somebody()[0])
    assert is_signed(limited, "cool", customerId=name)


def test_the_same_offer_several_times_in_a_request_takes_one_place(limited, somebody):
    name, _, _ = somebody()
    body = {"bundleId": BUNDLE, "customerId": name}
    signed = limited.client().sign({**body, "offers": [{"productId": PRO, "offerId": "once"}] * 3})
    assert {each["status"] for each in signed} == {"signed"} and len({each["nonce"] for each in signed}) == 3
    first, *refused = limited.client().sign({**body, "offers": [{"productId": PRO, "offerId": "single"}] * 3})
    assert first["status"] == "signed"
    for result in refused:
        assert (result["status"], result["code"], result["evidence"]["limit"]) == ("refused", "offer-limit-reached", "outstanding")
    name, _, _ = somebody()
    mixed = limited.client().sign(
        {"bundleId": BUNDLE, "customerId": name, "offers": [{"productId": PRO, "offerId": offer} for offer in ("free", "once", "free")]})
    assert [result["status"] for result in mixed] == ["signed"] * 3


def test_a_redemption_counts_once_and_for_ever(limited, app_store, somebody):
    name, customer, subscription = somebody()
    assert is_signed(limited, "twice", customerId=name)
    redeem(subscription, "twice", at=ago(DAY))
    hand_in(limited, app_store, customer, name)
    assert is_signed(limited, "twice", customerId=name) and is_signed(limited, "twice", customerId=name)
    redeem(subscription, "twice")
    # Handed in again it is the same redemption.
    for _ in range(2):
        hand_in(limited, app_store, customer, name)
        assert refusal(limited, "twice", customerId=name) == ("perCustomer", 2, 2, None)
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


def test_after_a_redemption_there_is_a_pause_and_after_a_cancel_there_is_none(limited, app_store, somebody):
    name, customer, subscription = somebody()
    at = ago(20 * DAY)
    redeem(subscription, "cool", at=at)
    hand_in(limited, app_store, customer, name)
    assert refusal(limited, "cool", customerId=name) == ("cooldown", 1, 1, at + 90 * DAY)
    fresh, _, _ = somebody()
    assert is_signed(limited, "cool", customerId=fresh) and is_signed(limited, "cool", customerId=fresh)


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
    assert refusal(limited, "instalments", customerId=name) == ("perCustomer", 1, 1, None)


def test_an_instalment_that_is_charged_late_is_one_and_a_second_purchase_is_none(limited, app_store, somebody):
    for recovers, counted in [(True, 1), (False, 2)]:
        name, customer, subscription = somebody(lapsed_long_ago)
        subscription.resubscribe(at=ago(100 * DAY), offer_id="instalments", discount="PAY_AS_YOU_GO")
        if recovers:
            subscription.redeem_promotional_offer("instalments", at=ago(80 * DAY)).billing_retry().renew(at=ago(50 * DAY))
        else:
            subscription.resubscribe(at=ago(50 * DAY), offer_id="instalments", discount="PAY_AS_YOU_GO")
        hand_in(limited, app_store, customer, name)
        assert refusal(limited, "instalments", customerId=name)[2] == counted


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
        for who in [{}, {"applicationUsername": "anything"}]:
            assert ask(advising, offer, **who)["code"] == "customer-not-named"
    assert ask(advising, "free")["status"] == "signed"
    # A name is enough where the app takes only advice, and each thing that names is looked at.
    token = str(uuid.uuid4())
    assert is_signed(advising, "single", customerId="ann", appAccountToken=token)
    for who in [{"customerId": "ann"}, {"appAccountToken": token}, {"customerId": "bob", "appAccountToken": token}]:
        assert not is_signed(advising, "single", **who)


def test_history_that_comes_later_changes_no_limit(advising, app_store):
    for name, is_known in [("late", False), ("early", True)]:
        customer = app_store.customer()
        subscription = lapsed(customer)
        if is_known:
            hand_in(advising, app_store, customer, name)
        assert is_signed(advising, "single", customerId=name)
        hand_in(advising, app_store, customer, name)
        assert not is_signed(advising, "single", customerId=name)
        # What was signed for a name alone is not found by the subscription.
        assert is_signed(advising, "single", transactionId=subscription.original_id) != is_known


# All customers


def test_as_many_are_signed_for_as_there_are_in_all(limited, app_store, somebody):
    people = [somebody() for _ in range(7)]
    redeem(people[0][2], "five", at=ago(DAY))
    hand_in(limited, app_store, people[0][1], people[0][0])
    assert [is_signed(limited, "five", customerId=name) for name, _, _ in people] == [True] * 4 + [False] * 3
    limit, most, counted, frees = refusal(limited, "five", customerId=people[6][0])
    assert (limit, most, counted) == ("total", 5, 5) and now() < frees <= now() + HELD
    # A customer who holds one of the places asks again, and takes no other.
    assert all(is_signed(limited, "five", customerId=people[1][0]) for _ in range(3))
    # Redeemed, it is no longer outstanding: one is one. The other signatures of the place hold nothing any more.
    redeem(people[1][2], "five")
    hand_in(limited, app_store, people[1][1], people[1][0])
    assert refusal(limited, "five", customerId=people[6][0])[2] == 5
    assert refusal(limited, "five", customerId=people[1][0])[:3] == ("total", 5, 5)

@pytest.mark.parametrize("redeems", [0, 1], ids=["the alias redeems", "the customer redeems"])
def test_what_was_signed_for_one_name_and_redeemed_by_the_other_is_one(limited, app_store, somebody, redeems):
    people = [somebody(), somebody()]
    (name, customer, subscription), (other, _, _) = people[redeems], people[1 - redeems]
    assert is_signed(limited, "once", customerId=other)
    redeem(subscription, "once")
    hand_in(limited, app_store, customer, name)
    merged = limited.client("backend").post(
        f"/v1/customers/{people[1][0]}/merge", {"bundleId": BUNDLE, "from": people[0][0]})
    assert merged.status_code == 200, merged.text
    for each in (name, other):
        assert refusal(limited, "once", customerId=each) == ("perCustomer", 1, 1, None)


def test_the_catalogue_shows_its_limits(limited):
    products = limited.client("admin").get(f"/v1/admin/apps/{BUNDLE}/catalogue").json()["products"]
    [product] = [each for each in products if each["productId"] == PRO]
    offers = {each["offerId"]: each for each in product["promotionalOffers"]}
    assert offers["yearly"]["limits"] == {"perCustomer": 1, "per": "P1Y", "notWhileActive": False, "countRefunded": True}
    assert offers["five"]["limits"]["total"] == 5 and "limits" not in offers["free"]
    [app] = [each for each in json.loads(limited.cli("check-config", "--json").stdout)["apps"] if each["bundleId"] == BUNDLE]
    [product] = [each for each in app["products"] if each["productId"] == PRO]
    assert product["limits"] == {offer: each["limits"] for offer, each in offers.items() if "limits" in each}
