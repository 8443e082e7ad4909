"""The one table that a run prints."""

import statistics
from collections.abc import Callable

from bench import events, everything, history, ledger, replica
from bench.servers import DURABLE, OURS

SUBJECTS = (OURS, "Go", DURABLE, "Node", "Python")
OPENSSL = "openssl"

# µs of CPU time that the audit chain may add to a signature, by the number of offers in a request.
AUDIT_LIMITS = {1: 2.5, 20: 1.5}
# And that these may add: a title, and the bound where there is one.
SURCHARGES = {
    "again": ("nothing (the noise of the next two rows)", None),
    "limits": ("limits of an offer", 1.5),
    "campaigns": ("choice by 50 live campaigns, exposure included", 10),
}

Row = tuple[str, dict[str, str], str]


def goal(value: float | None, bound: float, at_least: bool = True) -> str:
    """`≥ 0.95: yes`, or only the bound when there is no value."""
    text = f"{'≥' if at_least else '<'} {bound:g}"
    if value is None:
        return text
    met = value >= bound if at_least else value < bound
    return f"{text}: {'yes' if met else 'NO'}"


def median_or_none(values: list[float]) -> float | None:
    return statistics.median(values) if values else None


def core_rows(core: dict[str, list[float]]) -> list[Row]:
    reference, ours = median_or_none(core["openssl"]), median_or_none(core["ours"])
    cells = {OPENSSL: f"{reference:,.0f}"}
    if ours is None:
        return [("signing core: signatures/s", cells, "")]
    ratio = ours / reference
    per_signature = lambda what, offers: statistics.median(core[f"{what}{offers}"])
    requests = {1: "1 offer", 20: "20 offers"}
    return [
        ("signing core: signatures/s", {OURS: f"{ours:,.0f}", **cells}, ""),
        ("signing core: share of openssl speed", {OURS: f"{ratio:.3f}"}, goal(round(ratio, 3), 0.95)),
        *((f"use case without HTTP, {name}: CPU µs per signature", {OURS: f"{per_signature('issue', offers):.1f}"}, "")
          for offers, name in requests.items()),
        *((f"audit chain, {name}: CPU µs per signature", {OURS: f"{per_signature('audit', offers):.2f}"},
           goal(per_signature("audit", offers), AUDIT_LIMITS[offers], at_least=False))
          for offers, name in requests.items()),
        *(surcharge_row(core["surcharges"], name) for name in SURCHARGES),
    ]


def surcharge_row(surcharges: dict[str, list[float]], name: str) -> Row:
    title, bound = SURCHARGES[name]
    low, middle, high = statistics.quantiles(surcharges[name], n=4)
    return (
        f"{title}: CPU µs per signature", {OURS: f"{middle:.2f} ({low:.1f} to {high:.1f})"},
        "" if bound is None else goal(middle, bound, at_least=False))


def medians(readings: list[dict], offers: int, name: str) -> dict[str, float]:
    """The median over the rounds, by server."""
    by_server: dict[str, list[float]] = {}
    for one in readings:
        if one["offers"] == offers:
            by_server.setdefault(one["server"], []).append(one[name])
    return {server: statistics.median(values) for server, values in by_server.items()}


def cells_of(values: dict[str, float], form: Callable[[float], str]) -> dict[str, str]:
    return {server: form(value) for server, value in values.items()}


def ratios_to(values: dict[str, float], server: str) -> dict[str, float]:
    return {other: value / values[server] for other, value in values.items()}


