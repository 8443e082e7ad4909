"""How much a caller may have of the service: memory for bodies, connections, and nothing before the access key was looked at."""
import asyncio
import contextlib
import json
import socket

import httpx
import pytest

from harness import wire
from harness.service import free_port
from harness.waiting import PATIENCE, wait_until

MEBIBYTE = 1 << 20
PATH = "/v1/history/transactions"


def head(length, token=None, path=PATH, headers=()):
    """The head of a request whose body has not come yet."""
    lines = [f"POST {path} HTTP/1.1", "Host: x", f"Content-Length: {length}", *headers]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


async def answer_to(service, data):
    connection = await wire.Connection.open(service.url)
    try:
        connection.send(data)
        return await asyncio.wait_for(connection.answer(), PATIENCE)
    finally:
        connection.close()


@pytest.mark.parametrize("length", [1000, 900_000])
@pytest.mark.parametrize(
    ("token", "status", "code"),
    [("", 401, "unauthorized"), ("nonsense", 401, "unauthorized"), ("osk_0123456789abcdef_secret", 401, "unauthorized"), ("viewer", 403, "forbidden")],
    ids=["none", "malformed", "unknown", "other role"],
)
def test_a_caller_who_may_not_come_in_is_refused_before_the_body(instance, token, status, code, length):
    answer = asyncio.run(answer_to(instance, head(length, instance.tokens.get(token, token))))
    assert (answer.status, answer.code) == (status, code)
    # What is short is waited for, to keep the connection.
    assert answer.is_last == (length == 900_000)


def test_a_caller_over_the_rate_is_refused_before_the_body(new_service):
    service = new_service(extra="limits: {requestsPerSecond: 1, burst: 2}\n")

    def begin():
        return head(900, service.tokens["backend"])

    async def ask():
        within = [(await answer_to(service, begin() + b"{" * 900)).status for _ in range(2)]
        # More than a machine could have so slow that all of them are within the rate. Those that are wait for their body.
        crowd = [asyncio.create_task(answer_to(service, begin())) for _ in range(20)]
        done, others = await asyncio.wait(crowd, return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE)
        for each in others:
            each.cancel()
        return within, done.pop().result()

    within, answer = asyncio.run(ask())
    assert within == [400, 400] and answer.status == 429
    assert int(answer.headers["retry-after"]) > 0 and "ratelimit" in answer.headers


def test_a_body_of_unannounced_length_counts_against_the_rate(new_service):
    service = new_service(extra="limits: {requestsPerSecond: 1, burst: 20}\n")
    begin = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer {service.tokens['backend']}\r\n\r\n"
    # It counts for 61 requests, of which 41 are owed, at one a second.
    chunk = b"%x\r\n" % 1_000_000 + b"[" * 1_000_000 + b"\r\n"

    async def ask():
        return [(await answer_to(service, begin.encode() + chunk + b"0\r\n\r\n")).status for _ in range(2)]

    assert asyncio.run(ask()) == [400, 429]


def test_a_connection_goes_on_behind_a_short_body_that_was_refused(instance):
    async def ask():
        connection = await wire.Connection.open(instance.url)
        statuses = []
        for _ in range(3):
            connection.send(head(1000))
            statuses.append((await asyncio.wait_for(connection.answer(), PATIENCE)).status)
            connection.send(b" " * 1000)
            statuses.append((await connection.exchange(wire.request("/v1/nonces", {"bundleId": instance.bundle_id}, instance.tokens["client"]))).status)
        connection.close()
        return statuses

    assert asyncio.run(ask()) == [401, 200] * 3


def test_a_caller_who_waits_for_100_continue_is_refused_instead(instance):
    answer = asyncio.run(answer_to(instance, head(1000, headers=["Expect: 100-continue"])))
    assert answer.status == 401 and answer.is_last


def test_bodies_of_those_who_may_not_come_in_take_no_memory(new_service):
    service = new_service()
    before = service.memory("VmHWM")

    async def crowd():
        connections = [await wire.Connection.open(service.url) for _ in range(200)]
        for connection in connections:
            connection.send(head(MEBIBYTE, "osk_0123456789abcdef_secret") + b" " * (MEBIBYTE - 1))
        statuses = {(await asyncio.wait_for(connection.answer(), PATIENCE)).status for connection in connections}
        for connection in connections:
            connection.writer.transport.abort()
        return statuses

    assert asyncio.run(crowd()) == {401}
    assert service.memory("VmHWM") - before < 30


