"""Both environments of one app in one instance: App Review works, and no sandbox purchase moves a Production verdict."""
import json
import random
import uuid

import httpx
import pytest

from harness.app_store import BUNDLE
from harness.purchases import DAY, MINUTE, PRO, TEAM, YEARLY, active, ago, eligibility, hand_in, lapsed, signed
from harness.waiting import PATIENCE, wait_until

SANDBOX = {"environment": "Sandbox"}


@pytest.fixture
def both(connected):
    return connected(sandbox=True)


def sandbox_account(store, at=3 * MINUTE, **fields):
    """A Sandbox account that subscribed minutes ago; a month has five minutes there."""
    customer = store.customer(environment="Sandbox", **fields)
    customer.start(PRO, at=ago(at))
    return customer


def states(service, customer_id, **who):
    """The state of the subscription in Production and in the Sandbox."""
    return tuple(
        eligibility(service, customerId=customer_id, **who, **environment)["subscription"]["state"] for environment in ({}, SANDBOX)
    )


def test_what_app_review_does_works_on_the_production_instance(both, app_store):
    """Apple's reviewers use the app as it will be released, with a Sandbox account."""
    client = both.client()
    body = {
        "bundleId": BUNDLE, "customerId": "reviewer", "signedTransactions": sandbox_account(app_store).signed_transactions(app_store.authority),
        "offers": both.offer_body()["offers"],
    }
    answer = client.post("/v1/signatures", body | SANDBOX)
    assert [result["status"] for result in answer.json()["results"]] == ["signed"] * len(body["offers"]), answer.text
    assert states(both, "reviewer") == ("never", "active")
    # Without a word about the environment the app's own is meant, and the answer says what to do.
    refused = client.post("/v1/signatures", body).json()
    assert refused["code"] == "environment-mismatch" and '"environment": "Sandbox"' in refused["detail"]
    # Counted apart, and on record as what it was.
    total = both.client().get("/metrics").text
    assert f'offersigner_signatures_total{{app="{BUNDLE}#Sandbox"' in total
    assert f'offersigner_signatures_total{{app="{BUNDLE}"' not in total
    rows = both.client("viewer").get(f"/v1/admin/audit?bundleId={BUNDLE}&action=signature.made").json()["items"]
    assert [(row["bundleId"], row["environment"]) for row in rows] == [(BUNDLE, "Sandbox")]
    # The key's own figures are about the key: it cannot be revoked while testers' signatures are out.
    [key] = [each for each in both.client("security").get("/v1/admin/keys").json()["items"] if each["keyId"] == both.key_id]
    assert key["apps"][0]["signatures"] == len(body["offers"]), key


@pytest.mark.parametrize("environment", ["Sandbox", "Xcode", "sandbox", "", 1])
def test_an_environment_that_is_not_taken_is_an_error(connected, environment):
    service = connected()
    for path, body in [
        ("/v1/signatures", {"customerId": "u", "offers": service.offer_body()["offers"]}),
        ("/v1/eligibility", {"customerId": "u"}),
        ("/v1/introductory-offers/signatures", {"products": [{"productId": PRO, "transactionId": "1", "allow": None}]}),
        ("/v1/customers/u/transactions", {"transactionId": "1"}),
    ]:
        body = {"bundleId": BUNDLE, "environment": environment, **body}
        assert service.client("backend").problem(path, body) == (400, "invalid-field", ["environment"]), path
    assert service.client().post("/v1/eligibility", {"bundleId": BUNDLE, "environment": "Production", "customerId": "u"}).status_code == 200


def by_transactions(service, store, customer, name):
    hand_in(service, store, customer, name)


def by_receipt(service, store, customer, name):
    store.add(customer)
    body = {"bundleId": BUNDLE, "customerId": name, "receiptData": customer.receipt()}
    assert service.client("backend").post("/v1/history/receipts", body).json()["rejected"] == []


def by_refresh(service, store, customer, name):
    store.add(customer)
    body = {"bundleId": BUNDLE, "customerId": name, "transactionId": customer.transactions[-1]["transactionId"]}
    assert service.client("backend").post("/v1/history/refresh", body).json()["rejected"] == []


def by_notification(version):
    def supply(service, store, customer, name):
        url = f"{service.url}/v1/appstore/notifications/{BUNDLE}"
        for subscription in customer.subscriptions:
            # Version 1 says nothing of an end.
            kind = ["DID_CHANGE_RENEWAL_STATUS"] if version == 1 else []
            send = store.send_v2 if version == 2 else store.send_v1
            assert send(url, subscription, *kind)["attempts"][-1]["status"] == 200
            bind = {"bundleId": BUNDLE, "transactionId": subscription.original_id}
            bind |= {"environment": "Sandbox"} if customer.environment == "Sandbox" else {}
            assert service.client("backend").post(f"/v1/customers/{name}/transactions", bind).status_code == 200
    supply.__name__ = f"by_notification_v{version}"
    return supply


