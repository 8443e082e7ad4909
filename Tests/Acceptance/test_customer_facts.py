"""GET /v1/customers/{customerId}: the facts are those of an independent computation, for random histories through the real service."""
import http.client
import json
import random
import statistics
import subprocess
import time

import pytest

from harness import customer_facts
from harness.app_store import BUNDLE
from harness.purchases import DAY, GROUP, HOUR, PRO, TEAM, YEARLY, ago, now
from harness.scale import IS_FULL, scaled
from harness.waiting import PATIENCE
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
        is_recent = chance() < 0.35
        begin = ago(self.random.randrange(32 * DAY, 85 * DAY) if is_recent else self.random.randrange(20 * MINUTE, 700 * DAY))
        shared = {"inAppOwnershipType": "FAMILY_SHARED"} if chance() < 0.12 else {}
        subscription = self.customer.start(
            product, group, at=begin, period=PERIODS[product], price=self.price(), intro=self.random.choice(
                [False, False, "FREE_TRIAL", "PAY_AS_YOU_GO"]), intro_period=self.random.choice([None, "P1W"]), **shared)
        for _ in range(0 if is_recent else self.random.randrange(0, 14)):
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
            if "revocationDate" not in taken:
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
    assert states == {"active", "grace-period", "billing-retry", "expired", "revoked"} and redeemed > 50, (states, redeemed)


# How long it takes

PERIODS_EACH = 6
MONTH = 30 * DAY
BEGIN = 1_700_000_000_000


def receipt_line(number):
    """A verifyReceipt response of a customer with half a year of periods; one in a hundred with a promotional offer in the fourth."""
    original = str(1_000_000_000_000 + number * 100)
    start = BEGIN + (number * 7919 % 500) * DAY
    periods = [{
        "quantity": "1", "product_id": PRO, "transaction_id": str(int(original) + index), "original_transaction_id": original,
        "purchase_date_ms": str(start + index * MONTH), "original_purchase_date_ms": str(start),
        "expires_date_ms": str(start + (index + 1) * MONTH), "is_trial_period": "true" if index == 0 else "false",
        "is_in_intro_offer_period": "false", "subscription_group_identifier": GROUP,
        **({"promotional_offer_id": "winback50"} if index == 3 and number % 100 == 0 else {}),
    } for index in range(PERIODS_EACH)]
    receipt = {
        "status": 0, "environment": "Production",
        "receipt": {"bundle_id": BUNDLE, "request_date_ms": str(start + PERIODS_EACH * MONTH), "in_app": []},
        "latest_receipt_info": periods,
        "pending_renewal_info": [{"original_transaction_id": original, "product_id": PRO, "auto_renew_status": "0", "expiration_intent": "1"}],
    }
    return json.dumps({"customerId": f"u-{number:07d}", "receipt": receipt}, separators=(",", ":")) + "\n"


def knowing(connected, tmp_path, customers, chunk=50_000):
    """A service that has imported so many of them, and asks for one."""
    service = connected()
    service.stop()
    lines = tmp_path / "receipts.jsonl"
    for first in range(0, customers, chunk):
        with lines.open("w") as file:
            file.writelines(receipt_line(number) for number in range(first, min(customers, first + chunk)))
        done = subprocess.run(
            service.command("history", "import", "--restart", "--app", BUNDLE, lines), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    lines.unlink()
    service.start()
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE)
    headers = {"Authorization": f"Bearer {service.tokens['backend']}"}
    chance = random.Random(7)

    def look_up(turn):
        """How long it took, in s."""
        number = chance.randrange(customers // 100) * 100 if turn % 10 == 0 else chance.randrange(customers)
        begin = time.perf_counter()
        connection.request("GET", f"/v1/customers/u-{number:07d}?bundleId={BUNDLE}", headers=headers)
        body = connection.getresponse().read()
        took = time.perf_counter() - begin
        found = json.loads(body)
        [subscription] = found["subscriptions"]
        assert (subscription["paidPeriods"], subscription["daysSubscribed"]) == (PERIODS_EACH - 1, PERIODS_EACH * 30), found
        assert (found["offers"]["redeemedCount"], found["introductory"]["used"]) == (int(number % 100 == 0), True)
        return took

    return service, look_up


@pytest.mark.timeout(3600)
def test_a_look_up_is_quick_among_many_customers(connected, tmp_path):
    customers = scaled(20_000, 1_000_000)
    (few, among_few), (many, among_many) = (knowing(connected, tmp_path, count) for count in (100, customers))
    for turn in range(200):
        among_few(turn), among_many(turn)
    before = few.processor_time(), many.processor_time()
    took = []
    for turn in range(scaled(1000, 5000)):
        among_few(turn)
        took.append(among_many(turn))
    work_few, work_many = few.processor_time() - before[0], many.processor_time() - before[1]
    took.sort()
    middle, late = statistics.median(took), took[len(took) * 99 // 100]
    print(
        f"{customers} customers: median {middle * 1000:.2f} ms, p99 {late * 1000:.2f} ms; {work_many / len(took) * 1000:.2f} ms of "
        f"processor time each, {work_few / len(took) * 1000:.2f} ms among 100")
    assert work_many < 2.5 * work_few
    if IS_FULL:
        assert late < 0.005
