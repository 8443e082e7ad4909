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
    """The PostgreSQL that scripts/with-postgresql has started, in whose public schema a replica works."""

    def __init__(self) -> None:
        self.address = os.environ.get("TEST_POSTGRESQL")
        if not self.address:
            raise BenchmarkError("no PostgreSQL: run scripts/bench, or scripts/with-postgresql Benchmarks/run")
        self._ask("DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public")
        self.pid = int(self._ask("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)"))

    def _ask(self, sql: str) -> str:
        asked = subprocess.run(["psql", self.address, "-XqAtc", sql], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if asked.returncode != 0:
            raise BenchmarkError(f"psql: {asked.stderr.strip()}")
        return asked.stdout.strip()

    def counters(self) -> dict[str, float]:
        """CPU seconds, bytes of WAL and commits so far."""
        self._ask(f"SELECT pg_sleep({STATISTICS_DELAY})")
        wal, commits = self._ask(
            "SELECT pg_current_wal_insert_lsn() - '0/0', xact_commit FROM pg_stat_database WHERE datname = current_database()").split("|")
        return {"cpu": procfs.cpu_seconds(self.pid), "wal": float(wal), "commits": float(commits)}


def measure(seconds: int, rounds: int, note) -> dict:
    """Readings of both by the number of offers in a request, in interleaved rounds; with PostgreSQL's own share a signature."""
    database = Database()
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
