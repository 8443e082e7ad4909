"""Purchase histories: how fast they are imported, and what looking at them costs a request."""

import http.client
import json
import os
import shutil
import statistics
import subprocess
from pathlib import Path

from bench import procfs, receipts, servers, service
from bench.places import BENCHMARKS, LOAD_CORE, PROGRAM, REPOSITORY, WORK, pinned
from bench.servers import BenchmarkError, Server, Target

CHUNK = 100_000
EXAMPLE = "offersigner.example.yaml"
# The subscribers' app refuses whoever may not have an offer; the other one, whose requests name nobody, never looks.
EXTRA = """\
appStore: {pollSeconds: 0, catchUpSeconds: 0, lapsedRefreshHours: 0}
apps:
  - {bundleId: com.example.app, eligibility: enforce}
  - {bundleId: com.example.news, eligibility: advise}
"""
NEWS_OFFER = '{"productId":"com.example.news.monthly","offerId":"comeback"}'
OFFER = '{"productId":"com.example.pro.monthly","offerId":"winback50"}'
# Name: path and body. The customer's number stands for %s.
KINDS = {
    "nonce": ("/v1/nonces", '{"bundleId":"com.example.app","count":1}'),
    "eligibility": (
        "/v1/eligibility",
        '{"bundleId":"com.example.app","customerId":"u-%s","products":["com.example.pro.monthly"]}',
    ),
    "signature": (
        "/v1/signatures",
        '{"bundleId":"com.example.news","applicationUsername":"customer-%s@example.com","offers":[' + NEWS_OFFER + "]}",
    ),
    "enforced": (
        "/v1/signatures",
        '{"bundleId":"com.example.app","customerId":"u-%s","applicationUsername":"customer-%s@example.com","offers":['
        + OFFER + "]}",
    ),
}


def measure(customers: int, seconds: int, rounds: int, note) -> dict:
    folder = WORK / "history"
    server, _, imported = start(folder, customers, note)
    try:
        readings: dict[str, list[float]] = {kind: [] for kind in KINDS}
        for number in range(rounds):
            for kind in KINDS:
                cost = reading(server, kind, customers, seconds)
                note(f"round {number + 1}: {kind}: {cost:.1f} µs a request")
                readings[kind].append(cost)
        mapped = procfs.mapped_mib(server.pid)
        resident = procfs.resident_mib(server.pid)
    finally:
        server.stop()
    size = sum(file.stat().st_size for file in folder.glob("offersigner*.sqlite"))
    shutil.rmtree(folder)
    memory = {"residentMiB": resident, "mappedMiB": mapped}
    return {**imported, **memory, "customers": customers, "storeBytes": size, "cpuMicros": readings}


def start(folder: Path, customers: int, note, repository: Path = REPOSITORY, extra: str = EXTRA) -> tuple[Server, Target, dict]:
    """A service of customers with histories, whose answers have been checked, and what importing those took."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    imported = import_receipts(folder, customers, note, repository)
    file = folder / "extra.yaml.in"
    file.write_text(extra)
    server, target = servers.start_ours(folder, keeps=True, extra=file, repository=repository)
    try:
        check(server, customers)
    except BaseException:
        server.stop()
        raise
    return server, target, imported


def import_receipts(folder: Path, customers: int, note, repository: Path) -> dict:
    """In pieces, so that the made-up receipts need little room; only the importing is timed."""
    settings = folder / "import.yaml"
    settings.write_text(f"store: {{sqlite: {folder}/offersigner.sqlite}}\n")
    lines, transactions, elapsed = folder / "receipts.jsonl", 0, 0.0
    for first in range(0, customers, CHUNK):
        receipts.write(lines, first, min(CHUNK, customers - first))
        # All cores: an import is a job of its own.
        ran = subprocess.run(
            ["taskset", "-c", f"0-{(os.cpu_count() or 1) - 1}", repository / PROGRAM, "history", "import", lines, "--restart",
             "--app", receipts.BUNDLE_ID, "--config", EXAMPLE, "--config", settings],
            capture_output=True, text=True, cwd=repository,
        )
        if ran.returncode != 0:
            raise BenchmarkError(f"history import: {ran.stderr.strip().splitlines()[-1]}")
        report = json.loads(ran.stdout)
        transactions += report["transactions"]
        elapsed += report["seconds"]
        note(f"imported {transactions:,} transactions at {report['transactionsPerSecond']:,} a second")
    lines.unlink()
    return {"transactions": transactions, "importSeconds": elapsed, "importPerSecond": transactions / elapsed}


def check(server: Server, customers: int) -> None:
    """A known subscriber gets what the rules say, an unknown customer is refused: a fast wrong answer is no figure."""
    last = f"{customers - 1:06d}"
    answer = ask(server, *KINDS["eligibility"], last)["products"][0]
    used = (customers - 1) % 2 == 1
    expected = "ineligible" if used else "eligible"
    if answer["introductoryOffer"]["status"] != expected or answer["promotionalOffers"][0]["status"] != "eligible":
        raise BenchmarkError(f"eligibility of u-{last} is wrong: {answer}")
    outcomes = [ask(server, *KINDS["enforced"], number)["results"][0]["status"] for number in (last, "-nobody")]
    if outcomes != ["signed", "refused"]:
        raise BenchmarkError(f"enforcement is wrong: {outcomes}")


def ask(server: Server, path: str, body: str, customer: str) -> dict:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request(
        "POST", path, body.replace("%s", customer),
        {"Content-Type": "application/json", "Authorization": f"Bearer {server.token}"},
    )
    response = connection.getresponse()
    text = response.read()
    connection.close()
    if response.status != 200:
        raise BenchmarkError(f"{path}: {response.status} {text[:300]!r}")
    return json.loads(text)


def reading(server: Server, kind: str, customers: int, seconds: int) -> float:
    """CPU µs of the server a request, after a second of warming up."""
    drive(server, kind, customers, 1)
    before = procfs.cpu_seconds(server.pid)
    summary = drive(server, kind, customers, seconds)
    cpu = procfs.cpu_seconds(server.pid) - before
    if summary["badStatus"] + summary["socketErrors"] or not summary["requests"]:
        raise BenchmarkError(f"{kind}: requests failed")
    return cpu * 1e6 / summary["requests"]


def drive(server: Server, kind: str, customers: int, seconds: int) -> dict:
    path, body = KINDS[kind]
    environment = {
        **os.environ, "BENCH_PATH": path, "BENCH_BODY": body, "BENCH_CUSTOMERS": str(customers), "BENCH_TOKEN": server.token,
    }
    ran = subprocess.run(
        pinned(
            LOAD_CORE, "wrk", "-t1", f"-c{service.CONNECTIONS}", f"-d{seconds}s", "--latency",
            "-s", BENCHMARKS / "load" / "history.lua", f"http://127.0.0.1:{server.port}",
        ),
        env=environment, capture_output=True, text=True, check=True,
    )
    line = next(line for line in ran.stdout.splitlines() if line.startswith("RESULT "))
    return json.loads(line.removeprefix("RESULT "))


def medians(found: dict) -> dict[str, float]:
    return {kind: statistics.median(values) for kind, values in found["cpuMicros"].items()}
