"""What people with access keys administer: signing keys, access keys, apps; who may, and who may not."""
import json
import re
import time

import httpx

import pytest

from harness.checks import openssl
from harness.client import Client
from harness.service import ROOT, Service
from harness.waiting import PATIENCE, wait_until

ROLES = ["client", "backend", "marketing", "approver", "security", "viewer", "admin"]
OTHER = "com.example.other"


class Person(Client):
    """A person with an access key that was made on the command line."""

    def __init__(self, service, token):
        super().__init__(service.url, token)
        self.token, self.key_id = token, token.split("_")[1]

    def delete(self, path):
        return self.request("DELETE", path)


def client(service, role, apps=(), note=""):
    named = ("--note", note) if note else ()
    made = service.cli("access", "create", "--role", role, *named, *(word for app in apps for word in ("--app", app)))
    assert made.returncode == 0, made.stderr
    return Person(service, made.stdout.strip())


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = Service(tmp_path_factory.mktemp("admin") / "service", extra=f"apps: [{{bundleId: {OTHER}}}]\n")
    service.start()
    yield service
    service.stop()


def test_an_access_key_is_made_shown_once_and_revoked(service):
    security = client(service, "security")
    body = {"role": "backend", "note": "für die Kasse", "bundleIds": [service.bundle_id], "timeZone": "Europe/Berlin"}
    made = security.post("/v1/admin/access", body)
    assert made.status_code == 201 and made.headers["cache-control"] == "no-store"
    key = made.json()
    backend = Person(service, key["accessKey"])
    assert backend.post("/v1/nonces", {}).status_code == 200
    shown = security.get(f"/v1/admin/access/{key['id']}").json()
    assert "accessKey" not in shown and {**shown, "lastUsedAt": None} == {k: v for k, v in key.items() if k != "accessKey"}
    assert shown["createdBy"] == security.key_id and shown["createdAt"] <= time.time() * 1000
    listed = security.get("/v1/admin/access").json()
    assert listed["next"] is None and shown["id"] in [item["id"] for item in listed["items"]]
    assert key["accessKey"].split("_", 2)[2] not in json.dumps(listed)
    page = security.get("/v1/admin/access?limit=1").json()
    assert [item["id"] for item in page["items"]] == [page["next"]]
    rest = security.get(f"/v1/admin/access?after={page['next']}").json()
    assert page["items"] + rest["items"] == listed["items"]
    revoked = security.delete(f"/v1/admin/access/{key['id']}")
    assert revoked.status_code == 200 and revoked.json()["revokedAt"] >= key["createdAt"]
    wait_until(lambda: backend.post("/v1/nonces", {}).status_code == 401, promised=1)


def test_when_a_key_was_used_last_is_known_after_a_restart(service):
    security = client(service, "security")
    other = client(service, "client")
    began = int(time.time() * 1000)
    assert other.post("/v1/nonces", {"bundleId": service.bundle_id}).status_code == 200
    ended = int(time.time() * 1000)
    service.stop()
    service.start()
    security = Person(service, security.token)
    used = security.get(f"/v1/admin/access/{other.key_id}").json()["lastUsedAt"]
    assert began <= used <= ended


@pytest.mark.parametrize("fields, name", [
    ({"role": "root"}, "role"), ({"role": None}, "role"), ({"note": ""}, "note"), ({"note": None}, "note"), ({"note": "x" * 201}, "note"),
    ({"timeZone": "Mars/Olympus"}, "timeZone"), ({"timeZone": "../../etc/passwd"}, "timeZone"), ({"expiresAt": -1}, "expiresAt"), ({"expiresAt": 1_800_000_000}, "expiresAt"),
    ({"bundleIds": []}, "bundleIds"), ({"expiresat": 1}, "expiresat"),
])
def test_a_wish_that_cannot_be_met_names_its_field(service, fields, name):
    answer = client(service, "admin").post("/v1/admin/access", {"role": "viewer", "note": "n", **fields})
    assert answer.status_code == 400 and [field["name"] for field in answer.json()["fields"]] == [name]


