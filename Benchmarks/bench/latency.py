"""How long requests wait that come at a constant rate, whether or not earlier ones are answered."""

import json
import os
import re
import subprocess
import time
import urllib.request
from dataclasses import dataclass

from bench import samples
from bench.places import BENCHMARKS, LOAD_CORE, WORK, pinned
from bench.servers import OURS, BenchmarkError, Server, Target
from bench.service import reading

CONNECTIONS = 256
# Of what the server does with every connection always waiting.
SHARE = 0.7
SYNCS = 200


def requests(server: Server, target: Target, token: str | None = None) -> bytes:
    """Single-offer requests, one after the other, as the generator reads them."""
    found = []
    for number, (product, offer) in enumerate(target.offers):
        body = json.dumps({
            "bundleId": target.bundle_id, "applicationUsername": f"customer-{number:06}@example.com",
            "offers": [{"productId": product, "offerId": offer}],
        })
        access = f"Authorization: Bearer {token}\r\n" if (token := token or server.token) else ""
        found.append(
            f"POST /v1/signatures HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
            f"{access}Content-Length: {len(body)}\r\n\r\n{body}")
    return "\0".join(found).encode()


@dataclass(frozen=True)
class Flow:
    """What one caller sends."""

    rate: float
    connections: int
    requests: bytes


def send(port: int, seconds: int, flows: list[Flow]) -> list[dict]:
    """What the generator says of each flow."""
    parts: list = []
    for number, flow in enumerate(flows):
        file = WORK / f"requests-{number}"
        file.write_bytes(flow.requests)
        parts += [flow.rate, flow.connections, file]
    command = pinned(LOAD_CORE, BENCHMARKS / "load" / "open-loop", port, seconds, *parts)
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    found = [json.loads(line.removeprefix("RESULT ")) for line in ran.stdout.splitlines()]
    return [{"rate": flow.rate, **one} for flow, one in zip(flows, found)]


def drive(server: Server, target: Target, rate: float, seconds: int) -> dict:
    [found] = send(server.port, seconds, [Flow(rate, CONNECTIONS, requests(server, target))])
    lost = found["failed"] + found["unanswered"]
    if lost and server.name == OURS or lost >= found["requests"]:
        raise BenchmarkError(f"{server.name}: {lost} of {found['requests']} requests failed")
    return found


def sync_millis() -> float:
    """What making one page durable takes here, the median of many."""
    WORK.mkdir(parents=True, exist_ok=True)
    file, taken = os.open(WORK / "sync", os.O_CREAT | os.O_WRONLY, 0o600), []
    for number in range(SYNCS):
        os.pwrite(file, os.urandom(4096), 4096 * number)
        begin = time.perf_counter()
        os.fdatasync(file)
        taken.append((time.perf_counter() - begin) * 1000)
    os.close(file)
    return sorted(taken)[SYNCS // 2]


def measure(servers: list[Server], target: Target, seconds: int, rounds: int, note) -> dict:
    """Every reading by server, at one rate each, and the cost of a sync in each round."""
    found: dict = {"syncMillis": [], "readings": {server.name: [] for server in servers}}
    rates = {server.name: SHARE * reading(server, target, 1, seconds).requestsPerSecond for server in servers}
    for number in range(rounds):
        found["syncMillis"].append(sync_millis())
        for server in servers:
            samples.check(server, target, 1)
            one = drive(server, target, rates[server.name], seconds)
            note(f"round {number + 1}: {server.name} at {one['rate']:,.0f}/s: p50 {one['p50']:.2f}, p99 {one['p99']:.2f}, p99.9 {one['p999']:.2f} ms")
            found["readings"][server.name].append(one)
    for server in servers:
        if server.name == OURS:
            found["checkpoints"] = checkpoints(server)
    return found


def checkpoints(server: Server) -> dict:
    """How many there were, and for how long the longest kept the ledger from writing: the bound of its bucket."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics") as answer:
        counts = dict(re.findall(r'^offersigner_ledger_checkpoint_seconds_bucket{le="(.+)"} (\d+)$', answer.read().decode(), re.MULTILINE))
    count = int(counts["+Inf"])
    return {"count": count, "longestMillis": 1000 * next(float(bound) for bound, seen in counts.items() if int(seen) == count)}
