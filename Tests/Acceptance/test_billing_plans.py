"""Billing plans: an offer that is configured for one plan is none on the other, in the API, campaigns, the console and the command."""
import json
import uuid

import pytest
from playwright.sync_api import expect

from harness.app_store import APP_APPLE_ID, BUNDLE, ISSUER
from harness.purchases import DAY, GROUP, PRO, YEARLY, ago, hand_in, lapsed

from test_console_campaigns import access_key, browser, look, visit  # noqa: F401
from test_retention import in_time
from test_trial_campaigns import Trial, publish

TRIAL = {"kind": "free-trial", "period": "P1W"}
GROUPS = [{"id": GROUP, "products": [{
    "id": YEARLY, "level": 1, "period": "P1Y", "prices": {"USA": "99.99 USD"},
    "monthlyPlan": {"introductoryOffer": TRIAL, "prices": {"USA": "9.99 USD"}},
    "promotionalOffers": [
        {"id": "half", "kind": "pay-as-you-go", "period": "P3M", "billingPlan": "monthly", "prices": {"USA": "4.99 USD"}},
        {"id": "cheap", "kind": "pay-up-front", "period": "P1Y", "prices": {"USA": "49.99 USD"}}]}]}]
PLANS = {"upfront": (None, "upfront"), "monthly": ("monthly",)}


@pytest.fixture
def shop(connected, app_store):
    """A catalogue with a trial on the monthly plan only."""
    return Trial(connected(eligibility="enforce", issuerId=ISSUER, subscriptionGroups=GROUPS), app_store, None)


def subscriber(shop, name, **fields):
    customer = shop.store.customer()
    customer.start(YEARLY, at=ago(10 * DAY), period="P1M" if fields else "P1Y", **fields)
    hand_in(shop.service, shop.store, customer, name)
    return customer


def named(plan):
    return {"billingPlan": plan} if plan else {}


@pytest.mark.parametrize("plan", PLANS)
def test_verdicts_and_signatures_are_those_of_the_plan(shop, plan):
    subscriber(shop, "u-1")
    person = shop.service.client("client")
    own, other = ("half", "cheap") if plan == "monthly" else ("cheap", "half")
    for name in PLANS[plan]:
        [found] = person.post("/v1/eligibility", {"bundleId": BUNDLE, "customerId": "new", **named(name)}).json()["products"]
        introductory = found["introductoryOffer"]
        assert (introductory["status"], introductory["reasons"][0]["code"]) == (
            ("eligible", "new-customer") if plan == "monthly" else ("no-offer", "no-introductory-offer"))
        assert [each["offerId"] for each in found["promotionalOffers"]] == [own]
        body = {"bundleId": BUNDLE, "customerId": "u-1", "form": "jws", "offers": [
            {"productId": YEARLY, "offerId": own}, {"productId": YEARLY, "offerId": other}], **named(name)}
        signed, refused = person.post("/v1/signatures", body).json()["results"]
        assert (signed["status"], refused["status"], refused["code"]) == ("signed", "refused", "other-billing-plan")
        body = {"bundleId": BUNDLE, "customerId": "new", "products": [{"productId": YEARLY, "transactionId": "700", "allow": None}], **named(name)}
        [result] = person.post("/v1/introductory-offers/signatures", body).json()["results"]
        assert result["status"] == ("not-needed" if plan == "monthly" else "refused")
    problem = person.post("/v1/eligibility", {"bundleId": BUNDLE, "customerId": "new", "billingPlan": "yearly"}).json()
    assert (problem["code"], problem["fields"][0]["name"]) == ("invalid-field", "billingPlan")


