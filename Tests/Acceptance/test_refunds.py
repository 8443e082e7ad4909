"""Refund requests: what the App Store asks by CONSUMPTION_REQUEST is answered once, by policy, with consent, in time, on record."""
import json
import uuid

import pytest

from harness.app_store import BUNDLE, AppStore
from harness.postgresql import Cluster
from harness.purchases import DAY, HOUR, PRO, YEARLY, ago, hand_in
from harness.waiting import wait_until
from test_replicas import replicas

NOTIFICATIONS = f"/v1/appstore/notifications/{BUNDLE}"
PLAIN = {"customerConsented": True, "sampleContentProvided": False, "deliveryStatus": "DELIVERED"}
POLICIES = [
    {"name": "early", "when": {"products": [PRO], "purchasedWithin": "P2D"}, "answer": {"refundPreference": "GRANT_FULL"}},
    {"name": "used", "when": {"consumedAtLeast": 50}, "answer": {"refundPreference": "DECLINE", "sampleContentProvided": True}},
    {"name": "rest", "answer": {"refundPreference": "GRANT_PRORATED", "consumptionPercentage": 40}},
]


@pytest.fixture
def store(tmp_path, clock):
    """An App Store that sees the same time as the service."""
    (tmp_path / "app-store").mkdir()
    with AppStore(tmp_path / "app-store", environment=clock.environment) as store:
        yield store
        assert (store.exit_code, store.log_text()) == (None, "")


@pytest.fixture
def answering(store, clock, new_service):
    """Starts a service with a mode and policies."""

    def make(mode="send", policies=POLICIES):
        service = new_service(extra=configuration(store, mode, policies), environment=clock.environment, start=False)
        store.register(keys={file.stem.removeprefix("SubscriptionKey_"): file for file in service.lay_out_keys().glob("*.p8")})
        service.start()
        return service

    return make


def configuration(store, mode="send", policies=POLICIES):
    return store.configuration_yaml(BUNDLE, refunds={"mode": mode, "policies": policies}) + "clock: {mostAhead: 31536000}\n"


def state(service, customer, body, role="backend"):
    return service.client(role).request("PUT", f"/v1/customers/{customer}/consumption-consent", content=json.dumps(body))


def consent(service, customer, consented=True):
    answer = state(service, customer, {"bundleId": BUNDLE, "consented": consented})
    assert answer.status_code == 200 and answer.json()["consented"] is consented, answer.text


def customer(service, store, name, consented=True, **bought):
    """A customer with a subscription, of whom the service and the App Store know."""
    person = store.customer()
    subscription = person.start(**{"product": PRO, "at": ago(DAY), **bought})
    store.add(person)
    hand_in(service, store, person, name)
    if consented is not None:
        consent(service, name, consented)
    return subscription


def ask(service, store, subscription, transaction=None, **options):
    """The notification of a request; gives back its transaction."""
    transaction = transaction or subscription.last
    data = {"consumptionRequestReason": "UNINTENDED_PURCHASE", "signedTransactionInfo": store.authority.sign({**transaction, "signedDate": ago(0)})}
    sent = store.send_v2(f"{service.url}{NOTIFICATIONS}", subscription, "CONSUMPTION_REQUEST", data=data, **options)
    assert sent["attempts"][-1]["status"] == 200, sent
    return transaction["transactionId"]


def answers(store):
    return [(each["path"].rsplit("/", 1)[1], each["body"], each["status"]) for each in store.requests("consumption")]


def shown(service, transaction):
    """What the command line shows of a request; None for none."""
    done = service.cli("refunds", "show", transaction, "--app", BUNDLE, "--json")
    if done.returncode != 0:
        assert "is stored" in done.stderr, done.stderr
        return None
    [line] = done.stdout.splitlines()
    return json.loads(line)


def settled(service, transaction):
    """The same, once it no longer waits."""
    return wait_until(lambda: (found := shown(service, transaction)) and found["state"] != "waiting" and found)


def recorded(service):
    items = service.client("security").get("/v1/admin/audit?limit=200").json()["items"]
    return [each for each in reversed(items) if each["action"].startswith("refund.")]


