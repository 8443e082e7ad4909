"""A wrong clock: nothing is signed with it, nothing is deleted by it, and no caller is locked out for good."""
import contextlib
import sqlite3
import subprocess
import time

import httpx
import pytest

from harness.service import ROOT
from harness.waiting import PATIENCE, wait_until

DAY = 86_400
YEAR_AND_MORE = 402 * DAY


@pytest.fixture
def service(new_service, clock):
    return new_service(environment=clock.environment)


def clock_check(service):
    answer = service.client().get("/readyz")
    [check] = [each for each in answer.json()["checks"] if each["name"] == "clock"]
    assert (answer.status_code == 200) == check["ok"]
    return check


def refused(service, words):
    """Neither signatures nor nonces, and it is said why: in the answer, by /readyz and in the log."""
    client = service.client()
    for answer in [client.post("/v1/signatures", service.offer_body()), client.post("/v1/nonces", {"bundleId": service.bundle_id})]:
        assert answer.status_code == 503 and answer.json()["code"] == "not-ready", answer.text
        assert words in answer.json()["detail"]
    assert words in clock_check(service)["detail"]
    told = "nothing is signed: the clock cannot be trusted"
    wait_until(
        lambda: [line for line in service.log() if (line["level"], line["message"]) == ("error", told) and words in line["reason"]],
        promised=5)


def signs_again(service):
    wait_until(lambda: service.client().post("/v1/signatures", service.offer_body()).status_code == 200, promised=5)
    assert clock_check(service)["ok"]


def start_unready(service):
    """Starts it where scripts/instance would wait until it is ready."""
    with (service.folder / "log").open("ab") as log:
        process = subprocess.Popen(service.command("serve"), stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=service.environment, cwd=ROOT)
    service.pid = process.pid
    (service.folder / "pid").write_text(str(process.pid))

    def answers():
        with contextlib.suppress(httpx.TransportError):
            return httpx.get(f"{service.url}/livez", timeout=PATIENCE).status_code == 200

    wait_until(answers)


def command(service, clock, *arguments):
    return service.cli(*arguments, environment=clock.environment)


def moved(service, seconds):
    """Lets everything that the store remembers be so much older (or, below 0, younger)."""
    with contextlib.closing(sqlite3.connect(service.store)) as store, store:
        store.execute("UPDATE signed_request SET signed_at = signed_at - ?", [seconds * 1000])
        store.execute("UPDATE clock SET seen_at = seen_at - ?, accepted_at = accepted_at - ?", [seconds * 1000] * 2)


@pytest.mark.parametrize("seconds", [YEAR_AND_MORE, 3600, -3600])
def test_a_clock_that_leaps_signs_nothing_until_it_is_right_again(service, clock, seconds):
    client = service.client()
    acknowledged = {result["nonce"] for result in client.sign(service.offer_body())}
    clock.set(seconds)
    refused(service, "behind the latest signature" if seconds < 0 else "the clock has leapt")
    clock.set(0)
    signs_again(service)
    assert acknowledged < set(service.rows())
    wait_until(lambda: "the clock is trusted again" in service.log_text(), promised=5)
    assert service.log_text().count("the clock cannot be trusted") == 1, "it is logged once"


def test_a_leap_is_accepted_by_an_operator_without_a_restart(service, clock):
    service.client().sign(service.offer_body())
    begin = time.time()
    clock.set(2 * DAY)
    refused(service, "offersigner clock accept")
    done = command(service, clock, "clock", "accept")
    assert done.returncode == 0 and done.stdout.startswith("accepted 2"), done.stderr
    signs_again(service)
    [row] = [row for row in service.rows().values() if row["signed_at"] > (time.time() + DAY) * 1000]
    assert begin - 1 < row["signed_at"] / 1000 - 2 * DAY < time.time() + 1


