"""The catalogue from App Store Connect: what differs, what is written, what the operator wrote by hand, and what goes wrong."""
import decimal
import json
import pathlib
import random

import pytest
import yaml
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from harness.app_store import BUNDLE, ISSUER
from harness.connect import CURRENCIES, TERRITORIES, Shop, introductory, priced, scheduled
from harness.service import EXAMPLE, run

KEY_ID, PERSON = "CONNECT123", "PERSON1234"
PRO, YEARLY, TEAM = "com.example.pro.monthly", "com.example.pro.yearly", "com.example.team.monthly"


def new_key(folder, name):
    file = folder / name
    file.write_bytes(ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    file.chmod(0o600)
    return file


def example_shop(shop=None, **changed):
    """The first app of the example configuration, as App Store Connect would have it; `changed` are arguments of Shop.subscription."""
    shop = shop or Shop()
    pro = {
        "introductory": introductory("FREE_TRIAL", "ONE_WEEK"),
        "promotional": [
            shop.promotional("winback50", "PAY_AS_YOU_GO", "ONE_MONTH", 3), shop.promotional("loyalty20", "PAY_UP_FRONT", "SIX_MONTHS")],
    } | changed
    return shop.app(BUNDLE, shop.group(
        "20563228", "Pro",
        shop.subscription(TEAM, "ONE_MONTH", 1, promotional=[
            shop.promotional("teamtrial", "FREE_TRIAL", "ONE_MONTH"), shop.promotional("winback50", "PAY_AS_YOU_GO", "ONE_MONTH", 3)]),
        shop.subscription(YEARLY, "ONE_YEAR", 2, introductory("PAY_UP_FRONT", "ONE_YEAR"), [
            shop.promotional("yearly30", "PAY_UP_FRONT", "ONE_YEAR")]),
        shop.subscription(PRO, "ONE_MONTH", 2, **pro),
    )).app(f"{BUNDLE}.other")


class Desk:
    """An operator's folder: keys, a configuration, and the command."""

    def __init__(self, folder, store):
        self.folder, self.store = folder, store
        self.team, self.person = new_key(folder, f"AuthKey_{KEY_ID}.p8"), new_key(folder, f"AuthKey_{PERSON}.p8")
        self.url = f"{store.url}/connect"
        self.own = folder / "own.yaml"
        self.write()
        store.reset()

    def write(self, text="{}"):
        self.own.write_text(f"appStore: {{connectAPI: {json.dumps(self.url)}}}\n" + (text if text != "{}" else ""))

    def sell(self, shop, role=None, page_size=200):
        self.store.settings(pageSize=page_size)
        key = {"file": self.team, "issuerId": ISSUER} | ({"role": role} if role else {})
        self.store.connect(shop.resources, {KEY_ID: key, PERSON: {"file": self.person}})

    def run(self, *arguments, config=(EXAMPLE,)):
        files = [option for file in (*config, self.own) for option in ("--config", file)]
        return run(*arguments, *files, cwd=self.folder)

    def pull(self, *arguments, key=None, config=(EXAMPLE,), app=BUNDLE):
        return self.run("catalogue", "pull", "--key", key or self.team, *(["--app", app] if app else []), *arguments, config=config)

    def differences(self, *arguments):
        done = self.pull("--json", *arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["differences"]


@pytest.fixture
def desk(tmp_path, app_store):
    return Desk(tmp_path, app_store)


def test_a_catalogue_that_is_the_same_is_said_to_be(desk):
    desk.sell(example_shop())
    done = desk.pull("--check")
    assert (done.returncode, done.stdout) == (0, "the configuration has the catalogue of App Store Connect\n"), done.stderr
    [request, *_] = desk.store.requests("connect")
    claims = request["token"]["claims"]
    assert claims["iss"] == ISSUER and claims["aud"] == "appstoreconnect-v1" and claims["exp"] - claims["iat"] <= 1200
    assert request["token"]["header"] == {"alg": "ES256", "kid": KEY_ID, "typ": "JWT"}
    assert {each["method"] for each in desk.store.requests("connect")} == {"GET"}


@pytest.mark.parametrize("page_size", [1, 2, 200])
def test_every_page_is_read(desk, page_size):
    desk.sell(example_shop(), page_size=page_size)
    assert desk.differences() == []
    assert len(desk.store.requests("connect")) > 200 / page_size / 10


def test_differences_are_reported_place_by_place(desk):
    shop = Shop()
    shop.app(BUNDLE, shop.group("20563228", "Pro", shop.subscription(
        PRO, "THREE_MONTHS", 3, introductory("PAY_AS_YOU_GO", "ONE_MONTH", periods=2),
        [shop.promotional("winback50", "PAY_UP_FRONT", "ONE_MONTH", 2), shop.promotional("new", "FREE_TRIAL", "THREE_DAYS")]),
        shop.subscription(YEARLY, "ONE_YEAR", 2, (), [shop.promotional("yearly30", "PAY_UP_FRONT", "ONE_YEAR")]),
        shop.subscription("com.example.basic", "ONE_WEEK", 4)), shop.group("9", "Empty"))
    desk.sell(shop)
    done = desk.pull()
    assert done.returncode == 0 and desk.pull("--check").returncode == 1
    group = f"app {BUNDLE}: group 20563228"
    assert done.stdout.splitlines() == [
        f"{group}: product com.example.basic: only in App Store Connect",
        f"{group}: product {PRO}: level: configured 2, App Store Connect has 3",
        f"{group}: product {PRO}: period: configured P1M, App Store Connect has P3M",
        f"{group}: product {PRO}: introductory offer: kind: configured free-trial, App Store Connect has pay-as-you-go",
        f"{group}: product {PRO}: introductory offer: period: configured P1W, App Store Connect has P2M",
        f"{group}: product {PRO}: promotional offer loyalty20: only in the configuration",
        f"{group}: product {PRO}: promotional offer new: only in App Store Connect",
        f"{group}: product {PRO}: promotional offer winback50: kind: configured pay-as-you-go, App Store Connect has pay-up-front",
        f"{group}: product {PRO}: promotional offer winback50: period: configured P3M, App Store Connect has P2M",
        f"{group}: product {YEARLY}: introductory offer: only in the configuration",
        f"{group}: product {TEAM}: only in the configuration",
        f"app {BUNDLE}: group 9: only in App Store Connect",
    ]
    assert {"place": f"{group}: product {PRO}", "field": "level", "configured": "2", "appStoreConnect": "3"} in desk.differences()


def test_the_file_is_the_catalogue_and_what_was_written_by_hand_stays(desk):
    shop = Shop()
    over = shop.win_back("over", "FREE_TRIAL", "ONE_WEEK", end="2026-01-31")
    desk.sell(example_shop(shop, win_back=[
        shop.win_back("back", "PAY_AS_YOU_GO", "ONE_MONTH", 2, ["USA"], "2026-01-01", "2099-12-31"), over]))
    catalogue = desk.folder / "catalogue.yaml"
    # From nothing: no configuration is needed for that.
    done = desk.pull("--output", catalogue, "--issuer", ISSUER, config=())
    assert done.returncode == 0, done.stderr
    [app] = yaml.safe_load(catalogue.read_text())["apps"]
    assert set(app) == {"bundleId", "subscriptionGroups"}
    products = {each["id"]: each for each in app["subscriptionGroups"][0]["products"]}
    assert products[PRO]["introductoryOffer"] == {"kind": "free-trial", "period": "P1W", "territories": TERRITORIES}
    assert products[PRO]["winBackOffers"] == [{
        "id": "back", "kind": "pay-as-you-go", "period": "P2M", "from": "2026-01-01", "until": "2099-12-31", "territories": ["USA"]}]
    # The configuration has what App Store Connect does not know, with comments, and the rest comes from the file.
    base = desk.folder / "base.yaml"
    text = f"""# Written by hand.
catalogue: {{file: {catalogue}}}
keys: {{directory: {pathlib.Path(EXAMPLE).parent / 'keys.example'}}}
store: {{sqlite: {desk.folder}/store.sqlite}}
apps:
  - bundleId: {BUNDLE}
    issuerId: {ISSUER}
    subscriptionGroups:
      - id: "20563228"
        products:
          - id: {PRO}
            promotionalOffers: [{{id: winback50, limits: {{perCustomer: 1}}}}]   # once is enough
"""
    base.write_text(text)
    before = catalogue.read_bytes()
    desk.store.settings(pageSize=1)
    assert desk.pull("--output", catalogue, "--check", config=(base,)).returncode == 0
    assert catalogue.read_bytes() == before and base.read_text() == text
    keys = desk.folder / "keys"
    keys.mkdir(mode=0o700)
    for file in (pathlib.Path(EXAMPLE).parent / "keys.example").iterdir():
        (keys / file.name).write_bytes(file.read_bytes())
        (keys / file.name).chmod(0o600)
    base.write_text(text.replace(str(pathlib.Path(EXAMPLE).parent / "keys.example"), str(keys)))
    done = desk.run("check-config", "--json", config=(base,))
    assert done.returncode == 0, done.stderr
    [app] = json.loads(done.stdout)["apps"]
    found = {each["productId"]: each for each in app["products"]}
    assert found[PRO]["offers"] == ["loyalty20", "winback50"] and found[PRO]["limits"]["winback50"]["perCustomer"] == 1
    assert found[TEAM]["offers"] == ["teamtrial", "winback50"]


def test_an_id_that_the_catalogue_does_not_have_is_an_error(desk):
    desk.sell(example_shop())
    catalogue = desk.folder / "catalogue.yaml"
    assert desk.pull("--output", catalogue, "--issuer", ISSUER, config=()).returncode == 0
    desk.write(f"""catalogue: {{file: {catalogue}}}
apps:
  - bundleId: {BUNDLE}
    subscriptionGroups: [{{id: "20563228", products: [{{id: {PRO}, promotionalOffers: [{{id: winback5, limits: {{total: 5}}}}]}}]}}]
""")
    done = desk.run("check-config", config=())
    place = f"apps[0].subscriptionGroups[20563228].products[{PRO}].promotionalOffers"
    assert done.returncode != 0
    assert f"{place}: winback5 is not in {catalogue}; correct the id, or pull the catalogue again" in done.stderr
    catalogue.write_text("apps: [{bundleId: other, subscriptionGroups: []}]\n")
    assert "other is not an app of the configuration" in desk.run("check-config", config=()).stderr
    catalogue.write_text(f"apps: [{{bundleId: {BUNDLE}, eligibility: advise}}]\n")
    assert "more than bundleId and subscriptionGroups" in desk.run("check-config", config=()).stderr


def test_check_config_fails_on_drift(desk):
    desk.sell(example_shop())
    pulled = desk.folder / "pulled.yaml"
    assert desk.pull("--output", pulled).returncode == 0
    keys = f"keys: {{directory: {desk.folder / 'keys'}}}\nstore: {{sqlite: {desk.folder}/store.sqlite}}\n"
    (desk.folder / "keys").mkdir(mode=0o700)
    for file in (pathlib.Path(EXAMPLE).parent / "keys.example").iterdir():
        (desk.folder / "keys" / file.name).write_bytes(file.read_bytes())
        (desk.folder / "keys" / file.name).chmod(0o600)
    desk.write(keys)
    done = desk.run("check-config", "--against", pulled)
    assert done.returncode == 0, done.stderr
    pulled.write_text(pulled.read_text().replace("P6M", "P1Y"))
    done = desk.run("check-config", "--against", pulled)
    assert done.returncode != 0
    assert "promotional offer loyalty20: period: configured P6M, App Store Connect has P1Y" in done.stderr


def test_offers_of_other_times_and_places(desk):
    shop = example_shop(
        introductory=introductory("FREE_TRIAL", "ONE_WEEK", TERRITORIES[:3]) + introductory("PAY_UP_FRONT", "ONE_MONTH", ["USA"])
        + introductory("FREE_TRIAL", "ONE_YEAR", TERRITORIES, startDate="2020-01-01", endDate="2020-02-01"))
    desk.sell(shop)
    done = desk.pull("--check")
    assert (done.returncode, done.stdout) == (0, "the configuration has the catalogue of App Store Connect\n")
    assert done.stderr == f"note: {BUNDLE}: {PRO}: another introductory offer is left out: pay-up-front, P1M, in USA\n"


def test_offers_of_billing_plans(desk):
    """Apple's `targetSubscriptionPlanType`: UPFRONT, MONTHLY, or none for offers that were made before there were plans."""
    plans = [None, "UPFRONT", "MONTHLY"]
    shop = Shop()
    trials = introductory("PAY_UP_FRONT", "ONE_MONTH", targetSubscriptionPlanType="UPFRONT") + introductory(
        "FREE_TRIAL", "ONE_WEEK", targetSubscriptionPlanType="MONTHLY")
    offers = [shop.promotional(f"offer-{plan}", "PAY_AS_YOU_GO", "ONE_MONTH", 3) for plan in plans]
    for plan, offer in zip(plans, offers):
        offer["attributes"]["targetSubscriptionPlanType"] = plan
    shop.app(BUNDLE, shop.group("20563228", "Pro", shop.subscription(YEARLY, "ONE_YEAR", 1, trials, offers)))
    desk.sell(shop)
    catalogue = desk.folder / "catalogue.yaml"
    assert desk.pull("--output", catalogue, "--issuer", ISSUER, config=()).returncode == 0
    [product] = yaml.safe_load(catalogue.read_text())["apps"][0]["subscriptionGroups"][0]["products"]
    assert (product["introductoryOffer"]["kind"], product["monthlyPlan"]["introductoryOffer"]["kind"]) == ("pay-up-front", "free-trial")
    assert {each["id"]: each.get("billingPlan") for each in product["promotionalOffers"]} == {
        "offer-None": None, "offer-UPFRONT": None, "offer-MONTHLY": "monthly"}
    # The drift check names the plan.
    changed = product | {"promotionalOffers": [each | {"billingPlan": "upfront"} for each in product["promotionalOffers"]]}
    del changed["monthlyPlan"]
    base = desk.folder / "base.yaml"
    base.write_text(yaml.safe_dump({"appStore": {"connectAPI": desk.url}, "apps": [
        {"bundleId": BUNDLE, "issuerId": ISSUER, "subscriptionGroups": [{"id": "20563228", "products": [changed]}]}]}))
    place = f"app {BUNDLE}: group 20563228: product {YEARLY}"
    assert desk.pull("--check", config=(base,)).stdout.splitlines() == [
        f"{place}: monthly plan: introductory offer: only in App Store Connect",
        f"{place}: promotional offer offer-MONTHLY: billingPlan: configured upfront, App Store Connect has monthly"]


def test_prices_of_today_are_pulled_where_they_are_wanted(desk):
    chance, shop, regular, expected, monthly = random.Random(31), Shop(), [], {}, {}
    for territory in TERRITORIES:
        candidates, instalments = [], []
        for start in (None, "2024-03-01", "2025-06-01", "2099-01-01"):
            for preserved, plan in ((False, None), (True, None), (False, "MONTHLY"), (True, "MONTHLY")):
                if chance.random() < 0.4:
                    continue
                price = f"{chance.randrange(1, 3000) / 100:.2f}"
                regular.append(scheduled(territory, price, start, preserved, plan))
                if not preserved and plan is None and (start or "") <= "2026-01-01":
                    candidates.append((start or "", price))
                if not preserved and plan == "MONTHLY" and (start or "") <= "2026-01-01":
                    instalments.append((start or "", price))
        if candidates:
            expected[territory] = max(candidates)[1]
        if instalments:
            monthly[territory] = max(instalments)[1]
    chance.shuffle(regular)
    assert len(expected) > 1 and len(monthly) > 1
    trial = priced(introductory("PAY_UP_FRONT", "ONE_MONTH", ["USA"])[0], "USA", "1.00")
    half = shop.promotional("winback50", "PAY_AS_YOU_GO", "ONE_MONTH", 3, {"USA": "4.99", "DEU": "5.49", "FRA": "5.49", "CAN": "6.99"})
    shop.app(BUNDLE, shop.group("20563228", "Pro", shop.subscription(PRO, "ONE_MONTH", 2, [trial], [half], prices=regular)))
    catalogue = desk.folder / "catalogue.yaml"

    def pulled(*arguments, page_size=3):
        desk.sell(shop, page_size=page_size)
        done = desk.pull("--output", catalogue, "--issuer", ISSUER, *arguments, config=())
        assert done.returncode == 0, done.stderr
        return yaml.safe_load(catalogue.read_text())["apps"][0]["subscriptionGroups"][0]["products"][0]

    def written(amount, territory):
        number = decimal.Decimal(amount)
        return f"{int(number) if number == int(number) else f'{number:.2f}'} {CURRENCIES[territory]}"

    product = pulled("--prices")
    assert product["prices"] == {each: written(price, each) for each, price in expected.items()}
    assert product["introductoryOffer"]["prices"] == {"USA": "1 USD"}
    assert product["monthlyPlan"] == {"prices": {each: written(price, each) for each, price in monthly.items()}}
    [offer] = product["promotionalOffers"]
    assert offer["prices"] == {"CAN": "6.99 CAD", "DEU": "5.49 EUR", "FRA": "5.49 EUR", "USA": "4.99 USD"}
    assert offer["territories"] == TERRITORIES
    some = pulled("--prices", "--territory", "DEU,FRA")
    assert set(some.get("prices", {})) == {"DEU", "FRA"} & set(expected) and some["promotionalOffers"][0]["territories"] == TERRITORIES
    assert some["promotionalOffers"][0]["prices"] == {"DEU": "5.49 EUR", "FRA": "5.49 EUR"}
    assert "monthlyPlan" not in pulled() and "prices" not in pulled() and "prices" not in pulled()["promotionalOffers"][0]
    assert "--territory is about --prices" in desk.pull("--territory", "USA").stderr
    assert "three capital letters" in desk.pull("--prices", "--territory", "us").stderr
    # Prices differ where both sides have them.
    own = {"appStore": {"connectAPI": desk.url}, "apps": [{"bundleId": BUNDLE, "issuerId": ISSUER, "subscriptionGroups": [
        {"id": "20563228", "products": [product | {"promotionalOffers": [offer | {"prices": {"USA": "4.49 USD", "JPN": "480 JPY"}}]}]}]}]}
    base = desk.folder / "base.yaml"
    base.write_text(yaml.safe_dump(own))
    desk.sell(shop)
    place = f"app {BUNDLE}: group 20563228: product {PRO}: promotional offer winback50"
    assert desk.pull("--prices", config=(base,)).stdout.splitlines() == [
        f"{place}: price in USA: configured 4.49 USD, App Store Connect has 4.99 USD"]
    assert desk.pull("--check", config=(base,)).returncode == 0


def test_the_key_of_a_person(desk):
    desk.sell(example_shop())
    assert desk.pull("--individual", "--check", key=desk.person).returncode == 0
    claims = desk.store.requests("connect")[-1]["token"]["claims"]
    assert claims["sub"] == "user" and "iss" not in claims


def test_faults_are_reported_with_their_remedy(desk, tmp_path):
    desk.sell(example_shop())

    def told(*arguments, **options):
        done = desk.pull(*arguments, **options)
        assert done.returncode != 0 and done.stdout == "", done.stdout
        assert "PRIVATE KEY" not in done.stderr
        return done.stderr

    assert "answers 401 (NOT_AUTHORIZED): the key id, the issuer id or the kind of key" in told("--individual")
    assert "answers 401" in told("--issuer", "00000000-0000-0000-0000-000000000000")
    assert "answers 401" in told("--issuer", ISSUER, key=desk.person)
    assert "no app com.example.absent: correct the bundle id" in told("--issuer", ISSUER, app="com.example.absent")
    desk.sell(example_shop(), role="none")
    assert "answers 403 (FORBIDDEN_ERROR): the key's role may not read" in told()
    desk.sell(example_shop())
    desk.store.fault("connect", httpStatus=429)
    assert "too many requests" in told()
    desk.store.clear_faults()
    desk.store.fault("connect", times=1, httpStatus=500)
    assert desk.pull().returncode == 0
    desk.store.fault("connect", body={"data": [], "links": {"next": "https://elsewhere.example/v1/apps?cursor=1"}})
    assert "a next page at another address" in told()
    desk.store.clear_faults()
    desk.store.fault("connect", malformed=True)
    assert "without a JSON object" in told()
    desk.store.clear_faults()
    subscription = new_key(tmp_path, "SubscriptionKey_ABCDEFGHIJ.p8")
    assert "is an In-App Purchase key" in told(key=subscription)
    desk.team.chmod(0o644)
    assert "others may read it" in told()
    desk.team.chmod(0o600)
    assert "cannot be written" in told("--output", tmp_path / "nowhere" / "catalogue.yaml")
    assert "--issuer is for team keys" in told("--individual", "--issuer", ISSUER)
    desk.url = "ftp://elsewhere.example"
    desk.write()
    assert "must be a URL that begins with https://" in told()
