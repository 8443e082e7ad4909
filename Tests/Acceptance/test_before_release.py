"""The weeks of TestFlight and App Review: Production answers the Server API with 401 and no body, and all purchases are of the Sandbox."""
import json
import uuid

import pytest

from harness.app_store import BUNDLE, ISSUER
from harness.purchases import GROUP, MINUTE, PRO, ago, eligibility, now
from harness.waiting import PATIENCE, wait_until

SANDBOX = {"environment": "Sandbox"}
NOTIFICATIONS = f"/v1/appstore/notifications/{BUNDLE}"
CATALOGUE = [{
    "id": GROUP,
    "products": [{
        "id": PRO, "level": 1, "period": "P1M", "introductoryOffer": {"kind": "free-trial", "period": "P1W"},
        "promotionalOffers": [{"id": "winback50", "kind": "pay-as-you-go", "period": "P3M", "limits": {"perCustomer": 1}}],
    }],
}]
# How an app in TestFlight is configured: Sandbox alone, or the Sandbox beside the Production that is to come.
ALONE, BESIDE = {"environment": "Sandbox"}, {"sandbox": True}


@pytest.fixture
def early(connected, app_store):
    """Starts a service for an app that was never released."""
    app_store.reset()

    def make(**options):
        service = connected(start=False, issuerId=ISSUER, appAppleId=1234567890, subscriptionGroups=CATALOGUE, **options)
        release(app_store, service, released=False)
        service.start()
        return service

    yield make
    app_store.reset()


def release(app_store, service, released=True):
    keys = {file.stem.removeprefix("SubscriptionKey_"): file for file in (service.folder / "keys").glob("*.p8")}
    app_store.register(keys=keys, released=released)


def asked(app_store, environment, *routes):
    """The questions to an environment about the app; the example's other app asks too."""
    questions = [each for each in app_store.requests(environment=environment) if each["token"]["claims"]["bid"] == BUNDLE]
    return [each for each in questions if not routes or each["route"] in routes]


def bought_by_a_tester(app_store, at=3 * MINUTE, **fields):
    """A tester's purchase minutes ago, with the free trial; a month has five minutes in the Sandbox."""
    customer = app_store.customer(environment="Sandbox", **fields)
    customer.start(PRO, at=ago(at), intro=True)
    app_store.add(customer)
    return customer


def said(options):
    """What requests say of the environment: nothing where the Sandbox is the app's own."""
    return {} if options == ALONE else SANDBOX


