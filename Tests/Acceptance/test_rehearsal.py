"""Campaigns that testers meet before customers do: through the API, in the Sandbox only, and in no result."""
import pytest

from harness.app_store import BUNDLE
from harness.purchases import active, hand_in
from harness.waiting import wait_until
from test_admin import client
from test_campaign_life import PATH, step, written
from test_environments import SANDBOX, sandbox_account
from test_offers import GIVEN, OFFER, PRODUCT, TEST

CAMPAIGN = "rehearsed"


@pytest.fixture
def service(connected):
    return connected(sandbox=True)


@pytest.fixture
def people(service):
    return {name: client(service, role, [BUNDLE]) for name, role in {"ann": "marketing", "eve": "approver", "vic": "viewer"}.items()}


def draft(people, **changes):
    body = {key: value for key, value in written(CAMPAIGN, **{**TEST, "bundleId": BUNDLE, **changes}).items() if value is not None}
    answer = people["ann"].post(PATH, body)
    assert answer.status_code == 201, answer.text
    return body


def set_testers(person, found, status=200, tag="*"):
    answer = person.request("PUT", f"{PATH}/{CAMPAIGN}/testers", json={"testers": found}, headers={"If-Match": tag})
    assert answer.status_code == status, answer.text
    return answer


def ask(service, customer, **fields):
    answer = service.client().post("/v1/offers", {"bundleId": BUNDLE, "customerId": customer, **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()


def until(service, customer, wanted, **fields):
    """The answer once this many campaigns take the customer; the manual promises a second."""
    return wait_until(lambda: len((found := ask(service, customer, **fields))["assignments"]) == wanted and found, promised=1.5)


def counted(service, table):
    with service.database() as store:
        return store.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def results(person):
    def counted():
        answer = person.get(f"{PATH}/{CAMPAIGN}/results", params={"bundleId": BUNDLE, **SANDBOX})
        return answer.json() if answer.status_code == 200 and "counting" not in answer.json() else None

    return wait_until(counted)


def test_a_draft_is_tried_in_the_sandbox_and_nothing_of_it_is_ever_a_result(service, people, app_store):
    for name in ("qa", "other"):
        hand_in(service, app_store, sandbox_account(app_store), name)
    # The same id in Production is a customer who has bought there as well.
    customer = app_store.customer()
    active(customer)
    hand_in(service, app_store, customer, "qa")
    # No customer would be taken: it has not begun, and its audience is in no country.
    draft(people, schedule={"from": "2999-01-01T00:00:00Z"}, audience={"attribute": "country", "is": "US"}, holdout=10000 - 1)
    assert ask(service, "qa", **SANDBOX)["assignments"] == []
    answer = set_testers(people["ann"], [{"customerId": "qa", "variant": "half", "note": "test phone"}])
    assert answer.json() == {"testers": [{"customerId": "qa", "variant": "half", "note": "test phone"}], "rehearsal": {}}
    found = until(service, "qa", 1, **SANDBOX)
    chosen = {"revision": 0, "variant": "half", "rehearsal": True, "outsideAudience": True}
    assert found["assignments"] == [{"campaign": CAMPAIGN, **chosen}]
    assert found["offers"] == [{**GIVEN[0], "campaign": {"id": CAMPAIGN, **chosen}}]
    assert "outsideAudience" not in ask(service, "qa", attributes={"country": "US"}, **SANDBOX)["assignments"][0]
    body = {"bundleId": BUNDLE, "customerId": "qa", "offers": [{"productId": PRODUCT}]}
    for _ in range(2):
        [signed] = service.client().sign({**body, **SANDBOX})
        assert (signed["status"], signed["offerId"], signed["campaign"]) == ("signed", OFFER, {"id": CAMPAIGN, **chosen})
    # Neither the same id in Production, nor another customer in the Sandbox.
    assert ask(service, "qa")["assignments"] == [] and ask(service, "other", **SANDBOX)["assignments"] == []
    assert service.client().sign(body)[0]["code"] == "no-campaign-offer"
    assert service.client().sign({**body, "customerId": "other", **SANDBOX})[0]["code"] == "no-campaign-offer"
    assert counted(service, "exposure") == 0 and counted(service, "rehearsal") == 3
    shown = people["vic"].get(f"{PATH}/{CAMPAIGN}/testers").json()
    assert shown["rehearsal"] == {"half": {"exposed": 1, "signed": 2}}
    export = service.client("backend").get("/v1/customers/qa/export", params={"bundleId": BUNDLE, **SANDBOX}).json()
    assert export["testers"] == [{"campaign": CAMPAIGN, "variant": "half", "unit": "customer", "unitId": "qa", "note": "test phone"}]
    own = {"campaign": CAMPAIGN, "revision": 0, "variant": "half", "unit": "customer", "unitId": "qa"}
    nonces = [(each.pop("nonce"), each.pop("metAt"))[0] for each in export["rehearsals"]]
    assert export["rehearsals"] == 3 * [own] and len([nonce for nonce in nonces if nonce]) == 2 and export["exposures"] == []
    managed = people["vic"].get(f"{PATH}/{CAMPAIGN}").json()
    assert managed["testers"] == shown["testers"] and managed["state"] == "draft"

    # It goes live for every customer: the tester stays one, in the Sandbox; customers are counted.
    text = managed["draft"]["campaign"]
    text.pop("schedule"), text.pop("audience"), text.update(holdout=0, variants=[{"id": "half", "weight": 10000, "offers": GIVEN}])
    assert people["ann"].request("PUT", f"{PATH}/{CAMPAIGN}", json=text, headers={"If-Match": "*"}).status_code == 200
    step(people["ann"], CAMPAIGN, "submit")
    step(people["eve"], CAMPAIGN, "approve", publish=True)
    until(service, "other", 1, **SANDBOX)
    found = until(service, "qa", 1, **SANDBOX)
    assert found["assignments"] == [{"campaign": CAMPAIGN, "revision": 1, "variant": "half", "rehearsal": True}]
    [real] = ask(service, "qa")["assignments"]
    assert real == {"campaign": CAMPAIGN, "revision": 1, "variant": "half"}
    made = results(people["vic"])
    assert [line["exposed"] for line in made["variants"]] == [1] and [line["signed"] for line in made["variants"]] == [0]
    assert made["rehearsal"] == {"half": {"exposed": 1, "signed": 2}}

    # A customer who is only a tester can be exported and erased, too.
    set_testers(people["ann"], [{"customerId": "qa", "variant": "half"}, {"customerId": "nobody-else", "variant": "half"}])
    for environment in (SANDBOX, {}):
        path, query = "/v1/customers/nobody-else", {"bundleId": BUNDLE, **environment}
        export = service.client("backend").get(f"{path}/export", params=query).json()
        assert [each["unitId"] for each in export["testers"]] == ["nobody-else"] and export["facts"] is None
    assert service.client("backend").request("DELETE", path, params={"bundleId": BUNDLE}).status_code == 200
    assert [each["customerId"] for each in people["vic"].get(f"{PATH}/{CAMPAIGN}/testers").json()["testers"]] == ["qa"]

    # Taken out, the tester is a customer like every other; and an ended campaign cannot be tried.
    set_testers(people["ann"], [])
    wait_until(lambda: "rehearsal" not in ask(service, "qa", **SANDBOX)["assignments"][0])
    assert ask(service, "qa", **SANDBOX)["assignments"] == [real]
    step(people["ann"], CAMPAIGN, "end")
    assert set_testers(people["ann"], [], 409).json()["code"] == "not-now"


def test_who_cannot_be_a_tester_is_named_with_the_remedy(people):
    draft(people)
    wanted = [
        {"customerId": "a", "variant": "half"}, {"customerId": "a", "variant": "control"}, {"originalTransactionId": "a", "variant": "third"},
    ]
    refused = set_testers(people["ann"], wanted, 422).json()
    assert refused["code"] == "invalid-testers"
    assert [field["name"] for field in refused["fields"]] == ["testers[1].customerId", "testers[2].variant"]
    assert "control, half" in refused["fields"][1]["reason"]
    many = [{"customerId": f"u-{number}", "variant": "half"} for number in range(101)]
    refused = set_testers(people["ann"], many, 422).json()
    assert [field["name"] for field in refused["fields"]] == ["testers"] and "100 at most" in refused["detail"]
    assert len(set_testers(people["ann"], many[:100]).json()["testers"]) == 100
    for each in ({"variant": "half"}, {"customerId": "a", "appTransactionId": "7", "variant": "half"}, {"customerId": "a"}):
        assert set_testers(people["ann"], [each], 400).json()["code"] == "invalid-field"
    # An approver does not write, and a late editor gets an error.
    for name in ("eve", "vic"):
        set_testers(people[name], [], 403)
    tag = people["vic"].get(f"{PATH}/{CAMPAIGN}/testers").headers["etag"]
    set_testers(people["ann"], many[:1], tag=tag)
    assert set_testers(people["ann"], [], 412, tag=tag).json()["code"] == "changed-meanwhile"
    # A draft that is in review stays there.
    step(people["ann"], CAMPAIGN, "submit")
    set_testers(people["ann"], [])
    assert people["vic"].get(f"{PATH}/{CAMPAIGN}").json()["state"] == "in-review"
    answer = client_rows(people["vic"])
    assert answer[-1].count("tester") == 1 and "u-0" not in "".join(answer)


def client_rows(person):
    """How the log tells of the testers, the first first."""
    items = person.get("/v1/admin/audit", params={"bundleId": BUNDLE, "action": "campaign.testers"}).json()["items"]
    return [f"{row.get('before')} {row.get('after')}" for row in reversed(items)]
