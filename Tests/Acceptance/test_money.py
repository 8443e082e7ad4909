"""Revenue of a test in three currencies, and what it may cost: every figure equals one that is computed here from what customers did."""
import collections
import csv
import decimal
import hashlib
import io
import json
import math
import random
import threading
from fractions import Fraction

import numpy
import pytest
from scipy import stats

from harness.app_store import BUNDLE
from harness.browser import Visit, chromium
from harness.clock import Clock
from harness.purchases import DAY, GROUP, PRO, now
from harness.scale import scaled
from harness.service import Service
from test_experiment import OFFER, PATH, Experiment, written

# As many in any run: that the figures are equal is shown over a thousand.
COUNT = scaled(1000, 5000)
RATES = {"USD": Fraction(1), "EUR": Fraction("1.0837"), "JPY": Fraction("0.006412")}
PRICES = {"USD": 9990, "EUR": 8990, "JPY": 1_480_000, "CHF": 10_000}
SPANS = {None: 14, 30: 30, 90: 90}


@pytest.fixture(scope="module")
def experiment(app_store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("money")
    clock = Clock(folder)
    product = {"id": PRO, "level": 2, "period": "P1M", "prices": {"USA": "9.99 USD", "DEU": "8.99 EUR"}, "promotionalOffers": [
        {"id": OFFER, "kind": "pay-as-you-go", "period": "P3M", "prices": {"USA": "4.99 USD", "DEU": "4.49 EUR"}}]}
    rates = {each: str(float(rate)) for each, rate in RATES.items() if each != "USD"}
    service = Service(
        folder / "service", environment=clock.environment,
        extra=app_store.configuration_yaml(BUNDLE, eligibility="enforce", subscriptionGroups=[{"id": GROUP, "products": [product]}])
        + f"currencies: {json.dumps({'in': 'USD', 'rates': rates, 'asOf': '2026-11-01'})}\nclock: {{mostAhead: {100 * DAY // 1000}}}\n")
    service.start()
    app_store.admit(service)
    made = Experiment(service, app_store, clock)
    # Half of those who are there first, and the others when sixty days have gone by.
    made.publish("money")
    names = made.admit(COUNT)
    early = names[:COUNT * 7 // 10]
    ask = lambda some: dict(zip(some, made.each(lambda name: made.ask(name, "money"), some)))
    made.variants, made.begun = ask(early), dict.fromkeys(early, now())
    # Sixty days pass while it is stopped: a clock that leaps is not trusted.
    service.stop()
    clock.set(60 * DAY // 1000)
    service.start()
    made._local = threading.local()
    late = names[len(early):]
    made.variants |= ask(late)
    made.begun |= dict.fromkeys(late, now() + 60 * DAY)
    clock.set(100 * DAY // 1000)
    yield made
    service.stop()


@pytest.fixture(scope="module")
def paid(experiment):
    """What each customer paid: name → [[day after the exposure, thousandths, currency, whether refunded, how it was sold]]."""
    chance, found = random.Random(31), collections.defaultdict(list)

    def live(name):
        own = random.Random(name)
        subscription = experiment.customers[name].subscriptions[0]
        day, currency = own.randrange(0, 36) + 0.5, own.choices(list(PRICES), [45, 30, 20, 5])[0]
        for period in range(own.choice([1, 1, 2, 3])):
            at = experiment.begun[name] + int((day + 31 * period) * DAY)
            if at > now() + 99 * DAY:
                break
            if period == 0:
                subscription.resubscribe(at=at)
            else:
                subscription.renew(at=at)
            # Some move to another country in between.
            if period and own.random() < 0.3:
                currency = own.choice(list(RATES))
            price = PRICES[currency] * own.choice([1, 1, 2]) // 2
            is_refunded, way = own.random() < 0.1, own.choices(["plain", "prorated", "seats", "refunded seat"], [7, 1, 1, 1])[0]
            subscription.last.update(price=price, currency=currency)
            if "seat" in way:
                tiers = [{"price": price // 2, "quantity": 3}, {"price": price, "quantity": 2}]
                price = price // 2 * 3 + price * 2
                subscription.last.update(price=price // 5, quantity=5, multiSeatInfo={"priceTiers": tiers})
            experiment.notify(subscription, at)
            if way == "prorated":
                price = price * 60 // 100
                subscription.refund(at=at + DAY // 24, percentage=100_000 if is_refunded else 40_000)
            elif is_refunded:
                subscription.refund(at=at + DAY // 24)
            elif way == "refunded seat":
                price = (price * 8 + 5) // 10
                subscription.last["multiSeatInfo"]["revokedSeatQuantity"] = 1
            if is_refunded or way in ("prorated", "refunded seat"):
                experiment.notify(subscription, at + DAY // 24)
            found[name].append([day + 31 * period, price, currency, is_refunded, way])

    experiment.each(live, [name for name in experiment.variants if chance.random() < 0.5])
    return found


def amounts(experiment, paid, variant, days):
    """By customer whose time is over, what was paid by currency in thousandths."""
    over = [name for name, own in experiment.variants.items() if own == variant
            and (days < 40 or experiment.begun[name] < now() + DAY)]
    sums = []
    for name in over:
        own = collections.Counter()
        for day, price, currency, is_refunded, _ in paid.get(name, []):
            if day < days and not is_refunded:
                own[currency] += price
        sums.append(own)
    return sums


def converted(sums):
    return [sum((Fraction(amount, 1000) * RATES[currency] for currency, amount in own.items() if currency in RATES), Fraction(0))
            for own in sums]


def total(sums, currency):
    return Fraction(sum(own[currency] for own in sums), 1000)


def results(experiment, is_wanted):
    experiment.results("money", is_wanted)
    answer = experiment.ann.get(f"{PATH}/money/results", params={"bundleId": BUNDLE})
    return json.loads(answer.text, parse_float=decimal.Decimal)


def counted(experiment, paid):
    wanted = [float(sum(converted(amounts(experiment, paid, name, 90)))) for name in ("control", "half")]
    return lambda found: [each["converted"]["total"] for each in found["revenue"]["spans"][2]["variants"]] == pytest.approx(wanted)


def check_figure(figure, values, control):
    values = numpy.array([float(each) for each in values])
    low, high = stats.t.interval(0.95, len(values) - 1, loc=values.mean(), scale=stats.sem(values))
    assert [float(figure[name]) for name in ("perExposed", "low", "high")] == pytest.approx([values.mean(), low, high])
    if control is None:
        assert "difference" not in figure
        return
    control = numpy.array([float(each) for each in control])
    welch = stats.ttest_ind(values, control, equal_var=False).confidence_interval(0.95)
    assert [float(figure["difference"][name]) for name in ("value", "low", "high")] == pytest.approx(
        [values.mean() - control.mean(), welch.low, welch.high])


def check(experiment, paid):
    found = results(experiment, counted(experiment, paid))
    revenue = found["revenue"]
    assert (revenue["currency"], revenue["ratesAsOf"], revenue["withoutRate"]) == ("USD", "2026-11-01", ["CHF"])
    assert [span.get("days") for span in revenue["spans"]] == list(SPANS)
    for span in revenue["spans"]:
        days, control = SPANS[span.get("days")], None
        for line in span["variants"]:
            sums = amounts(experiment, paid, line["id"], days)
            assert (line["exposed"], line["over"]) == (list(experiment.variants.values()).count(line["id"]), len(sums))
            assert line["unknownPrices"] == 0
            # Exactly: no digit is lost in any of them.
            assert Fraction(line["converted"]["total"]) == sum(converted(sums))
            assert {each["currency"]: Fraction(each["total"]) for each in line["paid"]} == {each: total(sums, each) for each in sorted(PRICES)}
            check_figure(line["converted"], converted(sums), control and converted(control))
            for figure in line["paid"]:
                values = lambda some: [Fraction(own[figure["currency"]], 1000) for own in some]
                check_figure(figure, values(sums), control and values(control))
            control = control or sums
        assert span["holdout"] | {"paid": []} == {
            "id": "holdout", "exposed": 0, "over": 0, "unknownPrices": 0, "paid": [],
            "converted": {"currency": "USD", "total": 0, "perExposed": None, "low": None, "high": None}}
    return found


def test_revenue_equals_what_customers_paid(experiment, paid):
    assert sum(len({each[2] for each in own}) > 1 for own in paid.values()) > 20
    assert all(sum(each[4] == way and not each[3] for own in paid.values() for each in own) > 20 for way in ("prorated", "seats", "refunded seat"))
    found = check(experiment, paid)
    # The table has the same numbers.
    answer = experiment.ann.get(f"{PATH}/money/results", params={"bundleId": BUNDLE}, headers={"Accept": "text/csv"})
    for row, line in zip(csv.DictReader(io.StringIO(answer.text)), found["variants"]):
        for days in ("", "30", "90"):
            sums = amounts(experiment, paid, line["id"], SPANS[int(days) if days else None])
            assert int(row[f"over{days}"]) == len(sums) and Fraction(row[f"total{days}EUR"]) == total(sums, "EUR")
            assert Fraction(row[f"converted{days}USDTotal"]) == sum(converted(sums))
            assert bool(row[f"converted{days}USDDifference"]) == (line["id"] == "half")


def test_every_unit_of_the_export_paid_what_its_customer_did(experiment, paid):
    results(experiment, counted(experiment, paid))
    names = {hashlib.sha256(f"money:export:{name}".encode()).hexdigest()[:32]: name for name in experiment.variants}
    table = experiment.ann.get(f"{PATH}/money/assignments", params={"bundleId": BUNDLE}, headers={"Accept": "text/csv"})
    rows, lines = list(csv.DictReader(io.StringIO(table.text))), experiment.ann.get(f"{PATH}/money/assignments", params={"bundleId": BUNDLE})
    assert len(rows) == COUNT
    for row, line in zip(rows, lines.text.splitlines()):
        name, line = names[row["unit"]], json.loads(line, parse_float=decimal.Decimal)
        for column, days in (("", 14), ("30", 30), ("90", 90)):
            is_over = days < 40 or experiment.begun[name] < now() + DAY
            own = collections.Counter()
            for day, price, currency, is_refunded, _ in paid.get(name, []) if is_over else []:
                if day < days and not is_refunded:
                    own[currency] += price
            wanted = {currency: Fraction(amount, 1000) for currency, amount in own.items()}
            assert {each: Fraction(value) for each, value in line[f"revenue{column}"].items()} == wanted
            assert dict((part.split()[0], Fraction(part.split()[1])) for part in row[f"revenue{column}"].split("; ") if part) == wanted
            if column:
                assert (line[f"over{column}"], row[f"over{column}"]) == (is_over, str(int(is_over)))


def test_the_page_shows_it_and_the_review_says_what_it_costs(experiment, paid):
    found = results(experiment, counted(experiment, paid))
    with chromium() as browser:
        window = Visit(browser, experiment.service)
        window.sign_in(experiment.service.tokens["marketing"])
        window.page.wait_for_url("**/console/")
        path = f"/console/apps/{BUNDLE}/campaigns"
        window.page.goto(f"{path}/money/results")
        table = window.page.get_by_role("table").filter(has_text="30\u00a0days")
        text = table.inner_text()
        for span in found["revenue"]["spans"]:
            for line in span["variants"]:
                assert f"{float(line['converted']['total']):,.2f}\u00a0USD" in text
                assert f"{line['over']:,} of {line['exposed']:,} customers" in text
        shown = lambda: window.page.locator("body").inner_text().replace("\u00a0", " ")
        assert "by the rates of 2026-11-01" in shown() and "no rate for CHF" in shown()
        window.look("results-revenue")
        words = "3 months at 4.99 instead of 9.99 USD"
        window.page.goto(f"{path}/money/review")
        assert words in shown() and "pays at most 15 USD less than the regular price. Prices are those of the storefront United States." in shown()
        # In the storefront that an audience names.
        audience = {"all": [{"fact": "subscription.storefront", "group": GROUP, "oneOf": ["DEU", "USA"]}]}
        assert experiment.ann.post(PATH, written("german", audience=audience)).status_code == 201
        window.page.goto(f"{path}/german/rule")
        assert "Prices are those of the storefront Germany." in shown()
        assert "3 months at 4.49 instead of 8.99 EUR" in window.page.locator("#v\\.1\\.offer\\.0").text_content().replace("\u00a0", " ")
        # Each of those with the offer pays 3 × 4.50 less, and one in ten was expected to come back in any case.
        assert experiment.ann.post(PATH, written("dear", enrolment=5000)).status_code == 201
        window.page.goto(f"{path}/dear/rule")
        window.page.get_by_role("button", name="Count them").first.click()
        window.page.locator("#reach").get_by_text(f"of {COUNT:,} customers that we know fit").wait_for()
        most = COUNT * Fraction(1, 4) * 15
        assert f"Customers pay at most {math.ceil(most):,} USD less than at regular prices, if each takes it once." in shown()
        assert f"without an offer (10 %): about {math.floor(most / 10 + Fraction(1, 2)):,} USD." in shown()
        # No more than the limit lets in.
        window.page.locator("#total").fill("10")
        window.page.get_by_role("button", name="Count again").first.click()
        window.page.get_by_text("Customers pay at most 150 USD less").wait_for()
        window.look("reach-cost")
        # The approver is told the same.
        assert experiment.ann.request("POST", f"{PATH}/dear/submit", json={}, headers={"If-Match": "*"}).status_code == 200
        window.page.goto(f"{path}/dear/review")
        window.page.get_by_role("button", name="Count them").click()
        window.page.locator("#reach").get_by_text(f"Customers pay at most {math.ceil(most):,} USD less").wait_for()
        window.look("review-money")
        window.page.goto(f"/console/apps/{BUNDLE}/catalogue")
        assert words in shown() and "9.99 USD every month" in shown()
        window.look("catalogue-prices")
        assert not window.complaints
        window.close()


def test_a_later_refund_takes_a_payment_out(experiment, paid):
    results(experiment, counted(experiment, paid))
    name = next(name for name, own in paid.items() if own[-1][0] < 14 and own[-1][2:] == ["EUR", False, "plain"])
    before = sum(converted(amounts(experiment, paid, experiment.variants[name], 30)))
    subscription = experiment.customers[name].subscriptions[0]
    at = now() + 99 * DAY
    subscription.refund(at=at)
    experiment.notify(subscription, at)
    paid[name][-1][3] = True
    assert before - sum(converted(amounts(experiment, paid, experiment.variants[name], 30))) == Fraction(paid[name][-1][1], 1000) * RATES["EUR"]
    check(experiment, paid)


def test_the_catalogue_names_the_prices(experiment):
    [product] = experiment.ann.get(f"/v1/admin/apps/{BUNDLE}/catalogue").json()["products"]
    assert product["prices"] == {"DEU": {"price": 8.99, "currency": "EUR"}, "USA": {"price": 9.99, "currency": "USD"}}
    assert product["promotionalOffers"][0]["prices"]["USA"] == {"price": 4.99, "currency": "USD"}