def test_a_caller_cannot_make_a_role_above_their_own_or_reach_beyond_their_apps(service):
    security, limited = client(service, "security"), client(service, "security", [service.bundle_id])
    admin = client(service, "admin")
    assert security.post("/v1/admin/access", {"role": "admin", "note": "n"}).status_code == 403
    assert admin.post("/v1/admin/access", {"role": "admin", "note": "n"}).status_code == 201
    assert security.delete(f"/v1/admin/access/{admin.key_id}").status_code == 403
    assert limited.post("/v1/admin/access", {"role": "client", "note": "n"}).status_code == 400
    assert limited.post("/v1/admin/access", {"role": "client", "note": "n", "bundleIds": [OTHER]}).status_code == 403
    assert limited.post("/v1/admin/access", {"role": "client", "note": "n", "bundleIds": [service.bundle_id]}).status_code == 201
    assert limited.get(f"/v1/admin/access/{security.key_id}").status_code == 404
    assert limited.delete(f"/v1/admin/access/{security.key_id}").status_code == 404
    assert {tuple(item["bundleIds"]) for item in limited.get("/v1/admin/access").json()["items"]} == {(service.bundle_id,)}
    apps = [[item["bundleId"] for item in each.get("/v1/admin/apps").json()["items"]] for each in (security, limited)]
    assert OTHER in apps[0] and apps[1] == [service.bundle_id]
    assert limited.get(f"/v1/admin/apps/{OTHER}/catalogue").status_code == 403


def new_pem(tmp_path):
    file = tmp_path / "new.pem"
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file)
    return file.read_text()


def test_a_rotation_over_http(new_service, tmp_path):
    service = new_service()
    security = client(service, "security")
    staged = security.post("/v1/admin/keys", {"keyId": "HTTPKEY123", "pem": new_pem(tmp_path)})
    assert staged.status_code == 201
    assert {app["state"] for app in staged.json()["apps"]} == {"staged"}
    for pem in (new_pem(tmp_path), "no key"):
        again = security.post("/v1/admin/keys", {"keyId": "HTTPKEY123", "pem": pem})
        assert (again.status_code, again.json()["code"]) == (422, "unusable-key")
    for key_id, pem in [("BADKEY1234", "no key"), ("../evil", "no key"), ("SAMEKEY123", (tmp_path / "new.pem").read_text())]:
        answer = security.post("/v1/admin/keys", {"keyId": key_id, "pem": pem})
        assert answer.status_code == (201 if key_id == "SAMEKEY123" else 422), answer.text
    files = sorted(file.name for file in (service.folder / "keys").iterdir() if "EXAMPLE" not in file.name and "Audit" not in file.name)
    assert files == ["SubscriptionKey_HTTPKEY123.p8", "SubscriptionKey_SAMEKEY123.p8", "keys.yaml"]
    path = "/v1/admin/keys/HTTPKEY123"
    changes = security.post(f"{path}/activate", {"bundleId": service.bundle_id, "reason": "planned"})
    assert changes.json() == {"changes": [
        {"keyId": "EXAMPLE123", "bundleId": service.bundle_id, "state": "retiring"},
        {"keyId": "HTTPKEY123", "bundleId": service.bundle_id, "state": "active"},
    ]}
    # No waiting: the caller finds it done.
    assert service.client().sign(service.offer_body())[0]["keyIdentifier"] == "HTTPKEY123"
    [shown] = [app for app in security.get(path).json()["apps"] if app["bundleId"] == service.bundle_id]
    assert (shown["state"], shown["signatures"], shown["safeToRevokeAt"], shown["decidedBy"], shown["reason"]) == (
        "active", 1, None, security.key_id, "planned")
    for action, code in [("activate", "key-active"), ("revoke", "key-needed")]:
        answer = security.post(f"{path}/{action}", {"bundleId": service.bundle_id})
        assert (answer.status_code, answer.json()["code"]) == (409, code)
    assert security.post(f"{path}/rollback", {"bundleId": service.bundle_id}).status_code == 200
    answer = security.post(f"{path}/rollback", {"bundleId": service.bundle_id})
    assert (answer.status_code, answer.json()["code"]) == (409, "key-not-active")
    assert service.client().sign(service.offer_body())[0]["keyIdentifier"] == "EXAMPLE123"
    assert security.post(f"{path}/revoke", {"environment": "Xcode"}).status_code == 400
    assert security.post(f"{path}/revoke", {}).status_code == 200
    answer = security.post(f"{path}/activate", {})
    assert (answer.status_code, answer.json()["code"]) == (409, "key-ended")
    assert security.post("/v1/admin/keys/NOSUCHKEY1/activate", {}).status_code == 404


