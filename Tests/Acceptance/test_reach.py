"""How many stored customers an audience has: counted while it is written, beside the signatures."""
import asyncio
import itertools
import json
import multiprocessing
import subprocess
import time

import pytest

from harness import wire
from harness.app_store import BUNDLE
from harness.bystander import overtaking, signature
from harness.scale import IS_FULL, scaled
from harness.service import Service
from harness.waiting import wait_until
from test_admin import Person
from test_customer_facts import BEGIN, DAY, GROUP, MONTH, PERIODS_EACH, receipt_line

CUSTOMERS, CHUNK = scaled(20_000, 1_000_000), 50_000
PATH = "/v1/admin/campaigns/reach"


def lapse(number):
    """When a customer's subscription ended, in ms since 1970."""
    return BEGIN + (number * 7919 % 500) * DAY + PERIODS_EACH * MONTH


@pytest.fixture(scope="module")
def crowded(tmp_path_factory):
    service = Service(tmp_path_factory.mktemp("crowded") / "service")
    service.start()
    service.stop()
    lines = tmp_path_factory.mktemp("reach") / "receipts.jsonl"
    for first in range(0, CUSTOMERS, CHUNK):
        with lines.open("w") as file:
            file.writelines(receipt_line(number) for number in range(first, min(CUSTOMERS, first + CHUNK)))
        done = subprocess.run(
            service.command("history", "import", "--restart", "--app", BUNDLE, lines), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    lines.unlink()
    service.start()
    yield service
    service.stop()


def counted(person, body):
    """The answer, and how often it was only told how far it is; how long it took."""
    begin, progress = time.perf_counter(), []
    while True:
        answer = person.post(PATH, body)
        assert answer.status_code in (200, 202), answer.text
        if answer.status_code == 200:
            return answer.json(), progress, time.perf_counter() - begin
        progress.append((answer.json()["counted"], answer.json()["of"]))


@pytest.fixture(scope="module")
def marketer(crowded):
    return Person(crowded, crowded.tokens["marketing"])


def expected(now, low, high):
    return {number for number in range(CUSTOMERS) if low <= (now - lapse(number)) // DAY <= high}


@pytest.mark.timeout(3600)
def test_the_number_is_right_and_each_condition_narrows_it(crowded, marketer):
    days = {"fact": "subscription.daysSinceLapse", "group": GROUP, "between": [400, 500]}
    body = {"bundleId": BUNDLE, "audience": {"all": [
        {"fact": "subscription.state", "group": GROUP, "is": "expired"}, days, {"attribute": "country", "is": "US"}]}}
    work = crowded.processor_time()
    found, progress, took = counted(marketer, body)
    work = crowded.processor_time() - work
    fit = expected(found["asOf"], 400, 500)
    assert 0 < len(fit) < CUSTOMERS
    assert (found["customers"], found["matching"], found["unreadable"]) == (CUSTOMERS, len(fit), 0)
    assert [each["matching"] for each in found["conditions"]] == [CUSTOMERS, len(fit)]
    assert found["attributes"] == ["country"] and len(found["sample"]) == 40 and len(found["misses"]) == 10
    names = {f"u-{number:07d}" for number in fit}
    assert {each["customerId"] for each in found["sample"]} <= names
    assert not {each["customerId"] for each in found["misses"]} & names
    assert all(each["heldUpBy"] == ["audience.all[1]"] for each in found["misses"])
    assert all(0 <= done <= CUSTOMERS and of in (None, CUSTOMERS) for done, of in progress)
    assert [done for done, _ in progress] == sorted(done for done, _ in progress)
    print(f"{CUSTOMERS} customers counted in {took:.2f} s, {work:.2f} s of processor time, {len(progress)} reports of progress")
    # A million in 5 s on two processors are 10 µs for each; a debug build or a whole history for each would be tens of them.
    assert work < 0.5 + CUSTOMERS * 20e-6
    if IS_FULL:
        assert took < 5


@pytest.mark.timeout(3600)
def test_what_only_whole_purchases_tell_is_counted_as_well(marketer):
    body = {"bundleId": BUNDLE, "audience": {"fact": "offers.redeemed", "contains": "winback50"}}
    found, progress, took = counted(marketer, body)
    assert (found["customers"], found["matching"]) == (CUSTOMERS, CUSTOMERS // 100)
    print(f"{CUSTOMERS} customers with all their purchases counted in {took:.2f} s, {len(progress)} reports of progress")


def another_audience(number):
    """One of its own for each: nothing is kept that could answer."""
    return {"bundleId": BUNDLE, "audience": {"fact": "subscription.daysSinceLapse", "group": GROUP, "above": number}}


def test_signatures_are_answered_while_customers_are_counted(crowded, marketer):
    number = itertools.count(1000)

    def overtake():
        """Whether five signatures are answered before a counting that was asked for before them."""
        counting = wire.request("/v1/admin/campaigns/reach", another_audience(next(number)), crowded.tokens["marketing"])
        _, answers, waiting = asyncio.run(overtaking(crowded.url, [counting], [signature(crowded)] * 5))
        assert {answer.status for answer in answers} == {200}
        return waiting == 1

    wait_until(overtake)


def test_too_many_countings_at_once_are_refused_and_that_is_a_warning(crowded):
    number = itertools.count(10_000)

    def refused():
        """What was refused of many that were asked at once."""
        countings = [wire.request(PATH, another_audience(next(number)), crowded.tokens["marketing"]) for _ in range(12)]
        answers, _, _ = asyncio.run(overtaking(crowded.url, countings, [signature(crowded)]))
        assert {answer.status for answer in answers} <= {200, 202, 503}
        return [answer for answer in answers if answer.status == 503]

    wait_until(refused)
    lines = [json.loads(line) for line in crowded.log_text().splitlines() if "counts of campaigns" in line]
    assert lines and {line["level"] for line in lines} == {"warning"}


@pytest.mark.alone
@pytest.mark.skipif(not IS_FULL, reason="needs a machine of its own")
@pytest.mark.timeout(3600)
def test_signing_is_hardly_slower_meanwhile(crowded):
    client = crowded.client()

    def sign(seconds):
        """The 99th percentile."""
        took, end = [], time.perf_counter() + seconds
        while time.perf_counter() < end:
            begin = time.perf_counter()
            client.sign(crowded.offer_body(customerId=f"u-{len(took):07d}"))
            took.append(time.perf_counter() - begin)
        return sorted(took)[len(took) * 99 // 100]

    sign(1)
    alone = sign(3)
    # A process of its own: beside a thread that reads answers the signing one would wait for Python.
    processes = multiprocessing.get_context("fork")
    stop, counts = processes.Event(), processes.Value("i", 0)

    def count():
        person = Person(crowded, crowded.tokens["marketing"])
        while not stop.is_set():
            counted(person, another_audience(counts.value + 1))
            counts.value += 1

    counting = processes.Process(target=count)
    counting.start()
    beside = sign(3)
    stop.set()
    counting.join()
    assert counts.value > 0
    print(f"p99 of a signature: {alone * 1000:.1f} ms alone, {beside * 1000:.1f} ms while customers are counted")
    assert beside < 2 * alone


def test_what_cannot_be_asked_is_refused_by_field(crowded, marketer):
    bad = marketer.post(PATH, {"bundleId": BUNDLE, "audience": {"fact": "no.such", "is": 1}})
    assert bad.status_code == 400 and bad.json()["fields"][0]["name"] == "audience.fact", bad.text
    bad = marketer.post(PATH, {"bundleId": BUNDLE, "audience": {"fact": "refunds.count"}})
    assert bad.status_code == 400 and bad.json()["fields"][0]["name"].startswith("audience")
    everybody, _, _ = counted(marketer, {"bundleId": BUNDLE})
    assert everybody["matching"] == CUSTOMERS and everybody["conditions"] == []
