"""`offersigner store copy`: a store of files goes on in PostgreSQL as if nothing had happened, and is served in one place only."""
import json
import signal
import socket
import subprocess
import uuid

import httpx
import pytest

from harness.app_store import BUNDLE
from harness.postgresql import Cluster
from harness.purchases import PRO, active, hand_in, lapsed, now
from harness.service import free_port, instance, speaking_to
from harness.waiting import PATIENCE, wait_until
from test_admin import client
from test_experiment import written
from test_offer_limits import ask, groups

NOTIFICATIONS = f"/v1/appstore/notifications/{BUNDLE}"
LIMITS = {"once": {"perCustomer": 1}, "single": {"outstanding": 1}, "three": {"total": 3}, "winback50": None}
CAMPAIGNS = "/v1/admin/campaigns"
APP = {"bundleId": BUNDLE}


@pytest.fixture(scope="module")
def cluster():
    cluster = Cluster()
    yield cluster
    cluster.close()


@pytest.fixture
def address(cluster):
    """A new, empty database."""
    name = f"d{uuid.uuid4().hex}"
    cluster.primary.ask(f"CREATE DATABASE {name}", "postgres")
    return cluster.address.replace("dbname=offersigner", f"dbname={name}")


@pytest.fixture
def service(app_store, tmp_path):
    """One that enforces eligibility and limits."""
    with speaking_to(app_store, tmp_path, BUNDLE, eligibility="enforce", subscriptionGroups=groups(LIMITS)) as service:
        yield service