def test_two_persons(new_service, tmp_path):
    service = new_service(extra="apps: [{bundleId: com.example.app, twoPersonKeys: true}]\n")
    first, second = client(service, "security"), client(service, "security")
    assert first.post("/v1/admin/keys", {"keyId": "HTTPKEY123", "pem": new_pem(tmp_path)}).status_code == 201
    path = "/v1/admin/keys/HTTPKEY123/activate"
    asked = first.post(path, {"bundleId": "com.example.app", "reason": "planned"})
    assert asked.status_code == 202
    assert first.post(path, {"bundleId": "com.example.app"}).json() == asked.json()
    own = first.post("/v1/admin/access", {"role": "security", "note": "myself again"}).json()["accessKey"]
    refused = Person(service, own).post(path, {"bundleId": "com.example.app"})
    assert (refused.status_code, refused.json()["code"]) == (409, "second-person-needed")
    [pending] = second.get("/v1/admin/keys").json()["pending"]
    assert pending["id"] == asked.json()["pending"] and pending["proposedBy"] == first.key_id
    assert service.client().sign(service.offer_body())[0]["keyIdentifier"] == "EXAMPLE123"
    assert second.post(path, {"bundleId": "com.example.app"}).status_code == 200
    assert service.client().sign(service.offer_body())[0]["keyIdentifier"] == "HTTPKEY123"
    back = first.post("/v1/admin/keys/HTTPKEY123/rollback", {"bundleId": "com.example.app"}).json()["pending"]
    assert first.delete(f"/v1/admin/keys/proposals/{back}").status_code == 200
    assert second.get("/v1/admin/keys").json()["pending"] == []


def two_person_proposals(service, person):
    return [each["id"] for each in person.get("/v1/admin/keys").json()["pending"]]


@pytest.mark.parametrize("overtaken_by", ["revoked", "active already"])
def test_a_proposal_that_a_decision_has_overtaken_is_withdrawn(new_service, tmp_path, overtaken_by):
    service = new_service(extra="apps: [{bundleId: com.example.app, twoPersonKeys: true}]\n")
    first, second = client(service, "security"), client(service, "security")
    for key_id in ("HTTPKEY123", "OTHERKEY12"):
        assert first.post("/v1/admin/keys", {"keyId": key_id, "pem": new_pem(tmp_path)}).status_code == 201
    body = {"bundleId": "com.example.app"}
    proposed, other = (
        first.post(f"/v1/admin/keys/{key_id}/activate", body).json()["pending"] for key_id in ("HTTPKEY123", "OTHERKEY12"))
    if overtaken_by == "revoked":
        for person in (first, second):
            done = person.post("/v1/admin/keys/HTTPKEY123/revoke", body)
        assert done.status_code == 200
    else:
        # The machine's own rights need no second person.
        assert service.cli("keys", "activate", "HTTPKEY123", "--app", "com.example.app").returncode == 0
    assert two_person_proposals(service, second) == [other]
    assert first.delete(f"/v1/admin/keys/proposals/{proposed}").status_code == 404
    with service.database() as database:
        [event] = database.execute("SELECT * FROM audit_event WHERE action = 'key.withdraw'")
    assert event["subject"] == "HTTPKEY123" and proposed in event["after"] and event["reason"].startswith("overtaken: ")


