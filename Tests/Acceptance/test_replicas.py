"""Replicas on one PostgreSQL keep the promises of one process: while they race, when they are killed, when the database fails over."""
import concurrent.futures
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import threading
import time
import uuid

import pytest

import httpx

from harness.browser import Visit, chromium
from harness.clock import Clock
from harness.faulty_proxy import FaultyProxy
from harness.postgresql import Cluster
from harness.proxies import opened
from harness.scale import scaled
from harness.service import Service, free_port
from harness.waiting import PATIENCE, wait_until
from test_campaign_life import step
from test_key_rotation import make_key
from test_offer_limits_at_once import limited, redeem_beyond_the_limit
from test_offers import GIVEN, admit, campaign, staff


def replicas(folder, cluster, count=3, extra=None):
    services = []
    for number in range(count):
        service = Service(folder / f"replica-{number}", extra=extra)
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


class Running(threading.Thread):
    """A thread whose failure is that of who waits for it."""

    def __init__(self, work):
        super().__init__()
        self.work, self.failure = work, None
        self.start()

    def run(self):
        try:
            self.work()
        except BaseException as failure:
            self.failure = failure

    def join(self, timeout=None):
        super().join(timeout)
        if self.failure and not self.is_alive():
            raise self.failure


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


def test_a_rule_that_is_made_beside_the_replicas_stops_each_of_them_until_it_is_gone(group):
    services, cluster = group
    cluster.primary.ask("CREATE RULE t AS ON INSERT TO nonce_series DO INSTEAD NOTHING")
    for service in services:
        wait_until(lambda: service.client().get("/readyz").status_code == 503)
        assert "rule t on nonce_series was added" in service.client().get("/readyz").text
        assert service.client().post("/v1/signatures", service.offer_body()).status_code == 503
    cluster.primary.ask("DROP RULE t ON nonce_series")
    for service in services:
        wait_until(lambda: service.client().get("/readyz").status_code == 200)
        service.client().sign(service.offer_body())


def test_a_replica_that_wakes_goes_by_nothing_that_it_held(group):
    services, cluster = group
    one, sleeper = services[:2]
    app, customer = {"bundleId": one.bundle_id}, uuid.uuid4().hex
    people = staff(one)
    campaign(people, "sale", holdout=0, variants=[{"id": "half", "weight": 10000, "offers": GIVEN}])
    admit(one, customer)
    key = one.cli("access", "create", "--role", "admin", "--note", "to be revoked").stdout.strip()
    held, kept = sleeper.client(token=key), sleeper.client()
    made = lambda: cluster.primary.ask("SELECT count(*) FROM access")
    asked = {**app, "customerId": customer}
    wait_until(lambda: held.get("/v1/admin/access").status_code == 200)
    wait_until(lambda: kept.post("/v1/offers", asked).json()["assignments"])
    before = made()
    os.kill(sleeper.pid, signal.SIGSTOP)
    try:
        assert one.client("admin").request("DELETE", f"/v1/admin/access/{key[4:20]}").status_code == 200
        step(people["eve"], "sale", "pause")
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            barred = [
                pool.submit(held.post, "/v1/admin/access", {"role": "security", "note": "a way back"}),
                pool.submit(held.post, f"/v1/admin/keys/{sleeper.key_id}/revoke", {"reason": "harm", "evenIfActive": True}),
                *[pool.submit(held.get, f"/v1/admin/{name}") for name in ("access", "audit", "keys", "replicas", "events")],
                pool.submit(held.get, f"/v1/customers/{customer}", params=app),
                pool.submit(held.post, "/v1/nonces", {**app, "count": 1}),
                pool.submit(held.post, "/v1/eligibility", asked),
                pool.submit(held.post, "/v1/history/transactions", {**asked, "signedTransactions": []}),
            ]
            offers = pool.submit(kept.post, "/v1/offers", asked)
            # Until the requests wait in its socket, and it has missed looks for more than a second.
            time.sleep(2)
            os.kill(sleeper.pid, signal.SIGCONT)
            answers = [each.result() for each in barred]
    finally:
        os.kill(sleeper.pid, signal.SIGCONT)
    assert {each.status_code for each in answers} == {401}, [(each.status_code, each.text) for each in answers]
    assert offers.result().json()["assignments"] == [], "a paused campaign still gives offers"
    assert made() == before
    one.client().sign(one.offer_body())