@pytest.mark.parametrize("options", [ALONE, BESIDE], ids=["environment: Sandbox", "sandbox: true"])
def test_from_the_first_purchase_in_testflight_to_a_redeemed_offer(early, app_store, options):
    refunds = {"mode": "send", "policies": [{"name": "all", "answer": {"refundPreference": "DECLINE"}}]}
    service = early(poll_seconds=1, catch_up_seconds=1, writeAppAccountToken=True, refunds=refunds, **options)
    client, backend, where = service.client(), service.client("backend"), said(options)
    customer, name = bought_by_a_tester(app_store, at=6 * MINUTE), str(uuid.uuid4())
    [subscription] = customer.subscriptions

    # The purchase becomes known by its transaction id alone, and by no signed data of the client's.
    body = {"bundleId": BUNDLE, "customerId": name, "transactionId": subscription.original_id}
    report = backend.post("/v1/history/refresh", body)
    assert report.status_code == 200 and report.json()["rejected"] == [] and report.json()["accepted"] > 0, report.text
    found = eligibility(service, customerId=name, **where)
    assert found["introductoryOffer"]["status"] == "ineligible" and found["promotionalOffers"][0]["status"] == "eligible", found

    # A renewal of which no notification comes is polled.
    subscription.renew(at=ago(MINUTE))
    app_store.add(customer)
    wait_until(lambda: eligibility(service, customerId=name, **where)["subscription"]["state"] == "active")

    # A notification that did not arrive is fetched.
    subscription.cancel_auto_renew(at=ago(0))
    app_store.add(customer)
    app_store.send_v2(None, subscription)
    wait_until(lambda: eligibility(service, customerId=name, **where)["subscription"]["willRenew"] is False)

    # The account token is written, where the transaction is.
    written = backend.post(f"/v1/customers/{name}/transactions", {"bundleId": BUNDLE, "transactionId": subscription.original_id, **where})
    assert written.status_code == 200, written.text
    assert asked(app_store, "Sandbox", "set_app_account_token")[-1]["status"] == 200

    # The offer is signed, redeemed once, and counted.
    offer = {"bundleId": BUNDLE, "customerId": name, "offers": [{"productId": PRO, "offerId": "winback50"}], **where}
    [result] = client.post("/v1/signatures", offer).json()["results"]
    assert result["status"] == "signed", result
    subscription.resubscribe(at=now(), offer_id="winback50")
    app_store.add(customer)
    assert app_store.send_v2(f"{service.url}{NOTIFICATIONS}", subscription)["attempts"][-1]["status"] == 200

    def redeemed():
        query = f"?bundleId={BUNDLE}" + "".join(f"&{key}={value}" for key, value in where.items())
        return backend.get(f"/v1/customers/{name}{query}").json()["offers"]["redeemed"]

    [redemption] = wait_until(lambda: (found := redeemed()) and found[0]["signature"] and found)
    assert (redemption["offerId"], redemption["signature"]["nonce"]) == ("winback50", result["nonce"]), redemption
    [refused] = client.post("/v1/signatures", offer).json()["results"]
    assert (refused["code"], refused["evidence"]["limit"]) == ("offer-limit-reached", "perCustomer"), refused

    # A refund request of the tester's is answered. A consent is for the app's own environment.
    if options == ALONE:
        consent = json.dumps({"bundleId": BUNDLE, "consented": True})
        assert backend.request("PUT", f"/v1/customers/{name}/consumption-consent", content=consent).status_code == 200
        transaction = app_store.authority.sign({**subscription.last, "signedDate": now()})
        asking = {"consumptionRequestReason": "OTHER", "signedTransactionInfo": transaction}
        app_store.send_v2(f"{service.url}{NOTIFICATIONS}", subscription, "CONSUMPTION_REQUEST", data=asking)
        wait_until(lambda: [each["status"] for each in asked(app_store, "Sandbox", "consumption")] == [202])

    # All of that came from the Sandbox. Production was asked only for notifications, where the app is to be there too,
    # and for the transaction of which only the id was known; that it refused is no failure.
    in_production = asked(app_store, "Production")
    assert all(each["status"] == 401 for each in in_production), in_production
    routes = {each["route"] for each in in_production}
    assert routes == (set() if options == ALONE else {"history", "notificationHistory"}), routes
    assert not [line for line in service.log() if line.get("subject") == "app-store" and line["app"] == BUNDLE], service.log()


def test_what_is_known_to_be_of_the_sandbox_is_asked_there_first(early, app_store):
    service = early(**BESIDE)
    backend, customer = service.client("backend"), bought_by_a_tester(app_store)
    body = {"bundleId": BUNDLE, "customerId": "u-1", "transactionId": customer.subscriptions[0].original_id}
    for _ in range(3):
        assert backend.post("/v1/history/refresh", body).json()["rejected"] == []
    # Two attempts at first, because a token can be too old; none after the first refresh.
    assert len(asked(app_store, "Production")) == 2, asked(app_store, "Production")
    assert {each["status"] for each in asked(app_store, "Sandbox")} == {200}


def test_a_lapsed_tester_is_asked_about_in_the_sandbox(early, app_store):
    service = early(lapsed_refresh_hours=24, **BESIDE)
    customer = bought_by_a_tester(app_store, at=20 * MINUTE)
    purchase = {"bundleId": BUNDLE, "customerId": "u-1", "signedTransactions": customer.signed_transactions(app_store.authority)}
    assert service.client("backend").post("/v1/history/transactions", purchase).json()["rejected"] == []
    customer.subscriptions[0].renew(at=ago(MINUTE))
    app_store.add(customer)
    # The request is answered from what is known, and what the App Store then says is known to the next one.
    wait_until(lambda: eligibility(service, customerId="u-1", **SANDBOX)["subscription"]["state"] == "active")
    assert asked(app_store, "Production") == []


def test_an_app_of_production_alone_says_that_the_purchase_is_of_the_sandbox(early, app_store):
    service = early()
    customer = bought_by_a_tester(app_store)
    body = {"bundleId": BUNDLE, "transactionId": customer.subscriptions[0].original_id}
    report = service.client("backend").post("/v1/history/refresh", body).json()
    assert report["accepted"] == 0 and {each["code"] for each in report["rejected"]} == {"environment-mismatch"}, report


