"""Offers that campaigns give: through the API, in two processes, by the published buckets; who gets nothing counts as well."""
import collections
import re
import uuid

import pytest

from harness.app_store import ISSUER
from harness.purchases import hand_in, lapsed, now, signed
from harness.scale import scaled
from harness.service import run
from harness.waiting import wait_until
from test_admin import client
from test_campaign_life import PATH, step, written
from test_offer_limits_at_once import Pair, check, press

PRODUCT, OFFER = "com.example.pro.monthly", "winback50"
GIVEN = [{"productId": PRODUCT, "offerId": OFFER}]
# Every customer who may have a promotional offer: in these tests the app takes the rules as advice.
TEST = {
    "schedule": None, "audience": None, "placement": None, "exclusionGroup": None, "limits": None, "enrolment": 10000, "holdout": 2000,
    "variants": [{"id": "control", "weight": 4000}, {"id": "half", "weight": 6000, "offers": GIVEN}],
}


def campaign(people, name, **changes):
    """Puts a campaign live, with a second person's approval."""
    # A key with nothing behind it is an error.
    body = {key: value for key, value in written(name, **{**TEST, **changes}).items() if value is not None}
    answer = people["ann"].post(PATH, body)
    assert answer.status_code == 201, answer.text
    step(people["ann"], name, "submit")
    return step(people["eve"], name, "approve", publish=True)


def staff(service):
    return {name: client(service, role, [service.bundle_id]) for name, role in {"ann": "marketing", "eve": "approver"}.items()}


def admit(service, *customers):
    """Says that nothing was bought, which is a history all the same."""
    backend = service.client("backend")
    for customer in customers:
        answer = backend.post("/v1/history/transactions", {"bundleId": service.bundle_id, "customerId": customer, "signedTransactions": []})
        assert answer.status_code == 200, answer.text