def listed(service):
    """The replicas by port."""
    items = service.client("viewer").get("/v1/admin/replicas").json()["items"]
    return {int(item["address"].rsplit(":", 1)[1]): item for item in items}


def test_replicas_know_of_each_other(group):
    services, _ = group
    one, two, three = services
    wait_until(lambda: all(item["clockOffset"] is not None for item in listed(one).values()))
    found = listed(one)
    assert set(found) == {service.port for service in services}
    assert all(item["alive"] and item["differs"] == [] for item in found.values())
    assert all([key["keyId"] for key in item["keys"]] == [one.key_id] for item in found.values())
    assert abs(found[one.port]["clockOffset"]) < 5000
    assert one.cli("replicas").returncode == 0
    # What is of every app an access key for one does not see.
    token = one.cli("access", "create", "--role", "viewer", "--note", "one app", "--app", one.bundle_id).stdout.strip()
    limited = wait_until(lambda: one.client(token=token).get("/v1/admin/replicas").json().get("items"))
    assert [item["keys"] for item in limited] == [[]] * 3
    three.kill()
    wait_until(lambda: not listed(two)[three.port]["alive"], promised=10)
    wait_until(lambda: two.metric("offersigner_replicas") == 2, promised=1)
    # It comes back with another configuration, in place of the one that died.
    three.extra = three.folder.with_suffix(".extra.yaml")
    three.extra.write_text("limits: {burst: 999999}\n")
    three.start()
    found = listed(two)
    assert {port: item["differs"] for port, item in found.items()} == {
        one.port: [], two.port: [], three.port: ["configuration"]}
    shown = one.cli("replicas")
    assert shown.returncode == 1 and "another configuration" in shown.stdout, shown.stdout
    wait_until(lambda: one.metric("offersigner_replicas_different", **{"in": "configuration"}) == 1, promised=1)
    told = lambda: [line["replica"] for line in one.log() if line["message"] == "a replica differs from the others"]
    assert wait_until(told) == [found[three.port]["address"]]
    # A reload makes it like the others, and another one unlike them.
    text = "limits: {burst: 999999}\n"
    for new, differs in [("# Nothing of its own.\n", []), (text, ["configuration"])]:
        (three.folder / "extra.yaml").write_text(new)
        os.kill(three.pid, signal.SIGHUP)
        wait_until(lambda: listed(two)[three.port]["differs"] == differs)
    two.kill()
    wait_until(lambda: not listed(one)[two.port]["alive"], promised=10)
    with chromium() as browser:
        visit = Visit(browser, one)
        visit.sign_in(one.tokens["security"])
        rows = [row.inner_text() for row in visit.page.locator("section[aria-labelledby=rep] tbody tr").all()]
        assert [("Running" in row, "configuration" in row) for row in rows] == [
            # Of two that live neither is right.
            (service is not two, service is not two) for service in sorted(services, key=lambda each: each.port)]
        visit.look("overview-replicas")
        assert visit.complaints == []
    three.stop()
    assert set(listed(one)) == {one.port, two.port}


def test_a_key_signs_once_every_replica_has_it(group):
    services, _ = group
    one, two, three = services
    files = [make_key(one, "NEXTKEY123")]
    copy = two.folder / "keys" / files[0].name
    shutil.copy(files[0], copy.with_suffix(".new"))
    copy.with_suffix(".new").rename(copy)
    wait_until(lambda: one.client("security").get("/v1/admin/keys/NEXTKEY123").status_code == 200)
    refused = one.client("security").post("/v1/admin/keys/NEXTKEY123/activate", {"reason": "a test"})
    assert refused.status_code == 409 and refused.json()["code"] == "key-not-everywhere"
    assert f":{three.port}" in refused.json()["detail"] and f":{two.port}" not in refused.json()["detail"]
    refused = two.cli("keys", "activate", "NEXTKEY123")
    assert refused.returncode != 0 and "not loaded at" in refused.stderr
    shutil.copy(files[0], three.folder / "keys" / files[0].name)
    activated = lambda: one.client("security").post("/v1/admin/keys/NEXTKEY123/activate", {"reason": "a test"}).status_code == 200
    wait_until(activated)
    for service in services:
        wait_until(lambda: service.client().sign(service.offer_body())[0]["keyIdentifier"] == "NEXTKEY123", promised=1)


