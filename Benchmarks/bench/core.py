"""The signing core: `openssl speed` and our core benchmark on the same core, in turns; the use case on top of it; the audit chain."""

import contextlib
import json
import statistics
import subprocess
import tempfile
from collections.abc import Iterator

from bench.places import CORE_BENCHMARK, EXAMPLE_KEY, SERVER_CORE, WORK, pinned
from bench.servers import BenchmarkError

# What a signature is asked for with: two plain ones tell how far the machine's noise takes a difference.
DESKS = {"plain": [], "again": [], "limits": ["--limited"], "campaigns": ["--campaigns", 50]}


def openssl_speed(seconds: int) -> float:
    """ECDSA P-256 signatures per second of user CPU time."""
    ran = subprocess.run(
        pinned(SERVER_CORE, "openssl", "speed", "-mr", "-seconds", seconds, "ecdsap256"),
        capture_output=True, text=True, check=True,
    )
    # +F4:<index>:<bits>:<signatures per second>:<verifications per second>
    line = next(line for line in ran.stdout.splitlines() if line.startswith("+F4:"))
    return float(line.split(":")[3])


def our_core(command: list[object]) -> dict:
    if not CORE_BENCHMARK.exists():
        raise BenchmarkError("no core benchmark: run `scripts/bench`, which builds it")
    ran = subprocess.run(
        pinned(SERVER_CORE, CORE_BENCHMARK, *command, "--key", EXAMPLE_KEY), stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(ran.stdout)


@contextlib.contextmanager
def stores() -> Iterator[str]:
    """A new folder on the file system where the service keeps its own."""
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        yield folder


def issuing(seconds: int, offers: int) -> float:
    """CPU µs per signature of the use case, store included."""
    with stores() as folder:
        return our_core(["issue", "--seconds", seconds, "--offers", offers, "--folder", folder])["cpuMicrosPerSignature"]


def turns(options: list[object], count: int) -> float:
    """CPU µs per signature for known customers, who ask once each; the median of some turns of a tenth of a second."""
    with stores() as folder:
        readings = our_core(["turns", "--turns", count, "--folder", folder, *options])
    return statistics.median(readings["cpuMicrosPerSignature"])


def surcharges(rounds: int, count: int) -> dict[str, list[float]]:
    """What the others cost more than the plain one of the same round: each in a process of its own, whose memory nobody shares."""
    found: dict[str, list[float]] = {name: [] for name in DESKS}
    for number in range(rounds):
        # Each comes as often before another as behind it.
        for name in list(DESKS)[::1 if number % 2 else -1]:
            found[name].append(turns(DESKS[name], count))
    plain = found.pop("plain")
    return {name: [one - other for one, other in zip(values, plain)] for name, values in found.items()}


def measure(seconds: int, rounds: int, with_ours: bool) -> dict:
    """Every reading, by program; they alternate, so that a slow spell of the machine hits all."""
    readings: dict = {"openssl": [], "ours": [], "issue1": [], "issue20": [], "audit1": [], "audit20": [], "surcharges": {}}
    for _ in range(rounds):
        readings["openssl"].append(openssl_speed(seconds))
        if with_ours:
            readings["ours"].append(our_core(["sign", "--seconds", seconds])["signaturesPerSecond"])
            for offers in (1, 20):
                readings[f"issue{offers}"].append(issuing(seconds, offers))
                audit = our_core(["audit", "--seconds", seconds, "--offers", offers])
                readings[f"audit{offers}"].append(audit["cpuMicrosPerSignature"])
    if with_ours:
        readings["surcharges"] = surcharges(2 * rounds, count=max(10, 12 * seconds))
    return readings