def test_campaigns_give_what_the_plan_has(shop):
    offers = [{"productId": YEARLY, "offerId": each} for each in ("half", "cheap")]
    both = [{"id": "all", "weight": 10000, "offers": offers, "introductoryOffer": {"productId": YEARLY, "allow": True}}]
    publish(shop, "both", variants=both)
    customer = shop.store.customer()
    chosen = {"id": "both", "revision": 1, "variant": "all"}
    assert shop.ask(customer, "both")["offers"] == [] and shop.ask(customer, "both")["assignments"]
    assert shop.ask(customer, "both", billingPlan="monthly")["offers"] == [
        {"productId": YEARLY, "billingPlan": "monthly", "introductoryOffer": {"allow": True}, "campaign": chosen}]
    assert shop.claim(customer, "both", YEARLY) == ("refused", None)
    assert shop.claim(customer, "both", YEARLY, billingPlan="monthly") == ("not-needed", "all")
    known = subscriber(shop, "u-1")
    assert shop.ask(known, "both")["offers"] == [{"productId": YEARLY, "offerId": "cheap", "campaign": chosen}]
    [given] = shop.ask(known, "both", billingPlan="monthly")["offers"]
    assert (given["offerId"], given["billingPlan"]) == ("half", "monthly")
    for plan, offer in (("upfront", "cheap"), ("monthly", "half")):
        tried = shop.ann.post("/v1/admin/campaigns/try", {"bundleId": BUNDLE, "customerId": "u-1", "billingPlan": plan}).json()
        assert [each.get("offerId") for each in tried["offers"]] == [offer]
        tried = shop.ann.post("/v1/admin/campaigns/try", {"bundleId": BUNDLE, "customerId": "new", "billingPlan": plan}).json()
        assert [each.get("introductoryOffer") for each in tried["offers"]] == ([] if plan == "upfront" else [{"allow": True}])
        body = {"bundleId": BUNDLE, "customerId": "u-1", "form": "jws", "offers": [{}], "placement": "both", "billingPlan": plan}
        [result] = shop.service.client("client").post("/v1/signatures", body).json()["results"]
        assert (result["status"], result["offerId"]) == ("signed", offer)


def test_a_catalogue_without_plans_has_nothing_on_the_monthly_one(connected, app_store):
    plain = Trial(connected(eligibility="enforce", issuerId=ISSUER), app_store, None)
    lapsed(customer := app_store.customer())
    hand_in(plain.service, app_store, customer, "u-1")
    publish(plain, "plain", unit="customer", variants=[
        {"id": "all", "weight": 10000, "offers": [{"productId": PRO, "offerId": "winback50"}]}])
    person = plain.service.client("client")
    for plan, given in (("upfront", 1), ("monthly", 0)):
        body = {"bundleId": BUNDLE, "customerId": "u-1", "placement": "plain", "billingPlan": plan}
        assert len(person.post("/v1/offers", body).json()["offers"]) == given
        offers = [{}, {"productId": PRO, "offerId": "loyalty20"}]
        results = person.post("/v1/signatures", {**body, "form": "jws", "offers": offers}).json()["results"]
        assert [each["status"] for each in results] == (["signed"] if given else ["refused"]) * 2, results


def test_the_plan_of_a_subscription_is_a_fact(shop):
    subscriber(shop, "u-upfront", billingPlanType="BILLED_UPFRONT")
    subscriber(shop, "u-monthly", billingPlanType="MONTHLY", commitmentInfo={
        "billingPeriodNumber": 3, "totalBillingPeriods": 12, "commitmentExpiresDate": 1_900_000_000_000, "commitmentPrice": 119_880})
    subscriber(shop, "u-unknown")
    plan = {"fact": "subscription.billingPlan", "group": GROUP, "is": "monthly"}
    publish(shop, "committed", unit="customer", audience=plan, variants=[
        {"id": "all", "weight": 10000, "offers": [{"productId": YEARLY, "offerId": "half"}]}])
    backend, facts = shop.service.client("backend"), {}
    for name in ("u-upfront", "u-monthly", "u-unknown"):
        [facts[name]] = backend.get(f"/v1/customers/{name}", params={"bundleId": BUNDLE}).json()["subscriptions"]
        taken = backend.post("/v1/offers", {"bundleId": BUNDLE, "customerId": name, "placement": "committed"}).json()["assignments"]
        assert bool(taken) == (name == "u-monthly"), name
    assert [each["billingPlan"] for each in facts.values()] == ["upfront", "monthly", None]
    commitment = {"period": 3, "periods": 12, "endsAt": 1_900_000_000_000, "price": 119_880}
    assert [each["commitment"] for each in facts.values()] == [None, commitment, None]
    # The period ends before the commitment does.
    assert facts["u-monthly"]["expiresAt"] < commitment["endsAt"]


