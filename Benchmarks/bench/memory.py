"""Start-up time on an empty and on a full store, and memory after many signatures."""

import statistics

from bench import procfs, service
from bench.servers import BenchmarkError, Server, Target, end, spawn

STARTS = 5
CHUNK_SECONDS = 2


def start_up(server: Server) -> float:
    """Median seconds from spawn to the first 200; the server must be stopped."""
    taken = []
    for _ in range(STARTS):
        process, seconds = spawn(server.command, server.port, server.ready_path)
        end(process)
        taken.append(seconds)
    return statistics.median(taken)


def sign_many(server: Server, target: Target, wanted: int, note) -> int:
    """Drives 20-offer requests until at least so many signatures are made; returns how many."""
    made = 0
    while made < wanted:
        summary = service.drive(server, target, 20, CHUNK_SECONDS)
        if summary["badStatus"] + summary["socketErrors"] or not summary["requests"]:
            raise BenchmarkError(f"{server.name}: requests failed while filling the store")
        made += summary["requests"] * 20
        note(f"{server.name}: {made:,} of {wanted:,} signatures")
    return made


def measure(server: Server, target: Target, wanted: int | None, note) -> dict:
    """Takes a stopped server; leaves it stopped. `wanted` None: only the start on the store as it is."""
    found: dict = {"server": server.name, "startUpEmptySeconds": start_up(server)}
    if wanted is None:
        return found
    process, _ = spawn(server.command, server.port, server.ready_path)
    running = Server(server.name, process.pid, server.port, server.ready_path, server.token, server.command, process)
    try:
        found["residentFreshMiB"] = procfs.resident_mib(process.pid)
        found["signatures"] = sign_many(running, target, wanted, note)
        found["residentMiB"] = procfs.resident_mib(process.pid)
        found["peakResidentMiB"] = procfs.peak_resident_mib(process.pid)
    finally:
        end(process)
    found["startUpFullSeconds"] = start_up(server)
    return found
