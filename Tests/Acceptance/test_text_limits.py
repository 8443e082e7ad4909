"""Texts that people write into the record: the same limit through the API, the console and the commands, and nothing is cut."""
import pytest

from harness.service import Service
from test_admin import client
from test_campaign_life import PATH as CAMPAIGNS, step, written
from test_console import form_token, signed_in

NOTE, REASON = "n" * 200, "r" * 500


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = Service(tmp_path_factory.mktemp("texts") / "service")
    service.start()
    yield service
    service.stop()


@pytest.fixture(scope="module")
def people(service):
    return {name: client(service, role, [] if name == "root" else [service.bundle_id]) for name, role in
            {"ann": "marketing", "eve": "approver", "sam": "security", "root": "admin"}.items()}


def refused(answer, field, limit):
    assert answer.status_code == 400, answer.text
    [fault] = answer.json()["fields"]
    assert fault["name"] == field and f"at most {limit} characters" in fault["reason"]


def submitted(service, person, page, path, **fields):
    """Sends a form of the console as a browser would, but without its limits."""
    browser, _ = signed_in(service, person.token)
    return browser.post(path, data={"formToken": form_token(browser, page), **fields})


def recorded(people, action):
    return [row.get("reason") for row in people["root"].get("/v1/admin/audit", params={"action": action}).json()["items"]]


def test_the_note_of_an_access_key(service, people):
    refused(people["sam"].post("/v1/admin/access", {"role": "viewer", "note": NOTE + "x", "bundleIds": [service.bundle_id]}), "note", 200)
    done = service.cli("access", "create", "--role", "viewer", "--note", NOTE + "x")
    assert done.returncode != 0 and done.stdout == "" and "at most 200 characters" in done.stderr
    fields = {"role": "viewer", "app": service.bundle_id, "expires": "30"}
    answer = submitted(service, people["sam"], "/console/access", "/console/access", note=NOTE + "x", **fields)
    assert answer.status_code == 422 and "at most 200 characters" in answer.text and NOTE + "x" in answer.text
    for blank in ("", " \t"):
        done = service.cli("access", "create", "--role", "viewer", "--note", blank)
        assert done.returncode != 0 and done.stdout == "" and "--note is empty" in done.stderr
    assert NOTE not in recorded(people, "access.create")
    # With one character less each door takes it, as it is.
    assert people["sam"].post("/v1/admin/access", {"role": "viewer", "note": NOTE, "bundleIds": [service.bundle_id]}).status_code == 201
    assert service.cli("access", "create", "--role", "viewer", "--note", NOTE).returncode == 0
    assert submitted(service, people["sam"], "/console/access", "/console/access", note=NOTE, **fields).status_code == 200
    assert recorded(people, "access.create").count(NOTE) == 3


def test_the_reason_for_a_decision_about_a_key(service, people):
    [key] = [item["keyId"] for item in people["sam"].get("/v1/admin/keys").json()["items"]]
    refused(people["sam"].post(f"/v1/admin/keys/{key}/revoke", {"reason": REASON + "x", "evenIfActive": True}), "reason", 500)
    done = service.cli("keys", "revoke", key, "--even-if-active", "--reason", REASON + "x")
    assert done.returncode != 0 and "at most 500 characters" in done.stderr
    path = f"/console/keys/{key}/revoke"
    answer = submitted(
        service, people["sam"], f"{path}?app={service.bundle_id}", path, app=service.bundle_id, typed=key, next="", reason=REASON + "x")
    assert answer.status_code == 422 and "at most 500 characters" in answer.text and REASON + "x" in answer.text
    assert recorded(people, "key.revoke") == []
    assert people["sam"].post(f"/v1/admin/keys/{key}/revoke", {"reason": REASON, "evenIfActive": True}).status_code == 200
    assert recorded(people, "key.revoke") == [REASON]


def test_the_reasons_and_notes_of_a_campaign(service, people):
    assert people["ann"].post(CAMPAIGNS, written("texts")).status_code == 201
    console = f"/console/apps/{service.bundle_id}/campaigns/texts"
    refused(step(people["ann"], "texts", "submit", status=400, reason=REASON + "x"), "reason", 500)
    refused(people["ann"].post(f"{CAMPAIGNS}/texts/notes", {"reason": REASON + "x"}), "reason", 500)
    answer = submitted(service, people["ann"], f"{console}/rule", f"{console}/notes", note=REASON + "x", place="history")
    assert answer.status_code == 200 and "at most 500 characters" in answer.text and REASON + "x" in answer.text
    step(people["ann"], "texts", "submit", reason=REASON)
    seen = people["eve"].get(f"{CAMPAIGNS}/texts").json()["version"]
    for word in ("reject", "publish"):
        answer = submitted(
            service, people["eve"], f"{console}/review", f"{console}/review", op=word, seen=seen, note=REASON + "x")
        assert answer.status_code == 422 and "at most 500 characters" in answer.text and REASON + "x" in answer.text
    for word in ("end", "discard"):
        person = people["eve" if word == "end" else "ann"]
        answer = submitted(service, person, f"{console}/{word}", f"{console}/{word}", seen=seen, note=REASON + "x")
        assert answer.status_code == 422 and "at most 500 characters" in answer.text and REASON + "x" in answer.text
    tester, testers = {"customerId": "qa", "variant": "half"}, f"{CAMPAIGNS}/texts/testers"
    refused(people["ann"].request("PUT", testers, json={"testers": [{**tester, "note": NOTE + "x"}]}, headers={"If-Match": "*"}), "testers[0].note", 200)
    answer = submitted(
        service, people["ann"], f"{console}/testers", f"{console}/testers", seen=seen, kind="customer", tester="qa", variant="half",
        note=NOTE + "x")
    assert answer.status_code == 422 and "at most 200 characters" in answer.text and NOTE + "x" in answer.text
    now = people["eve"].get(f"{CAMPAIGNS}/texts").json()
    assert (now["state"], now["version"]) == ("in-review", seen)
