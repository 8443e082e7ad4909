"""Customers who ask by themselves, with a token of the app's own sign-in: who gets in, and what they get to see and to take."""
import concurrent.futures
import contextlib
import json
import os
import time
import uuid

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from harness.app_store import BUNDLE
from harness.purchases import PRO, active, hand_in, lapsed
from harness.service import Service
from harness.token_issuer import AUDIENCE, ISSUER, KeyServer, TokenIssuer, app_yaml, jwk, make_key, pem
from harness.waiting import wait_until

SIGN, ELIGIBILITY, NONCES, INTRODUCTORY, OFFERS = (
    "/v1/signatures", "/v1/eligibility", "/v1/nonces", "/v1/introductory-offers/signatures", "/v1/offers")
OFFER = {"productId": PRO, "offerId": "winback50"}
GENEROUS = "limits: {endUsers: {requestsPerMinute: 60000, burst: 10000}}\n"


def write_keys(path, document):
    """Puts a file in place as one should: whole."""
    new = path.with_suffix(".new")
    new.write_text(document)
    new.chmod(0o644)
    os.replace(new, path)


class Company:
    """An issuer, a service that enforces eligibility and takes its tokens, and the local App Store."""

    def __init__(self, folder, app_store):
        self.issuer = TokenIssuer()
        self.file = folder / "jwks.json"
        write_keys(self.file, self.issuer.jwks())
        apps = [
            app_yaml({"file": str(self.file)}, eligibility="enforce", introductoryOverrides="client", sandbox=True),
            app_yaml({"file": str(self.file)}, bundle_id="com.example.news", audiences=["news-ios", "both"]),
        ]
        extra = app_store.configuration_yaml() + GENEROUS + f"apps: {json.dumps(apps)}\n"
        self.service = Service(folder / "service", extra=extra)
        self.service.start()
        app_store.admit(self.service)
        self.store = app_store

    def client(self, sub="u-1", **token):
        return self.service.client(token=self.issuer.token(sub, **token))

    def ask(self, token, path=NONCES, body=None):
        return self.service.client(token=token).post(path, body or {})


@pytest.fixture(scope="module")
def company(tmp_path_factory, app_store):
    made = Company(tmp_path_factory.mktemp("company"), app_store)
    yield made
    made.service.stop()


@pytest.fixture(scope="module")
def victim(company):
    """Another customer: an unbound subscriber with an account token."""
    customer = company.store.customer(app_account_token=str(uuid.uuid4()))
    active(customer)
    hand_in(company.service, company.store, customer, None)
    return customer


def promptly(ask):
    """The answer, asked for again until it was there within 5 s: a token that is good for some more seconds is to be judged before."""
    def answered():
        begin = time.monotonic()
        found = ask()
        return time.monotonic() - begin < 5 and found

    return wait_until(answered)


def refusal(answer):
    """The reason of a refused token, as the challenge has it; checks what RFC 6750 asks for."""
    assert answer.status_code == 401, answer.text
    problem = answer.json()
    assert problem["code"] == "invalid-token" and problem["detail"]
    challenge = answer.headers["www-authenticate"]
    start = 'Bearer realm="offersigner", error="invalid_token", error_description="'
    assert challenge.startswith(start) and challenge.endswith('"'), challenge
    return challenge[len(start):-1]


# Which tokens are good


