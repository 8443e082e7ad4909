"""Makes fixtures of a release's stores, in files and in a database: Tests/Fixtures/stores/NAME/. test_upgrade.py takes them over.

usage: .venv/bin/python Tests/Acceptance/store_fixture.py NAME [PROGRAM]    PROGRAM is a release's; default: that of this tree
"""
import contextlib
import json
import pathlib
import shutil
import sqlite3
import sys
import tarfile
import tempfile

from harness import service as services
from harness.app_store import BUNDLE, SHARED_SECRET, AppStore
from harness.postgresql import Cluster
from harness.purchases import DAY, ago, hand_in, lapsed, now
from harness.service import ROOT, Service
from harness.waiting import wait_until
from test_experiment import written
from test_key_rotation import make_key
from test_offer_limits import ask, groups
from test_receipt_polling import BUNDLE as OLD_APP
from test_receipt_polling import CATALOGUE
from test_receipt_polling import PRO as OLD_PRODUCT
from test_store_copy import CAMPAIGNS, LIMITS, Life

STORES = ROOT / "Tests/Fixtures/stores"
# Stands for the folder of the service in its configuration.
FOLDER = "/FOLDER"
DUMP = "dump.sql"
SECOND_KEY = "SECONDKEY1"
# A customer whom no answer that is compared shows.
UNSEEN = "unseen"


def make(made, folder, cluster=None):
    """`cluster`: the database in place of files."""
    folder.mkdir()
    with AppStore(folder / "app-store") as store:
        # The apps of the example have an issuer id, so no receipt of theirs is kept.
        old = {"bundleId": OLD_APP, "sharedSecret": SHARED_SECRET, "subscriptionGroups": CATALOGUE}
        configuration = store.configuration_yaml(BUNDLE, eligibility="enforce", subscriptionGroups=groups(LIMITS))
        service = Service(folder / "service", extra=f"{configuration}  - {json.dumps(old)}\n")
        service.postgresql = cluster and cluster.address
        service.start()
        life = Life(service, store)
        # Steps of which only the last is kept in a campaign's own row.
        life.publish("paused")
        for word in ("pause", "resume", "pause"):
            life.change("paused", word)
        life.publish("ended")
        life.change("ended", "end")
        assert life.marketing.post(CAMPAIGNS, written("draft")).status_code == 201
        life.change("draft", "submit")
        other = store.customer()
        lapsed(other)
        hand_in(service, store, other, UNSEEN)
        store.register(OLD_APP)
        customer = store.customer(OLD_APP)
        customer.start(OLD_PRODUCT, at=ago(10 * DAY))
        store.add(customer)
        body = {"bundleId": OLD_APP, "customerId": "old", "receiptData": customer.receipt()}
        assert service.client("backend").post("/v1/history/receipts", body).status_code == 200
        make_key(service, SECOND_KEY)
        activate = lambda: life.security.post(f"/v1/admin/keys/{SECOND_KEY}/activate", {"reason": "rotation"})
        wait_until(lambda: activate().status_code == 200)
        assert ask(service, "winback50", customerId="other-0")["keyIdentifier"] == SECOND_KEY
        old = life.get("/v1/customers/old", bundleId=OLD_APP)["subscriptions"]
        seen = life.seen()
        head = wait_until(lambda: life.security.get("/v1/admin/audit/head").json()["head"])
        service.stop()
        assert service.log()[-1]["message"] == "stopped"
        shutil.copy(store.root_pem, service.folder / "root.pem")
        extra = service.extra.read_text().replace(str(store.root_pem), f"{FOLDER}/root.pem").replace(store.url, "http://127.0.0.1:9")
    facts = {
        "madeAt": now() // 1000, "old": old,
        "keptHead": head, "seen": seen, "used": life.used, "unused": life.unused,
        "idempotencyKey": life.keyed["Idempotency-Key"], "answer": life.first.json(),
        "marketing": life.marketing.token,
    }
    (service.folder / "facts.json").write_text(json.dumps(facts, indent=1, sort_keys=True))
    (service.folder / "extra.yaml").write_text(extra)
    if cluster:
        server = cluster.primary
        dump = server.run("pg_dump", "-h", server.folder, "-U", "offersigner", "--no-owner", "offersigner")
        (service.folder / DUMP).write_text(dump)
    else:
        print("empty:", *empty_tables(service))
    made.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(made, "w:xz") as archive:
        for file in sorted(service.folder.rglob("*")):
            if file.is_file() and file.name not in ("log", "pid", "instance.yaml") and not file.name.endswith("-lock"):
                archive.add(file, file.relative_to(service.folder))


def empty_tables(service):
    with contextlib.closing(sqlite3.connect(service.store)) as database:
        database.execute("ATTACH ? AS histories", [str(service.histories)])
        tables = database.execute("SELECT schema, name FROM pragma_table_list WHERE type = 'table' AND schema <> 'temp'").fetchall()
        return sorted(table for schema, table in tables if not database.execute(f"SELECT 1 FROM {schema}.{table} LIMIT 1").fetchone())


def main(name, program=None):
    with tempfile.TemporaryDirectory() as folder:
        if program:
            # Instances are prepared beside the program.
            copy = pathlib.Path(folder) / "offersigner"
            shutil.copy(program, copy)
            services.BINARY = services.instance.BINARY = copy
        make(STORES / name / "files.tar.xz", pathlib.Path(folder) / "files")
        with contextlib.closing(Cluster()) as cluster:
            make(STORES / name / "postgresql.tar.xz", pathlib.Path(folder) / "postgresql", cluster)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
