"""Two replicas on a PostgreSQL of two servers that Patroni runs, synchronously; kills the primary with its Patroni, and PostgreSQL alone."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

from caller import Caller

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Acceptance"))
from harness.postgresql import AS_OWNER, BINARIES  # noqa: E402

INSTANCE = ROOT / "scripts/instance"
NAMES = ["one", "two"]


def free_ports(count):
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


class Cluster:
    """etcd and, of each server, a Patroni with its PostgreSQL."""

    def __init__(self, folder):
        self.folder = folder
        client, peer, *ports = free_ports(6)
        self.ports, rest = dict(zip(NAMES, ports)), dict(zip(NAMES, ports[2:]))
        self.etcd = self.begin("etcd", [
            "etcd", "--data-dir", folder / "etcd", "--listen-client-urls", f"http://127.0.0.1:{client}",
            "--advertise-client-urls", f"http://127.0.0.1:{client}", "--listen-peer-urls", f"http://127.0.0.1:{peer}",
            "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}", "--initial-cluster", f"default=http://127.0.0.1:{peer}"])
        for name in NAMES:
            access = [f"{kind} all 127.0.0.1/32 trust" for kind in ("host all", "host replication")]
            # JSON is YAML. The time to live is the shortest that Patroni takes.
            self.configuration(name).write_text(json.dumps({
                "scope": "offersigner", "name": name, "etcd3": {"host": f"127.0.0.1:{client}"},
                "restapi": {"listen": f"127.0.0.1:{rest[name]}", "connect_address": f"127.0.0.1:{rest[name]}"},
                "bootstrap": {
                    "dcs": {
                        "ttl": 20, "loop_wait": 2, "retry_timeout": 5, "synchronous_mode": True, "postgresql": {"use_pg_rewind": True},
                    },
                    "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
                },
                "postgresql": {
                    "listen": f"127.0.0.1:{self.ports[name]}", "connect_address": f"127.0.0.1:{self.ports[name]}",
                    "data_dir": str(folder / name), "bin_dir": str(BINARIES[-1]), "pgpass": str(folder / f"{name}.pgpass"), "pg_hba": access,
                    "authentication": {key: {"username": key} for key in ("superuser", "replication", "rewind")},
                    "parameters": {"unix_socket_directories": ""},
                },
            }))
        self.patronis = {}
        for name in NAMES:
            self.start(name)
        self.wait_until_whole()

    def begin(self, name, command):
        log = open(self.folder / f"{name}.log", "a")
        return subprocess.Popen([*map(str, command)], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", start_new_session=True)

    def configuration(self, name):
        return self.folder / f"{name}.yml"

    def start(self, name):
        self.patronis[name] = self.begin(name, [*AS_OWNER, "patroni", self.configuration(name)])

    def control(self, *arguments):
        done = subprocess.run(["patronictl", "-c", self.configuration("one"), *arguments], capture_output=True, text=True, check=False)
        return done.stdout

    def roles(self):
        with contextlib.suppress(json.JSONDecodeError):
            return {each["Role"]: each["Member"] for each in json.loads(self.control("list", "-f", "json")) if each["State"] in ("running", "streaming")}
        return {}

    def wait_until_whole(self):
        deadline = time.monotonic() + 120
        while set(self.roles()) != {"Leader", "Sync Standby"}:
            if time.monotonic() > deadline:
                raise SystemExit(self.control("list"))
            time.sleep(1)

    def kill_database(self, name):
        with contextlib.suppress(OSError):
            os.kill(int((self.folder / name / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)

    def kill(self, name):
        """What the loss of its machine does."""
        with contextlib.suppress(OSError):
            os.killpg(self.patronis[name].pid, signal.SIGKILL)
        self.patronis[name].wait()
        self.kill_database(name)

    @property
    def address(self):
        ports = ",".join(str(port) for port in self.ports.values())
        return f"host=127.0.0.1,127.0.0.1 port={ports} user=superuser dbname=postgres target_session_attrs=read-write connect_timeout=3"


def instance(folder, *options):
    done = subprocess.run([INSTANCE, "start", folder, *options], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    if AS_OWNER:
        shutil.chown(folder, "postgres")
    cluster, replicas = Cluster(folder), [folder / "replica-one", folder / "replica-two"]
    try:
        facts = [instance(replicas[0], "--postgresql", cluster.address), instance(replicas[1], "--postgresql", cluster.address, "--like", replicas[0])]
        caller = Caller(facts[0]["tokens"]["client"], [urllib.parse.urlsplit(each["url"]).port for each in facts])
        with caller.asking():
            lost = cluster.roles()["Leader"]
            cluster.kill(lost)
        caller.check("the primary's machine lost")
        cluster.start(lost)
        cluster.wait_until_whole()
        with caller.asking():
            roles = cluster.roles()
            cluster.control("switchover", "--master", roles["Leader"], "--candidate", roles["Sync Standby"], "--force", "offersigner")
        caller.check("the primary exchanged")
        cluster.wait_until_whole()
        with caller.asking():
            cluster.kill_database(cluster.roles()["Leader"])
        caller.check("PostgreSQL of the primary killed")
        configuration = [ROOT / "offersigner.example.yaml", replicas[0] / "instance.yaml"]
        options = [option for file in configuration for option in ("--config", file)]
        subprocess.run([ROOT / ".build/release/offersigner", "audit", "verify", *options], check=True)
    finally:
        for replica in replicas:
            subprocess.run([INSTANCE, "stop", replica], check=False, capture_output=True)
        for name in NAMES:
            cluster.kill(name)
        cluster.etcd.kill()
    shutil.rmtree(folder)


main()