def is_listening(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def database_of(address):
    return address.split("dbname=")[1].split()[0]


def name_database(service, address):
    """Has the configuration name a database in place of the files."""
    service.postgresql = address
    instance.configure(service.folder, service.port, address)


def name_files(service):
    service.postgresql = None
    instance.configure(service.folder, service.port)


def copy(service, address, files):
    name_database(service, address)
    return service.cli("store", "copy", "--from", str(files))


class Life:
    """What a service did: nonces, customers with redemptions and refunds, limits, a test that runs, decisions about keys."""

    def __init__(self, service, app_store):
        self.service = service
        self.store = store = app_store.cleared_for(service)
        self.marketing, self.approver = (client(service, role, [BUNDLE]) for role in ("marketing", "approver"))
        self.backend, self.security = service.client("backend"), service.client("security")
        self.used, self.unused = service.client().nonces(BUNDLE, 2)
        self.keyed = {"Idempotency-Key": str(uuid.uuid4())}
        self.publish("main", exclusionGroup="one")
        self.token = str(uuid.uuid4())
        self.customer = store.customer(app_account_token=self.token)
        self.subscription = lapsed(self.customer, intro=True)
        hand_in(service, store, self.customer, "tied")
        self.signed = ask(service, "once", customerId="tied", appAccountToken=self.token)
        assert self.signed["status"] == "signed"
        self.subscription.resubscribe(at=now() - 1000, offer_id="once")
        hand_in(service, store, self.customer, "tied")
        store.send_v2(f"{service.url}{NOTIFICATIONS}", self.subscription)
        wait_until(lambda: self.get("/v1/customers/tied")["offers"]["redeemed"][0]["signature"])
        for number in range(3):
            other = store.customer()
            (active if number else lapsed)(other)
            hand_in(service, store, other, f"other-{number}")
        receipt = store.customer()
        lapsed(receipt)
        store.add(receipt)
        self.backend.post(
            "/v1/history/receipts", {**APP, "customerId": "by-receipt", "receiptData": receipt.receipt()})
        assert self.backend.post("/v1/customers/tied/merge", {**APP, "from": "anon"}).status_code == 200
        lapsed_twice = store.customer()
        lapsed(lapsed_twice)
        hand_in(service, store, lapsed_twice, "limited")
        assert ask(service, "single", customerId="limited")["status"] == "signed"
        assert ask(service, "three", customerId="limited")["status"] == "signed"
        assert ask(service, "winback50", customerId="unknown")["status"] == "refused"
        self.first = service.client().post(
            "/v1/signatures", self.body("limited", self.used), headers=self.keyed)
        assert self.first.status_code == 200, self.first.text
        testers = [{"customerId": name, "variant": "half"} for name in ("other-2", "other-1")]
        answer = self.marketing.request(
            "PUT", f"{CAMPAIGNS}/main/testers", json={"testers": testers}, headers={"If-Match": "*"})
        assert answer.status_code == 200, answer.text
        for name in ("tied", "limited", "other-0", "other-1"):
            service.client().post("/v1/offers", {**APP, "customerId": name, "placement": "main"})

    def body(self, customer, nonce):
        offer = {"productId": PRO, "offerId": "winback50", **({"nonce": nonce} if nonce else {})}
        return {**APP, "customerId": customer, "offers": [offer]}

    def publish(self, campaign, **changes):
        answer = self.marketing.post(CAMPAIGNS, written(campaign, **changes))
        assert answer.status_code == 201, answer.text
        self.change(campaign, "submit")
        self.change(campaign, "approve", self.approver, publish=True)

    def change(self, campaign, word, person=None, **body):
        answer = (person or self.marketing).request(
            "POST", f"{CAMPAIGNS}/{campaign}/{word}", json=body, headers={"If-Match": "*"})
        assert answer.status_code == 200, answer.text

    def get(self, path, client=None, **query):
        answer = (client or self.backend).get(path, params={**APP, **query})
        assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    def seen(self):
        """All that people and apps are shown, but for times of now."""
        customers = ["tied", "anon", "limited", "by-receipt", "other-0", "other-1"]
        seen = {name: self.get(f"/v1/customers/{name}") for name in customers}
        seen |= {f"{name}/timeline": self.get(f"/v1/customers/{name}/timeline", limit=200) for name in customers}
        for name in customers:
            answer = self.service.client().post("/v1/eligibility", {**APP, "customerId": name, "products": [PRO]})
            seen[f"{name}/eligibility"] = answer.json()
        for path in (CAMPAIGNS, f"{CAMPAIGNS}/main", f"{CAMPAIGNS}/main/revisions", f"{CAMPAIGNS}/main/testers"):
            seen[path] = self.get(path, self.marketing)
        lines = self.marketing.get(f"{CAMPAIGNS}/main/assignments", params=APP).text.splitlines()
        seen["assignments"] = [json.loads(line) for line in sorted(lines)]
        results = wait_until(lambda: self.counted())
        seen["results"] = results["variants"]
        for path in ("/v1/admin/keys", "/v1/admin/access"):
            seen[path] = self.security.get(path).json()
        # Those from before the copy.
        seen["audit"] = [
            {name: value for name, value in each.items() if name != "id"}
            for each in self.security.get("/v1/admin/audit?limit=200").json()["items"]
            if each["action"] not in ("store.copy", "configuration.load", "key.load")]
        return without_now(seen)

    def counted(self):
        results = self.get(f"{CAMPAIGNS}/main/results", self.marketing)
        return results if "variants" in results and "counting" not in results else None


def without_now(value):
    """The same without what tells of the time of asking."""
    if isinstance(value, dict):
        return {
            name: without_now(each) for name, each in value.items()
            # `figures` are counted in the background.
            if name not in ("asOf", "lastUsedAt", "checkedAt", "countedAt", "figures")}
    return [without_now(each) for each in value] if isinstance(value, list) else value


def test_a_store_goes_on_in_a_database(service, app_store, cluster, address):
    life = Life(service, app_store)
    before = life.seen()
    files = service.store
    kept = wait_until(lambda: life.security.get("/v1/admin/audit/head").json()["head"])
    service.stop()
    done = copy(service, address, files)
    assert done.returncode == 0, done.stderr
    assert "copied " in done.stdout and "complete and unchanged" in done.stdout, done.stdout
    service.start()
    assert life.seen() == before
    # The head that was kept before is one of the log's.
    head = service.folder / "head"
    head.write_text(kept)
    verified = service.cli("audit", "verify", "--head", str(head))
    assert verified.returncode == 0 and "complete and unchanged" in verified.stdout, verified.stdout + verified.stderr
    # Nonces, repetitions, limits.
    assert service.client().problem("/v1/signatures", life.body("limited", life.used))[:2] == (409, "nonce-replayed")
    again = service.client().post("/v1/signatures", life.body("limited", life.used), headers=life.keyed)
    assert again.json() == life.first.json()
    assert service.client().post("/v1/signatures", life.body("limited", life.unused)).status_code == 200
    assert ask(service, "once", customerId="tied")["code"] == "offer-limit-reached"
    assert ask(service, "single", customerId="limited")["code"] == "offer-limit-reached"
    # One holds a place already, two take the others, and none is left.
    names = ("by-receipt", "limited", "other-0", "other-1")
    assert [ask(service, "three", customerId=name)["status"] for name in names] == ["signed"] * 3 + ["refused"]
    # What the App Store tells later finds its place.
    life.subscription.refund(at=now())
    sent = life.store.send_v2(f"{service.url}{NOTIFICATIONS}", life.subscription)
    assert sent["attempts"][-1]["status"] == 200
    wait_until(lambda: life.get("/v1/customers/tied")["offers"]["redeemed"][0]["refunded"])
    [event] = life.security.get("/v1/admin/audit?action=store.copy").json()["items"]
    assert event["actor"] == "command-line"
    done = service.cli("store", "check")
    assert done.returncode == 0 and "complete and unchanged" in done.stdout, done.stdout + done.stderr
    cluster.primary.ask("UPDATE offer_limit SET outstanding = outstanding + 1 WHERE outstanding > 0", database_of(address))
    done = service.cli("store", "check")
    assert done.returncode != 0 and "another number of places" in done.stdout, done.stdout + done.stderr


def test_a_store_that_was_copied_is_not_served_any_more(new_service, address):
    service = new_service()
    used, unused = service.client().nonces(service.bundle_id, 2)
    service.client().sign(service.offer_body(nonce=used))
    files = service.store
    refused = copy(service, address, files)
    assert refused.returncode != 0 and "another service of this machine" in refused.stderr
    service.stop()
    assert copy(service, address, files).returncode == 0
    name_files(service)
    for words in (["serve"], ["access", "list"]):
        done = service.cli(*words)
        assert done.returncode != 0 and "was copied to postgresql" in done.stderr and "store restored" in done.stderr, done.stderr
    # Back to the files: what was used since they do not know.
    done = service.cli("store", "restored")
    assert done.returncode == 0, done.stderr
    service.start()
    codes = [service.client().problem("/v1/signatures", service.offer_body(nonce=nonce))[1] for nonce in (used, unused)]
    assert codes == ["nonce-replayed", "nonce-not-issued"]


def test_a_process_that_has_the_files_open_signs_nothing_any_more(new_service, address):
    service = new_service()
    port = free_port()
    second = subprocess.Popen(
        service.command("serve", "--allow-second-process"), env={**service.environment, "OFFERSIGNER_HTTP_PORT": str(port)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        sign = lambda: httpx.post(
            f"http://127.0.0.1:{port}/v1/signatures", json=service.offer_body(), timeout=PATIENCE,
            headers={"Authorization": f"Bearer {service.tokens['client']}"})
        wait_until(lambda: is_listening(port))
        assert sign().status_code == 200
        files = service.store
        service.stop()
        assert copy(service, address, files).returncode == 0
        answer = sign()
        assert answer.status_code == 503 and "was copied to" in answer.json()["detail"]
        # Not even where the files are taken up again: it knows secrets that are forgotten then.
        name_files(service)
        assert service.cli("store", "restored").returncode == 0
        assert sign().status_code == 503
    finally:
        second.kill()
        second.wait()


def test_a_second_copy_accepts_no_nonce_from_before(new_service, cluster, address):
    service = new_service()
    [unused] = service.client().nonces(service.bundle_id, 1)
    files = service.store
    service.stop()
    for number in range(2):
        cluster.primary.ask(f"CREATE SCHEMA s{number}", database_of(address))
        done = copy(service, f"{address} options=-csearch_path=s{number}", files)
        assert done.returncode == 0, done.stderr
    service.start()
    assert service.client().problem("/v1/signatures", service.offer_body(nonce=unused))[1] == "nonce-not-issued"


def test_a_copy_is_whole_or_not_there(new_service, cluster, address):
    service = new_service()
    [unused] = service.client().nonces(service.bundle_id, 1)
    files, database = service.store, database_of(address)
    service.stop()
    name_database(service, address)
    # Something keeps the copy waiting where it is killed.
    holder = subprocess.Popen(
        ["psql", address, "-Xqc", "BEGIN; CREATE TABLE schema_version (version int8 NOT NULL)", "-c", "SELECT pg_sleep(600)"],
        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    sessions = f"FROM pg_stat_activity WHERE datname = '{database}' AND pid <> pg_backend_pid()"
    wait_until(lambda: cluster.primary.ask(f"SELECT 1 {sessions} AND wait_event = 'PgSleep'"))
    copying = subprocess.Popen(service.command("store", "copy", "--from", str(files)), env=service.environment)
    wait_until(lambda: cluster.primary.ask(f"SELECT 1 {sessions} AND wait_event_type = 'Lock'"))
    copying.send_signal(signal.SIGKILL)
    copying.wait()
    cluster.primary.ask(f"SELECT pg_terminate_backend(pid) {sessions} AND wait_event = 'PgSleep'")
    holder.wait()
    wait_until(lambda: not cluster.primary.ask(f"SELECT 1 {sessions}"))
    assert cluster.primary.ask("SELECT 1 FROM pg_class WHERE relname = 'signed_request'", database) == []
    done = copy(service, address, files)
    assert done.returncode == 0, done.stderr
    taken = copy(service, address, files)
    assert taken.returncode != 0 and "has a store in it" in taken.stderr
    service.start()
    assert service.client().sign(service.offer_body(nonce=unused))[0]["status"] == "signed"