def test_replicas_share_the_rate_of_a_caller(tmp_path):
    cluster = Cluster()
    services = []
    try:
        services = replicas(tmp_path, cluster, extra="limits: {requestsPerSecond: 1, burst: 60}\n")
        wait_until(lambda: all(service.metric("offersigner_replicas") == 3 for service in services))
        began = time.monotonic()
        answers = [service.client().post("/v1/nonces", {"bundleId": service.bundle_id, "count": 1}) for _ in range(60) for service in services]
        passed = sum(answer.status_code == 200 for answer in answers)
        assert 57 <= passed <= 60 + (time.monotonic() - began) + 3
        assert answers[0].headers["RateLimit-Policy"].startswith('"default";q=60;')
        assert answers[0].headers["RateLimit"].startswith('"default";r=19;')
    finally:
        for service in services:
            service.kill()
        cluster.close()


def test_a_replica_whose_clock_is_off_signs_nothing(tmp_path):
    cluster = Cluster()
    clock = Clock(tmp_path)
    service = Service(tmp_path / "replica", environment=clock.environment)
    service.postgresql = cluster.address
    try:
        clock.set(4)
        service.start()
        # Each step is one that a single process would take.
        clock.set(8)
        ready = lambda: service.client().get("/readyz")
        wait_until(lambda: ready().status_code == 503)
        assert "the database's" in ready().text
        assert service.client().post("/v1/signatures", service.offer_body()).status_code == 503
        wait_until(lambda: [item["differs"] for item in listed(service).values()] == [["clock"]])
    finally:
        service.kill()
        cluster.close()


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
        running = Running(lambda: caller.each(jobs))
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


def test_answers_of_the_database_that_are_late_or_lost_break_no_promise(tmp_path):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    dice = random.Random(seed)
    cluster = Cluster()
    proxy = FaultyProxy(cluster, random.Random(seed))
    services = []
    try:
        services = replicas(tmp_path, proxy)
        caller = Caller(services)
        proxy.is_faulty = True
        rounds = 0
        # Until an answer was swallowed, however the dice fall.
        while rounds < scaled(4, 100) or not proxy.faults["swallowed"]:
            rounds += 1
            nonces = wait_until(lambda: nonces_of(dice.choice(services)))
            caller.each([
                lambda http, nonce=dice.choice(nonces), service=dice.choice(services): caller.sign(http, service, nonce)
                for _ in range(scaled(500, 2000))
            ])
        proxy.is_faulty = False
        print(proxy.faults)
        statuses = [note[3] for note in caller.notes]
        # Each request got an answer: it is the database that was lost, not the replica.
        assert {200, 409} <= set(statuses) <= {200, 409, 503}, {status: statuses.count(status) for status in set(statuses)}
        for service in services:
            wait_until(lambda: service.client().post("/v1/signatures", service.offer_body()).status_code == 200, promised=10)
        caller.check(recorded(cluster))
        verify(services[0])
    finally:
        for service in services:
            service.kill()
        proxy.close()
        cluster.close()


def test_limits_are_exact_while_replicas_are_killed(tmp_path, app_store):
    most = scaled(200, 1000)
    cluster = Cluster()
    services = []
    try:
        services = replicas(tmp_path, cluster, extra=limited(app_store, {"total": most, "perCustomer": 1}))
        customers = [f"customer {number}" for number in range(2 * most)]
        outcomes = []

        def ask(http, service, customer):
            try:
                answer = http.post(
                    f"{service.url}/v1/signatures", headers={"Authorization": f"Bearer {service.tokens['client']}"},
                    json=service.offer_body(customerId=customer))
            except httpx.HTTPError:
                return
            if answer.status_code == 200:
                [result] = answer.json()["results"]
                outcomes.append((customer, result["status"], result.get("evidence", {}).get("limit")))
            else:
                assert answer.status_code == 503, answer.text

        caller = Caller(services)
        jobs = [
            lambda http, service=random.choice(services), customer=random.choice(customers): ask(http, service, customer)
            for _ in range(5 * most)
        ]
        running = Running(lambda: caller.each(jobs))
        while running.is_alive():
            victim = random.choice(services)
            victim.kill()
            victim.start()
            running.join(timeout=0.5)
        # What killed replicas took without an answer is taken; the rest is there for others.
        caller.each([lambda http, service=random.choice(services), customer=customer: ask(http, service, customer) for customer in customers])
        signed = {customer for customer, status, _ in outcomes if status == "signed"}
        assert "total" in {limit for _, status, limit in outcomes if status == "refused"} <= {"outstanding", "total"}
        counts = cluster.primary.ask("SELECT customer_id, count(*) FROM signed_request GROUP BY customer_id ORDER BY customer_id")
        counts = {name: int(count) for name, count in counts}
        assert len(counts) == most >= len(signed) and max(counts.values()) <= 10
        assert set(recorded(cluster).values()) == {1}
        live = dict(random.sample(sorted(counts.items()), scaled(20, 100)))
        redeem_beyond_the_limit(services, app_store, live, most)
        verify(services[0])
    finally:
        for service in services:
            service.kill()
        cluster.close()


