"""A key that was revoked, or is another one than was recorded, never signs again, whatever was done to the store or to a folder."""
import contextlib
import shutil
import sqlite3
import subprocess

import httpx
import pytest

from harness.service import ROOT
from harness.waiting import PATIENCE, wait_until
from test_audit import verify
from test_key_rotation import OLD, keys, make_key, signing_key
from test_replicas import group

LEAKED, NEXT = "LEAKEDKEY1", "NEXTKEY123"
COLUMNS = "key_id, bundle_id, state, decided_at, decided_by, reason, fingerprint"
# What is done to the decisions about one app. `{app}`: its bundle id.
ROW = "(SELECT id FROM key_decision WHERE key_id = '" + LEAKED + "' AND state = '{state}' AND bundle_id = '{{app}}')"
ACTIVE, REVOKED = ROW.format(state="active"), ROW.format(state="revoked")
TAMPERINGS = {
    "a copy of the old decision": [
        f"INSERT INTO key_decision (id, {COLUMNS}) SELECT (SELECT max(id) + 1 FROM key_decision), {COLUMNS} FROM key_decision WHERE id = {ACTIVE}"],
    "two rows exchanged": [
        f"UPDATE key_decision SET id = -1 WHERE id = {REVOKED}",
        # The row keeps its number while it is looked for.
        f"UPDATE key_decision SET id = (SELECT max(id) + 1 FROM key_decision) WHERE id = {ACTIVE}",
    ],
    "the revocation is gone": [f"DELETE FROM key_decision WHERE id = {REVOKED}"],
    "another state": [f"UPDATE key_decision SET state = 'active' WHERE id = {REVOKED}"],
}


