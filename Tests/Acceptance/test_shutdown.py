"""SIGTERM under load: whoever was let in is answered, and the last batch is durable."""
import asyncio
import json
import socket
import subprocess
import threading
import time

import pytest

from harness import wire
from harness.scale import scaled
from harness.service import BINARY, EXAMPLE, ROOT


def pressed_until_terminated(service, connections, reconnect, delay=0.7):
    load = wire.Load()

    def make(worker, number):
        return wire.request("/v1/signatures", service.offer_body(), service.tokens["client"])

    timer = threading.Timer(delay, service.terminate)
    timer.start()
    asyncio.run(asyncio.wait_for(wire.press(service.url, make, load, connections, reconnect), 30))
    timer.join()
    deadline = time.monotonic() + 15
    while service.is_running:
        assert time.monotonic() < deadline, "still running 15 s after SIGTERM"
        time.sleep(0.02)
    assert ended_gracefully(service)
    return load


def ended_gracefully(service):
    """Whether it came to its last line: one that a signal or a trap ended does not."""
    return service.log()[-1]["message"] == "stopped"


@pytest.mark.parametrize("turn", range(scaled(2, 10)))
def test_busy_connections_are_all_answered_and_every_answered_signature_is_durable(new_service, turn):
    service = new_service()
    load = pressed_until_terminated(service, connections=100, reconnect=False)
    assert load.statuses().keys() == {200}, load.statuses()
    assert len(load.answers) > 500
    assert not load.unanswered, f"{len(load.unanswered)} of {len(load.answers)} without an answer: {load.unanswered[:3]}"
    # Nothing but what was answered is on record: no accepted request was dropped on the way either.
    assert sorted(load.nonces()) == sorted(service.rows())


def test_clients_that_connect_again_meet_a_closed_door_but_never_a_broken_connection(new_service):
    service = new_service()
    load = pressed_until_terminated(service, connections=100, reconnect=True)
    assert load.refused > 0
    assert not load.unanswered, f"{len(load.unanswered)} of {len(load.answers)} without an answer: {load.unanswered[:3]}"
    assert sorted(load.nonces()) == sorted(service.rows())


def test_the_process_ends_with_zero_and_says_so(new_service, tmp_path):
    service = new_service()
    service.stop()
    process = subprocess.Popen(
        [BINARY, "serve", "--config", EXAMPLE, "--config", service.folder / "instance.yaml"],
        stdout=(tmp_path / "out").open("wb"), stderr=subprocess.STDOUT, cwd=ROOT,
    )
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            assert service.client().get("/readyz").status_code == 200
            break
        except Exception:
            time.sleep(0.02)
    service.client().sign(service.offer_body())
    begin = time.monotonic()
    process.terminate()
    assert process.wait(10) == 0
    assert time.monotonic() - begin < 5, "an idle service takes too long to end"
    last = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()][-1]
    assert last["message"] == "stopped"


def test_idle_connections_do_not_hold_up_the_end(new_service):
    service = new_service()

    async def idle():
        volley = await wire.Volley.open(service.url, 50)
        service.terminate()
        begin = time.monotonic()
        while service.is_running and time.monotonic() - begin < 20:
            await asyncio.sleep(0.02)
        volley.close()
        return time.monotonic() - begin

    assert asyncio.run(idle()) < 5
    assert ended_gracefully(service)


@pytest.mark.parametrize("path", [None, "/livez", "/readyz"])
def test_connections_that_come_in_the_last_moment_end_nothing(new_service, path):
    """A service that is ending has nobody left to hand them to."""
    service = new_service()
    over = threading.Event()
    made = []

    def connect():
        while not over.is_set():
            try:
                made.append(socket.create_connection(("127.0.0.1", service.port), timeout=1))
                if path:
                    made[-1].sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            except OSError:
                time.sleep(0.001)

    crowd = [threading.Thread(target=connect) for _ in range(4)]
    for one in crowd:
        one.start()
    time.sleep(0.15)
    service.terminate()
    begin = time.monotonic()
    while service.is_running and time.monotonic() - begin < 20:
        time.sleep(0.02)
    took = time.monotonic() - begin
    over.set()
    for one in crowd:
        one.join()
    for connection in made:
        connection.close()
    assert took < 5
    assert ended_gracefully(service)
