"""The audit log: whatever was done to the store's rows is found and named, and nothing is answered without its row."""
import base64
import concurrent.futures
import contextlib
import http.client
import json
import random
import re
import sqlite3
import time
import urllib.parse

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from harness import audit
from harness.scale import IS_FULL, scaled
from harness.waiting import PATIENCE, wait_until
from test_key_rotation import make_key

ROWS = scaled(1_500, 100_000)
CHANGES = scaled(50, 1_000)
TABLE = "signed_request"


def verify(service, *options):
    """The exit code, and what is said as JSON."""
    done = service.cli("audit", "verify", "--json", *options)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def fill(service, rows):
    """So many signed requests, some with a customer and some with a transaction of their own."""
    address = urllib.parse.urlsplit(service.url).netloc
    token = service.tokens["client"]

    def ask(worker):
        connection = http.client.HTTPConnection(address, timeout=PATIENCE)
        for number in range(worker, rows, 8):
            body = service.offer_body()
            if number % 3:
                body["customerId"] = f"customer-{number}"
            if number % 5 == 0:
                body["offers"] *= 2
            connection.request("POST", "/v1/signatures", json.dumps(body), {"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            answer.read()
            while answer.status == 429:
                time.sleep(0.2)
                connection.request("POST", "/v1/signatures", json.dumps(body), {"Authorization": f"Bearer {token}"})
                answer = connection.getresponse()
                answer.read()
            assert answer.status == 200
        connection.close()

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(8)))


