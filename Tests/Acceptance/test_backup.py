"""`offersigner backup` and `offersigner restore`: whole copies under load, and no nonce signed twice after a restore."""
import contextlib
import os
import pathlib
import re
import shutil
import sqlite3

import pytest

from harness.clock import Clock
from harness.service import ROOT
from harness.waiting import wait_until
from test_key_rotation import Load

FILES = ["offersigner-histories.sqlite", "offersigner.sqlite"]
MANUAL = (ROOT / "docs/backup.md").read_text().split("\n## Files")[1].split("\n## ")[0]


def backup(service, folder, **options):
    done = service.cli("backup", str(folder), **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def signed(path):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return database.execute("SELECT count(*) FROM ledger").fetchone()[0]


def test_a_backup_ends_while_the_service_signs_and_holds_what_was_signed_before(new_service, tmp_path):
    service = new_service(extra="limits: {requestsPerSecond: 100000, burst: 100000}\n")
    with Load(service) as first, Load(service) as second:
        for number in range(3):
            first.wait_for_more(200)
            before = len(first.answers) + len(second.answers)
            said = backup(service, tmp_path / str(number))
            assert "complete and unchanged" in said and "latest signature: 20" in said
            # It signed all the time.
            first.wait_for_more(1)
            copies = sorted((tmp_path / str(number)).iterdir())
            assert [copy.name for copy in copies] == FILES
            assert {copy.stat().st_mode & 0o777 for copy in copies} == {0o600}
            assert before <= signed(copies[1]) <= len(first.answers) + len(second.answers) + 2
    for load in (first, second):
        assert all(answer.status_code == 200 for _, answer in load.answers)


def test_a_backup_overwrites_nothing_and_leaves_nothing_unfinished(new_service, tmp_path):
    service = new_service()
    service.client().sign(service.offer_body())
    folder = tmp_path / "copies"
    backup(service, folder)
    content = {file: file.read_bytes() for file in folder.iterdir()}
    done = service.cli("backup", str(folder))
    assert done.returncode != 0 and "is there already" in done.stderr
    assert {file: file.read_bytes() for file in folder.iterdir()} == content
    done = service.cli("backup", "/proc/none/copies")
    assert done.returncode != 0 and "/proc/none/copies" in done.stderr
    # The store of a stopped service, too.
    service.stop()
    backup(service, tmp_path / "later")


def test_a_full_disk_is_named_and_left_without_an_unfinished_copy(new_service, small_disk):
    service = new_service()
    with open(small_disk / "other", "wb") as file:
        os.posix_fallocate(file.fileno(), 0, os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_bsize - 100_000)
    done = service.cli("backup", str(small_disk / "copies"))
    assert done.returncode != 0 and "disk is full" in done.stderr, done.stderr
    assert not list((small_disk / "copies").iterdir())
    service.client().sign(service.offer_body())


def restore(service, folder, environment=None):
    done = service.cli("restore", str(folder), environment=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_after_a_restore_no_nonce_from_before_is_signed(new_service, tmp_path):
    clock = Clock(tmp_path)
    service = new_service(environment=clock.environment)
    client, folder = service.client(), tmp_path / "copies"
    used, unused, later = client.nonces(service.bundle_id, 3)
    client.sign(service.offer_body(nonce=used))
    backup(service, folder, environment=clock.environment)
    client.sign(service.offer_body(nonce=later))
    refused = service.cli("restore", str(folder), environment=clock.environment)
    assert refused.returncode != 0 and "another service of this machine" in refused.stderr
    service.stop()
    # A night has passed.
    clock.set(12 * 3600)
    said = restore(service, folder, clock.environment)
    assert "Revoke again" in said and re.search(r"accepted as now: \d{4}-\d\d-\d\dT", said)
    kept = re.search(r"the file from before is (\S+offersigner\.sqlite\.before-\S+)", said)[1]
    assert signed(kept) == 2 and os.stat(kept).st_mode & 0o777 == 0o600
    service.start()
    for nonce in (used, unused, later):
        assert service.client().post("/v1/signatures", service.offer_body(nonce=nonce)).status_code in (409, 422)
    service.client().sign(service.offer_body())
    assert signed(service.store) == 2
    verified = service.cli("audit", "verify", environment=clock.environment)
    assert verified.returncode == 0, verified.stdout + verified.stderr


@pytest.mark.parametrize("runs", [False, True])
def test_a_restore_is_sealed_before_the_service_starts(new_service, tmp_path, runs):
    service = new_service(extra="audit: {sealSeconds: 3600}\n")
    service.client().sign(service.offer_body())
    if runs:
        # The copy has rows that the service has not sealed yet.
        backup(service, tmp_path / "copies")
        service.stop()
    else:
        service.stop()
        backup(service, tmp_path / "copies")
    restore(service, tmp_path / "copies")
    verified = service.cli("audit", "verify").stdout
    assert "are complete and unchanged" in verified, verified
    with contextlib.closing(sqlite3.connect(service.store)) as store, store:
        # The last rows of a chain: without a seal that covers them this would not be noticed.
        store.execute("DELETE FROM signed_request")
    done = service.cli("audit", "verify")
    assert done.returncode == 1 and "is missing" in done.stdout, done.stdout


def test_nonces_of_the_last_minutes_are_refused_after_a_restore(new_service, tmp_path):
    service = new_service()
    client, folder = service.client(), tmp_path / "copies"
    backup(service, folder)
    nonces = client.nonces(service.bundle_id, 2)
    client.sign(service.offer_body(nonce=nonces[0]))
    service.stop()
    restore(service, folder)
    service.start()
    for nonce in nonces:
        assert service.client().problem("/v1/signatures", service.offer_body(nonce=nonce))[:2] == (422, "nonce-not-issued")
    [event] = service.client("security").get("/v1/admin/audit?action=store.restore").json()["items"]
    assert event["actor"] == "command-line"


def test_files_that_were_put_back_by_hand_are_taken_up(new_service):
    service = new_service()
    used, unused = service.client().nonces(service.bundle_id, count=2)
    assert service.client().sign(service.offer_body(nonce=used))[0]["status"] == "signed"
    assert "another" in service.cli("store", "restored").stderr
    service.stop()
    done = service.cli("store", "restored")
    assert done.returncode == 0 and "latest signature: 20" in done.stdout, done.stderr
    service.start()
    codes = [service.client().problem("/v1/signatures", service.offer_body(nonce=nonce))[1] for nonce in (used, unused)]
    assert codes == ["nonce-replayed", "nonce-not-issued"]



def change(path, sql):
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(sql)


def replace(path, make):
    path.unlink()
    make(path)


# Signs one nonce any number of times.
HOSTILE = "CREATE TRIGGER t AFTER INSERT ON signed_request BEGIN DELETE FROM nonce_series; END"
BAD_COPIES = {
    "cut short": lambda copy: os.truncate(copy, copy.stat().st_size // 2),
    "nonsense": lambda copy: copy.write_bytes(b"nonsense" * 1000),
    "empty": lambda copy: os.truncate(copy, 0),
    "without tables": lambda copy: replace(copy, lambda path: change(path, "CREATE TABLE x (y); DROP TABLE x")),
    "another program's": lambda copy: replace(copy, lambda path: change(path, "CREATE TABLE x (y)")),
    "a pipe": lambda copy: replace(copy, os.mkfifo),
    "a folder": lambda copy: replace(copy, os.mkdir),
    "a device": lambda copy: replace(copy, lambda path: path.symlink_to("/dev/zero")),
    "a loop": lambda copy: replace(copy, lambda path: path.symlink_to(path)),
    "a link to nothing": lambda copy: replace(copy, lambda path: path.symlink_to("/none")),
    "with a log that is a pipe": lambda copy: os.mkfifo(f"{copy}-wal"),
    "with an index of a log that is a folder": lambda copy: os.mkdir(f"{copy}-shm"),
}
BAD_SIGNATURES = {
    "changed": lambda copy: change(copy, "UPDATE signed_request SET caller = 'mallory'"),
    "with a trigger": lambda copy: change(copy, HOSTILE),
    "without an index": lambda copy: change(copy, "DROP INDEX idempotency_by_age"),
    "with a view in the place of a table": lambda copy: change(
        copy, "ALTER TABLE access RENAME TO x; CREATE VIEW access AS SELECT * FROM x"),
    "the other file": lambda copy: shutil.copy(copy.with_name(FILES[0]), copy),
}


@pytest.mark.parametrize(
    ("name", "spoil"),
    [pytest.param(name, spoil, id=f"{how} {name}") for name in FILES for how, spoil in BAD_COPIES.items()]
    + [pytest.param(FILES[1], spoil, id=how) for how, spoil in BAD_SIGNATURES.items()])
def test_a_bad_copy_restores_nothing(new_service, tmp_path, name, spoil):
    service = new_service()
    service.client().sign(service.offer_body())
    folder = tmp_path / "copies"
    backup(service, folder)
    spoil(folder / name)
    service.stop()
    before = sorted(file.name for file in service.folder.glob("offersigner*"))
    done = service.cli("restore", str(folder))
    assert done.returncode == 1 and done.stderr
    assert sorted(file.name for file in service.folder.glob("offersigner*")) == before
    service.start()
    service.client().sign(service.offer_body())


def test_a_hostile_trigger_in_a_copy_put_back_by_hand_is_refused_by_every_command(new_service):
    service = new_service()
    client = service.client()
    used = client.nonces(service.bundle_id, 1)[0]
    client.sign(service.offer_body(nonce=used))
    service.stop()
    for path in (service.store, service.histories):
        change(path, HOSTILE if path == service.store else "CREATE TRIGGER t AFTER INSERT ON app BEGIN DELETE FROM purchase_chain; END")
        for command in (["serve"], ["store", "check"], ["store", "restored"], ["store", "migrate"], ["store", "compact"]):
            done = service.cli(*command)
            assert done.returncode != 0 and "store-schema-changed" in done.stderr and "trigger t was added" in done.stderr, command
        change(path, "DROP TRIGGER t")
    assert service.cli("store", "check").returncode == 0
    service.start()
    assert service.client().problem("/v1/signatures", service.offer_body(nonce=used))[0] in (409, 422)


def test_a_trigger_that_is_made_under_the_service_stops_it(new_service):
    service = new_service()
    service.client().sign(service.offer_body())
    change(service.store, HOSTILE)
    wait_until(lambda: service.client().get("/readyz").status_code == 503)
    assert "trigger t was added" in service.client().get("/readyz").text
    assert service.client().post("/v1/signatures", service.offer_body()).status_code == 503


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_an_older_copy_put_back_by_hand_signs_nothing_until_it_is_taken_up(new_service, tmp_path, how):
    service = new_service()
    client, folder = service.client(), tmp_path / "copies"
    used, unused = client.nonces(service.bundle_id, 2)
    client.sign(service.offer_body())
    backup(service, folder)
    client.sign(service.offer_body(nonce=used))
    with service.database() as database:
        last = database.execute("SELECT max(id) FROM signed_request").fetchone()[0]
    noted = service.store.with_name("offersigner.sqlite-lock")
    wait_until(lambda: f"signed_request {last} " in noted.read_text())
    getattr(service, how)()
    for path in (service.store, service.histories):
        for end in ("-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
        shutil.copy(folder / path.name, path)
    for command in (["serve"], ["check-config"], ["access", "list"], ["keys", "list"], ["store", "check"]):
        done = service.cli(*command)
        assert done.returncode != 0 and "store-set-back" in done.stdout + done.stderr, command
        assert "offersigner store restored" in done.stdout + done.stderr
    # What only looks at the log does so.
    assert service.cli("audit", "verify").returncode in (0, 2)
    done = service.cli("store", "restored")
    assert done.returncode == 0, done.stderr
    service.start()
    for nonce in (used, unused):
        assert service.client().problem("/v1/signatures", service.offer_body(nonce=nonce))[:2] == (422, "nonce-not-issued")
    service.client().sign(service.offer_body())
    service.stop()
    service.start()


def test_older_purchases_put_back_by_hand_are_noticed(new_service, tmp_path):
    service = new_service()
    backup(service, tmp_path / "copies")
    binding = {"bundleId": service.bundle_id, "transactionId": "7"}
    service.client("backend").post("/v1/customers/u-1/transactions", binding).raise_for_status()
    service.stop()
    shutil.copy(tmp_path / "copies" / FILES[0], service.histories)
    assert "store-set-back" in service.cli("serve").stderr
    assert service.cli("store", "restored").returncode == 0
    service.start()


def test_one_file_is_restored_alone(new_service, tmp_path):
    service = new_service()
    service.client().sign(service.offer_body())
    folder = tmp_path / "copies"
    backup(service, folder)
    (folder / "offersigner.sqlite").unlink()
    service.stop()
    assert "restored the purchases" in restore(service, folder)
    service.start()
    assert signed(service.store) == 1
    service.client().sign(service.offer_body())


def test_the_manual_s_commands_are_these():
    assert re.findall(r"^    offersigner (\w+) ", MANUAL, re.MULTILINE) == ["backup", "restore"]
    assert ".backup" not in MANUAL and "VACUUM" not in MANUAL


def test_a_check_finds_a_damaged_index(new_service):
    service = new_service()
    service.client().sign(service.offer_body())
    done = service.cli("store", "check")
    assert done.returncode == 0 and "complete and unchanged" in done.stdout, done.stdout + done.stderr
    assert "is up to date" in service.cli("store", "migrate").stdout
    service.stop()
    with service.database() as connection:
        page = connection.execute("PRAGMA page_size").fetchone()[0]
        root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'idempotency_by_age'").fetchone()[0]
    with open(service.store, "r+b") as file:
        file.seek((root - 1) * page)
        file.write(bytes(range(256)) * (page // 256))
    done = service.cli("store", "check")
    assert done.returncode == 1 and "SQLite finds" in done.stdout and str(service.store) in done.stdout, done.stdout + done.stderr


def test_a_store_gives_space_back(new_service):
    service = new_service()
    used = service.client().nonces(service.bundle_id, count=1)[0]
    service.client().sign(service.offer_body(nonce=used))
    assert "another service" in service.cli("store", "compact").stderr
    service.stop()
    with contextlib.closing(sqlite3.connect(service.store, isolation_level=None)) as database:
        database.execute("CREATE TABLE filling AS SELECT randomblob(1000000) AS bytes")
        database.execute("DROP TABLE filling")
    before = service.store.stat().st_size
    done = service.cli("store", "compact")
    assert done.returncode == 0 and f"{service.store}: {before} bytes, now " in done.stdout, done.stdout + done.stderr
    assert service.store.stat().st_size < before - 900_000
    service.start()
    assert service.client().problem("/v1/signatures", service.offer_body(nonce=used))[:2] == (409, "nonce-replayed")
    done = service.cli("store", "check")
    assert done.returncode == 0, done.stdout + done.stderr
