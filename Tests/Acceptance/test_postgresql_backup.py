"""A database that was put back with PostgreSQL's own tools signs again, and no nonce from before."""
import shutil
import subprocess

import pytest

from harness.postgresql import AS_OWNER, Cluster, Server
from harness.service import Service, instance
from harness.waiting import wait_until


@pytest.fixture
def cluster():
    cluster = Cluster()
    yield cluster
    cluster.close()


@pytest.fixture
def service(tmp_path, cluster):
    service = Service(tmp_path / "service")
    service.postgresql = cluster.address
    service.environment["OFFERSIGNER_STORE_POSITIONFILE"] = str(tmp_path / "position")
    service.start()
    yield service
    if service.is_running:
        service.kill()


def restart(server):
    """Starts a stopped server; its files may be another's copy."""
    if AS_OWNER:
        subprocess.run(["chown", "-R", "postgres", str(server.data)], check=True, stdin=subprocess.DEVNULL)
    (server.data / "postmaster.pid").unlink(missing_ok=True)
    server.start()


def archive(server, folder):
    """Has a server keep its WAL, from its next start on."""
    folder.mkdir()
    folder.chmod(0o777)
    with (server.data / "postgresql.auto.conf").open("a") as settings:
        settings.write(f"archive_mode = on\narchive_command = 'cp %p {folder}/%f'\n")


def move(service, server, database="offersigner"):
    """Has the configuration name another database from now on."""
    service.postgresql = f"host={server.folder} user=offersigner dbname={database}"
    instance.configure(service.folder, service.port, service.postgresql)


def sign(service, nonce):
    return service.client().post("/v1/signatures", service.offer_body(nonce=nonce))


def cli(service, *arguments):
    return service.cli(*arguments, environment=service.environment)


def refuses(service, code):
    """Neither the service nor a command uses the database."""
    for command in (["serve"], ["access", "list"], ["store", "check"]):
        done = cli(service, *command)
        assert done.returncode != 0 and code in done.stdout + done.stderr, command


def check(service, known, unknown):
    """What is on record was used, what is not may have been: neither is signed. Everything else goes on."""
    done = cli(service, "store", "restored")
    assert done.returncode == 0 and "latest signature: 20" in done.stdout, done.stdout + done.stderr
    service.start()
    for nonce, code in [*((nonce, "nonce-replayed") for nonce in known), *((nonce, "nonce-not-issued") for nonce in unknown)]:
        assert sign(service, nonce).json()["code"] == code
    assert sign(service, None).status_code == 200
    done = service.cli("audit", "verify")
    assert done.returncode == 0, done.stdout
    [event] = service.client("security").get("/v1/admin/audit?action=store.restore").json()["items"]
    assert event["actor"] == "command-line"


def test_a_base_backup_is_rolled_forward_to_a_point_in_time(service, cluster):
    service.stop()
    primary = cluster.primary
    wal = cluster.folder / "wal"
    archive(primary, wal)
    primary.stop()
    primary.start()
    service.start()
    before, then, after, unused = service.client().nonces(service.bundle_id, count=4)
    assert sign(service, before).status_code == 200
    restored = Server(cluster.folder, "restored")
    restored.copy(primary)
    assert sign(service, then).status_code == 200
    primary.ask("SELECT pg_create_restore_point('then')")
    assert sign(service, after).status_code == 200
    primary.ask("SELECT pg_switch_wal()")
    service.stop()
    # It goes on to archive what it still has.
    primary.run("pg_ctl", "-D", primary.data, "-m", "fast", "stop")
    (restored.data / "standby.signal").unlink()
    (restored.data / "recovery.signal").touch()
    (restored.data / "postgresql.auto.conf").write_text(
        f"restore_command = 'cp {wal}/%f %p'\nrecovery_target_name = 'then'\nrecovery_target_action = promote\n")
    cluster.servers.append(restored)
    restored.start()
    wait_until(lambda: restored.ask("SELECT pg_is_in_recovery()") == [["f"]])
    move(service, restored)
    refuses(service, "store-set-back")
    check(service, [before, then], [after, unused])


