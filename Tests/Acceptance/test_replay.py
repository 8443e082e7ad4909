"""No nonce is ever used twice: not at once, not later, not after a crash."""
import asyncio
import time
import uuid

import pytest

from harness import wire
from harness.scale import IS_FULL, scaled

CROWD = 1000


def test_of_a_thousand_concurrent_requests_with_one_nonce_exactly_one_is_signed(instance, client):
    """Different bodies, so that nothing but the nonce can stop them."""
    offers = [(product["productId"], offer) for product in instance.products for offer in product["offers"]]

    def body(nonce, index):
        product, offer = offers[index % len(offers)]
        return instance.offer_body() | {
            "applicationUsername": f"user-{index}",
            "form": "jws" if index % 7 == 0 else "payload",
            "offers": [{"productId": product, "offerId": offer, "nonce": nonce.upper() if index % 2 else nonce}],
        }

    async def rounds():
        volley = await wire.Volley.open(instance.url, CROWD)
        for _ in range(scaled(5, 20)):
            [nonce] = client.nonces(instance.bundle_id)
            answers = await volley.fire([
                wire.request("/v1/signatures", body(nonce, index), instance.tokens["client"]) for index in range(CROWD)
            ])
            signed = [answer for answer in answers if answer.status == 200]
            others = {(answer.status, answer.code) for answer in answers if answer.status != 200}
            assert len(signed) == 1, f"{len(signed)} signed; the others {others}"
            assert others == {(409, "nonce-replayed")}
            [result] = signed[0].json()["results"]
            assert result["nonce"] == nonce and nonce in instance.rows()
        volley.close()

    before = len(instance.rows())
    asyncio.run(rounds())
    assert len(instance.rows()) == before + scaled(5, 20)


def test_replays_do_not_spoil_the_requests_of_others(instance, client):
    """Replayed nonces and good requests meet in the same commit."""
    [used] = client.nonces(instance.bundle_id)
    client.sign(instance.offer_body(nonce=used))

    async def mixed():
        volley = await wire.Volley.open(instance.url, 400)
        answers = await volley.fire([
            wire.request("/v1/signatures", instance.offer_body(nonce=used if index % 2 else None), instance.tokens["client"])
            for index in range(400)
        ])
        volley.close()
        return answers

    answers = asyncio.run(mixed())
    assert {(answer.status, answer.code) for answer in answers[1::2]} == {(409, "nonce-replayed")}
    assert {answer.status for answer in answers[0::2]} == {200}


@pytest.mark.parametrize("change", [str, str.upper, str.title], ids=["as it was", "upper case", "mixed case"])
def test_a_used_nonce_is_refused_in_any_case(instance, client, change):
    [nonce] = client.nonces(instance.bundle_id)
    client.sign(instance.offer_body(nonce=nonce))
    assert client.problem("/v1/signatures", instance.offer_body(nonce=change(nonce))) == (409, "nonce-replayed", [])


def test_a_nonce_that_the_service_made_cannot_be_used_again(instance, client):
    [result] = client.sign(instance.offer_body())
    assert client.problem("/v1/signatures", instance.offer_body(nonce=result["nonce"])) == (409, "nonce-replayed", [])


def test_a_nonce_of_an_introductory_offer_cannot_be_used_again(instance, client):
    products = [{"productId": instance.product, "transactionId": "1", "allow": False}]
    answer = client.post("/v1/introductory-offers/signatures", {"bundleId": instance.bundle_id, "products": products})
    nonce = answer.json()["results"][0]["nonce"]
    assert client.problem("/v1/signatures", instance.offer_body(nonce=nonce)) == (409, "nonce-replayed", [])


def test_one_nonce_twice_in_a_request_signs_nothing_and_uses_nothing_up(instance, client):
    first, second = client.nonces(instance.bundle_id, 2)
    body = instance.offer_body()
    body["offers"] = [body["offers"][0] | {"nonce": nonce} for nonce in (second, first, first.upper())]
    assert client.problem("/v1/signatures", body)[:2] == (409, "nonce-replayed")
    for nonce in (first, second):
        client.sign(instance.offer_body(nonce=nonce))


