"""One purchase under several transaction ids, as restores and several devices make them: it counts once, through every source."""
import copy
import json

import pytest

from harness.app_store import BUNDLE
from harness.purchases import DAY, PRO, ago, eligibility, hand_in, now, signed
from harness.service import speaking_to
from test_offer_limits import LIMITS, ask, groups, is_signed
from test_import import receipt_of, run_import, write

NOTIFICATIONS = f"/v1/appstore/notifications/{BUNDLE}"
SOURCES = ["transactions", "receipt", "server-api", "v2", "v1", "import"]


@pytest.fixture(scope="module")
def limited(app_store, tmp_path_factory):
    with speaking_to(
        app_store, tmp_path_factory.mktemp("limited"), BUNDLE, eligibility="enforce", subscriptionGroups=groups(LIMITS)
    ) as service:
        app_store.admit(service)
        yield service


def copied(customer, transaction, **changed):
    """The same purchase under another id."""
    return customer.add({**copy.deepcopy(transaction), "transactionId": customer.new_id(), **changed})


def five_months(customer):
    """Five months that are not over; each is copied, the first twice."""
    subscription = customer.start(PRO, at=ago(130 * DAY))
    for _ in range(4):
        subscription.renew()
    copies = [copied(customer, each) for each in subscription.transactions]
    copied(customer, subscription.transactions[0])
    return subscription, copies


def tell(service, store, subscription, source, name, folder):
    """All that there is of a customer, through one source."""
    customer = subscription.customer
    backend = service.client("backend")
    if source == "transactions":
        hand_in(service, store, customer, name)
    elif source == "import":
        lines = [{"customerId": name, **signed(store, customer)}, {"customerId": name, "receipt": receipt_of(customer)}]
        code, report, _ = run_import(service, write(folder / f"{name}.jsonl", lines))
        assert code == 0, report
    elif source in ("receipt", "server-api"):
        store.add(customer)
        path, what = ("receipts", {"receiptData": customer.receipt()}) if source == "receipt" else (
            "refresh", {"transactionId": subscription.original_id})
        answer = backend.post(f"/v1/history/{path}", {"bundleId": BUNDLE, "customerId": name, **what})
        assert answer.status_code == 200, answer.text
    else:
        bound = backend.post(
            f"/v1/customers/{name}/transactions", {"bundleId": BUNDLE, "transactionId": subscription.original_id})
        assert bound.status_code == 200, bound.text
        event = subscription.event
        for transaction in customer.transactions:
            event.transaction = transaction
            if source == "v1":
                sent = store.send_v1(f"{service.url}{NOTIFICATIONS}", subscription, "DID_RENEW")
            else:
                sent = store.send_v2(f"{service.url}{NOTIFICATIONS}", subscription, "DID_RENEW")
            assert sent["attempts"][-1]["status"] == 200, sent


