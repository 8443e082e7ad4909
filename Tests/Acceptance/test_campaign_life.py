"""A campaign's life through the API: written, reviewed by another person, published, changed by several people at once, rolled back."""
import copy
import time

import pytest

from harness.service import Service
from harness.waiting import wait_until
from test_admin import Person, client

PATH = "/v1/admin/campaigns"
CAMPAIGN = {
    "id": "spring-winback",
    "name": "Win back in spring",
    "bundleId": "com.example.app",
    "placement": "paywall",
    "priority": 10,
    "exclusionGroup": "winback",
    "schedule": {"from": "2020-03-01T00:00:00Z"},
    "unit": "customer",
    "enrolment": 1000,
    "holdout": 500,
    "audience": {"all": [{"fact": "refunds.count", "is": 0}, {"attribute": "country", "oneOf": ["US", "CA"]}]},
    "limits": {"perCustomer": 1, "per": "P90D", "total": 10000},
    "variants": [
        {"id": "control", "weight": 5000},
        {"id": "half", "weight": 5000, "offers": [{"productId": "com.example.pro.monthly", "offerId": "winback50"}]},
    ],
    "goal": {"metric": "subscribed", "window": "P14D", "expected": 0.1, "detect": 0.02},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = Service(tmp_path_factory.mktemp("campaigns") / "service")
    service.start()
    yield service
    service.stop()


@pytest.fixture(scope="module")
def people(service):
    # Root is for every app, and so has to name the one that is meant.
    return {name: client(service, role, [] if name == "root" else [service.bundle_id]) for name, role in
            {"ann": "marketing", "bob": "marketing", "eve": "approver", "root": "admin", "vic": "viewer"}.items()}


def written(campaign, **changes):
    return {**copy.deepcopy(CAMPAIGN), "id": campaign, **changes}


def made(people, campaign, **changes):
    answer = people["ann"].post(PATH, written(campaign, **changes))
    assert answer.status_code == 201, answer.text
    return answer


def step(person, name, word, tag="*", status=200, **body):
    answer = person.request("POST", f"{PATH}/{name}/{word}", json=body, headers={"If-Match": tag})
    assert answer.status_code == status, answer.text
    return answer


def published(people, campaign, **changes):
    made(people, campaign, **changes)
    step(people["ann"], campaign, "submit")
    return step(people["eve"], campaign, "approve", publish=True)


def put(person, name, campaign, tag="*", query=""):
    return person.request("PUT", f"{PATH}/{name}{query}", json=campaign, headers={"If-Match": tag})


def test_the_warning_about_the_pace_is_there_until_the_campaign_has_begun(service, people):
    until = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 10 * 86400))
    goal = {"metric": "subscribed", "window": "P14D", "expected": 0.1, "detect": 0.02, "customersPerDay": 200}
    warned = lambda campaign: [each["path"] for each in campaign["findings"] if each["code"] == "verdict-unlikely"]
    draft = made(people, "paced", schedule={"until": until}, goal=goal, exclusionGroup="paced").json()
    assert warned(draft) == ["goal.customersPerDay"]
    step(people["ann"], "paced", "submit")
    live = step(people["eve"], "paced", "approve", publish=True).json()
    assert live["state"] == "live" and warned(live) == []
    assert warned(step(people["bob"], "paced", "end").json()) == []


def test_from_a_draft_to_live_with_a_second_person(service, people):
    answer = made(people, "first")
    draft = answer.json()
    assert answer.headers["etag"] == '"1"' and draft["version"] == 1
    assert draft["state"] == "draft" and draft["published"] is None and draft["findings"] == []
    assert draft["draft"]["campaign"] == written("first") and draft["draft"]["authors"] == [people["ann"].key_id]
    assert step(people["ann"], "first", "submit", '"1"').json()["state"] == "in-review"
    # No access key without the permission can, not even its author's.
    for name in ("ann", "vic"):
        assert step(people[name], "first", "approve", status=403).json()["code"] == "forbidden"
    live = step(people["eve"], "first", "approve", '"2"', publish=True, reason="looks right").json()
    assert live["state"] == "live" and live["revision"] == 1 and live["draft"] is None
    assert live["published"]["approvedBy"] == live["published"]["publishedBy"] == people["eve"].key_id
    assert step(people["bob"], "first", "pause").json()["state"] == "paused"
    assert step(people["bob"], "first", "resume").json()["state"] == "live"
    assert step(people["bob"], "first", "end").json()["state"] == "ended"
    assert step(people["bob"], "first", "resume", status=409).json()["code"] == "not-now"
    rows = people["root"].get("/v1/admin/audit?limit=200").json()["items"]
    deeds = [row["action"] for row in reversed(rows) if row.get("subject") == "first"]
    assert deeds == [f"campaign.{word}" for word in ("create", "submit", "approve", "publish", "pause", "resume", "end")]
    assert service.cli("audit", "verify").returncode == 0


