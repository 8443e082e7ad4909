"""/v1/eligibility over the life of a customer, told by signed data as StoreKit and the App Store give it."""
import uuid

import pytest

from harness.app_store import BUNDLE
from harness.purchases import DAY, GROUP, PRO, TEAM, YEARLY, active, ago, eligibility, hand_in, lapsed, now, summary, verdict
from harness.service import run
from harness.waiting import wait_until

PATH = "/v1/eligibility"
NEVER = ("ineligible", ["never-subscribed"], None)


def first(customer):
    return customer.transactions[0]["transactionId"]


def last(customer):
    return customer.transactions[-1]["transactionId"]


# Each life gives the state, what is said of the introductory offer, and what is said of promotional offers.
def in_trial(customer):
    customer.start(PRO, at=ago(2 * DAY), intro=True, intro_period="P1W")
    used = ["introductory-offer-used", "current-subscriber"]
    return "active", ("ineligible", used, first(customer)), ("eligible", ["active-subscriber"], first(customer))


def in_a_paid_introductory_period(customer):
    customer.start(PRO, at=ago(2 * DAY), intro="PAY_UP_FRONT")
    used = ["introductory-offer-used", "current-subscriber"]
    return "active", ("ineligible", used, first(customer)), ("eligible", ["active-subscriber"], first(customer))


def subscribed(customer):
    active(customer)
    return "active", ("ineligible", ["current-subscriber"], last(customer)), ("eligible", ["active-subscriber"], last(customer))


def subscribed_and_cancelled(customer):
    active(customer).cancel_auto_renew(at=ago(DAY))
    return "active", ("ineligible", ["current-subscriber"], last(customer)), ("eligible", ["active-subscriber"], last(customer))


def in_the_grace_period(customer):
    customer.start(PRO, at=ago(35 * DAY)).grace()
    return (
        "grace-period", ("ineligible", ["current-subscriber"], first(customer)),
        ("eligible", ["subscriber-in-grace-period"], first(customer)),
    )


def in_billing_retry(customer):
    customer.start(PRO, at=ago(80 * DAY), intro=True).billing_retry()
    return (
        "billing-retry", ("ineligible", ["introductory-offer-used", "current-subscriber"], first(customer)),
        ("eligible", ["subscriber-in-billing-retry"], first(customer)),
    )


def in_billing_retry_for_more_than_60_days(customer):
    customer.start(PRO, at=ago(95 * DAY)).billing_retry()
    return (
        "expired", ("eligible", ["lapsed-without-introductory-offer"], first(customer)),
        ("eligible", ["lapsed-subscriber"], first(customer)),
    )


def gone(customer):
    lapsed(customer)
    return (
        "expired", ("eligible", ["lapsed-without-introductory-offer"], last(customer)),
        ("eligible", ["lapsed-subscriber"], last(customer)),
    )


def gone_after_a_trial(customer):
    lapsed(customer, intro=True)
    return (
        "expired", ("ineligible", ["introductory-offer-used"], first(customer)),
        ("eligible", ["lapsed-subscriber"], last(customer)),
    )


def back_with_a_promotional_offer(customer):
    lapsed(customer).resubscribe(at=ago(DAY), offer_id="winback50")
    return "active", ("ineligible", ["current-subscriber"], last(customer)), ("eligible", ["active-subscriber"], last(customer))


def refunded(customer):
    active(customer).refund(at=ago(DAY))
    return (
        "revoked", ("eligible", ["lapsed-without-introductory-offer"], last(customer)),
        ("eligible", ["revoked-subscriber"], last(customer)),
    )


def refunded_in_the_trial(customer):
    customer.start(PRO, at=ago(2 * DAY), intro=True, intro_period="P1W").refund(at=ago(DAY))
    return (
        "revoked", ("ineligible", ["introductory-offer-used"], first(customer)),
        ("eligible", ["revoked-subscriber"], first(customer)),
    )