@pytest.mark.parametrize("kid", ["ES256-1", "RS256-1", "EdDSA-1"])
def test_a_token_of_every_algorithm_opens_the_four_operations_for_its_customer(company, kid):
    client = company.client(f"user of {kid}", kid=kid)
    nonces = client.nonces(None)
    [refused] = client.sign({"offers": [{**OFFER, "nonce": nonces[0]}]})
    assert (refused["status"], refused["code"]) == ("refused", "never-subscribed")
    assert client.post(ELIGIBILITY, {"products": [PRO]}).json()["history"] == "none"
    item = {"productId": PRO, "transactionId": "704289572311513293", "allow": None}
    assert client.post(INTRODUCTORY, {"products": [item]}).json()["results"][0]["status"] == "not-needed"


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (dict(exp=-31), "expired"),
        (dict(exp=-3600), "expired"),
        (dict(nbf=+40), "not-yet-valid"),
        (dict(aud="somebody-else"), "wrong-audience"),
        (dict(aud=["somebody-else", AUDIENCE + " "]), "wrong-audience"),
        (dict(iss="https://accounts.example.com"), "unknown-issuer"),
        (dict(iss=None), "unusable-claim"),
        (dict(sub=None), "unusable-claim"),
        (dict(sub=""), "unusable-claim"),
        (dict(sub=17), "unusable-claim"),
        (dict(sub="a\u2063b"), "unusable-claim"),
        (dict(sub="x" * 256), "unusable-claim"),
        (dict(aud=None), "unusable-claim"),
        (dict(aud=[]), "unusable-claim"),
        (dict(aud=[1]), "unusable-claim"),
        (dict(exp=None), "unusable-claim"),
        (dict(exp="tomorrow"), "unusable-claim"),
        (dict(exp=1e300), "unusable-claim"),
        (dict(nbf="yesterday"), "unusable-claim"),
    ])
def test_a_genuine_token_with_a_wrong_claim_is_refused(company, changed, reason):
    def twice():
        """What is refused is not remembered as good."""
        now = int(time.time())
        claims = {name: now + value if name in ("exp", "nbf") and type(value) is int else value for name, value in changed.items()}
        sub = claims.pop("sub", "u-1")
        token = company.issuer.token(sub, **claims)
        return [company.ask(token) for _ in range(2)]

    assert [refusal(answer) for answer in promptly(twice)] == [reason] * 2


@pytest.mark.parametrize("claims", [dict(exp=-20), dict(nbf=+20), dict(aud=["x", AUDIENCE]), dict(typ="at+jwt"), dict(iat=None)])
def test_what_is_within_the_leeway_or_says_more_than_asked_for_is_good(company, claims):
    header = {"typ": claims["typ"]} if "typ" in claims else None

    def ask():
        now = int(time.time())
        own = {name: now + value if name in ("exp", "nbf") else value for name, value in claims.items() if name != "typ"}
        return company.ask(company.issuer.token("u-1", header=header, **own))

    assert promptly(ask).status_code == 200


def forgeries(company):
    issuer, now = company.issuer, int(time.time())
    ecdsa, rsa_key = issuer.keys["ES256-1"][0], issuer.keys["RS256-1"][0]
    good = issuer.token("u-1")
    head, payload, signature = good.split(".")
    other = make_key("ES256")
    return {
        "wrong key": (issuer.token("u-1", signed_with=other), "invalid-signature"),
        "unknown key": (issuer.token("u-1", kid="ES256-9", signed_with=other, algorithm="ES256"), "unknown-key"),
        "alg none": (issuer.token("u-1", algorithm="none"), "unsupported-algorithm"),
        "alg None": (issuer.token("u-1", header={"alg": "None"}), "unsupported-algorithm"),
        "no alg": (issuer.token("u-1", header={"alg": None}), "unsupported-algorithm"),
        "HS256 with the public key of ES256": (
            issuer.token("u-1", signed_with=pem(ecdsa), algorithm="HS256"), "unsupported-algorithm"),
        "HS256 with the public key of RS256": (
            issuer.token("u-1", kid="RS256-1", signed_with=pem(rsa_key), algorithm="HS256"), "unsupported-algorithm"),
        "RS256 by the name of the key of ES256": (issuer.token("u-1", signed_with=rsa_key, algorithm="RS256"), "unsupported-algorithm"),
        "ES256 that says RS256": (issuer.token("u-1", header={"alg": "RS256"}), "unsupported-algorithm"),
        "ES384": (issuer.token("u-1", header={"alg": "ES384"}), "unsupported-algorithm"),
        "critical parameter": (issuer.token("u-1", header={"crit": ["b64"], "b64": True}), "unsupported-header"),
        "another type": (issuer.token("u-1", header={"typ": "logout+jwt"}), "unsupported-header"),
        "key of its own": (issuer.token("u-1", kid="mine", signed_with=other, algorithm="ES256", header={"jwk": jwk(other)}), "unknown-key"),
        "no kid among several": (issuer.token("u-1", header={"kid": None}, signed_with=other), "invalid-signature"),
        "other payload": (f"{head}.{issuer.token('u-2').split('.')[1]}.{signature}", "invalid-signature"),
        "other header": (f"{issuer.token('u-1', header={'x': 1}).split('.')[0]}.{payload}.{signature}", "invalid-signature"),
        "no signature": (f"{head}.{payload}.", "invalid-signature"),
        "signature in DER": (f"{head}.{payload}.MEUCIQ", "invalid-signature"),
        "padded": (f"{head}.{payload}.{signature}==", "malformed-token"),
        "no JSON": (f"{head}.AAAA.{signature}", "malformed-token"),
        "a claim twice": (f"{head}.eyJzdWIiOiJhIiwic3ViIjoiYiJ9.{signature}", "malformed-token"),
        "nothing at all": ("..", "malformed-token"),
        "expired and forged": (issuer.token("u-1", signed_with=other, exp=now - 9999), "invalid-signature"),
    }


