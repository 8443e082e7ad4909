"""One caller's worst bodies delay no other caller: small ones cost little on the event loop, larger ones are read off it."""
import asyncio
import json

import pytest

from harness import wire
from harness.bystander import overtaking, paced, percentile
from harness.scale import IS_FULL
from harness.waiting import wait_until

SMALL, LARGE = 16_000, 500_000


def worst(size):
    """A body that is as slow to read as it can be, and refused in the end for its unknown field."""
    names = ",".join(f'"{number:04x}":"\\u00e9"' for number in range(60))
    count = max(1, (size - 40) // (len(names) + 3))
    return ('{"bundleId":"com.example.app","a":[' + ",".join(["{" + names + "}"] * count) + "]}").encode()


def eligibility(service):
    return wire.request(
        "/v1/eligibility", {"bundleId": service.bundle_id, "customerId": "u-1", "products": [service.product]}, service.tokens["client"])


def hurled(service, size):
    """The bytes of one."""
    json.loads(worst(size))
    return wire.request("/v1/eligibility", worst(size), service.tokens["backend"])


async def hurl(service, request, until=None, count=0):
    """Sends a request again and again on some connections, so often or until told to stop; gives the answers' codes."""
    codes = set()

    async def work():
        connection, left = await wire.Connection.open(service.url), count
        while left > 0 if until is None else not until.is_set():
            codes.add((await connection.exchange(request)).code)
            left -= 1
            if until:
                # A caller with a rate, not one that wants to use up the machine: that is what the rate limit is for.
                await asyncio.sleep(0.02)
        connection.close()

    await asyncio.gather(*(work() for _ in range(4)))
    return codes


def test_a_small_body_costs_little_whatever_it_is(instance):
    asyncio.run(hurl(instance, hurled(instance, SMALL), count=20))
    before = instance.processor_time()
    assert asyncio.run(hurl(instance, hurled(instance, SMALL), count=100)) == {"unknown-field"}
    work = (instance.processor_time() - before) / 400
    print(f"{work * 1000:.2f} ms of processor time for {SMALL} bytes")
    assert work < 0.005


def test_a_request_behind_large_bodies_is_answered_before_them(new_service):
    # On one loop: whatever is done on it is done one after the other.
    service = new_service(extra="http: {eventLoops: 1}\n")
    slow = [hurled(service, LARGE)] * 8

    def overtakes():
        refused, [answer], waiting = asyncio.run(overtaking(service.url, slow, [eligibility(service)]))
        assert {each.code for each in refused} == {"unknown-field"} and answer.status == 200
        return waiting > len(slow) // 2

    # Not each time on a busy machine; if they were read on the loop, never.
    wait_until(overtakes)


@pytest.mark.alone
@pytest.mark.skipif(not IS_FULL, reason="needs a machine of its own")
@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_one_callers_worst_bodies_add_little_to_what_another_one_waits(new_service, size):
    service = new_service()

    async def late():
        return percentile(await paced(service, eligibility, 100, 10, connections=4), 0.99)

    async def measure():
        alone = await late()
        until = asyncio.Event()
        hurling = asyncio.create_task(hurl(service, hurled(service, size), until))
        beside = await late()
        until.set()
        return alone, beside, await hurling

    alone, beside, codes = asyncio.run(measure())
    assert codes <= {"unknown-field", "not-ready"} and "unknown-field" in codes, codes
    assert beside < alone + 0.005, f"{size} bytes: {alone * 1000:.1f} ms alone, {beside * 1000:.1f} ms beside the bodies"
