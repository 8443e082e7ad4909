"""What a single offer costs with everything on: eligibility enforced, the offer limited, campaigns live; beside bare Go, in turns."""

import http.client
import json

from bench import history, service
from bench.places import WORK
from bench.servers import BenchmarkError, Server, start_peer

CUSTOMERS = 200_000
CAMPAIGNS = 50
PEER = "Go"
# What the requests of bench/history.py are about. The limits are far beyond what is asked for.
EXTRA = """\
appStore: {pollSeconds: 0, catchUpSeconds: 0, lapsedRefreshHours: 0}
apps:
  - bundleId: com.example.app
    eligibility: enforce
    subscriptionGroups:
      - id: "20563228"
        products:
          - id: com.example.pro.monthly
            level: 1
            period: P1M
            introductoryOffer: {kind: free-trial, period: P1W}
            promotionalOffers:
              - id: winback50
                kind: pay-as-you-go
                period: P3M
                limits: {perCustomer: 1000000, per: P1Y, outstanding: 1000000, total: 100000000, notWhileActive: true}
"""


def campaign(number: int) -> dict:
    """Of customers who lapsed within a range of days that is its own."""
    days = {"fact": "subscription.daysSinceLapse", "group": "20563228", "between": [1000 + number, 1010 + number]}
    return {
        "id": f"bench-{number}", "name": f"campaign {number}", "bundleId": "com.example.app", "placement": "paywall", "priority": number,
        "enrolment": 10_000, "holdout": 500, "audience": {"all": [{"attribute": "country", "oneOf": ["US", "CA"]}, days]},
        "variants": [{"id": "all", "weight": 10_000, "offers": [{"productId": "com.example.pro.monthly", "offerId": "winback50"}]}],
    }


def publish(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)

    def post(role: str, path: str, body: dict) -> None:
        connection.request(
            "POST", f"/v1/admin/campaigns{path}", json.dumps(body),
            {"Content-Type": "application/json", "Authorization": f"Bearer {server.tokens[role]}", "If-Match": "*"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            raise BenchmarkError(f"campaigns{path}: {answer.status} {text[:300]!r}")

    for number in range(CAMPAIGNS):
        post("marketing", "", campaign(number))
        post("marketing", f"/bench-{number}/submit", {"bundleId": "com.example.app"})
        post("approver", f"/bench-{number}/approve", {"bundleId": "com.example.app", "publish": True})
    connection.close()


def measure(seconds: int, rounds: int, note) -> dict[str, list[float]]:
    """CPU µs a signature by server."""
    ours, target, _ = history.start(WORK / "everything", CUSTOMERS, note, extra=EXTRA)
    peer = start_peer(PEER, target)
    found: dict[str, list[float]] = {ours.name: [], PEER: []}
    try:
        publish(ours)
        for number in range(rounds):
            found[PEER].append(service.reading(peer, target, 1, seconds).cpuMicrosPerSignature)
            found[ours.name].append(history.reading(ours, "enforced", CUSTOMERS, seconds))
            note(f"round {number + 1}: " + ", ".join(f"{name} {costs[-1]:.1f} µs" for name, costs in found.items()))
    finally:
        ours.stop()
        peer.stop()
    return found