@pytest.mark.parametrize("name", sorted(forgeries(type("", (), {"issuer": TokenIssuer()}))))
def test_a_forged_token_is_refused(company, name):
    token, reason = forgeries(company)[name]
    assert [refusal(company.ask(token)) for _ in range(2)] == [reason] * 2


def test_without_a_kid_the_only_key_of_the_algorithm_is_taken(company):
    assert company.ask(company.issuer.token("u-1", header={"kid": None})).status_code == 200


def test_what_is_no_token_and_no_access_key_is_neither(company):
    for token in ["x", "a.b", "a.b.c.d", "Basic", ".".join(["a" * 5000] * 3), "osk_a_b.c.d"]:
        answer = company.ask(token)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized"), token
        assert "error=" not in answer.headers["www-authenticate"]


def test_refusals_are_counted_by_their_reason_and_no_token_is_logged(company):
    metric = "offersigner_end_user_tokens_refused_total"
    before = company.service.metric(metric, reason="expired")
    token = company.issuer.token("someone-with-a-name", exp=int(time.time()) - 100)
    answer = company.ask(token)
    assert company.service.metric(metric, reason="expired") == before + 1
    [line] = company.service.log_lines_of(answer.headers["x-request-id"])
    assert (line["problem"], line["reason"]) == ("invalid-token", "expired")
    good = company.issuer.token("someone-with-a-name")
    answer = company.ask(good)
    [line] = company.service.log_lines_of(answer.headers["x-request-id"])
    assert line["caller"].startswith("usr_") and len(line["caller"]) == 36
    log = company.service.log_text()
    for secret in [*token.split("."), *good.split("."), "someone-with-a-name"]:
        assert secret not in log


# What an end user may ask for


def test_every_other_operation_is_closed(company):
    document = company.service.client().get("/openapi.json").json()
    token = company.issuer.token("u-1")
    open_to_all, asked = [], 0
    for path, methods in document["paths"].items():
        for method in methods:
            if method not in ("get", "post", "put", "delete"):
                continue
            answer = company.service.client(token=token).request(method.upper(), path.replace("{", "").replace("}", ""))
            asked += 1
            if answer.status_code == 401:
                assert answer.json()["code"] == "unauthorized", path
            else:
                open_to_all.append(path)
    assert asked > 25
    public = {"/", "/livez", "/readyz", "/metrics", "/openapi.json", "/docs", "/docs/{page}", "/v1/appstore/notifications/{bundleId}", "/v1/appstore/retention/{bundleId}"}
    assert set(open_to_all) - public == {NONCES, SIGN, INTRODUCTORY, ELIGIBILITY, OFFERS}


def test_the_sub_overrides_the_customer_of_the_request(company):
    mine = company.store.customer()
    lapsed(mine)
    hand_in(company.service, company.store, mine, "u-lapsed")
    client = company.client("u-lapsed")
    [signed] = client.sign({"customerId": "somebody-else", "offers": [OFFER]})
    assert signed["status"] == "signed"
    row = company.service.rows()[signed["nonce"]]
    assert row["customer_id"] == "u-lapsed" and row["caller"].startswith("usr_")
    found = client.post(ELIGIBILITY, {"customerId": "somebody-else", "products": [PRO]}).json()
    assert found["products"][0]["subscription"]["state"] == "expired"
    [refused] = company.client("somebody-else").sign({"customerId": "u-lapsed", "offers": [OFFER]})
    assert refused["status"] == "refused"


