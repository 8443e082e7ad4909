"""One customer: timeline, export, erasure, over HTTP and on the command line; who may ask, and what no caller may see."""
import base64
import json
import uuid

import pytest

from harness.app_store import BUNDLE
from harness.purchases import DAY, HOUR, PRO, active, ago, eligibility, hand_in, lapsed, now
from harness.waiting import wait_until
from AppStoreServer import notifications

NOTIFICATIONS = f"/v1/appstore/notifications/{BUNDLE}"
OFFER = {"productId": PRO, "offerId": "winback50"}


def path(customer_id, part=""):
    return f"/v1/customers/{customer_id}{part}"


def get(service, customer_id, part="", role="backend", **query):
    return service.client(role).get(path(customer_id, part), params={"bundleId": BUNDLE, **query})


def erase(service, customer_id, role="backend"):
    return service.client(role).request("DELETE", path(customer_id), params={"bundleId": BUNDLE})


def sign(service, customer_id, **fields):
    [result] = service.client().sign({"bundleId": BUNDLE, "customerId": customer_id, "offers": [OFFER], **fields})
    return result


def redeemed(service, store, name, token=None):
    """A customer who lapsed, had an offer signed, and bought with it; gives back the customer and the signature."""
    customer = store.customer(app_account_token=token)
    subscription = lapsed(customer, intro=True)
    hand_in(service, store, customer, name)
    signed = sign(service, name, **({"appAccountToken": token} if token else {}))
    assert signed["status"] == "signed"
    subscription.resubscribe(at=now() - 1000, offer_id="winback50")
    hand_in(service, store, customer, name)
    return customer, signed


def every_event(service, name, limit):
    items, after = [], None
    while True:
        page = get(service, name, "/timeline", limit=limit, **({"after": after} if after else {})).json()
        items += page["items"]
        after = page["next"]
        if after is None:
            return items
        assert len(page["items"]) == limit


