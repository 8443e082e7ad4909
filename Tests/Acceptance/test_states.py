"""Campaigns, segments, proposals and endpoints are what the audit log says of them, whatever was done to the store."""
import sqlite3

import pytest

from harness.service import Service, free_port
from harness.waiting import wait_until
from harness.webhooks import Receiver
from test_admin import OTHER, client, new_pem
from test_audit import verify
from test_campaign_life import PATH, made, put, step, written
from test_events import SECRET, endpoint, secret_file, send
from test_key_decisions import writing

# A row of each table, whose every column is changed, one at a time; and what the finding names.
ROWS = {
    "campaign": ("id = 'spring' AND is_archived = 0", "campaign"),
    "campaign_draft": ("campaign_id = 'spring' AND is_approved = 1", "campaign"),
    "campaign_revision": ("campaign_id = 'spring' AND copy_of = 1", "campaign"),
    "campaign_tester": ("campaign_id = 'spring' AND place = 0", "campaign"),
    "segment": ("id = 'lapsed'", "segment"),
    "key_proposal": ("key_id = 'HTTPKEY123'", "proposal"),
    "event_endpoint": ("endpoint = 'crm'", "endpoint"),
}
# The rows of a campaign of the same id in two apps, and the columns that name it.
PARTS = {"campaign": "id", "campaign_draft": "campaign_id", "campaign_revision": "campaign_id", "campaign_tester": "campaign_id"}

GROUPS = """subscriptionGroups: [{id: "1", products: [{id: com.example.pro.monthly, level: 1, period: P1M,
    promotionalOffers: [{id: winback50, kind: pay-as-you-go, period: P3M}]}]}]"""