def upgraded(customer):
    active(customer).upgrade(TEAM, at=ago(DAY))
    return "active", ("ineligible", ["current-subscriber"], last(customer)), ("eligible", ["active-subscriber"], last(customer))


def about_to_downgrade(customer):
    active(customer, TEAM).downgrade(PRO, at=ago(DAY))
    return "active", ("ineligible", ["current-subscriber"], last(customer)), ("eligible", ["active-subscriber"], last(customer))


def a_member_of_a_family(customer):
    owner = type(customer)(BUNDLE)
    active(owner).share_with(customer)
    return (
        "active", ("eligible", ["new-customer", "family-shared-not-counted"], None),
        ("ineligible", ["family-shared-only"], first(customer)),
    )


def a_former_member_of_a_family(customer):
    owner = type(customer)(BUNDLE)
    active(owner).share_with(customer).revoke_sharing(at=ago(DAY))
    return (
        "revoked", ("eligible", ["new-customer", "family-shared-not-counted"], None),
        ("ineligible", ["family-shared-only"], first(customer)),
    )


def a_subscriber_of_another_group(customer):
    active(customer, "com.example.sports", group="20563299")
    return "never", ("eligible", ["new-to-subscription-group"], None), ("eligible", ["active-subscriber"], last(customer))


def a_subscriber_of_a_product_that_is_no_longer_sold(customer):
    active(customer, "com.example.legacy", intro=True)
    used = ["introductory-offer-used", "current-subscriber"]
    return "active", ("ineligible", used, first(customer)), ("eligible", ["active-subscriber"], last(customer))


def a_buyer_of_coins(customer):
    customer.buy("com.example.coins", at=ago(DAY))
    return "never", ("eligible", ["new-customer"], None), NEVER


LIVES = [
    in_trial, in_a_paid_introductory_period, subscribed, subscribed_and_cancelled, in_the_grace_period, in_billing_retry,
    in_billing_retry_for_more_than_60_days, gone, gone_after_a_trial, back_with_a_promotional_offer, refunded,
    refunded_in_the_trial, upgraded, about_to_downgrade, a_member_of_a_family, a_former_member_of_a_family,
    a_subscriber_of_another_group, a_subscriber_of_a_product_that_is_no_longer_sold, a_buyer_of_coins,
]


@pytest.mark.parametrize("life", LIVES, ids=[life.__name__ for life in LIVES])
def test_the_answer_follows_from_the_life_of_the_customer(enforcing, app_store, life):
    customer = app_store.customer()
    expected = life(customer)
    hand_in(enforcing, app_store, customer, f"life-{life.__name__}")
    assert summary(eligibility(enforcing, customerId=f"life-{life.__name__}")) == expected


def test_an_unknown_customer_is_a_new_customer(enforcing):
    answer = enforcing.client().post(PATH, {"bundleId": BUNDLE, "customerId": "nobody"}).json()
    assert answer["historyUpdatedAt"] is None and abs(answer["asOf"] - now()) < 5000
    assert [each["productId"] for each in answer["products"]] == [PRO, YEARLY, TEAM]
    assert {each["subscriptionGroupId"] for each in answer["products"]} == {GROUP}
    for each in answer["products"][:2]:
        assert each["subscription"] == {"state": "never"} and each["winBackOffers"] == []
        assert summary(each) == ("never", ("eligible", ["new-customer"], None), NEVER)
    assert verdict(answer["products"][2]["introductoryOffer"]) == ("no-offer", ["no-introductory-offer"], None)
    assert [offer["offerId"] for offer in answer["products"][0]["promotionalOffers"]] == ["loyalty20", "winback50"]


