"""GET /v1/customers/{customerId}: the facts are those of an independent computation, for random histories through the real service."""
import json
import random
import statistics
import time

import pytest

from harness import customer_facts
from harness.app_store import BUNDLE
from harness.purchases import DAY, GROUP, HOUR, PRO, TEAM, YEARLY, ago, now, wait_until
from harness.scale import scaled
from AppStoreServer.periods import MINUTE

OTHER_GROUP = "20563299"
PERIODS = {PRO: "P1M", YEARLY: "P1Y", TEAM: "P1M"}
DERIVED = ("customer", "subscriptions", "introductory", "offers", "refunds")


def facts_of(service, customer_id, role="backend"):
    answer = service.client(role).get(f"/v1/customers/{customer_id}", params={"bundleId": BUNDLE})
    assert answer.status_code == 200, answer.text
    return answer.json()


class Life:
    """A random customer: what the App Store would say of them, and the renewal infos with the times that they are signed at."""

    def __init__(self, store, seed):
        self.random = random.Random(seed)
        self.customer = store.customer(storefront=self.random.choice(["USA", "DEU", "JPN"]))
        self.renewals = {}
        for group in self.random.sample([GROUP, OTHER_GROUP], k=self.random.choice([0, 1, 1, 1, 1, 2])):
            for _ in range(self.random.choice([1, 1, 1, 2])):
                self.subscription(group)
        for _ in range(self.random.choice([0, 0, 1, 3])):
            self.one_time()

    def price(self):
        return self.random.choice([0, 990, 9990, 12345, 99990])

    def one_time(self):
        fields = self.random.choice([{}, {}, {"offerType": 3, "offerIdentifier": "gift"}])
        bought = self.customer.buy("com.example.coins", at=ago(self.random.randrange(1, 700 * DAY)), price=self.price(), **fields)
        if self.random.random() < 0.2:
            bought.update(revocationDate=bought["purchaseDate"] + HOUR, revocationReason=1)

    def subscription(self, group):
        chance, product = self.random.random, self.random.choice(list(PERIODS))
        begin = ago(self.random.randrange(20 * MINUTE, 700 * DAY))
        shared = {"inAppOwnershipType": "FAMILY_SHARED"} if chance() < 0.12 else {}
        subscription = self.customer.start(
            product, group, at=begin, period=PERIODS[product], price=self.price(), intro=self.random.choice(
                [False, False, "FREE_TRIAL", "PAY_AS_YOU_GO"]), intro_period=self.random.choice([None, "P1W"]), **shared)
        for _ in range(self.random.randrange(0, 14)):
            end = subscription.last["expiresDate"]
            if end + 5 * MINUTE > now():
                break
            self.step(subscription, end)
        self.ending(subscription)
        said = self.random.choice([now() - MINUTE, now() - MINUTE, subscription.last["purchaseDate"] + HOUR, None])
        if said is None:
            return
        self.renewals[subscription.original_id] = {**subscription.renewal, "signedDate": min(said, now() - MINUTE)}

    def step(self, subscription, end):
        chance = self.random.random()
        if chance < 0.6:
            subscription.renew(end + self.random.choice([0, 0, 0, 20 * MINUTE, -HOUR]))
        elif chance < 0.75:
            gap = self.random.choice([HOUR + 1, 2 * DAY, 50 * DAY])
            if end + gap < now():
                kind = self.random.choice([2, 3, 4, 5, None])
                subscription.resubscribe(
                    at=end + gap, offer_id=kind and self.random.choice(["winback50", "loyalty20", "elsewhere"]),
                    discount=self.random.choice(["PAY_AS_YOU_GO", "FREE_TRIAL"]), offer_type=kind)
        elif chance < 0.85:
            subscription.redeem_promotional_offer(
                self.random.choice(["winback50", "loyalty20", "elsewhere"]), at=end - DAY).renew(end)
            while self.random.random() < 0.6 and subscription.last["expiresDate"] + 5 * MINUTE < now():
                offer = {name: subscription.last[name] for name in ("offerType", "offerIdentifier", "offerDiscountType", "price")}
                subscription.renew()
                subscription.last.update(offer)
        elif chance < 0.93:
            subscription.upgrade(self.random.choice(list(PERIODS)), at=end - self.random.randrange(HOUR, 6 * DAY))
        else:
            taken = self.random.choice(subscription.transactions)
            if not taken.get("isUpgraded") and "revocationDate" not in taken:
                subscription.refund(taken, at=min(now() - MINUTE, taken["purchaseDate"] + self.random.randrange(MINUTE, 20 * DAY)))

    def ending(self, subscription):
        chance, over = self.random.random(), subscription.last["expiresDate"] < now()
        if chance < 0.2:
            subscription.cancel_auto_renew(at=subscription.last["purchaseDate"] + MINUTE)
        elif chance < 0.4 and over:
            subscription.expire(intent=self.random.choice([1, 2, 3, 5, 9]))
        elif chance < 0.55 and over:
            subscription.billing_retry()
        elif chance < 0.7 and over:
            subscription.grace(self.random.choice([6 * DAY, 16 * DAY, 400 * DAY]))
        elif chance < 0.75:
            subscription.ask_price_consent(19990, at=now() - MINUTE)

    def body(self, store, customer_id):
        shuffled = self.customer.signed_transactions(store.authority)
        self.random.shuffle(shuffled)
        renewals = [store.authority.sign(each) for each in self.renewals.values()]
        return {"bundleId": BUNDLE, "customerId": customer_id, "signedTransactions": shuffled, "signedRenewalInfos": renewals}


def test_facts_are_those_of_an_independent_computation(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    backend, states, redeemed = enforcing.client("backend"), set(), 0
    for seed in range(scaled(150, 1000)):
        life, name = Life(store, seed), f"facts-{seed}"
        answer = backend.post("/v1/history/transactions", life.body(store, name))
        assert answer.status_code == 200 and answer.json()["rejected"] == [], answer.text
        found = facts_of(enforcing, name)
        expected = customer_facts.facts(life.customer.transactions, life.renewals, found["asOf"])
        for field in DERIVED:
            assert found[field] == expected[field], f"seed {seed}: {field}"
        assert found["links"]["appTransactionIds"] == ([life.customer.app_transaction_id] if life.customer.transactions else [])
        states |= {each["state"] for each in found["subscriptions"]}
        redeemed += found["offers"]["redeemedCount"]
    # A comparison of nothing with nothing would pass, too.
    assert states == {"active", "grace-period", "billing-retry", "expired", "revoked"} and redeemed > 50