WAYS = [by_transactions, by_receipt, by_refresh, by_notification(1), by_notification(2)]


@pytest.mark.parametrize("supply", WAYS, ids=lambda way: way.__name__)
def test_sandbox_purchases_go_to_the_sandbox_whichever_way_they_come(both, app_store, supply):
    both_names = "u-1"
    supply(both, app_store, sandbox_account(app_store), both_names)
    assert states(both, both_names) == ("never", "active")
    customer = app_store.customer()
    lapsed(customer)
    supply(both, app_store, customer, both_names)
    assert states(both, both_names) == ("expired", "active")


def test_an_import_sorts_purchases_by_environment(both, app_store, tmp_path):
    customer = app_store.customer()
    lapsed(customer)
    lines = [{"customerId": "u-1", **signed(app_store, each)} for each in (sandbox_account(app_store), customer)]
    file = tmp_path / "history.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    both.stop()
    both.cli("history", "import", "--app", BUNDLE, str(file)).check_returncode()
    both.start()
    assert states(both, "u-1") == ("expired", "active")


def test_commands_ask_about_the_environment_that_they_name(both, app_store):
    production, tester = app_store.customer(), sandbox_account(app_store)
    lapsed(production)
    for each in (production, tester):
        hand_in(both, app_store, each, "u-1")
    expected = {(): production, ("--environment", "production"): production, ("--environment", "sandbox"): tester,
                ("--environment", "Sandbox"): tester}
    over_http = {
        (): both.client().post("/v1/eligibility", {"bundleId": BUNDLE, "customerId": "u-1"}).json(),
        ("--environment", "sandbox"): both.client().post("/v1/eligibility", {"bundleId": BUNDLE, "customerId": "u-1", **SANDBOX}).json(),
    }
    for options, customer in expected.items():
        other = tester if customer is production else production
        shown = both.cli("history", "show", "--app", BUNDLE, *options, "u-1")
        shown.check_returncode()
        facts = both.cli("customer", "show", "--app", BUNDLE, "--json", *options, "u-1")
        facts.check_returncode()
        for text in (shown.stdout, facts.stdout):
            assert customer.subscriptions[0].original_id in text and other.subscriptions[0].original_id not in text, options
        judged = both.cli("eligibility", "--app", BUNDLE, "--json", *options, "u-1")
        state = json.loads(judged.stdout)["products"][0]["subscription"]["state"]
        assert state == ("expired" if customer is production else "active"), options
        if options in over_http:
            assert {**json.loads(judged.stdout), "asOf": None} == {**over_http[options], "asOf": None}
        # By a transaction of the other environment no customer is found.
        found = both.cli("history", "show", "--app", BUNDLE, *options, other.transactions[0]["transactionId"])
        assert found.returncode == 1 and "nothing is known" in found.stdout
    for command in (["history", "show"], ["eligibility"], ["customer", "show"]):
        refused = both.cli(*command, "--app", BUNDLE, "--environment", "xcode", "u-1")
        assert refused.returncode == 64 and "accepts no data of Xcode" in refused.stderr, refused.stderr
        refused = both.cli(*command, "--app", BUNDLE, "--environment", "elsewhere", "u-1")
        assert refused.returncode == 64 and "--environment" in refused.stderr, refused.stderr
    erased = both.cli("customer", "erase", "--app", BUNDLE, "--environment", "sandbox", "u-1")
    erased.check_returncode()
    for options in expected:
        assert both.cli("history", "show", "--app", BUNDLE, *options, "u-1").returncode == 1, options


def test_an_app_without_its_sandbox_has_no_such_environment(connected):
    service = connected()
    for command in (["history", "show"], ["eligibility"], ["customer", "timeline"]):
        refused = service.cli(*command, "--app", BUNDLE, "--environment", "sandbox", "u-1")
        assert refused.returncode == 64 and "accepts no data of Sandbox; see apps[].sandbox" in refused.stderr, refused.stderr