def service_rows(readings: list[dict], offers: int, reference: float) -> list[Row]:
    label = "1 offer" if offers == 1 else f"{offers} offers"
    rate = medians(readings, offers, "requestsPerSecond")
    signatures = medians(readings, offers, "signaturesPerSecond")
    rows: list[Row] = [(f"{label}: requests/s", cells_of(rate, "{:,.0f}".format), "")]
    if offers > 1:
        rows.append((f"{label}: signatures/s", cells_of(signatures, "{:,.0f}".format), ""))
    for name, title, form in (
        ("cpuMicrosPerSignature", "server CPU µs per signature", "{:.1f}"),
        ("serverCoreShare", "share of its core that the server got", "{:.2f}"),
        ("p50", "p50 ms", "{:.2f}"),
        ("p99", "p99 ms", "{:.2f}"),
        ("failed", "failed requests", "{:.0f}"),
    ):
        rows.append((f"{label}: {title}", cells_of(medians(readings, offers, name), form.format), ""))
    rows.append((f"{label}: requests/s, as multiple of Go", cells_of(ratios_to(rate, "Go"), "{:.2f}".format), ""))
    if OURS in rate:
        rows.append(ours_over(rate, label, with_goals=offers == 1))
    if offers > 1:
        share = {server: value / reference for server, value in signatures.items()}
        ours = share.get(OURS)
        rows.append((
            f"{label}: share of openssl speed", cells_of(share, "{:.3f}".format),
            goal(None if ours is None else round(ours, 3), 0.80),
        ))
    return rows


def ours_over(rate: dict[str, float], label: str, with_goals: bool) -> Row:
    ratios = {peer: rate[OURS] / value for peer, value in rate.items() if peer != OURS}
    bounds = {"Go": 1.0, DURABLE: 1.0, "Node": 2.0, "Python": 3.5}
    text = ", ".join(f"{peer} {goal(round(ratios[peer], 2), bound)}" for peer, bound in bounds.items() if peer in ratios) if with_goals else ""
    return f"{label}: OfferSigner as multiple of it", cells_of(ratios, "{:.2f}".format), text


def memory_rows(found: list[dict]) -> list[Row]:
    rows: list[Row] = []
    for name, title, form, bound in (
        ("startUpEmptySeconds", "start-up, empty store: s", "{:.3f}", None),
        ("startUpFullSeconds", "start-up on a ledger of {:,} rows: s", "{:.3f}", 0.5),
        ("residentFreshMiB", "memory when started: MiB", "{:.1f}", None),
        ("residentMiB", "memory after {:,} signatures: MiB", "{:.1f}", 120),
        ("peakResidentMiB", "peak memory: MiB", "{:.1f}", None),
    ):
        values = {one["server"]: one[name] for one in found if name in one}
        if not values:
            continue
        count = next((one["signatures"] for one in found if "signatures" in one), 0)
        told = goal(values.get(OURS), bound, at_least=False) if bound else ""
        rows.append((title.format(count), cells_of(values, form.format), told))
    return rows


def everything_rows(found: dict[str, list[float]]) -> list[Row]:
    cost = {name: statistics.median(values) for name, values in found.items()}
    ratio = cost[OURS] / cost[everything.PEER]
    return [
        ("1 offer, everything on: CPU µs", cells_of(cost, "{:.1f}".format), ""),
        ("1 offer, everything on: as multiple of Go", {OURS: f"{ratio:.2f}"}, goal(round(ratio, 2), 1.25, at_least=False)),
    ]


def latency_rows(found: dict) -> list[Row]:
    sync = statistics.median(found["syncMillis"])
    rows: list[Row] = [("fdatasync of a page: ms", {OURS: f"{sync:.2f}"}, "")]
    for name, title, form in (
        ("rate", "open loop at 70 % of capacity: requests/s", "{:,.0f}"), ("p50", "open loop: p50 ms", "{:.2f}"),
        ("p99", "open loop: p99 ms", "{:.2f}"), ("p999", "open loop: p99.9 ms", "{:.2f}"), ("max", "open loop: max ms", "{:.2f}"),
    ):
        values = {server: statistics.median(one[name] for one in readings) for server, readings in found["readings"].items()}
        bound = f"< {sync + 5:.1f}: {'yes' if values[OURS] < sync + 5 else 'NO'}" if name == "p99" and OURS in values else ""
        rows.append((title, cells_of(values, form.format), bound))
    if (checkpoints := found.get("checkpoints")) and checkpoints["count"]:
        longest = checkpoints["longestMillis"]
        rows.append(("ledger blocked by the longest of {count} checkpoints: ms".format(**checkpoints), {OURS: f"≤ {longest:g}"}, goal(longest, 20, at_least=False)))
    return rows