def test_a_token_is_for_the_apps_of_its_audiences(company):
    client = company.client("u-1")
    assert client.problem(NONCES, {"bundleId": "com.example.news"})[:2] == (403, "forbidden")
    assert company.client("u-1", aud="news-ios").post(NONCES, {}).status_code == 200
    assert company.client("u-1", aud="news-ios").problem(NONCES, {"bundleId": BUNDLE})[:2] == (403, "forbidden")
    both = company.client("u-1", aud=[AUDIENCE, "both"])
    assert both.problem(NONCES, {}) == (400, "invalid-field", ["bundleId"])
    assert both.nonces(BUNDLE) and both.nonces("com.example.news")


def test_another_users_ids_reveal_and_take_nothing(company, victim):
    """Everything that names the victim, sent by a stranger with a good token."""
    stranger = company.client("stranger")
    [original, *_] = [each["transactionId"] for each in victim.transactions]
    account = victim.transactions[0].get("appTransactionId")
    # A backend that is believed would get them.
    backend = company.service.client("backend")
    assert backend.sign({"bundleId": BUNDLE, "transactionId": original, "offers": [OFFER]})[0]["status"] == "signed"
    for field, value in [
        ("appAccountToken", victim.app_account_token), ("transactionId", original), ("appTransactionId", account or "7042"),
    ]:
        answer = stranger.post(ELIGIBILITY, {field: value})
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), field
        assert field in answer.json()["detail"]
    assert stranger.problem(SIGN, {"appTransactionId": account or "7042", "offers": [OFFER]})[:2] == (403, "forbidden")
    for fields in [
        {"transactionId": original}, {"transactionId": original, "form": "jws"}, {"appAccountToken": victim.app_account_token},
        {"applicationUsername": victim.app_account_token}, {"transactionId": account or "7042"},
    ]:
        [refused] = stranger.sign({**fields, "offers": [OFFER]})
        assert (refused["status"], refused["code"]) == ("refused", "never-subscribed"), fields
    item = {"productId": PRO, "transactionId": original, "allow": None}
    [result] = stranger.post(INTRODUCTORY, {"products": [item]}).json()["results"]
    assert (result["status"], result["reasons"][0]["code"]) == ("not-needed", "new-customer")
    # And nothing of it was bound.
    found = backend.post(ELIGIBILITY, {"bundleId": BUNDLE, "customerId": "stranger", "products": [PRO]}).json()
    assert found["history"] == "none"


def test_what_storekit_has_signed_shows_itself(company):
    mine = company.store.customer()
    active(mine)
    signed = mine.signed_transactions(company.store.authority)
    client = company.client("shows-it")
    found = client.post(ELIGIBILITY, {"signedTransactions": signed, "products": [PRO]}).json()
    assert (found["products"][0]["subscription"]["state"], found["subscriptionOwner"]) == ("active", "same")
    # From now on it is theirs alone.
    [result] = client.sign({"offers": [OFFER]})
    assert result["status"] == "signed"
    assert company.client("thief").problem(SIGN, {"signedTransactions": signed, "offers": [OFFER]})[:2] == (
        409, "bound-to-another-customer")


def test_a_sub_that_is_a_uuid_and_a_claim_find_what_was_bought_with_the_token(company, victim):
    # The rightful one, whose own id is what the app gives StoreKit.
    found = company.client(victim.app_account_token.upper()).post(ELIGIBILITY, {"products": [PRO]}).json()
    assert found["products"][0]["subscription"]["state"] == "active"
    own = {"appAccountToken": victim.app_account_token, "products": [PRO]}
    assert company.client(victim.app_account_token).post(ELIGIBILITY, own).status_code == 200


def test_end_users_do_not_grant_themselves_an_introductory_offer(company):
    """Although the app lets clients do it: those are backends."""
    item = {"productId": PRO, "transactionId": "704289572311513293", "allow": True}
    assert company.client("u-1").problem(INTRODUCTORY, {"products": [item]})[:2] == (403, "forbidden")
    assert company.service.client("client").post(INTRODUCTORY, {"bundleId": BUNDLE, "products": [item]}).status_code == 200


