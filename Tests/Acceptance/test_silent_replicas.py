"""A replica that falls silent, frozen or cut off without a word, holds nothing for long, and does nothing with it when it wakes."""
import contextlib
import json
import os
import random
import signal
import threading
import time
import uuid

import httpx
import pytest

from harness.postgresql import Cluster
from harness.scale import scaled
from harness.service import ROOT, Service
from harness.silent_proxy import SilentProxy
from harness.waiting import PATIENCE, wait_until
from test_replicas import Caller, Running, recorded, verify

LIMITED = "com.example.limited"
OFFER = {"id": "few", "kind": "pay-up-front", "period": "P6M", "limits": {"total": 1_000_000, "outstanding": 1}}
PRODUCT = {"id": "com.example.limited", "level": 1, "period": "P1M", "promotionalOffers": [OFFER]}
APP = {
    "bundleId": LIMITED, "eligibility": "advise", "appAppleId": 1, "subscriptionGroups": [{"id": "20563284", "products": [PRODUCT]}]}
# What the project promises, in s.
FREE_AGAIN = 10


class Group:
    """Three replicas, each with its own way to the database, and callers that never rest."""

    def __init__(self, folder, cluster, ways):
        self.cluster = cluster
        self.services = []
        for number, way in enumerate(ways):
            service = Service(folder / f"replica-{number}", extra=f"apps: [{json.dumps(APP)}]\n")
            service.postgresql = f"{way.address} application_name=replica-{number}"
            service.like = self.services[0].folder if self.services else None
            self.services.append(service)
            service.start()
        self.caller = Caller(self.services)
        # Id of a revoked access key, and how many signatures it had when the answer to the revocation was there.
        self.revoked = {}

    def signs(self, service):
        """Whether it signs: an offer without limits, and one whose total all share."""
        plain = service.client().post("/v1/signatures", service.offer_body())
        limited = self.sign_limited(httpx, service, str(uuid.uuid4()))
        return plain.status_code == limited.status_code == 200

    def sign_limited(self, http, service, customer, token=None, **options):
        return http.post(
            f"{service.url}/v1/signatures", headers={"Authorization": f"Bearer {token or service.tokens['client']}"}, timeout=PATIENCE,
            json={"bundleId": LIMITED, "customerId": customer, "offers": [{"productId": PRODUCT["id"], "offerId": "few"}]}, **options)

    def make_access_key(self, service):
        answer = service.client("admin").post("/v1/admin/access", {"role": "client", "note": "to be revoked"})
        return (answer.json()["id"], answer.json()["accessKey"]) if answer.status_code == 201 else None

    def revokes(self, service, id):
        if service.client("admin").request("DELETE", f"/v1/admin/access/{id}").status_code != 200:
            return False
        self.revoked[id] = self.signatures_of(id)
        return True

    def signatures_of(self, id):
        [[count]] = self.cluster.primary.ask(f"SELECT count(*) FROM signed_request WHERE caller = '{id}'")
        return int(count)

    @contextlib.contextmanager
    def load(self, token):
        """Each replica is asked at any time: for signatures with nonces, of one customer twice, and by a caller that is to be revoked."""
        over = threading.Event()

        def ask(http, service):
            dice = random.Random()
            while not over.is_set():
                customer = f"customer {dice.randrange(1000)}"
                with contextlib.suppress(httpx.HTTPError):
                    match dice.randrange(3):
                        case 0: self.caller.sign(http, service)
                        case 1: self.sign_limited(http, service, customer)
                        case 2: self.sign_limited(http, service, str(uuid.uuid4()), token)

        running = Running(lambda: self.caller.each([lambda http, service=service: ask(http, service) for service in self.services for _ in range(3)]))
        try:
            yield
        finally:
            over.set()
            running.join()

    def freeze(self, victim, dice):
        """SIGSTOP, again and again until it is between two round trips of a transaction that holds the gate."""
        name = f"replica-{self.services.index(victim)}"
        holding = f"""
            SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE relation = 'revocation_gate'::regclass AND granted
            AND state = 'idle in transaction' AND application_name = '{name}'"""

        def is_caught():
            time.sleep(dice.uniform(0, 0.05))
            os.kill(victim.pid, signal.SIGSTOP)
            time.sleep(0.02)
            if self.cluster.primary.ask(holding):
                return True
            os.kill(victim.pid, signal.SIGCONT)
            return False

        wait_until(is_caught, message="it was never caught")

    def others_go_on(self, victim, access_key):
        """The others sign and revoke as promised, although a replica is silent."""
        others = [service for service in self.services if service is not victim]
        began = time.monotonic()
        for service in others:
            wait_until(lambda: self.signs(service), promised=FREE_AGAIN, message=f"{service.url} does not sign")
        wait_until(lambda: self.revokes(others[0], access_key), promised=FREE_AGAIN, message="nothing is revoked")
        return time.monotonic() - began

    def check(self):
        self.caller.check(recorded(self.cluster))
        twice = self.cluster.primary.ask(
            f"SELECT customer_id FROM signed_request WHERE bundle_id = '{LIMITED}' GROUP BY customer_id HAVING count(*) > 1")
        assert twice == []
        for id, count in self.revoked.items():
            assert self.signatures_of(id) == count, f"{id} signed after it was revoked"
        verify(self.services[0])

    def close(self):
        for service in self.services:
            if service.is_running:
                service.kill()


