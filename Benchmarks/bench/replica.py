"""What a signature costs a replica, and PostgreSQL, beside the same on SQLite."""

import os
import subprocess

from bench import procfs, service
from bench.places import WORK
from bench.servers import BenchmarkError, start_ours

SQLITE, POSTGRESQL = "SQLite", "PostgreSQL"
# Until PostgreSQL tells of its last commits, in seconds.
STATISTICS_DELAY = 1.5


class Database:
    """A new database in the PostgreSQL that scripts/with-postgresql has started."""

    def __init__(self, name: str) -> None:
        server = os.environ.get("TEST_POSTGRESQL")
        if not server:
            raise BenchmarkError("no PostgreSQL: run scripts/bench, or scripts/with-postgresql Benchmarks/run")
        self.address = server
        self.ask(f"CREATE DATABASE {name}")
        self.address = f"{server} dbname={name}"
        self.pid = int(self.ask("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)"))

    def ask(self, sql: str) -> str:
        asked = subprocess.run(["psql", self.address, "-XqAtc", sql], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if asked.returncode != 0:
            raise BenchmarkError(f"psql: {asked.stderr.strip()}")
        return asked.stdout.strip()

    def counters(self) -> dict[str, float]:
        """CPU seconds, bytes of WAL and commits so far."""
        self.ask(f"SELECT pg_sleep({STATISTICS_DELAY})")
        wal, commits = self.ask(
            "SELECT pg_current_wal_insert_lsn() - '0/0', xact_commit FROM pg_stat_database WHERE datname = current_database()").split("|")
        return {"cpu": procfs.cpu_seconds(self.pid), "wal": float(wal), "commits": float(commits)}


def measure(seconds: int, rounds: int, note) -> dict:
    """Readings of both by the number of offers in a request, in interleaved rounds; with PostgreSQL's own share a signature."""
    database = Database("replica")
    on_file, target = start_ours(WORK / "replica-sqlite")
    on_database, _ = start_ours(WORK / "replica-postgresql", options=["--postgresql", database.address])
    found: list[dict] = []
    try:
        for number in range(rounds):
            for offers in service.SCRIPTS:
                for name, server in ((SQLITE, on_file), (POSTGRESQL, on_database)):
                    before = database.counters()
                    one = service.reading(server, target, offers, seconds)
                    after = database.counters()
                    # The second before a reading counts for it, too.
                    signatures = one.requests * offers * (seconds + 1) / seconds
                    share = {key: (after[key] - before[key]) / signatures for key in after}
                    found.append({"store": name, "offers": offers, "cpuMicros": one.cpuMicrosPerSignature, "p99": one.p99, **share})
                    note(f"round {number + 1}: {name}, {offers} per request: {one.signaturesPerSecond:,.0f} signatures/s")
    finally:
        on_file.stop()
        on_database.stop()
    return {"readings": found}
