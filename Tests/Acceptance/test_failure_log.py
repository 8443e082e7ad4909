"""Operators see whatever does not work, at once, at any level of the log, and without flooding it."""
import json
import time

import pytest

from harness.app_store import BUNDLE
from harness.purchases import DAY, active, now
from harness.waiting import wait_until
from AppStoreServer import notifications
from AppStoreServer.authority import Authority


def failures(service, message="a request failed"):
    return [line for line in service.log() if line["message"] == message]


@pytest.mark.parametrize("level", ["info", "warning", "error", "critical"])
def test_a_failing_store_is_an_error_in_the_log_at_any_level_and_no_flood(new_service, tmp_path, level):
    service = new_service(extra=f"logging: {{level: {level}}}\naudit: {{sealSeconds: 3600}}\n")
    client = service.client()
    away = tmp_path / "away.sqlite"
    service.store.rename(away)
    begin = time.monotonic()
    answers = [client.post("/v1/signatures", service.offer_body()) for _ in range(200)]
    assert {answer.status_code for answer in answers} == {503}
    # What /readyz found is good for a second.
    wait_until(lambda: client.get("/readyz").status_code == 503)
    wait_until(lambda: failures(service, "not ready"))
    service.log_lines_of(answers[0].headers["x-request-id"], 2 if level == "info" else 1)
    [line] = failures(service)
    assert (line["level"], line["subject"], line["code"]) == ("error", "store", "store-unavailable")
    assert line["requestId"] == answers[0].headers["x-request-id"] and line["reason"]
    assert service.metric("offersigner_failures_total", subject="store") >= 200
    [unready] = failures(service, "not ready")
    assert (unready["level"], unready["subject"]) == ("error", "store")
    # Nothing else of it but the own words of two watches, and request lines where they are wanted.
    told = [line["message"] for line in service.log() if line["level"] in ("warning", "error") and not line["message"].endswith(", again")]
    assert len(told) == len(set(told)) <= 4, told
    away.rename(service.store)
    client.sign(service.offer_body())
    service.stop()
    again = failures(service, "a request failed, again")
    assert {(line["level"], line["subject"]) for line in again} == {("error", "store")}
    assert sum(int(line["count"]) for line in again) == 199
    # Once a minute, and at the end.
    assert len(again) <= 1 + (time.monotonic() - begin) // 60
    assert ("request" in {line["message"] for line in service.log()}) == (level == "info")


def test_two_kinds_of_failure_are_two_lines(connected, app_store):
    service = connected(extra="logging: {level: critical}\n")
    backend = service.client("backend")
    refresh = {"bundleId": BUNDLE, "transactionId": "1"}
    app_store.fault("history", httpStatus=401)
    try:
        for _ in range(3):
            assert backend.problem("/v1/history/refresh", refresh)[:2] == (503, "app-store-unavailable")
    finally:
        app_store.clear_faults()
    wait_until(lambda: failures(service))
    [line] = failures(service)
    assert (line["level"], line["subject"], line["code"]) == ("warning", "app-store", "app-store-unauthorized")
    service.histories.unlink()
    body = {"bundleId": BUNDLE, "transactionId": "1"}
    for _ in range(3):
        assert backend.problem("/v1/customers/u-1/transactions", body)[0] == 503
    wait_until(lambda: len(failures(service)) > 1)
    assert [(line["level"], line["subject"]) for line in failures(service)] == [("warning", "app-store"), ("error", "store")]


def test_genuine_data_from_the_future_is_reported_as_a_fault_of_the_clock_and_forged_data_is_not(connected, app_store):
    service = connected(extra="logging: {level: warning}\n")
    life = active(app_store.customer())
    stranger, path = service.client(token=""), f"/v1/appstore/notifications/{BUNDLE}"
    late = {"signedDate": now() + 2 * DAY}
    forged = notifications.v2(app_store.authority, life, fields=late, chain=Authority().genuine)
    assert stranger.problem(path, forged)[:2] == (401, "untrusted-root")
    for _ in range(3):
        assert stranger.problem(path, notifications.v2(app_store.authority, life, fields=late))[:2] == (401, "signed-in-future")
    wait_until(lambda: failures(service))
    [line] = failures(service)
    assert (line["level"], line["subject"], line["code"]) == ("error", "clock", "signed-in-future")


def test_what_callers_do_wrong_is_no_failure(new_service):
    service = new_service(extra="logging: {level: warning}\n")
    client = service.client()
    client.problem("/v1/signatures", {})
    client.problem("/v1/signatures", service.offer_body(bundleId="no.such.app"))
    service.client(token="").problem("/v1/signatures", service.offer_body())
    service.stop()
    assert [line for line in service.log() if line["level"] != "info"] == []
    assert service.log_text().count("\n") == len(service.log()) and json.dumps(service.log())
