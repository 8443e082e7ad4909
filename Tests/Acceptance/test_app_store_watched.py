"""A service that looks for missed notifications and for renewals all the time."""
import pytest

from harness.app_store import BUNDLE
from harness.background import another_round, asked, due_at, miss, state
from harness.purchases import DAY, HOUR, PRO, active, ago, eligibility, hand_in, lapsed, now
from harness.service import Service
from harness.waiting import wait_until


@pytest.fixture(scope="module")
def watching(app_store, tmp_path_factory):
    """Looks for both every second."""
    extra = app_store.configuration_yaml(BUNDLE, eligibility="enforce", poll_seconds=1, catch_up_seconds=1)
    service = Service(tmp_path_factory.mktemp("watching") / "service", extra=extra)
    service.start()
    yield service
    service.stop()


@pytest.fixture
def store(app_store, watching):
    """The App Store without what other tests left behind."""
    return app_store.cleared_for(watching)


# Catching up


def test_notifications_that_never_arrived_are_fetched(watching, store):
    # In its first period, so that nothing is missing that the poller would ask for.
    subscription = store.customer().start(PRO, at=ago(10 * DAY))
    arrived = store.send_v2(f"{watching.url}/v1/appstore/notifications/{BUNDLE}", subscription)
    assert arrived["attempts"][-1]["sendAttemptResult"] == "SUCCESS"
    assert state(watching, subscription) == "active"
    miss(store, subscription.refund(at=now()))
    wait_until(lambda: state(watching, subscription) == "revoked")
    # It looks again and again, and what it knows stays as it is.
    looks = len(store.requests("notificationHistory"))
    before = watching.history()
    wait_until(lambda: len(store.requests("notificationHistory")) >= looks + 4)
    assert watching.history() == before


def test_catching_up_goes_on_when_the_app_store_is_back(watching, store):
    store.fault("notificationHistory", httpStatus=401)
    subscription = active(store.customer()).refund(at=now())
    miss(store, subscription)
    wait_until(lambda: len(store.requests("notificationHistory")) >= 3)
    assert state(watching, subscription) == "never"
    store.clear_faults()
    wait_until(lambda: state(watching, subscription) == "revoked")


def test_a_forged_notification_in_the_list_is_left_out_and_the_rest_is_taken(watching, store):
    first, second = active(store.customer()), active(store.customer())
    miss(store, first, tampered={"notificationType": "REFUND"})
    miss(store, second)
    wait_until(lambda: state(watching, second) == "active")
    assert state(watching, first) == "never"


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
    wait_until(lambda: soon.original_id in asked(store))
    # While it is asked about it is due in ten minutes.
    wait_until(lambda: (due_at(service, soon) or 0) > now() + HOUR // 2)
    # Next in a minute after its end; the far one a day before its own; and what is over in some weeks.
    assert abs(due_at(service, soon) - soon.last["expiresDate"] - 60_000) < 1000
    assert due_at(service, far.subscriptions[0]) == far.subscriptions[0].last["expiresDate"] - DAY
    assert due_at(service, ended) > now() + 14 * DAY
    another_round(service, "renewal_poll")
    for route in ("history", "subscriptions"):
        ours = [each for each in asked(store, route) if each in {soon.original_id, far.subscriptions[0].original_id, ended.original_id}]
        assert ours == [soon.original_id]


def test_a_renewal_without_a_notification_is_found_out(watching, store):
    service = watching
    renewed, lost = store.customer(), store.customer()
    goes, ends = renewed.start(PRO, at=ago(31 * DAY)), lost.start(PRO, at=ago(31 * DAY))
    hand_in(service, store, renewed, signedRenewalInfos=[])
    hand_in(service, store, lost, signedRenewalInfos=[])
    assert (state(service, goes), state(service, ends)) == ("expired", "expired")
    goes.renew()
    ends.cancel_auto_renew(at=ago(2 * DAY)).expire()
    store.add(renewed, lost)
    wait_until(lambda: state(service, goes) == "active")
    # The other one is over: the App Store says so, and is not asked again for weeks.
    wait_until(lambda: due_at(service, ends) > now() + 14 * DAY)
    assert eligibility(service, transactionId=ends.original_id)["subscription"]["willRenew"] is False


def test_what_the_app_store_does_not_know_is_not_asked_about_again_and_delays_no_other(watching, store):
    service = watching
    unknown, known = store.customer(), store.customer()
    first, second = unknown.start(PRO, at=ago(32 * DAY)), known.start(PRO, at=ago(31 * DAY))
    hand_in(service, store, unknown, signedRenewalInfos=[])
    hand_in(service, store, known, signedRenewalInfos=[])
    second.renew()
    store.add(known)
    wait_until(lambda: state(service, second) == "active")
    wait_until(lambda: due_at(service, first) is None)


def test_a_history_that_begins_in_the_middle_is_completed(watching, store):
    customer = store.customer()
    subscription = lapsed(customer)
    store.add(customer)
    hand_in(watching, store, customer, signedTransactions=customer.signed_transactions(store.authority)[-1:])

    def introductory():
        return eligibility(watching, transactionId=subscription.last["transactionId"])["introductoryOffer"]["status"]

    wait_until(lambda: introductory() == "eligible")
    assert subscription.original_id in asked(store)
