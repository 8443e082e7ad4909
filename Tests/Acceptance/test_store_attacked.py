"""What may be done to the files of a running store: no row that was acknowledged is lost in silence, and no nonce signs twice."""
import shutil
import subprocess
import time

import pytest

from harness.waiting import PATIENCE, wait_until


def sqlite(path, sql):
    done = subprocess.run(["sqlite3", str(path), sql], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def checkpoint(path):
    return sqlite(path, "PRAGMA wal_checkpoint(TRUNCATE)")


def cut(path, size):
    with open(path, "r+b") as file:
        file.truncate(size)


def overwrite(path, source):
    """What `cp` does: other bytes, the same file."""
    content = source.read_bytes()
    with open(path, "r+b") as file:
        file.write(content)
        file.truncate()


def store_check(service):
    answer = service.client().get("/readyz")
    [check] = [each for each in answer.json()["checks"] if each["name"] == "store"]
    assert (answer.status_code == 200) == check["ok"]
    return check


def errors(service):
    return [line["reason"] for line in service.log() if line["level"] == "error" and line["message"] == "the store cannot be written"]


@pytest.fixture
def attacked(new_service):
    """A service that has signed, its nonces, and what must hold once its files were changed."""

    class Attacked:
        def __init__(self):
            self.service = new_service()
            self.client = self.service.client()
            self.used, self.unused = self.client.nonces(self.service.bundle_id, 2)
            self.acknowledged = {result["nonce"] for _ in range(20) for result in self.client.sign(self.service.offer_body())}

        def sign_used(self):
            """Signs what the attack is after: a nonce that must never be good again."""
            self.client.sign(self.service.offer_body(nonce=self.used), headers={"Idempotency-Key": "attacked"})
            self.acknowledged.add(self.used)

        def expect_refusals(self, words):
            wait_until(lambda: errors(self.service), promised=5)
            assert words in errors(self.service)[0]
            for nonce in [self.used, self.unused, None]:
                body = self.service.offer_body(**({"nonce": nonce} if nonce else {}))
                answer = self.client.post("/v1/signatures", body)
                assert answer.status_code == 503 and answer.json()["code"] == "not-ready", answer.text
                assert words in answer.json()["detail"]
            # Not even what was signed and stored before: what is read may be wrong.
            again = self.client.post("/v1/signatures", self.service.offer_body(nonce=self.used), headers={"Idempotency-Key": "attacked"})
            assert again.status_code == 503
            wait_until(lambda: not store_check(self.service)["ok"], promised=5)
            assert words in store_check(self.service)["detail"]
            assert len(errors(self.service)) == 1, "it is logged once"

        def restart(self, how="stop"):
            getattr(self.service, how)()
            self.service.start()
            self.client = self.service.client()

    return Attacked()


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_an_index_that_was_removed_and_a_checkpoint_from_outside_lose_nothing(attacked, how):
    service = attacked.service
    service.store.with_name("offersigner.sqlite-shm").unlink()
    checkpoint(service.store)
    # Another process goes on at the log's beginning.
    assert service.cli("access", "create", "--role", "client").returncode == 0
    attacked.expect_refusals("offersigner.sqlite-shm, was removed")
    attacked.restart(how)
    assert set(service.rows()) == attacked.acknowledged
    assert sqlite(service.store, "PRAGMA integrity_check").strip() == "ok"
    attacked.client.sign(service.offer_body(nonce=attacked.unused))


def test_an_older_copy_over_the_store_never_signs_a_nonce_again(attacked, tmp_path):
    service, copy = attacked.service, tmp_path / "copy.sqlite"
    sqlite(service.store, f".backup '{copy}'")
    attacked.sign_used()
    checkpoint(service.store)
    attacked.client.sign(service.offer_body())
    overwrite(service.store, copy)
    attacked.expect_refusals("copied over the store file")


def test_another_store_over_the_store_never_signs_a_nonce_again(attacked, new_service, tmp_path):
    path = tmp_path / "other.sqlite"
    # Stores where scripts/instance puts them begin as copies of one.
    other = new_service(extra=f"store: {{sqlite: {path}}}\n")
    other.client().sign(other.offer_body())
    other.stop()
    attacked.sign_used()
    checkpoint(attacked.service.store)
    overwrite(attacked.service.store, path)
    attacked.expect_refusals("copied over the store file")
    # Put right while the service is stopped, any whole store is good, once that is said.
    attacked.service.stop()
    for suffix in ["-wal", "-shm"]:
        attacked.service.store.with_name(f"offersigner.sqlite{suffix}").unlink(missing_ok=True)
    refused = attacked.service.cli("check-config")
    assert refused.returncode != 0 and "store-set-back" in refused.stderr, refused.stderr
    for key in (other.folder / "keys").glob("AuditKey_*.pem"):
        shutil.copy(key, attacked.service.folder / "keys")
    done = attacked.service.cli("store", "restored")
    assert done.returncode == 0, done.stderr
    attacked.service.start()
    assert set(attacked.service.rows()) == set(other.rows(path))


@pytest.mark.parametrize(
    ("name", "size", "words"),
    [
        ("offersigner.sqlite", 0, "the store file was cut short"),
        ("offersigner.sqlite", 8192, "the store file was cut short"),
        ("offersigner.sqlite-wal", 0, "offersigner.sqlite-wal, was cut short"),
        ("offersigner.sqlite-wal", 5000, "offersigner.sqlite-wal, was cut short"),
    ],
)
def test_a_store_that_is_cut_short_never_signs_a_nonce_again(attacked, name, size, words):
    checkpoint(attacked.service.store)
    attacked.sign_used()
    cut(attacked.service.store.with_name(name), size)
    attacked.expect_refusals(words)


def test_a_young_store_that_is_emptied_is_not_made_anew_at_the_next_start(attacked):
    attacked.sign_used()
    cut(attacked.service.store, 0)
    attacked.expect_refusals("the store file was cut short")
    attacked.service.stop()
    done = attacked.service.cli("check-config")
    assert done.returncode != 0 and "missing or empty, but its log is not" in done.stderr
    assert attacked.service.store.with_name("offersigner.sqlite-wal").stat().st_size > 0


def test_histories_that_are_cut_short_are_noticed_before_a_write(new_service):
    service = new_service()
    binding = {"bundleId": service.bundle_id, "transactionId": "7"}
    service.client("backend").post("/v1/customers/u-1/transactions", binding).raise_for_status()
    assert store_check(service)["ok"]
    cut(service.histories, 0)
    wait_until(lambda: errors(service), promised=5)
    assert "offersigner-histories.sqlite" in errors(service)[0]
    wait_until(lambda: not store_check(service)["ok"], promised=5)
    assert "offersigner-histories.sqlite" in store_check(service)["detail"]
    answer = service.client().post("/v1/signatures", {**service.offer_body(), "customerId": "u-1"})
    assert answer.status_code == 503 and "cut short" in answer.json()["detail"]
    assert service.client().post("/v1/eligibility", {"bundleId": service.bundle_id, "customerId": "u-1"}).status_code == 503


def test_what_operators_do_to_a_running_store_is_no_attack(new_service, tmp_path):
    service = new_service()
    client = service.client()
    acknowledged = set()
    for turn, sql in enumerate(["PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", f".backup '{tmp_path}/copy.sqlite'", "PRAGMA wal_checkpoint(RESTART)"]):
        for path in [service.store, service.histories]:
            sqlite(path, sql)
            checkpoint(path)
        acknowledged |= {result["nonce"] for result in client.sign(service.offer_body())}
        assert service.cli("access", "list").returncode == 0
        assert service.cli("check-config").returncode == 0
        binding = {"bundleId": service.bundle_id, "transactionId": str(turn)}
        service.client("backend").post("/v1/customers/u-1/transactions", binding).raise_for_status()
    # Longer than from one look at the files to the next.
    time.sleep(1.2)
    assert store_check(service)["ok"] and not errors(service)
    assert set(service.rows()) == acknowledged


def test_a_second_service_on_one_store_is_refused_unless_it_is_meant(new_service, tmp_path):
    service = new_service()
    other = tmp_path / "other.yaml"
    other.write_text("http: {port: 0}\n")
    done = subprocess.run(
        [*service.command("serve"), "--config", str(other)], capture_output=True, text=True, check=False, timeout=PATIENCE,
        env=service.environment)
    assert done.returncode != 0
    assert "store-in-use" in done.stderr and f"(process {service.pid})" in done.stderr and "--allow-second-process" in done.stderr
    meant = subprocess.Popen(
        [*service.command("serve"), "--config", str(other), "--allow-second-process"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, env=service.environment)
    try:
        for line in meant.stdout:
            if "started" in line:
                break
        else:
            pytest.fail("it has not started")
        assert service.cli("access", "list").returncode == 0
        for _ in range(5):
            service.client().sign(service.offer_body())
        assert store_check(service)["ok"]
    finally:
        meant.terminate()
        meant.communicate(timeout=PATIENCE)
    # The lock ends with its process.
    service.kill()
    service.start()
    service.client().sign(service.offer_body())


def test_a_store_that_another_process_opens_is_waited_for_and_then_given_up(new_service):
    service = new_service()
    service.stop()
    lock = service.store.with_name("offersigner.sqlite-lock")
    assert lock.stat().st_mode & 0o777 == 0o600
    # A byte of the file, as this program locks it.
    holder = subprocess.Popen(
        ["python3", "-c", f"""
import fcntl, os, struct, sys
file = os.open({str(lock)!r}, os.O_RDWR)
fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0))
print("locked", flush=True)
sys.stdin.read()
"""], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "locked\n"
        begin = time.monotonic()
        done = service.cli("access", "list")
        assert done.returncode != 0 and "another process has been opening the store for 10 s" in done.stderr
        assert 9 < time.monotonic() - begin
        assert "waiting for" in done.stderr
    finally:
        holder.communicate("")
    assert service.cli("access", "list").returncode == 0