def test_each_request_is_answered_once_by_the_first_policy_that_applies(answering, store):
    service = answering()
    cases = [
        ({}, {"refundPreference": "GRANT_FULL"}, "early"),
        ({"at": ago(20 * DAY)}, {"refundPreference": "DECLINE", "sampleContentProvided": True}, "used"),
        ({"product": YEARLY, "period": "P1Y", "at": ago(DAY)}, {"refundPreference": "GRANT_PRORATED"}, "rest"),
    ]
    expected = {}
    for number, (bought, body, policy) in enumerate(cases):
        subscription = customer(service, store, f"u-{number}", **bought)
        identifier = str(uuid.uuid4())
        for _ in range(2):
            transaction = ask(service, store, subscription, identifier=identifier)
        expected[transaction] = ({**PLAIN, **body}, policy)
    for transaction, (body, policy) in expected.items():
        found = settled(service, transaction)
        assert (found["state"], found["policy"], found["answer"], found["attempts"]) == ("answered", policy, body, 0)
    assert sorted((transaction, body) for transaction, body, status in answers(store) if status == 202) == sorted(
        ((transaction, body) for transaction, (body, _) in expected.items()), key=str)
    assert len(answers(store)) == len(expected)
    events = recorded(service)
    assert {each["action"] for each in events} == {"refund.answer"} and len(events) == len(expected)
    assert {each["transactionId"]: (json.loads(each["after"]), each["subject"]) for each in events} == expected
    assert service.metric("offersigner_refund_requests_total", app=BUNDLE, outcome="answered") == 3
    listed = service.cli("refunds", "list", "--app", BUNDLE).stdout
    assert all(transaction in listed for transaction in expected)


def test_no_answer_is_one_that_apple_refuses(answering, store):
    """Every kind of product, with every answer that the configuration takes: the App Store here makes Apple's checks."""
    kinds = ["Auto-Renewable Subscription", "Consumable", "Non-Consumable", "Non-Renewing Subscription"]
    wanted = [
        {"refundPreference": preference, "deliveryStatus": status, "consumptionPercentage": share}
        for preference in (None, "GRANT_FULL", "GRANT_PRORATED", "DECLINE")
        for status in ("DELIVERED", "UNDELIVERED_OTHER")
        for share in (None, 0, 40, 100)
        if not (status != "DELIVERED" and (share or preference == "GRANT_PRORATED"))
        and not (preference == "GRANT_PRORATED" and share in (0, 100))
    ]
    policies = [
        {"name": f"{number}", "when": {"products": [f"com.example.item.{number}"]},
         "answer": {name: value for name, value in answer.items() if value is not None}}
        for number, answer in enumerate(wanted)
    ]
    service = answering(policies=policies)
    person = store.customer()
    subscription = person.start(PRO, at=ago(DAY))
    bought = {}
    for number, answer in enumerate(wanted):
        for kind in kinds:
            dates = {"expiresDate": ago(-DAY), "subscriptionGroupIdentifier": "1"} if kind == kinds[0] else {}
            transaction = person.buy(f"com.example.item.{number}", kind, at=ago(DAY), **dates)
            bought[transaction["transactionId"]] = (answer, kind, transaction)
    store.add(person)
    hand_in(service, store, person, "anna")
    consent(service, "anna")
    for _, _, transaction in bought.values():
        ask(service, store, subscription, transaction)
    wait_until(lambda: len(answers(store)) == len(bought))
    for transaction, body, status in answers(store):
        answer, kind, _ = bought[transaction]
        assert status == 202, (kind, answer, body)
        assert body["deliveryStatus"] == answer["deliveryStatus"]
        if kind == kinds[0]:
            share = None
        else:
            share = 0 if answer["deliveryStatus"] != "DELIVERED" else answer["consumptionPercentage"]
        assert body.get("consumptionPercentage") == (None if share is None else share * 1000), (kind, answer, body)
        is_left_out = answer["refundPreference"] == "GRANT_PRORATED" and kind != kinds[0] and share is None
        assert body.get("refundPreference") == (None if is_left_out else answer["refundPreference"]), (kind, answer, body)


