"""A rule of administration holds at every door: the API, the console and the command line refuse the same thing in the same words."""
import html
import json
import sqlite3
import subprocess

import httpx
import pytest

from harness.service import free_port
from harness.waiting import wait_until
from test_admin import client
from test_campaign_life import PATH as CAMPAIGNS, published, put, step, written
from test_events import deliveries, endpoint, secret_file
from test_key_rotation import keys, make_key, signing_key
from test_text_limits import people, service, submitted

UNKNOWN, STRANGER = "com.example.unknown", "no-such-customer"


def refused(sentence, answers, command, statuses):
    """Every door refuses with the sentence. A page begins it with a capital letter."""
    assert [answer.status_code for answer in answers] == statuses, [answer.text for answer in answers]
    for said in [*(html.unescape(answer.text) for answer in answers), command.stderr]:
        assert sentence.lower() in said.lower(), said
    assert command.returncode != 0 and command.stdout == ""


def counted(service, table):
    with sqlite3.connect(service.store) as store:
        return store.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def test_an_access_key_for_an_app_that_there_is_not(service, people):
    body = {"role": "client", "note": "x", "bundleIds": [UNKNOWN]}
    form = {"role": "client", "note": "x", "app": UNKNOWN, "expires": "30"}
    before = counted(service, "access")
    refused(
        f"the configuration has no app {UNKNOWN}",
        [people["root"].post("/v1/admin/access", body), submitted(service, people["root"], "/console/access", "/console/access", **form)],
        service.cli("access", "create", "--role", "client", "--app", UNKNOWN), [404, 422])
    assert counted(service, "access") == before


def test_an_access_key_without_a_word_for_people(service, people):
    form = {"role": "client", "note": "  ", "app": service.bundle_id, "expires": "30"}
    answer = people["root"].post("/v1/admin/access", {"role": "client", "note": "  "})
    page = submitted(service, people["root"], "/console/access", "/console/access", **form)
    refused("is empty", [answer, page], service.cli("access", "create", "--note", "  "), [400, 422])


def test_an_access_key_that_has_ended(service, people):
    answer = people["root"].post("/v1/admin/access", {"role": "client", "note": "x", "expiresAt": 1_700_000_000_000})
    command = service.cli("access", "create", "--expires-in-days", "0")
    refused("has passed", [answer], command, [400])
    assert "--expires-in-days" in command.stderr


@pytest.fixture(scope="module")
def leaked(service):
    """The id of a key that is revoked, while another one signs."""
    make_key(service, "LEAKEDKEY1")
    keys(service, "revoke", "LEAKEDKEY1", "--reason", "leaked")
    wait_until(lambda: "revoked" in keys(service, "show", "LEAKEDKEY1"))
    return "LEAKEDKEY1"


def decided(service, person, key, word, **fields):
    path = f"/console/keys/{key}/{word}"
    return submitted(service, person, f"{path}?app={service.bundle_id}", path, app=service.bundle_id, reason="", **fields)


def test_a_revoked_key_signs_through_no_door(service, people, leaked):
    refused(
        f"the key {leaked} is revoked and cannot sign again",
        [people["sam"].post(f"/v1/admin/keys/{leaked}/activate", {}), decided(service, people["sam"], leaked, "activate")],
        service.cli("keys", "activate", leaked), [409, 422])


def test_the_only_key_is_revoked_by_mistake_through_no_door(service, people):
    key = signing_key(service)
    refused(
        f"the key {key} signs for {service.bundle_id}",
        [people["sam"].post(f"/v1/admin/keys/{key}/revoke", {})], service.cli("keys", "revoke", key), [409])
    assert signing_key(service) == key


def test_a_key_that_there_is_not(service, people):
    for words in (["activate"], ["show"]):
        command = service.cli("keys", *words, "NOSUCHKEY1")
        assert command.returncode != 0 and "no key NOSUCHKEY1 serves" in command.stderr, command.stderr
    refused(
        "no key NOSUCHKEY1 serves", [people["sam"].post("/v1/admin/keys/NOSUCHKEY1/revoke", {})],
        service.cli("keys", "revoke", "NOSUCHKEY1"), [404])


def test_a_key_whose_file_is_gone_can_be_revoked_through_each_door(service, people):
    for key, revoke in {
        "GONEKEY001": lambda key: people["sam"].post(f"/v1/admin/keys/{key}/revoke", {}).status_code == 200,
        "GONEKEY002": lambda key: service.cli("keys", "revoke", key).returncode == 0,
    }.items():
        file, before = make_key(service, key), signing_key(service)
        keys(service, "activate", key)
        wait_until(lambda: signing_key(service) == key)
        keys(service, "activate", before)
        wait_until(lambda: signing_key(service) == before)
        file.unlink()
        wait_until(lambda: people["sam"].get(f"/v1/admin/keys/{key}").status_code == 404)
        assert revoke(key)
        assert service.cli("keys", "activate", key).returncode != 0


