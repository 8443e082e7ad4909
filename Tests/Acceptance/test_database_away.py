"""A database that is away, at the start or later, ends no service."""
import itertools
import subprocess
from datetime import datetime

import httpx
import pytest

from harness.postgresql import Cluster
from harness.scale import scaled
from harness.service import ROOT, Service
from harness.waiting import wait_until

AWAY = "the database is away; the service starts once it answers"


@pytest.fixture
def cluster():
    cluster = Cluster()
    yield cluster
    cluster.close()


@pytest.fixture
def service(cluster, tmp_path):
    """A service of the database, stopped."""
    service = Service(tmp_path / "service")
    service.postgresql = cluster.address
    service.start()
    service.stop()
    return service


@pytest.fixture
def serve(service):
    """Starts it as systemd does, without waiting; gives the process."""
    processes = []

    def start():
        with open(service.folder / "log", "ab") as log:
            processes.append(subprocess.Popen(
                service.command("serve"), env=service.environment, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.wait()


def is_ready(service):
    try:
        return service.client().get("/readyz").status_code == 200
    except httpx.HTTPError:
        return False


def test_the_service_waits_for_its_database_and_then_serves(cluster, service, serve):
    cluster.primary.stop()
    process = serve()
    wait_until(lambda: AWAY in service.log_text(), message=service.log_text)
    assert process.poll() is None
    cluster.primary.start()
    wait_until(lambda: is_ready(service), message=service.log_text)
    assert service.client().post("/v1/signatures", service.offer_body()).status_code == 200
    # Said when the reason changes and then each minute, not each second.
    lines = [line for line in service.log() if line["message"] == AWAY]
    for one, next in itertools.pairwise(lines):
        seconds = (datetime.fromisoformat(next["time"]) - datetime.fromisoformat(one["time"])).total_seconds()
        assert one["reason"] != next["reason"] or seconds > 50, lines
    for _ in range(scaled(3, 10)):
        cluster.primary.stop()
        wait_until(lambda: not is_ready(service))
        # From now on the service does not know whether something was revoked. It is alive all the same.
        wait_until(lambda: service.client().post("/v1/nonces", {"bundleId": service.bundle_id}).status_code == 503)
        assert service.client().get("/livez").status_code == 200
        cluster.primary.start()
        wait_until(lambda: is_ready(service), message=service.log_text)
        assert service.client().post("/v1/signatures", service.offer_body()).status_code == 200
    assert process.poll() is None


def test_a_service_that_waits_stops_when_it_is_told_to(cluster, service, serve):
    cluster.primary.stop()
    process = serve()
    wait_until(lambda: AWAY in service.log_text(), message=service.log_text)
    process.terminate()
    assert process.wait() == 128 + 15


def test_a_store_that_was_never_made_is_no_outage(cluster, service):
    cluster.primary.ask("CREATE DATABASE empty", "postgres")
    done = service.cli("serve", environment={
        "OFFERSIGNER_ENVIRONMENT": "production", "OFFERSIGNER_STORE_POSTGRESQL": cluster.address.replace("dbname=offersigner", "dbname=empty")})
    assert done.returncode == 1 and "has no store in it" in done.stderr, done.stderr