def later(service, clock, seconds):
    """A service whose clock leaps while it runs trusts no clock."""
    service.stop()
    clock.set(seconds)
    service.start()


def test_an_app_store_that_fails_is_asked_again(answering, store, clock):
    service = answering()
    subscription = customer(service, store, "anna")
    store.fault("consumption", times=3, errorCode=5000000)
    store.fault("consumption", times=1, retryAfterMilliseconds=HOUR)
    transaction = ask(service, store, subscription)
    wait_until(lambda: shown(service, transaction)["attempts"] == 1)
    assert shown(service, transaction)["detail"] == "app-store-unavailable"
    later(service, clock, 60)
    wait_until(lambda: shown(service, transaction)["attempts"] == 2)
    assert shown(service, transaction)["detail"] == "app-store-rate-limited"
    assert shown(service, transaction)["dueAt"] >= ago(0) + HOUR
    later(service, clock, 60 + HOUR // 1000 + 60)
    assert settled(service, transaction)["state"] == "answered"
    assert [status for _, _, status in answers(store)] == [500, 500, 500, 429, 202]
    assert [each["action"] for each in recorded(service)] == ["refund.answer"]


def test_a_refusal_ends_it(answering, store):
    service = answering()
    subscription = customer(service, store, "anna")
    store.fault("consumption", errorCode=4000035)
    found = settled(service, ask(service, store, subscription))
    assert (found["state"], found["detail"]) == ("refused", "app-store-rejected 4000035")
    assert [each["reason"] for each in recorded(service)] == ["app-store-rejected 4000035"]


def test_a_kill_between_the_notification_and_the_answer_loses_nothing(answering, store, clock):
    service = answering()
    subscriptions = [customer(service, store, f"u-{number}") for number in range(3)]
    store.fault("consumption", errorCode=5000000)
    failed = ask(service, store, subscriptions[0])
    wait_until(lambda: shown(service, failed)["attempts"] == 1)
    # These have just been acknowledged.
    waiting = [ask(service, store, each) for each in subscriptions[1:]]
    service.kill()
    store.clear_faults()
    # A claim of the killed process lasts ten minutes.
    clock.set(15 * 60)
    service.start()
    for transaction in [failed, *waiting]:
        assert settled(service, transaction)["state"] == "answered"
    arrived = [transaction for transaction, _, status in answers(store) if status == 202]
    assert sorted(arrived) == sorted([failed, *waiting])


def test_after_twelve_hours_nothing_is_sent(answering, store, clock):
    service = answering()
    subscription = customer(service, store, "anna")
    store.fault("consumption", errorCode=5000000)
    transaction = ask(service, store, subscription)
    wait_until(lambda: shown(service, transaction)["attempts"] == 1)
    service.stop()
    store.clear_faults()
    store.forget_requests()
    clock.set(12 * HOUR // 1000)
    service.start()
    assert settled(service, transaction)["state"] == "expired"
    # One that comes with a notification of yesterday.
    late = ask(service, store, customer(service, store, "eva"), at=ago(-12 * HOUR) - 25 * HOUR)
    assert settled(service, late)["state"] == "expired"
    assert answers(store) == []
    assert [each["action"] for each in recorded(service)] == ["refund.leave"] * 2


def test_a_dry_run_sends_nothing_and_shows_everything(answering, store):
    service = answering("dry-run")
    subscription = customer(service, store, "anna")
    transaction = ask(service, store, subscription)
    found = settled(service, transaction)
    assert (found["state"], found["policy"], found["answer"]) == ("dry-run", "early", {**PLAIN, "refundPreference": "GRANT_FULL"})
    assert found["consumptionRequestReason"] == "UNINTENDED_PURCHASE"
    assert [each["action"] for each in recorded(service)] == ["refund.dry-run"]
    text = service.cli("refunds", "show", transaction, "--app", BUNDLE).stdout
    assert "not sent" in text and '"refundPreference":"GRANT_FULL"' in text
    # The policies can be tried without any request, at any time.
    tried = service.cli("refunds", "try", transaction, "--app", BUNDLE, "--at", "2099-01-01T00:00:00Z", "--json")
    found = json.loads(tried.stdout)
    assert (found["policy"], found["consumedShare"], found["obstacle"]) == ("used", 100_000, None)
    assert answers(store) == []


@pytest.mark.parametrize("consented, detail", [(None, "no-consent"), (False, "consent-withdrawn")])
def test_without_consent_nothing_is_sent(answering, store, consented, detail):
    service = answering()
    transaction = ask(service, store, customer(service, store, "anna", consented=consented))
    found = settled(service, transaction)
    assert (found["state"], found["detail"], found["answer"]) == ("unanswered", detail, None)
    assert [(each["action"], each["reason"]) for each in recorded(service)] == [("refund.leave", detail)]
    assert answers(store) == []


def test_off_is_the_default_and_keeps_nothing(store, connected_off):
    service = connected_off
    transaction = ask(service, store, customer(service, store, "anna"))
    assert shown(service, transaction) is None
    assert json.loads(service.cli("refunds", "try", transaction, "--app", BUNDLE, "--json").stdout)["answer"] == PLAIN


@pytest.fixture
def connected_off(store, new_service):
    service = new_service(extra=store.configuration_yaml(BUNDLE), start=False)
    service.lay_out_keys()
    service.start()
    return service


def test_consent_is_a_backend_s_statement_that_an_export_shows_and_an_erasure_removes(answering, store):
    service = answering()
    backend = service.client("backend")
    customer(service, store, "anna", consented=None)
    export = f"/v1/customers/anna/export?bundleId={BUNDLE}"
    assert backend.get(export).json()["consumptionConsent"] is None
    for body in ({"bundleId": BUNDLE}, {"bundleId": BUNDLE, "consented": None}, {"bundleId": BUNDLE, "consented": "yes"}):
        answer = state(service, "anna", body)
        assert (answer.status_code, [each["name"] for each in answer.json()["fields"]]) == (400, ["consented"])
    for role in ("client", "marketing", "security"):
        assert state(service, "anna", {"bundleId": BUNDLE, "consented": True}, role).status_code == 403
    consent(service, "anna")
    assert backend.get(export).json()["consumptionConsent"]["consented"] is True
    consent(service, "anna", False)
    assert backend.get(export).json()["consumptionConsent"]["consented"] is False
    items = service.client("security").get("/v1/admin/audit?action=customer.consent&limit=10").json()["items"]
    assert [(each["after"], each["customerId"]) for each in items] == [("withdrawn", "anna"), ("given", "anna")]
    assert backend.request("DELETE", f"/v1/customers/anna?bundleId={BUNDLE}").status_code == 200
    hand_in(service, store, store.customer(), "anna")
    assert backend.get(export).json()["consumptionConsent"] is None
    # Also what was said before anything was bought.
    consent(service, "new")
    assert backend.get(f"/v1/customers/new/export?bundleId={BUNDLE}").json()["consumptionConsent"]["consented"] is True
    assert [backend.request("DELETE", f"/v1/customers/new?bundleId={BUNDLE}").status_code for _ in range(2)] == [200, 404]


def test_of_two_replicas_one_answers(tmp_path, store, clock):
    cluster = Cluster()
    services = []
    try:
        services += replicas(tmp_path, cluster, count=2, extra=configuration(store))
        store.admit(services[0])
        transactions = []
        for number in range(20):
            service = services[number % 2]
            identifier = str(uuid.uuid4())
            subscription = customer(service, store, f"u-{number}")
            for each in services:
                transaction = ask(each, store, subscription, identifier=identifier)
            transactions.append(transaction)
        wait_until(lambda: len(answers(store)) >= len(transactions))
        for transaction in transactions:
            assert settled(services[0], transaction)["state"] == "answered"
        assert sorted(transaction for transaction, _, _ in answers(store)) == sorted(transactions)
        assert len(recorded(services[1])) == len(transactions)
    finally:
        for service in services:
            if service.is_running:
                service.kill()
        cluster.close()
