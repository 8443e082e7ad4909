"""A pooler between the service and PostgreSQL is named, where it breaks what the service rests on."""
import contextlib
import shutil
import subprocess

import pytest

from harness.postgresql import AS_OWNER, Cluster
from harness.service import free_port
from harness.waiting import wait_until

POOLER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")


@contextlib.contextmanager
def pooler(cluster, mode):
    """PgBouncer before a cluster; its connection string."""
    folder, port = cluster.folder / mode, free_port()
    folder.mkdir()
    settings = folder / "pgbouncer.ini"
    settings.write_text(
        f"[databases]\noffersigner = host={cluster.primary.folder} user=offersigner dbname=offersigner\n[pgbouncer]\n"
        f"listen_port = {port}\nunix_socket_dir = {folder}\nauth_type = any\npool_mode = {mode}\ndefault_pool_size = 20\n")
    if AS_OWNER:
        shutil.chown(folder, "postgres")
        settings.chmod(0o644)
    process = subprocess.Popen([*AS_OWNER, POOLER, settings], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: (folder / f".s.PGSQL.{port}").exists())
        yield f"host={folder} port={port} dbname=offersigner user=offersigner"
    finally:
        process.terminate()
        process.wait()


@pytest.mark.skipif(not POOLER, reason="needs PgBouncer")
@pytest.mark.parametrize("mode", ["transaction", "statement"])
def test_a_pooler_that_lends_servers_by_transaction_is_named_with_the_remedy(new_service, mode):
    service = new_service(start=False)
    with contextlib.closing(Cluster()) as cluster, pooler(cluster, mode) as address:
        service.postgresql = address
        with pytest.raises(Exception, match="pool_mode = session"):
            service.start()
        service.postgresql = cluster.address
        service.start()
        assert service.client().sign(service.offer_body())[0]["status"] == "signed"
        service.stop()


@pytest.mark.skipif(not POOLER, reason="needs PgBouncer")
def test_a_pooler_that_lends_them_by_session_is_as_good_as_none(new_service):
    service = new_service(start=False)
    with contextlib.closing(Cluster()) as cluster, pooler(cluster, "session") as address:
        service.postgresql = address
        service.start()
        assert service.client().sign(service.offer_body())[0]["status"] == "signed"
        service.stop()
