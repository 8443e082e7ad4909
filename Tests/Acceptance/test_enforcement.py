"""Who gets a signature: apps that enforce eligibility, apps that are only advised, and introductory offers by the rules."""
import base64
import json
import uuid

import jwt
import pytest

from harness import checks
from harness.app_store import BUNDLE
from harness.purchases import DAY, PRO, TEAM, YEARLY, active, ago, eligibility, hand_in, lapsed, verdict
from harness.service import Service

SIGN, INTRODUCTORY = "/v1/signatures", "/v1/introductory-offers/signatures"
OFFER = {"productId": PRO, "offerId": "winback50"}
NEVER_SUBSCRIBED = (
    "The customer has never subscribed in this app, and the App Store gives promotional offers to current and former "
    "subscribers only."
)


@pytest.fixture(scope="module")
def subscriber(enforcing, app_store):
    """A customer with an account token, bound to `subscriber`: active, in the second month."""
    customer = app_store.customer(app_account_token=str(uuid.uuid4()))
    active(customer)
    hand_in(enforcing, app_store, customer, "subscriber")
    return customer


def ids(customer):
    return [each["transactionId"] for each in customer.transactions]


def body(*offers, **fields):
    return {"bundleId": BUNDLE, "offers": list(offers or [OFFER]), **fields}


def status(service, **fields):
    """The status of the one result, and its code if it was refused."""
    [result] = service.client().sign(body(**fields))
    return result["status"], result.get("code")


def claims_of(service, result, audience):
    public = checks.private_key(service.key_file).public_key()
    return jwt.decode(result["compactJWS"], public, algorithms=["ES256"], audience=audience)


# Promotional offers


def test_a_refused_offer_says_why_and_nothing_else(enforcing):
    rows = len(enforcing.rows())
    assert enforcing.client().sign(body(customerId="nobody")) == [
        {**OFFER, "status": "refused", "code": "never-subscribed", "reason": NEVER_SUBSCRIBED, "evidence": {}}
    ]
    assert len(enforcing.rows()) == rows


def test_a_refused_offer_names_the_transaction_that_decided(enforcing, app_store):
    owner, member = app_store.customer(), app_store.customer()
    active(owner).share_with(member)
    hand_in(enforcing, app_store, member, "member")
    [result] = enforcing.client().sign(body(customerId="member"))
    assert set(result) == {"productId", "offerId", "status", "code", "reason", "evidence"}
    assert (result["status"], result["code"]) == ("refused", "family-shared-only")
    assert result["evidence"] == {"transactionId": ids(member)[0]} and "Family Sharing" in result["reason"]


def test_a_request_that_names_no_customer_is_refused(enforcing):
    for fields in [{}, {"applicationUsername": "Jane"}, {"applicationUsername": ""}, {"customerId": None}]:
        assert status(enforcing, **fields) == ("refused", "customer-not-named"), fields


@pytest.mark.parametrize(
    ("life", "expected"),
    [
        (lambda customer: active(customer), ("signed", None)),
        (lambda customer: lapsed(customer, intro=True), ("signed", None)),
        (lambda customer: customer.start(PRO, at=ago(DAY), intro=True), ("signed", None)),
        (lambda customer: customer.start(PRO, at=ago(35 * DAY)).grace(), ("signed", None)),
        (lambda customer: customer.start(PRO, at=ago(35 * DAY)).billing_retry(), ("signed", None)),
        (lambda customer: active(customer).refund(at=ago(DAY)), ("signed", None)),
        (lambda customer: active(customer, "com.example.sports", group="20563299"), ("signed", None)),
        (lambda customer: customer.buy("com.example.coins"), ("refused", "never-subscribed")),
        (lambda customer: customer.buy("com.example.season", "Non-Renewing Subscription"), ("refused", "never-subscribed")),
    ],
    ids=["active", "lapsed", "in trial", "grace", "billing retry", "refunded", "other group", "coins", "season"],
)
def test_current_and_former_subscribers_get_a_signature(enforcing, app_store, request, life, expected):
    customer = app_store.customer()
    life(customer)
    name = f"signs-{request.node.callspec.id}"
    hand_in(enforcing, app_store, customer, name)
    assert status(enforcing, customerId=name) == expected


def test_a_signature_that_was_enforced_looks_like_any_other_and_verifies(enforcing, subscriber):
    [result] = enforcing.client().sign(body(customerId="subscriber", appAccountToken=subscriber.app_account_token))
    assert set(result) == {
        "productId", "offerId", "status", "form", "keyIdentifier", "nonce", "timestamp", "signature", "applicationUsername", "expiresAt",
    }
    message = checks.payload(
        BUNDLE, result["keyIdentifier"], PRO, "winback50", subscriber.app_account_token, result["nonce"], result["timestamp"]
    )
    assert checks.verifies(checks.private_key(enforcing.key_file).public_key(), base64.b64decode(result["signature"]), message)
    assert enforcing.rows()[result["nonce"]]["customer_id"] == "subscriber"


