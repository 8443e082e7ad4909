"""The App Store is down, slow or has had enough of us: the service goes on, and catches up with what it missed."""
import contextlib
import sqlite3
import threading
import time

import pytest

from harness.app_store import BUNDLE
from harness.purchases import DAY, HOUR, MINUTE, PRO, active, ago, eligibility, hand_in, lapsed, now, wait_until
from harness.service import Service

REFRESH = "/v1/history/refresh"


@pytest.fixture(scope="module")
def watching(app_store, tmp_path_factory):
    """A service that looks for missed notifications and for renewals every second."""
    extra = app_store.configuration_yaml(BUNDLE, eligibility="enforce", poll_seconds=1, catch_up_seconds=1)
    service = Service(tmp_path_factory.mktemp("watching") / "service", extra=extra)
    service.start()
    yield service
    service.stop()


@pytest.fixture
def store(app_store, watching):
    """The App Store without what other tests left behind."""
    return app_store.cleared_for(watching)


def refresh(service, subscription):
    body = {"bundleId": BUNDLE, "transactionId": subscription.original_id}
    return service.client("backend").post(REFRESH, body)


def asked(store, route="history"):
    """The transactions that the App Store was asked about."""
    return [each["argument"] for each in store.requests(route)]


def state(service, subscription):
    return eligibility(service, originalTransactionId=subscription.original_id)["subscription"]["state"]


def kept(service, path=None):
    with service.database(path or service.histories) as connection:
        return [row["type"] for row in connection.execute("SELECT type FROM notification ORDER BY rowid")]


def due_at(service, subscription):
    """When the App Store will be asked about a subscription (ms); None for never."""
    with service.database(service.histories) as connection:
        [row] = connection.execute(
            "SELECT poll_at FROM purchase_chain WHERE original_transaction_id = ?", [int(subscription.original_id)]
        ).fetchall()
    return row["poll_at"]


def miss(store, subscription, **options):
    """A notification that the App Store could not deliver and has given up."""
    store.send_v2(None, subscription, sending={"resendAfterMilliseconds": []}, **options)


def goes_on(service, customer_id):
    """Asks for everything that needs no App Store; gives back the longest time that an answer took (s)."""
    longest = 0
    for _ in range(5):
        begin = time.monotonic()
        assert eligibility(service, customerId=customer_id)["subscription"]["state"] == "active"
        [result] = service.client().sign(service.offer_body(customerId=customer_id))
        assert result["status"] == "signed"
        longest = max(longest, time.monotonic() - begin)
    [result] = service.client().sign(service.offer_body(customerId="nobody"))
    assert result["status"] == "refused"
    return longest


# Down, slow, rate-limiting


@pytest.mark.parametrize(
    "fault", [{"reset": True}, {"httpStatus": 500}, {"httpStatus": 401}, {"malformed": True}], ids=lambda fault: str(*fault.items())
)
def test_when_the_app_store_is_down_its_part_is_503_and_everything_else_goes_on(enforcing, store, fault):
    service = enforcing
    customer = store.customer()
    subscription = active(customer)
    store.add(customer)
    hand_in(service, store, customer, customer.id)
    store.fault(**fault)
    before = service.counts()
    body = {"bundleId": BUNDLE, "customerId": customer.id}
    for path, field in [
        (REFRESH, {"transactionId": subscription.original_id}), ("/v1/history/receipts", {"receiptData": customer.receipt()}),
    ]:
        answer = service.client("backend").post(path, body | field)
        assert (answer.status_code, answer.json()["code"]) == (503, "app-store-unavailable"), answer.text
        assert int(answer.headers["retry-after"]) >= 1
    assert service.counts() == before
    goes_on(service, customer.id)
    other = store.customer()
    active(other)
    hand_in(service, store, other, other.id)
    store.clear_faults()
    assert refresh(service, subscription).status_code == 200


def test_an_app_store_that_wants_to_be_left_alone_is_not_asked_before_its_time(connected, store):
    service = connected(eligibility="enforce")
    customer = store.customer()
    subscription = active(customer)
    store.add(customer)
    hand_in(service, store, customer, "u-1")
    store.fault("history", times=1, retryAfterMilliseconds=60_000)
    for _ in range(3):
        answer = refresh(service, subscription)
        assert (answer.status_code, answer.json()["code"]) == (503, "app-store-unavailable")
        assert int(answer.headers["retry-after"]) >= 1
    assert [each["status"] for each in store.requests("history")] == [429]
    goes_on(service, "u-1")


def test_while_the_app_store_is_slow_nobody_else_waits(enforcing, store):
    service = enforcing
    customer = store.customer()
    subscription = active(customer)
    store.add(customer)
    hand_in(service, store, customer, customer.id)
    store.fault(delayMilliseconds=700)
    answers = []
    slow = [threading.Thread(target=lambda: answers.append(refresh(service, subscription))) for _ in range(8)]
    for thread in slow:
        thread.start()
    longest = goes_on(service, customer.id)
    assert not answers, "the refresh was not slow at all"
    assert longest < 0.6, f"{longest:.2f} s"
    for thread in slow:
        thread.join()
    assert {answer.status_code for answer in answers} == {200}


