"""The whole service and the peers under load, in interleaved rounds."""

import json
import os
import resource
import subprocess
from dataclasses import asdict, dataclass

from bench import core, procfs, samples
from bench.places import BENCHMARKS, LOAD_CORE, pinned
from bench.servers import OURS, BenchmarkError, Server, Target

CONNECTIONS = 64
SCRIPTS = {1: "single.lua", 20: "twenty.lua"}
# Above this the generator, not the server, may be what limits the figure.
GENERATOR_LIMIT = 0.9
# An answer's head, and the length of a timestamp, a signature or a product id, vary a little.
HEAD_ALLOWANCE_BYTES = 800
OPENSSL_SECONDS = 1


@dataclass(frozen=True)
class Reading:
    """One wrk run: times in seconds, latencies in ms."""

    server: str
    offers: int
    seconds: float
    requests: int
    requestsPerSecond: float
    signaturesPerSecond: float
    cpuMicrosPerSignature: float
    serverCoreShare: float
    generatorCoreShare: float
    p50: float
    p99: float
    failed: int
    residentMiB: float


def drive(server: Server, target: Target, offers: int, seconds: int) -> dict:
    """What wrk's own summary says, and the CPU seconds that it used."""
    environment = {
        **os.environ,
        "BENCH_BUNDLE": target.bundle_id,
        "BENCH_OFFERS": ",".join(f"{product}:{offer}" for product, offer in target.offers),
        "BENCH_TOKEN": server.token,
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(
        pinned(
            LOAD_CORE, "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency",
            "-s", BENCHMARKS / "load" / SCRIPTS[offers], f"http://127.0.0.1:{server.port}",
        ),
        env=environment, capture_output=True, text=True, check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    line = next(line for line in ran.stdout.splitlines() if line.startswith("RESULT "))
    summary = json.loads(line.removeprefix("RESULT "))
    summary["generatorCPU"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return summary


def reading(server: Server, target: Target, offers: int, seconds: int) -> Reading:
    body_bytes = samples.check(server, target, offers)
    drive(server, target, offers, 1)
    cpu_before = procfs.cpu_seconds(server.pid)
    summary = drive(server, target, offers, seconds)
    cpu = procfs.cpu_seconds(server.pid) - cpu_before
    refuse_failures(server, offers, summary, body_bytes)
    requests, elapsed = summary["requests"], summary["seconds"]
    return Reading(
        server=server.name,
        offers=offers,
        seconds=elapsed,
        requests=requests,
        requestsPerSecond=requests / elapsed,
        signaturesPerSecond=requests * offers / elapsed,
        cpuMicrosPerSignature=cpu * 1e6 / (requests * offers),
        serverCoreShare=cpu / elapsed,
        generatorCoreShare=summary["generatorCPU"] / elapsed,
        p50=summary["p50"],
        p99=summary["p99"],
        failed=summary["badStatus"] + summary["socketErrors"],
        residentMiB=procfs.resident_mib(server.pid),
    )


def refuse_failures(server: Server, offers: int, summary: dict, body_bytes: int) -> None:
    # What a peer fails at stands in the table: a slow one runs into the generator's time limit.
    failed = summary["badStatus"] + summary["socketErrors"]
    if failed and server.name == OURS or failed >= summary["requests"]:
        raise BenchmarkError(f"{server.name}, {offers} offers: {failed} of {summary['requests']} requests failed")
    # A 200 may still refuse single offers; such an answer has another size than the one that was checked.
    mean = summary["bytes"] / summary["requests"]
    if not 0.95 * body_bytes < mean < 1.05 * body_bytes + HEAD_ALLOWANCE_BYTES:
        raise BenchmarkError(f"{server.name}, {offers} offers: {mean:.0f} bytes per answer, {body_bytes} when checked")


def measure(servers: list[Server], target: Target, seconds: int, rounds: int, note) -> dict:
    """Every reading; in each round every server takes its turn, and first `openssl speed`, the yardstick.

    The order of the servers turns round by round."""
    readings, openssl = [], []
    for number in range(rounds):
        openssl.append(core.openssl_speed(OPENSSL_SECONDS))
        turn = number % len(servers)
        for offers in SCRIPTS:
            for server in servers[turn:] + servers[:turn]:
                one = reading(server, target, offers, seconds)
                note(f"round {number + 1}: {one.server}, {offers} per request: {one.signaturesPerSecond:,.0f} signatures/s")
                if one.generatorCoreShare > GENERATOR_LIMIT:
                    note(f"  the load generator used {one.generatorCoreShare:.0%} of its core: it may be the limit")
                readings.append(asdict(one))
    return {"openssl": openssl, "readings": readings}
