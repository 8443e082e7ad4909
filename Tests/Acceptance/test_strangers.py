"""Whoever has no access key cannot hold up those who have one, nor the probe that would restart the service."""
import asyncio
import pathlib
import tempfile
import time

import pytest

from harness import wire
from harness.app_store import BUNDLE
from harness.bystander import paced, percentile, rate_of_load, signature
from harness.flood import SHAPES, Flood
from harness.processors import apart
from harness.scale import at_most, scaled

PATH = f"/v1/appstore/notifications/{BUNDLE}"
CONNECTIONS = 300
# In seconds and MB. At full scale, on a machine that does nothing else, what the project promises; in a quick run what others do at the
# same time counts as well. A service whose pool the crowd holds up takes seconds.
SLOWEST = scaled(0.25, 0.05)
MOST_MEMORY = 150
# Of the service's processors, without a crowd.
LOAD = scaled(0.25, 0.5)
# What goes on elsewhere on the machine comes and goes; what the crowd does to the service is there in all of them. In seconds.
WINDOWS = scaled([1.5] * 3, [5] * 6)


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


@pytest.mark.parametrize("shape", SHAPES)
def test_a_crowd_with_slow_bodies_stalls_nobody(memory, new_service, shape):
    with apart(lambda: new_service(parent=memory)) as service:
        rate = rate_of_load(service, LOAD, seconds=scaled(0.5, 2))
        alone = seen(service, rate)
        with Flood(service, PATH, CONNECTIONS, shape) as flood:
            crowded = seen(service, rate)
    found = (
        f"{shape}: {rate:.0f} signatures/s; 99 of 100 within {crowded[1] * 1000:.1f} ms ({alone[1] * 1000:.1f} alone), of /livez "
        f"{crowded[0] * 1000:.1f} ms ({alone[0] * 1000:.1f}); {service.memory('VmHWM'):.0f} MB; the crowd was answered {flood.answers}"
    )
    print(found)
    assert flood.answers.get("503", 0) > 10 and set(flood.answers) <= {"400", "401", "503", "closed", "broken"}, found
    assert all(slow < at_most(SLOWEST, usual) for slow, usual in zip(crowded, alone)), found
    assert service.memory("VmHWM") < MOST_MEMORY, found
    service.client().sign(service.offer_body())


def test_a_crowd_that_waits_with_its_last_byte_takes_no_memory(new_service):
    service = new_service()

    async def wait():
        content = b" " * (1 << 20)
        head = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(content)}\r\n\r\n".encode()
        connections = [await wire.Connection.open(service.url) for _ in range(CONNECTIONS)]
        begin, soonest = time.monotonic(), [3]
        for connection in connections:
            connection.send(head + content[:-1])

        async def answer(connection):
            found = await asyncio.wait_for(connection.answer(), 3)
            soonest[0] = min(soonest[0], time.monotonic() - begin)
            return found

        answers = await asyncio.gather(*(answer(connection) for connection in connections), return_exceptions=True)
        # Whoever is refused for want of room may come again, but not at once.
        assert soonest[0] > 0.4
        refused = [answer for answer in answers if isinstance(answer, wire.Answer)]
        for connection in connections:
            connection.writer.transport.abort()
        return refused

    refused = asyncio.run(wait())
    # A quarter of 64 MB is left for whoever has no access key.
    assert len(refused) >= CONNECTIONS - 17
    assert {(answer.status, answer.headers["retry-after"], answer.is_last) for answer in refused} == {(503, "1", True)}
    assert service.memory("VmHWM") < MOST_MEMORY
    service.client().sign(service.offer_body())


def test_a_notification_for_no_app_is_refused_before_its_body_comes(instance):
    async def ask():
        connection = await wire.Connection.open(instance.url)
        connection.send(b"POST /v1/appstore/notifications/com.example.none HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
        return await asyncio.wait_for(connection.answer(), 3)

    answer = asyncio.run(ask())
    assert (answer.status, answer.code) == (404, "unknown-app")
