"""The servers under test: our service and the peers, started and stopped alike."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.places import BENCHMARKS, INSTANCE_SCRIPT, REPOSITORY, SERVER_CORE, WORK, pinned

OURS = "OfferSigner"
# The peer that keeps a durable ledger.
DURABLE = "Go+SQLite"
START_DEADLINE_SECONDS = 30
STOP_DEADLINE_SECONDS = 30


class BenchmarkError(Exception):
    """A run that must not produce figures."""


@dataclass(frozen=True)
class Target:
    """What every server of one run signs with and for."""

    key_file: Path
    key_id: str
    bundle_id: str
    offers: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Command:
    """How a server process is spawned; `environment` None means ours."""

    arguments: tuple[str, ...]
    folder: Path
    environment: dict[str, str] | None = field(default=None, repr=False)


@dataclass
class Server:
    name: str
    pid: int
    port: int
    ready_path: str
    token: str
    command: Command
    process: subprocess.Popen | None = None
    # Of ours, by role.
    tokens: dict[str, str] = field(default_factory=dict, repr=False)
    # The folder given to scripts/instance; None for what this program spawned itself.
    instance: Path | None = None

    def stop(self) -> None:
        """Ends it gracefully; returns once the process is gone."""
        if self.instance:
            subprocess.run([REPOSITORY / INSTANCE_SCRIPT, "stop", self.instance], check=True, stdout=subprocess.DEVNULL)
        elif self.process:
            end(self.process)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def end(process: subprocess.Popen) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_DEADLINE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def is_ready(port: int, path: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def spawn(command: Command, port: int, ready_path: str) -> tuple[subprocess.Popen, float]:
    """The process, on the server core, and the seconds from spawn to its first 200."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        pinned(SERVER_CORE, *command.arguments),
        cwd=command.folder,
        env=command.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while not is_ready(port, ready_path):
        waited = time.perf_counter() - begin
        if process.poll() is not None or waited > START_DEADLINE_SECONDS:
            end(process)
            raise BenchmarkError(f"not ready after {waited:.1f} s: {' '.join(command.arguments)}")
        time.sleep(0.001)
    return process, time.perf_counter() - begin


def peer_programs() -> dict[str, tuple[Path | str, ...]]:
    peers = BENCHMARKS / "peers"
    return {
        "Go": (peers / "go" / "signer",),
        DURABLE: (peers / "go" / "signer",),
        "Node": ("node", peers / "node" / "server.js"),
        "Python": (BENCHMARKS / ".venv-bench" / "bin" / "python", peers / "python" / "server.py"),
    }


def start_peer(name: str, target: Target) -> Server:
    port, ledger = free_port(), ()
    if name == DURABLE:
        ledger = (WORK / "peer.sqlite",)
        for file in WORK.glob("peer.sqlite*"):
            file.unlink()
    arguments = (*peer_programs()[name], target.key_file, target.key_id, target.bundle_id, port, *ledger)
    command = Command(tuple(map(str, arguments)), BENCHMARKS)
    process, _ = spawn(command, port, "/livez")
    return Server(name, process.pid, port, "/livez", "", command, process)


def start_ours(
    folder: Path, keeps: bool = False, extra: Path | None = None, repository: Path = REPOSITORY, options: Sequence[str] = ()
) -> tuple[Server, Target]:
    """A new test instance, or one on the store that is there, and the target that the peers then share.

    `options` are scripts/instance's."""
    if not (repository / INSTANCE_SCRIPT).exists():
        raise BenchmarkError("no scripts/instance: measure with --peers-only, or build the service first")
    if folder.exists() and not keeps:
        # A run that was cut off may have left it going.
        subprocess.run([REPOSITORY / INSTANCE_SCRIPT, "stop", folder], capture_output=True)
        shutil.rmtree(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    port = free_port()
    started = subprocess.run(
        pinned(SERVER_CORE, repository / INSTANCE_SCRIPT, "start", folder, "--port", port, *(("--config", extra) if extra else ()), *options),
        cwd=repository,
        stdout=subprocess.PIPE,
        text=True,
    )
    if started.returncode != 0:
        raise BenchmarkError("scripts/instance start failed")
    facts = json.loads(started.stdout.strip().splitlines()[-1])
    offers = tuple((p["productId"], offer) for p in facts["products"] for offer in p["offers"])
    target = Target(repository / facts["keyFile"], facts["keyId"], facts["bundleId"], offers)
    server = Server(
        OURS, facts["pid"], port, "/readyz", facts["tokens"]["client"],
        command_of(facts["pid"]), tokens=facts["tokens"], instance=folder,
    )
    return server, target


def command_of(pid: int) -> Command:
    """How a running process was started, so that a later start can be timed without the script around it."""
    process = Path(f"/proc/{pid}")
    arguments = os.fsdecode((process / "cmdline").read_bytes()).rstrip("\0").split("\0")
    try:
        variables = os.fsdecode((process / "environ").read_bytes()).split("\0")
        # The link, not the first argument: that one may be relative to a folder since left.
        program, folder = os.readlink(process / "exe"), Path(os.readlink(process / "cwd"))
    except PermissionError:
        # The service makes itself undumpable, which hides these three from everybody but root.
        return Command(tuple(arguments), REPOSITORY)
    environment = dict(line.split("=", 1) for line in variables if "=" in line)
    return Command((program, *arguments[1:]), folder, environment)


def throwaway_target() -> Target:
    """A target of our own making, for runs without our service."""
    WORK.mkdir(parents=True, exist_ok=True)
    key_file = WORK / "SubscriptionKey_BENCHKEY01.p8"
    if not key_file.exists():
        subprocess.run(
            ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key_file],
            check=True, stderr=subprocess.DEVNULL,
        )
        key_file.chmod(0o600)
    products = ("com.example.pro.weekly", "com.example.pro.monthly", "com.example.pro.yearly")
    offers = tuple((product, offer) for product in products for offer in ("winback50", "loyal20"))
    return Target(key_file, "BENCHKEY01", "com.example.app", offers)