def test_authors_do_not_approve_their_own_draft(people):
    answer = people["root"].post(PATH, written("own"))
    assert answer.status_code == 201
    step(people["root"], "own", "submit", bundleId="com.example.app")
    refused = step(people["root"], "own", "approve", status=409, bundleId="com.example.app")
    assert refused.json()["code"] == "second-person-needed" and people["root"].key_id in refused.json()["detail"]
    # Nor do they bring it back alone, once another person has published it and its successor.
    step(people["eve"], "own", "approve", publish=True)
    put(people["root"], "own", written("own", name="Second"))
    step(people["root"], "own", "submit", bundleId="com.example.app")
    step(people["eve"], "own", "approve", publish=True)
    alone = step(people["root"], "own", "rollback", status=409, bundleId="com.example.app", revision=1)
    assert alone.json()["code"] == "second-person-needed"
    assert step(people["eve"], "own", "rollback", revision=1).json()["published"]["campaign"] == written("own")


def test_the_later_editor_sees_who_was_first_and_loses_nothing(people):
    made(people, "both")
    assert put(people["ann"], "both", written("both", name="by ann"), '"1"').status_code == 200
    late = put(people["bob"], "both", written("both", name="by bob"), '"1"')
    assert late.status_code == 412 and late.json()["code"] == "changed-meanwhile"
    assert people["ann"].key_id in late.json()["detail"] and 'If-Match: "2"' in late.json()["detail"]
    now = people["bob"].get(f"{PATH}/both")
    assert now.headers["etag"] == '"2"' and now.json()["draft"]["campaign"]["name"] == "by ann"
    assert put(people["bob"], "both", written("both", name="by bob"), '"2"').json()["draft"]["authors"] == [
        people["ann"].key_id, people["bob"].key_id]
    missing = people["bob"].request("PUT", f"{PATH}/both", json=written("both"))
    assert missing.status_code == 428 and missing.json()["code"] == "precondition-required"


def test_a_draft_with_faults_is_kept_and_goes_no_further(people):
    variants = [{**CAMPAIGN["variants"][0], "weight": 4500}, {**CAMPAIGN["variants"][1], "offers": [
        {"productId": "com.example.pro.monthly", "offerId": "none"}]}]
    answer = made(people, "faulty", variants=variants).json()
    errors = {finding["path"] for finding in answer["findings"] if finding["severity"] == "error"}
    assert {"variants", "variants[1].offers[0].offerId"} <= errors
    refused = step(people["ann"], "faulty", "submit", status=422).json()
    assert refused["code"] == "invalid-campaign" and errors == {field["name"] for field in refused["fields"]}
    assert people["ann"].get(f"{PATH}/faulty").json()["draft"]["campaign"]["variants"] == variants


def test_what_has_no_form_is_refused_by_field(people):
    bad = people["ann"].post(PATH, {"id": "x", "name": "x", "bundleId": "com.example.app", "variants": [{"id": "a", "weight": "50"}], "wieght": 1})
    assert bad.status_code == 400 and bad.json()["code"] == "invalid-field"
    assert {field["name"] for field in bad.json()["fields"]} == {"variants[0].weight", "wieght"}
    # Neither what is no id, nor what is a name of its own under the path.
    for name in ("Not An Id", "reach", "try"):
        assert people["ann"].post(PATH, written(name)).status_code == 400
    assert people["ann"].post(PATH, written("other-app", bundleId="com.example.unknown")).status_code == 403
    assert people["root"].post(PATH, written("other-app", bundleId="com.example.unknown")).status_code == 404
    assert put(people["ann"], "first", written("second")).json()["fields"][0]["name"] == "id"


