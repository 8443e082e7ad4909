"""What a signature costs where the ledger on PostgreSQL has many rows, beside an empty one; and what it costs while retention drops a partition of them."""

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
PLACE_BITS = 40
# Of a retention of 400 days a partition has the days that the service gives it, and one chain a day, as if a process had been started.
DAYS_A_PARTITION = 12
CHAINS_A_PARTITION = 512
# Seconds from one round to the end of the next.
ROUND_OF_RETENTION = 65


def fill(database: Database, rows: int, bundle_id: str, key_id: str, note) -> int:
    """Rows of many days, as many a day, in the form in which the service writes them; their links fit nothing. Returns the first partition."""
    note(f"{rows:,} rows …")
    today, count = int(time.time()) * 1000 // DAY, rows // DAYS
    first = oldest = int(database.ask("SELECT max(first + chains) FROM chain_range"))
    for start in range(0, DAYS, DAYS_A_PARTITION):
        days = range(start, min(start + DAYS_A_PARTITION, DAYS))
        day = today - DAYS + start
        database.ask(f"""
            INSERT INTO chain_range (first, chains, from_day, until_day, opened) VALUES ({first}, {CHAINS_A_PARTITION}, {day}, {day + len(days)}, {len(days)});
            INSERT INTO nonce_range (first, until_day) VALUES ({day}, {day + len(days)});
            CREATE TABLE signed_request_{first} (LIKE signed_request INCLUDING DEFAULTS);
            CREATE TABLE refused_request_{first} (LIKE refused_request INCLUDING DEFAULTS);
            CREATE TABLE nonce_series_{day} (LIKE nonce_series INCLUDING DEFAULTS)
        """)
        for place, number in enumerate(days):
            fill_day(database, first, first + place, day, today - DAYS + number, count, bundle_id, key_id)
        database.ask(f"""
            ALTER TABLE nonce_series_{day} ADD PRIMARY KEY (series);
            ALTER TABLE nonce_series ATTACH PARTITION nonce_series_{day} FOR VALUES IN ({day});
            ALTER TABLE signed_request ATTACH PARTITION signed_request_{first}
                FOR VALUES FROM ({first << PLACE_BITS}) TO ({first + CHAINS_A_PARTITION << PLACE_BITS});
            ALTER TABLE refused_request ATTACH PARTITION refused_request_{first}
                FOR VALUES FROM ({first << PLACE_BITS}) TO ({first + CHAINS_A_PARTITION << PLACE_BITS})
        """)
        first += CHAINS_A_PARTITION
    for table in ("signed_request", "nonce_series"):
        database.ask(f"VACUUM ANALYZE {table}")
    return oldest


def fill_day(database: Database, partition: int, chain: int, nonces: int, day: int, count: int, bundle_id: str, key_id: str) -> None:
    """Rows of a day, in one chain."""
    database.ask(f"""
        INSERT INTO audit_chain (number, id, writer, table_name, opened_at) OVERRIDING SYSTEM VALUE
        VALUES ({chain}, uuid_send(gen_random_uuid()), uuid_send(gen_random_uuid()), 'signed_request', {day * DAY});
        INSERT INTO latest_signature VALUES ({chain}, {day * DAY});
        INSERT INTO signed_request_{partition} (id, signed_at, bundle_id, key_id, form, caller, customer_id, request_id, nonces, digests, offers, address, chain, link)
        SELECT ({chain}::int8 << {PLACE_BITS}) + i, {day * DAY} + i::int8 * {DAY} / {count + 1}, '{bundle_id}#Production', '{key_id}', 'promotional',
            'client', 'u-' || (hashint8(i * {DAYS} + {day}) & 1048575), 'r' || md5(i::text || 'r{day}'), decode(md5(i::text || 'n{day}'), 'hex'),
            decode(md5(i::text || 'a{day}') || md5(i::text || 'b{day}'), 'hex'), '[["{PRODUCT}","{OFFER}"]]', '192.0.2.1', {chain},
            decode(md5(i::text || 'l{day}') || md5(i::text || 'm{day}'), 'hex')
        FROM generate_series(1, {count}) AS i;
        INSERT INTO nonce_series_{nonces} (issued_day, series, signed_request)
        SELECT {nonces}, ('x' || substr(md5(i::text || 'n{day}'), 1, 16))::bit(64)::int8, ({chain}::int8 << {PLACE_BITS}) + i FROM generate_series(1, {count}) AS i
    """)


def let_days_expire(database: Database, first: int) -> None:
    """Has the service think that it has served since before the first partition's days, and that they are over its retention."""
    database.ask(f"""
        DELETE FROM serving_mark;
        UPDATE clock SET served = {DAYS + 1} * {DAY}::int8;
        INSERT INTO serving_mark SELECT {DAY}, max(signed_at) FROM signed_request_{first};
        INSERT INTO serving_mark_chain SELECT {DAY}, chain, max(id) FROM signed_request_{first} GROUP BY chain
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


def days_under_retention(server: Server, target, database: Database, first: int) -> dict:
    """What the load gets in the minute in which retention drops the first partition."""
    one = service.reading(server, target, 1, ROUND_OF_RETENTION)
    if database.ask(f"SELECT to_regclass('signed_request_{first}')"):
        raise BenchmarkError("retention dropped nothing")
    return {"requestsPerSecond": one.requestsPerSecond, "p99": one.p99}


def measure(rows: int, seconds: int, rounds: int, note) -> dict:
    """Readings of both in turns, and of the large one while retention drops a partition."""
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
        first = fill(databases[LARGE], rows, target.bundle_id, target.key_id, note)
        started[LARGE], _ = start(LARGE, True)
        found: dict = {"rows": rows, "readings": []}
        for number in range(rounds):
            for name, server in started.items():
                one = readings(server, target, databases[name], seconds)
                found["readings"].append({"ledger": name, **one})
                note(f"round {number + 1}, {name}: " + ", ".join(f"{key} {value:,.3g}" for key, value in one.items()))
        started[LARGE].stop()
        of_the_days = int(databases[LARGE].ask(f"SELECT count(*) FROM signed_request_{first}"))
        started[LARGE], _ = start(LARGE, True)
        let_days_expire(databases[LARGE], first)
        found["retention"] = {"rows": of_the_days} | days_under_retention(started[LARGE], target, databases[LARGE], first)
    finally:
        for server in started.values():
            server.stop()
    return found