def nonces_of(service):
    answer = service.client().post("/v1/nonces", {"bundleId": service.bundle_id, "count": 50})
    return [each["nonce"] for each in answer.json()["nonces"]] if answer.status_code == 200 else None


@contextlib.contextmanager
def proxy(services):
    """HAProxy before three replicas, as deploy/ has it; its URL."""
    port, file = free_port(), services[0].folder / "haproxy.cfg"
    file.write_text(opened("haproxy.cfg"))
    replicas = dict(zip(["REPLICA_ONE", "REPLICA_TWO", "REPLICA_THREE"], [f"127.0.0.1:{each.port}" for each in services]))
    process = subprocess.Popen(
        ["haproxy", "-db", "-f", file], env={**os.environ, "LISTEN": f"127.0.0.1:{port}", **replicas},
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: is_answered(f"http://127.0.0.1:{port}/openapi.json"))
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def is_answered(url):
    try:
        return httpx.get(url, timeout=PATIENCE).status_code == 200
    except httpx.HTTPError:
        return False


def test_replicas_are_replaced_one_by_one_and_no_request_fails(group):
    """As an upgrade does it, behind a proxy, with clients that know nothing of it."""
    services, cluster = group
    over = threading.Event()
    answers = []

    def load(http):
        while not over.is_set():
            try:
                answer = http.post(
                    f"{url}/v1/signatures", json=services[0].offer_body(),
                    headers={"Authorization": f"Bearer {services[0].tokens['client']}"})
                answers.append(answer.status_code if answer.status_code == 200 else answer.text)
            except httpx.HTTPError as error:
                answers.append(repr(error))

    with proxy(services) as url:
        caller = Caller(services, threads=12)
        running = Running(lambda: caller.each([load] * caller.threads))
        try:
            for service in services:
                wanted = len(answers) + 200
                service.stop()
                service.start()
                wait_until(lambda: len(answers) >= wanted)
        finally:
            over.set()
            running.join()
    assert [answer for answer in answers if answer != 200] == []
    assert len(recorded(cluster)) == len(answers)
    verify(services[0])


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

    running = Running(lambda: caller.each([load] * caller.threads))
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


def test_a_replica_that_demands_a_standby_is_not_ready_without_one(tmp_path):
    cluster = Cluster(has_standby=True)
    service = Service(tmp_path / "service", environment={"OFFERSIGNER_STORE_REQUIRESYNCHRONOUSSTANDBY": "true"})
    service.postgresql = cluster.address
    ready = lambda: service.client().get("/readyz")
    try:
        service.start()
        for names, wanted in (("", 503), ("two", 200)):
            cluster.primary.stop()
            cluster.primary.standby = names
            cluster.primary.start()
            wait_until(lambda: ready().status_code == wanted and ("no standby" in ready().text) == (wanted == 503))
    finally:
        service.kill()
        cluster.close()


@pytest.mark.parametrize("group", [True], indirect=True)
def test_without_a_standby_a_replica_leaves_one_commit_behind(group):
    services, cluster = group
    service = services[0]
    sign = lambda: service.client().post("/v1/signatures", service.offer_body())
    assert sign().status_code == 200
    cluster.servers[1].kill()
    assert sign().status_code == 503
    waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = 'COMMIT'"
    for _ in range(20):
        assert sign().status_code == 503
    wait_until(lambda: "standby" in service.client().get("/readyz").text)
    # One of each session that writes.
    assert 0 < len(cluster.primary.ask(waiting)) <= 2 * len(services)
    cluster.servers[1].start()
    wait_until(lambda: sign().status_code == 200)
    verify(service)