def test_the_error_tells_an_app_before_its_release_from_a_wrong_key(early, app_store):
    service = early(**BESIDE)
    backend, body = service.client("backend"), {"bundleId": BUNDLE, "transactionId": "4800000000000001"}
    problem = backend.post("/v1/history/refresh", body).json()
    assert problem["status"] == 422 and problem["code"] == "app-store-app-not-released" and "never released" in problem["detail"], problem
    # After the release the same transaction is unknown in both, and nothing is said of a release.
    release(app_store, service)
    assert backend.problem("/v1/history/refresh", body)[:2] == (422, "app-store-not-found")
    # Production has answered, so it knows the app, also after a restart: a refusal now is its failure, and passes.
    release(app_store, service, released=False)
    service.stop()
    service.start()
    problem = backend.post("/v1/history/refresh", body).json()
    assert problem["status"] == 503 and problem["code"] == "app-store-unavailable", problem
    assert "although the app was released" in problem["detail"], problem
    told = service.cli("doctor", "--app", BUNDLE, "--wait", "0")
    assert told.returncode == 1 and "although the app was released" in told.stdout, told.stdout + told.stderr
    app_store.register(keys={}, released=False)
    problem = backend.post("/v1/history/refresh", body).json()
    assert problem["status"] == 503 and problem["code"] == "app-store-unavailable", problem
    assert "Production and the Sandbox refuse the token" in problem["detail"] and "doctor" in problem["detail"], problem


@pytest.mark.parametrize(("options", "remedy"), [(BESIDE, "asks the Sandbox"), ({}, "Set sandbox: true")], ids=["sandbox: true", "neither"])
def test_doctor_tells_the_case_and_its_remedy_helps(early, app_store, options, remedy):
    service = early(**options)
    url = f"{service.url}{NOTIFICATIONS}"
    app_store.settings(notificationURLs={"Production": url, "Sandbox": url})
    done = service.cli("doctor", "--app", BUNDLE, "--json", "--wait", str(PATIENCE))
    assert done.returncode == 0, done.stdout + done.stderr
    apps = {app["environment"]: {each["subject"]: each for each in app["findings"]} for app in json.loads(done.stdout)["apps"]}
    found = apps["Production"]["server-api"]
    assert found["state"] == "warning" and "never released" in found["text"] and remedy in found["remedy"], found
    assert apps["Production"]["notifications"]["state"] == "skipped"
    if options == BESIDE:
        assert {apps["Sandbox"][each]["state"] for each in ("server-api", "notifications")} == {"good"}, apps


def test_retention_messages_before_the_release_are_the_sandboxs(early, app_store):
    service = early(**BESIDE)
    refused = service.cli("retention", "url", "show", "--app", BUNDLE)
    assert refused.returncode != 0 and "--environment sandbox" in refused.stderr and "never released" in refused.stderr, refused.stderr
    shown = service.cli("retention", "url", "show", "--app", BUNDLE, "--environment", "sandbox")
    assert "there is no URL" in shown.stderr, shown.stderr


def test_an_app_with_a_purchase_of_production_on_record_was_released(early, app_store):
    service = early(**BESIDE)
    backend, body = service.client("backend"), {"bundleId": BUNDLE, "transactionId": "4800000000000001"}
    customer = app_store.customer()
    customer.start(PRO, at=ago(MINUTE))
    purchase = {"bundleId": BUNDLE, "customerId": "u-1", "signedTransactions": customer.signed_transactions(app_store.authority)}
    tester = {**purchase, "customerId": "u-2", "signedTransactions": bought_by_a_tester(app_store).signed_transactions(app_store.authority)}
    nobody = {**purchase, "customerId": "u-3", "signedTransactions": []}
    for known in (tester, nobody):
        assert backend.post("/v1/history/transactions", known).json()["rejected"] == []
    assert backend.problem("/v1/history/refresh", body)[:2] == (422, "app-store-app-not-released")
    assert backend.post("/v1/history/transactions", purchase).json()["rejected"] == []
    problem = backend.post("/v1/history/refresh", body).json()
    assert problem["status"] == 503 and "although the app was released" in problem["detail"], problem
