"""What is known of a customer and what is not: completeness, old news, changes without a notification, Apple's groups, the sandbox."""
import json

import pytest

from AppStoreServer import receipts
from harness.app_store import BUNDLE, SHARED_SECRET
from harness.purchases import (
    DAY, GROUP, PRO, TEAM, YEARLY, active, ago, eligibility, hand_in, lapsed, now, signed, summary, verdict,
)
from harness.waiting import wait_until

NOTIFICATIONS = f"/v1/appstore/notifications/{BUNDLE}"


@pytest.fixture(scope="module")
def requiring(app_store, tmp_path_factory):
    """A service whose app treats no customer as new without the whole history."""
    from harness.service import Service
    service = Service(
        tmp_path_factory.mktemp("requiring") / "service",
        extra=app_store.configuration_yaml(BUNDLE, eligibility="enforce", requireHistory=True))
    service.start()
    app_store.admit(service)
    yield service
    service.stop()


def whole_answer(service, **who):
    answer = service.client().post("/v1/eligibility", {"bundleId": BUNDLE, "products": [PRO], **who})
    assert answer.status_code == 200, answer.text
    return answer.json()


def known(service, customer_id):
    """(history, the verdict on the introductory offer) of a customer."""
    answer = whole_answer(service, customerId=customer_id)
    return answer["history"], verdict(answer["products"][0]["introductoryOffer"])


def notify(service, store, subscription, kind=None, subtype=None, **options):
    sent = store.send_v2(f"{service.url}{NOTIFICATIONS}", subscription, kind, subtype, **options)
    assert sent["attempts"][-1]["status"] == 200, sent
    return sent


# Completeness


def test_a_part_of_the_purchases_does_not_make_a_history(requiring, app_store):
    store = app_store.cleared_for(requiring)
    assert known(requiring, "part") == ("none", ("unknown", ["no-history"], None))
    backend = requiring.client("backend")
    backend.post("/v1/history/transactions", {"bundleId": BUNDLE, "customerId": "part", "signedTransactions": []})
    assert known(requiring, "part") == ("partial", ("unknown", ["incomplete-history"], None))
    customer = store.customer()
    customer.buy("com.example.coins")
    hand_in(requiring, store, customer, "part")
    assert known(requiring, "part") == ("partial", ("unknown", ["incomplete-history"], None))


def test_the_server_api_shows_the_whole_account(requiring, app_store):
    store = app_store.cleared_for(requiring)
    customer = store.customer()
    coins = customer.buy("com.example.coins")
    store.add(customer)
    answer = requiring.client("backend").post(
        "/v1/history/refresh", {"bundleId": BUNDLE, "transactionId": coins["transactionId"], "customerId": "whole"})
    assert answer.status_code == 200, answer.text
    assert known(requiring, "whole") == ("complete", ("eligible", ["new-customer"], None))


def test_a_receipt_of_ios_7_shows_the_whole_account_and_one_of_ios_6_does_not(requiring, app_store):
    store = app_store.cleared_for(requiring)
    new, old = store.customer(), store.customer()
    lapsed(old)
    store.add(new, old)
    backend = requiring.client("backend")
    for name, data in [("ios7", new.receipt()), ("ios6", old.receipt(old.transactions[-1]))]:
        answer = backend.post("/v1/history/receipts", {"bundleId": BUNDLE, "customerId": name, "receiptData": data})
        assert answer.status_code == 200, answer.text
    assert known(requiring, "ios7") == ("complete", ("eligible", ["new-customer"], None))
    assert known(requiring, "ios6")[0] == "partial"


def test_an_import_says_what_it_shows(requiring, app_store, tmp_path):
    store = app_store.cleared_for(requiring)
    whole, part, receipt = store.customer(), store.customer(), store.customer()
    lapsed(whole), lapsed(part)
    lines = [
        {"customerId": "imported-whole", **signed(store, whole), "complete": True},
        {"customerId": "imported-part", **signed(store, part)},
        {"customerId": "imported-receipt", "receipt": receipts.ios7(receipt.record(), now())},
        {"customerId": "x", **signed(store, part), "complete": "yes"},
    ]
    file = tmp_path / "lines.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = requiring.cli("history", "import", "--app", BUNDLE, file)
    assert json.loads(done.stdout)["rejected"] == 1, done.stderr
    assert known(requiring, "imported-whole")[0] == "complete"
    assert known(requiring, "imported-part")[0] == "partial"
    assert known(requiring, "imported-receipt") == ("complete", ("eligible", ["new-customer"], None))