def test_nothing_is_signed_for_purchases_that_cost_nothing(company):
    """A signature is good in both environments."""
    tester = company.store.customer(environment="Sandbox")
    active(tester)
    body = {"environment": "Sandbox", "signedTransactions": tester.signed_transactions(company.store.authority)}
    client = company.client("tester")
    found = client.post(ELIGIBILITY, {**body, "products": [PRO]}).json()
    assert found["products"][0]["subscription"]["state"] != "never"
    assert client.problem(SIGN, {**body, "offers": [OFFER]})[:2] == (403, "forbidden")
    [refused] = client.sign({"offers": [OFFER]})
    assert refused["code"] == "never-subscribed"


def test_nonces_and_idempotency_keys_are_the_users_own(company):
    for name in ["first", "second"]:
        mine = company.store.customer()
        active(mine)
        hand_in(company.service, company.store, mine, name)
    [nonce] = company.client("first").nonces(BUNDLE)
    body = {"offers": [{**OFFER, "nonce": nonce}]}
    assert company.client("second").problem(SIGN, body)[:2] == (422, "nonce-not-issued")
    # Another token of the same user is the same user.
    key = {"Idempotency-Key": "attempt-1"}
    first = company.client("first", kid="RS256-1").sign(body, headers=key)
    assert company.client("first", kid="EdDSA-1").sign(body, headers=key) == first
    other = company.client("second").sign({"offers": [OFFER]}, headers=key)
    assert other[0]["nonce"] != first[0]["nonce"]


# The keys


def test_keys_in_a_file_are_rotated_without_a_restart(company):
    issuer = company.issuer
    issuer.add("ES256-2", "ES256")
    old, new = issuer.token("rotates"), issuer.token("rotates", kid="ES256-2")
    assert company.ask(old).status_code == 200
    write_keys(company.file, issuer.jwks())
    wait_until(lambda: company.ask(new).status_code == 200)
    assert company.ask(old).status_code == 200
    # What is taken out ends at once, also for tokens that were seen before.
    key = issuer.drop("ES256-1")
    write_keys(company.file, issuer.jwks())
    wait_until(lambda: company.ask(old).status_code == 401)
    assert refusal(company.ask(old)) == "unknown-key"
    assert company.ask(new).status_code == 200
    # A file that is not a set of keys, or that others may write, changes nothing, and is reported.
    for earlier, damage in enumerate(["{", json.dumps({"keys": 1})]):
        failures = company.service.metric("offersigner_failures_total", subject="token-issuer")
        write_keys(company.file, damage)
        # One look may have found what was wrong before.
        wait_until(lambda: company.service.metric("offersigner_failures_total", subject="token-issuer") > failures + earlier)
        assert company.ask(issuer.token("rotates", kid="ES256-2")).status_code == 200
    wait_until(lambda: any(line.get("code") == "malformed-key-set" for line in company.service.log()))
    write_keys(company.file, issuer.jwks())
    company.file.chmod(0o666)
    wait_until(lambda: any(line.get("code") == "token-keys-unreadable" for line in company.service.log()))
    company.file.chmod(0o644)
    issuer.keys["ES256-1"] = key
    write_keys(company.file, issuer.jwks())
    wait_until(lambda: company.ask(old).status_code == 200)


DAMAGE = {
    "token-keys-refused": {"status": 500, "document": ""},
    "malformed-key-set": {"document": "no JSON"},
    "token-keys-too-long": {"document": "x" * 300_000},
}


