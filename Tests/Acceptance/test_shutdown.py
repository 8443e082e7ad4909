"""SIGTERM under load: every accepted request is answered, and the last batch is durable."""
import asyncio
import json
import socket
import subprocess
import threading
import time

import httpx
import pytest

from harness import wire
from harness.scale import scaled
from harness.service import ROOT
from harness.waiting import PATIENCE, wait_until

# Nothing that merely waits for something to come may hold up the end: each of these waits would, for longer than a test does.
LONG_WAITS = (
    "http: {idleTimeoutSeconds: 3600}\naudit: {sealSeconds: 3600}\n"
    "appStore: {pollSeconds: 86400, catchUpSeconds: 86400, serverAPI: {production: 'http://127.0.0.1:9', sandbox: 'http://127.0.0.1:9'}}\n"
)
# In s. Requests that are sent so soon after SIGTERM on a connection that is open are let in (EndpointHandler.drainDelay is 0.4 s).
LET_IN = 0.35


def pressed_until_terminated(service, connections, reconnect, answers=600):
    """Ends the service under load; fails if a request that it has to answer got no answer."""
    load, signalled = wire.Load(), []

    def make(worker, number):
        return wire.request("/v1/signatures", service.offer_body(), service.tokens["client"])

    def end():
        signalled.append(time.monotonic())
        service.terminate()

    asyncio.run(wire.press_until(lambda: len(load.answers) > answers, end, service.url, make, load, connections, reconnect))
    wait_until(lambda: not service.is_running, promised=15)
    assert ended_gracefully(service)
    # A client on a busy machine may think for so long about an answer that the service takes its connection for a silent one.
    broken = [error for sent, error in load.unanswered if sent is None or sent < signalled[0] + LET_IN]
    assert not broken, f"{len(broken)} of {len(load.answers)} without an answer: {broken[:3]}"
    return load


def ended_gracefully(service):
    """Whether it reached its last line: one that a signal or a trap ended does not."""
    return service.log()[-1]["message"] == "stopped"


@pytest.mark.parametrize("turn", range(scaled(2, 10)))
def test_busy_connections_are_all_answered_and_every_answered_signature_is_durable(new_service, turn):
    service = new_service()
    load = pressed_until_terminated(service, connections=100, reconnect=False)
    assert load.statuses().keys() == {200}, load.statuses()
    # Nothing but what was answered is on record: no accepted request was dropped on the way either.
    assert sorted(load.nonces()) == sorted(service.rows())


def test_clients_that_connect_again_meet_a_closed_door_but_never_a_broken_connection(new_service):
    service = new_service()
    load = pressed_until_terminated(service, connections=100, reconnect=True)
    assert load.refused > 0
    assert sorted(load.nonces()) == sorted(service.rows())


def test_the_process_ends_with_zero_and_says_so(new_service, tmp_path):
    service = new_service(extra=LONG_WAITS)
    service.stop()
    process = subprocess.Popen(service.command("serve"), stdout=(tmp_path / "out").open("wb"), stderr=subprocess.STDOUT, cwd=ROOT)

    def is_ready():
        assert process.poll() is None
        try:
            return service.client().get("/readyz").status_code == 200
        except httpx.TransportError:
            return False

    wait_until(is_ready)
    service.client().sign(service.offer_body())
    process.terminate()
    wait_until(lambda: process.poll() is not None, promised=5, message="an idle service has not ended")
    assert process.returncode == 0
    last = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()][-1]
    assert last["message"] == "stopped"


def test_idle_connections_do_not_hold_up_the_end(new_service):
    service = new_service(extra=LONG_WAITS)
    idle = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(50)]
    wait_until(lambda: all(map(wire.is_read, idle)))
    service.terminate()
    wait_until(lambda: not service.is_running, promised=5)
    for connection in idle:
        connection.close()
    assert ended_gracefully(service)


@pytest.mark.parametrize("path", [None, "/livez", "/readyz"])
def test_connections_that_come_in_the_last_moment_end_nothing(new_service, path):
    """A service that is ending cannot hand them on."""
    service = new_service(extra=LONG_WAITS)
    over = threading.Event()
    made = []

    def connect():
        # A process has only so many descriptors.
        while not over.is_set() and len(made) < 4000:
            try:
                made.append(socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE))
                if path:
                    made[-1].sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            except OSError:
                time.sleep(0.001)

    crowd = [threading.Thread(target=connect) for _ in range(4)]
    for one in crowd:
        one.start()
    try:
        wait_until(lambda: len(made) > 100)
        service.terminate()
        wait_until(lambda: not service.is_running, promised=5)
    finally:
        over.set()
        for one in crowd:
            one.join()
        for connection in made:
            connection.close()
    assert ended_gracefully(service)