def history_rows(found: dict) -> list[Row]:
    cost = history.medians(found)
    ratio = cost["eligibility"] / cost["nonce"]
    extra = (cost["enforced"] / cost["signature"] - 1) * 100
    rows: list[Row] = [
        ("import: transactions/s, {:,} of {:,} customers".format(found["transactions"], found["customers"]),
         {OURS: f"{found['importPerSecond']:,.0f}"}, goal(found["importPerSecond"], 30_000)),
        ("store: bytes a transaction", {OURS: f"{found['storeBytes'] / found['transactions']:.0f}"}, ""),
    ]
    for kind, title in (
        ("nonce", "/v1/nonces: CPU µs"), ("eligibility", "/v1/eligibility: CPU µs"),
        ("signature", "signature, nobody named: CPU µs"), ("enforced", "signature, eligibility enforced: CPU µs"),
    ):
        rows.append((title, {OURS: f"{cost[kind]:.1f}"}, ""))
    rows.append(("/v1/eligibility as multiple of /v1/nonces", {OURS: f"{ratio:.2f}"}, goal(ratio, 1.5, at_least=False)))
    rows.append(("enforcing eligibility: extra CPU, %", {OURS: f"{extra:.0f}"}, goal(extra, 25, at_least=False)))
    own = found["residentMiB"] - found["mappedMiB"]
    rows.append(("memory with this store, mapped files apart: MiB", {OURS: f"{own:.1f}"}, ""))
    rows.append(("mapped files: MiB", {OURS: f"{found['mappedMiB']:.1f}"}, ""))
    return rows


def replica_rows(found: dict) -> list[Row]:
    rows: list[Row] = []
    for offers, label in ((1, "1 offer"), (20, "20 offers")):
        median = lambda store, name: statistics.median(
            one[name] for one in found["readings"] if one["store"] == store and one["offers"] == offers)
        ratio = median(replica.POSTGRESQL, "cpuMicros") / median(replica.SQLITE, "cpuMicros")
        database, commits = median(replica.POSTGRESQL, "cpu"), median(replica.POSTGRESQL, "commits")
        rows += [
            (f"replica on PostgreSQL, {label}: CPU µs per signature", {OURS: f"{median(replica.POSTGRESQL, 'cpuMicros'):.1f}"}, ""),
            (f"replica on PostgreSQL, {label}: as multiple of SQLite", {OURS: f"{ratio:.2f}"},
             goal(round(ratio, 2), 1.3, at_least=False) if offers == 1 else ""),
            (f"PostgreSQL, {label}: CPU µs per signature", {OURS: f"{database * 1e6:.1f}"}, ""),
            (f"PostgreSQL, {label}: signatures/s that one core would carry", {OURS: f"{1 / database:,.0f}"}, ""),
            (f"PostgreSQL, {label}: WAL bytes per signature", {OURS: f"{median(replica.POSTGRESQL, 'wal'):.0f}"}, ""),
            (f"PostgreSQL, {label}: commits per signature", {OURS: f"{commits:.3f}"},
             goal(round(commits, 3), 0.1, at_least=False)),
        ]
    return rows


def overload_rows(found: list[dict]) -> list[Row]:
    median = lambda part, name: statistics.median(one[part][name] for one in found)
    ratio = lambda name: round(statistics.median(one["overload"][name] / one["full"][name] for one in found), 2)
    other = {part: f"{median(part, 'otherP99'):.1f}" for part in ("full", "overload")}
    return [
        ("three times too much: share of the good answers at full load", {OURS: f"{ratio('good'):.2f}"}, goal(ratio("good"), 0.9)),
        ("three times too much: refusals/s", {OURS: f"{median('overload', 'refused'):,.0f}"}, ""),
        ("three times too much: p50 of another caller, as multiple", {OURS: f"{ratio('otherP50'):.2f}"}, ""),
        (f"three times too much: p99 of another caller ({other['overload']} ms), as multiple of that at full load ({other['full']} ms)",
         {OURS: f"{ratio('otherP99'):.2f}"}, goal(ratio("otherP99"), 1.25, at_least=False)),
    ]