def test_an_app_store_that_keeps_failing_is_left_alone_for_a_while(connected, store):
    service = connected()
    customer = store.customer()
    subscription = active(customer)
    store.add(customer)
    store.fault(httpStatus=500)
    answers = [refresh(service, subscription) for _ in range(8)]
    assert {answer.status_code for answer in answers} == {503}
    assert 3 <= len(store.requests("history")) <= 12, "8 refreshes, each in three attempts"


def test_a_short_wait_that_the_app_store_asks_for_is_waited(enforcing, store):
    service = enforcing
    customer = store.customer()
    subscription = active(customer)
    store.add(customer)
    store.fault("history", times=1, retryAfterMilliseconds=600)
    assert refresh(service, subscription).status_code == 200
    first, second, *_ = store.requests("history")
    assert first["status"] == 429 and second["at"] - first["at"] >= 550


# Catching up


def test_notifications_that_never_arrived_are_fetched(watching, store):
    # In its first period, so that nothing is missing that the poller would ask for.
    subscription = store.customer().start(PRO, at=ago(10 * DAY))
    arrived = store.send_v2(f"{watching.url}/v1/appstore/notifications/{BUNDLE}", subscription)
    assert arrived["attempts"][-1]["sendAttemptResult"] == "SUCCESS"
    assert state(watching, subscription) == "active"
    miss(store, subscription.refund(at=now()))
    wait_until(lambda: state(watching, subscription) == "revoked", within=6)
    # It looks again and again, and what it knows stays as it is.
    looks = len(store.requests("notificationHistory"))
    before = watching.history()
    wait_until(lambda: len(store.requests("notificationHistory")) >= looks + 4, within=6)
    assert watching.history() == before


def test_what_was_sent_while_the_service_was_down_is_fetched_at_its_start_page_by_page(connected, store):
    service = connected(catch_up_seconds=600)
    wait_until(lambda: store.requests("notificationHistory"), within=5)
    service.stop()
    subscriptions = [active(store.customer()).refund(at=now()) for _ in range(7)]
    url = f"{service.url}/v1/appstore/notifications/{BUNDLE}"
    for subscription in subscriptions:
        store.send_v2(url, subscription, sending={"resendAfterMilliseconds": []})
    store.settings(pageSize=3)
    store.forget_requests()
    service.start()
    wait_until(lambda: kept(service) == ["REFUND"] * 7, within=6)
    assert {state(service, subscription) for subscription in subscriptions} == {"revoked"}
    # The other app of the example is not known there.
    pages = [each for each in store.requests("notificationHistory") if each["status"] == 200]
    assert len(pages) == 3 and len({str(each["body"]) for each in pages}) == 1


def test_catching_up_goes_on_when_the_app_store_is_back(watching, store):
    store.fault("notificationHistory", httpStatus=401)
    subscription = active(store.customer()).refund(at=now())
    miss(store, subscription)
    wait_until(lambda: len(store.requests("notificationHistory")) >= 3, within=6)
    assert state(watching, subscription) == "never"
    store.clear_faults()
    wait_until(lambda: state(watching, subscription) == "revoked", within=8)


def test_a_forged_notification_in_the_list_is_left_out_and_the_rest_is_taken(watching, store):
    first, second = active(store.customer()), active(store.customer())
    miss(store, first, tampered={"notificationType": "REFUND"})
    miss(store, second)
    wait_until(lambda: state(watching, second) == "active", within=6)
    assert state(watching, first) == "never"


def test_after_an_outage_of_more_than_180_days_it_fetches_what_the_app_store_still_has(connected, store):
    service = connected(catch_up_seconds=1)
    wait_until(lambda: store.requests("notificationHistory"), within=5)
    service.stop()
    with contextlib.closing(sqlite3.connect(service.histories)) as connection, connection:
        changed = connection.execute(
            "UPDATE progress SET value = ? WHERE name LIKE 'notification-catch-up:%'", [str(ago(200 * DAY))]
        ).rowcount
    assert changed > 0
    miss(store, active(store.customer()))
    service.start()
    wait_until(lambda: kept(service) == ["DID_RENEW"], within=6)


# The renewal poller


def test_a_subscription_near_its_expiry_is_asked_about_once_and_others_are_not(watching, store):
    service = watching
    near, far, over = store.customer(), store.customer(), store.customer()
    soon = near.start(PRO, at=ago(30 * DAY) + HOUR)
    far.start(PRO, at=ago(20 * DAY))
    ended = over.start(PRO, at=ago(40 * DAY)).cancel_auto_renew(at=ago(20 * DAY)).expire()
    store.add(near, far, over)
    for customer in (near, far, over):
        hand_in(service, store, customer)
    wait_until(lambda: soon.original_id in asked(store), within=5)
    wait_until(lambda: (due_at(service, soon) or 0) > now(), within=5)
    # Next in a minute after its end; the far one a day before its own; and what is over never.
    assert abs(due_at(service, soon) - soon.last["expiresDate"] - 60_000) < 1000
    assert due_at(service, far.subscriptions[0]) == far.subscriptions[0].last["expiresDate"] - DAY
    assert due_at(service, ended) is None
    # Another round or two.
    time.sleep(1.5)
    for route in ("history", "subscriptions"):
        ours = [each for each in asked(store, route) if each in {soon.original_id, far.subscriptions[0].original_id, ended.original_id}]
        assert ours == [soon.original_id]


