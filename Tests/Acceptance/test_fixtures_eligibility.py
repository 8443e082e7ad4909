"""The real receipts and the real notification of Tests/Fixtures: stored, and right."""
import json

import pytest

from harness.app_store import SHARED_SECRET, TESTS
from harness.purchases import eligibility, summary, verdict
from harness.service import Service

QUEEN, PRODUCT, GROUP = "com.iksocial.queen", "queen.plan1.super.1m.25yuan", "20563228"
FIRST = "1000000666265459"
APPS = f"""
apps:
  - bundleId: {QUEEN}
    environment: Sandbox
    sharedSecret: "{SHARED_SECRET}"
    subscriptionGroups:
      - id: "{GROUP}"
        products:
          - id: {PRODUCT}
            period: P1M
            introductoryOffer: {{kind: pay-up-front, period: P1M}}
            promotionalOffers: [{{id: back, kind: pay-as-you-go, period: P1M}}]
"""


def fixture(name):
    return json.loads((TESTS / "Fixtures" / name).read_text())


def filled_in(value, replacements):
    """The same JSON with text in the places of "..."."""
    if isinstance(value, dict):
        return {name: replacements[name] if each == "..." else filled_in(each, replacements) for name, each in value.items()}
    return [filled_in(each, replacements) for each in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = Service(tmp_path_factory.mktemp("queen") / "service", extra=APPS)
    keys = service.lay_out_keys()
    (keys / "keys.yaml").unlink()
    service.start()
    answer = service.client("backend").post("/v1/history/receipts", {
        "bundleId": QUEEN, "customerId": "queen", "verifiedReceipt": fixture("verify-receipt-response-ios7-subscription.json"),
    })
    assert answer.status_code == 200 and answer.json()["accepted"] > 0 and answer.json()["rejected"] == []
    yield service
    service.stop()


def queen(service, **who):
    return eligibility(service, PRODUCT, bundleId=QUEEN, **who)


def at(service, time):
    """What `offersigner eligibility` answers as of a time."""
    done = service.cli("eligibility", "--app", QUEEN, "--at", time, "--json", "queen")
    assert done.returncode == 0, done.stderr
    [product] = json.loads(done.stdout)["products"]
    return product


def test_the_subscriber_used_an_introductory_period_and_may_have_a_promotional_offer(service):
    found = queen(service, customerId="queen")
    assert found["subscriptionGroupId"] == GROUP
    state, introductory, promotional = summary(found)
    assert state == "expired"
    assert introductory == ("ineligible", ["introductory-offer-used", "sandbox-history"], FIRST)
    assert promotional[0] == "eligible" and promotional[1][0] == "lapsed-subscriber"
    assert found["subscription"]["originalTransactionId"] == FIRST


def test_any_transaction_of_the_receipt_names_the_subscriber(service):
    for transaction in [FIRST, "1000000666268121", "1000000666271337", "1000000666280122"]:
        assert queen(service, transactionId=transaction)["subscription"]["originalTransactionId"] == FIRST


@pytest.mark.parametrize(
    ("time", "state"),
    [
        ("2020-05-18T10:36:00Z", "never"), ("2020-05-18T10:38:00Z", "active"), ("2020-05-18T10:47:30Z", "expired"),
        ("2020-05-18T10:50:00Z", "active"), ("2020-06-01T00:00:00Z", "expired"),
    ],
)
def test_the_state_is_that_of_the_time_that_is_asked_about(service, time, state):
    assert at(service, time)["subscription"]["state"] == state


def test_the_command_line_says_it_in_words(service):
    done = service.cli("eligibility", "--app", QUEEN, "--at", "2020-05-18T10:50:00Z", "queen")
    assert done.returncode == 0 and "\\n" not in done.stdout
    for words in ["as of 2020-05-18T10:50:00Z", f"{PRODUCT} (group {GROUP})", "subscription: active", "until 2020-05-18T10:53:56Z", FIRST]:
        assert words in done.stdout
    assert "introductory offer: ineligible" in done.stdout and "promotional offer back: eligible" in done.stdout
    done = service.cli("eligibility", "--app", QUEEN, "--at", "2020-06-01T00:00:00Z", "queen")
    assert "subscription: expired" in done.stdout


def test_an_offer_is_signed_for_the_subscriber_and_not_for_others(service):
    body = {"bundleId": QUEEN, "offers": [{"productId": PRODUCT, "offerId": "back"}]}
    [result] = service.client().sign({**body, "customerId": "queen"})
    assert result["status"] == "signed"
    [result] = service.client().sign({**body, "customerId": "king"})
    assert result["code"] == "never-subscribed"


def test_the_consumable_of_the_old_receipt_is_on_record_and_is_no_subscription(service):
    receipt = filled_in(fixture("verify-receipt-response-ios6-consumable.json"), {
        "transaction_id": "480000000000001", "original_transaction_id": "480000000000001", "product_id": "queen.gold.42c.6yuan",
        "bid": QUEEN, "unique_identifier": "x", "unique_vendor_identifier": "x",
    })
    body = {"bundleId": QUEEN, "customerId": "buyer", "verifiedReceipt": receipt}
    assert service.client("backend").post("/v1/history/receipts", body).json() == {"accepted": 1, "unchanged": 0, "rejected": []}
    found = queen(service, customerId="buyer")
    assert found["subscription"] == {"state": "never"}
    assert verdict(found["introductoryOffer"]) == ("eligible", ["new-customer"], None)
    shown = service.cli("history", "show", "--app", QUEEN, "buyer").stdout
    assert "queen.gold.42c.6yuan, transaction 480000000000001" in shown and "2018-07-15T08:25:37Z" in shown


def test_the_refund_of_2020_07_28_is_on_record(service):
    notification = filled_in(fixture("notification-v1-refund.json"), {
        "password": SHARED_SECRET, "bid": QUEEN, "product_id": "queen.gold.42c.6yuan", "transaction_id": "480000728060053",
        "original_transaction_id": "480000728060053", "latest_receipt": "cmVjZWlwdA==", "unique_identifier": "x",
    })
    path = f"/v1/appstore/notifications/{QUEEN}"
    apple = service.client(token="")
    assert apple.post(path, notification).json() == {"status": "stored"}
    assert apple.post(path, notification).json() == {"status": "known"}
    assert apple.problem(path, {**notification, "password": "..."}) == (401, "shared-secret-mismatch", [])
    shown = service.cli("history", "show", "--app", QUEEN, "480000728060053")
    assert shown.returncode == 0
    lines = shown.stdout.splitlines()
    assert any(line.split()[:1] == ["2020-07-27T07:58:43Z"] and "queen.gold.42c.6yuan" in line for line in lines)
    assert any(line.split()[:1] == ["2020-07-28T06:00:53Z"] and "refunded" in line for line in lines)
    assert any("notification V1 REFUND received" in line for line in lines)
