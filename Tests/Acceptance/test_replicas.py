"""Replicas on one PostgreSQL keep the promises of one process: while they race, when they are killed, when the database fails over."""
import concurrent.futures
import random
import threading
import time
import uuid

import pytest

import httpx

from harness.postgresql import Cluster
from harness.scale import scaled
from harness.service import Service
from harness.waiting import PATIENCE, wait_until


def replicas(folder, cluster, count=3):
    services = []
    for number in range(count):
        service = Service(folder / f"replica-{number}")
        service.postgresql = cluster.address
        service.like = services[0].folder if services else None
        services.append(service)
        service.start()
    return services


@pytest.fixture
def group(tmp_path, request):
    """Replicas, and the database that they share."""
    cluster = Cluster(has_standby=getattr(request, "param", False))
    services = []
    try:
        services += replicas(tmp_path, cluster)
        yield services, cluster
    finally:
        for service in services:
            if service.is_running:
                service.kill()
        cluster.close()


def recorded(cluster):
    """How often each nonce is in the ledger."""
    counts = {}
    for [nonces] in cluster.primary.ask("SELECT encode(nonces, 'hex') FROM signed_request"):
        for start in range(0, len(nonces), 32):
            nonce = str(uuid.UUID(nonces[start : start + 32]))
            counts[nonce] = counts.get(nonce, 0) + 1
    return counts


def verify(service):
    done = service.cli("audit", "verify")
    assert done.returncode == 0, done.stdout + done.stderr


class Caller:
    """Sends requests from many threads, and notes what came of each."""

    def __init__(self, services, threads=24):
        self.services = services
        self.threads = threads
        self.notes = []

    def sign(self, http, service, nonce=None, **fields):
        """The status, or None where no answer came."""
        began = time.monotonic()
        try:
            answer = http.post(
                f"{service.url}/v1/signatures", json=service.offer_body(nonce=nonce, **fields),
                headers={"Authorization": f"Bearer {service.tokens['client']}"})
            status, body = answer.status_code, answer.json()
        except (httpx.HTTPError, ValueError):
            status, body = None, {}
        if status == 200:
            nonce = body["results"][0]["nonce"]
        self.notes.append((nonce, began, time.monotonic(), status, body.get("code")))
        return status

    def each(self, jobs):
        """Runs jobs, each with a connection of its thread's own."""
        local = threading.local()

        def run(job):
            if not hasattr(local, "http"):
                local.http = httpx.Client(timeout=PATIENCE)
            return job(local.http)

        with concurrent.futures.ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(run, jobs))

    def check(self, counts):
        """One winner a nonce at most, none that was acknowledged is lost, and who loses has a rival that began before."""
        by_nonce = {}
        for note in self.notes:
            by_nonce.setdefault(note[0], []).append(note)
        for nonce, notes in by_nonce.items():
            if nonce is None:
                continue
            winners = [note for note in notes if note[3] == 200]
            assert len(winners) <= 1, f"{nonce} was signed {len(winners)} times"
            assert counts.get(nonce, 0) <= 1
            if winners:
                assert counts.get(nonce) == 1, f"the signature with {nonce} is lost"
            for _, _, ended, status, code in notes:
                if status == 409:
                    assert code == "nonce-replayed"
                    assert counts.get(nonce) == 1
                    rivals = [note for note in notes if note[3] in (200, 503, None) and note[1] < ended]
                    assert rivals, f"{nonce} was refused before it was used"


def test_of_all_who_come_with_a_nonce_to_any_replica_one_is_signed(group):
    services, cluster = group
    nonces = services[0].client().nonces(services[0].bundle_id, count=20)
    caller = Caller(services)
    jobs = [
        lambda http, nonce=nonce, service=service: caller.sign(http, service, nonce)
        for _ in range(scaled(10, 170)) for nonce in nonces for service in services
    ]
    random.shuffle(jobs)
    statuses = caller.each(jobs)
    assert statuses.count(200) == len(nonces) and statuses.count(409) == len(jobs) - len(nonces)
    caller.check(recorded(cluster))
    verify(services[1])


def test_what_one_replica_decides_all_of_them_keep(group):
    services, _ = group
    one, two, _ = services
    token = two.cli("access", "create", "--role", "client", "--note", "to be revoked").stdout.strip()
    body = one.offer_body()
    wait_until(lambda: one.client(token=token).post("/v1/signatures", body).status_code == 200)
    [line] = [line for line in two.cli("access", "list").stdout.splitlines() if "to be revoked" in line]
    id = line.split()[0]
    assert two.cli("access", "revoke", id).returncode == 0
    for service in services:
        assert service.client(token=token).post("/v1/signatures", body).status_code == 401
    first = one.client().post("/v1/signatures", body, headers={"Idempotency-Key": "one"})
    again = two.client().post("/v1/signatures", body, headers={"Idempotency-Key": "one"})
    assert first.status_code == again.status_code == 200 and first.content == again.content


def test_kills_of_replicas_and_of_the_database_break_no_promise(group):
    services, cluster = group
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    dice = random.Random(seed)
    caller = Caller(services)
    rounds = scaled(4, 60)
    for number in range(rounds):
        nonces = wait_until(lambda: nonces_of(dice.choice(services)))
        jobs = [
            lambda http, nonce=dice.choice(nonces), service=dice.choice(services): caller.sign(http, service, nonce)
            for _ in range(scaled(400, 3000))
        ]
        running = threading.Thread(target=caller.each, args=[jobs])
        running.start()
        time.sleep(dice.uniform(0.05, 0.4))
        victim = dice.choice(services)
        if number % 2 == 0:
            victim.kill()
            victim.start()
        else:
            cluster.primary.kill()
            cluster.primary.start()
        running.join()
    assert any(note[3] == 200 for note in caller.notes)
    caller.check(recorded(cluster))
    verify(services[0])


def nonces_of(service):
    answer = service.client().post("/v1/nonces", {"bundleId": service.bundle_id, "count": 50})
    return [each["nonce"] for each in answer.json()["nonces"]] if answer.status_code == 200 else None


@pytest.mark.parametrize("group", [True], indirect=True)
def test_a_failover_to_the_synchronous_standby_loses_nothing(group):
    services, cluster = group
    caller = Caller(services, threads=12)
    over = threading.Event()

    def load(http):
        dice = random.Random()
        while not over.is_set():
            if caller.sign(http, dice.choice(services)) != 200:
                time.sleep(0.05)

    running = threading.Thread(target=caller.each, args=[[load] * caller.threads])
    running.start()
    try:
        wait_until(lambda: sum(note[3] == 200 for note in caller.notes) > 100)
        failed = time.monotonic()
        cluster.fail_over()
        # Without a hand on them.
        for service in services:
            wait_until(lambda: service.client().post("/v1/signatures", service.offer_body()).status_code == 200, promised=10)
        wait_until(lambda: sum(note[3] == 200 and note[1] > failed for note in caller.notes) > 100)
    finally:
        over.set()
        running.join()
    caller.check(recorded(cluster))
    verify(services[2])


@pytest.mark.parametrize("group", [True], indirect=True)
def test_a_commit_that_no_standby_has_is_no_signature(group):
    """An administrator's cancel lets a commit that waits for the standby succeed with a warning."""
    services, cluster = group
    service = services[0]
    assert service.client().post("/v1/signatures", service.offer_body()).status_code == 200
    cluster.servers[1].kill()
    caller = Caller(services)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        answer = pool.submit(caller.sign, httpx.Client(timeout=PATIENCE), service)
        waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        wait_until(lambda: cluster.primary.ask(waiting))
        cluster.primary.ask("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        assert answer.result() == 503
