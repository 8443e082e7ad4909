"""One caller's worst bodies hold up nobody else: small ones cost little on the event loop, larger ones are read off it."""
import asyncio
import json

import pytest

from harness import wire
from harness.bystander import paced, percentile
from harness.scale import at_most, scaled

# What one caller's bodies may add to another's 99th percentile, in seconds: at full scale, on a machine that does nothing else, what the
# project promises; in a quick run what others do at the same time counts as well.
MOST_ADDED = scaled(0.25, 0.005)
# What goes on elsewhere on the machine comes and goes; what the bodies do to the service is there in all of these. In seconds.
WINDOWS = scaled([1] * 3, [10])


def worst(size):
    """A body that is as slow to read as it can be, and refused in the end for its unknown field."""
    names = ",".join(f'"{number:04x}":"\\u00e9"' for number in range(60))
    count = max(1, (size - 40) // (len(names) + 3))
    return ('{"bundleId":"com.example.app","a":[' + ",".join(["{" + names + "}"] * count) + "]}").encode()


def eligibility(service):
    return wire.request(
        "/v1/eligibility", {"bundleId": service.bundle_id, "customerId": "u-1", "products": [service.product]}, service.tokens["client"])


async def hurl(service, content, until):
    """Sends one body after the other on some connections until told to stop; gives the answers' codes."""
    codes = set()
    head = (
        f"POST /v1/eligibility HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {service.tokens['backend']}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n").encode()

    async def work():
        connection = await wire.Connection.open(service.url)
        while not until.is_set():
            connection.send(head + content)
            codes.add((await connection.answer()).code)
            # A caller with a rate, not one that wants to use up the machine: that is what the rate limit is for.
            await asyncio.sleep(0.02)
        connection.close()

    await asyncio.gather(*(work() for _ in range(4)))
    return codes


@pytest.mark.parametrize("size", [16_000, 500_000])
def test_one_callers_worst_bodies_add_little_to_what_another_one_waits(new_service, size):
    service = new_service()
    content = worst(size)
    json.loads(content)

    async def best():
        return min([percentile(await paced(service, eligibility, 100, seconds, connections=4), 0.99) for seconds in WINDOWS])

    async def measure():
        alone = await best()
        until = asyncio.Event()
        hurling = asyncio.create_task(hurl(service, content, until))
        beside = await best()
        until.set()
        return alone, beside, await hurling

    alone, beside, codes = asyncio.run(measure())
    assert codes <= {"unknown-field", "not-ready"} and "unknown-field" in codes, codes
    assert beside < at_most(alone + MOST_ADDED, alone), f"{size} bytes: {alone * 1000:.1f} ms alone, {beside * 1000:.1f} ms beside the bodies"