def test_the_customer_is_known_by_a_renewal_by_the_token_and_by_a_username_that_is_the_token(enforcing, subscriber):
    original, renewal = ids(subscriber)
    token = subscriber.app_account_token
    for fields in [
        {"transactionId": renewal}, {"transactionId": original}, {"appAccountToken": token.upper()}, {"applicationUsername": token},
        {"customerId": "subscriber", "transactionId": renewal}, {"customerId": "not-bound-yet", "appAccountToken": token.upper()},
    ]:
        expected = ("refused", "never-subscribed") if fields.get("customerId") == "not-bound-yet" else ("signed", None)
        assert status(enforcing, **fields) == expected, fields
    for fields in [{"transactionId": "1"}, {"appAccountToken": str(uuid.uuid4())}, {"applicationUsername": "subscriber"}]:
        assert status(enforcing, **fields)[0] == "refused", fields


def test_a_refusal_is_on_record_when_its_answer_leaves(enforcing):
    for number in range(3):
        enforcing.client().sign(body(OFFER, {"productId": YEARLY, "offerId": "yearly30"}, customerId=f"refused {number}"))
        enforcing.kill()
        with enforcing.database() as database:
            [row] = database.execute("SELECT * FROM refused_request WHERE customer_id = ?", [f"refused {number}"])
        assert json.loads(row["offers"]) == [
            [PRO, "winback50", "never-subscribed"], [YEARLY, "yearly30", "never-subscribed"],
        ]
        assert (row["bundle_id"], row["request_id"] != "") == (BUNDLE, True)
        enforcing.start()


def test_every_offer_of_a_request_gets_its_own_result(enforcing, app_store, subscriber):
    offers = [OFFER, {"productId": YEARLY, "offerId": "yearly30"}, {"productId": TEAM, "offerId": "teamtrial"}]
    results = enforcing.client().sign(body(*offers, customerId="subscriber"))
    assert [(each["productId"], each["offerId"], each["status"]) for each in results] == [
        (offer["productId"], offer["offerId"], "signed") for offer in offers
    ]
    results = enforcing.client().sign(body(*offers, customerId="nobody"))
    assert [(each["productId"], each["offerId"], each["code"]) for each in results] == [
        (offer["productId"], offer["offerId"], "never-subscribed") for offer in offers
    ]


def test_a_refusal_uses_up_no_nonce(enforcing, subscriber):
    client = enforcing.client()
    [nonce] = client.nonces(BUNDLE)
    for _ in range(2):
        [result] = client.sign(body(OFFER | {"nonce": nonce}, customerId="nobody"))
        assert result["status"] == "refused" and "nonce" not in result
    [result] = client.sign(body(OFFER | {"nonce": nonce}, customerId="subscriber"))
    assert (result["status"], result["nonce"]) == ("signed", nonce)
    assert client.problem(SIGN, body(OFFER | {"nonce": nonce}, customerId="subscriber")) == (409, "nonce-replayed", [])


def test_a_refusal_is_counted_and_is_no_signature(enforcing):
    def counted(outcome):
        return enforcing.metric("offersigner_signatures_total", outcome=outcome, app=BUNDLE)

    refused, signed = counted("never-subscribed"), counted("signed")
    enforcing.client().sign(body(OFFER, OFFER, customerId="nobody"))
    assert (counted("never-subscribed"), counted("signed")) == (refused + 2, signed)


def test_transactions_in_the_request_are_merged_before_the_decision(enforcing, app_store):
    customer = app_store.customer()
    lapsed(customer)
    assert status(enforcing, customerId="brings") == ("refused", "never-subscribed")
    # One of them is enough: what lapsed is no secret any more.
    brought = customer.signed_transactions(app_store.authority)[-1:]
    assert status(enforcing, customerId="brings", signedTransactions=brought) == ("signed", None)
    assert status(enforcing, customerId="brings") == ("signed", None)
    assert status(enforcing, transactionId=ids(customer)[-1]) == ("signed", None)


def test_transactions_in_the_request_say_by_themselves_whose_they_are(enforcing, app_store):
    customer = app_store.customer()
    active(customer)
    assert status(enforcing) == ("refused", "customer-not-named")
    assert status(enforcing, signedTransactions=customer.signed_transactions(app_store.authority)) == ("signed", None)


