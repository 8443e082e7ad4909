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


def press(new_service, tmp_path, limits, customers, requests, prepare=lambda service: None, refusal="offer-limit-reached", **fields):
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
            name = f"c-{(turn * 7919 + (worker + number * CONNECTIONS) // 4) % customers}"
            return wire.request("/v1/signatures", {**service.offer_body(customerId=name), **fields}, service.tokens["client"])

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


def check(service, signed, most):
    """Every signature that was answered is on record once, and no customer has more than `most`."""
    rows = service.rows()
    assert signed, "nothing was signed"
    assert set(signed) <= set(rows) and max(signed.values()) == 1
    counts = collections.Counter(row["customer_id"] for row in rows.values())
    assert max(counts.values()) <= most
    return rows, counts


def test_one_signature_is_outstanding_for_each_customer_whatever_is_killed(new_service, tmp_path):
    customers = scaled(60, 600)
    service, signed, turns = press(new_service, tmp_path, "{perCustomer: 1}", customers, scaled(1000, 5000))
    assert turns >= 1
    rows, counts = check(service, signed, most=1)
    # Every customer who asked has one, or gets it now; no customer gets a second.
    for number in range(customers):
        [result] = service.client().sign(service.offer_body(customerId=f"c-{number}"))
        assert (result["status"] == "refused") == (f"c-{number}" in counts), result
    check(service, signed, most=1)
    assert len(service.rows()) == customers


def test_exactly_as_many_are_signed_as_the_total_allows(new_service, tmp_path):
    total = scaled(100, 1000)
    # Customers of no number: the limit is the offer's alone.
    service, signed, _ = press(new_service, tmp_path, f"{{total: {total}}}", 10 * total, 2 * total)
    left = total - len(service.rows())
    assert left >= 0
    results = [service.client().sign(service.offer_body())[0]["status"] for _ in range(left + 3)]
    assert results == ["signed"] * left + ["refused"] * 3
    rows, _ = check(service, signed, most=total)
    assert len(rows) == total
