"""A lost answer costs nothing: the same key and body give the stored answer, and nothing is signed again."""
import asyncio
import uuid

import pytest

from harness import wire
from harness.scale import scaled

CROWD = 1000


def fresh():
    return {"Idempotency-Key": str(uuid.uuid4())}


def signatures(service):
    return service.metric("offersigner_signatures_total", outcome="signed")


def test_a_thousand_concurrent_identical_requests_make_one_signature_and_one_answer(instance, client):
    async def rounds():
        volley = await wire.Volley.open(instance.url, CROWD)
        for _ in range(scaled(3, 20)):
            made, rows = signatures(instance), len(instance.rows())
            one = wire.request("/v1/signatures", instance.offer_body(), instance.tokens["client"], fresh())
            answers = await volley.fire([one] * CROWD)
            assert {answer.status for answer in answers} == {200}
            assert len({answer.body for answer in answers}) == 1
            first = [answer for answer in answers if "idempotency-replayed" not in answer.headers]
            assert len(first) == 1, f"{len(first)} answers say that they are the original"
            assert {answer.headers.get("idempotency-replayed", "true") for answer in answers} == {"true"}
            assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}
            assert len({answer.headers["x-request-id"] for answer in answers}) == CROWD
            assert signatures(instance) == made + 1
            assert len(instance.rows()) == rows + 1
        volley.close()

    asyncio.run(rounds())


def test_a_thousand_concurrent_requests_with_one_nonce_and_one_key_are_all_answered(instance, client):
    [nonce] = client.nonces(instance.bundle_id)

    async def crowd():
        volley = await wire.Volley.open(instance.url, CROWD)
        one = wire.request("/v1/signatures", instance.offer_body(nonce=nonce), instance.tokens["client"], fresh())
        answers = await volley.fire([one] * CROWD)
        volley.close()
        return answers

    answers = asyncio.run(crowd())
    assert {answer.status for answer in answers} == {200}
    assert len({answer.body for answer in answers}) == 1


@pytest.mark.parametrize("stored", [False, True], ids=["new", "stored"])
def test_of_two_bodies_under_one_key_at_once_exactly_one_wins_and_its_repetitions_are_answered(instance, client, stored):
    bodies = [instance.offer_body(applicationUsername=name) for name in ("one", "two")]

    async def rounds():
        volley = await wire.Volley.open(instance.url, 200)
        for _ in range(scaled(5, 40)):
            key, made = fresh(), signatures(instance)
            requests = [wire.request("/v1/signatures", body, instance.tokens["client"], key) for body in bodies]
            if stored:
                client.sign(bodies[0], headers=key)
            answers = await volley.fire(requests * 100)
            halves = [{(answer.status, answer.body if answer.status == 200 else b"") for answer in answers[half::2]} for half in (0, 1)]
            winner, loser = halves if stored or (422, b"") in halves[1] else reversed(halves)
            assert loser == {(422, b"")}
            assert [status for status, _ in winner] == [200]
            assert signatures(instance) == made + 1
        volley.close()

    asyncio.run(rounds())


@pytest.mark.parametrize("path", ["/v1/signatures", "/v1/introductory-offers/signatures"])
def test_a_repeated_request_gets_the_stored_answer_byte_for_byte(instance, client, path):
    body = instance.offer_body() if path == "/v1/signatures" else {
        "bundleId": instance.bundle_id, "products": [{"productId": instance.product, "transactionId": "1", "allow": False}],
    }
    headers, rows = fresh(), len(instance.rows())
    first = client.post(path, body, headers=headers)
    again = client.post(path, body, headers=headers)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.content == again.content
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert len(instance.rows()) == rows + 1


def test_the_same_key_with_another_body_is_refused(instance, client):
    headers = fresh()
    client.sign(instance.offer_body(), headers=headers)
    other = instance.offer_body(customerId="somebody-else")
    assert client.problem("/v1/signatures", other, headers=headers) == (422, "idempotency-key-reused", [])


def test_the_same_key_and_body_on_another_path_is_refused(instance, client):
    headers = fresh()
    client.sign(instance.offer_body(), headers=headers)
    products = {"bundleId": instance.bundle_id, "products": [{"productId": instance.product, "transactionId": "1", "allow": False}]}
    path = "/v1/introductory-offers/signatures"
    assert client.problem(path, products, headers=headers) == (422, "idempotency-key-reused", [])


def test_keys_of_different_callers_have_nothing_to_do_with_each_other(instance, client):
    headers = fresh()
    [mine] = client.sign(instance.offer_body(), headers=headers)
    [theirs] = instance.client("backend").sign(instance.offer_body(customerId="other"), headers=headers)
    assert mine["nonce"] != theirs["nonce"]


def test_an_error_is_not_kept_and_leaves_the_key_unused(instance, client):
    headers = fresh()
    bad = instance.offer_body()
    bad["offers"][0]["offerId"] = "no-such-offer"
    for _ in range(2):
        assert client.problem("/v1/signatures", bad, headers=headers) == (404, "unknown-offer", [])
    client.sign(instance.offer_body(), headers=headers)


def test_a_stored_answer_outlives_a_restart_and_a_crash(new_service):
    service = new_service()
    headers = fresh()
    first = service.client().post("/v1/signatures", service.offer_body(), headers=headers)
    for end in (service.stop, service.kill):
        end()
        service.start()
        again = service.client().post("/v1/signatures", service.offer_body(), headers=headers)
        assert again.content == first.content and again.headers["idempotency-replayed"] == "true"
        other = service.offer_body(customerId="x")
        assert service.client().problem("/v1/signatures", other, headers=headers) == (422, "idempotency-key-reused", [])
    assert len(service.rows()) == 1


@pytest.mark.parametrize("key", ["", "with space", "x" * 129, "tab\tinside", "ümlaut"])
def test_a_key_of_another_form_is_refused_by_name(instance, client, key):
    rows = len(instance.rows())
    problem = client.problem("/v1/signatures", instance.offer_body(), headers={"Idempotency-Key": key.encode()})
    assert problem == (400, "invalid-field", ["Idempotency-Key"])
    assert len(instance.rows()) == rows


def test_two_keys_are_no_key(instance, client):
    answer = client.post("/v1/signatures", instance.offer_body(), headers=[("Idempotency-Key", "one"), ("Idempotency-Key", "two")])
    assert (answer.status_code, answer.json()["fields"][0]["name"]) == (400, "Idempotency-Key")


def test_a_key_of_the_greatest_length_is_taken(instance, client):
    headers = {"Idempotency-Key": "~" * 64 + uuid.uuid4().hex + "!" * 32}
    [first] = client.sign(instance.offer_body(), headers=headers)
    [again] = client.sign(instance.offer_body(), headers=headers)
    assert first == again