def test_the_subscription_is_described(enforcing, app_store):
    customer = app_store.customer()
    subscription = active(customer)
    hand_in(enforcing, app_store, customer, "described")
    expected = {
        "state": "active", "productId": PRO, "expiresAt": subscription.last["expiresDate"], "willRenew": True,
        "originalTransactionId": subscription.original_id,
    }
    # It is the group's, whichever product is asked about.
    for product in (PRO, YEARLY, TEAM):
        assert eligibility(enforcing, product, customerId="described")["subscription"] == expected
    subscription.cancel_auto_renew(at=now())
    hand_in(enforcing, app_store, customer, "described")
    assert eligibility(enforcing, customerId="described")["subscription"] == expected | {"willRenew": False}
    subscription.upgrade(TEAM, at=now())
    hand_in(enforcing, app_store, customer, "described")
    found = eligibility(enforcing, customerId="described")["subscription"]
    assert (found["state"], found["productId"], found["expiresAt"]) == ("active", TEAM, subscription.last["expiresDate"])


def test_a_refund_that_is_reversed_gives_the_subscription_back(enforcing, app_store):
    customer = app_store.customer()
    subscription = active(customer).refund(at=ago(DAY))
    hand_in(enforcing, app_store, customer, "reversed")
    old = customer.signed_transactions(app_store.authority)
    assert eligibility(enforcing, customerId="reversed")["subscription"]["state"] == "revoked"
    subscription.reverse_refund(at=now())
    hand_in(enforcing, app_store, customer, "reversed")
    assert eligibility(enforcing, customerId="reversed")["subscription"]["state"] == "active"
    # What was signed before says nothing new, however late it comes.
    hand_in(enforcing, app_store, customer, "reversed", signedTransactions=old)
    assert eligibility(enforcing, customerId="reversed")["subscription"]["state"] == "active"


def test_without_its_beginning_a_history_does_not_prove_that_no_introductory_offer_was_used(enforcing, app_store):
    customer = app_store.customer()
    lapsed(customer, intro=True)
    middle, end = customer.signed_transactions(app_store.authority)
    hand_in(enforcing, app_store, customer, "cut", signedTransactions=[end])
    found = eligibility(enforcing, customerId="cut")
    assert summary(found) == (
        "expired", ("unknown", ["incomplete-history"], last(customer)), ("eligible", ["lapsed-subscriber"], last(customer))
    )
    hand_in(enforcing, app_store, customer, "cut", signedTransactions=[middle])
    assert verdict(eligibility(enforcing, customerId="cut")["introductoryOffer"]) == (
        "ineligible", ["introductory-offer-used"], first(customer)
    )


def test_win_back_offers_are_those_that_the_app_store_named_last(enforcing, app_store):
    customer = app_store.customer()
    subscription = lapsed(customer)
    subscription.renewal["eligibleWinBackOfferIds"] = ["back50", "back20"]
    hand_in(enforcing, app_store, customer, "win-back")
    assert eligibility(enforcing, customerId="win-back")["winBackOffers"] == ["back50", "back20"]
    subscription.renewal["eligibleWinBackOfferIds"] = ["back20"]
    hand_in(enforcing, app_store, customer, "win-back")
    found = eligibility(enforcing, customerId="win-back")
    assert found["winBackOffers"] == ["back20"] and "winBackOfferLinks" not in found
    subscription.resubscribe(at=now())
    hand_in(enforcing, app_store, customer, "win-back")
    assert eligibility(enforcing, customerId="win-back")["winBackOffers"] == []


def test_win_back_offers_have_the_links_of_the_catalogue(connected, app_store):
    link = "https://apps.apple.com/1"

    def groups(link):
        product = {"id": PRO, "level": 2, "period": "P1M", "winBackOffers": [{"id": "back50", "link": link}]}
        return [{"id": GROUP, "products": [product]}]

    service = connected(subscriptionGroups=groups(link))
    wrong = service.folder / "wrong.yaml"
    wrong.write_text(app_store.configuration_yaml(BUNDLE, subscriptionGroups=groups("apps.apple.com/1")))
    said = run(*service.command("check-config")[1:], "--config", wrong).stderr
    assert "products[0].winBackOffers[0].link: must be a URL that begins with https://" in said
    customer = app_store.customer()
    lapsed(customer).renewal["eligibleWinBackOfferIds"] = ["back20", "back50"]
    hand_in(service, app_store, customer, "win-back")
    found = eligibility(service, customerId="win-back")
    assert (found["winBackOffers"], found["winBackOfferLinks"]) == (["back20", "back50"], {"back50": link})
    assert f"back50: {link}" in service.cli("eligibility", "win-back", "--app", BUNDLE, "--product", PRO).stdout
    assert "winBackOfferLinks" not in eligibility(service, customerId="new")