def events_rows(found: list[dict]) -> list[Row]:
    median = lambda part, name: statistics.median(one[part][name] for one in found)
    ratio = lambda name: round(statistics.median(one["with"][name] / one["without"][name] for one in found), 2)
    return [
        (f"{events.RATE:,} signatures/s with events: {name} ({median('with', name):.2f} ms), as multiple of that without ({median('without', name):.2f} ms)",
         {OURS: f"{ratio(name):.2f}"}, goal(ratio(name), 1.1, at_least=False))
        for name in ("p50", "p99")
    ]


def ledger_rows(found: dict) -> list[Row]:
    median = lambda kind, name: statistics.median(one[name] for one in found["readings"] if one["ledger"] == kind)
    ratio = lambda name: round(median(ledger.LARGE, name) / median(ledger.EMPTY, name), 2)
    title, dropping = f"{found['rows']:,} rows in PostgreSQL", found["retention"]
    return [
        *((f"{title}: {what}, as multiple of an empty ledger", {OURS: f"{ratio(name):.2f}"}, goal(ratio(name), 1.1, at_least=False))
          for name, what in (("cpuMicros", "replica's CPU"), ("cpu", "PostgreSQL's CPU"), ("wal", "WAL"))),
        (f"{title}: requests/s in the minute in which retention drops {dropping['rows']:,}, as share",
         {OURS: f"{dropping['requestsPerSecond'] / median(ledger.LARGE, 'requestsPerSecond'):.2f}"}, ""),
        (f"{title}: p99 in that minute ({median(ledger.LARGE, 'p99'):.0f} ms without)", {OURS: f"{dropping['p99']:.0f} ms"}, ""),
    ]


def rows_of(results: dict) -> list[Row]:
    rows: list[Row] = []
    if core := results.get("core"):
        rows += core_rows(core)
    if service := results.get("service"):
        for offers in (1, 20):
            rows += service_rows(service["readings"], offers, statistics.median(service["openssl"]))
    rows += memory_rows(results.get("memory", []))
    if found := results.get("everything"):
        rows += everything_rows(found)
    if found := results.get("latency"):
        rows += latency_rows(found)
    if found := results.get("history"):
        rows += history_rows(found)
    if found := results.get("replica"):
        rows += replica_rows(found)
    if found := results.get("ledger"):
        rows += ledger_rows(found)
    if found := results.get("overload"):
        rows += overload_rows(found)
    if found := results.get("events"):
        rows += events_rows(found)
    return rows


def render(results: dict) -> str:
    """Aligned Markdown; columns that no row fills are left out."""
    rows = rows_of(results)
    columns = [name for name in (*SUBJECTS, OPENSSL) if any(name in cells for _, cells, _ in rows)]
    lines = [["", *columns, "goal"]]
    lines += [[title, *(cells.get(name, "") for name in columns), told] for title, cells, told in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    printed = [line_of(line, widths) for line in lines]
    # Markdown: the colon on the right aligns a column of figures to the right.
    rule = ["-" * (widths[0] + 2), *("-" * (w + 1) + ":" for w in widths[1:-1]), "-" * (widths[-1] + 2)]
    return "\n".join([printed[0], "|" + "|".join(rule) + "|", *printed[1:]])


def line_of(cells: list[str], widths: list[int]) -> str:
    middle = [cell.rjust(width) for cell, width in zip(cells[1:-1], widths[1:-1])]
    return "| " + " | ".join([cells[0].ljust(widths[0]), *middle, cells[-1].ljust(widths[-1])]) + " |"
