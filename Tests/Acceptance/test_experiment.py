"""An A/B test from end to end: customers are assigned, buy, are refunded, buy late; the verdict is right, and a notebook gets the same figures."""
import base64
import concurrent.futures
import csv
import io
import json
import math
import random
import threading
import time
import uuid

import httpx
import numpy
import pytest
from scipy import special, stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint, proportions_ztest

from harness import checks
from harness.app_store import BUNDLE, notifications
from harness.clock import Clock
from harness.purchases import DAY, PRO, lapsed, now, signed
from harness.scale import IS_FULL, scaled
from harness.service import Service
from harness.waiting import PATIENCE, wait_until
from test_admin import client

COUNT = scaled(2000, 20000)
OFFER = "winback50"
WINDOW = 14 * DAY
PATH = "/v1/admin/campaigns"
EXPECTED, DETECT = 0.10, 0.03
RATES = {"control": 0.10, "half": 0.13}
# Of those without an offer, for a split of 45 : 55; of 40 : 60 where there are too few to see that.
KEPT = scaled(40 / 60, 45 / 55)
# Of the test that is read once: three in four of all customers.
HORIZON = COUNT * 3 // 4


def written(campaign, **changes):
    return {
        "id": campaign, "name": campaign, "bundleId": BUNDLE, "placement": campaign, "unit": "customer",
        "variants": [
            {"id": "control", "weight": 5000},
            {"id": "half", "weight": 5000, "offers": [{"productId": PRO, "offerId": OFFER}]},
        ],
        "goal": {"metric": "subscribed", "window": "P14D", "expected": EXPECTED, "detect": DETECT}, **changes,
    }


class Experiment:
    """A service whose clock the test sets, two persons, and customers who lapsed long ago."""

    def __init__(self, service, store, clock):
        self.service, self.store, self.clock = service, store, clock
        self.ann, self.eve = (client(service, role, [BUNDLE], f"{role}-1") for role in ("marketing", "approver"))
        self.random = random.Random(13)
        self.public_key = checks.private_key(service.key_file).public_key()
        self.customers = {}
        self._local = threading.local()

    def publish(self, campaign, **changes):
        answer = self.ann.post(PATH, written(campaign, **changes))
        assert answer.status_code == 201, answer.text
        for person, word, body in [(self.ann, "submit", {}), (self.eve, "approve", {"publish": True})]:
            answer = person.request("POST", f"{PATH}/{campaign}/{word}", json=body, headers={"If-Match": "*"})
            assert answer.status_code == 200, answer.text

    def post(self, path, body, role="backend"):
        """By a client of the thread's own, whose answers are not checked against the contract: thousands of these are sent."""
        clients = self._local.__dict__.setdefault("clients", {})
        if role not in clients:
            headers = {"Authorization": f"Bearer {self.service.tokens[role]}"} if role else {}
            clients[role] = httpx.Client(base_url=self.service.url, headers=headers, timeout=PATIENCE)
        answer = clients[role].post(path, content=json.dumps(body))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def each(self, action, items):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            return list(pool.map(action, items))

    def admit(self, count):
        """Makes customers known who had a subscription once."""
        made = {f"u-{len(self.customers) + number}": self.store.customer() for number in range(count)}
        for customer in made.values():
            lapsed(customer)
        self.each(
            lambda each: self.post(
                "/v1/history/transactions", {"bundleId": BUNDLE, "customerId": each[0], **signed(self.store, each[1])}),
            made.items())
        self.customers |= made
        return list(made)

    def ask(self, name, campaign):
        """What a customer is given at a placement of the campaign's name: the variant."""
        answer = self.post("/v1/offers", {"bundleId": BUNDLE, "customerId": name, "placement": campaign}, role="client")
        assert len(answer["assignments"]) == 1, answer
        [assignment] = answer["assignments"]
        variant = assignment["variant"]
        assert [each["offerId"] for each in answer["offers"]] == ([OFFER] if variant == "half" else [])
        return variant

    def tap(self, name, campaign, variant):
        """Asks for a signature of whatever the campaign gives; what comes is checked by other people's cryptography."""
        answer = self.post("/v1/signatures", {
            "bundleId": BUNDLE, "customerId": name, "placement": campaign, "applicationUsername": name, "offers": [{"productId": PRO}]})
        [result] = answer["results"]
        if variant != "half":
            assert (result["status"], result["code"]) == ("refused", "no-campaign-offer")
            return
        assert (result["status"], result["offerId"], result["campaign"]["variant"]) == ("signed", OFFER, "half")
        message = checks.payload(
            BUNDLE, result["keyIdentifier"], PRO, OFFER, name, result["nonce"], result["timestamp"])
        assert checks.verifies(self.public_key, base64.b64decode(result["signature"]), message)

    def notify(self, subscription, at):
        body = notifications.v2(self.store.authority, subscription, at=at)
        self.post(f"/v1/appstore/notifications/{BUNDLE}", body, role=None)

    def buy(self, name, variant, at):
        """Comes back, with the offer where there is one; the App Store tells at once."""
        subscription = self.customers[name].subscriptions[0]
        subscription.resubscribe(at=at, offer_id=OFFER if variant == "half" else None)
        self.notify(subscription, at)
        return subscription

    def results(self, campaign, fresh=lambda results: True, **query):
        """As soon as they are counted, and as wanted."""

        def counted():
            answer = self.ann.get(f"{PATH}/{campaign}/results", params={"bundleId": BUNDLE, **query})
            assert answer.status_code in (200, 202), answer.text
            if answer.status_code == 202:
                assert answer.headers["retry-after"] and set(answer.json()) == {"counting"}
                time.sleep(0.1)
                return None
            return answer.json() if "counting" not in answer.json() and fresh(answer.json()) else None

        return wait_until(counted)

    def rows(self, campaign, as_csv=True):
        answer = self.ann.get(
            f"{PATH}/{campaign}/assignments", params={"bundleId": BUNDLE}, headers={"Accept": "text/csv"} if as_csv else {})
        assert answer.status_code == 200, answer.text
        if as_csv:
            return list(csv.DictReader(io.StringIO(answer.text)))
        return [json.loads(line) for line in answer.text.splitlines()]