@contextlib.contextmanager
def writing(service):
    connection = sqlite3.connect(service.store, timeout=PATIENCE, isolation_level=None)
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("PRAGMA synchronous = OFF")
        yield connection
    finally:
        connection.close()


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A store that was sealed at the stop of its service."""
    from harness.service import Service

    service = Service(
        tmp_path_factory.mktemp("audit") / "service",
        extra="limits: {requestsPerSecond: 100000, burst: 100000}\naudit: {sealSeconds: 1}\n")
    service.start()
    fill(service, ROWS)
    service.stop()
    return service


def public_key(service, number=1):
    file = service.folder / f"keys/AuditKey_{number:04}.pem"
    assert file.stat().st_mode & 0o777 == 0o600
    return load_pem_private_key(file.read_bytes(), None).public_key()


def test_an_unchanged_store_is_proven(stopped):
    code, verdict = verify(stopped)
    assert (code, verdict["proven"], verdict["faults"]) == (0, True, [])
    rows = {table["name"]: table for table in verdict["tables"]}
    assert rows[TABLE]["rows"] == ROWS and rows[TABLE]["unsealed"] == 0
    text = stopped.cli("audit", "verify").stdout
    assert text.startswith(f"The {sum(each['rows'] for each in verdict['tables'])} rows of the audit log are complete and unchanged.")


def test_another_program_finds_the_same_links_and_seals(stopped):
    with stopped.database() as database:
        heads = {}
        for table in audit.CODES:
            heads |= audit.rebuild(database, table, 1 << 60)
        chains = {row["number"]: row["id"].hex() for row in database.execute("SELECT number, id FROM audit_chain")}
        previous, sealed = None, {}
        for seal in database.execute("SELECT * FROM audit_head ORDER BY number"):
            found = audit.facts(audit.opened_note(seal["note"], public_key(stopped)))
            words = [line.split(" ") for line in found["lines"]]
            assert [word for word in words if word[0] == "seal"] == [["seal", str(seal["number"])]]
            if previous:
                assert ["previous", base64.b64encode(audit.sha256(previous.encode())).decode()] in words
            previous = seal["note"]
            sealed |= {word[2]: base64.b64decode(word[5]) for word in words if word[0] == "head"}
    assert {chains[number]: link for number, link in heads.items()} == sealed
    assert stopped.cli("audit", "head").stdout == previous


def edit(database, chance):
    row = database.execute(f"SELECT * FROM {TABLE} WHERE id = ?", [chance.randint(1, ROWS)]).fetchone()
    column = chance.choice([name for name in row.keys() if name != "id"])
    value = row[column]
    if column in ("chain", "signed_at"):
        new = value + 1
    elif column == "personal_digest":
        new = bytes(32)
    elif isinstance(value, bytes):
        place = chance.randrange(len(value))
        new = value[:place] + bytes([value[place] ^ 1 << chance.randrange(8)]) + value[place + 1 :]
    else:
        new = None if value and column in ("customer_id",) and chance.random() < 0.5 else (value or "") + "x"
    database.execute(f"UPDATE {TABLE} SET {column} = ? WHERE id = ?", [new, row["id"]])
    return row["id"]


def delete(database, chance):
    row = chance.randint(1, ROWS)
    database.execute(f"DELETE FROM {TABLE} WHERE id = ?", [row])
    return row


def swap(database, chance):
    first, second = sorted(chance.sample(range(1, ROWS + 1), 2))
    with_links = chance.random() < 0.5
    database.execute(f"UPDATE {TABLE} SET id = -1 WHERE id = ?", [first])
    database.execute(f"UPDATE {TABLE} SET id = ? WHERE id = ?", [first, second])
    database.execute(f"UPDATE {TABLE} SET id = ? WHERE id = -1", [second])
    if not with_links:
        links = [database.execute(f"SELECT link FROM {TABLE} WHERE id = ?", [row]).fetchone()[0] for row in (second, first)]
        for row, link in zip((first, second), links):
            database.execute(f"UPDATE {TABLE} SET link = ? WHERE id = ?", [link, row])
    return first


def insert(database, chance):
    source = chance.randint(1, ROWS)
    names = [row[1] for row in database.execute(f"PRAGMA table_info({TABLE})") if row[1] != "id"]
    # With the link of another row, or with that of a chain that does not exist.
    strange = {"chain": "0", "link": "zeroblob(32)"} if source % 2 else {}
    values = ", ".join(strange.get(name, name) for name in names)
    place = ROWS + 1
    if source % 10 == 0:
        place = chance.randint(1, ROWS)
        database.execute(f"UPDATE {TABLE} SET id = -id - 1 WHERE id >= ?", [place])
        database.execute(f"UPDATE {TABLE} SET id = -id WHERE id < 0")
        source += source >= place
    database.execute(
        f"INSERT INTO {TABLE} (id, {', '.join(names)}) SELECT ?, {values} FROM {TABLE} WHERE id = ?", [place, source])
    return place


def truncate(database, chance):
    last = chance.randint(0, ROWS - 1)
    database.execute(f"DELETE FROM {TABLE} WHERE id > ?", [last])
    return last + 1


@pytest.mark.timeout(3600)
def test_every_change_is_found_and_the_first_bad_row_named(stopped):
    chance = random.Random(11)
    copy = stopped.store.with_suffix(".kept")
    with writing(stopped) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.execute(f"VACUUM INTO '{copy}'")
        for number in range(CHANGES):
            change = [edit, delete, swap, insert, truncate][number % 5]
            database.execute("BEGIN")
            row = change(database, chance)
            touched = {row}
            database.execute("COMMIT")
            code, verdict = verify(stopped)
            assert code == 1 and not verdict["intact"], (number, change.__name__, row)
            assert re.match(rf"row {row} of {TABLE} ", verdict["faults"][0]), (number, change.__name__, row, verdict["faults"])
            database.execute(f"ATTACH '{copy}' AS kept")
            database.execute("BEGIN")
            names = ", ".join(each[1] for each in database.execute(f"PRAGMA table_info({TABLE})"))
            # All that may be different, and no more: there are many changes.
            for old, new in ((TABLE, f"kept.{TABLE}"), (f"kept.{TABLE}", TABLE)):
                lost = database.execute(f"SELECT id, link, request_id FROM {old} EXCEPT SELECT id, link, request_id FROM {new}")
                touched |= {each[0] for each in lost.fetchall()}
            database.executemany(f"DELETE FROM {TABLE} WHERE id = ?", [[each] for each in touched])
            database.executemany(
                f"INSERT INTO {TABLE} ({names}) SELECT {names} FROM kept.{TABLE} WHERE id = ?", [[each] for each in touched])
            database.execute("COMMIT")
            database.execute("DETACH kept")
    assert verify(stopped)[0] == 0


def test_a_nonce_that_could_be_used_again_is_found(stopped):
    with writing(stopped) as database:
        row = database.execute("SELECT * FROM nonce_series ORDER BY signed_request LIMIT 1 OFFSET 9").fetchone()
        database.execute("DELETE FROM nonce_series WHERE series = ?", [row["series"]])
        code, verdict = verify(stopped)
        assert code == 1 and verdict["faults"][0].startswith(f"row {row['signed_request']} of {TABLE} has nonces that ")
        database.execute("INSERT INTO nonce_series VALUES (?, ?)", list(row))
    assert verify(stopped)[0] == 0


def test_a_chain_that_was_written_anew_without_the_audit_key_is_found(stopped):
    with writing(stopped) as database:
        for row in (1, ROWS // 2, ROWS):
            before = database.execute(f"SELECT signed_at FROM {TABLE} WHERE id = ?", [row]).fetchone()[0]
            database.execute("BEGIN")
            database.execute(f"UPDATE {TABLE} SET signed_at = signed_at - 1 WHERE id = ?", [row])
            audit.rebuild(database, TABLE, row)
            database.execute("COMMIT")
            code, verdict = verify(stopped)
            assert code == 1
            first, last = map(int, re.match(rf"row (\d+) of {TABLE} (?:or one behind it, up to (\d+))?", verdict["faults"][0]).group(1, 2))
            assert first <= row <= last, verdict["faults"]
            database.execute("BEGIN")
            database.execute(f"UPDATE {TABLE} SET signed_at = ? WHERE id = ?", [before, row])
            audit.rebuild(database, TABLE, row)
            database.execute("COMMIT")
    assert verify(stopped)[0] == 0


def test_a_seal_that_was_changed_or_removed_is_found(stopped):
    with writing(stopped) as database:
        seals = database.execute("SELECT * FROM audit_head ORDER BY number").fetchall()
        first, last = seals[0], seals[-1]
        assert len(seals) > 1
        for seal, change in [(first, "x"), (last, "x"), (first, None)]:
            if change:
                text = re.sub(r"^time \d", "time 9", seal["note"], count=1, flags=re.M)
                database.execute("UPDATE audit_head SET note = ? WHERE number = ?", [text, seal["number"]])
            else:
                database.execute("DELETE FROM audit_head WHERE number = ?", [seal["number"]])
            code, verdict = verify(stopped)
            assert code == 1, (seal["number"], change)
            database.execute("INSERT OR REPLACE INTO audit_head VALUES (?, ?, ?, ?)", list(seal))
        # The end of the log with its seals: only who has kept a head elsewhere can tell.
        head = stopped.folder / "head"
        head.write_text(stopped.cli("audit", "head").stdout)
        line = stopped.folder / "head.log"
        line.write_text("".join(text + "\n" for text in stopped.log_text().splitlines() if "audit log sealed" in text))
        assert verify(stopped, "--head", head)[0] == verify(stopped, "--head", line)[0] == 0
        ends = [(0, 0)]
        for seal in seals:
            if found := re.search(rf"^head {TABLE} \S+ \d+ (\d+)", seal["note"], re.M):
                ends.append((seal["number"], int(found.group(1))))
        (_, sealed), (cut, _) = ends[-2:]
        kept = database.execute(f"SELECT * FROM {TABLE} WHERE id > ?", [sealed]).fetchall()
        database.execute("DELETE FROM audit_head WHERE number >= ?", [cut])
        database.execute(f"DELETE FROM {TABLE} WHERE id > ?", [sealed])
        for file in (head, line):
            code, verdict = verify(stopped, "--head", file)
            assert code == 1 and "kept elsewhere" in verdict["faults"][0]
        for row in kept:
            database.execute(f"INSERT INTO {TABLE} VALUES ({', '.join('?' * len(row))})", list(row))
        for seal in seals:
            database.execute("INSERT OR IGNORE INTO audit_head VALUES (?, ?, ?, ?)", list(seal))
    assert verify(stopped)[0] == 0


def test_an_export_has_every_row_and_seal(stopped):
    done = stopped.cli("audit", "export")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    rows = [line for line in lines if line["type"] == "row" and line["table"] == TABLE]
    first = rows[0]["id"]
    assert [row["id"] for row in rows] == list(range(first, first + ROWS))
    assert lines[-1]["type"] == "seal" and lines[-1]["note"] == stopped.cli("audit", "head").stdout


def test_erasing_what_is_personal_breaks_nothing(stopped):
    with writing(stopped) as database:
        secret = audit.secret_of(database)
        row = database.execute(f"SELECT * FROM {TABLE} WHERE customer_id IS NOT NULL").fetchone()
        assert row["address"] == "127.0.0.1"
        digest = audit.encoded(TABLE, row, secret)[-32:]
        database.execute(f"UPDATE {TABLE} SET customer_id = NULL, application_username = NULL, address = NULL, personal_digest = ? WHERE id = ?",
            [digest, row["id"]])
        assert verify(stopped)[0] == 0
        database.execute(
            f"UPDATE {TABLE} SET customer_id = ?, application_username = ?, address = ?, personal_digest = NULL WHERE id = ?",
            [row["customer_id"], row["application_username"], row["address"], row["id"]])
    assert verify(stopped)[0] == 0


def test_a_running_service_finds_a_changed_row_and_seals_nothing_more(new_service):
    service = new_service(extra="audit: {sealSeconds: 1}\n")
    client = service.client()
    client.sign(service.offer_body())
    wait_until(lambda: any(line["message"] == "audit log sealed" for line in service.log()))
    with writing(service) as database:
        database.execute(f"UPDATE {TABLE} SET link = zeroblob(32)")
    client.sign(service.offer_body())
    with writing(service) as database:
        database.execute(f"UPDATE {TABLE} SET link = zeroblob(32)")
    wait_until(lambda: client.get("/readyz").status_code == 503)
    wait_until(lambda: any("audit log was changed" in line["message"] for line in service.log() if line["level"] == "error"))


LONG_AGO = {
    "a signature's offer": f"UPDATE {TABLE} SET bundle_id = 'com.example.other' WHERE id = 2",
    "a signature is gone": f"DELETE FROM {TABLE} WHERE id = 2",
    "a nonce is free again": "DELETE FROM nonce_series WHERE signed_request = 2",
    "a refusal's reason": "UPDATE refused_request SET offers = replace(offers, '[', ' [')",
    "who did it": "UPDATE audit_event SET actor = 'mallory' WHERE id = 1",
    "an old seal": "UPDATE audit_head SET note = replace(note, 'time 1', 'time 2') WHERE number = 1",
    "a role": "UPDATE access SET role = 'admin' WHERE role = 'client'",
    "an access key's end": "UPDATE access SET expires_at = 4102444800000 WHERE role = 'client'",
    "an access key from nowhere": "INSERT INTO access SELECT 'aaaaaaaa', secret_digest, 'admin', NULL, '', 1, NULL, NULL, NULL, NULL FROM access LIMIT 1",
    "who made an access key": "UPDATE access SET created_by = 'mallory' WHERE role = 'client'",
    "an access key is gone": "DELETE FROM access WHERE role = 'backend'",
    "a revoked access key lives": "UPDATE access SET revoked_at = NULL",
    "a decision is gone": "DELETE FROM key_decision WHERE state = 'revoked'",
    "who decided": "UPDATE key_decision SET decided_by = 'mallory' WHERE state = 'revoked'",
    "a decision from nowhere":
        "INSERT INTO key_decision SELECT NULL, 'OTHERKEY12', bundle_id, 'revoked', 1, 'mallory', '', NULL FROM key_decision LIMIT 1",
}


@pytest.fixture(scope="module")
def busy(tmp_path_factory):
    """A service with a row of everything, stopped."""
    from harness.service import Service

    service = Service(tmp_path_factory.mktemp("busy") / "service", extra="audit: {sealSeconds: 1, verifyPercent: 50}\n")
    service.start()
    for number in range(4):
        service.client().sign(service.offer_body(customerId=f"c-{number}"))
    news = {"bundleId": "com.example.news", "offers": [{"productId": "com.example.news.monthly", "offerId": "comeback"}]}
    assert service.client().sign(news)[0]["status"] == "refused"
    access = service.cli("access", "create", "--role", "viewer").stdout.split("_")[1]
    assert service.cli("access", "revoke", access).returncode == 0
    make_key(service, "OTHERKEY12")
    wait_until(lambda: service.cli("keys", "revoke", "OTHERKEY12").returncode == 0)
    service.stop()
    assert verify(service)[0] == 0
    return service


@pytest.mark.parametrize("change", LONG_AGO)
def test_a_running_service_notices_what_was_changed_long_ago(busy, tmp_path, change):
    service = busy
    content = service.store.read_bytes()
    service.start()
    try:
        wait_until(lambda: service.client().get("/readyz").status_code == 200)
        with writing(service) as database:
            assert database.execute(LONG_AGO[change]).rowcount > 0
        # It goes on writing meanwhile.
        def is_noticed():
            service.client().post("/v1/signatures", service.offer_body())
            answer = service.client().get("/readyz")
            return answer.status_code == 503 and "the audit log was changed" in answer.text

        wait_until(is_noticed)
        code, verdict = verify(service)
        assert code == 1 and verdict["faults"][0] in service.client().get("/readyz").text.replace('\\"', '"')
    finally:
        service.stop()
        service.store.write_bytes(content)
        # With it goes what was noted of how far the store had come.
        service.store.with_name("offersigner.sqlite-lock").unlink()


def test_what_operators_do_is_on_record(new_service):
    service = new_service()
    made = service.cli("access", "create", "--role", "viewer", "--note", "for a test")
    access = made.stdout.split("_")[1]
    assert service.cli("access", "revoke", access).returncode == 0
    assert service.cli("clock", "accept").returncode == 0
    service.stop()
    service.start()
    with service.database() as database:
        events = database.execute("SELECT * FROM audit_event ORDER BY id").fetchall()
    actions = [(event["actor"], event["action"], event["subject"]) for event in events]
    assert ("command-line", "access.create", access) in actions
    assert ("command-line", "access.revoke", access) in actions
    assert ("command-line", "clock.accept", None) in actions
    loads = [event for event in events if event["action"] == "configuration.load"]
    assert len(loads) == 2 and "apps[" in loads[0]["after"] and loads[1]["after"] is None
    assert loads[0]["subject"] == loads[1]["subject"]
    assert "osk_" not in str([tuple(event) for event in events])
    assert verify(service)[0] == 0


def test_the_audit_key_is_changed_without_a_stop(new_service):
    service = new_service(extra="audit: {sealSeconds: 1}\n")
    client = service.client()
    client.sign(service.offer_body())
    old = service.folder / "old.pem"
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    old.write_bytes(public_key(service).public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    done = service.cli("audit", "rotate-key")
    assert done.returncode == 0 and "AuditKey_0002.pem" in done.stdout, done.stderr
    new = service.folder / "new.pem"
    new.write_bytes(public_key(service, 2).public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))

    def is_sealed():
        """By the new key. What was signed before the service knew of it was sealed by the old one."""
        client.sign(service.offer_body())
        with contextlib.suppress(Exception):
            return audit.opened_note(service.cli("audit", "head").stdout, public_key(service, 2))

    wait_until(is_sealed)
    for options in ([], ["--public-key", old], ["--public-key", new]):
        code, verdict = verify(service, *options)
        assert (code, verdict["faults"]) == (0, []), options
    other = service.folder / "other.pem"
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    other.write_bytes(Ed25519PrivateKey.generate().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    assert verify(service, "--public-key", other)[0] == 1


def test_a_running_service_says_that_its_audit_key_was_taken_away(new_service):
    service = new_service(extra="audit: {sealSeconds: 1}\n")
    client = service.client()
    assert service.cli("audit", "rotate-key").returncode == 0
    newest, away = service.folder / "keys/AuditKey_0002.pem", service.folder / "away.pem"

    def seals():
        with service.database() as database:
            return database.execute("SELECT count(*) FROM audit_head").fetchone()[0]

    # The service seals with it once there is more than the seal of the command.
    begun = seals()
    wait_until(lambda: client.sign(service.offer_body()) and seals() > begun)
    newest.rename(away)
    wait_until(lambda: client.get("/readyz").status_code == 503)
    [check] = [check for check in client.get("/readyz").json()["checks"] if not check["ok"]]
    assert "AuditKey_0002.pem" in check["detail"] and "put it back" in check["detail"]
    # It goes on sealing, and signing.
    before = seals()
    wait_until(lambda: client.sign(service.offer_body()) and seals() > before)
    away.rename(newest)
    wait_until(lambda: client.get("/readyz").status_code == 200)
    assert verify(service)[0] == 0


def test_a_lost_audit_key_is_replaced_on_an_operators_word(new_service):
    service = new_service(extra="audit: {sealSeconds: 1}\n")
    service.client().sign(service.offer_body())
    refused = service.cli("audit", "replace-lost-key", "--reason", "x")
    assert refused.returncode != 0 and "use rotate-key" in refused.stderr, refused.stderr
    service.stop()
    head = service.cli("audit", "head").stdout
    (service.folder / "keys/AuditKey_0001.pem").unlink()
    service.start()
    client = service.client()
    client.sign(service.offer_body())
    wait_until(lambda: "replace-lost-key" in client.get("/readyz").text)
    assert client.get("/readyz").status_code == 200
    # What would be sealed would be by now.
    time.sleep(1.2)
    assert service.cli("audit", "head").stdout == head
    # Of a store that processes share a service makes no key of its own, so that there is none to check with.
    assert verify(service)[0] == (2 if service.postgresql else 1)
    done = service.cli("audit", "replace-lost-key", "--reason", "the volume was lost")
    assert done.returncode == 0 and done.stdout.endswith(head), done.stderr
    wait_until(lambda: "chained and sealed" in client.get("/readyz").text)
    assert verify(service)[0] == 0
    seals = int(head.split("\nseal ")[1].split("\n")[0])
    assert f"; {seals} by keys that are not here, covered by those after them" in service.cli("audit", "verify").stdout
    with service.database() as database:
        [event] = database.execute("SELECT * FROM audit_event WHERE action = 'audit.replace-lost-key'")
        assert event["reason"] == "the volume was lost" and event["before"] == f"seal {seals}"


def test_a_lost_audit_key_is_no_way_to_cover_a_change(new_service):
    service = new_service()
    service.client().sign(service.offer_body())
    service.stop()
    (service.folder / "keys/AuditKey_0001.pem").unlink()
    with writing(service) as database:
        database.execute(f"UPDATE {TABLE} SET key_id = 'OTHERKEY12'")
    refused = service.cli("audit", "replace-lost-key", "--reason", "x")
    assert refused.returncode != 0 and f"row 1 of {TABLE}" in refused.stderr, refused.stderr


def test_an_audit_log_that_cannot_be_written_means_503_at_once(new_service, small_disk):
    store = small_disk / "offersigner.sqlite"
    service = new_service(extra=f"store: {{sqlite: {store}}}\n")
    client = service.client()
    body = service.offer_body()
    body["offers"] = body["offers"] * 20
    acknowledged, took = set(), {200: [], 503: []}

    def sign():
        begin = time.monotonic()
        answer = client.post("/v1/signatures", body)
        took[answer.status_code].append(time.monotonic() - begin)
        if answer.status_code == 200:
            acknowledged.update(result["nonce"] for result in answer.json()["results"])

    for _ in range(20):
        sign()
    ballast = small_disk / "ballast"
    with open(ballast, "wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"x" * 4096)
    for _ in range(2000):
        sign()
        if len(took[503]) == 20:
            break
    assert len(took[503]) == 20
    # A refusal that waited for room would take seconds.
    assert min(took[503]) < 20 * max(took[200]), took
    if IS_FULL:
        assert max(took[503]) < 0.25, took
    ballast.unlink()
    service.stop()
    service.start()
    assert set(service.rows(store)) == acknowledged
    assert verify(service)[1]["faults"] == []
