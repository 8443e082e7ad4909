"""Limits under concurrency: two processes on one store, one or the other killed with -9 at any moment."""
import asyncio
import collections
import contextlib
import random
import re
import subprocess
import threading

from harness import wire
from harness.scale import scaled
from harness.waiting import wait_until

CONNECTIONS = 16
OFFER = "winback50"


class Pair:
    """Two processes that serve one store."""

    def __init__(self, service, folder):
        self.first, self.folder, self.second = service, folder, None
        other = folder / "other.yaml"
        other.write_text("http: {port: 0}\n")
        self.command = [*service.command("serve"), "--config", str(other), "--allow-second-process"]

    def start_second(self):
        log = (self.folder / "second.log").open("w")
        self.second = subprocess.Popen(self.command, stdout=log, stderr=subprocess.STDOUT, env=self.first.environment)

    def wait_for_second(self):
        def listening():
            found = re.search(r"listening on (127\.0\.0\.1:\d+)", (self.folder / "second.log").read_text())
            assert self.second.poll() is None, (self.folder / "second.log").read_text()
            return found

        return f"http://{wait_until(listening, message='the second process has not started')[1]}"

    def kill_second(self):
        self.second.kill()
        self.second.wait()


def limited(limits):
    return f"""apps:
  - bundleId: com.example.app
    subscriptionGroups:
      - id: "20563228"
        products:
          - id: com.example.pro.monthly
            level: 2
            period: P1M
            promotionalOffers:
              - {{id: {OFFER}, kind: pay-as-you-go, period: P3M, limits: {limits}}}
"""


def press(new_service, tmp_path, limits, customers, requests, prepare=lambda service: None, refusal="offer-limit-reached", name="c-{}".format, **fields):
    """Sends that many requests to both processes, killing them in turn; returns the service, what was signed, and the pair's rows."""
    service = new_service(extra=limited(limits), start=False)
    service.allows_second_process = True
    service.start()
    prepare(service)
    pair = Pair(service, tmp_path)
    randomness = random.Random(11)
    signed = collections.Counter()
    answered = 0
    turn = 0
    while answered < requests:
        pair.start_second()
        urls = [service.url, pair.wait_for_second()]
        loads = [wire.Load(), wire.Load()]

        def make(worker, number, turn=turn):
            # Four requests in a row are of one customer, and both processes get them at the same time.
            customer = name((turn * 7919 + (worker + number * CONNECTIONS) // 4) % customers)
            named = {} if customer is None else {"customerId": customer}
            return wire.request("/v1/signatures", {**service.offer_body(**named), **fields}, service.tokens["client"])

        def run(side, urls=urls, loads=loads, make=make):
            asyncio.run(wire.press(urls[side], make, loads[side], CONNECTIONS))

        def kill_in_turn(loads=loads, victims=(service.kill, pair.kill_second) if turn % 2 else (pair.kill_second, service.kill)):
            """At any moment, which is after so many answers: a busy machine gives fewer in the same time."""
            wanted = 0
            for kill in victims:
                wanted += randomness.randrange(50, 250)
                with contextlib.suppress(AssertionError):
                    wait_until(lambda: sum(len(load.answers) for load in loads) >= wanted)
                kill()

        threads = [threading.Thread(target=run, args=(side,)) for side in (0, 1)] + [threading.Thread(target=kill_in_turn)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        for load in loads:
            assert set(load.statuses()) <= {200}, load.statuses()
            signed.update(nonces(load, refusal))
            answered += load.statuses().get(200, 0)
        turn += 1
        service.start()
    return service, signed, turn


def nonces(load, refusal):
    """Of everything that was answered."""
    results = [result for answer in load.answers if answer.status == 200 for result in answer.json()["results"]]
    assert {(result["status"], result.get("code")) for result in results} <= {("signed", None), ("refused", refusal)}
    return [result["nonce"] for result in results if result["status"] == "signed"]


def check(service, signed):
    """Every signature that was answered is on record once; returns the number of signatures of each customer."""
    rows = service.rows()
    assert signed, "nothing was signed"
    assert set(signed) <= set(rows) and max(signed.values()) == 1
    return rows, collections.Counter(row["customer_id"] for row in rows.values())


def test_places_are_exact_whatever_is_killed(new_service, tmp_path):
    """Each customer asks four times at once, as one who cancels does."""
    customers, total = scaled(250, 5000), scaled(100, 1000)
    service, signed, turns = press(
        new_service, tmp_path, f"{{perCustomer: 1, total: {total}}}", customers, scaled(1000, 20000))
    assert turns >= 1
    _, counts = check(service, signed)
    # Whose answers were lost may have asked in several turns.
    assert len(counts) <= total and max(counts.values()) <= 10
    holders, refused = set(counts), 0
    for number in range(customers):
        name = f"c-{number}"
        [result] = service.client().sign(service.offer_body(customerId=name))
        if counts[name] == 10:
            assert result["evidence"]["limit"] == "outstanding"
            continue
        assert (result["status"] == "signed") == (name in holders or len(holders) < total), result
        if result["status"] == "signed":
            holders.add(name)
        else:
            refused += 1
            assert (result["evidence"]["limit"], result["evidence"]["counted"]) == ("total", total)
    _, counts = check(service, signed)
    assert len(counts) == total == customers - refused


def test_exactly_as_many_are_signed_as_the_total_allows(new_service, tmp_path):
    total = scaled(100, 1000)
    # Customers of no name: each signature takes a place of its own.
    service, signed, _ = press(
        new_service, tmp_path, f"{{total: {total}}}", 10 * total, 2 * total, name=lambda number: None)
    left = total - len(service.rows())
    assert left >= 0
    results = [service.client().sign(service.offer_body())[0]["status"] for _ in range(left + 3)]
    assert results == ["signed"] * left + ["refused"] * 3
    rows, _ = check(service, signed)
    assert len(rows) == total
