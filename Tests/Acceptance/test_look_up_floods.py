"""Many look-ups of customers at once, each through the whole ledger: they hold up neither a revocation nor the administration."""
import asyncio
import collections
import sqlite3
import threading
import time

import pytest

from harness.scale import IS_FULL, scaled
from harness.waiting import PATIENCE, wait_until
from test_key_rotation import OLD

ROWS = scaled(200_000, 1_000_000)
CONNECTIONS = 350
# In s: how soon a revocation is in force.
AT_ONCE = 0.3


class Flood:
    """Connections of two access keys that look customers up again and again, until the end of the block."""

    def __init__(self, service):
        self.service, self.answers, self.ends = service, collections.Counter(), threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.run()))

    def __enter__(self):
        self.thread.start()
        wait_until(lambda: self.answers[200] >= 2)
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.thread.join()

    async def run(self):
        keys = [self.service.tokens["backend"], self.service.tokens["admin"]]
        crowd = [asyncio.create_task(self.ask(number, keys[number % 2])) for number in range(CONNECTIONS)]
        while not self.ends.is_set():
            await asyncio.sleep(0.01)
        for each in crowd:
            each.cancel()

    async def ask(self, number, token):
        customer = f"/v1/customers/stranger-{number}"
        method, path = [("GET", f"{customer}/timeline"), ("GET", f"{customer}/export"), ("DELETE", customer)][number % 3]
        request = f"{method} {path}?bundleId={self.service.bundle_id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n"
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.service.port)
            try:
                while True:
                    writer.write(request.encode())
                    head = await reader.readuntil(b"\r\n\r\n")
                    await reader.readexactly(int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
                    status = int(head[9:12])
                    # Of a stranger nothing is found, at the end of the ledger.
                    self.answers[200 if status == 404 else status] += 1
                    if status != 404:
                        await asyncio.sleep(0.1)
            except (OSError, asyncio.IncompleteReadError):
                self.answers["broken"] += 1
            finally:
                writer.transport.abort()


def grow(service, rows):
    """Copies a signed request so many times."""
    service.stop()
    connection = sqlite3.connect(service.store, timeout=PATIENCE)
    columns = ", ".join(row[1] for row in connection.execute("PRAGMA table_info(signed_request)") if row[1] != "id")
    connection.execute(
        f"INSERT INTO signed_request ({columns}) WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT {rows}) "
        f"SELECT {columns} FROM number, (SELECT * FROM signed_request LIMIT 1)")
    connection.commit()
    connection.close()
    service.start()


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    from harness.service import Service

    service = Service(tmp_path_factory.mktemp("flood") / "service", extra="limits: {requestsPerSecond: 5, burst: 400}\n")
    service.start()
    assert service.client("backend").post("/v1/signatures", service.offer_body(customerId="c-1")).status_code == 200
    grow(service, ROWS)
    yield service
    service.stop()


def test_a_look_up_is_charged_for_the_rows_that_it_reads(large):
    cheap, dear = (large.client(token=large.cli("access", "create", "--role", "backend").stdout.strip()) for _ in range(2))
    wait_until(lambda: all(each.post("/v1/nonces", {"bundleId": large.bundle_id}).status_code == 200 for each in (cheap, dear)))
    path, count = f"/v1/customers/stranger/timeline?bundleId={large.bundle_id}", 0
    while dear.get(path).status_code != 429:
        count += 1
        assert cheap.post("/v1/nonces", {"bundleId": large.bundle_id}).status_code == 200
        assert count < 60, "as many look-ups as cheap requests"


def slowest(service):
    """How long the slowest of some requests of the admin API but one takes, in s."""
    client, seconds = service.client("security"), []
    for _ in range(100):
        begin = time.monotonic()
        assert client.get("/v1/admin/keys").status_code == 200
        seconds.append(time.monotonic() - begin)
    return sorted(seconds)[98]


def is_idle(service):
    before = service.processor_time()
    time.sleep(0.5)
    return service.processor_time() - before < 0.05


def test_revocations_go_ahead_of_look_ups_which_end_with_their_client(large, record_property):
    client, security = large.client("client"), large.client("security")
    before = large.processor_time()
    # The dearest: it goes through the whole ledger, and is carried out although its client has gone.
    assert large.client("admin").request("DELETE", f"/v1/customers/nobody?bundleId={large.bundle_id}").status_code == 404
    cost = large.processor_time() - before
    memory, calm = large.memory(), slowest(large)
    with Flood(large) as flood:
        token = large.cli("access", "create", "--role", "client").stdout.strip()
        other = large.client(token=token)
        wait_until(lambda: other.post("/v1/nonces", {"bundleId": large.bundle_id}).status_code == 200)
        for kind, revoke, is_refused in [
            ("access key", ["access", "revoke", token.split("_")[1]], lambda: other.post("/v1/nonces", {"bundleId": large.bundle_id}).status_code == 401),
            ("signing key", ["keys", "revoke", OLD, "--even-if-active"], lambda: client.post("/v1/signatures", large.offer_body()).status_code != 200),
        ]:
            assert security.get("/v1/admin/keys").status_code == 200
            done = large.cli(*revoke)
            assert done.returncode == 0, done.stderr
            looked_up = flood.answers[200]
            wait_until(is_refused, promised=AT_ONCE)
            # Before, it waited for all that were under way.
            passed = flood.answers[200] - looked_up
            record_property(f"look-ups before the revocation of the {kind}", passed)
            assert passed < CONNECTIONS / 10, f"{passed} look-ups went ahead of the revocation of the {kind}"
        flooded = slowest(large)
        record_property("p99 of the admin API, in s: calm, and in the flood", (calm, flooded))
        # The ratio is that of a machine that has a processor for the clients.
        assert not IS_FULL or flooded < 1 and flooded <= 10 * max(calm, 0.01)
        wait_until(lambda: flood.answers[429] and flood.answers[503])
        assert not flood.answers["broken"], flood.answers
    end = large.processor_time()
    wait_until(lambda: is_idle(large))
    after = large.processor_time() - end
    record_property("erasures worth of work after the flood", after / cost)
    assert after < 4 * cost + 1, f"{after:.1f} s of work after the flood; an erasure costs {cost:.2f} s"
    record_property("MB", large.memory() - memory)
    assert large.memory() < memory + 150