@pytest.mark.parametrize("name", ["transactionId", "signedTransactions", "one of two signedTransactions"])
def test_another_customers_transaction_is_409_and_changes_nothing(enforcing, app_store, subscriber, name):
    own = app_store.customer()
    active(own)
    theirs = subscriber.signed_transactions(app_store.authority)[-1:]
    fields = {
        "transactionId": {"transactionId": ids(subscriber)[-1]},
        "signedTransactions": {"signedTransactions": theirs},
        "one of two signedTransactions": {"signedTransactions": own.signed_transactions(app_store.authority) + theirs},
    }[name]
    history, counts = enforcing.history(), enforcing.counts()
    client = enforcing.client()
    assert client.problem(SIGN, body(customerId="thief", **fields)) == (409, "bound-to-another-customer", [])
    assert (enforcing.counts(), enforcing.history()) == (counts, history)
    assert status(enforcing, customerId="thief") == ("refused", "never-subscribed")
    assert eligibility(enforcing, customerId="subscriber")["subscription"]["state"] == "active"


def test_an_answer_with_refusals_is_stored_under_its_idempotency_key(enforcing, app_store):
    client, headers = enforcing.client(), {"Idempotency-Key": str(uuid.uuid4())}
    request = body(OFFER, customerId="returns")
    first = client.post(SIGN, request, headers=headers)
    assert first.json()["results"][0]["status"] == "refused" and "idempotency-replayed" not in first.headers
    customer = app_store.customer()
    active(customer)
    hand_in(enforcing, app_store, customer, "returns")
    again = client.post(SIGN, request, headers=headers)
    assert (again.content, again.headers["idempotency-replayed"]) == (first.content, "true")
    # A new attempt, with a key of its own, gets what is right now.
    assert client.sign(request, headers={"Idempotency-Key": str(uuid.uuid4())})[0]["status"] == "signed"
    other = body(OFFER, customerId="somebody-else")
    assert client.problem(SIGN, other, headers=headers) == (422, "idempotency-key-reused", [])


def test_an_unknown_offer_still_fails_the_whole_request_of_a_customer_who_is_not_eligible(enforcing):
    client = enforcing.client()
    assert client.problem(SIGN, body(OFFER, OFFER | {"offerId": "none"}, customerId="nobody")) == (404, "unknown-offer", [])


def test_an_app_that_requires_history_refuses_unknown_customers(connected, app_store):
    service = connected(requireHistory=True, eligibility="enforce")
    assert status(service, customerId="u-1") == ("refused", "no-history")
    empty = {"bundleId": BUNDLE, "customerId": "u-1", "signedTransactions": []}
    assert service.client("backend").post("/v1/history/transactions", empty).status_code == 200
    assert status(service, customerId="u-1") == ("refused", "incomplete-history")


# Advice


@pytest.fixture(scope="module")
def advising(app_store, tmp_path_factory):
    extra = app_store.configuration_yaml(BUNDLE, eligibility="advise")
    service = Service(tmp_path_factory.mktemp("advising") / "service", extra=extra)
    service.start()
    yield service
    service.stop()


def test_under_advise_every_customer_gets_a_signature_with_the_verdict(advising, app_store):
    customer = app_store.customer()
    lapsed(customer)
    hand_in(advising, app_store, customer, "lapsed")
    expected = {"lapsed": ("eligible", ["lapsed-subscriber"], ids(customer)[-1]), "nobody": ("ineligible", ["never-subscribed"], None)}
    for name, advice in expected.items():
        for form in ("payload", "jws"):
            results = advising.client().sign(body(OFFER, {"productId": YEARLY, "offerId": "yearly30"}, customerId=name, form=form))
            assert [(each["status"], each["form"], verdict(each["eligibility"])) for each in results] == [("signed", form, advice)] * 2
            assert {each["nonce"] for each in results} <= set(advising.rows())


def test_under_advise_a_request_that_names_no_customer_is_signed_without_a_verdict(advising):
    [result] = advising.client().sign(body())
    assert result["status"] == "signed" and "eligibility" not in result


def test_under_advise_another_customers_transaction_is_still_409(advising, app_store):
    customer = app_store.customer()
    active(customer)
    hand_in(advising, app_store, customer, "owner")
    request = body(customerId="thief", transactionId=ids(customer)[0])
    assert advising.client().problem(SIGN, request) == (409, "bound-to-another-customer", [])


# Introductory offers


