"""A customer is tried through the API: what campaigns would give, why, and that nothing comes of asking."""
import sqlite3

import pytest

from harness.app_store import BUNDLE
from harness.purchases import GROUP, DAY, hand_in, lapsed, now
from harness.waiting import wait_until
from test_admin import client
from test_campaign_life import written
from test_campaigns import bucket

API = "/v1/admin/campaigns"
AUDIENCE = {"all": [{"fact": "subscription.state", "group": GROUP, "is": "expired"}, {"attribute": "country", "oneOf": ["US", "CA"]}]}
SAID = {"placement": "paywall", "attributes": {"country": "US", "beta": True, "level": 3}}


@pytest.fixture(scope="module")
def customers():
    return [f"u-{number}" for number in range(12)]


@pytest.fixture
def tried(app_store, connected, customers):
    """A service with a live campaign, and people who look at it."""
    service = connected()
    service.people = {role: client(service, role, [BUNDLE]) for role in ("marketing", "approver", "viewer", "backend", "security")}
    for name in customers:
        customer = app_store.customer()
        lapsed(customer)
        hand_in(service, app_store, customer, name)
        service.transaction = str(customer.transactions[0]["transactionId"])
    publish(service, "tried", audience=AUDIENCE, enrolment=10000, holdout=2000)
    return service


def publish(service, name, **changes):
    assert service.people["marketing"].post(API, written(name, **changes)).status_code == 201
    for person, word, body in [("marketing", "submit", {}), ("approver", "approve", {"publish": True})]:
        answer = service.people[person].request("POST", f"{API}/{name}/{word}", json=body, headers={"If-Match": "*"})
        assert answer.status_code == 200, answer.text


def attempt(service, role="viewer", status=200, **body):
    answer = service.people[role].post(f"{API}/try", {"bundleId": BUNDLE, **body})
    assert answer.status_code == status, answer.text
    return answer.json()


def test_it_says_what_the_app_would_be_given(tried, customers):
    expected = {}
    for name in customers:
        found = attempt(tried, customerId=name, **SAID)
        assert found["hasPurchases"] and found["environment"] == "Production" and found["eligibility"]["status"] == "eligible"
        [campaign] = found["campaigns"]
        assert campaign["unit"] == {"kind": "customer", "id": name} and campaign["audience"]["holds"] == "yes"
        assert campaign["buckets"]["holdout"]["bucket"] == bucket("tried", "holdout", name)
        expected[name] = {key: found[key] for key in ("offers", "assignments")}
    with sqlite3.connect(tried.store) as store:
        assert store.execute("SELECT count(*) FROM exposure").fetchone() == (0,), "trying has exposed a customer"
    # Every process knows of it within a second.
    wait_until(lambda: tried.client("backend").post("/v1/offers", {"bundleId": BUNDLE, "customerId": customers[0], **SAID}).json()["assignments"])
    given = {name: tried.client("backend").post("/v1/offers", {"bundleId": BUNDLE, "customerId": name, **SAID}).json() for name in customers}
    assert expected == given
    variants = {each["assignments"][0]["variant"] for each in given.values()}
    assert {"control", "half"} <= variants


def test_it_says_why_not(tried, customers):
    found = attempt(tried, customerId=customers[0])
    [campaign] = found["campaigns"]
    assert found["offers"] == found["assignments"] == [] and campaign["verdict"] == "passed-over"
    assert [each["code"] for each in campaign["obstacles"]] == ["audience"]
    expired, country = campaign["audience"]["parts"]
    assert (expired["holds"], expired["value"]) == ("yes", "expired")
    assert (country["path"], country["holds"], country["value"]) == ("audience.all[1]", "unknown", None)
    elsewhere = attempt(tried, customerId=customers[0], **{**SAID, "placement": "settings"})
    assert "placement" in [each["code"] for each in elsewhere["campaigns"][0]["obstacles"]]
    before = attempt(tried, customerId=customers[0], at=1, **SAID)
    assert before["asOf"] == 1 and "not-started" in [each["code"] for each in before["campaigns"][0]["obstacles"]]
    nobody = attempt(tried, customerId="u-nobody", **SAID)
    assert not nobody["hasPurchases"] and [each["code"] for each in nobody["campaigns"][0]["obstacles"]] == ["audience"]
    assert nobody["eligibility"]["status"] != "eligible"


def test_any_name_of_the_customer_leads_to_them(tried, customers):
    found = attempt(tried, transactionId=tried.transaction, **SAID)
    assert found["hasPurchases"] and found["campaigns"][0]["unit"]["id"] == customers[-1]
    missing = attempt(tried, status=400, **SAID)
    assert missing["fields"][0]["name"] == "customerId"


def test_a_draft_stands_in_the_place_of_what_is_published(tried, customers):
    control = [{"id": "nothing", "weight": 10000}]
    marketing = tried.people["marketing"]
    put = marketing.request("PUT", f"{API}/tried", headers={"If-Match": "*"}, json=written(
        "tried", audience=AUDIENCE, enrolment=10000, holdout=0, variants=control))
    assert put.status_code == 200, put.text
    [assignment] = attempt(tried, customerId=customers[0], **SAID, **{"with": "tried"})["assignments"]
    assert assignment == {"campaign": "tried", "variant": "nothing"}
    assert attempt(tried, customerId=customers[0], **SAID)["assignments"][0]["revision"] == 1
    # Of something that is not published at all, too.
    assert marketing.post(API, written("fresh", audience=AUDIENCE, exclusionGroup="another", enrolment=10000, priority=99)).status_code == 201
    found = attempt(tried, customerId=customers[0], at=now() + DAY, **SAID, **{"with": "fresh"})
    assert [(each["id"], each.get("revision")) for each in found["campaigns"]] == [("fresh", None), ("tried", 1)]
    assert attempt(tried, status=404, customerId="u-0", **{"with": "no-such"})["code"] == "unknown-campaign"
    marketing.request("POST", f"{API}/tried/discard", json={}, headers={"If-Match": "*"})
    assert attempt(tried, status=409, customerId="u-0", **{"with": "tried"})["code"] == "not-now"
    faulty = marketing.post(API, {**written("faulty"), "audience": {"fact": "no.such", "is": 1}})
    assert faulty.status_code == 201, faulty.text
    assert attempt(tried, status=422, customerId="u-0", **{"with": "faulty"})["code"] == "invalid-campaign"


def test_a_caller_who_may_not_see_campaigns_tries_no_customer(tried):
    for role in ("backend", "security"):
        assert attempt(tried, role, status=403, customerId="u-0")["code"] == "forbidden"
    for body in ({"attributes": {"countries": ["US"]}}, {"at": -1}, {"environment": "Mars"}):
        assert attempt(tried, status=400, customerId="u-0", **body)["code"] == "invalid-field"
    assert attempt(tried, status=400, customerId="u-0", customer="u-0")["code"] == "unknown-field"
