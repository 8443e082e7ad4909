"""kill -9 under load: what was acknowledged is in the store, nothing was signed twice, and the service is back at once."""
import asyncio
import collections
import random
import time

from harness import wire
from harness.scale import IS_FULL, scaled

CONNECTIONS = 64


def seconds_to_start(service):
    begin = time.monotonic()
    service.start()
    return time.monotonic() - begin


def test_a_crash_loses_no_acknowledged_signature_and_signs_no_nonce_twice(new_service):
    service = new_service()
    randomness = random.Random(9)
    acknowledged = collections.Counter()
    for turn in range(scaled(5, 50)):
        client = service.client()
        nonces = [nonce for _ in range(8) for nonce in client.nonces(service.bundle_id, 100)]

        def make(worker, number):
            # Every second request brings a nonce, the same as its neighbour's: they race.
            index = (worker // 2) * 20 + number // 2
            nonce = nonces[index] if number % 2 and index < len(nonces) else None
            headers = {"Idempotency-Key": f"{turn}-{worker}-{number}"} if worker % 4 == 3 else None
            return wire.request("/v1/signatures", service.offer_body(nonce=nonce), service.tokens["client"], headers)

        load, enough = wire.Load(), randomness.randint(100, 1000)
        asyncio.run(wire.press_until(lambda: len(load.answers) > enough, service.kill, service.url, make, load, CONNECTIONS))
        assert not service.is_running
        assert set(load.statuses()) <= {200, 409}, load.statuses()
        assert load.statuses().get(200, 0) > 50, f"hardly any load: {load.statuses()}"
        acknowledged.update(load.nonces())

        seconds = seconds_to_start(service)
        assert not [line for line in service.log() if "waiting for" in line["message"]], "the lock was not free again"
        assert seconds < 2 or not IS_FULL, f"ready again after {seconds:.2f} s"
        rows = service.rows()
        missing = [nonce for nonce in acknowledged if nonce not in rows]
        assert not missing, f"{len(missing)} of {len(acknowledged)} acknowledged signatures are not in the store"
        twice = [nonce for nonce, count in acknowledged.items() if count > 1]
        assert not twice, f"signed twice: {twice[:3]}"
        for nonce in randomness.sample(sorted(acknowledged), 20):
            assert service.client().problem("/v1/signatures", service.offer_body(nonce=nonce))[:2] == (409, "nonce-replayed")
    with service.database() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_a_request_repeated_after_a_crash_with_its_key_is_signed_once(new_service):
    """The client cannot know whether its request was carried out; repeating it must be safe."""
    service = new_service()
    for turn in range(scaled(2, 10)):
        sent = {}

        def make(worker, number):
            key = f"{turn}-{worker}-{number}"
            body = service.offer_body(customerId=key)
            sent[worker] = (key, body)
            return wire.request("/v1/signatures", body, service.tokens["client"], {"Idempotency-Key": key})

        load = wire.Load()

        def is_enough():
            return len(sent) == CONNECTIONS and len(load.answers) > 2 * CONNECTIONS

        asyncio.run(wire.press_until(is_enough, service.kill, service.url, make, load, CONNECTIONS))
        service.start()
        assert len(load.unanswered) == CONNECTIONS
        client = service.client()
        for key, body in sent.values():
            client.sign(body, headers={"Idempotency-Key": key})
        customers = collections.Counter(row["customer_id"] for row in service.rows().values())
        assert {customers[key] for key, _ in sent.values()} == {1}
        assert max(customers.values()) == 1