def introductory(service, *products, role="client", **fields):
    """The results for products whose decision is left to the service."""
    products = [{"allow": None, **product} for product in products]
    answer = service.client(role).post(INTRODUCTORY, {"bundleId": BUNDLE, "products": products, **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


def test_an_introductory_offer_by_the_rules_is_not_needed_or_signed_as_false(enforcing, app_store, subscriber):
    trial, without = app_store.customer(), app_store.customer()
    lapsed(trial, intro=True)
    lapsed(without)
    hand_in(enforcing, app_store, trial, "had-a-trial")
    hand_in(enforcing, app_store, without)
    rows = len(enforcing.rows())
    for transaction, reason in [(ids(without)[-1], "lapsed-without-introductory-offer"), ("704289572311513293", "new-customer")]:
        [result] = introductory(enforcing, {"productId": PRO, "transactionId": transaction})
        assert set(result) == {"productId", "status", "reasons"}
        assert (result["productId"], result["status"], [each["code"] for each in result["reasons"]]) == (PRO, "not-needed", [reason])
    assert len(enforcing.rows()) == rows
    for transaction, fields in [
        (ids(trial)[-1], {}), (ids(trial)[0], {"customerId": "had-a-trial"}), (ids(subscriber)[-1], {}),
        ("704289572311513293", {"customerId": "had-a-trial"}),
    ]:
        [result] = introductory(enforcing, {"productId": PRO, "transactionId": transaction}, **fields)
        assert set(result) == {"productId", "status", "form", "keyIdentifier", "nonce", "timestamp", "compactJWS"}
        assert claims_of(enforcing, result, "introductory-offer-eligibility") == {
            "iss": enforcing.issuer_id, "iat": result["timestamp"] // 1000, "aud": "introductory-offer-eligibility", "bid": BUNDLE,
            "nonce": result["nonce"], "productId": PRO, "allowIntroductoryOffer": False, "transactionId": transaction,
        }
        assert enforcing.rows()[result["nonce"]]["form"] == "introductory-jws"


def test_an_introductory_offer_that_the_rules_cannot_decide_is_refused_with_the_reason(enforcing, app_store):
    cut = app_store.customer()
    lapsed(cut)
    hand_in(enforcing, app_store, cut, signedTransactions=cut.signed_transactions(app_store.authority)[-1:])
    transaction = ids(cut)[-1]
    rows = len(enforcing.rows())
    results = introductory(
        enforcing, {"productId": PRO, "transactionId": transaction}, {"productId": TEAM, "transactionId": transaction},
        {"productId": PRO, "transactionId": transaction, "allow": True}, role="backend",
    )
    assert [each["status"] for each in results] == ["refused", "refused", "signed"]
    assert set(results[0]) == {"productId", "status", "code", "reason", "evidence"}
    assert (results[0]["productId"], results[0]["code"], results[0]["evidence"]) == (PRO, "incomplete-history", {"transactionId": transaction})
    assert results[1] == {
        "productId": TEAM, "status": "refused", "code": "no-introductory-offer",
        "reason": "The catalogue has no introductory offer for this product.", "evidence": {},
    }
    assert claims_of(enforcing, results[2], "introductory-offer-eligibility")["allowIntroductoryOffer"] is True
    assert len(enforcing.rows()) == rows + 1


def test_what_the_caller_says_of_an_introductory_offer_counts_more_than_the_rules(enforcing, subscriber):
    product = {"productId": PRO, "transactionId": ids(subscriber)[0]}
    for allow in (True, False):
        [result] = introductory(enforcing, product | {"allow": allow}, role="backend", customerId="subscriber")
        assert claims_of(enforcing, result, "introductory-offer-eligibility")["allowIntroductoryOffer"] is allow


def test_each_introductory_offer_is_decided_for_the_customer_of_its_transaction(enforcing, app_store):
    trial, without = app_store.customer(), app_store.customer()
    lapsed(trial, intro=True)
    lapsed(without)
    hand_in(enforcing, app_store, trial)
    hand_in(enforcing, app_store, without)
    both = [ids(trial)[0], ids(without)[0], ids(trial)[-1]]
    results = introductory(enforcing, *({"productId": PRO, "transactionId": each} for each in both))
    assert [each["status"] for each in results] == ["signed", "not-needed", "signed"]
    assert not any(claims_of(enforcing, each, "introductory-offer-eligibility")["allowIntroductoryOffer"] for each in results[::2])


def test_an_introductory_offer_with_another_customers_transaction_is_409(enforcing, subscriber):
    product = {"productId": PRO, "transactionId": ids(subscriber)[0], "allow": None}
    request = {"bundleId": BUNDLE, "customerId": "thief", "products": [product]}
    assert enforcing.client().problem(INTRODUCTORY, request) == (409, "bound-to-another-customer", [])


def test_an_app_that_requires_history_refuses_introductory_offers_to_unknown_customers(connected):
    service = connected(requireHistory=True)
    [result] = introductory(service, {"productId": PRO, "transactionId": "1"})
    assert (result["status"], result["code"]) == ("refused", "no-history")


def test_a_promotional_offer_as_jws_is_enforced_the_same(enforcing, subscriber):
    renewal = ids(subscriber)[-1]
    [result] = enforcing.client().sign(body(form="jws", transactionId=renewal))
    claims = claims_of(enforcing, result, "promotional-offer")
    assert (claims["offerIdentifier"], claims["transactionId"]) == ("winback50", renewal)
    [result] = enforcing.client().sign(body(form="jws", transactionId="1"))
    assert (result["status"], result["code"]) == ("refused", "never-subscribed")
