"""Revocations beside every list, search, export and page of the lowest role, 48 of one at a time: none of them holds one up."""
import asyncio
import re
import sqlite3
import statistics
import subprocess
import time

import httpx
import pytest

from harness import wire
from harness.scale import IS_FULL, scaled
from harness.service import ROOT, Service
from harness.waiting import PATIENCE
from test_admin import client
from test_console import form_token, signed_in
from test_experiment import written

ROWS = scaled(20_000, 100_000)
AT_ONCE = 48
REVOCATIONS = scaled(1, 100)
# In s: how much longer a revocation may take than without the lists.
PROMISED = 0.25
CAMPAIGN = "calm"
# In MB: of all ways together.
MEMORY = 150
# PostgreSQL: a chain that no process writes, of 40 bits' rows.
CHAIN = 999 << 40
# A campaign without results, an event that is not there: what is asked is right all the same.
ANSWERED = {200, 202, 404, 409}
# What an operation is asked beside its bare path.
SEARCHES = {
    "/v1/admin/audit": ["until=1", "from=1&until=2", "actor=nobody", "action=nothing", "action=signature.made&until=1", "action=*"],
    "/v1/admin/events": ["customerId=nobody", "type=nothing"],
    "/console/audit": ["q=nothing", "what=everything"],
    "/console/audit.jsonl": ["q=nothing", "what=everything"],
}


def grow(service):
    """Copies a signed request and a sign-in so many times."""
    tables = {"signed_request": "true", "audit_event": "action = 'console.sign-in'"}
    if service.postgresql:
        for table, row in tables.items():
            names = (
                f"SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = '{table}'::regclass "
                "AND attnum > 0 AND NOT attisdropped AND attname <> 'id'")
            columns = psql(service, names).strip()
            psql(
                service,
                f"INSERT INTO {table} (id, {columns}) SELECT {CHAIN} + n, {columns} FROM generate_series(1, {ROWS}) AS n, "
                f"(SELECT * FROM {table} WHERE {row} LIMIT 1) AS one")
        psql(service, "ANALYZE")
        return
    service.stop()
    with sqlite3.connect(service.store, timeout=PATIENCE) as connection:
        for table, row in tables.items():
            columns = ", ".join(each[1] for each in connection.execute(f"PRAGMA table_info({table})") if each[1] != "id")
            connection.execute(
                f"INSERT INTO {table} ({columns}) WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT {ROWS}) "
                f"SELECT {columns} FROM number, (SELECT * FROM {table} WHERE {row} LIMIT 1)")
    connection.close()
    service.start()


