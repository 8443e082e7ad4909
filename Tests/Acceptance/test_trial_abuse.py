"""Seven ways to a second free trial, and none of them ends with a signature that grants one."""
import base64
import json

import pytest

from harness.app_store import BUNDLE, ISSUER
from harness.purchases import DAY, MINUTE, PRO, TEAM, ago, eligibility, hand_in, lapsed

OTHER_GROUP = "20563299"
GROUPS = [
    {
        "id": "20563228",
        "products": [{
            "id": PRO, "level": 1, "period": "P1M", "introductoryOffer": {"kind": "free-trial", "period": "P1W"},
            "promotionalOffers": [{"id": "winback50", "kind": "pay-as-you-go", "period": "P3M"}],
        }],
    },
    {"id": OTHER_GROUP, "products": [{"id": TEAM, "level": 1, "period": "P1M"}]},
]


@pytest.fixture
def strict(connected):
    return connected(issuerId=ISSUER, eligibility="enforce", requireHistory=True, sandbox=True, subscriptionGroups=GROUPS)


def used(store, **fields):
    """An Apple account that has had its trial."""
    customer = store.customer(**fields)
    lapsed(customer, intro=True)
    return customer


def ask(service, transaction_id, name, allow=None, role="client"):
    product = {"productId": PRO, "transactionId": transaction_id, "allow": allow}
    return service.client(role).post("/v1/introductory-offers/signatures", {"bundleId": BUNDLE, "customerId": name, "products": [product]})


def grants(answer):
    """Whether anything in it would give the trial: a signature that allows it, or the word that none is needed."""
    if answer.status_code != 200:
        return False
    for result in answer.json()["results"]:
        if result["status"] == "not-needed":
            return True
        if result["status"] == "signed":
            claims = result["compactJWS"].split(".")[1]
            claims = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
            if claims["allowIntroductoryOffer"] is not False:
                return True
    return False


def test_a_new_account_on_the_same_apple_account(strict, app_store):
    customer = used(app_store)
    hand_in(strict, app_store, customer, "old-account")
    # It has bought nothing under its new name, and the Apple account is the one that it was.
    found = eligibility(strict, customerId="new-account", appTransactionId=customer.app_transaction_id)["introductoryOffer"]
    assert (found["status"], found["reasons"][0]["code"]) == ("ineligible", "apple-account-used-introductory-offer")
    assert not grants(ask(strict, customer.app_transaction_id, "new-account"))
    # Not even with what it buys next, which knows nothing of the trial.
    coins = customer.buy("com.example.coins")
    assert not grants(ask(strict, coins["transactionId"], "new-account"))


@pytest.mark.parametrize("has_used", [True, False])
def test_a_client_that_allows_it_itself(strict, app_store, has_used):
    customer = used(app_store) if has_used else app_store.customer()
    coins = customer.buy("com.example.coins", at=ago(DAY))
    hand_in(strict, app_store, customer, "u-1")
    answer = ask(strict, coins["transactionId"], "u-1", allow=True)
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert not grants(answer)


def test_a_consumable_in_the_place_of_a_history(strict, app_store):
    customer = used(app_store)
    coins = customer.buy("com.example.coins", at=ago(DAY))
    only = [app_store.authority.sign(coins)] if hasattr(app_store.authority, "sign") else customer.signed_transactions(app_store.authority)[-1:]
    found = eligibility(strict, customerId="u-1", signedTransactions=only)["introductoryOffer"]
    assert found["status"] == "unknown", found
    assert not grants(ask(strict, coins["transactionId"], "u-1"))


def test_transactions_without_the_one_that_tells(strict, app_store):
    customer = used(app_store)
    trial = next(each for each in customer.transactions if each.get("offerType") == 1)
    signed = customer.signed_transactions(app_store.authority)
    kept = [jws for each, jws in zip(customer.transactions, signed, strict=True) if each is not trial]
    found = eligibility(strict, customerId="u-1", signedTransactions=kept)["introductoryOffer"]
    assert found["status"] == "unknown", found
    assert not grants(ask(strict, customer.transactions[-1]["transactionId"], "u-1"))


def test_purchases_of_the_sandbox(strict, app_store):
    customer = used(app_store)
    hand_in(strict, app_store, customer, "u-1")
    # What costs nothing to make: a whole account of the Sandbox that has never had a trial, and one that has subscribed.
    twin = app_store.customer(environment="Sandbox")
    twin.start(PRO, at=ago(3 * MINUTE))
    app_store.add(twin)
    body = {"bundleId": BUNDLE, "customerId": "u-1", "receiptData": twin.receipt()}
    assert strict.client("backend").post("/v1/history/receipts", body).status_code == 200
    assert not grants(ask(strict, customer.transactions[-1]["transactionId"], "u-1"))
    assert not grants(ask(strict, twin.transactions[-1]["transactionId"], "u-2"))
    offers = [{"productId": PRO, "offerId": "winback50"}]
    assert strict.client("backend").post("/v1/history/receipts", {**body, "customerId": "u-3"}).status_code == 200
    [result] = strict.client().post("/v1/signatures", {"bundleId": BUNDLE, "customerId": "u-3", "offers": offers}).json()["results"]
    assert result["status"] == "refused", result


def test_a_subscription_of_another_group(strict, app_store):
    customer = used(app_store)
    team = customer.start(TEAM, OTHER_GROUP, at=ago(40 * DAY)).renew()
    hand_in(strict, app_store, customer, "u-1")
    # A trial is once in a group, whichever purchase of the customer's is named.
    assert not grants(ask(strict, team.transactions[0]["transactionId"], "u-1"))
    found = eligibility(strict, transactionId=team.original_id)["introductoryOffer"]
    assert found["status"] == "ineligible", found


def test_another_customers_transaction(strict, app_store):
    mallory, honest = used(app_store), app_store.customer()
    hand_in(strict, app_store, mallory, "mallory")
    honest.buy("com.example.coins", at=ago(DAY))
    app_store.add(honest)
    refresh = {"bundleId": BUNDLE, "customerId": "honest", "transactionId": honest.transactions[0]["transactionId"]}
    assert strict.client("backend").post("/v1/history/refresh", refresh).status_code == 200
    answer = ask(strict, honest.transactions[0]["transactionId"], "mallory")
    assert (answer.status_code, answer.json()["code"]) == (409, "bound-to-another-customer")
    # Nor with one of no customer: what is not known proves nothing.
    assert not grants(ask(strict, "999999999999999", "mallory"))
    assert not grants(ask(strict, "999999999999999", "nobody"))