def test_a_redeemed_offer_names_the_signature_that_allowed_it(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    token = str(uuid.uuid4())
    customer, signed = redeemed(enforcing, store, "tied", token)
    found = wait_until(lambda: get(enforcing, "tied").json()["offers"]["redeemed"][0]["signature"] and get(enforcing, "tied").json())
    [redemption] = found["offers"]["redeemed"]
    assert redemption["signature"] == {
        "nonce": signed["nonce"], "signedAt": signed["timestamp"], "keyIdentifier": signed["keyIdentifier"]}
    assert found["links"]["applicationUsernames"] == [token] == found["links"]["appAccountTokens"]
    assert (found["lastStatement"]["source"], found["history"]) == ("signed-data", "partial")
    shown = enforcing.cli("customer", "show", "--app", BUNDLE, "tied")
    assert shown.returncode == 0 and f"nonce {signed['nonce']}" in shown.stdout and "state" not in shown.stdout
    printed = json.loads(enforcing.cli("customer", "show", "--app", BUNDLE, "--json", "tied").stdout)
    assert {**printed, "asOf": 0} == {**found, "asOf": 0}


def test_an_alias_is_answered_about_the_customer(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    customer = store.customer()
    active(customer)
    hand_in(enforcing, store, customer, "anon-9")
    answer = enforcing.client("backend").post(path("signed-in", "/merge"), {"bundleId": BUNDLE, "from": "anon-9"})
    assert answer.status_code == 200, answer.text
    for name, others in (("signed-in", ["anon-9"]), ("anon-9", ["signed-in"])):
        found = get(enforcing, name).json()
        assert found["links"]["aliases"] == others and found["subscriptions"][0]["state"] == "active"


def test_a_sandbox_purchase_is_shown_and_counts_for_nothing(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    tester = store.customer(environment="Sandbox")
    tester.start(PRO, at=ago(60_000), intro=True)
    store.add(tester)
    answer = enforcing.client("backend").post(
        "/v1/history/receipts", {"bundleId": BUNDLE, "customerId": "facts-tester", "receiptData": tester.receipt()})
    assert answer.json()["accepted"] == 1
    found = get(enforcing, "facts-tester").json()
    assert (found["environment"], found["subscriptions"], found["customer"]["purchases"]) == ("Production", [], 0)
    assert [each["environment"] for each in found["links"]["purchases"]] == ["Sandbox"]


def test_the_timeline_has_all_that_happened_in_order_and_in_pages(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    assert sign(enforcing, "timed")["status"] == "refused"
    customer, signed = redeemed(enforcing, store, "timed")
    subscription = customer.subscriptions[0]
    subscription.refund(subscription.transactions[1], at=ago(30 * DAY))
    sent = store.send_v2(f"{enforcing.url}{NOTIFICATIONS}", subscription)
    assert sent["attempts"][-1]["status"] == 200
    wait_until(lambda: any(each.get("redeemedBy") for each in every_event(enforcing, "timed", 200)))
    events = every_event(enforcing, "timed", 200)
    assert [each["at"] for each in events] == sorted(each["at"] for each in events)
    kinds = [each["kind"] for each in events]
    assert kinds[:2] == ["purchase", "renewal"] and events[0]["offerKind"] == "introductory" and events[0]["price"] == 0
    for kind, number in {"resumption": 1, "refund": 1, "notification": 1, "signature": 1, "refusal": 1, "renewal-statement": 1}.items():
        assert kinds.count(kind) == number, (kind, kinds)
    by_kind = {each["kind"]: each for each in events}
    assert by_kind["refusal"]["reason"] == "never-subscribed"
    assert (by_kind["notification"]["type"], by_kind["notification"]["version"]) == ("REFUND", 2)
    assert (by_kind["signature"]["nonce"], by_kind["signature"]["redeemedBy"]) == (signed["nonce"], subscription.last["transactionId"])
    assert every_event(enforcing, "timed", 3) == events
    printed = enforcing.cli("customer", "timeline", "--app", BUNDLE, "--json", "timed").stdout
    assert [json.loads(line) for line in printed.splitlines()] == events
    assert get(enforcing, "timed", "/timeline", after="nothing").json()["code"] == "invalid-field"


def test_the_export_has_everything_and_is_on_record(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    token = str(uuid.uuid4())
    customer, signed = redeemed(enforcing, store, "exported", token)
    customer.buy("com.example.coins", at=ago(DAY))
    hand_in(enforcing, store, customer, "exported")
    body = notifications.v2(store.authority, customer.subscriptions[0])
    assert store.send(f"{enforcing.url}{NOTIFICATIONS}", body)["attempts"][-1]["status"] == 200
    answer = get(enforcing, "exported", "/export")
    found = answer.json()
    assert answer.headers["cache-control"] == "no-store"
    listed = {each["transactionId"] for chain in found["purchases"] for each in chain["transactions"]}
    assert listed == {each["transactionId"] for each in customer.transactions}
    assert [json.loads(each["body"]) for each in found["notifications"]] == [body]
    assert [each["offers"][0]["nonce"] for each in found["signatures"]] == [signed["nonce"]]
    assert found["signatures"][0]["applicationUsername"] == token
    assert "customer.export" in [each["action"] for each in found["auditEvents"]]
    assert {**found["facts"], "asOf": 0} == {**get(enforcing, "exported").json(), "asOf": 0}
    printed = json.loads(enforcing.cli("customer", "export", "--app", BUNDLE, "exported").stdout)
    assert printed["purchases"] == found["purchases"] and printed["notifications"] == found["notifications"]


def test_who_was_only_refused_has_an_export_and_no_facts(enforcing):
    assert sign(enforcing, "window-shopper")["status"] == "refused"
    assert get(enforcing, "window-shopper").json()["code"] == "unknown-customer"
    found = get(enforcing, "window-shopper", "/export").json()
    assert (found["facts"], len(found["refusals"])) == (None, 1)
    assert [each["kind"] for each in get(enforcing, "window-shopper", "/timeline").json()["items"]] == ["refusal"]
    assert erase(enforcing, "window-shopper").json()["ledgerRows"] >= 1
    assert get(enforcing, "window-shopper", "/export").status_code == 404


# Erasing


def dump(service):
    """All that the store holds, as SQL."""
    text = ""
    for file in (service.store, service.histories):
        with service.database(file) as database:
            text += "\n".join(line for line in database.iterdump() if line.startswith("INSERT"))
    return text


@pytest.mark.parametrize("by", ["http", "command"])
def test_erasing_takes_every_name_and_leaves_the_log_intact(connected, app_store, by):
    service = connected(eligibility="enforce")
    store, token, name = app_store.cleared_for(service), str(uuid.uuid4()), "person-4711"
    customer, signed = redeemed(service, store, name, token)
    other = store.customer()
    active(other)
    hand_in(service, store, other, "neighbour")
    subscription = customer.subscriptions[0]
    assert store.send_v2(f"{service.url}{NOTIFICATIONS}", subscription)["attempts"][-1]["status"] == 200
    get(service, name, "/export")
    assert name in dump(service) and token in dump(service)
    if by == "http":
        answer = erase(service, name)
        assert answer.status_code == 200, answer.text
        found = answer.json()
    else:
        found = json.loads(service.cli("customer", "erase", "--app", BUNDLE, "--json", name).stdout)
    assert (found["purchases"], found["notifications"]) == (1, 1) and found["ledgerRows"] == 2
    until = {each["what"]: each["until"] for each in found["stays"]}
    assert until["ledger"] == found["erasedAt"] + 9600 * HOUR and until["purchases"] is None
    left = dump(service)
    assert name not in left and token not in left and token.replace("-", "") not in left.lower()
    assert "neighbour" in left and "customer.erase" in left
    for part in ("", "/timeline", "/export"):
        assert get(service, name, part).json()["code"] == "unknown-customer"
    assert erase(service, name).json()["code"] == "unknown-customer"
    assert service.cli("audit", "verify").returncode == 0
    # What was used stays used, whichever caller brings it, and the signature's nonce stays used, too.
    who = {"transactionId": subscription.original_id}
    assert eligibility(service, **who)["introductoryOffer"]["reasons"][0]["code"] == "introductory-offer-used"
    assert eligibility(service, appAccountToken=token)["subscription"]["state"] == "never"
    assert signed["nonce"] in service.rows()


def test_a_later_notification_leads_to_no_erased_customer(connected, app_store):
    service = connected(eligibility="enforce")
    store, token = app_store.cleared_for(service), str(uuid.uuid4())
    customer = store.customer(app_account_token=token)
    subscription = active(customer, intro=True)
    hand_in(service, store, customer, "gone")
    assert erase(service, "gone").status_code == 200
    for step in (lambda: subscription.cancel_auto_renew(at=now() - 5000), lambda: subscription.refund(at=now() - 4000)):
        step()
        assert store.send_v2(f"{service.url}{NOTIFICATIONS}", subscription)["attempts"][-1]["status"] == 200
        assert get(service, "gone").status_code == 404
        assert eligibility(service, appAccountToken=token)["subscription"]["state"] == "never"
        assert eligibility(service, customerId="gone")["subscription"]["state"] == "never"
    # The state stays right for the subscription's owner, and it can belong to a customer again.
    assert eligibility(service, transactionId=subscription.original_id)["subscription"]["state"] == "revoked"
    hand_in(service, store, customer, "back-again")
    found = get(service, "back-again").json()
    assert (found["introductory"]["used"], found["refunds"]["count"], found["links"]["appAccountTokens"]) == (True, 1, [])


def test_the_sandbox_beside_production_is_asked_about_apart_and_erased_along(connected, app_store):
    service = connected(sandbox=True)
    store = app_store.cleared_for(service)
    production, sandbox = store.customer(), store.customer(environment="Sandbox")
    active(production)
    sandbox.start(PRO, at=ago(60_000), intro=True)
    for customer in (production, sandbox):
        hand_in(service, store, customer, "both")
    found = [get(service, "both", **environment).json() for environment in ({}, {"environment": "Sandbox"})]
    assert [each["environment"] for each in found] == ["Production", "Sandbox"]
    assert [each["introductory"]["used"] for each in found] == [False, True]
    printed = service.cli("customer", "show", "--app", BUNDLE, "--environment", "Sandbox", "--json", "both").stdout
    assert json.loads(printed)["introductory"]["used"] is True
    assert get(service, "both", "/export", environment="Sandbox").json()["environment"] == "Sandbox"
    assert get(service, "both", environment="Xcode").json()["fields"][0]["name"] == "environment"
    assert erase(service, "both").json()["purchases"] == 2
    for environment in ({}, {"environment": "Sandbox"}):
        assert get(service, "both", **environment).status_code == 404
    assert "both" not in dump(service)


# Who may ask


@pytest.mark.parametrize("part", ["", "/timeline", "/export"])
def test_only_backends_and_administrators_see_customers(enforcing, part):
    for role in enforcing.tokens:
        status = get(enforcing, "nobody-there", part, role=role).status_code
        assert status == (404 if role in ("backend", "admin") else 403), role


def test_a_colleague_of_one_app_sees_that_app_only(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    customer = store.customer()
    active(customer)
    hand_in(enforcing, store, customer, "shared-id")
    token = enforcing.cli("access", "create", "--role", "backend", "--app", "com.example.news").stdout.strip()
    news = enforcing.client(token=token)
    for part in ("", "/timeline", "/export"):
        assert wait_until(lambda: news.get(path("shared-id", part), params={"bundleId": BUNDLE}).status_code) == 403
        # The same id in their own app is another person.
        assert news.get(path("shared-id", part)).json()["code"] == "unknown-customer"
    assert news.request("DELETE", path("shared-id"), params={"bundleId": BUNDLE}).status_code == 403
    assert get(enforcing, "shared-id").status_code == 200


def test_bad_requests_name_the_field(enforcing):
    backend = enforcing.client("backend")
    for where, query, field in [
        (path("x" * 256), {"bundleId": BUNDLE}, "customerId"), (path("a%E2%81%A3b"), {"bundleId": BUNDLE}, "customerId"),
        (path("u"), {"bundleID": BUNDLE}, "bundleID"), (path("u"), {}, "bundleId"),
        (path("u", "/timeline"), {"bundleId": BUNDLE, "limit": "0"}, "limit"), (path("u", "/export"), {"limit": "1"}, "limit"),
    ]:
        answer = backend.get(where, params=query)
        assert answer.status_code == 400 and answer.json()["fields"][0]["name"] == field, (where, answer.text)
    assert backend.get(path("u"), params={"bundleId": "com.example.other"}).json()["code"] == "unknown-app"
    done = enforcing.cli("customer", "show", "--app", BUNDLE, "nobody-there")
    assert done.returncode != 0 and "nothing is known" in done.stderr and done.stdout == ""
