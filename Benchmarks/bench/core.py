"""The signing core: `openssl speed` and our core benchmark on the same core, in turns; the use case on top of it; the audit chain."""

import contextlib
import json
import subprocess
import tempfile
from collections.abc import Iterator

from bench.places import CORE_BENCHMARK, EXAMPLE_KEY, SERVER_CORE, WORK, pinned
from bench.servers import BenchmarkError

# Of each desk; a turn takes some tenth of a second.
TURNS_A_SECOND = 4


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


def surcharges(turns: int) -> dict[str, list[float]]:
    """What a signature costs with limits, or campaigns, more than at a plain desk in the same turn: CPU µs; `again` is another plain one."""
    with stores() as folder:
        readings = our_core(["surcharges", "--turns", turns, "--folder", folder])
    plain = readings.pop("plain")
    return {name: [one - other for one, other in zip(values, plain)] for name, values in readings.items()}


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
        readings["surcharges"] = surcharges(turns=seconds * rounds * TURNS_A_SECOND)
    return readings