@contextlib.contextmanager
def writing(service):
    connection = sqlite3.connect(service.store, timeout=PATIENCE, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


@contextlib.contextmanager
def serving(service):
    """Starts it although it does not become ready."""

    def is_listening():
        with contextlib.suppress(httpx.HTTPError):
            return service.client().get("/livez").status_code == 200

    with open(service.folder / "log", "ab") as log:
        process = subprocess.Popen(
            service.command("serve"), env=service.environment, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        wait_until(is_listening)
        yield
    finally:
        process.kill()
        process.wait()


def leak(service):
    """Has a key sign, and another one take its place; then revokes it."""
    for key_id in (LEAKED, NEXT):
        make_key(service, key_id)
        keys(service, "activate", key_id)
        wait_until(lambda: signing_key(service) == key_id)
    keys(service, "revoke", LEAKED)


def sign(service):
    return service.client().post("/v1/signatures", service.offer_body())


@pytest.fixture(scope="module")
def leaked(tmp_path_factory):
    """A stopped service whose earlier key was revoked."""
    from harness.service import Service

    # The log is not verified meanwhile: what is found is found by the look at the decisions.
    service = Service(tmp_path_factory.mktemp("leaked") / "service", extra="audit: {verifyPercent: 0}\n")
    service.start()
    leak(service)
    service.stop()
    yield service
    if service.is_running:
        service.kill()


def tamper(service, name):
    with writing(service) as database:
        database.execute("BEGIN IMMEDIATE")
        assert all([database.execute(each.format(app=service.bundle_id)).rowcount == 1 for each in TAMPERINGS[name]])
        database.execute("COMMIT")


@pytest.fixture
def restored(leaked):
    """The same, as it was before, for every test."""
    content = leaked.store.read_bytes()
    yield leaked
    if leaked.is_running:
        leaked.kill()
    # With the note of how far the store had come: it is set back.
    for file in leaked.store.parent.glob(leaked.store.name + "-*"):
        file.unlink()
    leaked.store.write_bytes(content)


def test_rows_that_are_put_back_clear_the_lock_at_once(restored):
    service = restored
    service.start()
    assert sign(service).status_code == 200
    with writing(service) as database:
        rows = lambda: database.execute("SELECT * FROM key_decision ORDER BY id").fetchall()
        before = rows()
        for _ in range(2):
            database.execute(TAMPERINGS["a copy of the old decision"][0].format(app=service.bundle_id))
            wait_until(lambda: sign(service).status_code == 503)
            database.execute("DELETE FROM key_decision WHERE id = (SELECT max(id) FROM key_decision)")
            assert rows() == before
            wait_until(lambda: sign(service).status_code == 200)


def check_said_everywhere(service):
    ready = service.client().get("/readyz")
    assert ready.status_code == 503 and "differ from the audit log" in ready.text
    assert sign(service).status_code == 503
    assert service.metric("offersigner_app_keys_locked", app=service.bundle_id) == 1
    assert any(line["message"] == "no key signs for an app" and line["level"] == "error" for line in service.log())
    said = f"no key signs for {service.bundle_id}, because the decisions about its keys differ from the audit log"
    warnings = service.client("security").get("/v1/admin/keys").json()["warnings"]
    assert any(each.startswith(said) for each in warnings)
    assert said in service.cli("keys", "list").stderr
    checked = service.cli("check-config")
    assert checked.returncode != 0 and said in checked.stdout + checked.stderr
    doctor = service.cli("doctor", "--app", service.bundle_id, "--wait", "0")
    assert doctor.returncode == 1 and said in doctor.stdout, doctor.stdout + doctor.stderr
    code, verdict = verify(service)
    assert code == 1 and verdict["faults"]
    # Nothing is decided on top of it, but a key can be revoked.
    refused = service.cli("keys", "activate", OLD, "--app", service.bundle_id)
    assert refused.returncode != 0 and "can only be revoked" in refused.stderr, refused.stderr
    assert service.cli("keys", "revoke", NEXT, "--app", service.bundle_id, "--even-if-active").returncode == 0


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_revoked_key_never_signs_again_while_the_service_runs(restored, name):
    restored.start()
    assert signing_key(restored) == NEXT
    tamper(restored, name)
    # The key that signed before goes on until the store is looked at; no other one ever signs.
    answers = []
    wait_until(lambda: answers.append(sign(restored)) or answers[-1].status_code == 503)
    assert {answer.json()["results"][0]["keyIdentifier"] for answer in answers if answer.status_code == 200} <= {NEXT}
    check_said_everywhere(restored)


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_revoked_key_never_signs_again_after_a_start(restored, name):
    tamper(restored, name)
    with serving(restored):
        check_said_everywhere(restored)


def test_an_access_key_that_was_changed_admits_nobody(new_service):
    service = new_service(extra="audit: {verifyPercent: 0}\n")
    revoked = service.cli("access", "create", "--role", "admin").stdout.strip()
    assert service.cli("access", "revoke", revoked).returncode == 0
    admits = lambda token: service.client(token=token).get("/v1/admin/access").status_code
    wait_until(lambda: admits(revoked) == 401)
    viewer = service.tokens["viewer"]
    for statement in (
        f"UPDATE access SET revoked_at = NULL WHERE id = '{revoked.split('_')[1]}'",
        f"UPDATE access SET role = 'admin' WHERE id = '{viewer.split('_')[1]}'",
        # A client's secret in the place of another key's.
        "UPDATE access SET secret_digest = (SELECT secret_digest FROM access WHERE role = 'client') WHERE role = 'security'",
    ):
        with writing(service) as database:
            assert database.execute(statement).rowcount == 1
    wait_until(lambda: admits(viewer) == 401)
    assert admits(revoked) == 401 and admits(service.tokens["security"]) == 401
    ready = service.client().get("/readyz")
    assert ready.status_code == 503 and "is refused" in ready.text


def test_what_is_changed_in_the_database_stops_every_replica(group):
    services, cluster = group
    one = services[0]
    for key_id in (LEAKED, NEXT):
        file = make_key(one, key_id)
        for other in services[1:]:
            shutil.copy(file, other.folder / "keys" / file.name)
        wait_until(lambda: one.cli("keys", "activate", key_id).returncode == 0)
    keys(one, "revoke", LEAKED)
    for service in services:
        wait_until(lambda: signing_key(service) == NEXT)
    for statement in TAMPERINGS["a copy of the old decision"]:
        cluster.primary.ask(statement.format(app=services[0].bundle_id) + " RETURNING id")
    for service in services:
        wait_until(lambda: sign(service).status_code == 503)
        assert "differ from the audit log" in service.client().get("/readyz").text


def test_a_replica_with_another_key_under_the_id_does_not_sign(group):
    services, _ = group
    three = services[2]
    three.stop()
    make_key(three, OLD)
    with serving(three):
        ready = three.client().get("/readyz")
        assert ready.status_code == 503 and "is not the one that was staged or activated" in ready.text
        answer = sign(three)
        assert answer.status_code == 503 and answer.json()["code"] == "not-ready", answer.text
        assert three.metric("offersigner_app_keys_locked", app=three.bundle_id) == 1
    # The others do not care.
    assert all(sign(service).status_code == 200 for service in services[:2])


def test_replicas_with_two_keys_under_one_id_let_neither_sign(group):
    services, _ = group
    for service in services:
        make_key(service, NEXT)
    one, three = services[0], services[2]
    wait_until(lambda: one.client("security").get(f"/v1/admin/keys/{NEXT}").status_code == 200)
    refused = one.cli("keys", "activate", NEXT)
    assert refused.returncode != 0 and f":{three.port}" in refused.stderr
    assert all(signing_key(service) == OLD for service in services)


def test_a_file_that_was_replaced_by_another_key_signs_nothing(new_service):
    service = new_service()
    [loaded] = service.client("security").get("/v1/admin/audit?action=key.load").json()["items"]
    assert loaded["subject"] == OLD and loaded["actor"] == "service"
    make_key(service, OLD)
    # The right one is still in memory.
    wait_until(lambda: service.metric("offersigner_key_file_faults") == 1)
    assert signing_key(service) == OLD
    assert "another key than the recorded one" in service.client().get("/readyz").text
    service.stop()
    with serving(service):
        assert "is not the one that was staged or activated" in service.client().get("/readyz").text
        assert sign(service).status_code == 503
        assert service.cli("keys", "activate", OLD).returncode != 0
        # If it is the right one, an operator says so.
        file = service.folder / "keys" / f"SubscriptionKey_{OLD}.p8"
        done = service.cli("keys", "stage", str(file))
        assert done.returncode == 0, done.stderr
        wait_until(lambda: sign(service).status_code == 200)
        # Once is enough.
        assert service.cli("keys", "stage", str(file)).returncode != 0