def test_a_test_that_is_read_once_says_so_before_it_begins(people):
    analysis = {"method": "fixed", "sampleSize": 8000}
    draft = made(people, "once", analysis=analysis).json()
    assert draft["draft"]["campaign"]["analysis"] == analysis
    # 7,682 find 12 against 10 of 100 four times out of five.
    few = put(people["ann"], "once", written("once", analysis={"method": "fixed", "sampleSize": 7681})).json()
    [finding] = [finding for finding in few["findings"] if finding["path"].startswith("analysis")]
    assert finding["severity"] == "warning" and "7682" in finding["message"]
    for wrong, field in [({"method": "fixed"}, "analysis.sampleSize"), ({"sampleSize": 5}, "analysis.sampleSize"), ({"method": "twice"}, "analysis.method")]:
        refused = put(people["ann"], "once", written("once", analysis=wrong))
        assert refused.status_code == 400 and [each["name"] for each in refused.json()["fields"]] == [field]
    put(people["ann"], "once", written("once", analysis=analysis))
    step(people["ann"], "once", "submit")
    step(people["eve"], "once", "approve", publish=True)
    changed = put(people["ann"], "once", written("once", exclusionGroup="another")).json()
    assert [finding["path"] for finding in changed["findings"] if finding["code"] == "locked"] == ["exclusionGroup", "analysis"]
    results = wait_until(lambda: (answer := people["vic"].get(f"{PATH}/once/results")).status_code == 200 and answer).json()
    assert results["method"].startswith("fixed horizon of 8000 units") and results["unitsNeeded"] == 8000
    assert results["verdict"]["code"] == "too-little-data"


def test_what_runs_keeps_what_would_make_two_tests_of_one(people):
    published(people, "locked")
    other = written("locked", enrolment=500, audience={"fact": "refunds.count", "is": 1})
    other["variants"][0]["weight"], other["variants"][1]["weight"] = 4000, 6000
    findings = put(people["ann"], "locked", other).json()["findings"]
    assert {finding["path"] for finding in findings if finding["code"] == "locked"} == {"enrolment", "audience", "variants"}
    step(people["ann"], "locked", "submit", status=422)
    wider = written("locked", enrolment=5000, name="Wider", priority=11)
    assert put(people["ann"], "locked", wider).json()["findings"] == []
    step(people["ann"], "locked", "submit")
    answer = step(people["eve"], "locked", "approve", publish=True).json()
    assert answer["revision"] == 2
    diff = people["vic"].get(f"{PATH}/locked/diff?from=1&to=2").json()
    assert diff == {"from": 1, "to": 2, "changes": [
        "name: Win back in spring → Wider", "priority: 10 → 11", "enrolment: 10 % → 50 %"]}
    # What an edit may not change, a roll-back may not change either: it would drop customers who are in the test.
    narrower = step(people["eve"], "locked", "rollback", status=422, revision=1).json()
    assert narrower["code"] == "invalid-campaign" and [field["name"] for field in narrower["fields"]] == ["enrolment"]
    put(people["ann"], "locked", written("locked", enrolment=5000, name="Wider", priority=12))
    step(people["ann"], "locked", "submit")
    step(people["eve"], "locked", "approve", publish=True)
    # What was right once is at hand, for a person who may approve it and has not written it.
    assert step(people["ann"], "locked", "rollback", status=403, revision=2).json()["code"] == "forbidden"
    back = step(people["eve"], "locked", "rollback", revision=2).json()
    assert back["revision"] == 4 and back["published"]["copyOf"] == 2 and back["published"]["campaign"] == wider
    assert back["published"]["approvedBy"] == people["eve"].key_id
    revisions = people["vic"].get(f"{PATH}/locked/revisions?limit=2").json()
    assert [item["revision"] for item in revisions["items"]] == [4, 3] and revisions["next"] == "3"
    assert [item["revision"] for item in people["vic"].get(f"{PATH}/locked/revisions?after=3").json()["items"]] == [2, 1]
    assert step(people["eve"], "locked", "rollback", status=404, revision=9).json()["code"] == "unknown-revision"