def test_a_dump_is_restored_into_another_database(service, cluster):
    before, after = service.client().nonces(service.bundle_id, count=2)
    assert sign(service, before).status_code == 200
    primary = cluster.primary
    primary.run("pg_dump", "-Fd", "-f", primary.folder / "dump", "-h", primary.folder, "-U", "offersigner", "offersigner")
    assert sign(service, after).status_code == 200
    # While a replica lives the database is not taken up.
    refused = service.cli("store", "restored")
    assert refused.returncode != 0 and "stop the replicas" in refused.stderr
    service.stop()
    primary.ask("CREATE DATABASE again", "postgres")
    primary.run("pg_restore", "-e", "-d", "again", "-h", primary.folder, "-U", "offersigner", primary.folder / "dump")
    move(service, primary, "again")
    refuses(service, "store-set-back")
    # The dump's author may have added what its reader runs.
    primary.ask("CREATE RULE r AS ON INSERT TO secret DO ALSO DELETE FROM nonce_series", "again")
    refused = cli(service, "store", "restored")
    assert refused.returncode != 0 and "store-schema-changed" in refused.stderr and "rule r on secret was added" in refused.stderr
    primary.ask("DROP RULE r ON secret", "again")
    check(service, [before], [after])


def test_a_running_replica_stops_when_the_database_goes_back(service, cluster, tmp_path):
    """Another one that was idle knows the others' seals; a failover that loses nothing stops neither."""
    other = Service(tmp_path / "other")
    other.postgresql, other.like = cluster.address, service.folder
    known = tmp_path / "other position"
    other.environment["OFFERSIGNER_STORE_POSITIONFILE"] = str(known)
    other.start()
    primary = cluster.primary
    last = lambda: int(primary.ask("SELECT coalesce(max(number), 0) FROM audit_head")[0][0])
    try:
        nonce = service.client().nonces(service.bundle_id, count=1)[0]
        primary.stop()
        # All that was acknowledged is in the copy.
        saved = primary.folder / "saved"
        shutil.copytree(primary.data, saved)
        restart(primary)
        wait_until(lambda: all(each.client().get("/readyz").status_code == 200 for each in (service, other)))
        seal = last()
        assert sign(service, nonce).status_code == 200
        # Until it is sealed, and the idle one has seen that.
        wait_until(lambda: last() > seal)
        seal = last()
        wait_until(lambda: f"seal {seal} " in known.read_text())
        primary.stop()
        shutil.rmtree(primary.data)
        saved.rename(primary.data)
        restart(primary)
        for each in (service, other):
            wait_until(lambda: "offersigner store restored" in each.client().get("/readyz").text)
            for _ in range(3):
                assert sign(each, nonce).status_code == 503
        # Taken up, it must be started again: it knows a secret that is no longer valid.
        wait_until(lambda: service.cli("store", "restored").returncode == 0)
        assert sign(service, nonce).status_code == 503
    finally:
        if other.is_running:
            other.kill()
    service.stop()
    service.start()
    assert sign(service, nonce).json()["code"] == "nonce-not-issued"
    assert sign(service, None).status_code == 200


@pytest.mark.parametrize("emptied", [None, "", "link"], ids=["removed", "empty", "link to nothing"])
def test_a_start_says_that_it_has_no_position_to_compare_with(service, tmp_path, emptied):
    """A file that is lost cannot be told from a new machine's."""
    warned = lambda: any("had no position" in line["message"] for line in service.log())
    file = tmp_path / "position"
    # The store was new.
    assert not warned()
    service.stop()
    service.start()
    assert not warned()
    service.stop()
    file.unlink()
    if emptied == "link":
        file.symlink_to(tmp_path / "nowhere")
    elif emptied is not None:
        file.write_text(emptied)
    service.start()
    assert warned() and file.read_text()