def fill(service):
    """All that can be said of a campaign, in two apps; segments; proposals; endpoints that receive no events."""
    for app in (service.bundle_id, OTHER):
        people = {name: client(service, role, [app]) for name, role in (("ann", "marketing"), ("eve", "approver"))}
        ann, eve = people.values()
        segment = {"name": "Lapsed", "condition": {"fact": "refunds.count", "is": 0}}
        for name, body in (("lapsed", segment), ("gone", segment), ("lapsed", {**segment, "name": "Lapsed lately"})):
            assert ann.request("PUT", f"/v1/admin/segments/{name}", json=body, headers={"If-Match": "*"}).status_code == 200
        assert ann.request("DELETE", "/v1/admin/segments/gone", headers={"If-Match": "*"}).status_code == 200
        made(people, "spring", bundleId=app)
        for priority in (1, 2):
            put(ann, "spring", written("spring", bundleId=app, priority=priority))
            step(ann, "spring", "submit")
            step(eve, "spring", "approve", publish=True)
        step(eve if app == OTHER else client(service, "approver", [app]), "spring", "rollback", revision=1, reason="It was better.")
        testers = [{"customerId": name, "variant": "half", "note": f"{name} of {app}"} for name in ("tim", "tom", "erased")]
        assert ann.request("PUT", f"{PATH}/spring/testers", json={"testers": testers}, headers={"If-Match": "*"}).status_code == 200
        step(ann, "spring", "notes", reason="A note.")
        put(ann, "spring", written("spring", bundleId=app, priority=3))
        step(ann, "spring", "submit")
        step(eve, "spring", "approve")
        assert service.cli("customer", "erase", "--app", app, "erased").returncode == 0
    first, second = client(service, "security", [service.bundle_id]), client(service, "security", [service.bundle_id])
    for key_id in ("HTTPKEY123", "OTHERKEY12"):
        assert first.post("/v1/admin/keys", {"keyId": key_id, "pem": new_pem(service.folder)}).status_code == 201
    for key_id, by in (("OTHERKEY12", (first, second)), ("HTTPKEY123", (first,))):
        answers = [each.post(f"/v1/admin/keys/{key_id}/activate", {"bundleId": service.bundle_id}) for each in by]
        assert [each.status_code for each in answers] == [202, 200][: len(by)]


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A stopped service with all of it, and the content of its store."""
    folder = tmp_path_factory.mktemp("states")
    receiver, mailer = (Receiver(folder / name, free_port(), SECRET) for name in ("crm", "mail"))
    receiver.mode = mailer.mode = "gone"
    endpoints = "".join(endpoint(name, each.port, secret_file(folder)) for name, each in (("crm", receiver), ("mail", mailer)))
    service = Service(
        folder / "service",
        extra=f"apps: [{{bundleId: {OTHER}, {GROUPS}}}, {{bundleId: com.example.app, twoPersonKeys: true}}]\n"
        f"audit: {{verifyPercent: 0}}\nevents:\n  endpoints:\n{endpoints}")
    service.start()
    fill(service)
    for name in ("crm", "mail"):
        send(service, name)
    disabled = lambda: [each["name"] for each in service.client("admin").get("/v1/admin/events/endpoints").json()["items"] if each["disabledAt"]]
    wait_until(lambda: disabled() == ["crm", "mail"])
    assert service.cli("events", "enable", "mail").returncode == 0
    service.stop()
    for each in (receiver, mailer):
        each.kill()
    code, verdict = verify(service)
    assert (code, verdict["faults"]) == (0, [])
    yield service, service.store.read_bytes()


@pytest.fixture
def states(stopped):
    service, content = stopped
    put_back(service, content)
    yield service
    if service.is_running:
        service.kill()


def put_back(service, content):
    for file in service.store.parent.glob(service.store.name + "-*"):
        file.unlink()
    service.store.write_bytes(content)


def changed(value, column):
    if column.startswith("is_"):
        return 1 - value
    return {int: lambda: value + 10, str: lambda: value + "x", bytes: lambda: value + b"x"}[type(value)]()


def replace(database, table, condition, change):
    """Has a row again with other values: published revisions cannot be updated."""
    database.row_factory = sqlite3.Row
    row = dict(database.execute(f"SELECT * FROM {table} WHERE {condition} ORDER BY 1 LIMIT 1").fetchone())
    first = list(row)[0]
    database.execute(f"DELETE FROM {table} WHERE {condition} AND {first} = ?", [row[first]])
    row = change(row)
    if row:
        insert(database, table, row)


def insert(database, table, row):
    database.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", list(row.values()))


def tamperings(service):
    """Every tampering: its name, what its finding names, and what does it."""
    with writing(service) as database:
        columns = {table: [line[1] for line in database.execute(f"PRAGMA table_info({table})")] for table in ROWS}
    for table, (condition, named) in ROWS.items():
        for column in columns[table]:
            yield f"another {table}.{column}", named, lambda database, table=table, condition=condition, column=column: replace(
                database, table, condition, lambda row: {**row, column: changed(row[column], column)})
        yield f"without a row of {table}", named, lambda database, table=table, condition=condition: replace(
            database, table, condition, lambda row: None)

        def copy(database, table=table, condition=condition):
            database.row_factory = sqlite3.Row
            row = dict(database.execute(f"SELECT * FROM {table} WHERE {condition}").fetchone())
            name = PARTS.get(table, "id" if "id" in row else "endpoint")
            insert(database, table, {**row, name: "copy"})

        yield f"a copy of a row of {table}", named, copy
    for table, name in PARTS.items():

        def exchange(database, table=table, name=name):
            database.row_factory = sqlite3.Row
            rows = [dict(row) for row in database.execute(f"SELECT * FROM {table} WHERE {name} = 'spring'")]
            database.execute(f"DELETE FROM {table} WHERE {name} = 'spring'")
            for row in rows:
                insert(database, table, {**row, "bundle_id": OTHER if row["bundle_id"] != OTHER else service.bundle_id})

        yield f"{table} of two apps exchanged", "campaign", exchange


def test_every_row_that_was_changed_copied_exchanged_or_removed_is_found(stopped):
    service, content = stopped
    missed, count = {}, 0
    for name, named, tamper in tamperings(service):
        put_back(service, content)
        with writing(service) as database:
            database.execute("BEGIN IMMEDIATE")
            tamper(database)
            database.execute("COMMIT")
        code, verdict = verify(service)
        if code != 1 or named not in str(verdict["faults"]):
            missed[name] = code, verdict["faults"]
        count += 1
    assert missed == {} and count >= 85


def test_a_running_service_finds_it_in_a_round_and_goes_on_signing(states):
    states.environment["OFFERSIGNER_AUDIT_VERIFYPERCENT"] = "50"
    states.start()
    assert states.client().get("/readyz").status_code == 200
    with writing(states) as database:
        assert database.execute("UPDATE campaign SET standing = 'paused' WHERE bundle_id = ?", [OTHER]).rowcount == 1
    found = f"the campaign spring of {OTHER} is “paused, revision 3 (copy of 1) sha256:"
    wait_until(lambda: states.client().get("/readyz").status_code == 503)
    assert any(found in str(line) for line in states.log() if line["message"] == "the audit log was changed by another process")
    assert found in str(states.client("admin").post("/v1/admin/audit/verify").json()["faults"])
    assert states.client().post("/v1/signatures", states.offer_body()).status_code == 200