def test_a_draft_of_an_old_revision_is_not_published_over_a_newer_one(people):
    published(people, "raced")
    put(people["ann"], "raced", written("raced", enrolment=2000))
    step(people["ann"], "raced", "submit")
    step(people["eve"], "raced", "approve", publish=True)
    put(people["bob"], "raced", written("raced", enrolment=3000), query="?basedOn=1")
    refused = step(people["bob"], "raced", "submit", status=409).json()
    assert refused["code"] == "outdated-draft" and "revision 2" in refused["detail"]
    put(people["bob"], "raced", written("raced", enrolment=3000), query="?basedOn=2")
    step(people["bob"], "raced", "submit")


def test_lists_go_by_app_and_state(service, people):
    published(people, "listed")
    made(people, "listed-first")
    made(people, "listed-last")
    items = people["vic"].get(f"{PATH}?bundleId={service.bundle_id}").json()["items"]
    names = [item["id"] for item in items]
    assert names == sorted(names) and "draft" not in items[0]
    live = people["vic"].get(f"{PATH}?state=live").json()["items"]
    assert live and all(item["state"] == "live" for item in live)
    page = people["vic"].get(f"{PATH}?limit=2").json()
    assert page["next"] == names[1] and people["vic"].get(f"{PATH}?after={page['next']}").json()["items"] == items[2:]
    made(people, "soon", schedule={"from": "2099-01-01T00:00:00Z"})
    step(people["ann"], "soon", "submit")
    assert step(people["eve"], "soon", "approve", publish=True).json()["state"] == "scheduled"
    assert people["root"].get(PATH).status_code == 400
    assert client(service, "marketing", ["com.example.news"]).get(f"{PATH}/listed?bundleId={service.bundle_id}").status_code == 403


def test_it_is_there_after_a_restart(service, people):
    published(people, "kept")
    before = people["vic"].get(f"{PATH}/kept").json()
    service.stop()
    service.start()
    assert Person(service, people["vic"].token).get(f"{PATH}/kept").json() == before


def test_activity_is_read_by_the_page_and_a_note_collides_with_nothing(new_service):
    service = new_service()
    people = {role: client(service, role, [CAMPAIGN["bundleId"]]) for role in ("marketing", "approver", "viewer")}
    made = people["marketing"].post(PATH, CAMPAIGN | {"id": "noted", "tags": ["spring"], "hypothesis": "It works."})
    assert made.status_code == 201 and made.json()["archived"] is False
    assert made.json()["draft"]["campaign"]["hypothesis"] == "It works."
    tag = {"If-Match": made.headers["etag"]}
    for role in ("approver", "marketing"):
        assert people[role].post(f"{PATH}/noted/notes", {"reason": f"by {role}"}).status_code == 200
    assert people["viewer"].post(f"{PATH}/noted/notes", {"reason": "mine"}).status_code == 403
    assert people["marketing"].post(f"{PATH}/noted/notes", {"reason": " "}).status_code == 400
    assert people["marketing"].request("PUT", f"{PATH}/noted", json=CAMPAIGN | {"id": "noted", "name": "Other"}, headers=tag).status_code == 200
    refused = people["marketing"].request("POST", f"{PATH}/noted/archive", json={}, headers={"If-Match": "*"})
    assert refused.status_code == 409 and "end it first" in refused.json()["detail"]
    for word in ("end", "archive", "unarchive"):
        answer = people["marketing"].request("POST", f"{PATH}/noted/{word}", json={}, headers={"If-Match": "*"})
        assert answer.status_code == 200 and answer.json()["archived"] is (word == "archive")
    page = people["viewer"].get(f"{PATH}/noted/activity?limit=3").json()
    assert [each["step"] for each in page["items"]] == ["unarchive", "archive", "end"] and page["next"] == "5"
    rest = people["viewer"].get(f"{PATH}/noted/activity?after=5").json()
    assert [(each["number"], each["step"], each["reason"], each["revision"]) for each in rest["items"]] == [
        (4, "save", "", 1), (3, "note", "by marketing", 1), (2, "note", "by approver", 1), (1, "create", "", 1)]
    assert rest["next"] is None
