"""What a service still does, and for whom, when a caller asks more of it than it can do."""

from bench import latency, service
from bench.latency import Flow
from bench.places import WORK
from bench.servers import BenchmarkError, start_ours

# Times what the service can do.
OVERLOAD = 3
# As many as keep it busy; and a crowd.
ENOUGH, CROWD = 64, 2400
# What another caller asks meanwhile: requests a second, and connections.
OTHER_RATE, OTHER_CONNECTIONS = 100, 8


def measure(seconds: int, rounds: int, note) -> list[dict]:
    """In each round the same at full load and beyond: good answers a second, refusals a second, and the other caller's p99 in ms."""
    server, target = start_ours(WORK / "overload")
    found = []
    try:
        peak = service.reading(server, target, 1, seconds).requestsPerSecond
        other = Flow(OTHER_RATE, OTHER_CONNECTIONS, latency.requests(server, target, server.tokens["backend"]))
        for number in range(rounds):
            one: dict = {}
            for name, connections in (("full", ENOUGH), ("overload", CROWD)):
                greedy = Flow(OVERLOAD * peak, connections, latency.requests(server, target))
                first, second = latency.send(server.port, seconds, [greedy, other])
                if second["failed"] or second["unanswered"]:
                    raise BenchmarkError(f"the other caller: {second}")
                lasted = first["seconds"]
                one[name] = {
                    "good": (first["requests"] - first["failed"]) / lasted, "refused": first["failed"] / lasted,
                    "p99": first["p99"], "otherP50": second["p50"], "otherP99": second["p99"],
                }
                note(f"round {number + 1}, {connections} connections: " + ", ".join(f"{key} {value:,.1f}" for key, value in one[name].items()))
            found.append(one)
    finally:
        server.stop()
    return found
