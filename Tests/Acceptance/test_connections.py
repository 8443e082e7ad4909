"""What happens on a connection besides one request after the other."""
import json
import re
import socket
import sqlite3

import pytest

from harness.app_store import BUNDLE
from harness.service import Service, free_port
from harness.waiting import PATIENCE, wait_until
from harness.wire import USUAL_IDLE, is_read

# Longer than any test waits: a connection that ends was not merely idle for too long.
NEVER_IDLE = "http: {idleTimeoutSeconds: 3600}\n"


@pytest.fixture(scope="module")
def instance(tmp_path_factory):
    service = Service(tmp_path_factory.mktemp("instance") / "service", extra=NEVER_IDLE)
    service.start()
    yield service
    service.stop()


def request(service, path="/v1/signatures", body=None, token=None, headers=()):
    """The bytes of one request; by default one signature that the service will make."""
    if body is None:
        offer = {"productId": "com.example.pro.monthly", "offerId": "winback50"}
        body = json.dumps({"bundleId": service.bundle_id, "offers": [offer]}).encode()
    lines = [
        f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}",
        f"Authorization: Bearer {token or service.tokens['client']}", *headers,
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def connect(service, timeout=PATIENCE):
    return socket.create_connection(("127.0.0.1", service.port), timeout=timeout)


def read_all(connection):
    """Everything until the service closes."""
    received = b""
    while piece := connection.recv(65536):
        received += piece
    return received


def statuses(received):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", received)]


def rows(service):
    with sqlite3.connect(f"file:{service.store}?mode=ro", uri=True) as store:
        return store.execute("SELECT count(*) FROM ledger").fetchone()[0]


@pytest.mark.parametrize("count", [1, 5])
def test_a_client_that_has_nothing_more_to_say_still_gets_its_signatures(instance, count):
    for _ in range(20):
        with connect(instance) as connection:
            connection.sendall(request(instance) * count)
            connection.shutdown(socket.SHUT_WR)
            assert statuses(read_all(connection)) == [200] * count