def test_purchases_in_one_app_count_for_no_other(enforcing, app_store):
    customer = app_store.customer("com.example.news", app_apple_id=1234567891)
    active(customer, "com.example.news.monthly", group="20563229")
    hand_in(enforcing, app_store, customer, "two-apps")
    assert summary(eligibility(enforcing, customerId="two-apps"))[2] == NEVER
    found = enforcing.client().post(PATH, {"bundleId": "com.example.news", "customerId": "two-apps"}).json()["products"]
    assert [each["subscription"]["state"] for each in found] == ["active"]


def test_the_customer_can_be_named_by_id_by_account_token_and_by_any_transaction(enforcing, app_store):
    token = str(uuid.uuid4())
    customer = app_store.customer(app_account_token=token)
    lapsed(customer, intro=True)
    hand_in(enforcing, app_store, customer, "named")
    expected = summary(eligibility(enforcing, customerId="named"))
    assert expected[0] == "expired"
    names = [
        {"appAccountToken": token}, {"appAccountToken": token.upper()}, {"transactionId": first(customer)},
        {"transactionId": last(customer)}, {"customerId": "named", "appAccountToken": token},
        {"customerId": "named", "transactionId": last(customer)},
    ]
    for who in names:
        assert summary(eligibility(enforcing, **who)) == expected, who
    assert summary(eligibility(enforcing, appAccountToken=str(uuid.uuid4())))[0] == "never"
    assert summary(eligibility(enforcing, transactionId="1"))[0] == "never"


def test_a_purchase_with_an_account_token_is_found_before_it_is_bound(enforcing, app_store):
    token = str(uuid.uuid4())
    customer = app_store.customer(app_account_token=token)
    active(customer)
    hand_in(enforcing, app_store, customer)
    assert eligibility(enforcing, appAccountToken=token)["subscription"]["state"] == "active"
    assert eligibility(enforcing, customerId="not-bound")["subscription"]["state"] == "never"
    assert eligibility(enforcing, customerId="not-bound", appAccountToken=token)["subscription"]["state"] == "active"


def test_a_transaction_of_another_customer_names_no_customer(enforcing, app_store):
    customer = app_store.customer()
    active(customer)
    hand_in(enforcing, app_store, customer, "owner")
    before = enforcing.history()
    client = enforcing.client()
    body = {"bundleId": BUNDLE, "customerId": "thief", "transactionId": last(customer)}
    assert client.problem(PATH, body) == (409, "bound-to-another-customer", [])
    # Who shows them before a purchase hears whose they are, and nothing of them becomes theirs.
    brought = customer.signed_transactions(app_store.authority)
    body = {"bundleId": BUNDLE, "products": [PRO], "customerId": "thief", "signedTransactions": brought}
    answer = client.post(PATH, body).json()
    assert (answer["subscriptionOwner"], answer["products"][0]["subscription"]) == ("another", {"state": "never"})
    sign = {"bundleId": BUNDLE, "customerId": "thief", "signedTransactions": brought, "offers": enforcing.offer_body()["offers"]}
    assert client.problem("/v1/signatures", sign) == (409, "bound-to-another-customer", [])
    assert enforcing.history() == before


