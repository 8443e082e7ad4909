"""`offersigner doctor`: what a first integration meets, each with what to do about it."""
import json

import pytest

from harness.app_store import BUNDLE, ISSUER
from harness.clock import Clock
from harness.purchases import hand_in, lapsed
from harness.waiting import PATIENCE


@pytest.fixture
def service(connected, app_store):
    """With a customer, and the App Store knowing where its notifications go."""
    service = connected(issuerId=ISSUER, appAppleId=1234567890)
    tell(app_store, service.url)
    customer = app_store.customer()
    lapsed(customer)
    hand_in(service, app_store, customer, "u-1")
    yield service
    app_store.settings(notificationURLs={})
    app_store.clear_faults()


def tell(app_store, url):
    url = f"{url}/v1/appstore/notifications/{BUNDLE}"
    app_store.settings(notificationURLs={"Production": url, "Sandbox": url})


def examine(service, *arguments, code=0, environment=None):
    """subject → (state, text, remedy)."""
    done = service.cli("doctor", "--app", BUNDLE, "--json", "--wait", str(PATIENCE), *arguments, environment=environment)
    assert done.returncode == code, done.stdout + done.stderr
    [app] = json.loads(done.stdout)["apps"]
    assert app["bundleId"] == BUNDLE
    return {each["subject"]: (each["state"], each["text"], each.get("remedy", "")) for each in app["findings"]}


def test_all_is_well(service):
    found = examine(service)
    assert {subject: state for subject, (state, _, _) in found.items()} == {
        "key": "good", "server-api": "good", "notifications": "good", "histories": "good",
    }, found
    done = service.cli("doctor", "--app", BUNDLE)
    assert f"{BUNDLE}, Production\n  ok       signs with " in done.stdout and "→" not in done.stdout


def test_a_url_that_was_never_entered(service, app_store):
    app_store.settings(notificationURLs={})
    state, text, remedy = examine(service, code=1)["notifications"]
    assert state == "problem" and "no URL" in text and f"https://HOST/v1/appstore/notifications/{BUNDLE}" in remedy


def test_a_url_without_an_answer(service, app_store):
    tell(app_store, "http://127.0.0.1:9")
    state, text, _ = examine(service, code=1)["notifications"]
    assert state == "problem" and "could not deliver" in text


def test_a_url_at_which_another_service_answers(service, app_store, connected):
    other = connected(issuerId=ISSUER, appAppleId=1234567890)
    app_store.register(keys={service.key_id: service.key_file})
    tell(app_store, other.url)
    state, text, remedy = examine(service, code=1)["notifications"]
    assert state == "problem" and "not to this service's store" in text and "Another service" in remedy


def test_an_app_that_was_never_released(connected, app_store):
    service = connected(issuerId=ISSUER, appAppleId=1234567890)
    app_store.fault(environment="Production", httpStatus=401, times=20)
    try:
        found = examine(service)
    finally:
        app_store.clear_faults()
    assert found["server-api"][0] == "warning" and "never released" in found["server-api"][1]
    assert found["notifications"][0] == "skipped"


def test_an_app_with_purchases_was_released(service, app_store):
    app_store.fault(environment="Production", httpStatus=401, times=20)
    state, text, remedy = examine(service, code=1)["server-api"]
    assert state == "problem" and "although the app was released" in text and "Nothing is wrong with the key" in remedy


def test_a_key_that_the_app_store_does_not_know(service, app_store):
    app_store.register(keys={})
    state, text, remedy = examine(service, code=1)["server-api"]
    assert state == "problem" and "(401)" in text and "In-App Purchase" in remedy


def test_a_wrong_issuer(connected, app_store):
    service = connected(issuerId="me")
    state, _, remedy = examine(service, code=1)["server-api"]
    assert state == "problem" and remedy.startswith("issuerId is not a UUID")


def test_a_clock_that_is_wrong(service, tmp_path):
    clock = Clock(tmp_path)
    clock.set(-7200)
    state, text, remedy = examine(service, code=1, environment=clock.environment)["server-api"]
    assert state == "problem" and "behind" in text and "NTP" in remedy


def test_an_app_store_that_cannot_be_reached(connected):
    away = {f"OFFERSIGNER_APPSTORE_SERVERAPI_{each}": "http://127.0.0.1:9" for each in ("PRODUCTION", "SANDBOX")}
    found = examine(connected(), code=1, environment=away)
    state, text, _ = found["server-api"]
    assert state == "problem" and "no answer" in text
    # No question was asked whether the token is accepted.
    assert found["notifications"][0] == "skipped" and not any("token" in text for _, text, _ in found.values())


def test_without_history(connected, app_store):
    service = connected()
    tell(app_store, service.url)
    found = examine(service)
    app_store.settings(notificationURLs={})
    assert found["histories"][0] == "warning" and "offersigner history import" in found["histories"][2]


def test_a_catalogue_that_differs(connected, app_store):
    service = connected(
        issuerId=ISSUER,
        subscriptionGroups=[{"id": "999", "products": [{"id": "com.example.pro.monthly", "level": 1, "period": "P1M"}]}],
    )
    customer = app_store.customer()
    lapsed(customer)
    lapsed(customer, "com.example.gone")
    hand_in(service, app_store, customer, "u-1")
    done = service.cli("doctor", "--app", BUNDLE)
    assert "com.example.pro.monthly is in group 999 here, and in 20563228 in the App Store" in done.stdout
    assert "not in the catalogue: com.example.gone" in done.stdout


def test_the_sandbox_beside_an_app_is_looked_at_too(connected, app_store):
    service = connected(issuerId=ISSUER, appAppleId=1234567890, sandbox=True)
    tell(app_store, service.url)
    done = service.cli("doctor", "--app", BUNDLE)
    app_store.settings(notificationURLs={})
    assert done.returncode == 0, done.stdout
    assert f"{BUNDLE}, Production" in done.stdout and f"{BUNDLE}, Sandbox" in done.stdout
    assert done.stdout.count("a test notification has come") == 2