def test_the_app_store_gets_offers_of_the_subscriptions_plan_only(connected, app_store):
    """Also where the catalogue has no plans, and where the plan is one that nobody knows; a trial says the same."""
    cheap = {"id": "cheap", "kind": "pay-up-front", "period": "P1Y"}
    groups = [{"id": GROUP, "products": [{"id": YEARLY, "level": 1, "period": "P1Y", "promotionalOffers": [cheap]}]}]
    shop = Trial(connected(
        eligibility="enforce", issuerId=ISSUER, appAppleId=APP_APPLE_ID, subscriptionGroups=groups,
        retention={"message": str(uuid.uuid4())}), app_store, None)
    publish(shop, "stay", unit="originalTransaction", placement="retention", goal={"metric": "retained", "window": "P14D"}, variants=[
        {"id": "all", "weight": 10000, "offers": [{"productId": YEARLY, "offerId": "cheap"}], "message": str(uuid.uuid4())}])
    for plan, isGiven in (("BILLED_UPFRONT", True), ("MONTHLY", False), ("WEEKLY", False), (None, True)):
        name = f"u-{plan}"
        customer = subscriber(shop, name, **({"billingPlanType": plan} if plan else {}))
        body = {"bundleId": BUNDLE, "customerId": name, "placement": "retention"}
        tried = shop.ann.post("/v1/admin/campaigns/try", body).json()
        assert [each["offerId"] for each in tried["offers"]] == (["cheap"] if isGiven else []), plan
        answer = in_time(shop.service.client(token=""), app_store.retention_request(customer.subscriptions[0])).json()
        assert ("promotionalOffer" in answer) == isGiven, (plan, answer)


def test_the_command_and_the_console_tell_the_plans_apart(shop, visit):  # noqa: F811
    def shown(*more):
        return shop.service.cli("eligibility", "new", "--app", BUNDLE, *more).stdout

    assert "introductory offer: no-offer" in shown() and "promotional offer cheap" in shown() and "half" not in shown()
    monthly = shown("--billing-plan", "monthly")
    assert "introductory offer: eligible" in monthly and "promotional offer half" in monthly and "cheap" not in monthly
    rule = shop.service.folder / "rule.json"
    offers = [{"productId": YEARLY, "offerId": each} for each in ("half", "cheap")]
    campaign = {"id": "rule", "name": "Rule", "bundleId": BUNDLE, "unit": "customer", "variants": [{"id": "all", "weight": 10000, "offers": offers}]}
    rule.write_text(json.dumps({"campaigns": [campaign]}))
    for plan, offer in ((), "cheap"), (("--billing-plan", "monthly"), "half"):
        told = shop.service.cli("campaigns", "simulate", "--app", BUNDLE, "--customer", "new", "--json", *plan, str(rule)).stdout
        assert [each["offerId"] for each in json.loads(told)["offers"]] == [offer]
    window = visit(shop.service, access_key(shop.service, "marketing", apps=(BUNDLE,)))
    page = window.page
    page.goto(f"/console/apps/{BUNDLE}/catalogue")
    expect(page.get_by_text("Introductory offer, commitment of 12 months")).to_be_visible()
    expect(page.get_by_text("3\u00a0months at 4.99 instead of 9.99 USD, with a commitment of 12 months")).to_be_visible()
    look(window, "catalogue-plans")
    publish(shop, "rule", unit="customer", variants=campaign["variants"])
    subscriber(shop, "u-1")
    page.goto(f"/console/apps/{BUNDLE}/try?id=u-1&placement=rule")
    expect(page.get_by_text("Customer u-1 gets cheap")).to_be_visible()
    page.get_by_label("Billing plan").select_option("monthly")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("Customer u-1 gets half")).to_be_visible()
    expect(page.get_by_label("Billing plan")).to_have_value("monthly")
    look(window, "try-plan")
    page.goto(f"/console/apps/{BUNDLE}/campaigns/new")
    labels = page.get_by_label("Variant 2: offer 1").locator("option").all_inner_texts()
    assert any("with a commitment of 12 months" in each and each.startswith("half") for each in labels), labels
    assert any(each.startswith("cheap") and "commitment" not in each for each in labels), labels
    catalogue = shop.ann.get(f"/v1/admin/apps/{BUNDLE}/catalogue").json()["products"][0]
    assert catalogue["introductoryOffer"] is None and catalogue["monthlyPlan"]["introductoryOffer"]["kind"] == "free-trial"
    assert {each["offerId"]: each.get("billingPlan") for each in catalogue["promotionalOffers"]} == {"half": "monthly", "cheap": None}

