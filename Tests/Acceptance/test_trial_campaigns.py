"""A test of a free trial on customers who never subscribed: the claim is the variant, the figures are a notebook's, no second trial."""
import json
import random

import jwt
import pytest
from statsmodels.stats.proportion import proportion_confint, proportions_ztest

from AppStoreServer.authority import Authority
from harness import checks
from harness.app_store import APP_APPLE_ID, BUNDLE, ISSUER
from harness.clock import Clock
from harness.purchases import DAY, GROUP, PRO, hand_in, lapsed, now, signed
from harness.scale import scaled
from harness.service import Service
from harness.token_issuer import TokenIssuer, app_yaml
from harness.waiting import wait_until
from test_admin import client
from test_experiment import Experiment

OFFERS, SIGN = "/v1/offers", "/v1/introductory-offers/signatures"
COUNT = scaled(400, 10000)
# Of each variant, the share that subscribes and, of these, the share that pays within the window.
RATES = {"with-trial": (0.5, 0.4), "without": (0.25, 1.0)}
# Every fifth account has had the trial, under another name of the app.
USED = 5


def variants(allow=(True, False)):
    names = {True: "with-trial", False: "without"}
    return [
        {"id": names[each], "weight": 10000 // len(allow), "introductoryOffer": {"productId": PRO, "allow": each}} for each in allow]


def app_transaction(authority, account, **changes):
    """What StoreKit's AppTransaction says, as its jwsRepresentation."""
    said = {
        "receiptType": "Production", "bundleId": BUNDLE, "appAppleId": 1234567890, "applicationVersion": "42",
        "originalApplicationVersion": "1.0", "originalPurchaseDate": now() - DAY, "receiptCreationDate": now(),
        "appTransactionId": account, **changes}
    return authority.sign({name: value for name, value in said.items() if value is not None})


class Trial(Experiment):
    """As an experiment, with a client key in the app and Apple accounts that it only knows by their AppTransaction."""

    def ask(self, customer, placement, path=OFFERS, role="client", **body):
        shown = app_transaction(self.store.authority, customer.app_transaction_id)
        body = {"bundleId": BUNDLE, "signedAppTransaction": shown, "placement": placement, **body}
        return self.post(path, body, role=role)

    def claim(self, customer, placement, product=PRO, **body):
        """The outcome of the request before the purchase: a value of the claim, or the status, with the variant that decided."""
        products = [{"productId": product, "transactionId": customer.app_transaction_id}]
        [result] = self.ask(customer, placement, SIGN, products=products, **body)["results"]
        variant = result.get("campaign", {}).get("variant")
        if result["status"] != "signed":
            return result["status"], variant
        claims = jwt.decode(result["compactJWS"], self.public_key, ["ES256"], audience="introductory-offer-eligibility")
        assert (claims["productId"], claims["transactionId"], claims["bid"]) == (product, customer.app_transaction_id, BUNDLE)
        return claims["allowIntroductoryOffer"], variant


@pytest.fixture(scope="module")
def trial(app_store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trial")
    clock = Clock(folder)
    extra = app_store.configuration_yaml(BUNDLE, eligibility="enforce", issuerId=ISSUER)
    service = Service(folder / "service", extra=extra, environment=clock.environment)
    service.start()
    app_store.admit(service)
    yield Trial(service, app_store, clock)
    service.stop()


@pytest.fixture
def today(connected, app_store):
    """The same without a clock that the test sets."""
    return Trial(connected(eligibility="enforce", issuerId=ISSUER), app_store, None)


def publish(trial, name, **changes):
    live = lambda: trial.service.metric("offersigner_campaigns", standing="live") or 0
    before = live()
    trial.publish(name, **{"unit": "appTransaction", "variants": variants(), **changes})
    wait_until(lambda: live() == before + 1)


@pytest.fixture(scope="module")
def story(trial):
    """Each account with its variant, and when it subscribed and paid; a fortnight later."""
    window = {"window": "P14D", "expected": 0.2, "detect": 0.05}
    publish(trial, "started", goal={"metric": "subscribed", **window})
    publish(trial, "paid", goal={"metric": "converted-to-paid", **window}, holdout=1000)
    accounts = [trial.store.customer() for _ in range(COUNT)]
    veterans = accounts[::USED]
    for number, account in enumerate(veterans):
        lapsed(account, intro=True)
    trial.each(lambda each: trial.post("/v1/history/transactions", {
        "bundleId": BUNDLE, "customerId": f"old-{each[0]}", **signed(trial.store, each[1])}), enumerate(veterans))
    has_used = {id(account) for account in veterans}
    exposed = now()

    def meet(account):
        seen = {}
        for placement in ("started", "paid"):
            found = trial.ask(account, placement)
            [assignment] = found["assignments"]
            seen[placement] = assignment["variant"]
            is_used, is_with = id(account) in has_used, seen[placement] == "with-trial"
            gives = [] if seen[placement] == "holdout" or is_used and is_with else [is_with]
            assert [each["introductoryOffer"]["allow"] for each in found["offers"]] == gives
            outcome = trial.claim(account, placement)
            if seen[placement] == "without":
                assert outcome == (False, "without")
            elif is_used:
                # The App Store would refuse it, and so does the claim: no campaign has said "again".
                assert outcome == (False, None)
            else:
                assert outcome == ("not-needed", "with-trial" if is_with else None)
        return seen

    met = trial.each(meet, accounts)
    chance = random.Random(7)
    story = []
    for account, seen in zip(accounts, met):
        line = {"account": account, **seen, "used": id(account) in has_used, "subscribed": None, "pays": False}
        if not line["used"]:
            subscribes, pays = RATES["with-trial" if seen["started"] == "with-trial" else "without"]
            if chance.random() < subscribes:
                line["subscribed"] = exposed + chance.randrange(DAY // 10, 6 * DAY)
                line["pays"] = seen["started"] != "with-trial" or chance.random() < pays
        story.append(line)
    trial.clock.set(16 * DAY // 1000)
    trial.each(lambda line: live(trial, line), [line for line in story if line["subscribed"]])
    return story


def live(trial, line):
    """Subscribes with or without the trial. Who pays after it is renewed a week later."""
    with_trial = line["started"] == "with-trial"
    fields = {"intro": True, "intro_period": "P1W"} if with_trial else {}
    subscription = line["account"].start(PRO, at=line["subscribed"], **fields)
    trial.notify(subscription, line["subscribed"])
    if with_trial and line["pays"]:
        subscription.renew()
        trial.notify(subscription, subscription.last["purchaseDate"])


@pytest.mark.parametrize("campaign, goal", [("started", "subscribed"), ("paid", "pays")])
def test_conversion_and_paid_conversion_are_those_of_a_notebook(trial, story, campaign, goal):
    made = {name: [bool(line[goal]) for line in story if line[campaign] == name] for name in RATES}
    pairs = [(sum(made[name]), len(made[name])) for name in RATES]
    results = trial.results(campaign, lambda found: [(each["converted"], each["matured"]) for each in found["variants"]] == pairs)
    assert results["holdout"]["exposed"] == sum(line[campaign] == "holdout" for line in story)
    for line in results["variants"]:
        low, high = proportion_confint(sum(made[line["id"]]), len(made[line["id"]]), method="wilson")
        assert line["conversion"] == pytest.approx({"rate": sum(made[line["id"]]) / len(made[line["id"]]), "low": low, "high": high})
    (s0, n0), (s1, n1) = pairs
    z, p = proportions_ztest([s1, s0], [n1, n0])
    assert results["variants"][1]["zTest"] == pytest.approx({"z": z, "p": p})
    # A trial is begun more often than it is paid for.
    assert goal == "pays" or pairs[0][0] > sum(line["pays"] and line["started"] == "with-trial" for line in story)


def test_who_has_had_the_trial_gets_it_again_only_where_the_campaign_says_so(today):
    trial = today
    lapsed_before = {"fact": "introductory.used", "group": GROUP, "is": True}
    publish(trial, "again", variants=variants([True]), audience=lapsed_before, introductory={"again": True})
    publish(trial, "once", variants=variants([True]))
    names = {}
    for kind in ("lapsed", "active"):
        names[kind] = customer = trial.store.customer()
        life = lapsed(customer, intro=True) if kind == "lapsed" else customer.start(PRO, at=now() - DAY, intro=True)
        hand_in(trial.service, trial.store, customer, f"again-{kind}")
        assert life.last
    assert trial.claim(names["lapsed"], "again", customerId="again-lapsed") == (True, "with-trial")
    assert trial.claim(names["lapsed"], "once", customerId="again-lapsed") == (False, None)
    # An introductory offer is not for subscribers.
    assert trial.claim(names["active"], "again", customerId="again-active") == (False, None)
    # Coins of the same Apple account are the customer's own; another account is not, and nothing is announced for it.
    coins = names["lapsed"].buy("com.example.coins")
    hand_in(trial.service, trial.store, names["lapsed"], "again-lapsed")
    products = [{"productId": PRO, "transactionId": coins["transactionId"]}]
    [result] = trial.ask(names["lapsed"], "again", SIGN, customerId="again-lapsed", products=products)["results"]
    assert result["campaign"]["variant"] == "with-trial"
    other = trial.store.customer()
    assert trial.claim(other, "again", customerId="again-lapsed") == (False, None)
    assert trial.ask(other, "again", customerId="again-lapsed")["offers"] == []
    assert len(trial.ask(names["lapsed"], "again", customerId="again-lapsed")["offers"]) == 1
    # A subscription whose group nobody knows may be one of this group, and a period may have been bought for the future.
    for kind, change in (("stray", lambda customer: customer.start("com.example.unknown", at=now() - DAY, group=None)),
                         ("future", lambda customer: customer.start(PRO, at=now() + DAY))):
        customer = trial.store.customer()
        lapsed(customer, intro=True)
        hand_in(trial.service, trial.store, customer, f"again-{kind}")
        assert trial.claim(customer, "again", customerId=f"again-{kind}") == (True, "with-trial")
        change(customer)
        hand_in(trial.service, trial.store, customer, f"again-{kind}")
        assert trial.claim(customer, "again", customerId=f"again-{kind}") == (False, None)
    # A new name in the app on the same Apple account is another customer, who is not in the audience.
    assert trial.claim(names["lapsed"], "again", customerId="new-name") == (False, None)


def test_only_what_apple_has_signed_proves_an_account(today):
    trial = today
    publish(trial, "proof", variants=variants([False]))
    customer = trial.store.customer()
    account, genuine = customer.app_transaction_id, trial.store.authority
    assert trial.claim(customer, "proof") == (False, "without")
    person = trial.service.client("client")
    # A name that the caller only states is put into no bucket.
    body = {"bundleId": BUNDLE, "appTransactionId": account, "placement": "proof"}
    assert person.post(OFFERS, body).json()["assignments"] == []
    forged = {
        "another authority": (app_transaction(Authority(), account), "untrusted-root"),
        "another app": (app_transaction(genuine, account, bundleId="com.example.other"), "bundle-mismatch"),
        "the Sandbox": (app_transaction(genuine, account, receiptType="Sandbox"), "environment-mismatch"),
        "no environment": (app_transaction(genuine, account, receiptType=None), "environment-mismatch"),
        "no account": (app_transaction(genuine, None), "malformed-payload"),
        "a transaction": (genuine.sign(customer.buy("com.example.coins")), "malformed-payload"),
        "not a JWS": ("rubbish", None),
    }
    for path, fields in [(OFFERS, {}), (SIGN, {"products": [{"productId": PRO, "transactionId": account}]})]:
        for kind, (text, code) in forged.items():
            answer = person.post(path, {"bundleId": BUNDLE, "signedAppTransaction": text, "placement": "proof", **fields})
            assert answer.status_code == 422, (kind, answer.text)
            problem = answer.json()
            assert [each["name"] for each in problem["fields"]] == ["signedAppTransaction"], (kind, problem)
            assert code in (None, problem["code"]), (kind, problem)
        answer = person.post(path, {"bundleId": BUNDLE, "signedAppTransaction": 7, **fields})
        assert answer.json()["code"] == "invalid-field", answer.text
    # All products that campaigns decide about are one customer's.
    products = [{"productId": PRO, "transactionId": account}, {"productId": PRO, "transactionId": "700"}]
    problem = person.post(SIGN, {"bundleId": BUNDLE, "products": products}).json()
    assert [each["name"] for each in problem["fields"]] == ["products[1].transactionId"], problem


def test_a_token_proves_an_account(app_store, tmp_path):
    issuer, keys = TokenIssuer(), tmp_path / "jwks.json"
    keys.write_text(issuer.jwks())
    keys.chmod(0o644)
    app = app_yaml(
        {"file": str(keys)}, eligibility="enforce", issuerId=ISSUER, appAppleId=1234567890,
        tokens={"appTransactionIdClaim": "apple_account"},
        subscriptionGroups=[{"id": GROUP, "products": [
            {"id": PRO, "level": 1, "period": "P1M", "introductoryOffer": {"kind": "free-trial", "period": "P1W"}}]}])
    service = Service(tmp_path / "service", extra=app_store.configuration_yaml() + f"apps: {json.dumps([app])}\n")
    service.start()
    try:
        people = {name: client(service, role, [BUNDLE], name) for name, role in {"ann": "marketing", "eve": "approver"}.items()}
        body = {"id": "by-account", "name": "by-account", "bundleId": BUNDLE, "unit": "appTransaction", "variants": variants([False])}
        assert people["ann"].post("/v1/admin/campaigns", body).status_code == 201
        for person, word, more in [("ann", "submit", {}), ("eve", "approve", {"publish": True})]:
            answer = people[person].request("POST", f"/v1/admin/campaigns/by-account/{word}", json=more, headers={"If-Match": "*"})
            assert answer.status_code == 200, answer.text
        user = service.client(token=issuer.token("u-1", apple_account="704289572311513293"))
        found = wait_until(lambda: (answer := user.post(OFFERS, {}).json())["assignments"] and answer)
        assert found["offers"] == [{
            "productId": PRO, "introductoryOffer": {"allow": False},
            "campaign": {"id": "by-account", "revision": 1, "variant": "without"}}]
        assert service.client(token=issuer.token("u-2")).post(OFFERS, {}).json()["assignments"] == []
        answer = service.client(token=issuer.token("u-3", apple_account="7 04")).post(OFFERS, {})
        assert answer.status_code == 401 and "apple_account" in answer.text
    finally:
        service.stop()


def test_a_link_is_given_to_new_customers_as_well(today):
    link = f"https://apps.apple.com/redeem?ctx=offercodes&id={APP_APPLE_ID}&code=SPRING24"
    publish(today, "code", variants=[{"id": "none", "weight": 5000}, {"id": "code", "weight": 5000, "link": link}])
    seen = set()
    for _ in range(20):
        account = today.store.customer()
        found = today.ask(account, "code")
        [variant] = [each["variant"] for each in found["assignments"]]
        seen.add(variant)
        given = [{"productId": None, "link": link, "campaign": {"id": "code", "revision": 1, "variant": "code"}}]
        assert found["offers"] == (given if variant == "code" else [])
        # Nothing of this campaign is decided where introductory offers are asked for.
        assert today.claim(account, "code") == ("not-needed", None)
    assert seen == {"none", "code"}
    answer = today.ann.post("/v1/admin/campaigns/try", {"bundleId": BUNDLE, "customerId": "new", "placement": "code"})
    assert answer.status_code == 200, answer.text
