"""The signing core: `openssl speed` and our core benchmark on the same core, in turns; the use case on top of it; the audit chain."""

import json
import subprocess
import tempfile

from bench.places import CORE_BENCHMARK, EXAMPLE_KEY, SERVER_CORE, WORK, pinned
from bench.servers import BenchmarkError


# More than the use case signs for in a reading.
CUSTOMERS = 250_000
# That are live.
CAMPAIGNS = 50


def openssl_speed(seconds: int) -> float:
    """ECDSA P-256 signatures per second of user CPU time."""
    ran = subprocess.run(
        pinned(SERVER_CORE, "openssl", "speed", "-mr", "-seconds", seconds, "ecdsap256"),
        capture_output=True, text=True, check=True,
    )
    # +F4:<index>:<bits>:<signatures per second>:<verifications per second>
    line = next(line for line in ran.stdout.splitlines() if line.startswith("+F4:"))
    return float(line.split(":")[3])


def our_core(seconds: int, command: str, *options: object) -> dict:
    if not CORE_BENCHMARK.exists():
        raise BenchmarkError("no core benchmark: run `scripts/bench`, which builds it")
    ran = subprocess.run(
        pinned(SERVER_CORE, CORE_BENCHMARK, command, "--key", EXAMPLE_KEY, "--seconds", seconds, *options),
        stdout=subprocess.PIPE, text=True, check=True,
    )
    return json.loads(ran.stdout)


def issuing(seconds: int, offers: int, *options: object) -> float:
    """CPU µs per signature of the use case, store included, on the file system where the service keeps its own."""
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        return our_core(seconds, "issue", "--offers", offers, "--folder", folder, *options)["cpuMicrosPerSignature"]


def measure(seconds: int, rounds: int, with_ours: bool) -> dict[str, list[float]]:
    """Every reading, by program; they alternate, so that a slow spell of the machine hits all."""
    readings: dict[str, list[float]] = {"openssl": [], "ours": [], "issue1": [], "issue20": [], "audit1": [], "audit20": [], "limits1": [], "campaigns1": []}
    for _ in range(rounds):
        readings["openssl"].append(openssl_speed(seconds))
        if with_ours:
            # Each customer is known, and asks once: the difference is what limits cost.
            free, limited = (issuing(seconds, 1, "--customers", CUSTOMERS, *flag) for flag in ((), ("--limited",)))
            readings["limits1"].append(limited - free)
            # Fifty are looked at, and the last one chooses the offer and is recorded.
            readings["campaigns1"].append(issuing(seconds, 1, "--customers", CUSTOMERS, "--campaigns", CAMPAIGNS) - free)
            readings["ours"].append(our_core(seconds, "sign")["signaturesPerSecond"])
            for offers in (1, 20):
                readings[f"issue{offers}"].append(issuing(seconds, offers))
                readings[f"audit{offers}"].append(our_core(seconds, "audit", "--offers", offers)["cpuMicrosPerSignature"])
    return readings