def test_a_year_ahead_at_the_start_signs_nothing_deletes_nothing_and_is_over_once_it_is_right(service, clock):
    client = service.client()
    [nonce] = client.nonces(service.bundle_id)
    client.sign(service.offer_body(nonce=nonce), headers={"Idempotency-Key": "kept"})
    acknowledged = set(service.rows())
    service.stop()
    clock.set(YEAR_AND_MORE)
    check = command(service, clock, "check-config")
    assert check.returncode != 0 and "offersigner clock accept" in check.stderr
    start_unready(service)
    refused(service, "s beyond the last use of the store")
    assert set(service.rows()) == acknowledged and service.counts()["nonce_series"] == 1 and service.counts()["idempotency"] == 1
    clock.set(0)
    signs_again(service)
    assert service.client().problem("/v1/signatures", service.offer_body(nonce=nonce))[:2] == (409, "nonce-replayed")
    again = service.client().post("/v1/signatures", service.offer_body(nonce=nonce), headers={"Idempotency-Key": "kept"})
    assert again.status_code == 200 and again.headers["idempotency-replayed"] == "true"


def test_after_a_long_pause_an_operator_says_that_the_clock_is_right(service, clock):
    service.client().sign(service.offer_body())
    service.stop()
    moved(service, 7 * DAY)
    assert "beyond the last use of the store" in command(service, clock, "check-config").stderr
    assert command(service, clock, "clock", "accept").returncode == 0
    assert command(service, clock, "check-config").returncode == 0
    service.start()
    service.client().sign(service.offer_body())


def test_after_a_long_pause_a_clock_that_ntp_has_set_needs_no_operator(new_service, clock):
    # The verification would find that the test has changed rows.
    service = new_service(extra="audit: {verifyPercent: 0}\n", environment=clock.environment)
    service.client().sign(service.offer_body())
    service.stop()
    moved(service, 7 * DAY)
    start_unready(service)
    refused(service, "s beyond the last use of the store")
    # The daemon of NTP needs a moment after the machine's start.
    clock.set(0, synchronised=True)
    signs_again(service)
    # It vouches for no leap under a running service: daemons of NTP do not make any.
    clock.set(3600, synchronised=True)
    refused(service, "s ahead, to ")
    clock.set(0, synchronised=True)
    signs_again(service)


def test_a_pause_that_the_configuration_allows_needs_no_operator(new_service):
    service = new_service(extra="clock: {mostAhead: 864000}\n")
    service.client().sign(service.offer_body())
    service.stop()
    moved(service, 7 * DAY)
    service.start()
    service.client().sign(service.offer_body())


def test_a_service_without_customers_is_not_taken_for_one_that_was_away(service):
    service.client().sign(service.offer_body())
    service.stop()
    with contextlib.closing(sqlite3.connect(service.store)) as store, store:
        store.execute("UPDATE signed_request SET signed_at = signed_at - ?", [7 * DAY * 1000])
    # It was alive when it was stopped.
    service.start()
    service.client().sign(service.offer_body())


def test_a_store_signed_in_the_future_is_repaired_under_the_service_and_forgets_no_nonce(service, clock):
    client = service.client()
    before = client.nonces(service.bundle_id)[0]
    client.sign(service.offer_body(nonce=before))
    clock.set(YEAR_AND_MORE)
    assert command(service, clock, "clock", "accept").returncode == 0
    signs_again(service)
    [ahead] = client.nonces(service.bundle_id)
    client.sign(service.offer_body(nonce=ahead))
    rows = set(service.rows())
    begin = time.time()
    clock.set(0)
    refused(service, "offersigner clock repair")
    # Accepting the time does not make the latest signature an earlier one.
    done = command(service, clock, "clock", "accept")
    assert done.returncode == 0 and "clock repair" in done.stderr
    # Longer than until the service hears of it.
    time.sleep(1.2)
    refused(service, "offersigner clock repair")
    done = command(service, clock, "clock", "repair")
    assert done.returncode == 0 and "2 requests were signed after" in done.stdout, done.stdout + done.stderr
    signs_again(service)
    assert set(service.rows()) > rows
    assert any(begin - 1 < row["signed_at"] / 1000 < time.time() + 1 for row in service.rows().values())
    for nonce in [before, ahead]:
        assert service.client().problem("/v1/signatures", service.offer_body(nonce=nonce))[:2] == (409, "nonce-replayed")
    done = command(service, clock, "clock", "repair")
    assert done.returncode != 0 and "nothing to repair" in done.stderr
    service.stop()
    service.start()
    service.client().sign(service.offer_body())
