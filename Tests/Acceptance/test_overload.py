"""A caller who asks for more than the service can do: it is refused in time, others are served, and no good work is lost."""
import asyncio
import os
import statistics
import time

from harness import wire
from harness.waiting import PATIENCE

# Fewer than one address may open.
CROWD = 2400
ROUNDS = 3
LIMITS = "limits: {requestsPerSecond: 100000, burst: 100000}\n"


def on_one_core(make):
    """Starts a service on one processor, however many the machine has: the crowd has to be too much for it."""
    all_of_them = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(all_of_them)})
    try:
        return make()
    finally:
        os.sched_setaffinity(0, all_of_them)


async def ask(connection, data):
    begin = time.monotonic()
    answer = await asyncio.wait_for(connection.exchange(data), PATIENCE)
    return answer, time.monotonic() - begin


def test_a_crowd_of_one_caller_is_refused_in_time_and_others_wait_for_less(new_service, record_property):
    service = on_one_core(lambda: new_service(extra=LIMITS))
    body = service.offer_body()
    twenty = wire.request("/v1/signatures", {**body, "offers": body["offers"] * 20}, service.tokens["client"])
    single = wire.request("/v1/signatures", body, service.tokens["backend"])

    async def crowd():
        volley = await wire.Volley.open(service.url, CROWD)
        greedy, other, over = [], [], asyncio.Event()

        async def press(connection):
            for _ in range(ROUNDS):
                greedy.append(await ask(connection, twenty))
                # Of more than 2,000 refusals at once the rest end their connections.
                if greedy[-1][0].is_last:
                    return

        async def visit():
            connection = await wire.Connection.open(service.url)
            while not over.is_set():
                other.append(await ask(connection, single))

        visiting = asyncio.ensure_future(visit())
        await asyncio.gather(*map(press, volley.connections))
        over.set()
        await visiting
        volley.close()
        return greedy, other

    greedy, other = asyncio.run(crowd())
    refused = [answer for answer, _ in greedy if answer.status != 200]
    assert refused, "the crowd was not too much"
    assert {(answer.status, answer.code) for answer in refused} == {(503, "not-ready")}
    assert all(int(answer.headers["retry-after"]) > 0 for answer in refused)
    assert "this caller" in refused[0].json()["detail"]
    assert {answer.status for answer, _ in other} == {200}
    waits = [statistics.median(seconds for answer, seconds in answers if answer.status == 200) for answers in (greedy, other)]
    record_property("median wait of the crowd and of the other caller, in s; refused", (*waits, len(refused)))
    assert waits[1] < waits[0] / 2
    # Whatever was signed was answered, and nothing else was signed.
    with service.database() as store:
        rows = store.execute("SELECT count(*) FROM signed_request").fetchone()[0]
    assert rows == sum(answer.status == 200 for answer, _ in greedy + other)