# Changes without a notification


def test_after_an_upgrade_that_only_the_new_transaction_shows_the_month_decides(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    customer = store.customer(app_account_token="5a1b2c3d-0000-4000-8000-000000000001")
    subscription = customer.start(YEARLY, at=ago(100 * DAY), period="P1Y")
    notify(enforcing, store, subscription, at=ago(100 * DAY))
    subscription.upgrade(TEAM, at=ago(95 * DAY), period="P1M")
    notify(enforcing, store, subscription, at=ago(95 * DAY))
    subscription.cancel_auto_renew(at=ago(90 * DAY)).expire()
    subscription.renewal["eligibleWinBackOfferIds"] = ["comeback"]
    notify(enforcing, store, subscription)
    found = eligibility(enforcing, appAccountToken=customer.app_account_token)
    assert found["subscription"]["state"] == "expired"
    assert found["subscription"]["productId"] == TEAM
    assert found["winBackOffers"] == ["comeback"]
    assert verdict(found["introductoryOffer"])[:2] == ("eligible", ["lapsed-without-introductory-offer"])


def test_what_the_app_store_names_no_more_is_no_win_back_offer(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    customer = store.customer(app_account_token="5a1b2c3d-0000-4000-8000-000000000002")
    subscription = lapsed(customer)
    subscription.renewal["eligibleWinBackOfferIds"] = ["comeback"]
    notify(enforcing, store, subscription, at=ago(20 * DAY))
    assert eligibility(enforcing, appAccountToken=customer.app_account_token)["winBackOffers"] == ["comeback"]
    del subscription.renewal["eligibleWinBackOfferIds"]
    notify(enforcing, store, subscription, "PRICE_CHANGE", at=ago(10 * DAY))
    assert eligibility(enforcing, appAccountToken=customer.app_account_token)["winBackOffers"] == []


def test_a_renewal_comes_with_its_own_word_on_the_next_one(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    customer = store.customer()
    subscription = active(customer)
    moment_before = customer.transactions[-1]["purchaseDate"] - 2000
    notify(enforcing, store, subscription, at=moment_before)
    found = eligibility(enforcing, transactionId=subscription.original_id)
    assert (found["subscription"]["state"], found["subscription"].get("willRenew")) == ("active", True)


def test_the_latest_account_token_counts(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    older, newer = "ffffffff-0000-4000-8000-000000000003", "00000000-0000-4000-8000-000000000003"
    customer = store.customer(app_account_token=newer)
    subscription = active(customer)
    notify(enforcing, store, subscription, at=ago(2 * DAY))
    for transaction in customer.transactions:
        transaction["appAccountToken"] = older
    subscription.renewal["appAccountToken"] = older
    notify(enforcing, store, subscription, "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", at=ago(5 * DAY))
    assert eligibility(enforcing, appAccountToken=newer)["subscription"]["state"] == "active"
    assert eligibility(enforcing, appAccountToken=older)["subscription"]["state"] == "never"


# Old news


def test_a_period_that_ran_out_without_a_word_is_no_lapse_and_apple_is_asked(connected, app_store):
    service = connected(issuerId="57246542-96fe-1a63-e053-0824d011072a", lapsed_refresh_hours=24)
    store = app_store.cleared_for(service)
    customer = store.customer()
    subscription = customer.start(PRO, at=ago(40 * DAY))
    hand_in(service, store, customer, "quiet", signedTransactions=customer.signed_transactions(store.authority), signedRenewalInfos=[])
    # It was renewed since, and we were not told.
    subscription.renew()
    store.add(customer)
    state, introductory, promotional = summary(eligibility(service, customerId="quiet"))
    assert (state, introductory[:2]) == ("expired", ("unknown", ["renewal-unconfirmed"]))
    assert promotional[:2] == ("eligible", ["lapsed-subscriber", "renewal-unconfirmed"])
    wait_until(lambda: eligibility(service, customerId="quiet")["subscription"]["state"] == "active")


def test_a_lapsed_subscription_is_asked_about_once_a_day_behind_the_answer(connected, app_store):
    service = connected(issuerId="57246542-96fe-1a63-e053-0824d011072a", lapsed_refresh_hours=24)
    store = app_store.cleared_for(service)
    customer = store.customer()
    subscription = customer.start(PRO, at=ago(200 * DAY)).cancel_auto_renew(at=ago(190 * DAY)).expire()
    old = {**subscription.renewal, "signedDate": ago(100 * DAY)}
    hand_in(service, store, customer, "former", signedRenewalInfos=[store.authority.sign(old)])
    subscription.renewal["eligibleWinBackOfferIds"] = ["comeback"]
    store.add(customer)
    store.forget_requests()
    assert eligibility(service, customerId="former")["winBackOffers"] == []
    wait_until(lambda: eligibility(service, customerId="former")["winBackOffers"] == ["comeback"])
    asked = len(store.requests("subscriptions"))
    for _ in range(5):
        eligibility(service, customerId="former")
    assert asked == len(store.requests("subscriptions")) == 1


# Groups


def test_the_group_that_apple_names_is_used_and_the_catalogue_warned_of(connected, app_store):
    service = connected(start=False)
    service.start()
    store = app_store.cleared_for(service)
    customer, other = store.customer(), store.customer()
    customer.start(PRO, "99999999", at=ago(10 * DAY), intro=True)
    hand_in(service, store, customer, "moved")
    found = eligibility(service, customerId="moved")
    assert found["subscriptionGroupId"] == "99999999" != GROUP
    assert found["subscription"]["state"] == "active"
    status, reasons, _ = verdict(found["introductoryOffer"])
    assert (status, reasons) == ("ineligible", ["introductory-offer-used", "current-subscriber", "catalogue-group-differs"])
    # Of every customer, not of this one only; and the rest of the group stays where it was.
    assert "catalogue-group-differs" in verdict(eligibility(service, customerId="new")["introductoryOffer"])[1]
    assert eligibility(service, YEARLY, customerId="moved")["subscriptionGroupId"] == GROUP
    other.start(PRO, "99999999", at=ago(10 * DAY))
    hand_in(service, store, other, "also")
    assert service.metric("offersigner_catalogue_group_differences_total", app=BUNDLE) == 1
    warnings = [line for line in service.log() if line.get("product") == PRO]
    assert [(line["level"], line["appStore"], line["catalogue"]) for line in warnings] == [("warning", "99999999", GROUP)]
    service.stop()
    checked = service.cli("check-config")
    assert f"the catalogue has {PRO} in group {GROUP}, the App Store in 99999999" in checked.stdout
    service.start()
    assert eligibility(service, customerId="new")["subscriptionGroupId"] == "99999999"


# The sandbox


def test_what_the_sandbox_says_changes_no_verdict_of_production(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    receipt_owner, notified = store.customer(environment="Sandbox"), store.customer(environment="Sandbox")
    receipt_owner.start(PRO, at=ago(60_000), intro=True)
    store.add(receipt_owner, notified)
    before = known(enforcing, "tester")
    answer = enforcing.client("backend").post(
        "/v1/history/receipts", {"bundleId": BUNDLE, "customerId": "tester", "receiptData": receipt_owner.receipt()})
    assert answer.status_code == 200 and answer.json()["accepted"] == 1, answer.text
    assert known(enforcing, "tester") == before == ("none", ("eligible", ["new-customer"], None))
    subscription = notified.start(PRO, at=ago(60_000), intro=True)
    sent = store.send_v1(f"{enforcing.url}{NOTIFICATIONS}", subscription, password=SHARED_SECRET)
    assert sent["attempts"][-1]["status"] == 200
    found = eligibility(enforcing, transactionId=subscription.original_id)
    assert summary(found) == ("never", ("eligible", ["new-customer"], None), ("ineligible", ["never-subscribed"], None))
    for original_id in (subscription.original_id, receipt_owner.transactions[0]["transactionId"]):
        shown = enforcing.cli("history", "show", "--app", BUNDLE, original_id)
        assert "sandbox" in shown.stdout.splitlines()[0], shown.stdout


def test_more_offers_than_app_store_connect_has_are_refused(new_service, tmp_path):
    offers = [{"id": f"offer{number}", "kind": "free-trial", "period": "P1W"} for number in range(11)]
    product = {"id": "com.example.pro.weekly", "period": "P1W", "promotionalOffers": offers}
    app = {"bundleId": "com.example.many", "subscriptionGroups": [{"id": "1", "products": [product]}]}
    file = tmp_path / "many.yaml"
    file.write_text(f"apps: [{json.dumps(app)}]\n")
    from harness.service import EXAMPLE, run
    done = run("check-config", "--config", EXAMPLE, "--config", file)
    assert done.returncode != 0
    assert "has 11 offers; a product has at most 10" in done.stderr