@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize("kind", ["used", "foreign"])
def test_a_bad_nonce_among_several_uses_up_none_of_the_others(instance, client, position, kind):
    nonces = client.nonces(instance.bundle_id, 3)
    rows = len(instance.rows())
    if kind == "used":
        client.sign(instance.offer_body(nonce=nonces[position]))
        rows += 1
        expected = (409, "nonce-replayed", [])
    else:
        nonces[position] = str(uuid.uuid4())
        expected = (422, "nonce-not-issued", [])
    body = instance.offer_body()
    body["offers"] = [body["offers"][0] | {"nonce": nonce} for nonce in nonces]
    assert client.problem("/v1/signatures", body) == expected
    assert len(instance.rows()) == rows
    for nonce in nonces[:position] + nonces[position + 1 :]:
        client.sign(instance.offer_body(nonce=nonce))


def test_a_nonce_made_elsewhere_is_not_accepted(instance, client):
    for nonce in [str(uuid.uuid4()), str(uuid.uuid1()), "00000000-0000-0000-0000-000000000000"]:
        assert client.problem("/v1/signatures", instance.offer_body(nonce=nonce)) == (422, "nonce-not-issued", [])


def test_a_nonce_with_any_digit_changed_is_not_accepted(instance, client):
    [nonce] = client.nonces(instance.bundle_id)
    for index in [index for index, character in enumerate(nonce) if character != "-"]:
        changed = nonce[:index] + ("0" if nonce[index] != "0" else "1") + nonce[index + 1 :]
        assert client.problem("/v1/signatures", instance.offer_body(nonce=changed)) == (422, "nonce-not-issued", []), index
    client.sign(instance.offer_body(nonce=nonce))


def test_a_nonce_of_another_caller_is_not_accepted(instance, client):
    [nonce] = instance.client("backend").nonces(instance.bundle_id)
    assert client.problem("/v1/signatures", instance.offer_body(nonce=nonce)) == (422, "nonce-not-issued", [])
    instance.client("backend").sign(instance.offer_body(nonce=nonce))


def test_a_nonce_of_another_app_is_not_accepted(instance, client):
    [nonce] = client.nonces("com.example.news")
    assert client.problem("/v1/signatures", instance.offer_body(nonce=nonce)) == (422, "nonce-not-issued", [])
    news = {"productId": "com.example.news.monthly", "offerId": "comeback", "nonce": nonce}
    client.sign({"bundleId": "com.example.news", "offers": [news]})


def test_a_used_nonce_is_refused_as_used_to_every_caller(instance, client):
    [nonce] = client.nonces(instance.bundle_id)
    client.sign(instance.offer_body(nonce=nonce))
    status, code, _ = instance.client("backend").problem("/v1/signatures", instance.offer_body(nonce=nonce))
    assert (status, code) in [(409, "nonce-replayed"), (422, "nonce-not-issued")]


def test_a_nonce_survives_a_restart_and_a_used_one_stays_used(new_service):
    service = new_service()
    client = service.client()
    for end in (service.stop, service.kill):
        used, unused = client.nonces(service.bundle_id, 2)
        client.sign(service.offer_body(nonce=used))
        [own] = client.sign(service.offer_body())
        end()
        service.start()
        client = service.client()
        for nonce in (used, own["nonce"]):
            assert client.problem("/v1/signatures", service.offer_body(nonce=nonce)) == (409, "nonce-replayed", [])
        client.sign(service.offer_body(nonce=unused))


def test_nonces_are_lower_case_version_4_uuids_and_all_different(instance, client):
    nonces = [nonce for _ in range(10) for nonce in client.nonces(instance.bundle_id, 100)]
    assert len(set(nonces)) == 1000
    for nonce in nonces:
        assert uuid.UUID(nonce).version == 4 and str(uuid.UUID(nonce)) == nonce


def test_an_old_nonce_expires(new_service):
    """With the shortest period of a minute a nonce lives for one to two; full scale only waits for it."""
    service = new_service(extra="nonces: {periodMinutes: 1}\n")
    answer = service.client().post("/v1/nonces", {"bundleId": service.bundle_id}).json()
    lifetime = answer["nonces"][0]["expiresAt"] - answer["timestamp"]
    assert 60_000 < lifetime <= 120_000
    assert answer["nonces"][0]["expiresAt"] % 60_000 == 0
    if IS_FULL:
        time.sleep(lifetime / 1000 + 0.2)
        nonce = answer["nonces"][0]["nonce"]
        assert service.client().problem("/v1/signatures", service.offer_body(nonce=nonce)) == (422, "nonce-expired", [])
