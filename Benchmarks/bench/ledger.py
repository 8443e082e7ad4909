"""What a signature costs where the ledger on PostgreSQL has many rows, beside an empty one; and what it costs while retention takes a day of them."""

import time

from bench import procfs, service
from bench.replica import Database
from bench.places import WORK
from bench.servers import BenchmarkError, Server, start_ours

EMPTY, LARGE = "empty", "large"
DAYS = 400
DAY = 86_400_000
# Of what is sent in a request, as the service keeps it.
PRODUCT, OFFER = "com.example.pro.monthly", "loyalty20"
FIRST_CHAIN = 1000
PLACE_BITS = 40
RETENTION_DEADLINE_SECONDS = 600
# One chain a day, as if a process had been started each day.
CHAINS = f"""
    INSERT INTO audit_chain (number, id, writer, table_name, opened_at, removed_rows) OVERRIDING SYSTEM VALUE
    SELECT {FIRST_CHAIN} + day, uuid_send(gen_random_uuid()), uuid_send(gen_random_uuid()), 'signed_request', now - ({DAYS} + 1 - day)::int8 * {DAY}, 0
    FROM generate_series(1, {DAYS}) AS day, (SELECT (extract(epoch FROM now()) * 1000)::int8 AS now) AS clock;
    INSERT INTO latest_signature SELECT number, opened_at FROM audit_chain WHERE number > {FIRST_CHAIN};
    SELECT setval(pg_get_serial_sequence('audit_chain', 'number'), {FIRST_CHAIN + DAYS + 1});
"""
INDICES = {
    "ALTER TABLE signed_request DROP CONSTRAINT signed_request_pkey": "ALTER TABLE signed_request ADD CONSTRAINT signed_request_pkey PRIMARY KEY (id)",
    "DROP INDEX signed_request_by_time": "CREATE INDEX signed_request_by_time ON signed_request (signed_at, id)",
    "ALTER TABLE nonce_series DROP CONSTRAINT nonce_series_pkey": "ALTER TABLE nonce_series ADD CONSTRAINT nonce_series_pkey PRIMARY KEY (series)",
}


def fill(database: Database, rows: int, bundle_id: str, key_id: str, note) -> None:
    """Rows of many days, as many a day, in the form in which the service writes them; their links fit nothing."""
    note(f"{rows:,} rows …")
    for drop in INDICES:
        database.ask(drop)
    database.ask(CHAINS)
    count = rows // DAYS
    for day in range(1, DAYS + 1):
        chain = FIRST_CHAIN + day
        database.ask(f"""
            INSERT INTO signed_request (id, signed_at, bundle_id, key_id, form, caller, customer_id, request_id, nonces, digests, offers, address, chain, link)
            SELECT ({chain}::int8 << {PLACE_BITS}) + i, opened_at + i::int8 * {DAY} / {count + 1}, '{bundle_id}#Production', '{key_id}', 'promotional',
                'client', 'u-' || (hashint8(i * {DAYS} + {day}) & 1048575), 'r' || md5(i::text || 'r{day}'), decode(md5(i::text || 'n{day}'), 'hex'),
                decode(md5(i::text || 'a{day}') || md5(i::text || 'b{day}'), 'hex'), '[["{PRODUCT}","{OFFER}"]]', '192.0.2.1', {chain},
                decode(md5(i::text || 'l{day}') || md5(i::text || 'm{day}'), 'hex')
            FROM generate_series(1, {count}) AS i, audit_chain WHERE number = {chain};
            INSERT INTO nonce_series
            SELECT ('x' || substr(md5(i::text || 'n{day}'), 1, 16))::bit(64)::int8, ({chain}::int8 << {PLACE_BITS}) + i FROM generate_series(1, {count}) AS i
        """)
    for make in INDICES.values():
        database.ask(make)
    for table in ("signed_request", "nonce_series"):
        database.ask(f"VACUUM ANALYZE {table}")


def let_a_day_expire(database: Database) -> None:
    """Has the service think that it has served since before the first day, and that this day is over its retention."""
    served = DAYS * DAY
    database.ask(f"""
        DELETE FROM serving_mark; DELETE FROM serving_mark_chain;
        UPDATE clock SET served = {served} + {DAY};
        INSERT INTO serving_mark SELECT {DAY}, opened_at + {DAY} FROM audit_chain WHERE number = {FIRST_CHAIN + 1};
        INSERT INTO serving_mark_chain SELECT {DAY}, {FIRST_CHAIN + 1}, max(id) FROM signed_request WHERE id < {FIRST_CHAIN + 2}::int8 << {PLACE_BITS}
    """)


def readings(server: Server, target, database: Database, seconds: int) -> dict:
    """Of single offers. The checkpoint has each page that is written count as one that had not been written for long."""
    database.ask("CHECKPOINT")
    before = database.counters()
    one = service.reading(server, target, 1, seconds)
    after = database.counters()
    signatures = one.requests * (seconds + 1) / seconds
    share = {key: (after[key] - before[key]) / signatures for key in after}
    return {"cpuMicros": one.cpuMicrosPerSignature, "requestsPerSecond": one.requestsPerSecond, "p99": one.p99, **share}


def rows_of_the_first_day(database: Database) -> int:
    return int(database.ask(f"SELECT count(*) FROM signed_request WHERE id BETWEEN {FIRST_CHAIN + 1}::int8 << {PLACE_BITS} AND {FIRST_CHAIN + 2}::int8 << {PLACE_BITS}"))


def day_under_retention(server: Server, target, database: Database, seconds: int) -> dict:
    """What the load gets while retention takes the first day's rows, and how long that lasts at most."""
    begin = time.monotonic()
    one = service.reading(server, target, 1, seconds)
    while rows_of_the_first_day(database):
        if time.monotonic() - begin > RETENTION_DEADLINE_SECONDS:
            raise BenchmarkError("retention took no rows")
        time.sleep(0.5)
    return {"seconds": time.monotonic() - begin, "requestsPerSecond": one.requestsPerSecond, "p99": one.p99}


def measure(rows: int, seconds: int, rounds: int, note) -> dict:
    """Readings of both in turns, and of the large one while retention takes a day."""
    databases = {name: Database(name) for name in (EMPTY, LARGE)}
    # As where it matters: of a page that is written for the first time since a checkpoint the whole goes into the WAL.
    databases[EMPTY].ask("ALTER SYSTEM SET full_page_writes = on")
    databases[EMPTY].ask("SELECT pg_reload_conf()")
    start = lambda name, keeps: start_ours(WORK / f"ledger-{name}", keeps=keeps, options=["--postgresql", databases[name].address])
    started = {}
    try:
        for name in databases:
            started[name], target = start(name, False)
        started[LARGE].stop()
        fill(databases[LARGE], rows, target.bundle_id, target.key_id, note)
        started[LARGE], _ = start(LARGE, True)
        found: dict = {"rows": rows, "readings": []}
        for number in range(rounds):
            for name, server in started.items():
                one = readings(server, target, databases[name], seconds)
                found["readings"].append({"ledger": name, **one})
                note(f"round {number + 1}, {name}: " + ", ".join(f"{key} {value:,.3g}" for key, value in one.items()))
        started[LARGE].stop()
        of_the_day = rows_of_the_first_day(databases[LARGE])
        let_a_day_expire(databases[LARGE])
        started[LARGE], _ = start(LARGE, True)
        found["day"] = {"rows": of_the_day} | day_under_retention(started[LARGE], target, databases[LARGE], seconds)
    finally:
        for server in started.values():
            server.stop()
    return found