def test_a_renewal_that_nobody_told_of_is_found_out(watching, store):
    service = watching
    renewed, lost = store.customer(), store.customer()
    goes, ends = renewed.start(PRO, at=ago(31 * DAY)), lost.start(PRO, at=ago(31 * DAY))
    hand_in(service, store, renewed, signedRenewalInfos=[])
    hand_in(service, store, lost, signedRenewalInfos=[])
    assert (state(service, goes), state(service, ends)) == ("expired", "expired")
    goes.renew()
    ends.cancel_auto_renew(at=ago(2 * DAY)).expire()
    store.add(renewed, lost)
    wait_until(lambda: state(service, goes) == "active", within=6)
    # The other one is over: the App Store says so, and is not asked again.
    wait_until(lambda: due_at(service, ends) is None, within=6)
    assert eligibility(service, originalTransactionId=ends.original_id)["subscription"]["willRenew"] is False


def test_what_is_due_survives_an_outage_and_a_restart(connected, store):
    service = connected(poll_seconds=1)
    customer = store.customer()
    subscription = customer.start(PRO, at=ago(31 * DAY))
    hand_in(service, store, customer, signedRenewalInfos=[])
    subscription.renew()
    store.add(customer)
    store.fault(httpStatus=503)
    wait_until(lambda: asked(store), within=5)
    wait_until(lambda: len(asked(store)) >= 3, within=5)
    service.stop()
    # Not forgotten, and not put off for long.
    assert due_at(service, subscription) <= now() + 15 * MINUTE
    with contextlib.closing(sqlite3.connect(service.histories)) as connection, connection:
        connection.execute("UPDATE purchase_chain SET poll_at = ?", [now()])
    store.clear_faults()
    service.start()
    wait_until(lambda: state(service, subscription) == "active", within=6)


def test_what_the_app_store_does_not_know_is_not_asked_about_again_and_holds_nobody_up(watching, store):
    service = watching
    unknown, known = store.customer(), store.customer()
    first, second = unknown.start(PRO, at=ago(32 * DAY)), known.start(PRO, at=ago(31 * DAY))
    hand_in(service, store, unknown, signedRenewalInfos=[])
    hand_in(service, store, known, signedRenewalInfos=[])
    second.renew()
    store.add(known)
    wait_until(lambda: state(service, second) == "active", within=6)
    assert due_at(service, first) is None


def test_a_sandbox_purchase_in_a_production_app_holds_nobody_up(connected, store):
    """A receipt of App Review's, say: the Server API has it in the sandbox only."""
    service = connected(poll_seconds=1)
    tester, customer = store.customer(environment="Sandbox"), store.customer()
    tester.start(PRO, at=ago(HOUR))
    store.add(tester)
    receipt = {"bundleId": BUNDLE, "customerId": "tester", "receiptData": tester.receipt()}
    assert service.client("backend").post("/v1/history/receipts", receipt).status_code == 200
    wait_until(lambda: tester.subscriptions[0].original_id in asked(store), within=5)
    subscription = customer.start(PRO, at=ago(30 * DAY) + HOUR)
    store.add(customer)
    hand_in(service, store, customer)
    wait_until(lambda: subscription.original_id in asked(store), within=5)


def test_of_two_services_on_one_store_one_polls_and_the_other_takes_over_when_it_stops(connected, store, tmp_path):
    shared = f"store: {{sqlite: {tmp_path / 'shared.sqlite'}}}\n"
    services = [connected(poll_seconds=1, extra=shared) for _ in range(2)]
    # Slow enough for two to meet.
    store.fault("history", delayMilliseconds=250)
    customers = [store.customer() for _ in range(4)]
    subscriptions = [customer.start(PRO, at=ago(30 * DAY) + HOUR) for customer in customers]
    store.add(*customers)
    for customer in customers:
        hand_in(services[0], store, customer)
    wait_until(lambda: len(asked(store, "subscriptions")) >= 4, within=10)
    time.sleep(1)
    assert sorted(asked(store)) == sorted(subscription.original_id for subscription in subscriptions)
    services[0].stop()
    other = store.customer()
    subscription = other.start(PRO, at=ago(30 * DAY) + HOUR)
    store.add(other)
    hand_in(services[1], store, other)
    wait_until(lambda: subscription.original_id in asked(store), within=6)
    services[1].stop()


def test_a_history_that_begins_in_the_middle_is_completed(watching, store):
    customer = store.customer()
    subscription = lapsed(customer)
    store.add(customer)
    hand_in(watching, store, customer, signedTransactions=customer.signed_transactions(store.authority)[-1:])

    def introductory():
        return eligibility(watching, originalTransactionId=subscription.last["transactionId"])["introductoryOffer"]["status"]

    wait_until(lambda: introductory() == "eligible", within=6)
    assert subscription.original_id in asked(store)
