"""The program takes over the store of its own build and of every release, behind a proxy and under load, and no request fails; all that was there is there."""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import threading
import time

import httpx
import pytest

from harness.clock import Clock
from harness.postgresql import Cluster
from harness.proxies import opened
from harness.service import ROOT, free_port, instance
from harness.waiting import PATIENCE, wait_until
from store_fixture import DUMP, FOLDER, SECOND_KEY, STORES, UNSEEN, make
from test_admin import Person
from test_offer_limits import ask
from test_receipt_polling import BUNDLE as OLD_APP
from test_replicas import recorded
from test_store_copy import Life, is_listening

# A program of an earlier release, to be replaced while it serves; without it the load meets nothing until the new one is there.
EARLIER = os.environ.get("EARLIER_PROGRAM")


class Taken(Life):
    """What a fixture's service was, taken up."""

    def __init__(self, service, facts):
        self.service = service
        self.used, self.unused = facts["used"], facts["unused"]
        self.keyed = {"Idempotency-Key": facts["idempotencyKey"]}

    def sign_in(self, facts):
        self.backend, self.security = self.service.client("backend"), self.service.client("security")
        self.marketing = Person(self.service, facts["marketing"])


KINDS = ["files", "postgresql"]


@pytest.fixture(params=KINDS + sorted(STORES.glob("*/*.tar.xz")), ids=lambda kind: kind if kind in KINDS else f"{kind.parent.name} {kind.name}")
def taken(request, tmp_path, new_service):
    """A stopped service with the store of this build or of a release, the facts about it, and its database. Its clock goes on where that
    one's stopped."""
    archived = request.param
    if archived in KINDS:
        archived = tmp_path / "store.tar.xz"
        with contextlib.closing(Cluster()) if request.param == "postgresql" else contextlib.nullcontext() as made_in:
            make(archived, tmp_path / "made", made_in)
    service = new_service(extra="# Follows.\n", start=False)
    with tarfile.open(archived) as archive:
        archive.extractall(service.folder)
    facts = json.loads((service.folder / "facts.json").read_text())
    extra = (service.folder / "extra.yaml").read_text().replace(FOLDER, str(service.folder))
    dump = service.folder / DUMP
    with contextlib.ExitStack() as stack:
        cluster = None
        if dump.exists():
            # The service compares its clock with the database's, whose owner may read only what is in the cluster's folder.
            clock_folder = pathlib.Path(tempfile.mkdtemp(prefix="clock"))
            stack.callback(shutil.rmtree, clock_folder)
            clock_folder.chmod(0o755)
        else:
            clock_folder = tmp_path
            extra += f"store: {{sqlite: {service.folder}/offersigner.sqlite}}\n"
        service.extra.write_text(extra)
        clock = Clock(clock_folder)
        clock.set(facts["madeAt"] + 1 - int(time.time()))
        service.environment.update(clock.environment)
        if dump.exists():
            with pytest.MonkeyPatch.context() as patch:
                for name, value in clock.environment.items():
                    patch.setenv(name, value)
                cluster = stack.enter_context(contextlib.closing(Cluster()))
            subprocess.run(
                ["psql", "-h", cluster.primary.folder, "-U", "offersigner", "-d", "offersigner", "-Xq", "-v", "ON_ERROR_STOP=1", "-f", dump],
                check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            service.postgresql = cluster.address
        yield Taken(service, facts), facts, cluster


def contains(found, wanted, path="$"):
    """Fails unless all that was said before is said; there may be more now."""
    if isinstance(wanted, dict):
        assert isinstance(found, dict), path
        for name, value in wanted.items():
            assert name in found, f"{path}.{name}"
            # The load uses a key.
            if not re.search(r"/keys.*\.(lastSignedAt|signatures)$", f"{path}.{name}"):
                contains(found[name], value, f"{path}.{name}")
    elif isinstance(wanted, list):
        assert isinstance(found, list) and len(found) == len(wanted), f"{path}: {found} in place of {wanted}"
        for index, value in enumerate(wanted):
            contains(found[index], value, f"{path}[{index}]")
    else:
        assert found == wanted, f"{path}: {found!r} in place of {wanted!r}"


@contextlib.contextmanager
def proxy(port, folder):
    """HAProxy as docs/operations.md has it for an upgrade; its URL."""
    [backend] = re.findall(r"^```haproxy\n(.*?)^```$", (ROOT / "docs/operations.md").read_text(), re.S | re.M)
    listen = free_port()
    front = opened("haproxy.cfg").split("\n# Replicas in containers")[0].replace("default_backend replicas", "default_backend offersigner")
    file = folder / "haproxy.cfg"
    file.write_text(front + backend.replace("127.0.0.1:8080", f"127.0.0.1:{port}"))
    process = subprocess.Popen(
        ["haproxy", "-db", "-f", file], env={**os.environ, "LISTEN": f"127.0.0.1:{listen}"}, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: is_listening(listen))
        yield f"http://127.0.0.1:{listen}"
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def load(url, body, token, threads=8):
    """Signs all the time; gives the list of what came of it: nonces, or what came in place of an answer."""
    over, answers = threading.Event(), []

    def sign():
        with httpx.Client(timeout=PATIENCE) as http:
            while not over.is_set():
                try:
                    answer = http.post(f"{url}/v1/signatures", json=body, headers={"Authorization": f"Bearer {token}"})
                    answers.append(answer.json()["results"][0]["nonce"] if answer.status_code == 200 else answer.text)
                except httpx.HTTPError as error:
                    answers.append(repr(error))

    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        signing = [pool.submit(sign) for _ in range(threads)]
        try:
            yield answers
        finally:
            over.set()
        for each in signing:
            each.result()


def test_the_store_of_a_release_is_taken_over_without_a_failed_request(taken, tmp_path, monkeypatch):
    life, facts, cluster = taken
    service = life.service
    service.port = free_port()
    token = json.loads((service.folder / "tokens.json").read_text())["client"]
    with proxy(service.port, tmp_path) as url, load(url, life.body(UNSEEN, None), token) as answers:
        more = lambda: wait_until(lambda wanted=len(answers) + 200: len(answers) >= wanted)
        if EARLIER:
            with monkeypatch.context() as earlier:
                earlier.setattr(instance, "BINARY", pathlib.Path(EARLIER))
                service.start()
            more()
            service.stop()
        service.start()
        more()
        # An upgrade without a migration.
        service.stop()
        service.start()
        more()
    failed = [answer for answer in answers if not re.fullmatch(r"[0-9a-f-]{36}", answer)]
    assert failed == []
    assert (recorded(cluster) if cluster else service.rows()).keys() >= set(answers)
    assert len(set(answers)) == len(answers)
    life.sign_in(facts)
    # What people and apps are shown.
    contains(life.seen(), facts["seen"])
    contains(life.get("/v1/customers/old", bundleId=OLD_APP)["subscriptions"], facts["old"])
    # The audit log, from a head that was kept before.
    head = service.folder / "head"
    head.write_text(facts["keptHead"])
    for words in (["audit", "verify", "--head", str(head)], ["store", "check"]):
        done = service.cli(*words)
        assert done.returncode == 0 and "complete and unchanged" in done.stdout, done.stdout + done.stderr
    # Nonces, repetitions, limits, keys.
    assert service.client().problem("/v1/signatures", life.body("limited", life.used))[:2] == (409, "nonce-replayed")
    again = service.client().post("/v1/signatures", life.body("limited", life.used), headers=life.keyed)
    contains(again.json(), facts["answer"])
    assert service.client().post("/v1/signatures", life.body("limited", life.unused)).status_code == 200
    for customer, offer in (("tied", "once"), ("limited", "single")):
        assert ask(service, offer, customerId=customer)["code"] == "offer-limit-reached"
    assert ask(service, "winback50", customerId=UNSEEN)["keyIdentifier"] == SECOND_KEY
    # What came before the activity of campaigns is in it as far as it is known.
    steps = [each["step"] for each in life.get("/v1/admin/campaigns/paused/activity", life.marketing)["items"]]
    assert {"create", "approve", "publish", "pause"} <= set(steps), steps