def test_bodies_share_a_budget_and_small_requests_need_none_of_it(new_service):
    service = new_service()
    token = service.tokens["backend"]
    body = json.dumps({"bundleId": service.bundle_id, "signedTransactions": ["x" * 900_000]}).encode()

    async def whole():
        return await answer_to(service, head(len(body), token) + body)

    async def fill():
        assert (await whole()).status == 200
        connections, waiting = [], []

        async def take_more():
            connections.append(await wire.Connection.open(service.url))
            connections[-1].send(head(16 * MEBIBYTE, token, "/v1/history/receipts") + b" " * (MEBIBYTE - 1))
            waiting.append(asyncio.create_task(connections[-1].answer()))

        for _ in range(8):
            await take_more()
        for _, refusal in zip(range(4), asyncio.as_completed(waiting)):
            await refusal
        # What the first one took may have come back only now.
        while (full := await whole()).status == 200:
            await take_more()
        # The client's own checks run beside: a signature is small.
        await asyncio.to_thread(service.client().sign, service.offer_body())
        for connection in connections:
            connection.writer.transport.abort()
        # It takes a moment until the service knows.
        while (again := await whole()).status == 503:
            await asyncio.sleep(0.05)
        ends = await asyncio.gather(*waiting, return_exceptions=True)
        return [end for end in ends if isinstance(end, wire.Answer)], len(ends), full, again

    refused, count, full, again = asyncio.run(asyncio.wait_for(fill(), PATIENCE))
    assert 4 <= len(refused) < count
    for answer in [*refused, full]:
        assert (answer.status, answer.code, answer.headers["retry-after"], answer.is_last) == (503, "not-ready", "1", True)
    assert again.status == 200


def test_forms_of_strangers_share_a_part_of_the_budget(new_service):
    service = new_service()
    size, count = 128 * 1024, 160
    form = f"POST /console/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {size}\r\n\r\n"

    async def crowd():
        connections, waiting = [], []
        for _ in range(count):
            connections.append(await wire.Connection.open(service.url))
            connections[-1].send(form.encode() + b"x" * (size - 1))
            waiting.append(asyncio.create_task(connections[-1].answer()))
        # A quarter of the budget is theirs, and the first 4 KiB of each are free. Some that grow at once may both find no room.
        room = 16 * MEBIBYTE // (size - 4096 - 1)
        refusals = [await each for _, each in zip(range(count - room), asyncio.as_completed(waiting))]
        assert {(answer.status, answer.code) for answer in refusals} == {(503, "not-ready")}
        # Others need none of that part.
        await asyncio.to_thread(service.client().sign, service.offer_body(customerId="x" * 200))
        for connection in connections:
            connection.send(b"x")
        ends = [answer.status for answer in await asyncio.gather(*waiting)]
        assert 1 <= len([status for status in ends if status != 503]) <= room and set(ends) <= {422, 429, 503}
        # All of it is given back.
        again = await wire.Connection.open(service.url)
        again.send(form.encode() + b"x" * size)
        assert (await again.answer()).status in (422, 429)

    asyncio.run(asyncio.wait_for(crowd(), PATIENCE))


def opened(service, address, count):
    """Connections from an address of this machine; those that the service closed at once are left out."""
    sockets = [socket.create_connection(("127.0.0.1", service.port), source_address=(address, 0), timeout=PATIENCE) for _ in range(count)]
    kept = []
    for each in sockets:
        with contextlib.suppress(ConnectionError):
            each.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
            if each.recv(1000).startswith(b"HTTP/1.1 200 "):
                kept.append(each)
                continue
        each.close()
    return kept


def test_connections_have_a_limit_and_one_address_a_share_of_it(new_service):
    port = free_port()
    service = new_service(extra=f"http: {{connections: 15, connectionsPerAddress: 10}}\nmetrics: {{port: {port}}}\n")

    def connections():
        """As the service counts them; those of the second port are none of them."""
        text = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE).text
        found.update(line.rsplit(" ", 1) for line in text.splitlines() if line.startswith("offersigner_http_connections"))
        return int(float(found["offersigner_http_connections"]))

    found = {}
    wait_until(lambda: connections() == 0)
    crowd = opened(service, "127.0.0.2", 14)
    assert len(crowd) == 10
    others = opened(service, "127.0.0.3", 8)
    assert len(others) == 5 and connections() == 15
    for each in crowd:
        each.close()
    wait_until(lambda: connections() == 5)
    again = opened(service, "127.0.0.2", 10)
    assert len(again) == 10
    for each in [*again, *others]:
        each.close()
    wait_until(lambda: connections() == 0)
    refused = {limit: float(found[f'offersigner_http_connections_refused_total{{limit="{limit}"}}']) for limit in ("address", "total")}
    assert refused == {"address": 4, "total": 3}
    told = [line for line in service.log() if line["message"] == "connections are turned away"]
    assert {line["limit"] for line in told} == {"http.connections", "http.connectionsPerAddress"} and len(told) == 2