@pytest.fixture(scope="module")
def experiment(app_store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("experiment")
    clock = Clock(folder)
    service = Service(
        folder / "service", extra=app_store.configuration_yaml(BUNDLE, eligibility="enforce"), environment=clock.environment)
    service.start()
    app_store.admit(service)
    yield Experiment(service, app_store, clock)
    service.stop()


@pytest.fixture(scope="module")
def story(experiment):
    """What is done to each customer: name → (variant, when bought, whether refunded). A fortnight later."""
    experiment.publish("main")
    experiment.publish("uneven")
    experiment.publish("once", analysis={"method": "fixed", "sampleSize": HORIZON})
    names = experiment.admit(COUNT)
    exposed = now()
    variants = dict(zip(names, experiment.each(lambda name: experiment.ask(name, "main"), names)))
    # Who asks at one place of the app goes missing there, more often without an offer.
    experiment.each(lambda name: experiment.ask(name, "uneven"), [
        name for name in names if variants_of_uneven(name) == "half" or experiment.random.random() < KEPT])
    experiment.in_order = experiment.random.sample(names, COUNT)
    ask_once = lambda some: dict(zip(some, experiment.each(lambda name: experiment.ask(name, "once"), some)))
    experiment.once = ask_once(experiment.in_order[:HORIZON])
    # These are the later ones, by a clock of milliseconds.
    time.sleep(0.01)
    experiment.once |= ask_once(experiment.in_order[HORIZON:])
    experiment.before_the_look = experiment.results("once", lambda results: exposed_in(results) == COUNT)
    story = {}
    for name in names:
        if experiment.random.random() < RATES[variants[name]]:
            story[name] = [variants[name], exposed + experiment.random.randrange(DAY // 10, WINDOW - DAY // 10), False]
    # Customers who come back have tapped on what they were shown, and so have others.
    tapping = random.Random(14)
    experiment.tapped = [name for name in names if name in story or tapping.random() < 0.3]
    experiment.each(lambda name: experiment.tap(name, "main", variants[name]), experiment.tapped)
    experiment.clock.set(16 * DAY // 1000)
    experiment.each(lambda each: experiment.buy(each[0], each[1][0], each[1][1]), story.items())
    for name in list(story)[::20]:
        story[name][2] = True
        refund(experiment, name)
    return variants, story


def refund(experiment, name):
    subscription = experiment.customers[name].subscriptions[0]
    at = subscription.last["purchaseDate"] + DAY // 24
    subscription.refund(at=at)
    experiment.notify(subscription, at)


def exposed_in(results):
    return sum(each["exposed"] for each in results["variants"])


def bucket(text):
    """MurmurHash3 x86 32-bit with seed 0, as a place of 10,000."""
    data, mask, value = text.encode(), 0xFFFFFFFF, 0

    def mixed(block):
        block = block * 0xCC9E2D51 & mask
        return ((block << 15 | block >> 17) & mask) * 0x1B873593 & mask

    for start in range(0, len(data) - len(data) % 4, 4):
        value ^= mixed(int.from_bytes(data[start:start + 4], "little"))
        value = ((value << 13 | value >> 19) & mask) * 5 + 0xE6546B64 & mask
    if len(data) % 4:
        value ^= mixed(int.from_bytes(data[-(len(data) % 4):], "little"))
    value ^= len(data)
    value = (value ^ value >> 16) * 0x85EBCA6B & mask
    value = (value ^ value >> 13) * 0xC2B2AE35 & mask
    return (value ^ value >> 16) * 10_000 >> 32


def variants_of_uneven(name):
    return "control" if bucket(f"uneven:variant:{name}") < 5000 else "half"


def counts(variants, story, variant):
    """(exposed, converted, refunded) as they were made."""
    own = [each for each in story.values() if each[0] == variant]
    return list(variants.values()).count(variant), sum(not each[2] for each in own), sum(each[2] for each in own)


def check_counts(results, variants, story, tapped):
    for line in results["variants"]:
        exposed, converted, refunded = counts(variants, story, line["id"])
        assert (line["exposed"], line["matured"]) == (exposed, exposed)
        assert (line["converted"], line["refunded"]) == (converted, refunded)
        assert line["signed"] == sum(line["id"] == "half" == variants[name] for name in tapped)
        assert line["redeemed"] == (converted + refunded if line["id"] == "half" else 0)


def is_made(variants, story):
    made = [counts(variants, story, name) for name in RATES]
    return lambda results: [(each["exposed"], each["converted"], each["refunded"]) for each in results["variants"]] == made


def test_every_customer_is_counted_once_and_the_verdict_is_right(experiment, story):
    results = experiment.results("main", is_made(*story))
    check_counts(results, *story, experiment.tapped)
    assert results["revisions"] == {"from": 1, "to": 1} and results["setAside"] == {
        "twoVariants": 0, "earlierRevisions": 0, "unreadable": 0}
    assert not results["sampleRatio"]["isOff"] and results["holdout"]["exposed"] == 0
    assert results["days"][-1]["matured"] == [each["matured"] for each in results["variants"]]
    interval = sequence(results)
    expected = "winner" if interval[0] > 0 else "no-verdict-yet"
    assert results["verdict"]["code"] == expected
    if IS_FULL:
        assert (results["verdict"]["code"], results["verdict"]["variant"]) == ("winner", "half")


def sequence(results, pairs=None):
    """The confidence sequence, as docs/experiments.md has it."""
    (s0, n0), (s1, n1) = pairs or [(each["converted"], each["matured"]) for each in results["variants"]]
    p0, p1 = EXPECTED, EXPECTED + DETECT
    pooled, z = (p0 + p1) / 2, stats.norm.isf([0.025, 0.2])
    best = 2 * (z[0] * math.sqrt(2 * pooled * (1 - pooled)) + z[1] * math.sqrt(p0 * (1 - p0) + p1 * (1 - p1))) ** 2 / DETECT ** 2
    log = -2 * math.log(0.05)
    rho2 = (log + math.log(log + 1)) / best
    t, difference = n0 + n1, s1 / n1 - s0 / n0
    variance = [(s + 1) * (n - s + 1) / (n + 2) ** 2 for s, n in ((s0, n0), (s1, n1))]
    sigma = math.sqrt(t * (variance[0] / n0 + variance[1] / n1))
    reach = sigma * math.sqrt((t * rho2 + 1) / (t ** 2 * rho2) * (math.log(t * rho2 + 1) + log))
    return difference - reach, difference + reach


def test_a_notebook_gets_the_same_figures_from_the_exported_rows(experiment, story):
    results = experiment.results("main", is_made(*story))
    rows = experiment.rows("main")
    assert len(rows) == COUNT == len({row["unit"] for row in rows})
    assert not any(name in row["unit"] for row in rows for name in ("u-",))
    tables, revenue = {}, {}
    for name in RATES:
        own = [row for row in rows if row["variant"] == name and not row["setAside"]]
        tables[name] = {column: sum(int(row[column]) for row in own)
                        for column in ("matured", "signed", "redeemed", "converted", "refunded")} | {"exposed": len(own)}
        revenue[name] = numpy.array([float(row["revenue"].removeprefix("USD ") or 0) for row in own if row["matured"] == "1"])
    for line in results["variants"]:
        table = tables[line["id"]]
        assert {column: line[column] for column in table} == table
        low, high = proportion_confint(table["converted"], table["matured"], method="wilson")
        assert line["conversion"] == pytest.approx({"rate": table["converted"] / table["matured"], "low": low, "high": high})
        [money], paid = line["revenue"], revenue[line["id"]]
        low, high = stats.t.interval(0.95, len(paid) - 1, loc=paid.mean(), scale=stats.sem(paid))
        assert (money["currency"], money["perExposed"], money["low"], money["high"]) == (
            "USD", pytest.approx(paid.mean()), pytest.approx(low), pytest.approx(high))
    pairs = [(tables[name]["converted"], tables[name]["matured"]) for name in ("control", "half")]
    (s0, n0), (s1, n1) = pairs
    half = results["variants"][1]
    low, high = sequence(results, pairs)
    assert half["difference"] == pytest.approx({"value": s1 / n1 - s0 / n0, "low": low, "high": high})
    low, high = newcombe(pairs)
    assert half["newcombe"] == pytest.approx({"low": low, "high": high})
    z, p = proportions_ztest([s1, s0], [n1, n0])
    assert half["zTest"] == pytest.approx({"z": z, "p": p})
    # Not certain on any day means not certain on this one.
    assert half["sequentialP"] >= p
    assert (half["sequentialP"] < 0.05) == (half["difference"]["low"] > 0 or half["difference"]["high"] < 0)
    assert half["chanceToBeatControl"] == pytest.approx(stats.hypergeom.sf(s0, n0 + n1 + 2, n0 + 1, s0 + s1 + 1))
    welch = stats.ttest_ind(revenue["half"], revenue["control"], equal_var=False).confidence_interval(0.95)
    [money] = half["revenue"]
    assert (money["difference"]["low"], money["difference"]["high"]) == pytest.approx((welch.low, welch.high))
    observed = numpy.array([tables[name]["exposed"] for name in ("control", "half")])
    assert results["sampleRatio"]["p"] == pytest.approx(split_p(observed))
    assert results["sampleRatio"]["observed"] == observed.tolist()
    # Under a hundredth of all draws lie so far from the truth.
    assert abs(proportions_ztest([s1, s0], [n1, n0])[0] - 0.03 / math.sqrt(0.115 * 0.885 * (1 / n0 + 1 / n1))) < 3.5


def newcombe(pairs):
    (s0, n0), (s1, n1) = pairs
    return confint_proportions_2indep(s1, n1, s0, n0, method="newcomb", compare="diff")


def split_p(observed, kappa=100):
    shares = numpy.array([0.5, 0.5])
    log_e = (special.gammaln(kappa) - special.gammaln(kappa + observed.sum())
             + (special.gammaln(kappa * shares + observed) - special.gammaln(kappa * shares) - observed * numpy.log(shares)).sum())
    return min(1, math.exp(-log_e))


def test_rows_as_json_say_the_same_as_the_table(experiment, story):
    lines, rows = experiment.rows("main", as_csv=False), experiment.rows("main")
    assert [line["unit"] for line in lines] == [row["unit"] for row in rows]
    schema = experiment.ann.contract.document["components"]["schemas"]["ExportedAssignment"]
    for line, row in zip(lines, rows):
        assert set(line) == set(schema["properties"])
        for name in ("matured", "signed", "redeemed", "converted", "refunded"):
            assert str(int(line[name])) == row[name]
        assert line["exposedAt"] == int(row["exposedAt"]) and line["windowEndsAt"] == int(row["windowEndsAt"])
        assert line["windowEndsAt"] - line["exposedAt"] == WINDOW
        assert line["revenue"] == ({"USD": float(row["revenue"].removeprefix("USD "))} if row["revenue"] else {})


def test_a_split_that_is_off_hides_the_verdict(experiment, story):
    results = experiment.results("uneven")
    observed = numpy.array([each["exposed"] for each in results["variants"]])
    assert results["sampleRatio"]["isOff"] and results["verdict"]["code"] == "sample-ratio-mismatch"
    assert results["sampleRatio"]["p"] == pytest.approx(split_p(observed)) and split_p(observed) < 0.001
    assert "variant" not in results["verdict"] and "daysNeeded" not in results
    for line in results["variants"]:
        assert not {"difference", "chanceToBeatControl", "newcombe", "zTest", "sequentialP"} & set(line) and line["conversion"]["rate"] is not None
    answer = experiment.ann.get(f"{PATH}/uneven/results", params={"bundleId": BUNDLE}, headers={"Accept": "text/csv"})
    table = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["variant"] for row in table] == ["control", "half", "holdout"]
    for row, line in zip(table, results["variants"]):
        assert int(row["exposed"]) == line["exposed"] and float(row["conversionRate"]) == line["conversion"]["rate"]
        assert row["difference"] == row["differenceLow"] == row["chanceToBeatControl"] == ""
        assert row["verdict"] == "sample-ratio-mismatch"


def test_a_test_that_is_read_once_is_read_of_exactly_its_first_customers(experiment, story):
    before = experiment.before_the_look
    assert before["verdict"]["code"] in ("no-verdict-yet", "too-little-data") and "variant" not in before["verdict"]
    bought = {name for name, (_, _, is_refunded) in story[1].items() if not is_refunded}
    results = experiment.results("once", lambda results: sum(each["converted"] for each in results["variants"]) == len(bought))
    assert exposed_in(results) == COUNT > HORIZON
    first, pairs = experiment.in_order[:HORIZON], []
    for variant in RATES:
        own = [name for name in first if experiment.once[name] == variant]
        pairs.append((len(bought.intersection(own)), len(own)))
    (s0, n0), (s1, n1) = pairs
    low, high = newcombe(pairs)
    half = results["variants"][1]
    assert half["difference"] == pytest.approx({"value": s1 / n1 - s0 / n0, "low": low, "high": high})
    assert half["newcombe"] == pytest.approx({"low": low, "high": high}) and "sequentialP" not in half
    assert results["verdict"]["code"] == (
        "winner" if low > 0 or high < 0 else "no-difference" if max(-low, high) <= DETECT else "no-verdict-yet")
    assert "daysNeeded" not in results


def test_refunds_and_late_purchases_move_the_figures_as_documented(experiment, story):
    variants, bought = story
    experiment.results("main", is_made(*story))
    # One is refunded when the window is long over, one bought in time without a notification, one bought too late.
    back = next(name for name, each in bought.items() if not each[2] and each[0] == "half")
    bought[back][2] = True
    refund(experiment, back)
    late, too_late = [name for name in variants if name not in bought and variants[name] == "control"][:2]
    end = {row["exposedAt"]: row["windowEndsAt"] for row in experiment.rows("main", as_csv=False)}
    bought[late] = ["control", min(end.values()) - DAY, False]
    experiment.buy(late, "control", bought[late][1])
    experiment.buy(too_late, "control", max(end.values()) + 1000)
    results = experiment.results("main", is_made(variants, bought))
    check_counts(results, variants, bought, experiment.tapped)
    # As it looked when no customer's time was over.
    early = experiment.results("main", asOf=min(end.values()) - 1)
    assert sum(each["matured"] for each in early["variants"]) == 0 and early["verdict"]["code"] == "too-little-data"
    assert early["asOf"] == min(end.values()) - 1


def test_results_of_the_future_are_refused(experiment):
    for path in ("results", "assignments"):
        answer = experiment.ann.get(f"{PATH}/main/{path}", params={"bundleId": BUNDLE, "asOf": now() + 1000 * DAY})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid-field")
        assert [each["name"] for each in answer.json()["fields"]] == ["asOf"]


def test_who_may_not_see_campaigns_sees_no_results(experiment, story):
    for path in ("results", "assignments"):
        answer = experiment.service.client("client").get(f"{PATH}/main/{path}", params={"bundleId": BUNDLE})
        assert answer.status_code == 403
        unknown = experiment.ann.get(f"{PATH}/nobody-{uuid.uuid4()}/{path}", params={"bundleId": BUNDLE})
        assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown-campaign")
    answer = experiment.ann.post(PATH, written("drafted"))
    assert answer.status_code == 201
    answer = experiment.ann.get(f"{PATH}/drafted/results", params={"bundleId": BUNDLE})
    assert (answer.status_code, answer.json()["code"]) == (409, "nothing-published")