def test_a_security_key_for_one_app_stages_activates_and_revokes_for_that_app_only(new_service, tmp_path):
    service = new_service(extra=f"apps: [{{bundleId: {OTHER}}}]\n")
    limited, security = client(service, "security", [service.bundle_id]), client(service, "security")
    staged = limited.post("/v1/admin/keys", {"keyId": "ITSOWNKEY1", "pem": new_pem(tmp_path)})
    assert staged.status_code == 201 and [app["bundleId"] for app in staged.json()["apps"]] == [service.bundle_id]
    for restarts in (False, True):
        if restarts:
            service.stop()
            service.start()
            limited, security = Person(service, limited.token), Person(service, security.token)
        seen = security.get("/v1/admin/keys/ITSOWNKEY1").json()["apps"]
        assert [(app["bundleId"], app["state"]) for app in seen] == [(service.bundle_id, "staged")]
        refused = security.post("/v1/admin/keys/ITSOWNKEY1/activate", {"bundleId": OTHER})
        assert (refused.status_code, refused.json()["code"]) == (404, "unknown-key")
    for action, state in (("activate", "active"), ("rollback", "retiring"), ("revoke", "revoked")):
        changes = limited.post(f"/v1/admin/keys/ITSOWNKEY1/{action}", {}).json()["changes"]
        assert {change["bundleId"] for change in changes} == {service.bundle_id}
        assert state in {change["state"] for change in changes if change["keyId"] == "ITSOWNKEY1"}
    assert limited.post("/v1/admin/keys/EXAMPLE123/revoke", {"bundleId": OTHER, "evenIfActive": True}).status_code == 403
    # A caller who may act for every app stages for every app.
    assert len(security.post("/v1/admin/keys", {"keyId": "FORALLAPPS", "pem": new_pem(tmp_path)}).json()["apps"]) > 1
    verdict = json.loads(service.cli("audit", "verify", "--json").stdout)
    assert verdict["faults"] == [], verdict


def test_security_makes_keys_that_sign_and_none_with_more_rights_than_the_manual_says(service):
    security, limited = client(service, "security"), client(service, "security", [service.bundle_id])
    for role in ROLES:
        for maker, apps in ((security, {}), (limited, {"bundleIds": [service.bundle_id]})):
            made = maker.post("/v1/admin/access", {"role": role, "note": f"made by {maker.key_id}", **apps})
            assert made.status_code == (403 if role == "admin" else 201), made.text
            if role != "backend":
                continue
            key = made.json()
            assert Person(service, key["accessKey"]).sign(service.offer_body())[0]["status"] == "signed"
            other = Person(service, key["accessKey"]).post("/v1/nonces", {"bundleId": OTHER})
            assert other.status_code == (403 if apps else 200)
            with service.database() as database:
                [event] = database.execute("SELECT * FROM audit_event WHERE action = 'access.create' AND subject = ?", [key["id"]])
            assert event["actor"] == maker.key_id and "backend" in event["after"]
    manual = (ROOT / "docs/access.md").read_text().split("## The matrix")[1].split("\n## ")[0]
    assert "`security` makes keys of every role but `admin`" in manual


def test_the_key_folder_may_be_out_of_the_services_reach(service, tmp_path):
    folder = service.folder / "keys"
    # Root may write anywhere: a name that is taken by a folder stands for a folder that cannot be written into.
    (folder / ".SubscriptionKey_HTTPKEY123.p8.new").mkdir()
    answer = client(service, "security").post("/v1/admin/keys", {"keyId": "HTTPKEY123", "pem": new_pem(tmp_path)})
    assert (answer.status_code, answer.json()["code"]) == (409, "key-folder-read-only")


def test_what_was_done_is_in_the_audit_log_with_who_and_from_where(service):
    security, limited, viewer = client(service, "security"), client(service, "security", [OTHER]), client(service, "viewer")
    made = security.post("/v1/admin/access", {"role": "viewer", "note": "for the log"}, headers={"X-Request-Id": "request-of-this"}).json()
    page = viewer.get("/v1/admin/audit?action=access.&limit=5").json()
    [row] = [row for row in page["items"] if row["subject"] == made["id"]]
    assert (row["actor"], row["action"], row["requestId"], row["address"]) == (security.key_id, "access.create", "request-of-this", "127.0.0.1")
    assert made["accessKey"].split("_", 2)[2] not in json.dumps(page)
    older = viewer.get(f"/v1/admin/audit?action=access.&limit=1&after={page['next']}").json()
    assert older["items"][0]["row"] < page["items"][-1]["row"]
    assert {row["bundleId"] for row in limited.get("/v1/admin/audit?action=*").json()["items"]} <= {OTHER}
    assert limited.get(f"/v1/admin/audit?bundleId={service.bundle_id}").status_code == 403
    for bad in ("limit=0", "after=x", "from=soon", "what=all"):
        assert viewer.get(f"/v1/admin/audit?{bad}").status_code == 400
    wait_until(lambda: viewer.get("/v1/admin/audit/head").json()["head"])
    verdict = viewer.post("/v1/admin/audit/verify").json()
    assert verdict["intact"] and verdict["faults"] == [], verdict


