"""Signed data that the App Store did not sign, or not for us: refused with a code of its own at every door, nothing stored."""
import json

import pytest

from harness.app_store import BUNDLE
from harness.purchases import DAY, HOUR, PRO, TEAM, active, ago, eligibility, now
from AppStoreServer import notifications
from AppStoreServer.authority import Authority
from AppStoreServer.certificates import INTERMEDIATE_OID, LEAF_OID, LEAF_VALIDITY, day, new_key

NOTIFICATIONS = f"/v1/appstore/notifications/{BUNDLE}"
OFFERS = [{"productId": PRO, "offerId": "winback50"}]


# The code of a forgery, and what makes it: arguments of Authority.sign, or fields of the payload.
FORGERIES = {
    "of another authority": ("untrusted-root", lambda authority: {"chain": Authority().genuine}),
    "of another authority, with our root behind it": (
        "untrusted-root", lambda authority: {"chain": Authority().genuine.replacing(2, authority.root)},
    ),
    "leaf of another authority": ("invalid-certificate-chain", lambda authority: {"chain": authority.with_foreign_leaf()}),
    "intermediate that is no authority": (
        "invalid-certificate-chain", lambda authority: {"chain": authority.chain(intermediate_is_ca=False)},
    ),
    "leaf without its marker": ("missing-leaf-marker", lambda authority: {"chain": authority.chain(leaf_oid=None)}),
    "leaf with another marker": (
        "missing-leaf-marker", lambda authority: {"chain": authority.chain(leaf_oid="1.2.840.113635.100.6.11.2")},
    ),
    "leaf with the intermediate's marker": (
        "missing-leaf-marker", lambda authority: {"chain": authority.chain(leaf_oid=INTERMEDIATE_OID)},
    ),
    "intermediate without its marker": (
        "missing-intermediate-marker", lambda authority: {"chain": authority.chain(intermediate_oid=None)},
    ),
    "intermediate with the leaf's marker": (
        "missing-intermediate-marker", lambda authority: {"chain": authority.chain(intermediate_oid=LEAF_OID)},
    ),
    # That is how Xcode signs.
    "1 certificate": ("local-certificate-unknown", lambda authority: {"chain": authority.chain(length=1)}),
    "2 certificates": ("malformed-certificate-chain", lambda authority: {"chain": authority.chain(length=2)}),
    "4 certificates": ("malformed-certificate-chain", lambda authority: {"chain": authority.chain(length=4)}),
    "no certificates": ("malformed-certificate-chain", lambda authority: {"x5c": []}),
    "certificates that are none": ("malformed-certificate-chain", lambda authority: {"x5c": ["AAAA"] * 3}),
    "x5c left out": ("malformed-certificate-chain", lambda authority: {"header": {"x5c": None}}),
    "leaf that had expired": (
        "certificate-expired", lambda authority: {"chain": authority.chain(leaf_validity=(LEAF_VALIDITY[0], day(2017)))},
    ),
    "intermediate that had expired": (
        "certificate-expired", lambda authority: {"chain": authority.chain(intermediate_validity=(LEAF_VALIDITY[0], day(2017)))},
    ),
    "leaf of the future": (
        "certificate-not-yet-valid", lambda authority: {"chain": authority.chain(leaf_validity=(day(2041), LEAF_VALIDITY[1]))},
    ),
    "leaf with a P-384 key": ("unsupported-certificate-key", lambda authority: {"chain": authority.chain(leaf_key="P-384")}),
    "leaf with an RSA key": ("unsupported-certificate-key", lambda authority: {"chain": authority.chain(leaf_key="RSA")}),
    "intermediate with an RSA key": (
        "unsupported-certificate-key", lambda authority: {"chain": authority.chain(intermediate_key="RSA")},
    ),
    "alg none": ("unsupported-algorithm", lambda authority: {"alg": "none"}),
    "alg RS256": ("unsupported-algorithm", lambda authority: {"alg": "RS256"}),
    "alg HS256, keyed with the public key": ("unsupported-algorithm", lambda authority: {"alg": "HS256"}),
    "alg left out": ("malformed-jws", lambda authority: {"header": {"alg": None}}),
    "another key than the leaf's": ("invalid-signature", lambda authority: {"key": new_key("P-256")}),
    "signature in DER": ("invalid-signature", lambda authority: {"der_signature": True}),
    "tampered payload": ("invalid-signature", lambda authority: {"tampered": {"productId": TEAM}}),
    "tampered date": ("invalid-signature", lambda authority: {"tampered": {"signedDate": now() + DAY}}),
}
# The same, genuine but not ours; put into the payload before it is signed.
STRANGERS = {
    "of another app": ("bundle-mismatch", {"bundleId": "com.example.news"}),
    "of an app of the same name in other letters": ("bundle-mismatch", {"bundleId": BUNDLE.upper()}),
    "of no app": ("bundle-mismatch", {"bundleId": None}),
    "of the sandbox": ("environment-mismatch", {"environment": "Sandbox"}),
    "of Xcode, signed by the App Store": ("environment-mismatch", {"environment": "Xcode"}),
    "of an unknown environment": ("environment-mismatch", {"environment": "Moon"}),
    "signed more than a day from now": ("signed-in-future", {"signedDate": now() + DAY + HOUR}),
    "with a date that is none": ("malformed-payload", {"signedDate": "today"}),
}
CASES = [*FORGERIES, *STRANGERS]


