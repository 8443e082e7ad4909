"""Measures how long honest callers wait for answers, for example during an attack.

They send requests at a fixed rate, which does not drop if the answers are slow.
"""
import asyncio
import os
import time
import uuid

from harness import wire


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def signature(service):
    """The bytes of a request for one signature, with a new Idempotency-Key."""
    return wire.request("/v1/signatures", service.offer_body(), service.tokens["client"], {"Idempotency-Key": str(uuid.uuid4())})


async def capacity(service, make=signature, connections=16, seconds=1.5):
    """How many requests a second the service answers if only this client sends requests."""
    end, done = time.monotonic() + seconds, 0

    async def work():
        nonlocal done
        connection = await wire.Connection.open(service.url)
        while time.monotonic() < end:
            assert (await connection.exchange(make(service))).status == 200
            done += 1
        connection.close()

    await asyncio.gather(*(work() for _ in range(connections)))
    return done / seconds


def rate_of_load(service, share, make=signature, seconds=2):
    """How many requests a second keep the service's processors busy for this share of the time, if there are no other requests.
    """
    rate = asyncio.run(capacity(service, make)) * share / 2
    # The cost of a request depends on the rate of requests. Two rounds of measuring and correcting come near enough.
    for _ in range(2):
        before = service.processor_time()
        asyncio.run(paced(service, make, rate, seconds))
        rate *= share * seconds * len(os.sched_getaffinity(service.pid)) / (service.processor_time() - before)
    return rate


async def overtaking(url, slow, quick):
    """Sends all requests of `slow` at once, and those of `quick` right behind them.

    Returns the answers to the slow requests, the answers to the quick ones, and how many slow requests were still without an
    answer when all quick ones had theirs.
    """
    connections = [await wire.Connection.open(url) for _ in (*slow, *quick)]
    ahead, behind = connections[:len(slow)], connections[len(slow):]
    # All but the last byte of each slow request is sent ahead, so that the time of sending does not count. The service is then
    # asked 200 times for an answer: by then its event loop has read what was sent.
    for connection, request in zip(ahead, slow):
        connection.writer.transport.set_write_buffer_limits(0)
        connection.send(request[:-1])
    await asyncio.gather(*(connection.writer.drain() for connection in ahead))
    for _ in range(200):
        await behind[0].exchange(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
    for connection, request in zip(ahead, slow):
        connection.send(request[-1:])
    waiting = [asyncio.create_task(connection.answer()) for connection in ahead]
    answers = await asyncio.gather(*(connection.exchange(request) for connection, request in zip(behind, quick)))
    count = sum(not each.done() for each in waiting)
    slow_answers = await asyncio.gather(*waiting)
    for connection in connections:
        connection.close()
    return slow_answers, answers, count


async def paced(service, make, rate, seconds, connections=64):
    """Sends requests at a fixed rate. Returns how many seconds passed from the moment at which each was due until its answer.

    Each answer has to be 200. There are many connections, so that a slow answer does not delay the requests after it.
    """
    begin, times = time.monotonic(), []

    async def work(number):
        connection, turn = await wire.Connection.open(service.url), 0
        while True:
            due = begin + (turn * connections + number) / rate
            if due > begin + seconds:
                break
            await asyncio.sleep(max(0, due - time.monotonic()))
            answer = await connection.exchange(make(service))
            times.append(time.monotonic() - due)
            assert answer.status == 200, answer
            turn += 1
        connection.close()

    await asyncio.gather(*(work(number) for number in range(connections)))
    return times