def requests(document):
    """Every operation that needs an access key, with a path that can be asked for."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if "x-roles" in operation:
                yield method, path.replace("{bundleId}", "com.example.app").replace("{", "x").replace("}", ""), operation["x-roles"]


def test_the_access_matrix(service):
    """Every operation × every role: who is not named is refused, who is named is not."""
    document = service.client().contract.document
    seen = 0
    for role in ROLES:
        caller = client(service, role)
        for method, path, roles in requests(document):
            answer = caller.request(method.upper(), path, content=b"x" if method == "post" else None)
            allowed = answer.status_code not in (401, 403)
            assert allowed == (role in roles), f"{method} {path} as {role}: {answer.status_code} {answer.text}"
            seen += 1
    assert seen > 7 * 20
    for method, path, _ in requests(document):
        assert caller.request(method.upper(), path, headers={"Authorization": ""}).status_code == 401


def head_like_get(client, path, **options):
    """HEAD is let in or refused as GET is, with the same headers, and has no body; the answer to GET."""
    get, head = (client.request(method, path, **options) for method in ("GET", "HEAD"))
    varying = ("date", "x-request-id", "ratelimit", "transfer-encoding")
    headers = [{name: value for name, value in answer.headers.items() if name not in varying} for answer in (get, head)]
    # What changes from one answer to the next, such as a time, changes the length. Of a stream it is not known beforehand, and HEAD says 0:
    # without any length there would be a last chunk, which is a body.
    lengths = [int(each.pop("content-length", -1)) for each in headers]
    assert head.status_code == get.status_code and headers[0] == headers[1], f"HEAD {path}: {head.status_code} {headers}"
    assert head.content == b"", f"HEAD {path} has a body"
    assert 0.9 * lengths[0] <= lengths[1] <= 1.1 * lengths[0] or lengths == [-1, 0], f"HEAD {path}: {lengths}"
    return get


def test_head_gets_the_same_decision_as_get(service):
    """Every GET operation × every role, and no access key; an answer to HEAD with a body would be taken for the next answer's beginning."""
    document = service.client().contract.document
    wire = httpx.Client(base_url=service.url, timeout=PATIENCE)
    paths = [(path, roles) for method, path, roles in requests(document) if method == "get"]
    assert len(paths) > 6
    for role in ROLES:
        token = client(service, role).token
        for path, roles in paths:
            get = head_like_get(wire, path, headers={"Authorization": f"Bearer {token}"})
            assert (get.status_code not in (401, 403)) == (role in roles), f"HEAD {path} as {role}"
    for path, _ in paths:
        assert head_like_get(wire, path).status_code == 401
    for path in ("/livez", "/readyz", "/metrics", "/openapi.json", "/docs", "/console/sign-in", "/console/assets/console.css"):
        assert head_like_get(wire, path).status_code == 200


def test_the_matrix_in_the_manual_is_what_the_service_does(service):
    """The table of docs/access.md, asked for as each role; test_api_manual.py compares the API's with the declarations."""
    lines = [line.split("|")[1:-1] for line in (ROOT / "docs/access.md").read_text().splitlines() if re.match(r"\|.*[●–]", line)]
    pages = {line[0].strip(): [role for role, mark in zip(ROLES, line[1:]) if "●" in mark] for line in lines}
    assert pages and all("/console" in name for name in pages)
    for role in ROLES:
        window = httpx.Client(base_url=service.url, timeout=PATIENCE)
        answer = window.post("/console/sign-in", data={"key": client(service, role).token})
        assert (answer.status_code == 303) == (role in pages["`/console/`, `/console/sessions`"])
        if answer.status_code != 303:
            continue
        for name, roles in pages.items():
            for path in re.findall(r"`([^`]+)`", name):
                path = path.replace("{bundleId}", service.bundle_id)
                assert head_like_get(window, path).status_code == (200 if role in roles else 403), f"{path} as {role}"
