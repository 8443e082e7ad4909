"""Limits under concurrency: two processes on one store, one or the other killed with -9 at any moment."""
import asyncio
import collections
import contextlib
import operator
import random
import re
import subprocess
import threading

from harness import wire
from harness.app_store import BUNDLE
from harness.purchases import GROUP, PRO, redeem_all
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


def limited(app_store, limits):
    """The configuration of an app whose only offer has these limits."""
    offers = [{"id": OFFER, "kind": "pay-up-front", "period": "P6M", "limits": limits}]
    groups = [{"id": GROUP, "products": [{"id": PRO, "level": 2, "period": "P1M", "promotionalOffers": offers}]}]
    return app_store.configuration_yaml(BUNDLE, eligibility="advise", subscriptionGroups=groups)


def press(service, folder, customers, requests, prepare=lambda service: None, refusal="offer-limit-reached", name="c-{}".format, **fields):
    """Sends that many requests to both processes, killing them in turn; returns what was signed, and the number of turns.

    `service` was not started yet.
    """
    service.allows_second_process = True
    service.start()
    prepare(service)
    pair = Pair(service, folder)
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
    return signed, turn


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


def ask(service, name):
    [result] = service.client().sign(service.offer_body(customerId=name))
    return result


def redeem_beyond_the_limit(services, app_store, live, total):
    """Lets customers redeem all their live signatures of an offer that each may have once: the bound is all that forbids more.

    `live` has the number of each customer's signatures. Where one service learns of the redemptions, another is asked for more.
    """
    for number, (name, count) in enumerate(live.items()):
        redeem_all(services[number % len(services)], app_store, OFFER, name, count)
        evidence = ask(services[-1 - number % len(services)], name)["evidence"]
        assert (evidence["limit"], evidence["counted"]) == ("perCustomer", count)
    # Each of them has exceeded the total by all live signatures of the place but one. So many redemptions at once are tied to their
    # signatures in the background; until then the signatures hold their places.
    wanted = "total", total + sum(live.values()) - len(live)
    wait_until(lambda: operator.itemgetter("limit", "counted")(ask(services[0], "somebody else")["evidence"]) == wanted)


def test_places_are_exact_whatever_is_killed(new_service, app_store, tmp_path):
    """Each customer asks four times at once, as one who cancels does."""
    customers, total = scaled(250, 5000), scaled(100, 1000)
    service = new_service(extra=limited(app_store, {"perCustomer": 1, "total": total}), start=False)
    signed, turns = press(service, tmp_path, customers, scaled(1000, 20000))
    assert turns >= 1
    _, counts = check(service, signed)
    # Whose answers were lost may have asked in several turns.
    assert len(counts) <= total and max(counts.values()) <= 10
    holders, refused = set(counts), 0
    for number in range(customers):
        name = f"c-{number}"
        result = ask(service, name)
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
    live = dict(random.Random(7).sample(sorted(counts.items()), scaled(10, 100)))
    redeem_beyond_the_limit([service], app_store, live, total)


def test_exactly_as_many_are_signed_as_the_total_allows(new_service, app_store, tmp_path):
    total = scaled(100, 1000)
    # Customers of no name: each signature takes a place of its own.
    service = new_service(extra=limited(app_store, {"total": total}), start=False)
    signed, _ = press(service, tmp_path, 10 * total, 2 * total, name=lambda number: None)
    left = total - len(service.rows())
    assert left >= 0
    results = [service.client().sign(service.offer_body())[0]["status"] for _ in range(left + 3)]
    assert results == ["signed"] * left + ["refused"] * 3
    rows, _ = check(service, signed)
    assert len(rows) == total