def facts(service, name):
    answer = service.client("backend").get(f"/v1/customers/{name}?bundleId={BUNDLE}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def kinds(service, name):
    answer = service.client("backend").get(f"/v1/customers/{name}/timeline?bundleId={BUNDLE}&limit=200")
    return [each["kind"] for each in answer.json()["items"]]


def notified(service, store, subscription, *kind):
    sent = store.send_v2(f"{service.url}{NOTIFICATIONS}", subscription, *kind)
    assert sent["attempts"][-1]["status"] == 200, sent


@pytest.mark.parametrize("source", SOURCES)
def test_five_months_under_two_ids_each_are_five(limited, app_store, tmp_path, source):
    subscription, copies = five_months(app_store.customer())
    name = f"five-{source}"
    tell(limited, app_store, subscription, source, name, tmp_path)
    # And again through all others, so that each id is told by each.
    for _ in range(2):
        found = facts(limited, name)
        assert [group["paidPeriods"] for group in found["subscriptions"]] == [5]
        assert found["customer"]["purchases"] == 5
        seen = kinds(limited, name)
        assert (seen.count("purchase"), seen.count("renewal")) == (1, 4)
        for other in SOURCES:
            tell(limited, app_store, subscription, other, name, tmp_path)
    for each in subscription.customer.transactions:
        assert eligibility(limited, transactionId=each["transactionId"])["subscription"]["state"] == "active"
    export = limited.client("backend").get(f"/v1/customers/{name}/export?bundleId={BUNDLE}").json()
    [purchases] = [chain["transactions"] for chain in export["purchases"]]
    ids = [[each["transactionId"], *each["otherTransactionIds"]] for each in purchases]
    assert sorted(map(len, ids)) == [2, 2, 2, 2, 3]
    assert sorted(sum(ids, [])) == sorted(each["transactionId"] for each in subscription.customer.transactions)


@pytest.mark.parametrize("is_told_first", [True, False])
def test_a_refund_of_one_id_is_the_purchases_and_so_is_its_reversal(limited, app_store, is_told_first):
    customer = app_store.customer()
    name = f"refund-{is_told_first}"
    subscription = customer.start(PRO, at=ago(10 * DAY))
    first = subscription.last
    restored, other = copied(customer, first), copied(customer, first)
    if is_told_first:
        hand_in(limited, app_store, customer, name)
    notified(limited, app_store, subscription.refund(restored, at=ago(DAY)))
    # The other ids go on being signed as valid.
    hand_in(limited, app_store, customer, name, signedTransactions=[
        app_store.authority.sign({**each, "signedDate": now()}) for each in (first, other)])
    assert facts(limited, name)["subscriptions"][0]["state"] == "revoked"
    assert facts(limited, name)["refunds"]["count"] == 1
    assert kinds(limited, name).count("refund") == 1
    for each in (first, other, restored):
        assert eligibility(limited, transactionId=each["transactionId"])["subscription"]["state"] == "revoked"
    restored_again = subscription.reverse_refund(other, at=now())
    notified(limited, app_store, restored_again)
    assert facts(limited, name)["subscriptions"][0]["state"] == "active"
    assert facts(limited, name)["refunds"]["count"] == 0


def test_the_refund_of_an_upgraded_period_counts(limited, app_store):
    customer = app_store.customer()
    subscription = customer.start(PRO, at=ago(20 * DAY)).upgrade("com.example.pro.yearly", at=ago(10 * DAY), period="P1Y")
    hand_in(limited, app_store, customer, "upgraded")
    store_receipt = {"bundleId": BUNDLE, "customerId": "upgraded", "receiptData": customer.receipt()}
    app_store.add(customer)
    assert limited.client("backend").post("/v1/history/receipts", store_receipt).status_code == 200
    assert facts(limited, "upgraded")["refunds"]["count"] == 0
    notified(limited, app_store, subscription.refund(subscription.transactions[0], at=ago(DAY)))
    [refund] = facts(limited, "upgraded")["refunds"]["items"]
    assert refund["transactionId"] == subscription.transactions[0]["transactionId"]
    assert facts(limited, "upgraded")["subscriptions"][0]["state"] == "active"


@pytest.mark.parametrize("source", SOURCES)
def test_one_redemption_under_two_ids_takes_one_place(limited, app_store, tmp_path, source):
    customer = app_store.customer()
    name = f"twice-{source}"
    subscription = customer.start(PRO, at=ago(100 * DAY)).cancel_auto_renew(at=ago(80 * DAY)).expire()
    hand_in(limited, app_store, customer, name)
    assert is_signed(limited, "once", customerId=name)
    subscription.resubscribe(at=now(), offer_id="once", discount="PAY_UP_FRONT")
    redeemed = subscription.last
    hand_in(limited, app_store, customer, name)
    copied(customer, redeemed)
    copied(customer, redeemed)
    tell(limited, app_store, subscription, source, name, tmp_path)
    assert len(facts(limited, name)["offers"]["redeemed"]) == 1
    refused = ask(limited, "once", customerId=name)
    assert (refused["code"], refused["evidence"]["counted"]) == ("offer-limit-reached", 1)


def test_a_question_about_a_refund_is_found_by_any_id(limited, app_store):
    customer = app_store.customer()
    subscription = customer.start(PRO, at=ago(10 * DAY))
    first, restored = subscription.last, copied(customer, subscription.last)
    hand_in(limited, app_store, customer, "asked")
    told = [limited.cli("refunds", "try", "--app", BUNDLE, "--json", each["transactionId"]) for each in (first, restored)]
    assert [each.returncode for each in told] == [0, 0], told
    changing = {"transactionId": None, "requestedAt": None}
    assert json.loads(told[0].stdout) | changing == json.loads(told[1].stdout) | changing
