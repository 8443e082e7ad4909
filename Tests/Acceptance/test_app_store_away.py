"""The App Store is down, slow or has had enough of us: the service goes on, and catches up with what it missed."""
import contextlib
import sqlite3
import threading

import pytest

from harness.app_store import BUNDLE
from harness.background import another_round, asked, caught_up, due_at, kept, miss, state
from harness.purchases import DAY, HOUR, MINUTE, PRO, active, ago, eligibility, hand_in, now
from harness.waiting import wait_until

REFRESH = "/v1/history/refresh"


@pytest.fixture
def store(app_store, enforcing):
    """The App Store without what other tests left behind. Only a test's own services ask it."""
    return app_store.cleared_for(enforcing)


def refresh(service, subscription):
    body = {"bundleId": BUNDLE, "transactionId": subscription.original_id}
    return service.client("backend").post(REFRESH, body)


def goes_on(service, customer_id):
    """Asks for everything that needs no App Store."""
    for _ in range(5):
        assert eligibility(service, customerId=customer_id)["subscription"]["state"] == "active"
        [result] = service.client().sign(service.offer_body(customerId=customer_id))
        assert result["status"] == "signed"
    [result] = service.client().sign(service.offer_body(customerId="nobody"))
    assert result["status"] == "refused"


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
    store.fault("history", times=1, retryAfterMilliseconds=3_600_000)
    for _ in range(3):
        answer = refresh(service, subscription)
        assert (answer.status_code, answer.json()["code"]) == (503, "app-store-unavailable")
        assert int(answer.headers["retry-after"]) >= 1
    assert [each["status"] for each in store.requests("history")] == [429]
    goes_on(service, "u-1")


def test_while_the_app_store_is_slow_no_other_request_waits(enforcing, store):
    service = enforcing
    customer = store.customer()
    subscription = active(customer)
    store.add(customer)
    hand_in(service, store, customer, customer.id)
    store.fault(held=True)
    answers = []
    slow = [threading.Thread(target=lambda: answers.append(refresh(service, subscription))) for _ in range(8)]
    for thread in slow:
        thread.start()
    wait_until(lambda: store.held)
    # A refresh that is held gives up after some tens of seconds; a request that waits for it gets no further before.
    goes_on(service, customer.id)
    assert not answers, "a request has waited for the App Store"
    store.clear_faults()
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


def test_what_was_sent_while_the_service_was_down_is_fetched_at_its_start_page_by_page(connected, store):
    service = connected(catch_up_seconds=600)
    wait_until(lambda: caught_up(service))
    service.stop()
    subscriptions = [active(store.customer()).refund(at=now()) for _ in range(7)]
    url = f"{service.url}/v1/appstore/notifications/{BUNDLE}"
    for subscription in subscriptions:
        store.send_v2(url, subscription, sending={"resendAfterMilliseconds": []})
    store.settings(pageSize=3)
    store.forget_requests()
    service.start()
    wait_until(lambda: kept(service) == ["REFUND"] * 7)
    assert {state(service, subscription) for subscription in subscriptions} == {"revoked"}
    # The other app of the example is not known there.
    pages = [each for each in store.requests("notificationHistory") if each["status"] == 200]
    assert len(pages) == 3 and len({str(each["body"]) for each in pages}) == 1


def test_after_an_outage_of_more_than_180_days_it_fetches_what_the_app_store_still_has(connected, store):
    service = connected(catch_up_seconds=1)
    wait_until(lambda: caught_up(service))
    service.stop()
    with contextlib.closing(sqlite3.connect(service.histories)) as connection, connection:
        changed = connection.execute(
            "UPDATE progress SET value = ? WHERE name LIKE 'notification-catch-up:%'", [str(ago(200 * DAY))]
        ).rowcount
    assert changed > 0
    miss(store, active(store.customer()))
    service.start()
    wait_until(lambda: kept(service) == ["DID_RENEW"])


# The renewal poller


def test_what_is_due_survives_an_outage_and_a_restart(connected, store):
    service = connected(poll_seconds=1)
    customer = store.customer()
    subscription = customer.start(PRO, at=ago(31 * DAY))
    hand_in(service, store, customer, signedRenewalInfos=[])
    subscription.renew()
    store.add(customer)
    store.fault(httpStatus=503)
    wait_until(lambda: asked(store))
    wait_until(lambda: len(asked(store)) >= 3)
    service.stop()
    # Not forgotten, and not put off for long.
    assert due_at(service, subscription) <= now() + 15 * MINUTE
    with contextlib.closing(sqlite3.connect(service.histories)) as connection, connection:
        connection.execute("UPDATE purchase_chain SET poll_at = ?", [now()])
    store.clear_faults()
    service.start()
    wait_until(lambda: state(service, subscription) == "active")


def test_a_sandbox_purchase_in_a_production_app_delays_no_request(connected, store):
    """A receipt of App Review's, say: the Server API has it in the sandbox only."""
    service = connected(poll_seconds=1)
    tester, customer = store.customer(environment="Sandbox"), store.customer()
    tester.start(PRO, at=ago(HOUR))
    store.add(tester)
    receipt = {"bundleId": BUNDLE, "customerId": "tester", "receiptData": tester.receipt()}
    assert service.client("backend").post("/v1/history/receipts", receipt).status_code == 200
    wait_until(lambda: tester.subscriptions[0].original_id in asked(store))
    subscription = customer.start(PRO, at=ago(30 * DAY) + HOUR)
    store.add(customer)
    hand_in(service, store, customer)
    wait_until(lambda: subscription.original_id in asked(store))


def test_of_two_services_on_one_store_one_polls_and_the_other_takes_over_when_it_stops(connected, store, tmp_path):
    shared = f"store: {{sqlite: {tmp_path / 'shared.sqlite'}}}\n"
    services = [connected(poll_seconds=1, extra=shared), connected(poll_seconds=1, extra=shared, start=False)]
    services[1].allows_second_process = True
    services[1].start()
    # Slow enough for two to meet.
    store.fault("history", delayMilliseconds=250)
    customers = [store.customer() for _ in range(4)]
    subscriptions = [customer.start(PRO, at=ago(30 * DAY) + HOUR) for customer in customers]
    store.add(*customers)
    for customer in customers:
        hand_in(services[0], store, customer)
    wait_until(lambda: len(asked(store, "subscriptions")) >= 4)
    for service in services:
        another_round(service, "renewal_poll")
    assert sorted(asked(store)) == sorted(subscription.original_id for subscription in subscriptions)
    services[0].stop()
    other = store.customer()
    subscription = other.start(PRO, at=ago(30 * DAY) + HOUR)
    store.add(other)
    hand_in(services[1], store, other)
    wait_until(lambda: subscription.original_id in asked(store))
    services[1].stop()