def test_a_running_campaign_keeps_its_audience_through_each_door(service, people, tmp_path):
    published(people, "kept")
    other = written("kept", audience={"fact": "refunds.count", "is": 7})
    file = tmp_path / "kept.json"
    file.write_text(json.dumps({"campaigns": [other]}))
    assert put(people["ann"], "kept", other).status_code == 200
    answer = step(people["ann"], "kept", "submit", status=422)
    done = service.cli("campaigns", "import", "--submit", str(file))
    [sentence] = [fault["reason"] for fault in answer.json()["fields"] if fault["name"] == "audience"]
    assert done.returncode != 0 and sentence in done.stderr, (sentence, done.stderr)
    assert people["ann"].get(f"{CAMPAIGNS}/kept").json()["state"] == "live"


def test_an_author_who_approves_through_another_door(service, people):
    author = client(service, "admin", [service.bundle_id])
    assert author.post(CAMPAIGNS, written("own")).status_code == 201
    step(author, "own", "submit")
    console = f"/console/apps/{service.bundle_id}/campaigns/own"
    seen = author.get(f"{CAMPAIGNS}/own").json()["version"]
    answer = step(author, "own", "approve", status=409)
    page = submitted(service, author, f"{console}/review", f"{console}/review", op="publish", seen=seen, note="")
    assert answer.json()["code"] == "second-person-needed" and page.status_code == 422, page.text
    assert author.get(f"{CAMPAIGNS}/own").json()["state"] == "in-review"


def test_a_customer_is_unknown_in_the_same_words(service, people):
    path = f"/v1/customers/{STRANGER}?bundleId={service.bundle_id}"
    command = service.cli("customer", "show", "--app", service.bundle_id, STRANGER)
    refused(
        f"nothing is known of this customer in the app {service.bundle_id}",
        [people["root"].get(path), people["root"].delete(path)], command, [404, 404])


@pytest.mark.parametrize("door", ["DELETE", "customer erase", "audit erase"])
def test_an_erased_name_is_in_no_event_whatever_door_erased_it(new_service, tmp_path, door):
    file = secret_file(tmp_path)
    service = new_service(extra="events:\n  endpoints:\n" + endpoint("crm", free_port(), file, allowPrivateAddresses=True))
    named = lambda: deliveries(service, type="offer.signed", customerId="anna")
    service.client().sign(service.offer_body(applicationUsername="anna", customerId="anna"))
    wait_until(lambda: len(named()) == 1, message=lambda: str(deliveries(service)))
    if door == "DELETE":
        answer = client(service, "backend").delete(f"/v1/customers/anna?bundleId={service.bundle_id}")
        assert answer.status_code == 200, answer.text
    elif door == "customer erase":
        service.cli("customer", "erase", "--app", service.bundle_id, "anna").check_returncode()
    else:
        command = service.command("audit", "erase", "--app", service.bundle_id)
        subprocess.run(command, input="anna\n", text=True, check=True, capture_output=True)
    assert deliveries(service, type="offer.signed") and not named()


def test_keys_that_contradict_each_other_can_be_listed_and_decided_about(new_service):
    service = new_service()
    before = signing_key(service)
    make_key(service, "SECONDKEY1")
    manifest = service.folder / "keys/keys.yaml"
    # Without a state it would sign, too.
    manifest.write_text(manifest.read_text() + "  - {id: SECONDKEY1, file: SubscriptionKey_SECONDKEY1.p8}\n")
    assert before in keys(service, "list") and "SECONDKEY1" in keys(service, "list")
    keys(service, "revoke", "SECONDKEY1", "--even-if-active")
    assert signing_key(service) == before


def test_faulty_fields_of_an_access_key_are_all_named(people):
    answer = people["root"].post("/v1/admin/access", {"role": "owner", "note": " ", "timeZone": "Mars", "expiresAt": 1_800_000_000})
    assert sorted(fault["name"] for fault in answer.json()["fields"]) == ["expiresAt", "note", "role", "timeZone"]


def test_a_probe_may_have_a_query_and_administration_may_not(service, people):
    for path in ("/readyz", "/livez", "/metrics", "/openapi.json", "/docs", "/"):
        assert httpx.get(f"{service.url}{path}?probe=1").status_code == 200, path
    assert people["root"].get("/v1/admin/access?probe=1").json()["code"] == "unknown-field"