def psql(service, sql):
    done = subprocess.run(
        ["psql", service.postgresql, "-Xqtc", sql], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Emergency:
    """A service with long tables, who reads them, and who revokes."""

    def __init__(self, service):
        self.service = service
        self.viewer, self.security = (
            service.cli("access", "create", "--role", role).stdout.strip() for role in ("viewer", "security"))
        # To be revoked again and again: each time is the whole way.
        self.victim = service.cli("access", "create", "--role", "client").stdout.strip().split("_")[1]
        service.client().sign(service.offer_body())
        marketing, approver = (client(service, role, [service.bundle_id], role) for role in ("marketing", "approver"))
        offer = {"id": "half", "weight": 5000, "offers": [{"productId": service.product, "offerId": service.offer}]}
        campaign = written(CAMPAIGN, bundleId=service.bundle_id, variants=[{"id": "control", "weight": 5000}, offer])
        assert marketing.post("/v1/admin/campaigns", campaign).status_code == 201
        for person, word, body in [(marketing, "submit", {}), (approver, "approve", {"publish": True})]:
            answer = person.request("POST", f"/v1/admin/campaigns/{CAMPAIGN}/{word}", json=body, headers={"If-Match": "*"})
            assert answer.status_code == 200, answer.text
        signed_in(service, self.viewer)
        grow(service)
        self.reader, self.person = (signed_in(service, key)[0] for key in (self.viewer, self.security))
        self.cookies = [f"Cookie: {name}={value}" for each in (self.reader, self.person) for name, value in each.cookies.items()]
        self.form = form_token(self.person)

    def fill(self, path):
        """The path with ids in place of names. A name that is not known here is that of a new operation: give it an id."""
        ids = {"bundleId": self.service.bundle_id, "id": CAMPAIGN, "number": "1"}
        return re.sub(r"\{(\w+)\}", lambda name: ids[name[1]], path)

    def request(self, method, path, *lines, body=b""):
        lines = [f"{method} {path} HTTP/1.1", "Host: test", *lines, f"Content-Length: {len(body)}"]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body

    def operations(self):
        """Every operation that a viewer may call, by the document."""
        bodies = {
            "/v1/admin/campaigns/reach": f'{{"bundleId": "{self.service.bundle_id}"}}',
            "/v1/admin/campaigns/try": f'{{"bundleId": "{self.service.bundle_id}", "customerId": "c-1"}}',
        }
        document = httpx.get(f"{self.service.url}/openapi.json", timeout=PATIENCE).json()
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                if "viewer" not in operation.get("x-roles", []):
                    continue
                body = bodies[path].encode() if "requestBody" in operation else b""
                names = {each.get("$ref", "").rsplit("/", 1)[-1] for each in operation.get("parameters", [])}
                app = f"bundleId={self.service.bundle_id}" if "bundleIdInQuery" in names else ""
                for query in [app, *SEARCHES.get(path, [])]:
                    target = self.fill(path) + (f"?{query}" if query else "")
                    lines = (f"Authorization: Bearer {self.viewer}", "Content-Type: application/json")
                    yield f"{method.upper()} {target}", self.request(method.upper(), target, *lines, body=body)

    def pages(self):
        """Every page of the console that a viewer may see, by the source."""
        source = "".join(file.read_text() for file in (ROOT / "Sources/OfferHTTP/Console").rglob("*.swift"))
        paths = re.findall(r'route\.get\(\s*"(/[^"\\]*)"', source)
        assert len(paths) > 20
        for path in paths:
            statuses = {}
            for prefix in ("/console", "/console/apps/{bundleId}"):
                statuses[prefix + path] = self.reader.get(self.fill(prefix + path)).status_code
            assert "{" in path or {200, 303, 403} & set(statuses.values()), statuses
            for whole, status in statuses.items():
                for query in ["", *SEARCHES.get(whole, [])] if status == 200 else []:
                    target = self.fill(whole) + (f"?{query}" if query else "")
                    yield f"GET {target}", self.request("GET", target, self.cookies[0])

    def by_api(self):
        return self.request("DELETE", f"/v1/admin/access/{self.victim}", f"Authorization: Bearer {self.security}")

    def by_console(self):
        lines = (self.cookies[1], "Content-Type: application/x-www-form-urlencoded")
        return self.request("POST", f"/console/access/{self.victim}/revoke", *lines, body=f"formToken={self.form}".encode())

    def by_command(self):
        done = self.service.cli("access", "revoke", self.victim)
        assert done.returncode == 0, done.stderr


async def answered(connection):
    """Waits for an answer, or for the first part of a long one."""
    head = (await connection.reader.readuntil(b"\r\n\r\n")).lower()
    length = re.search(rb"content-length: (\d+)", head)
    if length:
        await connection.reader.readexactly(int(length[1]))
    return int(head[9:12])


async def revoked(connection, request):
    """How long a revocation takes, in s."""
    begin = time.monotonic()
    connection.send(request)
    assert await answered(connection) in (200, 303)
    return time.monotonic() - begin


async def beside(service, lists, request):
    """How long a revocation takes that comes behind so many lists, and how many of these were answered before it."""
    volley = [await wire.Connection.open(service.url) for _ in range(AT_ONCE)]
    urgent = await wire.Connection.open(service.url)
    for connection in volley:
        connection.send(lists)
    waiting = [asyncio.create_task(answered(connection)) for connection in volley]
    # All have been sent, and the first are being worked on.
    await asyncio.gather(*(connection.writer.drain() for connection in volley))
    took = await revoked(urgent, request)
    passed = sum(each.done() for each in waiting)
    # Some operations let only so many in at once.
    assert set(await asyncio.gather(*waiting)) <= ANSWERED | {503}, lists
    for connection in [*volley, urgent]:
        connection.close()
    return took, passed


@pytest.fixture(scope="module")
def emergency(tmp_path_factory):
    service = Service(
        tmp_path_factory.mktemp("emergency") / "service", extra="limits: {requestsPerSecond: 100000, burst: 100000}\n")
    service.start()
    yield Emergency(service)
    service.stop()


async def asked(service, lists):
    connection = await wire.Connection.open(service.url)
    connection.send(lists)
    status = await answered(connection)
    connection.close()
    return status


async def alone(service, request):
    connection = await wire.Connection.open(service.url)
    found = [await revoked(connection, request) for _ in range(max(10, REVOCATIONS))]
    connection.close()
    return sorted(found)


@pytest.mark.timeout(7200)
def test_no_list_search_export_or_page_of_the_lowest_role_holds_up_a_revocation(emergency, record_property):
    service, slow = emergency.service, {}
    ways = dict([*emergency.operations(), *emergency.pages()])
    statuses = {way: asyncio.run(asked(service, lists)) for way, lists in ways.items()}
    assert len(ways) > 40 and not {way: status for way, status in statuses.items() if status not in ANSWERED}
    doors = {"api": emergency.by_api(), "console": emergency.by_console()}
    calm = {door: asyncio.run(alone(service, request)) for door, request in doors.items()}
    memory = service.memory()

    def held_up(door, way):
        """How long revocations took behind how many lists, if that was too long; else None."""
        runs = [asyncio.run(beside(service, ways[way], doors[door])) for _ in range(REVOCATIONS)]
        took, passed = sorted(each[0] for each in runs)[int(len(runs) * 0.99)], max(each[1] for each in runs)
        record_property(f"{door} beside {way}", f"{took * 1000:.0f} ms, behind {passed}")
        # It overtakes the lists, or these are so cheap that there is nothing to overtake.
        is_behind = passed > AT_ONCE / 2 and took > 50 * statistics.median(calm[door])
        is_late = IS_FULL and took > calm[door][int(len(calm[door]) * 0.99)] + PROMISED
        return (took, passed) if is_behind or is_late else None

    for way in ways:
        # By every door where a search is long.
        for door in doors if "until=1" in way or "jsonl" in way or IS_FULL else ["api"]:
            # Lists that hold a revocation up do so each time, and a busy machine does not.
            found = [held_up(door, way)]
            while found[-1] and len(found) < 4:
                found.append(held_up(door, way))
            if found[-1]:
                slow[door, way] = found
    assert not slow
    grown = service.memory("VmHWM") - memory
    record_property("memory in MB", grown)
    assert grown < MEMORY


def test_a_command_revokes_beside_them(emergency):
    service, lists = emergency.service, dict(emergency.operations())["GET /v1/admin/audit?until=1"]

    async def timed():
        begin = time.monotonic()
        await asyncio.to_thread(emergency.by_command)
        return time.monotonic() - begin

    async def flood():
        while True:
            await beside(service, lists, emergency.by_api())

    async def measure():
        quiet = min([await timed() for _ in range(3)])
        flooding = asyncio.create_task(flood())
        busy = min([await timed() for _ in range(3)])
        flooding.cancel()
        return quiet, busy

    quiet, busy = asyncio.run(measure())
    assert busy < 10 * quiet, f"{quiet:.2f} s alone, {busy:.2f} s beside lists"
