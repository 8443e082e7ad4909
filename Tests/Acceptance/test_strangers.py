"""Callers without an access key do not delay callers with one, nor the probe that would restart the service."""
import asyncio
import pathlib
import tempfile
import time

import pytest

from harness import wire
from harness.app_store import BUNDLE
from harness.bystander import overtaking, paced, percentile, rate_of_load, signature
from harness.flood import SHAPES, Flood, body
from harness.processors import apart
from harness.scale import IS_FULL
from harness.waiting import PATIENCE, wait_until

PATH = f"/v1/appstore/notifications/{BUNDLE}"
CONNECTIONS = 300
# In seconds and MB.
SLOWEST = 0.05
MOST_MEMORY = 150
# Of the service's processors, without a crowd.
LOAD = 0.5
# What goes on elsewhere on the machine comes and goes; what the crowd does to the service is there in all of them. In seconds.
WINDOWS = [5] * 6


def livez(_):
    return b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"


async def window(service, rate, seconds):
    """The 99th percentiles of waiting for /livez and for an idempotent signature."""
    both = await asyncio.gather(paced(service, livez, 40, seconds, connections=4), paced(service, signature, rate, seconds))
    return [percentile(times, 0.99) for times in both]


def seen(service, rate):
    """Those of the best window for each."""
    return [min(times) for times in zip(*(asyncio.run(window(service, rate, seconds)) for seconds in WINDOWS))]


@pytest.fixture
def memory():
    """A folder in memory: how long the disk takes comes and goes, and the crowd has no part in it."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield pathlib.Path(folder)


def check(service, flood, found):
    assert flood.answers.get("503", 0) > 10 and set(flood.answers) <= {"400", "401", "503", "closed", "broken"}, found
    assert service.memory("VmHWM") < MOST_MEMORY, found
    service.client().sign(service.offer_body())


@pytest.mark.parametrize("shape", SHAPES)
def test_a_crowd_with_slow_bodies_stalls_no_caller(new_service, shape):
    # On one loop: whatever is done on it is done one after the other.
    service = new_service(extra="http: {eventLoops: 1}\n")
    # As many as there is room for.
    slow = [wire.request(PATH, body(shape), None)] * 15

    def overtake():
        strangers, answers, waiting = asyncio.run(overtaking(service.url, slow, [signature(service), livez(service)]))
        assert {answer.status for answer in strangers} <= {400, 401}
        assert [answer.status for answer in answers] == [200, 200]
        return waiting > len(slow) // 2

    # Not each time on a busy machine; in the strangers' line hardly once.
    wait_until(lambda: overtake() and overtake())
    client = service.client()
    with Flood(service, PATH, CONNECTIONS, shape) as flood:
        wait_until(lambda: client.sign(service.offer_body()) and service.metric("offersigner_http_requests_total", status="503") > 10)
    check(service, flood, f"{shape}: {service.memory('VmHWM'):.0f} MB; the crowd was answered {flood.answers}")


@pytest.mark.alone
@pytest.mark.skipif(not IS_FULL, reason="needs a machine of its own")
@pytest.mark.parametrize("shape", SHAPES)
def test_beside_a_crowd_with_slow_bodies_every_caller_is_answered_soon(memory, new_service, shape):
    with apart(lambda: new_service(parent=memory)) as service:
        rate = rate_of_load(service, LOAD)
        alone = seen(service, rate)
        with Flood(service, PATH, CONNECTIONS, shape, stands_back=True) as flood:
            crowded = seen(service, rate)
    found = (
        f"{shape}: {rate:.0f} signatures/s; 99 of 100 within {crowded[1] * 1000:.1f} ms ({alone[1] * 1000:.1f} alone), of /livez "
        f"{crowded[0] * 1000:.1f} ms ({alone[0] * 1000:.1f}); {service.memory('VmHWM'):.0f} MB; the crowd was answered {flood.answers}"
    )
    print(found)
    assert all(slow < SLOWEST for slow in crowded), found
    check(service, flood, found)


def test_a_crowd_that_waits_with_its_last_byte_takes_no_memory(new_service):
    service = new_service()

    async def wait():
        content = b" " * (1 << 20)
        head = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(content)}\r\n\r\n".encode()
        connections = [await wire.Connection.open(service.url) for _ in range(CONNECTIONS)]
        begin = time.monotonic()
        for connection in connections:
            connection.send(head + content[:-1])
        refused = []
        # A quarter of 64 MB is left for callers without an access key.
        for answer in asyncio.as_completed([connection.answer() for connection in connections], timeout=PATIENCE):
            refused.append(await answer)
            # A caller that is refused for want of room may come again, but not at once.
            assert time.monotonic() - begin > 0.4
            if len(refused) == CONNECTIONS - 17:
                break
        for connection in connections:
            connection.writer.transport.abort()
        return refused

    refused = asyncio.run(wait())
    assert {(answer.status, answer.headers["retry-after"], answer.is_last) for answer in refused} == {(503, "1", True)}
    assert service.memory("VmHWM") < MOST_MEMORY
    service.client().sign(service.offer_body())


def test_a_notification_for_no_app_is_refused_before_its_body_comes(instance):
    async def ask():
        connection = await wire.Connection.open(instance.url)
        connection.send(b"POST /v1/appstore/notifications/com.example.none HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
        return await asyncio.wait_for(connection.answer(), PATIENCE)

    answer = asyncio.run(ask())
    assert (answer.status, answer.code) == (404, "unknown-app")
