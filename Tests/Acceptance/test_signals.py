"""Signals: the first word to stop drains, the second does not wait, and no other ends the process."""
import contextlib
import os
import select
import signal
import socket
import sqlite3
import subprocess
import time

import pytest

from harness import wire
from harness.service import ROOT
from harness.waiting import PATIENCE, wait_until

# A connection that is still there has not merely been idle for too long.
EXTRA = "http: {idleTimeoutSeconds: 3600}\n"
# Requests.
HELD_UP = 12


@pytest.fixture
def served(new_service):
    """(service, process): one whose exit code can be had."""
    service = new_service(extra=EXTRA)
    service.stop()
    with (service.folder / "log").open("ab") as log:
        process = subprocess.Popen(service.command("serve"), stdout=log, stderr=log, cwd=ROOT, env=service.environment)

    def is_ready():
        assert process.poll() is None
        try:
            return service.client().get("/readyz").status_code == 200
        except Exception:
            return False

    wait_until(is_ready)
    yield service, process
    process.kill()
    process.wait(PATIENCE)


def half_a_request(service):
    connection = socket.create_connection(("127.0.0.1", service.port))
    connection.sendall(
        f"POST /v1/signatures HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {service.tokens['client']}\r\n"
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{".encode())
    wait_until(lambda: wire.is_read(connection))
    return connection


@contextlib.contextmanager
def held_up(service):
    """A connection with requests that are answered after 5 s each: the store is locked, which is waited for."""
    with contextlib.closing(sqlite3.connect(service.store, isolation_level=None)) as store:
        store.execute("BEGIN IMMEDIATE")
        with socket.create_connection(("127.0.0.1", service.port)) as connection:
            connection.sendall(HELD_UP * wire.request("/v1/signatures", service.offer_body(), service.tokens["client"]))
            wait_until(lambda: wire.is_read(connection))
            yield connection


def messages(service):
    return [line["message"] for line in service.log()]


@pytest.mark.parametrize("first", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT])
@pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_stops_at_once(served, first, second):
    service, process = served
    service.client().sign(service.offer_body())
    rows = set(service.rows())
    with held_up(service) as whole, half_a_request(service) as half:
        begin = time.monotonic()
        process.send_signal(first)
        wait_until(lambda: "stopping" in messages(service))
        time.sleep(0.3)
        is_closed = bool(select.select([half], [], [], 0)[0])
        # On a busy machine that was longer than it is waited for.
        assert not is_closed or time.monotonic() > begin + 2, "half a request was not waited for at all"
        assert process.poll() is None
        process.send_signal(second)
        wait_until(lambda: process.poll() is not None, promised=0.5)
        assert process.returncode == 128 + second
        # Nor was anything else waited for.
        assert whole.recv(1 << 20).count(b"HTTP/1.1 ") < HELD_UP
    assert messages(service)[-1].startswith("stopped at once")
    assert set(service.rows()) == rows


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT])
def test_one_signal_drains_and_ends_with_zero(served, number):
    service, process = served
    process.send_signal(number)
    assert process.wait(PATIENCE) == 0
    assert messages(service)[-1] == "stopped"


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2])
def test_no_other_signal_ends_the_process(served, number):
    service, process = served
    client = service.client()
    for _ in range(20):
        process.send_signal(number)
        client.sign(service.offer_body())
    assert process.poll() is None
    process.terminate()
    # Nor does one keep it from ending, or end it abruptly.
    process.send_signal(number)
    assert process.wait(PATIENCE) == 0


def test_a_hangup_reads_the_level_of_the_log_again(served):
    service, process = served
    extra, client = service.folder / "extra.yaml", service.client()

    def request_line():
        answer = client.post("/v1/signatures", service.offer_body())
        lines = service.log_lines_of(answer.headers["x-request-id"], 2 if expected else 1)
        return "request" in {line["message"] for line in lines}

    def hang_up(text, message):
        count = messages(service).count(message)
        extra.write_text(EXTRA + text)
        os.kill(process.pid, signal.SIGHUP)
        wait_until(lambda: messages(service).count(message) == count + 1)

    expected = True
    assert request_line()
    # The notice itself is below the new level.
    extra.write_text(EXTRA + "logging: {level: error}\n")
    os.kill(process.pid, signal.SIGHUP)
    expected = False
    wait_until(lambda: not request_line())
    # What cannot be used changes nothing, and is said at any level.
    hang_up("logging: {level: loud}\n", "the configuration cannot be read again; nothing was changed")
    assert not request_line()
    expected = True
    hang_up("logging: {level: info}\n", "the configuration was read again")
    assert request_line()
    # The lines of offers, too.
    signed_lines = lambda: messages(service).count("signed")
    hang_up("logging: {signatures: off}\n", "the configuration was read again")
    count = signed_lines()
    client.sign(service.offer_body())
    hang_up("logging: {signatures: full}\n", "the configuration was read again")
    assert signed_lines() == count
    client.sign(service.offer_body())
    wait_until(lambda: signed_lines() == count + 1)