def test_keys_from_a_url(new_service):
    """An issuer of its own for each thing that can happen: an issuer is asked for the sake of unknown keys every ten seconds."""
    names = ["rotates", "redirects", *DAMAGE]
    with contextlib.ExitStack() as servers:
        issuers = {name: TokenIssuer(f"https://{name}.example.com/") for name in names}
        server = {name: servers.enter_context(KeyServer(issuers[name].jwks())) for name in names}
        apps = [
            app_yaml({"url": server[name].url, "refreshSeconds": 3600, "maxAgeSeconds": 3600}, f"com.example.{name}", issuers[name].name)
            for name in names
        ]
        service = new_service(extra=GENEROUS + f"apps: {json.dumps(apps)}\n")
        made_up = make_key("ES256")

        def ask(name, *arguments, **options):
            return service.client(token=issuers[name].token(*arguments, **options)).post(NONCES, {})

        def forged(name, number=0):
            return refusal(ask(name, kid=f"made-up-{number}", signed_with=made_up, algorithm="ES256"))

        for name in names:
            assert ask(name).status_code == 200
            assert server[name].asked == 1
            assert service.metric("offersigner_end_user_keys", issuer=issuers[name].name) == 3
        wait_until(lambda: all(service.metric("offersigner_end_user_keys_age_seconds", issuer=issuers[name].name) > 10 for name in names))
        # A new key: the first token with it has the keys fetched, and waits for that; so do all that come with it.
        issuers["rotates"].add("ES256-2", "ES256")
        server["rotates"].document, server["rotates"].delay = issuers["rotates"].jwks(), 0.5
        begin = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(40) as pool:
            answers = list(pool.map(lambda number: ask("rotates", f"u-{number}", kid="ES256-2"), range(40)))
        assert [answer.status_code for answer in answers] == [200] * 40
        assert server["rotates"].asked == 2
        # Lines of the log are written beside the answers.
        wait_until(lambda: [
            line["keys"] for line in service.log()
            if line["message"] == "the keys of end users' tokens were read" and line["issuer"] == issuers["rotates"].name][-1] == "4")
        # Made-up keys do not have it asked again and again, and no caller waits for them.
        assert [forged("rotates", number) for number in range(50)] == ["unknown-key"] * 50
        assert server["rotates"].asked <= 2 + (time.monotonic() - begin) // 10
        # Away, or silly: the old keys stay, and the log says so.
        for name, answer in DAMAGE.items():
            vars(server[name]).update(answer)
            assert forged(name) == "unknown-key"
            wait_until(lambda: any(line.get("code") == name for line in service.log()))
            assert ask(name).status_code == 200
        # A redirect is not followed.
        with KeyServer(issuers["redirects"].jwks()) as elsewhere:
            server["redirects"].status, server["redirects"].headers = 302, {"Location": elsewhere.url}
            assert forged("redirects") == "unknown-key"
            assert (server["redirects"].asked, elsewhere.asked) == (2, 0)


def test_an_issuer_that_is_away_at_the_start_delays_no_other_caller(new_service):
    issuer = TokenIssuer()
    with KeyServer(issuer.jwks()) as server:
        server.status = 503
        service = new_service(extra=f"apps: {json.dumps([app_yaml({'url': server.url})])}\n")
        answer = service.client(token=issuer.token()).post(NONCES, {})
        assert (answer.status_code, answer.json()["code"]) == (503, "not-ready")
        assert service.client("client").nonces(service.bundle_id)
        assert service.client().get("/readyz").status_code == 200
        assert service.metric("offersigner_end_user_keys", issuer=ISSUER) == 0
        server.status = 200
        wait_until(lambda: service.client(token=issuer.token()).post(NONCES, {}).status_code == 200)


def test_weak_and_foreign_keys_are_left_out(new_service, tmp_path):
    issuer = TokenIssuer()
    weak, good, curve = make_key("RS256", bits=1024), make_key("RS256"), ec.generate_private_key(ec.SECP384R1())
    private = jwk(good, "private") | {"d": "AAAA"}
    unusable = [
        jwk(weak, "weak"), jwk(good, "encrypts", use="enc"), jwk(good, "signs", key_ops=["sign"]), jwk(good, "other", alg="RS512"),
        jwk(curve, "p384"), {"kty": "oct", "k": "AAAA", "kid": "secret"}, private, {"kty": "RSA", "kid": "empty"}, 7,
        jwk(good, "even") | {"e": "Ag"}, jwk(make_key("ES256"), "off-curve") | {"x": "A" * 43, "y": "A" * 43},
    ]
    for each in ["weak", "encrypts", "signs", "other", "private"]:
        issuer.keys[each] = (weak if each == "weak" else good, "RS256")
    file = tmp_path / "jwks.json"
    write_keys(file, json.dumps({"keys": [jwk(good, "good"), jwk(good, "verifies", use=None, key_ops=["verify"], alg=None), *unusable]}))
    service = new_service(extra=GENEROUS + f"apps: {json.dumps([app_yaml({'file': str(file)})])}\n")

    def ask(kid, key=good):
        return service.client(token=issuer.token(kid=kid, signed_with=key, algorithm="RS256")).post(NONCES, {})

    assert [ask(kid).status_code for kid in ["good", "verifies"]] == [200, 200]
    for kid, key in [("weak", weak), ("encrypts", good), ("signs", good), ("other", good), ("private", good)]:
        assert refusal(ask(kid, key)) == "unknown-key", kid
    [line] = [line for line in service.log() if line["message"] == "the keys of end users' tokens were read"]
    assert line["keys"] == "2"
    for word in ["1024 bits", "holds a private key", "(use)", "(key_ops)", "(alg)", "P-256", "(kty)", "no n"]:
        assert word in line["unusable"], word