def test_introductory_offers_are_for_the_apple_account_all_else_for_the_customer(enforcing, app_store):
    first_name, second_name = app_store.customer(), app_store.customer()
    second_name.app_transaction_id = first_name.app_transaction_id
    lapsed(first_name, intro=True)
    hand_in(enforcing, app_store, first_name, "first-name")
    account = first_name.app_transaction_id
    used = ("ineligible", ["apple-account-used-introductory-offer"], first(first_name))
    # A new name alone is a stranger; with the Apple account it is not.
    assert summary(eligibility(enforcing, customerId="second-name"))[1] == ("eligible", ["new-customer"], None)
    for who in [{"appTransactionId": account}, {"transactionId": account}]:
        assert summary(eligibility(enforcing, customerId="second-name", **who)) == ("never", used, NEVER), who
    assert summary(eligibility(enforcing, appTransactionId=account)) == summary(eligibility(enforcing, customerId="first-name"))
    # Once it has bought anything under the new name, no caller needs to say so.
    active(second_name)
    hand_in(enforcing, app_store, second_name, "second-name")
    state, introductory, promotional = summary(eligibility(enforcing, customerId="second-name"))
    assert (state, introductory) == ("active", used)
    assert promotional == ("eligible", ["active-subscriber"], last(second_name))
    signed = enforcing.client().post("/v1/introductory-offers/signatures", {
        "bundleId": BUNDLE, "customerId": "third-name", "products": [{"productId": PRO, "transactionId": account, "allow": None}]})
    [result] = signed.json()["results"]
    assert result["status"] == "signed"


def test_an_app_can_warn_before_a_purchase_moves_a_subscription(enforcing, app_store):
    customer = app_store.customer()
    account = customer.app_transaction_id
    def owner(**who):
        return enforcing.client().post(PATH, {"bundleId": BUNDLE, "appTransactionId": account, **who}).json()["subscriptionOwner"]
    assert owner(customerId="owner") == "nobody"
    active(customer)
    hand_in(enforcing, app_store, customer)
    assert owner(customerId="owner") == "nobody"
    hand_in(enforcing, app_store, customer, "owner")
    assert (owner(customerId="owner"), owner(customerId="somebody-else"), owner()) == ("same", "another", "another")
    brought = customer.signed_transactions(app_store.authority)
    answer = enforcing.client().post(PATH, {"bundleId": BUNDLE, "customerId": "owner", "signedTransactions": brought}).json()
    assert answer["subscriptionOwner"] == "same"
    assert "subscriptionOwner" not in enforcing.client().post(PATH, {"bundleId": BUNDLE, "customerId": "owner"}).json()


def test_transactions_in_the_request_count_at_once_and_are_kept(enforcing, app_store):
    customer = app_store.customer()
    lapsed(customer, intro=True)
    brought = customer.signed_transactions(app_store.authority)
    found = eligibility(enforcing, customerId="brings-along", signedTransactions=brought)
    assert summary(found) == (
        "expired", ("ineligible", ["introductory-offer-used"], first(customer)),
        # No transaction says whether it was renewed.
        ("eligible", ["lapsed-subscriber", "renewal-unconfirmed"], last(customer)),
    )
    assert summary(eligibility(enforcing, customerId="brings-along")) == summary(found)


def test_products_are_answered_in_the_order_of_the_request_and_an_unknown_one_is_404(enforcing):
    client = enforcing.client()
    body = {"bundleId": BUNDLE, "customerId": "nobody"}
    found = client.post(PATH, {**body, "products": [TEAM, PRO]}).json()["products"]
    assert [each["productId"] for each in found] == [TEAM, PRO]
    for product in ["com.example.legacy", "com.example.news.monthly", PRO.upper()]:
        assert client.problem(PATH, {**body, "products": [PRO, product]}) == (404, "unknown-product", [])


def test_history_updated_at_moves_only_when_something_changes(enforcing, app_store):
    def updated():
        return enforcing.client().post(PATH, {"bundleId": BUNDLE, "customerId": "clock"}).json()["historyUpdatedAt"]

    customer = app_store.customer()
    subscription = active(customer)
    data = customer.signed_transactions(app_store.authority)
    hand_in(enforcing, app_store, customer, "clock", signedTransactions=data, signedRenewalInfos=[])
    before = updated()
    assert abs(before - now()) < 5000
    hand_in(enforcing, app_store, customer, "clock", signedTransactions=data, signedRenewalInfos=[])
    assert updated() == before
    subscription.refund(at=now())
    hand_in(enforcing, app_store, customer, "clock")
    assert updated() > before


