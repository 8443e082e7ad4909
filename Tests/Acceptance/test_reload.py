"""SIGHUP: what a reload applies counts at once, what waits for a restart is named, and nothing is silent."""
import os
import signal

import pytest

from harness.app_store import BUNDLE
from harness.waiting import wait_until

READ = "the configuration was read again"
WAITING = "changes of the configuration wait for a restart"
GONE = "offers are no longer in the catalogue: requests for them are refused, and their redemptions are not recognised"
UNUSABLE = "the configuration cannot be read again; nothing was changed"
GROUPS = """    subscriptionGroups:
      - id: "1"
        products:
          - id: reload.monthly
            period: P1M
            promotionalOffers: [%s]
"""
HALF = "{id: half, kind: pay-as-you-go, period: P1M}"
WEEK = "{id: week, kind: free-trial, period: P1W}"


def extra(*, http="", limits="", rules="", offers=HALF):
    return f"http: {{idleTimeoutSeconds: 3600{http}}}\nlimits: {{burst: 300{limits}}}\napps:\n  - bundleId: reload\n" \
        f"    issuerId: 00000000-0000-4000-8000-000000000000\n{rules}{GROUPS % offers}"


@pytest.fixture
def service(new_service):
    return new_service(extra=extra(rules="    eligibility: advise\n"))


def messages(service, message):
    return [line for line in service.log() if line["message"] == message]


def reload(service, text, message=READ):
    """Lays another configuration over the instance's, and returns the line of the log that says it was read."""
    count = len(messages(service, message))
    (service.folder / "extra.yaml").write_text(text)
    os.kill(service.pid, signal.SIGHUP)
    wait_until(lambda: len(messages(service, message)) > count)
    return messages(service, message)[-1]


def ask(service, offer, **fields):
    """The status and the result or the problem of a request for one offer of a customer who never bought."""
    answer = service.client().post(
        "/v1/signatures",
        {"bundleId": "reload", "customerId": "u-1", "offers": [{"productId": "reload.monthly", "offerId": offer}]} | fields)
    return answer


def test_rules_rates_and_the_catalogue_count_at_once(service):
    first = ask(service, "half")
    assert first.json()["results"][0]["status"] == "signed"
    assert ask(service, "week").json()["code"] == "unknown-offer"
    line = reload(service, extra(rules="    eligibility: enforce\n", offers=f"{HALF}, {WEEK}", limits=", requestsPerSecond: 7"))
    assert "apps[reload].eligibility: advise → enforce" in line["applied"] and "limits.requestsPerSecond" in line["applied"]
    assert not messages(service, WAITING)
    for offer in ("half", "week"):
        answer = ask(service, offer)
        assert answer.json()["results"][0]["code"] == "never-subscribed"
        assert answer.headers["ratelimit-policy"] == '"default";q=300;w=43'
    # Back again, and an offer is gone.
    assert not messages(service, GONE)
    reload(service, extra(rules="    eligibility: advise\n"))
    [line] = messages(service, GONE)
    assert (line["app"], line["offers"]) == ("reload", "reload.monthly/week")
    answer = ask(service, "half")
    assert answer.json()["results"][0]["status"] == "signed"
    assert answer.headers["ratelimit-policy"] == first.headers["ratelimit-policy"]
    assert ask(service, "week").json()["code"] == "unknown-offer"
    # Each is on record, with what the service worked with from then on.
    with service.database() as database:
        rows = [
            row["after"] for row in database.execute("SELECT * FROM audit_event ORDER BY id") if row["action"] == "configuration.reload"]
    assert len(rows) == 2 and "apps[reload].eligibility: enforce" in rows[0] and "apps[reload].eligibility: advise" in rows[1]


def test_a_catalogue_emptied_by_mistake_is_named_before_and_after(service):
    text = extra(rules="    eligibility: advise\n").split("    subscriptionGroups:")[0]
    (service.folder / "extra.yaml").write_text(text)
    checked = service.cli("check-config", environment=service.environment).stdout
    assert "warning: app reload: without products every request for a signature is refused with unknown-product" in checked
    reload(service, text)
    assert [line["offers"] for line in messages(service, GONE)] == ["reload.monthly/half"]


def test_what_waits_for_a_restart_is_named_and_the_rest_applied(service):
    text = extra(
        http=", connections: 77", rules="    eligibility: enforce\n    appAppleId: 5\n", limits=", bodyMegabytes: 65")
    line = reload(service, text + "  - bundleId: another\n", WAITING)
    for change in ("http.connections: (default) → 77", "limits.bodyMegabytes: (default) → 65", "apps[reload].appAppleId",
                   "apps[another].bundleId: (default) → another"):
        assert change in line["waiting"]
    assert "eligibility" not in line["waiting"]
    assert ask(service, "half").json()["results"][0]["code"] == "never-subscribed"
    assert ask(service, "half", bundleId="another").json()["code"] == "unknown-app"
    # What waited then is still named, and what was applied no more.
    done = service.cli("check-config", "--against-running", environment=service.environment)
    assert done.returncode == 0, done.stderr
    assert "running: waits for a restart: http.connections: (default) → 77" in done.stdout
    assert "applied by a reload" not in done.stdout
    assert len(messages(service, WAITING)) == 1
    assert "applied" not in reload(service, text + "  - bundleId: another\n")
    wait_until(lambda: len(messages(service, WAITING)) == 2)
    # What is not reloaded yet is told from the rest.
    (service.folder / "extra.yaml").write_text(extra(http=", connections: 77", rules="    eligibility: advise\n"))
    done = service.cli("check-config", "--against-running", environment=service.environment)
    assert "running: applied by a reload: apps[reload].eligibility: enforce → advise" in done.stdout
    (service.folder / "extra.yaml").write_text(extra(rules="    eligibility: enforce\n"))
    assert "running: the same configuration" in service.cli("check-config", "--against-running", environment=service.environment).stdout


def test_a_configuration_that_cannot_be_used_changes_nothing(service):
    policy = ask(service, "half").headers["ratelimit-policy"]
    line = reload(service, extra(rules="    eligibility: perhaps\n", limits=", requestsPerSecond: 7"), UNUSABLE)
    assert "eligibility" in line["reason"]
    answer = ask(service, "half")
    assert answer.json()["results"][0]["status"] == "signed"
    assert answer.headers["ratelimit-policy"] == policy
