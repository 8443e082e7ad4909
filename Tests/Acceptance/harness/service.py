"""Runs the release build of the service. scripts/instance starts and stops it."""
import contextlib
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import time
import uuid

import pytest

from harness.client import Client
from harness.waiting import PATIENCE, wait_until

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = ROOT / ".build/release/offersigner"
EXAMPLE = ROOT / "offersigner.example.yaml"
INSTANCE = ROOT / "scripts/instance"
# The script is loaded as a module, so that a test need not start another Python process for each service.
_loader = importlib.machinery.SourceFileLoader("instance", str(INSTANCE))
instance = importlib.util.module_from_spec(importlib.util.spec_from_loader("instance", _loader))
_loader.exec_module(instance)
free_port = instance.free_port
# The connection string of a PostgreSQL server. If it is set, each service whose configuration names no store gets a schema of its
# own on that server. If it is None, services use SQLite files.
POSTGRESQL = os.environ.get("TEST_POSTGRESQL")
# In s. The service collects log lines for a short time before it writes them; this is several times as long.
LOG_DELAY = 0.05
HISTORY_TABLES = ["purchase_chain", "purchase_transaction", "customer", "notification", "redemption"]
# For services whose configuration names no App Store: with these settings no test sends a request to Apple.
NO_APP_STORE = {
    "OFFERSIGNER_APPSTORE_POLLSECONDS": "0",
    "OFFERSIGNER_APPSTORE_CATCHUPSECONDS": "0",
    "OFFERSIGNER_APPSTORE_SERVERAPI_PRODUCTION": "http://127.0.0.1:9",
    "OFFERSIGNER_APPSTORE_SERVERAPI_SANDBOX": "http://127.0.0.1:9",
    "OFFERSIGNER_APPSTORE_VERIFYRECEIPT_PRODUCTION": "http://127.0.0.1:9",
    "OFFERSIGNER_APPSTORE_VERIFYRECEIPT_SANDBOX": "http://127.0.0.1:9",
}


def new_schema():
    """Creates an empty schema on the PostgreSQL server. Returns the connection string that leads to it."""
    name = f"s{uuid.uuid4().hex}"
    subprocess.run(["psql", POSTGRESQL, "-Xqc", f"CREATE SCHEMA {name}"], check=True, stdin=subprocess.DEVNULL)
    return f"{POSTGRESQL} options=-csearch_path={name}"


def run(*arguments, environment=None, cwd=ROOT, text=True, **options):
    """Runs the program with arguments. Returns the finished process, whatever its exit code is."""
    return subprocess.run(
        [str(BINARY), *map(str, arguments)], capture_output=True, text=text, check=False, timeout=PATIENCE, cwd=cwd,
        env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL, **options,
    )


def copy_example_keys(keys):
    """Creates the folder `keys` with the published example key. Only the owner can read the files, as the service requires."""
    keys.mkdir(mode=0o700, parents=True)
    for file in (ROOT / "keys.example").iterdir():
        shutil.copyfile(file, keys / file.name)
        (keys / file.name).chmod(0o600)
    return keys


def settled_log(file):
    """Waits until all lines that were logged before this call are written. Returns the log up to its last whole line.

    The wait is needed because the service writes its log a moment later.
    """
    began = time.time()
    while time.time() < max(began, min(file.stat().st_mtime, began + 1)) + LOG_DELAY:
        time.sleep(0.01)
    text = file.read_text()
    return text[: text.rfind("\n") + 1]