def ask(person, service, customer, **fields):
    answer = person.post("/v1/offers", {"bundleId": service.bundle_id, "customerId": customer, **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()


def variant_of(found, name):
    [variant] = [each["variant"] for each in found["assignments"] if each["campaign"] == name] or [None]
    return variant


def exposures(service, name):
    with service.database() as store:
        return [dict(row) for row in store.execute(
            "SELECT * FROM exposure JOIN exposure_arm ON number = arm WHERE campaign_id = ? ORDER BY id", [name])]


def live_campaigns(service):
    """How many the service knows of."""
    return service.metric("offersigner_campaigns", standing="live")


@pytest.fixture(scope="module")
def people(instance):
    return staff(instance)


@pytest.fixture
def live(instance, people):
    """Puts a campaign live and waits until it counts; ends it in the end."""
    names = []

    def make(**changes):
        name = f"c-{uuid.uuid4().hex[:12]}"
        campaign(people, name, **changes)
        names.append(name)
        wait_until(lambda: live_campaigns(instance) >= len(names), message=lambda: instance.log_text()[-2000:])
        return name

    yield make
    for name in names:
        step(people["ann"], name, "end")
    wait_until(lambda: live_campaigns(instance) == 0)


def bucket(name, purpose, unit):
    return int(re.search(r"bucket=(\d+)", run("bucket", f"{name}:{purpose}:{unit}").stdout)[1])


def test_who_gets_what_is_what_the_bucket_command_says(instance, live):
    name = live()
    customers = [f"{name}-{number}" for number in range(40)]
    admit(instance, *customers)
    person, seen = instance.client(), collections.Counter()
    for customer in customers:
        found = ask(person, instance, customer)
        held_out = bucket(name, "holdout", customer) < TEST["holdout"]
        half = bucket(name, "variant", customer) >= 4000
        variant = variant_of(found, name)
        assert variant == ("holdout" if held_out else "half" if half else "control")
        given = [{**GIVEN[0], "campaign": {"id": name, "revision": 1, "variant": "half"}}] if variant == "half" else []
        assert found["offers"] == given
        seen[variant] += 1
    assert len(seen) == 3
    rows = exposures(instance, name)
    assert [row["unit"] for row in rows] == customers
    assert collections.Counter(row["variant"] or "holdout" for row in rows) == seen
    assert {(row["unit_kind"], row["revision"], row["nonce"], row["bundle_id"]) for row in rows} == {("customer", 1, None, instance.bundle_id)}
    # A customer who comes again is known.
    for customer in customers:
        ask(person, instance, customer)
    assert len(exposures(instance, name)) == len(customers)


def test_an_id_that_nothing_stands_behind_is_put_into_no_bucket(instance, live):
    name = live(holdout=0)
    assert ask(instance.client(), instance, f"{name}-made-up")["assignments"] == []
    assert exposures(instance, name) == []


def test_placement_and_attributes_decide(instance, live):
    audience = {"all": [{"attribute": "country", "is": "US"}, {"attribute": "visits", "above": 3}, {"attribute": "beta", "is": True}]}
    name = live(holdout=0, placement="paywall", audience=audience)
    admit(instance, f"{name}-a")
    said = {"country": "US", "visits": 4, "beta": True, "storefront": "USA", "appVersion": "2.10", "mood": None}

    def taken(**fields):
        return variant_of(ask(instance.client(), instance, f"{name}-a", **fields), name) is not None

    assert not taken(placement="paywall")
    assert not taken(placement="settings", attributes=said)
    assert not taken(placement="paywall", attributes={**said, "visits": "4"})
    assert taken(placement="paywall", attributes=said)
    [row] = exposures(instance, name)
    assert (row["storefront"], row["app_version"]) == ("USA", "2.10")


def test_a_signature_without_an_offer_is_of_what_campaigns_choose(instance, live):
    name = live(holdout=0)
    customers = [f"{name}-{number}" for number in range(20)]
    admit(instance, *customers)
    nonces = {}
    for customer in customers:
        expected = "half" if bucket(name, "variant", customer) >= 4000 else "control"
        key = str(uuid.uuid4())
        body = {"bundleId": instance.bundle_id, "customerId": customer, "offers": [{"productId": PRODUCT}]}
        first = instance.client().post("/v1/signatures", body, headers={"Idempotency-Key": key})
        assert first.status_code == 200, first.text
        [result] = first.json()["results"]
        again = instance.client().post("/v1/signatures", body, headers={"Idempotency-Key": key})
        assert again.content == first.content and again.headers["idempotency-replayed"] == "true"
        if expected == "control":
            assert (result["status"], result["code"], result["productId"]) == ("refused", "no-campaign-offer", PRODUCT)
            assert "offerId" not in result
        else:
            assert (result["status"], result["productId"], result["offerId"]) == ("signed", PRODUCT, OFFER)
            assert result["campaign"] == {"id": name, "revision": 1, "variant": "half"}
            nonces[customer] = result["nonce"]
    assert 0 < len(nonces) < len(customers)
    rows = exposures(instance, name)
    assert [row["unit"] for row in rows] == customers
    assert {row["unit"]: str(uuid.UUID(bytes=row["nonce"])) for row in rows if row["nonce"]} == nonces
    ledger = instance.rows()
    assert all(ledger[nonce]["offer_id"] == OFFER for nonce in nonces.values())
    # Of any product, and none of another.
    [customer, *_] = nonces
    body = {"bundleId": instance.bundle_id, "customerId": customer, "offers": [{}, {"productId": "com.example.pro.yearly"}, {}]}
    results = instance.client().sign(body)
    assert [result["status"] for result in results] == ["signed", "refused", "refused"]
    assert [result["productId"] for result in results] == [PRODUCT, "com.example.pro.yearly", None]


@pytest.mark.parametrize("fields, names", [
    ({"placement": ""}, ["placement"]), ({"placement": "retention"}, ["placement"]), ({"placement": 7}, ["placement"]),
    ({"attributes": []}, ["attributes"]), ({"attributes": {str(number): 1 for number in range(51)}}, ["attributes"]),
    ({"attributes": {"a": [1], "b": {}, "c": "x" * 256, "d": "ok", "e": "a\u2063b"}},
     ["attributes.a", "attributes.b", "attributes.c", "attributes.e"]),
    ({"attributes": {"": 1}}, ["attributes."]),
])
def test_what_campaigns_cannot_look_at_is_refused_by_its_name(instance, fields, names):
    body = {"bundleId": instance.bundle_id, "customerId": "u", **fields}
    assert instance.client().problem("/v1/offers", body) == (400, "invalid-field", names)
    signed = {**body, "offers": [{}]}
    assert instance.client().problem("/v1/signatures", signed) == (400, "invalid-field", names)


def test_a_customer_must_be_named(instance):
    assert instance.client().problem("/v1/offers", {"bundleId": instance.bundle_id}) == (400, "invalid-field", ["customerId"])


def test_a_customer_who_may_have_no_offer_meets_no_campaign(enforcing):
    people = staff(enforcing)
    campaign(people, "enforced", holdout=0)
    customer = f"never-{uuid.uuid4()}"
    admit(enforcing, customer)
    wait_until(lambda: live_campaigns(enforcing))
    found = ask(enforcing.client(), enforcing, customer)
    assert (found["offers"], found["assignments"]) == ([], [])
    assert found["eligibility"]["reasons"][0]["code"] == "never-subscribed"
    [result] = enforcing.client().sign({"bundleId": enforcing.bundle_id, "customerId": customer, "offers": [{}]})
    assert (result["status"], result["code"]) == ("refused", "never-subscribed")
    assert exposures(enforcing, "enforced") == []
    step(people["ann"], "enforced", "end")


def test_a_change_counts_in_the_other_process_within_a_second(new_service, tmp_path):
    service = new_service(start=False)
    service.allows_second_process = True
    service.start()
    pair = Pair(service, tmp_path)
    pair.start_second()
    other = client(service, "client", [service.bundle_id])
    other._http.base_url = pair.wait_for_second()
    try:
        people = staff(service)
        admit(service, "ann")
        everybody = [{"id": "all", "weight": 10000, "offers": GIVEN}]
        # The second process learns of access keys in the same way.
        ask(other, service, "ann")

        def until(wanted):
            wait_until(lambda: len(ask(other, service, "ann")["offers"]) == wanted, promised=1)

        campaign(people, "both", holdout=0, variants=everybody)
        until(1)
        for word, wanted in (("pause", 0), ("resume", 1), ("end", 0)):
            step(people["ann"], "both", word)
            until(wanted)
        assert [row["unit"] for row in exposures(service, "both")] in (["ann"], ["ann"] * 2)
    finally:
        pair.kill_second()


def test_exactly_as_many_are_signed_as_a_campaign_has(new_service, tmp_path):
    total, customers = scaled(100, 1000), scaled(200, 2000)
    everybody = [{"id": "control", "weight": 1000}, {"id": "all", "weight": 9000, "offers": GIVEN}]

    def prepare(service):
        admit(service, *(f"c-{number}" for number in range(customers)))
        campaign(staff(service), "limited", holdout=0, variants=everybody, limits={"total": total})
        wait_until(lambda: live_campaigns(service))

    service = new_service(start=False)
    signed, _ = press(service, tmp_path, customers, 5 * total, prepare, refusal="no-campaign-offer", offers=[{"productId": PRODUCT}])
    _, holders = check(service, signed)
    left = total - len(holders)
    assert left >= 0
    names = [f"c-{number}" for number in range(customers) if f"c-{number}" not in holders]
    treated = [name for name in names if bucket("limited", "variant", name) >= 1000]
    body = {"bundleId": service.bundle_id, "offers": [{}]}
    results = [service.client().sign({**body, "customerId": name})[0]["status"] for name in treated[: left + 3]]
    assert results == ["signed"] * left + ["refused"] * 3
    rows, holders = check(service, signed)
    assert len(holders) == total
    # With each signature its exposure, and after the last one no customer is taken any more, whatever their variant.
    found = exposures(service, "limited")
    assert {str(uuid.UUID(bytes=row["nonce"])) for row in found if row["nonce"]} == set(rows)
    for name in [name for name in names if name not in holders][:20]:
        assert ask(service.client(), service, name)["assignments"] == []
    assert len(exposures(service, "limited")) == len(found)
    # A customer who holds one of the places goes on.
    assert ask(service.client(), service, next(iter(holders)))["offers"] != []


def test_a_campaign_signs_anew_for_a_customer_who_cancels(instance, live):
    name = live(holdout=0, limits={"perCustomer": 1, "per": "P90D"}, variants=[{"id": "all", "weight": 10000, "offers": GIVEN}])
    customer = f"{name}-a"
    admit(instance, customer)
    body = {"bundleId": instance.bundle_id, "customerId": customer, "offers": [{}]}
    signed = [instance.client().sign(body)[0] for _ in range(9)]
    # There is room for one more, whichever item of a request takes it.
    two = instance.client().sign({**body, "offers": [{}, {}]})
    assert sorted(each["status"] for each in two) == ["refused", "signed"]
    signed += [each for each in two if each["status"] == "signed"]
    assert {each["campaign"]["id"] for each in signed} == {name} and len({each["nonce"] for each in signed}) == 10
    # Ten are outstanding. The campaign keeps the customer, who still sees the offer.
    [refused] = instance.client().sign(body)
    assert (refused["status"], refused["code"], refused["productId"]) == ("refused", "no-campaign-offer", None)
    assert len(ask(instance.client(), instance, customer)["offers"]) == 1


@pytest.mark.parametrize("naming", ["transactionId", "appTransactionId", "signedTransactions"])
def test_a_redemption_counts_for_the_campaign_whatever_named_the_customer(connected, app_store, naming):
    service = connected(issuerId=ISSUER)
    customer = app_store.customer()
    subscription = lapsed(customer)
    hand_in(service, app_store, customer)
    campaign(staff(service), "once", unit="appTransaction", holdout=0, limits={"perCustomer": 1}, variants=[
        {"id": "all", "weight": 10000, "offers": GIVEN}])
    wait_until(lambda: live_campaigns(service))
    named = [signed(app_store, customer)["signedTransactions"][-1]] if naming == "signedTransactions" else customer.app_transaction_id
    body = {"bundleId": service.bundle_id, naming: named, "form": "jws", "offers": [{}]}
    assert [service.client().sign(body)[0]["status"] for _ in range(2)] == ["signed"] * 2
    subscription.resubscribe(at=now(), offer_id=GIVEN[0]["offerId"])
    hand_in(service, app_store, customer)
    [result] = service.client().sign(body)
    assert (result["status"], result["code"]) == ("refused", "no-campaign-offer")


def test_what_campaigns_know_of_a_customer_is_exported_and_erased(instance, live):
    name = live(holdout=0)
    customer, other = f"{name}-a", f"{name}-b"
    admit(instance, customer, other)
    variant = variant_of(ask(instance.client(), instance, customer), name)
    ask(instance.client(), instance, other)
    backend, path = instance.client("backend"), f"/v1/customers/{customer}"
    export = backend.get(f"{path}/export?bundleId={instance.bundle_id}").json()
    [exposure] = export["exposures"]
    assert (exposure["campaign"], exposure["variant"], exposure["unit"], exposure["unitId"]) == (name, variant, "customer", customer)
    assert backend.request("DELETE", f"{path}?bundleId={instance.bundle_id}").status_code == 200
    first, second = exposures(instance, name)
    assert first["unit"].startswith("erased-") and second["unit"] == other