@pytest.fixture(scope="module")
def life(app_store):
    customer = app_store.customer()
    return active(customer)


def expected_code(name):
    return (FORGERIES | STRANGERS)[name][0]


def transaction(authority, life, name):
    """A signed transaction that is forged in the way of that name."""
    if name in FORGERIES:
        return authority.sign(life.last, **FORGERIES[name][1](authority))
    changed = {**life.last, **STRANGERS[name][1]}
    return authority.sign({field: value for field, value in changed.items() if value is not None})


def notification(authority, life, name):
    if name in FORGERIES:
        return notifications.v2(authority, life, **FORGERIES[name][1](authority))
    changed = STRANGERS[name][1]
    return notifications.v2(authority, life, **({"fields": changed} if "signedDate" in changed else {"data": changed}))


def everything(service):
    return service.counts(), service.history()


@pytest.mark.parametrize("name", CASES)
def test_a_forged_transaction_is_left_out_of_what_a_backend_hands_in(enforcing, app_store, life, name):
    before = everything(enforcing)
    body = {"bundleId": BUNDLE, "signedTransactions": [transaction(app_store.authority, life, name)]}
    found = enforcing.client("backend").post("/v1/history/transactions", body).json()
    assert (found["accepted"], found["unchanged"]) == (0, 0)
    assert [(each["index"], each["code"]) for each in found["rejected"]] == [(0, expected_code(name))]
    assert everything(enforcing) == before


def test_a_forged_transaction_is_no_history_of_the_customer_either(connected, app_store, life):
    """Else a forgery would make a new customer of a person unknown to an app with requireHistory."""
    service = connected(requireHistory=True)
    before = everything(service)
    forged = transaction(app_store.authority, life, "of another authority")
    body = {"bundleId": BUNDLE, "customerId": "forger", "signedTransactions": [forged]}
    assert service.client("backend").post("/v1/history/transactions", body).json()["accepted"] == 0
    assert everything(service) == before
    assert eligibility(service, customerId="forger")["introductoryOffer"]["status"] == "unknown"


@pytest.mark.parametrize("name", CASES)
def test_a_forged_transaction_in_a_clients_request_fails_it(enforcing, app_store, life, name):
    before = everything(enforcing)
    genuine = app_store.authority.sign(life.last)
    who = {"bundleId": BUNDLE, "customerId": "forger", "signedTransactions": [genuine, transaction(app_store.authority, life, name)]}
    expected = (422, expected_code(name), ["signedTransactions[1]"])
    assert enforcing.client().problem("/v1/eligibility", who) == expected
    assert enforcing.client().problem("/v1/signatures", {**who, "offers": OFFERS}) == expected
    assert everything(enforcing) == before


# One from an unknown environment is kept, and changes nothing: test_unrecognised_values.py.
@pytest.mark.parametrize("name", [name for name in CASES if name != "of an unknown environment"])
def test_a_forged_notification_is_not_authentic(enforcing, app_store, life, name):
    before = everything(enforcing)
    body = notification(app_store.authority, life, name)
    answer = enforcing.client(token="").post(NOTIFICATIONS, body)
    assert (answer.status_code, answer.json()["code"]) == (401, expected_code(name))
    assert everything(enforcing) == before


@pytest.mark.parametrize("field", ["signedTransactionInfo", "signedRenewalInfo"])
@pytest.mark.parametrize("name", ["of another authority", "alg none", "tampered payload", "2 certificates"])
def test_a_forgery_inside_a_genuine_notification_is_not_authentic(enforcing, app_store, life, field, name):
    authority = app_store.authority
    inner = life.last if field == "signedTransactionInfo" else life.renewal
    code, forgery = FORGERIES[name]
    before = everything(enforcing)
    body = notifications.v2(authority, life, data={field: authority.sign(inner, **forgery(authority))})
    assert enforcing.client(token="").problem(NOTIFICATIONS, body) == (401, code, [])
    assert everything(enforcing) == before


@pytest.mark.parametrize("name", [name for name in CASES if expected_code(name) != "bundle-mismatch"])
def test_forged_renewal_information_is_left_out(enforcing, app_store, life, name):
    authority = app_store.authority
    before = everything(enforcing)
    if name in FORGERIES:
        forged = authority.sign(life.renewal, **FORGERIES[name][1](authority))
    else:
        forged = authority.sign({**life.renewal, **STRANGERS[name][1]})
    body = {"bundleId": BUNDLE, "signedRenewalInfos": [forged]}
    found = enforcing.client("backend").post("/v1/history/transactions", body).json()
    assert [(each["field"], each["index"], each["code"]) for each in found["rejected"]] == [
        ("signedRenewalInfos", 0, expected_code(name))
    ]
    assert everything(enforcing) == before