def test_requests_sent_ahead_are_answered_in_order(instance):
    mixed = [request(instance), b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n", request(instance, body=b"{"), request(instance)]
    with connect(instance) as connection:
        connection.sendall(b"".join(mixed))
        connection.shutdown(socket.SHUT_WR)
        assert statuses(read_all(connection)) == [200, 200, 400, 200]


def test_a_client_that_does_not_read_is_not_read_from(new_service):
    service = new_service()
    start = service.memory()
    sent = 0
    with connect(service, timeout=1) as connection:
        piece = b"POST /v1/nonces HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n" * 500
        try:
            while sent < 64 << 20:
                connection.sendall(piece)
                sent += len(piece)
        except TimeoutError:
            pass
        assert sent < 64 << 20, "the service reads on though its answers are not read"
        assert service.memory() - start < 32
    assert service.client().get("/livez").status_code == 200


def test_a_good_request_before_broken_bytes_is_answered(instance):
    for _ in range(10):
        with connect(instance) as connection:
            connection.sendall(request(instance) + b"\x01BAD\r\n\r\n")
            assert statuses(read_all(connection)) == [200, 400]


def test_a_body_that_breaks_off_or_breaks_the_rules_is_answered(instance):
    token = instance.tokens["client"]
    head = f"POST /v1/nonces HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    for rest in (b"5\r\nhello\r\nZZ\r\n", b"5\r\nhel"):
        with connect(instance) as connection:
            connection.sendall(head + rest)
            connection.shutdown(socket.SHUT_WR)
            assert statuses(read_all(connection)) == [400]


def test_nothing_behind_a_refused_body_is_carried_out(new_service):
    service = new_service()
    with connect(service) as connection:
        connection.sendall(request(service, body=b" " * 70_000) + request(service))
        assert statuses(read_all(connection)) == [413]
    # What was let in is answered before the end.
    service.stop()
    assert rows(service) == 0


@pytest.mark.parametrize("target", ["POST /v1/signatures", "GET /livez", "GET /nowhere"])
def test_http_1_1_says_once_which_host_it_is_for(instance, target):
    for version, hosts, status in [("1.1", 0, 400), ("1.1", 2, 400), ("1.0", 2, 400), ("1.1", 1, None), ("1.0", 0, None)]:
        with connect(instance) as connection:
            lines = [f"{target} HTTP/{version}", "Content-Length: 0", "Connection: close", *["Host: x"] * hosts]
            connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
            received = read_all(connection)
        wanted = {"POST /v1/signatures": 401, "GET /livez": 200, "GET /nowhere": 404}[target]
        assert int(received.split(b" ", 2)[1]) == (status or wanted), received
        assert (b"malformed-request" in received) == (status == 400)


def test_a_connection_that_asks_for_an_upgrade_ends_with_its_answer(instance):
    headers = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"]
    with connect(instance) as connection:
        connection.sendall(request(instance, headers=headers))
        received = read_all(connection)
    assert statuses(received) == [200] and b"Connection: close" in received


@pytest.mark.parametrize("path", ["/v1/nonces", "/nowhere"])
def test_a_body_that_does_not_come_holds_no_connection(new_service, path):
    service = new_service(extra="http: {idleTimeoutSeconds: 1}\n")
    # It is the configured limit that ends it, not the usual one.
    with connect(service, timeout=USUAL_IDLE - 5) as connection:
        connection.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n".encode())
        read_all(connection)


def test_a_body_that_does_not_come_does_not_keep_the_service_from_stopping(new_service):
    service = new_service(extra=NEVER_IDLE)
    with connect(service) as connection:
        connection.sendall(b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
        wait_until(lambda: is_read(connection))
        service.terminate()
        wait_until(lambda: not service.is_running, promised=5)


def test_a_body_with_thousands_of_names_is_refused_quickly(instance):
    body = ("{" + ",".join(f'"{number}":1' for number in range(6000)) + "}").encode()
    with connect(instance) as connection:
        before = instance.processor_time()
        connection.sendall(request(instance, body=body))
        connection.shutdown(socket.SHUT_WR)
        assert statuses(read_all(connection)) == [400]
        assert instance.processor_time() - before < 0.5


@pytest.mark.parametrize("length", [2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**200])
@pytest.mark.parametrize("path", ["/v1/signatures", "/readyz", "/nowhere", f"/v1/appstore/notifications/{BUNDLE}"])
def test_a_length_that_no_body_could_have_is_refused_at_once(instance, path, length):
    with connect(instance) as connection:
        head = request(instance, path, b"").replace(b"Content-Length: 0", b"Content-Length: %d" % length)
        connection.sendall(head)
        if length < 2**63:
            connection.shutdown(socket.SHUT_WR)
        received = read_all(connection)
    if length >= 2**63:
        assert statuses(received) == [400] and b"malformed-request" in received and b"Connection: close" in received
    with connect(instance) as connection:
        connection.sendall(request(instance))
        connection.shutdown(socket.SHUT_WR)
        assert statuses(read_all(connection)) == [200]


@pytest.mark.parametrize("path", ["/v1/nonces", "/readyz", "/nowhere", f"/v1/appstore/notifications/{BUNDLE}"])
@pytest.mark.parametrize("coding", ["gzip", "gzip, chunked", "identity", "chunkedx"])
def test_a_body_in_an_unknown_form_is_not_guessed_at(instance, path, coding):
    with connect(instance) as connection:
        lines = [f"POST {path} HTTP/1.1", "Host: x", f"Transfer-Encoding: {coding}"]
        connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n5\r\nhello\r\n0\r\n\r\n" + request(instance))
        received = read_all(connection)
    assert statuses(received) == [501] and b"transfer-coding-unknown" in received and b"Connection: close" in received


def test_http_1_0_is_never_told_to_continue(instance):
    body = json.dumps({"bundleId": instance.bundle_id}).encode()
    lines = [
        "POST /v1/nonces HTTP/1.0", f"Content-Length: {len(body)}", "Expect: 100-continue",
        f"Authorization: Bearer {instance.tokens['client']}",
    ]
    with connect(instance) as connection:
        connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
        wait_until(lambda: is_read(connection))
        connection.sendall(body)
        assert statuses(read_all(connection)) == [200]


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("http://x/v1/nonces", 401), ("http://x/v1/nonces?a=/b", 401), ("http://x?next=/v1/nonces", 405), ("http://x?/v1/nonces", 405),
        ("http://x/livez?a", 200), ("http://x?/livez", 200), ("http://x/nowhere?/livez", 404),
    ],
)
def test_the_path_of_an_absolute_target_ends_at_its_query(instance, target, status):
    method = "GET" if "livez" in target else "POST"
    with connect(instance) as connection:
        connection.sendall(f"{method} {target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        assert statuses(read_all(connection)) == [status]


@pytest.mark.parametrize(
    "begin",
    [
        "POST /nowhere HTTP/1.1", "POST /readyz HTTP/1.1", "GET /livez HTTP/1.1", "POST /livez HTTP/1.1", "GET /v1/nonces HTTP/1.1",
        "POST /v1/nonces HTTP/1.1", "POST /v1/appstore/notifications/none HTTP/1.1", "NONSENSE",
    ],
)
def test_what_is_thrown_away_is_bounded_on_every_path(instance, begin):
    sent, piece = 0, b" " * (1 << 20)
    for form, wrap in [("Content-Length: 1000000000", piece), ("Transfer-Encoding: chunked", b"100000\r\n" + piece + b"\r\n")]:
        with connect(instance) as connection:
            connection.sendall(f"{begin}\r\nHost: x\r\n{form}\r\n\r\n".encode())
            sent = 0
            try:
                while sent < 100 << 20:
                    connection.sendall(wrap)
                    sent += len(wrap)
            except OSError:
                pass
        # What is thrown away, and what both ends' sockets hold.
        assert sent < 32 << 20, form


@pytest.mark.parametrize(
    "half",
    [
        b"POST /v1/nonces HT", b"POST /v1/nonces HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nAuthorization: Bearer %s\r\n\r\n{",
        b"POST /v1/nonces HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n{", b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{",
        f"POST /v1/appstore/notifications/{BUNDLE} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{{".encode(),
    ],
    ids=["head", "body", "refused body", "body without a reader", "notification"],
)
def test_half_a_request_does_not_hold_up_the_end(new_service, half):
    port = free_port()
    service = new_service(extra=f"metrics: {{port: {port}}}\n{NEVER_IDLE}")
    token = service.tokens["client"].encode()
    with connect(service) as connection, socket.create_connection(("127.0.0.1", port)) as metrics:
        connection.sendall(half % token if b"%s" in half else half)
        metrics.sendall(half[:30])
        wait_until(lambda: is_read(connection) and is_read(metrics))
        service.terminate()
        wait_until(lambda: not service.is_running, promised=3.5)