# Rates


def test_one_user_cannot_use_up_the_rate_of_others(new_service, tmp_path):
    issuer = TokenIssuer()
    file = tmp_path / "jwks.json"
    write_keys(file, issuer.jwks())
    service = new_service(
        extra="limits: {endUsers: {requestsPerMinute: 1, burst: 5}}\n" + f"apps: {json.dumps([app_yaml({'file': str(file)})])}\n")
    # Several tokens are one user.
    answers = [service.client(token=issuer.token("greedy", kid=kid)).post(NONCES, {}) for kid in 2 * list(issuer.keys)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert answers[0].headers["ratelimit-policy"] == '"default";q=5;w=300'
    assert 1 <= int(answers[5].headers["retry-after"]) <= 60 and "this user" in answers[5].json()["detail"]
    assert service.client(token=issuer.token("modest")).post(NONCES, {}).status_code == 200
    assert service.client("client").nonces(service.bundle_id)


# The configuration


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        ({"issuer": None}, "endUserTokens.issuer: is missing"),
        ({"audiences": []}, "endUserTokens.audiences: is missing"),
        ({"algorithms": ["HS256"]}, "algorithms: HS256 is not supported; use one of ES256, RS256, EdDSA"),
        ({"jwks": {}}, "give file or url"),
        ({"jwks": {"file": "/nowhere/jwks.json"}}, "/nowhere/jwks.json cannot be read: No such file"),
        ({"jwks": {"url": "ftp://a/b"}}, "must be a URL that begins with https:// or http:// in development"),
        ({"jwks": {"url": "https://user:word@a/b"}}, "without a user"),
        ({"jwks": {"url": "https://a/b", "maxAgeSeconds": 300, "refreshSeconds": 900}}, "maxAgeSeconds: is less than refreshSeconds"),
        ({"leewaySeconds": 900}, "leewaySeconds: must be integer 0…300"),
    ])
def test_a_configuration_that_could_not_work_is_named(new_service, tokens, words):
    service = new_service(start=False)
    app = app_yaml({"url": "https://accounts.example.com/jwks"})
    app["endUserTokens"] |= tokens
    app["endUserTokens"] = {name: value for name, value in app["endUserTokens"].items() if value is not None}
    file = service.folder.with_suffix(".yaml")
    file.write_text(f"apps: {json.dumps([app])}\n")
    from harness.service import EXAMPLE, run
    done = run("check-config", "--config", EXAMPLE, "--config", file, cwd=file.parent)
    assert done.returncode != 0 and words in done.stderr, done.stderr


def test_production_asks_for_https_and_two_apps_agree_on_an_issuer(new_service, tmp_path):
    from harness.service import EXAMPLE, run
    file = tmp_path / "apps.yaml"
    apps = [app_yaml({"url": "http://a/jwks"}), app_yaml({"url": "http://b/jwks"}, bundle_id="com.example.news")]
    file.write_text(f"environment: production\napps: {json.dumps(apps)}\n")
    told = run("check-config", "--config", EXAMPLE, "--config", file, cwd=tmp_path).stderr
    assert "apps[0].endUserTokens.jwks.url: must be a URL that begins with https:// in production" in told
    assert "apps[1].endUserTokens: apps[0] has the same issuer and says something else of it" in told