@contextlib.contextmanager
def serving(folder, way=lambda cluster: cluster):
    cluster = Cluster()
    ways = [way(cluster) for _ in range(3)]
    group = None
    try:
        group = Group(folder, cluster, ways)
        yield group, ways
    finally:
        if group:
            group.close()
        for each in ways:
            if each is not cluster:
                each.close()
        cluster.close()


@pytest.mark.timeout(3 * 3600)
def test_a_frozen_replica_keeps_no_other_from_signing_and_revoking(tmp_path):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    dice = random.Random(seed)
    with serving(tmp_path) as (group, _):
        times = []
        for _ in range(scaled(3, 200)):
            victim = dice.choice(group.services)
            access_key, token = wait_until(lambda: group.make_access_key(victim))
            with group.load(token):
                group.freeze(victim, dice)
                try:
                    times.append(group.others_go_on(victim, access_key))
                finally:
                    os.kill(victim.pid, signal.SIGCONT)
                # With what it held when it was frozen.
                wait_until(lambda: group.signs(victim), promised=FREE_AGAIN)
        print(f"signing and revoking again after {max(times):.1f} s at most, {sum(times) / len(times):.1f} s on average")
        group.check()


def acts(group, victim, dice):
    """What writes, each in transactions of its own kind."""
    client, backend, admin = victim.client(), victim.client("backend"), victim.client("admin")
    verified = json.loads((ROOT / "Tests/Fixtures/verify-receipt-response-ios7-subscription.json").read_text())
    verified["receipt"]["bundle_id"] = victim.bundle_id
    name = str(uuid.uuid4())
    ask = lambda role, method, path, body=None: httpx.request(
        method, f"{victim.url}{path}", json=body, timeout=PATIENCE, headers={"Authorization": f"Bearer {victim.tokens[role]}"})
    app = {"bundleId": victim.bundle_id}
    return {
        "sign": lambda: client.post("/v1/signatures", victim.offer_body()),
        "sign with a limit": lambda: group.sign_limited(httpx, victim, name),
        "sign with a key": lambda: client.post("/v1/signatures", victim.offer_body(), headers={"Idempotency-Key": name}),
        "take a history": lambda: backend.post("/v1/history/receipts", {**app, "customerId": name, "verifiedReceipt": verified}),
        "note consent": lambda: ask("backend", "PUT", f"/v1/customers/{name}/consumption-consent", {**app, "consented": True}),
        "merge": lambda: ask("backend", "POST", f"/v1/customers/{name}/merge", {**app, "from": "somebody", "reason": "test"}),
        "erase": lambda: ask("backend", "DELETE", f"/v1/customers/{name}?bundleId={victim.bundle_id}"),
        "add an access key": lambda: group.make_access_key(victim),
        "revoke": lambda: admin.request("DELETE", f"/v1/admin/access/{group.make_access_key(victim)[0]}"),
        "write a segment": lambda: ask("marketing", "PUT", f"/v1/admin/segments/s{dice.randrange(9)}?bundleId={victim.bundle_id}", {
            "name": name, "condition": {"attribute": "plan", "is": "pro"}}),
        "wait": lambda: time.sleep(1.5),
    }


@pytest.mark.timeout(3 * 3600)
def test_a_replica_whose_connections_are_half_open_keeps_no_other_from_signing_and_revoking(tmp_path):
    """Wherever in whichever transaction the last byte arrives, and whether the connections are lost or come back."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    dice = random.Random(seed)
    with serving(tmp_path, SilentProxy) as (group, proxies):
        names = list(acts(group, group.services[0], dice))
        times = []
        for number in range(scaled(6, 200)):
            place = dice.randrange(len(proxies))
            victim, proxy, name = group.services[place], proxies[place], names[number % len(names)]
            access_key, token = wait_until(lambda: group.make_access_key(victim))
            before = proxy.sent
            acts(group, victim, dice)[name]()
            proxy.silence(after=dice.randint(1, max(2, proxy.sent - before)))
            act = Running(lambda: attempt(acts(group, victim, dice)[name]))
            wait_until(lambda: proxy.is_silent, message="the replica sends nothing")
            times.append(group.others_go_on(victim, access_key))
            proxy.resume(cut=dice.random() < 0.5)
            act.join()
            wait_until(lambda: group.signs(victim), promised=FREE_AGAIN)
        print(f"signing and revoking again after {max(times):.1f} s at most, {sum(times) / len(times):.1f} s on average")
        group.check()


def attempt(act):
    """What comes of it does not matter: the database does not answer."""
    with contextlib.suppress(httpx.HTTPError, TypeError):
        act()


def test_a_replica_is_not_ready_while_the_gate_of_revocations_is_held(tmp_path):
    """By whoever connects to the database; here by a session without the service's limits."""
    with serving(tmp_path) as (group, _):
        service = group.services[0]
        ready = lambda: service.client().get("/readyz")
        assert ready().status_code == 200
        hold = "BEGIN; LOCK TABLE revocation_gate IN EXCLUSIVE MODE; SELECT pg_sleep(600)"
        holding = Running(lambda: ask_and_be_ended(group.cluster, hold))
        answer = wait_until(lambda: (found := ready()).status_code == 503 and found)
        assert "lock" in answer.text
        group.cluster.primary.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)' AND pid <> pg_backend_pid()")
        holding.join()
        wait_until(lambda: ready().status_code == 200)


def ask_and_be_ended(cluster, sql):
    with contextlib.suppress(AssertionError):
        cluster.primary.ask(sql)