def test_a_forged_line_is_left_out_of_an_import(enforcing, app_store, life, tmp_path):
    file = tmp_path / "lines.jsonl"
    forged = [transaction(app_store.authority, life, name) for name in CASES]
    file.write_text("".join(json.dumps({"customerId": "forger", "signedTransactions": [each]}) + "\n" for each in forged))
    before = everything(enforcing)
    done = enforcing.cli("history", "import", "--app", BUNDLE, file)
    assert done.returncode == 2
    rejected = [json.loads(line) for line in file.with_name("lines.jsonl.rejected.jsonl").read_text().splitlines()]
    assert [each["code"] for each in rejected] == [expected_code(name) for name in CASES]
    assert everything(enforcing) == before


def test_a_notification_for_another_app_by_its_apple_id_is_not_authentic(enforcing, app_store, life):
    before = everything(enforcing)
    body = notifications.v2(app_store.authority, life, data={"appAppleId": 1234567891})
    assert enforcing.client(token="").problem(NOTIFICATIONS, body) == (401, "app-mismatch", [])
    assert everything(enforcing) == before


@pytest.mark.parametrize(
    "text", ["", ".", "..", "a.b", "a.b.c.d", "a.b.c", "e30.e30.", "\u00e9.\u00e9.\u00e9", "eyJhbGciOiJFUzI1NiJ9=.e30.AAAA", "x" * 200_000],
    ids=["empty", "one dot", "two dots", "two parts", "four parts", "no base64", "no signature", "no ascii", "padding", "long"],
)
def test_what_is_no_jws_is_refused_as_that(enforcing, text):
    before = everything(enforcing)
    answer = enforcing.client(token="").post(NOTIFICATIONS, {"signedPayload": text})
    assert answer.status_code == 401
    assert answer.json()["code"] in ("malformed-jws", "malformed-certificate-chain", "unsupported-algorithm")
    assert everything(enforcing) == before


def test_genuine_variants_are_accepted(connected, app_store):
    """What the tests above refuse is refused for the forgery and for nothing else."""
    service = connected()
    authority = app_store.authority
    chains = {
        "another certificate in the place of the root": authority.with_foreign_root(), "reissued root": authority.with_reissued_root(),
        "P-256 intermediate": authority.chain(intermediate_key="P-256"), "P-384 intermediate": authority.chain(),
    }
    for name, chain in chains.items():
        customer = app_store.customer()
        active(customer)
        body = {"bundleId": BUNDLE, "customerId": name, "signedTransactions": customer.signed_transactions(authority, chain=chain)}
        assert service.client("backend").post("/v1/history/transactions", body).json()["rejected"] == [], name
        assert eligibility(service, customerId=name)["subscription"]["state"] == "active"


def test_validity_is_judged_at_the_date_of_signing(connected, app_store):
    service = connected()
    authority = app_store.authority
    chain = authority.chain(leaf_validity=(day(2019), day(2021)))
    customer = app_store.customer()
    customer.start(PRO, at=ago(30 * DAY))
    in_2020 = int(day(2020).timestamp() * 1000)
    post = service.client("backend").post

    def codes(signed_date):
        signed = authority.sign({**customer.transactions[0], "signedDate": signed_date}, chain=chain)
        answer = post("/v1/history/transactions", {"bundleId": BUNDLE, "signedTransactions": [signed]}).json()
        return [each["code"] for each in answer["rejected"]]

    assert codes(in_2020) == []
    assert codes(now()) == ["certificate-expired"]
    # Without a date it is judged now.
    assert codes(None) == ["certificate-expired"]
    assert codes(int(day(2018).timestamp() * 1000)) == ["certificate-not-yet-valid"]


def test_a_clock_that_is_a_little_behind_the_app_stores_keeps_nothing_out(enforcing, app_store):
    customer = app_store.customer()
    customer.start(PRO, at=ago(DAY))
    signed = app_store.authority.sign({**customer.transactions[0], "signedDate": now() + DAY - HOUR})
    body = {"bundleId": BUNDLE, "signedTransactions": [signed]}
    assert enforcing.client("backend").post("/v1/history/transactions", body).json()["rejected"] == []


def test_a_statement_from_the_future_outlives_no_refund(enforcing, app_store):
    """The newest statement wins: accepted, it would win over everything that the App Store says until then."""
    customer = app_store.customer()
    life = active(customer)
    signed = app_store.authority.sign({**life.last, "signedDate": now() + 400 * DAY})
    body = {"bundleId": BUNDLE, "customerId": "from-the-future", "signedTransactions": [signed]}
    [rejected] = enforcing.client("backend").post("/v1/history/transactions", body).json()["rejected"]
    assert rejected["code"] == "signed-in-future"
    genuine = {**body, "signedTransactions": [app_store.authority.sign({**life.last, "revocationDate": now(), "revocationReason": 0})]}
    assert enforcing.client("backend").post("/v1/history/transactions", genuine).json()["rejected"] == []
    found = eligibility(enforcing, transactionId=customer.transactions[0]["transactionId"])
    assert found["subscription"]["state"] == "revoked"
