"""Campaigns of an exclusion group over time: two processes, audiences that change, a restart in between, and no customer in two of them."""
import concurrent.futures
import random

from harness.scale import scaled
from harness.waiting import wait_until
from test_admin import client
from test_campaign_life import step
from test_offer_limits_at_once import Pair
from test_offers import GIVEN, PRODUCT, admit, ask, campaign, exposures, live_campaigns, staff, variant_of

GROUP = [f"group-{letter}" for letter in "abc"]


def live(service, count):
    wait_until(lambda: live_campaigns(service) == count, message=lambda: service.log_text()[-2000:])


def units(service, name):
    return {row["unit"] for row in exposures(service, name)}


def test_no_customer_is_in_two_campaigns_of_a_group(new_service, tmp_path):
    service = new_service(start=False)
    service.allows_second_process = True
    service.start()
    people, pair, source = staff(service), Pair(service, tmp_path), random.Random(7)
    half = [{"id": "control", "weight": 5000}, {"id": "half", "weight": 5000, "offers": GIVEN}]
    for priority, name in enumerate(GROUP):
        campaign(
            people, name, priority=priority, exclusionGroup="g", holdout=1000, variants=half,
            audience={"attribute": "stage", "contains": name[-1]})
    campaign(people, "alone", holdout=0, variants=half)
    customers = [f"u-{number}" for number in range(scaled(60, 400))]
    admit(service, *customers)
    pair.start_second()
    other = client(service, "client", [service.bundle_id])
    other._http.base_url = pair.wait_for_second()
    live(service, 4)

    def press(persons):
        """Every customer again and again, in another stage each time, and at once in both processes."""
        def one(customer):
            for person in persons:
                said = {"stage": "".join(source.sample("abc", source.randint(1, 3)))}
                if source.random() < 0.5:
                    body = {"bundleId": service.bundle_id, "customerId": customer, "attributes": said, "offers": [{"productId": PRODUCT}]}
                    answer = person.post("/v1/signatures", body)
                    assert answer.status_code == 200, answer.text
                else:
                    found = ask(person, service, customer, attributes=said)
                    assert sum(each["campaign"] in GROUP for each in found["assignments"]) <= 1
        asked = [customer for customer in customers for _ in range(4)]
        source.shuffle(asked)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(one, asked))

    try:
        press([service.client(), other])
        service.kill()
        service.start()
        press([service.client(), other])
    finally:
        pair.kill_second()
    taken = [units(service, name) for name in GROUP]
    assert all(taken) and sum(map(len, taken)) == len(set.union(*taken)) and len(set.union(*taken)) > 0.9 * len(customers)
    assert units(service, "alone") == set(customers)

    # One is over: other campaigns take its customers, and no other customer moves.
    step(people["ann"], GROUP[2], "end")
    live(service, 3)
    customer, held = min(taken[2]), min(taken[1])
    export = service.client("backend").get(f"/v1/customers/{held}/export", params={"bundleId": service.bundle_id}).json()
    assert export["exclusionHolds"] == [{"exclusionGroup": "g", "campaign": GROUP[1], "unit": "customer", "unitId": held}]
    found = ask(service.client(), service, customer, attributes={"stage": "abc"})
    assert variant_of(found, GROUP[1]) is not None and variant_of(found, GROUP[0]) is None
    found = ask(service.client(), service, held, attributes={"stage": "a"})
    assert variant_of(found, GROUP[0]) is None
    assert units(service, GROUP[0]) == taken[0]
