"""The signing core: `openssl speed` and our core benchmark on the same core, in turns."""

import json
import subprocess

from bench.places import CORE_BENCHMARK, EXAMPLE_KEY, SERVER_CORE, pinned
from bench.servers import BenchmarkError


def openssl_speed(seconds: int) -> float:
    """ECDSA P-256 signatures per second of user CPU time."""
    ran = subprocess.run(
        pinned(SERVER_CORE, "openssl", "speed", "-mr", "-seconds", seconds, "ecdsap256"),
        capture_output=True, text=True, check=True,
    )
    # +F4:<index>:<bits>:<signatures per second>:<verifications per second>
    line = next(line for line in ran.stdout.splitlines() if line.startswith("+F4:"))
    return float(line.split(":")[3])


def our_core(seconds: int) -> float:
    if not CORE_BENCHMARK.exists():
        raise BenchmarkError("no core benchmark: run `swift build -c release` in Benchmarks first")
    ran = subprocess.run(
        pinned(SERVER_CORE, CORE_BENCHMARK, "--pem", EXAMPLE_KEY, "--seconds", seconds), stdout=subprocess.PIPE, text=True, check=True
    )
    return float(json.loads(ran.stdout)["signaturesPerSecond"])


def measure(seconds: int, rounds: int, with_ours: bool) -> dict[str, list[float]]:
    """Every reading, by program; the two alternate, so that a slow spell of the machine hits both."""
    readings: dict[str, list[float]] = {"openssl": [], "ours": []}
    for _ in range(rounds):
        readings["openssl"].append(openssl_speed(seconds))
        if with_ours:
            readings["ours"].append(our_core(seconds))
    return readings