class Service:
    """One running service, with its files in a folder of its own."""

    def __init__(self, folder, extra=None, environment=None):
        self.folder = pathlib.Path(folder)
        without = {} if extra and "appStore:" in extra else NO_APP_STORE
        self.environment = {**os.environ, **without, **(environment or {})}
        self.extra = None
        self.port = 0
        # Whether the service may start although another process uses the same store.
        self.allows_second_process = False
        # Only for replicas: the database that they share, and the service from which this one takes its signing keys and access
        # keys.
        self.postgresql = None
        self.like = None
        if extra:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            self.extra = self.folder.with_suffix(".extra.yaml")
            self.extra.write_text(extra)

    # Start and stop

    def start(self):
        """Starts the service. If it has run before, it gets the same port again."""
        names_store = self.extra and re.search(r"(?m)^store\s*:", self.extra.read_text())
        if POSTGRESQL and not self.postgresql and not names_store:
            self.postgresql = new_schema()
        found = instance.start(
            self.folder, self.port, self.extra, self.allows_second_process, self.environment, self.postgresql, self.like)
        for name, value in found.items():
            setattr(self, re.sub("[A-Z]", lambda match: "_" + match.group().lower(), name), value)
        self.port = int(self.url.rsplit(":", 1)[1])

    def lay_out_keys(self):
        """Copies the example keys to the folder where the service will look for them, so that a test can change them before the
        start.
        """
        return copy_example_keys(self.folder / "keys")

    def stop(self):
        instance.stop(self.folder, signal.SIGTERM)

    def kill(self):
        """Ends the service with SIGKILL. It may have been writing to its log, so an incomplete last line is removed."""
        instance.stop(self.folder, signal.SIGKILL)
        log = self.folder / "log"
        os.truncate(log, log.read_bytes().rfind(b"\n") + 1)

    def terminate(self):
        """Sends SIGTERM, and does not wait for the end."""
        os.kill(self.pid, signal.SIGTERM)

    @property
    def is_running(self):
        return instance.running(self.folder) == self.pid

    # Requests and commands

    def client(self, role="client", token=None):
        """A client that checks every answer against /openapi.json."""
        return Client(self.url, token if token is not None else self.tokens[role])

    def command(self, *arguments):
        """The command line that runs the program with these arguments and this service's configuration."""
        files = [EXAMPLE, self.folder / "instance.yaml"]
        if self.extra:
            files.append(self.folder / "extra.yaml")
        options = [option for file in files for option in ("--config", file)]
        return [str(each) for each in (BINARY, *arguments, *options)]

    def cli(self, *arguments, environment=None):
        """Runs the program with this service's configuration. Returns the finished process, whatever its exit code is."""
        return run(*self.command(*arguments)[1:], environment=environment)

    @property
    def product(self):
        return self.products[0]["productId"]

    @property
    def offer(self):
        return self.products[0]["offers"][0]

    def offer_body(self, nonce=None, **fields):
        """The body of a request for one signature, with as few fields as possible."""
        offer = {"productId": self.product, "offerId": self.offer}
        if nonce is not None:
            offer["nonce"] = nonce
        return {"bundleId": self.bundle_id, "offers": [offer], **fields}

    # Stores, logs and metrics

    @property
    def store(self):
        return self._file("offersigner.sqlite")

    @property
    def histories(self):
        return self._file("offersigner-histories.sqlite")

    def _file(self, name):
        if self.postgresql:
            pytest.skip("looks into files of SQLite")
        return self.folder / name

    @contextlib.contextmanager
    def database(self, path=None):
        connection = sqlite3.connect(f"file:{path or self.store}?mode=ro", uri=True, timeout=PATIENCE)
        connection.row_factory = sqlite3.Row
        try:
            yield connection
        finally:
            connection.close()

    def rows(self, path=None):
        """The rows of the ledger, by nonce."""
        with self.database(path) as connection:
            rows = connection.execute("SELECT * FROM ledger").fetchall()
        return {str(uuid.UUID(bytes=row["nonce"])): row for row in rows}

    def counts(self):
        """The number of rows in each table, without the tables that only the background work uses."""
        counts = {}
        for path, names in [(self.store, ["signed_request", "nonce_series", "idempotency", "access", "secret"]), (self.histories, HISTORY_TABLES)]:
            with self.database(path) as connection:
                for name in names:
                    counts[name] = connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
        return counts

    def history(self):
        """All rows of the tables about purchases, so that a test can tell whether anything has changed."""
        with self.database(self.histories) as connection:
            return {name: [tuple(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in HISTORY_TABLES}

    def log_text(self):
        return settled_log(self.folder / "log")

    def log(self):
        """All lines of the log, parsed."""
        return [json.loads(line) for line in self.log_text().splitlines()]

    def log_lines_of(self, request_id, count=1):
        """The log lines of one request.

        Waits until there are `count` of them, because the log is written after the answer is sent.
        """
        lines = lambda: [line for line in self.log() if line.get("requestId") == request_id]
        wait_until(lambda: len(lines()) >= count)
        return lines()

    def metric(self, name, **labels):
        """The sum of those samples of a metric that have these labels."""
        total = 0.0
        for line in self.client().get("/metrics").text.splitlines():
            match = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line)
            if match and match[1] == name:
                found = dict(re.findall(r'(\w+)="([^"]*)"', match[2] or ""))
                if all(found.get(key) == value for key, value in labels.items()):
                    total += float(match[3])
        return total

    def processor_time(self):
        """The processor time that the service has used so far, in seconds."""
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, field="VmRSS"):
        """A value in kB from /proc/PID/status, by default the resident memory, converted to MiB."""
        text = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(rf"{field}:\s+(\d+) kB", text)[1]) / 1024


@contextlib.contextmanager
def speaking_to(app_store, folder, *bundle_ids, **app):
    """Starts a service in `folder` that uses the local App Store, and stops it at the end of the block.

    The other arguments are those of `configuration_yaml`.
    """
    service = Service(folder / "service", extra=app_store.configuration_yaml(*bundle_ids, **app))
    service.start()
    app_store.admit(service)
    try:
        yield service
    finally:
        if service.is_running:
            service.stop()