def test_an_app_that_requires_history_does_not_guess_until_all_of_it_was_supplied(connected, app_store):
    service = connected(requireHistory=True)
    unknown = ("unknown", ["no-history"], None)
    assert summary(eligibility(service, customerId="u-1")) == ("never", unknown, unknown)
    # A look at the customer is no history.
    eligibility(service, customerId="u-1", signedTransactions=[])
    assert summary(eligibility(service, customerId="u-1")) == ("never", unknown, unknown)
    empty = {"bundleId": BUNDLE, "customerId": "u-1", "signedTransactions": []}
    assert service.client("backend").post("/v1/history/transactions", empty).json() == {"accepted": 0, "unchanged": 0, "rejected": []}
    # Nor is an empty list of transactions all of it.
    part = ("unknown", ["incomplete-history"], None)
    assert summary(eligibility(service, customerId="u-1")) == ("never", part, part)
    assert summary(eligibility(service, customerId="u-2")) == ("never", unknown, unknown)


def test_a_family_members_trial_counts_where_the_app_says_so(connected, app_store):
    service = connected(familySharedCountsAsOwn=True)
    customer, owner = app_store.customer(), app_store.customer()
    active(owner).share_with(customer)
    hand_in(service, app_store, customer, "member")
    assert summary(eligibility(service, customerId="member")) == (
        "active", ("ineligible", ["current-subscriber"], first(customer)), ("ineligible", ["family-shared-only"], first(customer))
    )


def test_a_sandbox_app_takes_sandbox_purchases_and_says_that_they_may_have_been_reset(connected, app_store):
    service = connected(environment="Sandbox")
    customer = app_store.customer(environment="Sandbox")
    customer.start(PRO, at=ago(DAY), intro=True).cancel_auto_renew(at=ago(DAY)).expire()
    hand_in(service, app_store, customer, "tester")
    assert verdict(eligibility(service, customerId="tester")["introductoryOffer"]) == (
        "ineligible", ["introductory-offer-used", "sandbox-history"], first(customer)
    )


def test_time_alone_ends_a_subscription(connected, app_store):
    service = connected(environment="Sandbox")
    customer = app_store.customer(environment="Sandbox")
    # A sandbox month has five minutes.
    customer.start(PRO, at=ago(5 * 60_000 - 1000))
    hand_in(service, app_store, customer, "ends")
    assert eligibility(service, customerId="ends")["subscription"]["state"] == "active"
    wait_until(lambda: eligibility(service, customerId="ends")["subscription"]["state"] == "expired")


def test_a_customer_must_be_named(enforcing):
    for who in [{}, {"customerId": None, "appAccountToken": None}]:
        assert enforcing.client().problem(PATH, {"bundleId": BUNDLE, **who}) == (400, "invalid-field", ["customerId"])


@pytest.mark.parametrize(
    ("field", "value", "name"),
    [
        ("customerId", "", "customerId"), ("customerId", "a\u2063b", "customerId"), ("appAccountToken", "jane", "appAccountToken"),
        ("transactionId", "1 2", "transactionId"), ("transactionId", 1, "transactionId"),
        ("products", [], "products"), ("products", "x", "products"), ("products", [7], "products[0]"), ("products", [""], "products[0]"),
        ("products", ["x"] * 101, "products"), ("signedTransactions", {}, "signedTransactions"),
        ("signedTransactions", ["a", 1], "signedTransactions[1]"), ("signedTransactions", ["a"] * 201, "signedTransactions"),
    ],
)
def test_a_field_with_a_value_that_is_not_allowed_is_named(enforcing, field, value, name):
    body = {"bundleId": BUNDLE, "customerId": "u-1", field: value}
    assert enforcing.client().problem(PATH, body) == (400, "invalid-field", [name])