def test_a_binding_and_a_sign_in_know_the_environment(both, app_store):
    backend = both.client("backend")
    customer = sandbox_account(app_store)
    hand_in(both, app_store, customer, "anon-1")
    original = customer.subscriptions[0].original_id
    # Of Production nothing is known, and nothing is taken from any customer there.
    path = f"/v1/customers/u-1/transactions/{original}?bundleId={BUNDLE}"
    assert backend.request("DELETE", path).json() == {"status": "unchanged"}
    assert backend.request("DELETE", f"{path}&environment=Sandbox").json()["code"] == "bound-to-another-customer"
    assert backend.request("DELETE", f"{path}&environment=Elsewhere").json()["code"] == "invalid-field"
    # Who signs in is one person in both.
    assert backend.post("/v1/customers/u-1/merge", {"bundleId": BUNDLE, "from": "anon-1"}).json() == {"status": "merged"}
    assert states(both, "u-1") == ("never", "active")
    assert backend.request("DELETE", f"{path}&environment=Sandbox").json() == {"status": "unbound"}
    assert states(both, "u-1") == ("never", "never")


def test_a_testers_signatures_use_up_nothing_of_production(connected, app_store):
    service = connected(
        sandbox=True,
        subscriptionGroups=[{
            "id": "20563228",
            "products": [{
                "id": PRO, "level": 1, "period": "P1M",
                "promotionalOffers": [
                    {"id": "winback50", "kind": "pay-as-you-go", "period": "P3M", "limits": {"outstanding": 1, "total": 1}}
                ],
            }],
        }],
    )
    production = app_store.customer()
    lapsed(production)
    hand_in(service, app_store, production, "u-1")
    hand_in(service, app_store, sandbox_account(app_store), "u-1")
    body = {"bundleId": BUNDLE, "customerId": "u-1", "offers": [{"productId": PRO, "offerId": "winback50"}]}

    def sign(**environment):
        [result] = service.client().post("/v1/signatures", body | environment).json()["results"]
        return result.get("code", result["status"])

    assert [sign(**SANDBOX), sign(**SANDBOX), sign(), sign()] == ["signed", "offer-limit-reached", "signed", "offer-limit-reached"]


def test_what_is_due_is_asked_of_the_sandbox(connected, app_store):
    service = connected(sandbox=True, poll_seconds=1)
    customer = sandbox_account(app_store, at=20 * MINUTE)
    hand_in(service, app_store, customer, "u-1")
    assert states(service, "u-1")[1] == "expired"
    # The renewals of which no notification came.
    for _ in range(4):
        customer.subscriptions[0].renew()
    app_store.add(customer)
    wait_until(lambda: states(service, "u-1") == ("never", "active"))


KINDS = [
    lambda customer, r: customer.start(r.choice([PRO, YEARLY, TEAM]), at=ago(r.randrange(1, 28) * DAY), intro=r.random() < 0.5),
    lambda customer, r: lapsed(customer, r.choice([PRO, TEAM]), intro=r.random() < 0.5),
    lambda customer, r: active(customer, PRO, intro=r.random() < 0.5),
    lambda customer, r: customer.buy("com.example.coins", at=ago(r.randrange(1, 100) * DAY)),
]


def test_no_sandbox_purchase_moves_a_production_verdict(both, app_store):
    """400 accounts whose Sandbox twins, under the same names and tokens, have lived otherwise."""
    r = random.Random(0x5A4D)
    people = []
    for number in range(400):
        name, token = f"u-{number}", str(uuid.UUID(int=r.getrandbits(128), version=4))
        customer = app_store.customer(app_account_token=token)
        for life in r.sample(KINDS, r.randrange(0, 3)):
            life(customer, r)
        people.append((name, token, customer))
        if customer.transactions:
            hand_in(both, app_store, customer, name)

    def verdicts():
        found = {}
        # Not the client that checks each answer against the document: these are thousands.
        with httpx.Client(base_url=both.url, headers={"Authorization": f"Bearer {both.tokens['client']}"}, timeout=PATIENCE) as client:
            for name, token, customer in people:
                for who in [{"customerId": name}, {"appAccountToken": token}, {"appTransactionId": customer.app_transaction_id}]:
                    answer = client.post("/v1/eligibility", json={"bundleId": BUNDLE, **who})
                    assert answer.status_code == 200, answer.text
                    found[name, *who] = {**answer.json(), "asOf": None}
        return found

    before = verdicts()
    moved = 0
    for name, token, customer in people:
        twin = sandbox_account(app_store, at=r.choice([MINUTE, 30 * MINUTE]), app_account_token=token)
        # One person's phone has one Apple account for both; what if even the ids were the same?
        twin.app_transaction_id = customer.app_transaction_id
        for transaction in twin.transactions:
            transaction["appTransactionId"] = customer.app_transaction_id
        r.choice(WAYS)(both, app_store, twin, name)
        moved += eligibility(both, customerId=name, **SANDBOX)["subscription"]["state"] != "never"
    # They are all there, and none of them here.
    assert moved == len(people)
    assert verdicts() == before
