"""Campaigns in a real browser: from an empty form to live with a second person, and what two editors do to each other."""
import copy
import math
import os
import random
import re
import sqlite3
import time
from urllib.parse import quote

import numpy
import pytest
import yaml
from playwright.sync_api import expect
from scipy import stats

from harness.app_store import BUNDLE
from harness.browser import PICTURES, SHOWN, Visit, chromium
from harness.purchases import DAY, GROUP, active, ago, hand_in, lapsed
from harness.service import EXAMPLE
from harness.waiting import wait_until
from test_admin import client
from test_campaign_life import CAMPAIGN

APP = "com.example.app"
PATH = f"/console/apps/{APP}/campaigns"
API = "/v1/admin/campaigns"
BOTH = [{}, {"size": "narrow", "scripts": False}]


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture
def visit(browser):
    made = []

    def make(service, key, folds=False, **options):
        made.append(Visit(browser, service, **options))
        if not folds:
            # A phone shows one section of the editor at a time; a user who has opened all of them sees the same as others.
            made[-1].context.add_init_script(
                "addEventListener('DOMContentLoaded', () => document.querySelectorAll('details.part').forEach(part => part.open = true))")
        made[-1].sign_in(key)
        made[-1].page.wait_for_url("**/console/")
        return made[-1]

    yield make
    for each in made:
        each.close()


def look(window, name):
    window.look(name)


def access_key(service, role, note=None, apps=(APP,)):
    """A person who works in Berlin."""
    if not hasattr(service, "root"):
        service.root = client(service, "admin")
    answer = service.root.post("/v1/admin/access", {"role": role, "note": note or f"{role}-1", "bundleIds": list(apps), "timeZone": "Europe/Berlin"})
    assert answer.status_code == 201, answer.text
    return answer.json()["accessKey"]


def written(campaign, **changes):
    return {**copy.deepcopy(CAMPAIGN), "id": campaign, **changes}


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def fine(window):
    # Browsers report the answer 422 of a form with errors as one.
    assert [each for each in window.complaints if "422" not in each] == []


def condition(page, number, what):
    return page.get_by_label(f"Condition {number}: {what}", exact=True)


def add(page, fact):
    """A condition with the fact that is wanted, by the button that needs no script."""
    page.get_by_label("What the new condition of the main conditions is about").select_option(fact)
    press(page, "Add a condition")


def fill(page):
    """The empty form, as a marketer fills it."""
    page.get_by_label("Name", exact=True).fill("Win-back winter")
    page.get_by_label("Smallest difference worth knowing").fill("1.6")
    page.get_by_label("Expected without an offer").fill("6")
    add(page, "Subscription state")
    condition(page, 1, "comparison").select_option("is")
    if page.get_by_text("Fit the inputs").is_visible():
        press(page, "Fit the inputs to what is chosen")
    condition(page, 1, "value").select_option("expired")
    add(page, "Days since lapse")
    condition(page, 2, "comparison").select_option("is between")
    if page.get_by_text("Fit the inputs").is_visible():
        press(page, "Fit the inputs to what is chosen")
    condition(page, 2, "from").fill("7")
    condition(page, 2, "to").fill("90")
    page.get_by_label("Variant 2: offer 1").select_option(label="winback50 on com.example.pro.monthly: reduced price for 3\u00a0months")
    press(page, "Add a variant")
    page.get_by_role("textbox", name="Variant 3").fill("loyalty")
    page.get_by_label("Variant 3: offer 1").select_option(label="loyalty20 on com.example.pro.monthly: 6\u00a0months for one reduced payment")
    page.get_by_label("Starts", exact=True).fill("2031-12-01")
    page.get_by_label("Starts, time").fill("09:00")
    page.get_by_label("Ends", exact=True).fill("2031-12-31")
    page.get_by_label("Hold out").fill("5")
    page.get_by_label("Per customer", exact=True).fill("1")
    page.get_by_label("In total").fill("10,000")


@pytest.mark.parametrize("options", BOTH, ids=["whole", "narrow, without scripts"])
def test_from_an_empty_form_to_live_with_a_second_person(new_service, visit, options):
    service = new_service()
    window = visit(service, access_key(service, "marketing"), **options)
    page = window.page
    page.goto("/console/campaigns")
    page.wait_for_url(f"**{PATH}")
    expect(page.get_by_role("heading", name="No campaigns yet")).to_be_visible()
    look(window, "campaigns-empty")
    page.locator("main").get_by_role("link", name="New campaign").first.click()
    look(window, "campaign-new")
    fill(page)
    press(page, "Save draft")
    # Three variants, and two have all the customers: the third has none yet.
    assert page.get_by_role("alert").get_by_role("link").all_inner_texts() == [
        "The percentage is missing. Give one from 0 to 100."]
    expect(page.get_by_text("The draft is saved.")).to_be_visible()
    page.get_by_label("Weight").nth(2).fill("28")
    page.get_by_label("Weight").nth(0).fill("34")
    page.get_by_label("Weight").nth(1).fill("33")
    press(page, "Send to review")
    assert page.get_by_role("alert").get_by_role("link").all_inner_texts() == [
        "34 + 33 + 28 is 95\u00a0%. The weights must add up to 100\u00a0%. Give the last 5\u00a0% to a variant, or split evenly."]
    expect(page.locator(".readback").get_by_text("5\u00a0% have no variant yet.")).to_be_visible()
    look(window, "campaign-errors")
    press(page, "Split evenly")
    assert [page.get_by_label("Weight").nth(index).input_value() for index in range(3)] == ["33.34", "33.33", "33.33"]
    page.get_by_role("textbox", name="Note to the approver").fill("Half price brings back more customers than six months at once.")
    press(page, "Send to review")
    page.wait_for_url(re.compile(r"/review\?done=sent(#|$)"))
    words = page.locator(".readback").inner_text()
    assert "subscription state is expired, and days since lapse is between 7 and 90, get one of:" in words
    assert "winback50 on com.example.pro.monthly: reduced price for 3\u00a0months" in words
    assert "From 1 Dec 2031, 09:00 Berlin time (1 Dec 2031, 08:00\u00a0UTC), until 31 Dec 2031, 23:59 Berlin time" in words
    assert "5\u00a0% of customers are held out and never get it." in words and "In all, at most 10,000 offers can be redeemed." in words
    assert "Each customer can redeem at most 1 offer." in words and "One customer is one id of yours." in words
    assert "Anywhere in the app." in words and "Its priority is 0." in words
    assert "6 of 100 are expected to do so without an offer. A difference of 1.6 points is worth knowing." in words
    # A variant's name stands in one line, at 390 px as well.
    assert page.locator(".readback .key").first.bounding_box()["height"] < 40
    # Its author does not approve it, and reads who may.
    assert page.get_by_role("button", name="Approve and publish").count() == 0
    expect(page.get_by_text("You wrote this draft, or a segment of it, so you cannot approve it. These can: instance.")).to_be_visible()
    approver = access_key(service, "approver")
    page.reload()
    expect(page.get_by_text("These can: approver-1 or instance.")).to_be_visible()
    look(window, "campaign-review-author")
    other = visit(service, approver, **options)
    other.page.goto(PATH)
    assert other.page.get_by_role("link", name="New campaign").count() == 0
    other.page.get_by_role("link", name="Win-back winter").click()
    expect(other.page.get_by_text("Half price brings back more customers than six months at once.")).to_be_visible()
    look(other, "campaign-review")
    press(other.page, "Send back")
    expect(other.page.get_by_text("A note is missing.")).to_be_in_viewport()
    press(other.page, "Approve and publish")
    expect(other.page.get_by_text("Published. Customers get it")).to_be_visible()
    look(other, "campaign-published")
    page.goto(PATH)
    row = page.get_by_role("row").filter(has_text="Win-back winter")
    expect(row.get_by_text("Scheduled", exact=True)).to_be_visible()
    expect(row.get_by_text("approver-1 published revision 1")).to_be_visible()
    look(window, "campaigns")
    press(page, "Pause Win-back winter")
    expect(page.get_by_text("Paused: no customer gets it")).to_be_visible()
    press(page, "Resume Win-back winter")
    page.get_by_role("link", name="Scheduled 1").click()
    assert page.get_by_role("row").count() == 2
    page.goto(f"{PATH}?state=paused")
    expect(page.get_by_text("No campaign is paused.")).to_be_visible()
    page.goto(f"{PATH}/win-back-winter/history")
    expect(page.get_by_role("row").filter(has_text="Revision 1").get_by_text("approver-1").first).to_be_visible()
    look(window, "campaign-history")
    shown = client(service, "viewer", [APP]).get(f"{API}/win-back-winter").json()["published"]["campaign"]
    assert shown["limits"] == {"perCustomer": 1, "total": 10000} and shown["holdout"] == 500
    assert shown["schedule"] == {"from": "2031-12-01T08:00:00Z", "until": "2031-12-31T22:59:00Z"}
    assert shown["goal"] == {"metric": "subscribed", "window": "P14D", "expected": 0.06, "detect": 0.016}
    fine(window)
    fine(other)


def test_everything_with_the_keyboard_alone(new_service, visit):
    service = new_service()
    window = visit(service, access_key(service, "marketing"))
    page = window.page
    page.goto(PATH)

    def tab_to(name, role=None):
        for _ in range(200):
            page.keyboard.press("Tab")
            found = page.evaluate(
                "() => { const it = document.activeElement; return (it.getAttribute('aria-label')"
                " || (it.labels && it.labels[0] && it.labels[0].innerText) || it.innerText || '').trim(); }")
            if found == name:
                return
        raise AssertionError(f"no {name} to be reached")

    tab_to("Win back lapsed customers")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/new\?example=win-back(#|$)"))
    tab_to("Name")
    page.keyboard.press("End")
    page.keyboard.type(" by keyboard")
    # Enter in an input saves.
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/rule\?done=saved(#|$)"))
    tab_to("Add a condition")
    page.keyboard.press("Enter")
    # The row that is new has the focus.
    page.locator("[id='c.2.fact']").wait_for()
    wait_until(lambda: page.evaluate("document.activeElement.id") == "c.2.fact")
    tab_to("Remove condition 3")
    page.keyboard.press("Space")
    page.locator("[id='c.2']").wait_for(state="detached")
    tab_to("Send to review")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/review\?done=sent(#|$)"))
    approver = visit(service, access_key(service, "approver"))
    page = approver.page
    page.goto(f"{PATH}/win-back-lapsed-customers-by-keyboard/review")
    tab_to("Approve and publish")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/review\?done=publish(#|$)"))
    expect(page.get_by_text("Live", exact=True).first).to_be_visible()
    fine(window)
    fine(approver)


def test_what_cannot_be_read_is_kept_as_it_was_typed(new_service, visit):
    service = new_service()
    window = visit(service, access_key(service, "marketing"))
    page = window.page
    page.goto(f"{PATH}/new")
    page.get_by_label("Name", exact=True).fill("Spelled wrongly")
    page.get_by_label("Weight").nth(0).fill("half")
    page.get_by_label("Let in").fill("12.505")
    page.get_by_label("Priority").fill("high")
    press(page, "Send to review")
    expect(page.get_by_role("heading", name="3 things to fix before you can send this to review")).to_be_visible()
    assert page.get_by_text("“half” is not a percentage.").count() == 3
    page.goto(f"{PATH}/spelled-wrongly/rule")
    assert page.get_by_label("Weight").nth(0).input_value() == "half"
    assert page.get_by_label("Let in").input_value() == "12.505" and page.get_by_label("Priority").input_value() == "high"
    # A link of the notice leads to its input.
    page.get_by_role("alert").get_by_role("link", name=re.compile("high")).click()
    assert page.url.endswith("#priority")
    look(window, "campaign-unreadable")
    # Another one of the same id is reported beside the id, and not saved.
    page.goto(f"{PATH}/new")
    page.get_by_label("Name", exact=True).fill("Spelled wrongly")
    press(page, "Save draft")
    assert page.get_by_text("There is a campaign spelled-wrongly already").count() >= 1
    assert page.get_by_label("Name", exact=True).input_value() == "Spelled wrongly"


def test_faults_are_reported_at_once_in_the_words_of_the_form(new_service, visit):
    service = new_service()
    people = {role: client(service, role, [APP]) for role in ("marketing", "approver")}
    offer = [{"productId": "com.example.pro.monthly", "offerId": "winback50"}]
    people["marketing"].post(API, written("first", name="The first of all", exclusionGroup="other"))
    for role, word, body in [("marketing", "submit", {}), ("approver", "approve", {"publish": True})]:
        assert people[role].request("POST", f"{API}/first/{word}", json=body, headers={"If-Match": "*"}).status_code == 200
    answer = people["marketing"].post(API, written(
        "faulty", audience={"not": {"fact": "refunds.count", "below": 0}}, enrolment=20000, goal={**CAMPAIGN["goal"], "expected": 2},
        variants=[{"id": "control", "weight": 9500}, *({"id": f"v{number}", "weight": 100, "offers": [{**offer[0], "offerId": "none"}]} for number in range(5))]))
    page = visit(service, access_key(service, "marketing")).page
    assert answer.status_code == 201, answer.text
    page.goto(f"{PATH}/faulty/rule")
    page.get_by_label("Weight").nth(0).fill("half")
    press(page, "Save draft")
    expect(page.get_by_text("The draft is saved.")).to_be_visible()
    told = page.get_by_role("alert").get_by_role("link").all_inner_texts()
    assert told == [
        "“200” is not a percentage between 0 and 100. Give one such as 2.5, or leave it empty.",
        "“half” is not a percentage. Give a number from 0 to 100, with two decimals at most, such as 12.5.",
        "The catalogue has no promotional offer “none”. The product has: “loyalty20”, “winback50”.",
        "“200” is not a share. Give a percentage from 0 to 100."], told
    assert page.locator(".checks, aside").get_by_text("“none”").count() == 1
    # A condition that excludes no customer, and another campaign by its name.
    people["marketing"].post(API, written("fine", audience={"not": {"fact": "refunds.count", "below": 0}}, exclusionGroup="lonely"))
    page.goto(f"{PATH}/fine/rule")
    assert page.get_by_role("alert").count() == 0
    expect(page.locator("aside").get_by_text("This excludes no customer")).to_be_visible()
    expect(page.locator("aside").get_by_text("Customers may fit this and “The first of all”, which")).to_be_visible()
    for word in ("new", "reach", "try"):
        page.goto(f"{PATH}/new")
        page.get_by_label("Name", exact=True).fill(word)
        press(page, "Save draft")
        expect(page.get_by_text(f"The console uses “{word}” in its own addresses.").first).to_be_visible()


def test_a_time_that_clocks_skip_or_show_twice_is_asked_back(new_service, visit):
    service = new_service()
    api = client(service, "marketing", [APP])
    api.post(API, written("clocks", schedule={"from": "2030-01-01T00:00:00Z"}))
    window = visit(service, access_key(service, "marketing"))
    page = window.page
    starts = lambda: api.get(f"{API}/clocks").json()["draft"]["campaign"]["schedule"]["from"]
    page.goto(f"{PATH}/clocks/rule")
    page.get_by_label("Starts", exact=True).fill("2031-03-30")
    page.get_by_label("Starts, time").fill("02:30")
    press(page, "Save draft")
    page.get_by_role("alert").get_by_role("link", name="Clocks skip “2031-03-30 02:30” in Berlin time. Give another time.").wait_for()
    assert page.get_by_label("Starts", exact=True).input_value() == "2031-03-30"
    assert page.get_by_label("Starts, time").input_value() == "02:30"
    page.get_by_label("Starts", exact=True).fill("2031-10-26")
    press(page, "Save draft")
    page.get_by_role("alert").get_by_role("link", name=re.compile("comes twice in Berlin time, at 00:30 and at 01:30 UTC")).wait_for()
    look(window, "campaign-repeated-hour")
    for which, instant in [("first", "2031-10-26T00:30:00Z"), ("second", "2031-10-26T01:30:00Z")]:
        choice = page.get_by_label("Starts, which of the two")
        choice.select_option(label=choice.locator("option", has_text=which).inner_text())
        press(page, "Save draft")
        expect(page.get_by_text("The draft is saved.")).to_be_visible()
        assert page.get_by_role("alert").count() == 0 and starts() == instant
    fine(window)


@pytest.mark.parametrize("options", BOTH, ids=["whole", "narrow, without scripts"])
def test_what_was_typed_outlives_the_session(new_service, visit, options):
    service = new_service()
    key = access_key(service, "marketing")
    window = visit(service, key, **options)
    page = window.page
    page.goto(f"{PATH}/new?example=keep")
    note = page.get_by_role("textbox", name="Note to the approver")
    note.fill("A note,\nin two lines.")
    press(page, "Save draft")
    expect(page.get_by_text("The draft is saved.")).to_be_visible()
    assert note.input_value() == "A note,\nin two lines."
    rule = page.url
    # The session ends during writing.
    page.get_by_label("Name", exact=True).fill("Said & “quoted” <b>")
    note.fill("Another note,\nin 100% of “two” lines + one.")
    window.context.clear_cookies()
    press(page, "Save draft")
    expect(page.get_by_text("what you wrote is kept")).to_be_visible()
    look(window, "sign-in-again")
    page.get_by_label("Access key").fill("osk_wrong")
    press(page, "Sign in")
    expect(page.get_by_text("This key does not work.")).to_be_visible()
    page.get_by_label("Access key").fill(key)
    press(page, "Sign in")
    if not window.scripts:
        press(page, "Go on with what you wrote")
    expect(page.get_by_text("You have signed in again. What you wrote is kept, and not saved yet.")).to_be_visible()
    assert page.get_by_label("Name", exact=True).input_value() == "Said & “quoted” <b>"
    assert note.input_value() == "Another note,\nin 100% of “two” lines + one."
    # So it is with a form of a session before, and it is saved by the button alone.
    if window.scripts:
        page.evaluate("document.querySelector('#rule input[name=formToken]').value = '0'.repeat(64)")
        press(page, "Send to review")
        expect(page.get_by_text("You have signed in again.")).to_be_visible()
    api = client(service, "marketing", [APP])
    [kept] = api.get(f"{API}?bundleId={APP}").json()["items"]
    assert kept["name"] == "Keep those who cancel" and kept["draftState"] == "writing"
    press(page, "Save draft")
    expect(page.get_by_text("The draft is saved.")).to_be_visible()
    page.goto(rule.split("?")[0].replace("/rule", "/review"))
    assert page.get_by_label("Note to the approver").input_value() == "Another note,\nin 100% of “two” lines + one."
    assert [each for each in window.complaints if "401" not in each and "422" not in each] == []


def test_two_who_write_at_once_lose_nothing(new_service, visit):
    service = new_service()
    ann, bob = access_key(service, "marketing", "ann"), access_key(service, "marketing", "bob")
    first, second = visit(service, ann), visit(service, bob)
    first.page.goto(f"{PATH}/new?example=keep")
    press(first.page, "Save draft")
    first.page.wait_for_url(re.compile(r"/rule\?done=saved(#|$)"))
    second.page.goto(f"{PATH}/keep-those-who-cancel/rule")
    first.page.get_by_label("Priority").fill("7")
    press(first.page, "Save draft")
    first.page.wait_for_url(re.compile(r"/rule\?done=saved(#|$)"))
    second.page.get_by_label("Name", exact=True).fill("Stay with us")
    press(second.page, "Save draft")
    expect(second.page.get_by_role("heading", name="ann saved a draft while you were writing")).to_be_visible()
    assert second.page.get_by_label("Name", exact=True).input_value() == "Stay with us"
    look(second, "campaign-conflict")
    told = second.page.locator("#errors").inner_text()
    assert "Priority\nwas 0, is now 7" in told and "Name\nwas Keep those who cancel, is now Stay with us" in told
    press(second.page, "Put my changes on top of theirs")
    assert second.page.get_by_label("Priority").input_value() == "7"
    assert second.page.get_by_label("Name", exact=True).input_value() == "Stay with us"
    press(second.page, "Save draft")
    expect(second.page.get_by_text("The draft is saved.")).to_be_visible()
    fine(second)


def test_a_draft_that_was_sent_back_says_why_and_renames_nothing_that_is_live(new_service, visit):
    service = new_service()
    people = {role: client(service, role, [APP]) for role in ("marketing", "approver")}
    window = visit(service, access_key(service, "marketing"))
    page = window.page
    badges = lambda: page.get_by_role("row").filter(has_text="talked-of").locator(".badge").all_inner_texts()

    def step(role, word, **body):
        answer = people[role].request("POST", f"{API}/talked-of/{word}", json=body, headers={"If-Match": "*"})
        assert answer.status_code == 200, answer.text

    people["marketing"].post(API, written("talked-of", name="As it is"))
    step("marketing", "submit")
    step("approver", "reject", reason="Half is too much.")
    page.goto(PATH)
    assert badges() == ["Sent back"]
    page.get_by_role("link", name="As it is").click()
    expect(page.get_by_role("heading", name="The draft was sent back")).to_be_visible()
    expect(page.get_by_text("Half is too much.").first).to_be_visible()
    words = page.locator(".readback").inner_text()
    assert "Only where the app asks for paywall." in words and "Its priority is 10." in words
    assert "No customer gets it together with another campaign of winback." in words
    look(window, "campaign-sent-back")
    step("marketing", "submit")
    step("approver", "approve")
    page.goto(PATH)
    assert badges() == ["Approved"]
    step("marketing", "publish")
    # To save what was not changed makes no draft.
    page.goto(f"{PATH}/talked-of/rule")
    press(page, "Save draft")
    expect(page.get_by_text("Nothing was changed, so there is no draft.")).to_be_visible()
    assert people["marketing"].get(f"{API}/talked-of").json()["draft"] is None
    page.get_by_label("Name", exact=True).fill("As it will be")
    press(page, "Save draft")
    expect(page.get_by_text("The draft is saved.")).to_be_visible()
    expect(page.get_by_role("heading", name="As it is")).to_be_visible()
    assert page.get_by_label("Name", exact=True).input_value() == "As it will be"
    assert people["marketing"].get(f"{API}/talked-of").json()["name"] == "As it is"
    step("marketing", "submit")
    step("approver", "approve")
    page.goto(PATH)
    assert badges() == ["Live", "Draft approved"]
    fine(window)


def test_what_runs_is_locked_and_says_why(new_service, visit):
    service = new_service()
    people = {role: client(service, role, [APP]) for role in ("marketing", "approver")}
    people["marketing"].post(API, written("running"))
    for person, word, body in [("marketing", "submit", {}), ("approver", "approve", {"publish": True})]:
        people[person].request("POST", f"{API}/running/{word}", json=body, headers={"If-Match": "*"})
    window = visit(service, access_key(service, "marketing"))
    page = window.page
    page.goto(f"{PATH}/running/rule")
    expect(page.get_by_text("Locked while the campaign runs: its result is about this audience.")).to_be_visible()
    assert page.get_by_label("Weight").nth(0).is_disabled() and condition(page, 1, "what").is_disabled()
    assert page.get_by_label("Where in the app").get_attribute("readonly") is not None
    look(window, "campaign-locked")
    page.get_by_label("Let in").fill("20")
    page.get_by_label("Ends", exact=True).fill("2031-12-31")
    press(page, "Send to review")
    page.wait_for_url(re.compile(r"/review\?done=sent(#|$)"))
    told = page.locator(".diff").inner_text()
    assert told.splitlines() == ["Ends", "was no end, is now 31 Dec 2031, 23:59 Berlin time (31 Dec 2031, 22:59\u00a0UTC)", "Let in", "was 10 %, is now 20 %"]
    # Back to draft, and less than it was is refused beside the input.
    press(page, "Take back to draft")
    page.get_by_label("Let in").fill("5")
    press(page, "Send to review")
    assert page.get_by_text("The campaign has customers, and fewer would drop some of them.").count() >= 2
    fine(window)


@pytest.mark.parametrize("options", BOTH, ids=["whole", "narrow, without scripts"])
def test_testers_come_and_go_and_a_test_is_read_once(new_service, visit, options):
    service = new_service()
    people = client(service, "marketing", [APP])
    assert people.post(API, written("tried")).status_code == 201
    window = visit(service, access_key(service, "marketing"), **options)
    page = window.page
    page.goto(f"{PATH}/tried/review")
    page.get_by_role("link", name="Testers", exact=True).click()
    expect(page.get_by_text("This campaign has no testers yet.")).to_be_visible()
    press(page, "Add tester")
    assert page.get_by_role("alert").get_by_role("link").all_inner_texts() == [
        "The id is missing or too long. Give the id by which the service knows them."]
    page.get_by_label("Id", exact=True).fill("qa-1")
    page.get_by_label("Gets variant").select_option("half")
    page.get_by_label("Note").fill("test phone of the shop team")
    press(page, "Add tester")
    expect(page.get_by_text("Added. Within a second")).to_be_visible()
    page.get_by_label("Id", exact=True).fill("qa-1")
    press(page, "Add tester")
    assert page.locator("#tester-error").inner_text().startswith("This tester is in the list already.")
    assert page.get_by_label("Id", exact=True).input_value() == "qa-1"
    assert page.locator("[aria-invalid]").evaluate_all("all => all.map(one => one.id)") == ["tester"]
    look(window, "campaign-testers")
    press(page, "Take qa-1 out")
    expect(page.get_by_text("This campaign has no testers yet.")).to_be_visible()
    # Beside the number of customers stands how many are needed: 10 % and 2 points, as they are in the draft.
    page.goto(f"{PATH}/tried/rule")
    page.get_by_label("Read the result").select_option("fixed")
    press(page, "Save draft")
    assert page.get_by_role("alert").get_by_role("link").all_inner_texts() == [
        "The number of customers is missing. Give one, or choose “Any day, as often as you like”."]
    expect(page.get_by_text("7,682 find the difference worth knowing")).to_be_visible()
    page.get_by_label("After how many customers").fill("8000")
    press(page, "Save draft")
    expect(page.get_by_text("The result is read once, after 8,000 customers.")).to_be_visible()
    look(window, "campaign-read-once")


def test_an_earlier_revision_comes_back_and_a_draft_goes_on_top(new_service, visit):
    service = new_service()
    marketing, approver = access_key(service, "marketing"), access_key(service, "approver")
    api = client(service, "admin")
    future = {"from": "2031-01-01T00:00:00Z"}
    writer, other = visit(service, marketing), visit(service, approver)
    page = writer.page

    def published(name):
        page.goto(f"{PATH}/back/rule" if name != "First" else f"{PATH}/new?example=win-back")
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Id", exact=True).fill("back") if name == "First" else None
        page.get_by_label("Starts", exact=True).fill("2031-01-01")
        press(page, "Send to review")
        page.wait_for_url(re.compile(r"/review\?done=sent(#|$)"))
        other.page.goto(f"{PATH}/back/review")
        press(other.page, "Approve and publish")
        other.page.wait_for_url(re.compile(r"/review\?done=publish(#|$)"))

    published("First")
    published("Second")
    # A draft from before the roll back.
    page.goto(f"{PATH}/back/rule")
    page.get_by_label("Priority").fill("3")
    press(page, "Save draft")
    page.wait_for_url(re.compile(r"/rule\?done=saved(#|$)"))
    other.page.goto(f"{PATH}/back/history")
    other.page.get_by_role("link", name="Roll back to revision 1").click()
    look(other, "campaign-rollback")
    assert "was Second, is now First" in other.page.locator(".diff").inner_text()
    press(other.page, "Publish revision 1 again")
    other.page.wait_for_url(re.compile(r"/review\?done=rollback(#|$)"))
    page.goto(f"{PATH}/back/review")
    expect(page.get_by_role("heading", name="Revision 3 was published meanwhile")).to_be_visible()
    look(writer, "campaign-outdated")
    press(page, "Put the draft's changes on top of revision 3")
    page.wait_for_url(re.compile(r"/rule\?done=rebased(#|$)"))
    assert page.get_by_label("Name", exact=True).input_value() == "First" and page.get_by_label("Priority").input_value() == "3"
    page.get_by_role("link", name="Review").click()
    other.page.goto(f"{PATH}/back/end")
    look(other, "campaign-end")
    press(other.page, "End the campaign")
    expect(other.page.get_by_text("The campaign has ended.")).to_be_visible()
    page.goto(f"{PATH}/back/rule")
    page.get_by_role("link", name="New campaign from this one").click()
    assert page.get_by_label("Id", exact=True).input_value() == ""
    assert api.get(f"{API}/back?bundleId={APP}").json()["state"] == "ended" and future
    fine(writer)
    fine(other)


def test_a_customer_is_tried_with_a_draft_in_the_place_of_what_is_published(app_store, connected, visit):
    service = connected()
    customer = app_store.customer()
    lapsed(customer)
    hand_in(service, app_store, customer, "u-48213")
    audience = {"all": [{"fact": "subscription.state", "group": GROUP, "is": "expired"}, {"attribute": "country", "oneOf": ["US", "CA"]}]}
    marketing, approver = client(service, "marketing", [BUNDLE]), client(service, "approver", [BUNDLE])
    everybody = [{"id": "half", "weight": 10000, "offers": [{"productId": "com.example.pro.monthly", "offerId": "winback50"}]}]
    assert marketing.post(API, written("tried", audience=audience, enrolment=10000, holdout=0, variants=everybody)).status_code == 201
    for person, word, body in [(marketing, "submit", {}), (approver, "approve", {"publish": True})]:
        assert person.request("POST", f"{API}/tried/{word}", json=body, headers={"If-Match": "*"}).status_code == 200
    control = [{"id": "nothing", "weight": 10000}]
    assert marketing.request(
        "PUT", f"{API}/tried", json=written("tried", audience=audience, enrolment=10000, holdout=0, variants=control),
        headers={"If-Match": "*"}).status_code == 200
    window = visit(service, access_key(service, "marketing"))
    page = window.page
    page.goto("/console/try")
    page.get_by_label("Customer or transaction id").fill("u-48213")
    press(page, "Show")
    expect(page.get_by_text("No campaign takes customer u-48213.")).to_be_visible()
    assert page.get_by_text("Attribute country (not verified) is one of United States, Canada: here it is not known.").count() == 1
    page.get_by_text("What your app would say").click()
    page.get_by_label("Attributes").fill("country=US")
    page.get_by_label("Where in the app").fill("paywall")
    press(page, "Show")
    expect(page.get_by_text("Customer u-48213 gets winback50 on com.example.pro.monthly: reduced price for 3\u00a0months.")).to_be_visible()
    expect(page.get_by_text("Takes this customer: half")).to_be_visible()
    expect(page.get_by_text("Subscription state is expired.")).to_be_visible()
    past = page.locator("section", has=page.get_by_role("heading", name="What happened so far"))
    lines = past.locator(".timeline li").all_inner_texts()
    assert "Lapsed: com.example.pro.monthly" in lines[0] and "Subscribed to com.example.pro.monthly" in lines[-1]
    assert past.locator("svg.life rect").count() == 2 and past.get_by_text("9.99").count() == 0
    look(window, "try-customer")
    page.get_by_label("Campaigns", exact=True).select_option(label="With the draft of Win back in spring")
    press(page, "Show")
    expect(page.get_by_text("Customer u-48213 is in the control group of “Win back in spring”.")).to_be_visible()
    # Any transaction leads to the customer; what deals out by the app's own id has none then, unless it is bound.
    page.get_by_label("Customer or transaction id").fill(str(customer.transactions[0]["transactionId"]))
    press(page, "Show")
    expect(page.get_by_text("Days since lapse")).to_be_visible()
    expect(page.get_by_text("Customer u-48213 is in the control group of “Win back in spring”.")).to_be_visible()
    page.get_by_label("Customer or transaction id").fill("u-99999")
    press(page, "Show")
    expect(page.get_by_role("heading", name="No purchases are stored for u-99999")).to_be_visible()
    look(window, "try-nobody")
    page.get_by_label("Attributes").fill("country")
    press(page, "Show")
    expect(page.get_by_text("“country” is not an attribute.")).to_be_visible()
    fine(window)


@pytest.mark.parametrize("options", BOTH, ids=["whole", "narrow, without scripts"])
def test_the_editor_says_how_many_it_reaches_and_keeps_what_is_typed(app_store, connected, visit, options):
    service = connected()
    for number in range(60):
        customer = app_store.customer()
        (lapsed if number < 45 else active)(customer)
        hand_in(service, app_store, customer, f"u-{number:03d}")
    audience = {"all": [{"fact": "subscription.state", "group": GROUP, "is": "expired"},
                        {"fact": "customer.daysSinceFirstPurchase", "above": 1}, {"attribute": "country", "oneOf": ["US"]}]}
    made = client(service, "marketing", [BUNDLE]).post(API, written("reached", audience=audience, enrolment=5000, holdout=1000))
    assert made.status_code == 201, made.text
    window = visit(service, access_key(service, "marketing"), **options)
    page = window.page
    page.goto(f"{PATH}/reached/rule")
    page.get_by_label("Name", exact=True).fill("Nobody has saved this")
    press(page, "Count them")
    panel = page.locator("#reach")
    # The panel on its own, without the rest of the page, where there is a script.
    panel.get_by_text("of 60 customers that we know fit (75.0\u00a0%)").wait_for()
    assert panel.locator(".bignum").inner_text() == "45"
    expect(panel.get_by_text("at most", exact=True)).to_be_visible()
    expect(panel.get_by_text("Only your app knows country")).to_be_visible()
    expect(panel.get_by_text("With 10\u00a0% held out and 50\u00a0% let in: about 20.")).to_be_visible()
    assert panel.get_by_role("row").filter(has_text="Subscription state is expired").inner_text().split()[-1] == "45"
    assert page.get_by_label("Name", exact=True).input_value() == "Nobody has saved this"
    panel.get_by_text("40 of them, and why").click()
    first = panel.locator(".sample li").first
    assert first.inner_text().startswith("u-0") and "found: expired" in first.inner_text()
    # Who is found is tried with the draft that is being written.
    assert first.get_by_role("link").get_attribute("href").endswith("&with=reached")
    look(window, "campaign-reach")
    panel.get_by_text("10 who just miss, and why").click()
    assert panel.locator(".sample").nth(1).locator(".mark.bad").count() == 10
    # What is typed counts, saved or not; what cannot be counted is said, and nothing is lost.
    condition(page, 2, "value").fill("9999")
    press(page, "Count again")
    panel.get_by_text("of 60 customers that we know fit (0.0\u00a0%)").wait_for()
    condition(page, 2, "value").fill("many")
    press(page, "Count again")
    panel.get_by_text("It cannot be counted as it stands.").wait_for()
    assert condition(page, 2, "value").input_value() == "many"
    # Who may only look counts what is saved.
    looker = visit(service, access_key(service, "viewer"), **options).page
    looker.goto(f"{PATH}/reached/rule")
    press(looker, "Count them")
    looker.locator("#reach .bignum").wait_for()
    assert looker.locator("#reach .bignum").inner_text() == "45"
    fine(window)


def test_a_draft_that_was_never_published_leaves_the_list_and_its_id_is_free(new_service, visit):
    service = new_service()
    client(service, "marketing", [APP]).post(API, written("typo", name="A slip of the pen"))
    window = visit(service, access_key(service, "marketing"))
    page = window.page
    page.goto(f"{PATH}/typo/rule")
    page.get_by_role("link", name="Discard the draft …").click()
    expect(page.get_by_text("the campaign leaves the list")).to_be_visible()
    look(window, "campaign-discard")
    page.get_by_label("Reason").fill("a slip")
    press(page, "Discard the draft")
    page.wait_for_url(re.compile(r"/campaigns\?done=discarded(#|$)"))
    expect(page.get_by_role("heading", name="No campaigns yet")).to_be_visible()
    page.goto(f"{PATH}/new")
    page.get_by_label("Name", exact=True).fill("Anew")
    page.get_by_label("Id", exact=True).fill("typo")
    press(page, "Save draft")
    page.wait_for_url(re.compile(r"/typo/rule\?done=saved(#|$)"))
    with sqlite3.connect(service.store) as store:
        did = [row[0] for row in store.execute("SELECT action FROM audit_event WHERE action LIKE 'campaign.%' ORDER BY id")]
    assert did == ["campaign.create", "campaign.discard", "campaign.save"]
    fine(window)


def test_the_examples_fit_the_customers_they_are_for(new_service, visit):
    service = new_service()
    page = visit(service, access_key(service, "marketing")).page
    shown = {}
    for example in ("win-back", "keep", "upgrade"):
        page.goto(f"{PATH}/new?example={example}")
        shown[example] = (page.get_by_label("What counts as success").input_value(),
                          page.get_by_label("Variant 2: offer 1").locator("option:checked").inner_text().split(" on ")[0])
    assert shown == {"win-back": ("subscribed", "winback50"), "keep": ("retained", "loyalty20"), "upgrade": ("retained", "loyalty20")}


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_editor_takes_money_words_and_commas(new_service, visit, scripts):
    service = new_service()
    api = client(service, "marketing", [APP])
    api.post(API, written("typed", audience={"all": [
        {"fact": "subscription.price", "group": "20563228", "above": 9900}, {"attribute": "country", "oneOf": ["US", "CA"]},
        {"fact": "introductory.used", "is": False}]}))
    window = visit(service, access_key(service, "marketing"), scripts=scripts)
    page = window.page
    page.goto(f"{PATH}/typed/rule")
    assert condition(page, 1, "value").input_value() == "9.90"
    condition(page, 1, "value").fill("9.99")
    page.get_by_text("Canada, United States").click()
    condition(page, 2, "Names or codes, with commas").fill("DE, france")
    assert condition(page, 3, "value").locator("option").all_inner_texts() == ["Choose …", "no", "yes"]
    add(page, "Reason of the lapse (Apple's expirationIntent)")
    # Reasons have names, and none is more or less than another.
    assert condition(page, 4, "comparison").locator("option").all_inner_texts() == [
        "is", "is not", "is one of", "is none of", "is known", "is not known"]
    page.get_by_text("billing error").check()
    page.get_by_text("declined a price increase").check()
    press(page, "Save draft")
    page.wait_for_url(re.compile(r"/rule\?done=saved(#|$)"))
    assert api.get(f"{API}/typed").json()["draft"]["campaign"]["audience"] == {"all": [
        {"fact": "subscription.price", "group": "20563228", "above": 9990}, {"attribute": "country", "oneOf": ["US", "CA", "DE", "FR"]},
        {"fact": "introductory.used", "is": False}, {"fact": "subscription.expirationIntent", "group": "20563228", "oneOf": [2, 3]}]}
    assert condition(page, 1, "value").input_value() == "9.99"
    words = page.locator(".readback").inner_text()
    assert "price is more than 9.99" in words and "is one of billing error, declined a price increase" in words
    assert "introductory offer used is no" in words
    look(window, "campaign-typed")
    for size in ("wide", "narrow"):
        window.show(size)
        # The whole of what is chosen can be read: in the list, or below it.
        whole = page.get_by_label("Variant 2: offer 1").evaluate("""select => {
            const room = document.createElement("span"), style = getComputedStyle(select);
            room.style.font = style.font; room.style.whiteSpace = "nowrap"; room.style.position = "absolute";
            room.textContent = select.selectedOptions[0].label;
            document.body.append(room);
            const fits = room.offsetWidth + 30 <= select.clientWidth, below = select.nextElementSibling;
            room.remove();
            return fits || (below.offsetHeight > 0 && below.textContent === select.selectedOptions[0].label && below.scrollWidth <= below.clientWidth);
        }""")
        assert whole, size
    fine(window)


def test_the_overview_begins_with_what_waits_for_its_reader(new_service, visit):
    service = new_service()
    keys = {role: access_key(service, role) for role in ("marketing", "approver", "viewer")}
    windows = [visit(service, keys[role]) for role in ("marketing", "approver", "viewer")]
    author, approver, viewer = (window.page for window in windows)
    api = {role: client(service, role, [APP]) for role in ("marketing", "approver")}

    def take(role, campaign, word, **body):
        answer = api[role].request("POST", f"{API}/{campaign}/{word}", json=body, headers={"If-Match": "*"})
        assert answer.status_code == 200, answer.text

    def waiting(page):
        page.goto("/console/")
        return page.get_by_role("region", name="Needs attention").locator("li").all_inner_texts()

    soon = {"from": "2020-03-01T00:00:00Z", "until": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3 * 86_400))}
    for name, changes in [("mine", {"name": "Back for half"}), ("short", {"name": "Ends soon", "schedule": soon}), ("quiet", {"name": "Unsent"})]:
        assert api["marketing"].post(API, written(name, **changes)).status_code == 201
    take("marketing", "mine", "submit", reason="half the price brings back more")
    take("marketing", "short", "submit")
    take("approver", "short", "approve", publish=True)

    first, second, *_ = waiting(approver)
    assert "“Back for half” waits for your review" in first and "half the price brings back more" in first
    assert "“Ends soon” ends in 2 d 23 h" in second
    assert not any("Unsent" in each or "review" in each for each in waiting(author))
    assert not any("“" in each for each in waiting(viewer))

    approver.goto("/console/")
    approver.get_by_role("link", name="Review").click()
    approver.get_by_label("Note to").fill("Too dear for one who leaves.")
    press(approver, "Send back")
    first, *_ = waiting(author)
    assert "“Back for half” was sent back" in first and "“Too dear for one who leaves.”" in first
    look(windows[0], "overview-marketing")
    author.get_by_role("link", name="Open draft").click()
    expect(author.get_by_text("Too dear for one who leaves.").first).to_be_visible()

    take("marketing", "mine", "submit")
    take("approver", "mine", "approve")
    assert any("“Back for half” is approved and not published" in each for each in waiting(author))

    # Of many the first five are shown, and a link to all.
    for number in range(7):
        assert api["marketing"].post(API, written(f"many-{number}", name=f"Many {number}")).status_code == 201
        take("marketing", f"many-{number}", "submit")
    items = waiting(approver)
    assert sum("waits for your review" in each for each in items) == 5
    assert [each for each in items if "more" in each][0].startswith("2 more wait for your review")
    count = approver.get_by_role("region", name="Needs attention").locator("header span").inner_text()
    approver.get_by_role("link", name="Show all").click()
    shown = approver.get_by_role("region", name="Needs attention").locator("li")
    expect(shown).to_have_count(8)
    assert sum("waits for your review" in each for each in shown.all_inner_texts()) == 7
    assert approver.get_by_role("region", name="Needs attention").locator("header span").inner_text() == count
    look(windows[1], "overview-all-of-a-kind")
    approver.get_by_role("link", name="Show everything").click()
    expect(shown).to_have_count(len(items))


@pytest.mark.parametrize("options", BOTH, ids=["whole", "narrow, without scripts"])
def test_a_list_of_many_is_searched_and_turned_over(new_service, visit, options):
    service = new_service()
    # The name of this key has none of the words that are searched for below.
    person = client(service, "marketing", [APP], "Ann")
    for number in range(60):
        assert person.post(API, written(f"c-{number:02}", name=f"Season {number}", priority=number)).status_code == 201
    other = [{"id": "a", "weight": 10000, "offers": [{"productId": "com.example.pro.monthly", "offerId": "loyalty20"}]}]
    assert person.post(API, written("spring", name="Überraschung", variants=other, priority=1)).status_code == 201
    window = visit(service, access_key(service, "marketing"), **options)
    page = window.page

    def names():
        return page.locator("tbody th a").all_inner_texts()

    page.goto(PATH)
    assert names() == [f"Season {number}" for number in range(59, 9, -1)]
    look(window, "campaigns-many")
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Next").click()
    assert page.get_by_text("51 to 61 of 61").is_visible()
    assert names() == [f"Season {number}" for number in range(9, 1, -1)] + ["Season 1", "Überraschung", "Season 0"]
    page.get_by_role("link", name="Previous").click()
    assert len(names()) == 50
    # By name, id and offer, with the keyboard alone; the state and the order go along.
    for text, found in [("überra", ["Überraschung"]), ("SPRING", ["Überraschung"]), ("loyalty20", ["Überraschung"]), ("c-07", ["Season 7"])]:
        page.get_by_role("searchbox", name="Search").fill(text)
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url, text=text: quote(text) in url)
        assert names() == found
    # All words, in any order.
    page.get_by_role("searchbox", name="Search").fill("1 season")
    page.get_by_label("Sort by").select_option("Name")
    press(page, "Show")
    assert names() == ["Season 1"] + [f"Season {number}" for number in [*range(10, 20), 21, 31, 41, 51]]
    assert page.get_by_role("heading", name="In order of name").is_visible()
    page.get_by_role("link", name="Draft 15").click()
    assert len(names()) == 15 and page.get_by_label("Search").input_value() == "1 season"
    # Pausing leads back to the search.
    for role, word, body in [("marketing", "submit", {}), ("approver", "approve", {"publish": True})]:
        answer = client(service, role, [APP]).request("POST", f"{API}/c-07/{word}", json=body, headers={"If-Match": "*"})
        assert answer.status_code == 200, answer.text
    page.goto(f"{PATH}?q=c-07&sort=name")
    press(page, "Pause Season 7")
    assert page.get_by_text("Paused: no customer gets it from now on.").is_visible()
    assert names() == ["Season 7"] and page.get_by_label("Sort by").input_value() == "name"
    page.goto(f"{PATH}?state=draft")
    page.get_by_role("searchbox", name="Search").fill("<b>none")
    press(page, "Show")
    assert page.get_by_text("No campaign that contains “<b>none” is draft.").is_visible()
    page.get_by_role("link", name="Show all 61").click()
    assert len(names()) == 50
    fine(window)


@pytest.mark.parametrize("options", BOTH, ids=["whole", "narrow, without scripts"])
def test_notes_stay_and_a_hypothesis_is_read_at_the_results(new_service, visit, options):
    service = new_service()
    people = {role: client(service, role, [APP]) for role in ("marketing", "approver")}

    def take(role, word, **body):
        answer = people[role].request("POST", f"{API}/spring/{word}", json=body, headers={"If-Match": "*"})
        assert answer.status_code == 200, answer.text

    assert people["marketing"].post(API, written("spring", name="Half in spring")).status_code == 201
    author = visit(service, access_key(service, "marketing"), **options)
    page = author.page
    page.goto(f"{PATH}/spring/rule")
    page.get_by_label("What do you expect, and why?").fill("Half the price wins back\nmore than it costs.")
    page.get_by_label("Tags").fill("spring, win-back")
    page.get_by_role("textbox", name="Note to the approver").fill("Please look at the limits.")
    press(page, "Send to review")
    page.wait_for_url(re.compile(r"/spring/review"))

    approver = visit(service, access_key(service, "approver"), **options)
    other = approver.page
    other.goto("/console/")
    other.get_by_role("link", name="Review").first.click()
    expect(other.get_by_text("more than it costs.").first).to_be_visible()
    expect(other.locator("blockquote", has_text="Please look at the limits.")).to_have_count(1)
    other.get_by_label("Note to").fill("Three months are too generous.")
    press(other, "Send back")

    page.goto(f"{PATH}/spring/rule")
    expect(page.get_by_text("Three months are too generous.").first).to_be_visible()
    # A note from the editor leaves its unsaved input as it is; one that was only typed goes with the next save.
    page.get_by_label("Name", exact=True).fill("Half in May")
    page.get_by_label("Add a note").fill("I have asked the shop.")
    press(page, "Add the note")
    expect(page.locator("blockquote", has_text="I have asked the shop.")).to_have_count(1)
    expect(page.get_by_text("The rest of the form is not saved yet.")).to_be_visible()
    assert page.get_by_label("Name", exact=True).input_value() == "Half in May" and page.get_by_label("Add a note").input_value() == ""
    assert people["marketing"].get(f"{API}/spring").json()["draft"]["campaign"]["name"] == "Half in spring"
    look(author, "campaign-notes-rule")
    page.get_by_label("Add a note").fill("It is for May.")
    page.get_by_role("textbox", name="Note to the approver").fill("")
    press(page, "Save draft")
    page.wait_for_url(re.compile(r"/rule\?done=saved(#|$)"))
    assert people["marketing"].get(f"{API}/spring").json()["draft"]["campaign"]["name"] == "Half in May"
    page.goto(f"{PATH}/spring/review")
    page.get_by_label("Add a note").fill("One month\nthen.")
    press(page, "Add the note")
    page.wait_for_url("**/spring/review#notes")
    assert page.get_by_label("Add a note").input_value() == ""
    take("marketing", "submit", reason="again")
    take("approver", "approve", publish=True, reason="fine")
    take("marketing", "pause", reason="out of stock")
    take("approver", "resume", reason="out of stock")
    said = ["out of stock", "out of stock", "fine", "again", "One month\nthen.", "It is for May.",
            "I have asked the shop.", "Three months are too generous.", "Please look at the limits."]
    for part in ("review", "results", "history", "rule"):
        page.goto(f"{PATH}/spring/{part}")
        assert page.locator("blockquote .lines").all_inner_texts() == said, part
    page.goto(f"{PATH}/spring/results")
    expect(page.get_by_role("heading", name="What we expected")).to_be_visible()
    expect(page.get_by_text("more than it costs.").first).to_be_visible()
    look(author, "campaign-notes-results")
    page.goto(f"{PATH}/spring/history")
    look(author, "campaign-activity")
    did = page.get_by_role("table").last.locator("td[data-label=What]").all_inner_texts()
    assert did == ["resumed it", "paused it", "published revision 1", "approved the draft", "sent the draft to review", "wrote a note", "wrote a note", "saved a draft", "wrote a note",
                   "rejected the draft", "sent the draft to review", "saved a draft", "wrote the first draft"]
    for number in range(2):
        answer = people["marketing"].request("PUT", f"{API}/spring", json=written("spring", priority=number), headers={"If-Match": "*"})
        assert answer.status_code == 200, answer.text
    page.reload()
    assert page.get_by_text("saved a draft, 2 times").is_visible()
    # A note outlives its session, too.
    page.get_by_label("Add a note").fill("Not lost.")
    page.evaluate("document.querySelector('form:has(#new-note) input[name=formToken]').value = '0'.repeat(64)")
    press(page, "Add the note")
    expect(page.get_by_text("You have signed in again.")).to_be_visible()
    assert page.get_by_label("Add a note").input_value() == "Not lost."
    # A reader without the right to write reads the notes, and adds none.
    viewer = visit(service, access_key(service, "viewer"), **options)
    viewer.page.goto(f"{PATH}/spring/history")
    assert viewer.page.locator("blockquote .lines").all_inner_texts() == said
    assert viewer.page.get_by_label("Add a note").count() == 0
    for window in (author, approver, viewer):
        fine(window)


@pytest.mark.parametrize("options", BOTH, ids=["whole", "narrow, without scripts"])
def test_ended_campaigns_stand_apart_are_archived_and_any_is_duplicated(new_service, visit, options):
    service = new_service()
    people = {role: client(service, role, [APP]) for role in ("marketing", "approver", "admin")}

    def take(role, campaign, word, **body):
        answer = people[role].request("POST", f"{API}/{campaign}/{word}", json=body, headers={"If-Match": "*"})
        assert answer.status_code == 200, answer.text

    for campaign, changes in [("over", {"tags": ["spring"]}), ("runs", {"tags": ["spring", "vip"], "placement": "checkout", "hypothesis": "It works."})]:
        assert people["marketing"].post(API, written(campaign, name=campaign.title(), **changes)).status_code == 201
        take("marketing", campaign, "submit")
        take("approver", campaign, "approve", publish=True)
    take("marketing", "over", "end")
    assert people["admin"].post(API, written("slip", name="Slip")).status_code == 201
    window = visit(service, access_key(service, "marketing"), **options)
    page = window.page

    def names():
        return sorted(page.locator("tbody th > a:first-child").all_inner_texts())

    def more(name, what):
        page.get_by_label(f"More for {name}", exact=True).click()
        page.locator("details[open]").get_by_text(what, exact=True).click()

    page.goto(PATH)
    assert names() == ["Runs", "Slip"]
    look(window, "campaigns-apart")
    page.get_by_role("link", name="1 ended: show it").click()
    assert names() == ["Over"]
    more("Over", "Archive")
    expect(page.get_by_text("Archived: it stands under Archived")).to_be_visible()
    page.get_by_role("link", name="Archived 1").click()
    assert names() == ["Over"]
    page.get_by_role("link", name="Over", exact=True).click()
    press(page, "Take out of the archive")
    expect(page.get_by_text("It is out of the archive.")).to_be_visible()
    assert page.get_by_role("link", name="1 ended: show it").is_visible()
    # Filters narrow the list, and go along with tabs and orders.
    page.get_by_label("Tag").select_option("vip")
    press(page, "Show")
    assert names() == ["Runs"]
    page.goto(PATH)
    page.get_by_label("Where").select_option("checkout")
    page.get_by_label("Sort by").select_option("Name")
    press(page, "Show")
    assert names() == ["Runs"] and page.get_by_label("Where").input_value() == "checkout"
    page.goto(PATH)
    page.locator(".tag", has_text="spring").click()
    assert names() == ["Runs"]
    page.get_by_role("link", name="Ended 1").click()
    assert names() == ["Over"] and page.get_by_label("Tag").input_value() == "spring"
    page.goto(PATH)
    page.get_by_label("Written by").select_option(people["admin"].get(f"{API}/slip").json()["createdBy"])
    press(page, "Show")
    assert names() == ["Slip"]
    more("Slip", "Discard …")
    press(page, "Discard the draft")
    assert names() == ["Runs"]
    more("Runs", "Duplicate")
    assert page.get_by_label("Name", exact=True).input_value() == "Runs (copy)"
    assert page.get_by_label("What do you expect, and why?").input_value() == "It works."
    assert page.get_by_label("Tags").input_value() == "spring vip"
    press(page, "Save draft")
    page.wait_for_url(re.compile(r"/runs-copy/rule\?done=saved(#|$)"))
    page.goto(f"{PATH}/over/history")
    page.get_by_label("Duplicate revision 1").click()
    assert page.get_by_label("Name", exact=True).input_value() == "Over (copy)"
    fine(window)


def test_a_long_name_without_a_space_harms_no_page(new_service, visit):
    service = new_service()
    name = "W" * 200
    people = {role: client(service, role, [APP]) for role in ("marketing", "approver")}
    people["marketing"].post(API, written("long", name=name))
    for person, word, body in [("marketing", "submit", {}), ("approver", "approve", {"publish": True})]:
        assert people[person].request("POST", f"{API}/long/{word}", json=body, headers={"If-Match": "*"}).status_code == 200
    long = {"name": name, "tags": ["w" * 64], "hypothesis": name}
    people["marketing"].request("PUT", f"{API}/long", json=written("long", priority=3, **long), headers={"If-Match": "*"})
    noted = people["marketing"].post(f"{API}/long/notes", {"reason": name})
    assert noted.status_code == 200, noted.text
    people["marketing"].post(API, written("waits", name=name))
    assert people["marketing"].request("POST", f"{API}/waits/submit", json={"reason": name}, headers={"If-Match": "*"}).status_code == 200
    window = visit(service, access_key(service, "admin", note="N" * 200))
    page = window.page
    harmed = []
    for path in ["", "/new?copy=long", "/long/rule", "/long/review", "/long/testers", "/long/history", "/long/results", "/long/end", "/long/discard",
                 "/../try?with=long&id=u-1", "/../../../access", "/../../../"]:
        page.goto(PATH + path)
        for width in (1280, 768, 390):
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate("""() => [document.documentElement, ...document.querySelectorAll("main, .panel, .scroll, .page-head, .actionbar, .side")]
                .filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.tagName + "." + each.className)""")
            if wide:
                harmed.append((path, width, wide))
        if path in ("", "/long/rule", "/long/history"):
            look(window, f"long-name{path.replace('/', '-')}")
    assert harmed == []


def test_on_a_phone_one_section_is_open_the_one_that_is_needed(new_service, visit):
    service = new_service()
    window = visit(service, access_key(service, "marketing"), folds=True, size="narrow")
    page = window.page
    opened = lambda: [part.inner_text() for part in page.locator("details.part[open] > summary").all()]
    page.goto(f"{PATH}/new")
    assert opened() == ["1. Name and goal"]
    look(window, "campaign-folded")
    page.get_by_label("Name", exact=True).fill("On a phone")
    page.get_by_text("2. Who gets it").click()
    add(page, "Subscription state")
    condition(page, 1, "comparison").wait_for()
    assert opened() == ["2. Who gets it"], "the row that was added is in view"
    page.get_by_text("3. What they get").click()
    page.get_by_label("Weight").nth(1).fill("49")
    press(page, "Save draft")
    # What is closed is kept as well, and the first section with something to fix is open.
    page.get_by_role("alert").get_by_role("link").first.wait_for()
    assert opened() == ["2. Who gets it"]
    expect(page.get_by_role("heading", name="On a phone")).to_be_visible()
    page.get_by_role("alert").get_by_role("link", name="99\u00a0%").click()
    assert "3. What they get" in opened()
    wide = visit(service, access_key(service, "marketing", note="marketing-2"), folds=True).page
    wide.goto(f"{PATH}/new")
    assert wide.locator("details.part:not([open])").count() == 0
    fine(window)


def test_the_catalogue_says_what_app_store_connect_said_and_when(new_service, visit, tmp_path):
    pulled = tmp_path / "catalogue.yaml"
    [shop] = [app for app in yaml.safe_load(EXAMPLE.read_text())["apps"] if app["bundleId"] == APP]
    said = {"apps": [{"bundleId": APP, "subscriptionGroups": copy.deepcopy(shop["subscriptionGroups"])}]}
    said["apps"][0]["subscriptionGroups"][0]["products"][0]["promotionalOffers"][0]["period"] = "P2M"
    pulled.write_text(yaml.safe_dump(said))
    os.utime(pulled, (1767225600, 1767225600))
    service = new_service(extra=f"catalogue: {{file: {pulled}}}\n")
    window = visit(service, access_key(service, "marketing", apps=(APP, "com.example.news")))
    page = window.page
    page.goto(f"/console/apps/{APP}/catalogue")
    expect(page.get_by_text(re.compile(r"App Store Connect was last asked 1 Jan( 2026)?, 00:00"))).to_be_visible()
    monthly, yearly = (page.locator("section", has=page.get_by_role("heading", name=f"com.example.pro.{each}")) for each in ("monthly", "yearly"))
    assert "Promotional offer winback50: period is 2\u00a0months there, and 3\u00a0months here, which counts." in monthly.locator(".mark.warn").inner_text()
    assert "said the same of it and of its offers" in yearly.locator(".mark.good").inner_text()
    look(window, "catalogue-pulled")
    page.goto("/console/apps/com.example.news/catalogue")
    expect(page.get_by_text("App Store Connect was not asked")).to_be_visible()
    assert page.locator(".mark").count() == 0
    fine(window)


def exposed(service, campaign, variants, at, storefront=lambda number: None):
    """Puts exposures where the store has them, with a time of their own: a list of units for each variant."""
    with sqlite3.connect(service.store) as store:
        for variant, units in variants.items():
            arm = store.execute(
                "INSERT INTO exposure_arm (bundle_id, campaign_id, revision, variant, unit_kind) VALUES (?, ?, 1, ?, 'customer')",
                (BUNDLE, campaign, variant)).lastrowid
            store.executemany(
                "INSERT INTO exposure (arm, at, unit, caller, storefront) VALUES (?, ?, ?, 'c', ?)",
                [(arm, at(number), unit, storefront(number)) for number, unit in enumerate(units)])


def test_leaving_asks_where_something_is_not_saved(new_service, visit):
    service = new_service()
    page = visit(service, access_key(service, "marketing")).page
    asked = []

    def stay(dialog):
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    leave = lambda: page.get_by_role("navigation", name="Main").get_by_role("link", name="Overview").click()
    # After the button of the builder, and after a form with a fault, nothing more was typed.
    for path, button in ((f"{PATH}/new", "Add a condition"), (f"{PATH}/new", "Save draft"), ("/console/apps/com.example.app/segments/new", "Save segment")):
        page.goto(path)
        press(page, button)
        before = len(asked)
        leave()
        wait_until(lambda: len(asked) == before + 1)
        assert asked[-1] == "beforeunload" and "/new" in page.url
        page.remove_listener("dialog", stay)
        page.goto("/console/")
        page.on("dialog", stay)
    # Where nothing is unsaved, nothing is asked.
    page.goto(f"{PATH}/new")
    leave()
    page.wait_for_url(re.compile("/console/$"))
    # Going back to a page that answered a form shows the form, and never the browser's question whether to send it again.
    page.remove_listener("dialog", stay)
    page.on("dialog", lambda dialog: dialog.accept())
    for path, button in ((f"{PATH}/new", "Add a condition"), ("/console/apps/com.example.app/segments/new", "Save segment")):
        page.goto(path)
        press(page, button)
        page.goto("/console/")
        page.go_back()
        expect(page.get_by_label("Name", exact=True)).to_be_visible()
        assert page.url.split("#")[0].endswith(path)
        page.reload()
        expect(page.get_by_label("Name", exact=True)).to_be_visible()


def test_where_another_variant_earns_more_the_page_urges_nothing(app_store, connected, visit):
    """Half beats the control by far, and upfront earns six times as much: the analyst's scene."""
    service = connected()
    people = {role: client(service, role, [BUNDLE], f"{role}-1") for role in ("marketing", "approver")}
    offers = {"half": "winback50", "upfront": "loyalty20"}
    variants = [{"id": "control", "weight": 3334}] + [
        {"id": name, "weight": 3333, "offers": [{"productId": "com.example.pro.monthly", "offerId": offer}]} for name, offer in offers.items()]
    goals = {
        "scene": {"metric": "subscribed", "window": "P14D", "expected": 0.1, "detect": 0.2},
        "money": {"metric": "revenue", "window": "P14D", "currency": "USD", "detect": 2.5, "standardDeviation": 4, "cap": 13},
    }
    for campaign, goal in goals.items():
        answer = people["marketing"].post(API, written(
            campaign, name=campaign.capitalize(), enrolment=10000, holdout=0, variants=variants, audience={"fact": "refunds.count", "is": 0},
            goal=goal))
        assert answer.status_code == 201, answer.text
        for person, word, body in [("marketing", "submit", {}), ("approver", "approve", {"publish": True})]:
            assert people[person].request("POST", f"{API}/{campaign}/{word}", json=body, headers={"If-Match": "*"}).status_code == 200
    met = lambda number: ago((20 + number % 16) * DAY)
    # How many of 80 come back, and what each of them pays, in thousandths.
    lives, paid = {"control": (6, 9990), "half": (44, 1300), "upfront": (36, 13400)}, {}
    for variant, (coming, price) in lives.items():
        paid[variant] = numpy.array([price / 1000] * coming + [0.0] * (80 - coming))
        for number in range(80):
            customer = app_store.customer()
            if number < coming:
                customer.start("com.example.pro.monthly", at=met(number) + 2 * DAY, price=price)
            else:
                customer.start("com.example.pro.monthly", at=ago(200 * DAY)).expire()
            hand_in(service, app_store, customer, f"{variant}-{number}")
    for campaign in goals:
        exposed(service, campaign, {variant: [f"{variant}-{number}" for number in range(80)] for variant in lives}, met)
    window = visit(service, access_key(service, "marketing"))
    page = window.page
    wait_until(lambda: page.goto(f"{PATH}/scene/results") and page.get_by_text("Conversion and money disagree").count() == 1)
    found = people["marketing"].get(f"{API}/scene/results?bundleId={BUNDLE}").json()
    verdict = found["verdict"]
    assert (verdict["code"], verdict["variant"], verdict["moneyDisagrees"]) == ("winner", "half", True)
    assert "half does better than control: 55.0 of 100 customers reached the goal, against 7.5." in verdict["sentence"]
    assert "It was not shown to do better than upfront, which was shown to earn 5.32 USD more per customer." in verdict["sentence"]
    assert "but control 0.75 and upfront 6.03." in verdict["caution"]
    for text in (verdict["sentence"], verdict["caution"]):
        expect(page.get_by_text(text)).to_be_visible()
    # Every variant with every other, by the formulas of the manual: beside the rates at a third of 5 %.
    def is_right(pair, base, other, planned, alpha):
        money, t = pair["revenue"], 160
        rho = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / planned
        squared = t * (base.var(ddof=1) / 80 + other.var(ddof=1) / 80)
        growth = t * rho + 1
        reach = math.sqrt(growth / (t * t * rho) * (math.log(growth) - 2 * math.log(alpha)) * squared)
        value = other.mean() - base.mean()
        assert (money["currency"], money["value"], money["low"], money["high"]) == (
            "USD", pytest.approx(value), pytest.approx(value - reach, rel=1e-3), pytest.approx(value + reach, rel=1e-3)), pair

    power, levels = stats.norm.isf(0.2), lambda pair: 0.05 / 2 if pair["base"] == "control" else 0.05
    for pair in found["pairs"]:
        # The sample of a test that is read once, at the level of the comparison of rates.
        z = stats.norm.isf(levels(pair) / 2)
        planned = 2 * ((z * math.sqrt(2 * 0.2 * 0.8) + power * math.sqrt(0.1 * 0.9 + 0.3 * 0.7)) / 0.2) ** 2
        is_right(pair, paid[pair["base"]], paid[pair["variant"]], planned, 0.05 / 3)
    assert [(pair["base"], pair["variant"]) for pair in found["pairs"]] == [("control", "half"), ("control", "upfront"), ("half", "upfront")]
    last = page.get_by_role("group", name="Every variant with every other").get_by_role("row").last.inner_text()
    assert "upfront" in last and "half" in last and "+5.32" in last
    assert page.locator("main .btn.primary").count() == 0
    look(window, "results-money")
    page.get_by_role("link", name="Give the winner to all …").click()
    expect(page.get_by_text("Conversion and money disagree")).to_be_visible()
    expect(page.get_by_text(verdict["caution"])).to_be_visible()
    look(window, "winner-money")
    # The list and the overview say it, too.
    wait_until(lambda: page.goto(PATH) and page.get_by_text("Money disagrees").count() == 1)
    page.goto("/console")
    expect(page.get_by_text("“Scene” has a winner that earns less")).to_be_visible()
    # Where revenue is the goal, upfront wins by what customers paid, each with 13 dollars at most, at the level of the verdict.
    wait_until(lambda: page.goto(f"{PATH}/money/results") and page.get_by_text("Winner: upfront").count() == 1)
    found = people["marketing"].get(f"{API}/money/results?bundleId={BUNDLE}").json()
    verdict = found["verdict"]
    assert (verdict["code"], verdict["variant"], verdict["moneyDisagrees"]) == ("winner", "upfront", False)
    assert verdict["sentence"].startswith("upfront earns more than control: 5.85 USD per customer, against 0.75. The true gain lies between ")
    assert verdict["sentence"].endswith("It was also shown to earn more than half. Of 100 customers 45.0 paid, against 7.5 with control.")
    assert found["goal"] == {**goals["money"], "detect": 2.5, "cap": 13.0, "standardDeviation": 4.0}
    for pair in found["pairs"]:
        planned = 4 * ((stats.norm.isf(levels(pair) / 2) + power) * 4 / 2.5) ** 2
        is_right(pair, *(numpy.minimum(paid[pair[place]], 13) for place in ("base", "variant")), planned, levels(pair))
    for text in (verdict["sentence"], "In USD: how much more a customer pays.", "each with 13.00 at most"):
        expect(page.get_by_text(text).first).to_be_visible()
    assert page.get_by_role("link", name="Give the winner to all …").get_attribute("class") == "btn primary"
    assert "+5.10 USD" in page.locator(".forest").inner_text()
    look(window, "results-goal-revenue")
    assert "interval of the verdict" in page.get_by_role("columnheader", name="Money per customer").inner_text()
    # In the editor: an amount of money in place of a percentage, and nothing typed is lost.
    page.goto(f"{PATH}/new")
    page.get_by_label("Name", exact=True).fill("By money")
    page.get_by_label("What counts as success").select_option("revenue")
    page.get_by_label("Smallest difference worth knowing").fill("0.5")
    page.get_by_label("How much payments vary").fill("3")
    press(page, "Save draft")
    expect(page.get_by_text("“revenue” needs a currency. Give one such as “USD”.").first).to_be_visible()
    page.get_by_label("Currency").fill("USD")
    page.get_by_label("One customer counts at most").fill("50")
    press(page, "Save draft")
    draft = people["marketing"].get(f"{API}/by-money?bundleId={BUNDLE}").json()["draft"]
    assert draft["campaign"]["goal"] == {
        "metric": "revenue", "window": "P14D", "currency": "USD", "detect": 0.5, "standardDeviation": 3, "cap": 50}
    assert page.get_by_label("Smallest difference worth knowing").input_value() == "0.5"
    look(window, "editor-revenue")
    page.goto(f"{PATH}/by-money/review")
    expect(page.get_by_text("A difference of 0.50 USD is worth knowing.")).to_be_visible()
    expect(page.get_by_text("Success is what a customer pays within 14 days, refunds taken out, in USD. One customer counts at most 50.00 USD.")).to_be_visible()


def test_the_results_say_who_won_or_why_that_is_not_known(app_store, connected, visit):
    service = connected()
    people = {role: client(service, role, [BUNDLE], f"{role}-1") for role in ("marketing", "approver")}
    variants = [{"id": "control", "weight": 5000}, {"id": "half", "weight": 5000, "offers": [
        {"productId": "com.example.pro.monthly", "offerId": "winback50"}]}]
    for campaign in ("won", "lost", "off", "open", "alone"):
        answer = people["marketing"].post(API, written(
            campaign, name=campaign, enrolment=10000, holdout=0,
            variants=[{**variants[1], "weight": 10000}] if campaign == "alone" else variants, audience={"fact": "refunds.count", "is": 0},
            **({"schedule": {"until": "2035-01-01T00:00:00Z"}} if campaign == "open" else {}),
            goal={"metric": "subscribed", "window": "P14D", "expected": 0.1, "detect": 0.2}))
        assert answer.status_code == 201, answer.text
        for person, word, body in [("marketing", "submit", {}), ("approver", "approve", {"publish": True})]:
            assert people[person].request("POST", f"{API}/{campaign}/{word}", json=body, headers={"If-Match": "*"}).status_code == 200
    window = visit(service, access_key(service, "marketing"))
    page = window.page
    page.goto(f"{PATH}/won/results")
    expect(page.get_by_text("Cannot say yet")).to_be_visible()
    expect(page.get_by_text("Too little data")).to_be_visible()
    # Five of each on every one of sixteen days.
    met = lambda number: ago((20 + number % 16) * DAY)
    units = {"control": [f"c-{number}" for number in range(80)], "half": [f"h-{number}" for number in range(80)]}
    for name, chosen in units.items():
        for number, unit in enumerate(chosen):
            customer = app_store.customer()
            subscription = customer.start("com.example.pro.monthly", at=ago(200 * DAY)).expire()
            # Of the control 8 come back, of the others 56.
            if number % 10 < (1 if name == "control" else 7):
                subscription.resubscribe(at=met(number) + 2 * DAY, offer_id="winback50" if name == "half" else None)
            hand_in(service, app_store, customer, unit)
    exposed(service, "won", units, met, lambda number: "DEU" if number % 8 == 1 else "USA")
    exposed(service, "lost", {"control": units["half"], "half": units["control"]}, met)
    exposed(service, "alone", {"half": units["half"]}, met, lambda number: "USA")
    mixed = [units["control"][:40] + units["half"][:40], units["control"][40:] + units["half"][40:]]
    exposed(service, "open", {"control": mixed[0], "half": mixed[1]}, met, lambda number: "DEU" if number % 8 == 1 else "USA")
    off = {"control": [f"x-{number}" for number in range(300)], "half": [f"y-{number}" for number in range(900)]}
    exposed(service, "off", off, met)
    # Counted anew in ten times what counting took.
    wait_until(lambda: page.goto(f"{PATH}/won/results") and page.get_by_text("Winner: half").count() == 1)
    expect(page.get_by_text(re.compile(r"half does better than control: 70(\.0)? of 100 customers reached the goal, against 10(\.0)?\."))).to_be_visible()
    row = page.get_by_role("group", name="Per variant").get_by_role("row").filter(has=page.get_by_role("rowheader", name="half"))
    assert "70.0" in row.inner_text() and "+60.0 points" in row.inner_text() and "over 99.9" in row.inner_text()
    assert page.locator(".forest svg[role=img]").count() == 1
    # The band has left 0, and its numbers stand below it.
    chart = page.locator(".chart")
    expect(chart.get_by_text(re.compile(r"half: \+60\.0 points, between .* Wholly above 0 since")).last).to_be_visible()
    assert chart.locator("path.band").count() == 1
    for size in ("wide", "narrow"):
        window.show(size)
        outside = page.locator("section", has=chart).evaluate("""panel => {
            const room = panel.getBoundingClientRect();
            return [...panel.querySelectorAll("svg text")].filter(text => text.getClientRects().length).map(text => [text.textContent, text.getBoundingClientRect()])
                .filter(([, box]) => box.left < room.left || box.right > room.right || box.bottom > room.bottom).map(([text]) => text);
        }""")
        assert outside == [], size
    window.show("wide")
    # A table's edge is that of the panel's other tables.
    edge = page.get_by_role("group", name="Per variant").get_by_role("rowheader").first
    assert edge.evaluate("cell => getComputedStyle(cell).paddingLeft") == "20px"
    look(window, "results-winner")
    chart.get_by_text("Show the numbers").click()
    assert chart.get_by_role("row").last.inner_text().split()[2] == "+60.0"
    page.get_by_text("Show what a statistician asks for").click()
    table = page.get_by_role("group", name="Intervals and p-values").get_by_role("row").last.inner_text().split("\t")
    # Newcombe's interval is narrower than the one that may be looked at every day.
    (low, high), (narrow_low, narrow_high) = ([float(end.replace("+", "")) for end in cell.split(" to ")] for cell in table[1:3])
    assert low < narrow_low < 60 < narrow_high < high and table[3:] == ["under 0.001", "under 0.001"]
    look(window, "results-statistician")
    page.get_by_label("Look at one storefront").select_option("USA")
    press(page, "Show")
    part = page.locator("#part")
    expect(part.get_by_role("heading", name="Only storefront United States")).to_be_visible()
    assert "70" in part.get_by_role("row").filter(has=page.get_by_role("rowheader", name="half")).inner_text()
    expect(part.get_by_text("These results hold 2 such comparisons")).to_be_visible()
    expect(page.get_by_text("Winner: half")).to_be_visible()
    look(window, "results-part")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export CSV").click()
    assert open(download.value.path(), encoding="utf-8").read().startswith("variant,weight,exposed")
    wait_until(lambda: page.goto(f"{PATH}/off/results") and page.get_by_text("No verdict: the split is off").count() == 1)
    # Nothing that compares is shown.
    assert page.get_by_text("Chance to").count() == 0 and page.locator(".forest, .chart").count() == 0
    assert page.get_by_text("Give the winner").count() == 0
    look(window, "results-hidden")
    # Nothing is decided: no chance to beat the control, and the planned size is that of the editor.
    wait_until(lambda: page.goto(f"{PATH}/open/results") and page.get_by_text("true difference lies between").count() == 1)
    expect(page.get_by_text("Cannot say yet", exact=True)).to_be_visible()
    assert page.get_by_role("columnheader", name=re.compile("Chance to")).count() == 0
    expect(page.get_by_text("The chance to beat the control is shown once there is a verdict")).to_be_visible()
    # No customer has come in the last week, so the end finds it as it is.
    expect(page.get_by_text(re.compile(r"On 1 Jan 2035, when it ends, it has about 160 of the [\d,]+ customers that it needs\. So no verdict is likely\."))).to_be_visible()
    parts = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="United States")).inner_text().strip()
    assert re.search(r"control: 70, [\d.]+\s%; half: 70, [\d.]+\s%$", parts), parts
    look(window, "results-open")
    planned = re.search(r"of about ([\d,]+) customers", page.locator("main").inner_text())[1]
    page.goto(f"{PATH}/new?copy=open")
    expect(page.get_by_text(f"It probably takes about {planned}.")).to_be_visible()
    # One variant alone splits no customers.
    wait_until(lambda: page.goto(f"{PATH}/alone/results") and page.get_by_text("so there is no split to judge").count() == 1)
    assert page.get_by_text("as planned").count() == 0
    look(window, "results-alone")
    # No offer is better than this one: there is nothing to give to all.
    wait_until(lambda: page.goto(f"{PATH}/lost/results") and page.get_by_text("Winner: control").count() == 1)
    expect(page.get_by_text(re.compile(r"Stay with control: 70(\.0)? of 100"))).to_be_visible()
    assert page.get_by_text("Give the winner").count() == 0
    look(window, "results-control")
    page.get_by_role("link", name="End the campaign …").click()
    page.wait_for_url(re.compile(r"/lost/end"))
    # The verdict leads to a new draft, and no further by itself.
    page.goto(f"{PATH}/won/results")
    page.get_by_role("link", name="Give the winner to all …").click()
    expect(page.get_by_text("“won” stays as it is until you end it")).to_be_visible()
    look(window, "winner-confirm")
    press(page, "Write the draft")
    page.wait_for_url(re.compile(r"/won-2/rule\?done=winner"))
    expect(page.get_by_text("The draft gives the winner to all.")).to_be_visible()
    assert page.get_by_label("Variant 1: offer 1").locator("option:checked").inner_text().startswith("winback50")
    assert page.get_by_label("Weight").input_value() == page.get_by_label("Let in").input_value() == "100"
    look(window, "winner-draft")
    states = {each["id"]: each["state"] for each in people["marketing"].get(f"{API}?bundleId={BUNDLE}").json()["items"]}
    assert states["won"] == "live" and states["won-2"] == "draft"
    press(page, "Send to review")
    page.wait_for_url(re.compile(r"/won-2/review\?done=sent"))
    fine(window)


AUDIENCES = [
    {"fact": "refunds.count", "is": 0},
    {"not": {"fact": "subscription.paidPeriods", "group": "20563228", "below": 3}},
    {"all": [{"any": [{"attribute": "country", "oneOf": ["US", "CA"]}, {"attribute": "level", "is": 5}, {"attribute": "beta", "is": True}]},
             {"not": {"any": [{"fact": "offers.redeemed", "contains": "winback50"}, {"fact": "introductory.used", "is": True}]}},
             {"not": {"all": [{"attribute": "version", "versionAtLeast": "2.1"}, {"attribute": "since", "before": "-P30D"}]}}]},
    {"any": [{"fact": "subscription.state", "group": "20563228", "oneOf": ["expired", "revoked"]},
             {"fact": "subscription.expirationIntent", "group": "20563228", "oneOf": [1, 3]},
             {"fact": "customer.daysSinceFirstPurchase", "exists": False},
             {"not": {"not": {"fact": "environment", "is": "Production"}}},
             {"attribute": "text", "oneOf": ["a\nb", " c "]}]},
]


@pytest.mark.parametrize("number", range(len(AUDIENCES)))
def test_a_campaign_that_was_written_elsewhere_comes_through_the_form_as_it_was(new_service, visit, number):
    service = new_service()
    source = random.Random(number)
    api = client(service, "marketing", [APP])
    changes = {
        "audience": AUDIENCES[number], "enrolment": source.randrange(1, 10_000), "holdout": source.randrange(0, 5000),
        "schedule": {"from": "2030-10-27T00:30:00Z", "until": "2031-01-01T00:00:00.250Z"}, "priority": source.randrange(-100, 100),
        "variants": [{"id": "control", "weight": 3333}, {"id": "two", "weight": 6667, "offers": [
            {"productId": "com.example.pro.monthly", "offerId": "winback50"}, {"productId": "com.example.team.monthly", "offerId": "winback50"}]}],
        "goal": {"metric": "retained", "window": "P2M", "expected": 0.123, "detect": 0.0125},
    }
    api.post(API, written("kept", **changes))
    before = api.get(f"{API}/kept").json()["draft"]["campaign"]
    window = visit(service, access_key(service, "marketing"))
    page = window.page
    page.goto(f"{PATH}/kept/rule")
    press(page, "Save draft")
    page.wait_for_url(re.compile(r"/rule\?done=saved(#|$)"))
    if number == 2:
        look(window, "campaign-nested")
    assert api.get(f"{API}/kept").json()["draft"]["campaign"] == before == written("kept", **changes)


def test_the_manual_shows_the_pictures_of_these_walks():
    pages = [file.read_text() for file in PICTURES.parent.glob("*.md")]
    shown = {name for text in pages for name in re.findall(r"images/([\w-]+)\.png", text)}
    # Those of the tutorials have a test of their own.
    assert shown == set(SHOWN) == {file.stem for file in PICTURES.glob("*.png") if not file.stem.startswith("tutorial-")}
    assert all(file.stat().st_size < 150_000 for file in PICTURES.glob("*.png"))


SEGMENTS = f"/console/apps/{APP}/segments"


@pytest.mark.parametrize("options", BOTH, ids=["whole", "narrow, without scripts"])
def test_a_segment_reaches_campaigns_by_drafts_that_another_person_approves(new_service, visit, options):
    service = new_service()
    people = {role: client(service, role, [APP]) for role in ("marketing", "approver")}
    window = visit(service, access_key(service, "marketing"), **options)
    page = window.page
    page.goto(SEGMENTS)
    expect(page.get_by_text("There is no segment yet.")).to_be_visible()
    page.get_by_role("link", name="New segment").click()
    # Without a name and a condition nothing is saved, and what is there stays.
    press(page, "Save segment")
    assert page.get_by_role("alert").locator("li").all_inner_texts() and page.get_by_label("Name", exact=True).input_value() == ""
    page.get_by_label("Name", exact=True).fill("Lapsed <lately>")
    add(page, "Days since lapse")
    condition(page, 1, "comparison").select_option("is less than")
    if page.get_by_text("Fit the inputs").is_visible():
        press(page, "Fit the inputs to what is chosen")
    condition(page, 1, "value").fill("90")
    press(page, "Save segment")
    page.wait_for_url(re.compile(r"/segments/lapsed-lately\?done=saved(#|$)"))
    expect(page.get_by_text("Days since lapse is less than 90.")).to_be_visible()
    expect(page.get_by_text("No campaign and no other segment uses it.")).to_be_visible()
    # It is chosen in a campaign, by its name.
    page.goto(f"{PATH}/new")
    page.get_by_label("Name", exact=True).fill("Ahead")
    add(page, "Segment")
    condition(page, 1, "value").select_option("Lapsed <lately>")
    page.get_by_label("Starts", exact=True).fill("2031-12-01")
    page.get_by_label("Variant 2: offer 1").select_option(index=1)
    page.get_by_label("Name for people").nth(1).fill("Half price")
    press(page, "Save draft")
    page.wait_for_url(re.compile(r"/rule\?done=saved(#|$)"))
    words = page.locator(".readback").inner_text()
    assert "the customer is in “Lapsed <lately>” (days since lapse is less than 90)" in words and "Half price" in words
    assert condition(page, 1, "value").input_value() == "lapsed-lately"
    look(window, "campaign-with-segment")
    publish = lambda campaign: [
        people[person].request("POST", f"{API}/{campaign}/{word}", json=body, headers={"If-Match": "*"}).raise_for_status()
        for person, word, body in [("marketing", "submit", {}), ("approver", "approve", {"publish": True})]]
    publish("ahead")
    # Another one has begun.
    people["marketing"].post(API, written("begun", audience={"segment": "lapsed-lately"})).raise_for_status()
    publish("begun")
    page.goto(f"{SEGMENTS}/lapsed-lately")
    assert page.get_by_text("the same").count() == 2 and page.get_by_role("button", name="Remove the segment").count() == 0
    condition(page, 1, "value").fill("30")
    page.get_by_label("Why it changes").fill("Fewer, sooner")
    press(page, "Save segment")
    page.wait_for_url(re.compile(r"done=saved(#|$)"))
    assert page.get_by_text("Earlier version").count() == 2
    assert page.get_by_text("days since lapse is less than 90 → 30").count() == 2
    expect(page.get_by_text("It has begun, and its result is about these customers.")).to_be_visible()
    look(window, "segment-changed")
    page.goto(f"{PATH}/begun/rule")
    expect(page.get_by_text("has changed since. This campaign keeps the customers that it began with.")).to_be_visible()
    page.goto(f"{PATH}/ahead/rule")
    expect(page.get_by_text("has changed since. Saving the draft takes it over.")).to_be_visible()
    page.goto(SEGMENTS)
    expect(page.get_by_text("2 campaigns with an earlier version")).to_be_visible()
    look(window, "segments")
    page.get_by_role("link", name="Lapsed <lately>").click()
    press(page, "Save 1 draft with this version")
    page.wait_for_url(re.compile(r"done=drafts(#|$)"))
    # What is published is as it was, until another person approves the draft.
    state = people["marketing"].get(f"{API}/ahead").json()
    assert [copy["version"] for copy in state["published"]["campaign"]["segments"]] == [1]
    assert [copy["version"] for copy in state["draft"]["campaign"]["segments"]] == [2]
    page.goto(f"{PATH}/ahead/rule")
    press(page, "Send to review")
    page.wait_for_url(re.compile(r"/review\?done=sent(#|$)"))
    assert page.get_by_role("button", name="Approve and publish").count() == 0
    second = visit(service, access_key(service, "approver"), **options)
    second.page.goto(f"{PATH}/ahead/review")
    told = second.page.locator(".diff").inner_text()
    assert "segment “Lapsed <lately>”, condition: days since lapse is less than 90" in told and "30" in told
    look(second, "segment-review")
    press(second.page, "Approve and publish")
    page.goto(f"{SEGMENTS}/lapsed-lately")
    assert page.get_by_text("the same").count() == 1 and page.get_by_text("Earlier version").count() == 1
    # The log proves what was changed.
    events = client(service, "security").get("/v1/admin/audit", params={"action": "segment."}).json()["items"]
    assert [(each["action"], each["reason"]) for each in events] == [("segment.save", "Fewer, sooner"), ("segment.save", None)]
    assert '"below":90' in events[0]["before"] and '"below":30' in events[0]["after"]
    # A change of the segment alone is enough for a draft of a campaign that has not begun.
    page.goto(f"{SEGMENTS}/lapsed-lately")
    condition(page, 1, "value").fill("20")
    press(page, "Save segment")
    page.wait_for_url(re.compile(r"done=saved(#|$)"))
    page.goto(f"{PATH}/ahead/rule")
    expect(page.get_by_text("has changed since. Saving the draft takes it over.")).to_be_visible()
    press(page, "Save draft")
    page.wait_for_url(re.compile(r"/rule\?done=saved(#|$)"))
    assert [copy["version"] for copy in people["marketing"].get(f"{API}/ahead").json()["draft"]["campaign"]["segments"]] == [3]
    fine(window)
    fine(second)


@pytest.mark.parametrize("options", BOTH, ids=["whole", "narrow, without scripts"])
def test_what_was_written_of_a_segment_outlives_the_session_and_the_segment(new_service, visit, options):
    service = new_service()
    api, key = client(service, "marketing", [APP]), access_key(service, "marketing")
    body = {"name": "Loyal", "condition": {"fact": "refunds.count", "is": 0}}
    url = "/v1/admin/segments/loyal"
    api.request("PUT", url, json=body, headers={"If-Match": "*"}).raise_for_status()
    window = visit(service, key, **options)
    page = window.page
    page.goto(f"{SEGMENTS}/loyal")
    page.get_by_label("Name", exact=True).fill("Loyal for long")
    window.context.clear_cookies()
    press(page, "Save segment")
    page.get_by_label("Access key").fill(key)
    press(page, "Sign in")
    if not window.scripts:
        press(page, "Go on with what you wrote")
    expect(page.get_by_text("You have signed in again. What you wrote is kept, and not saved yet.")).to_be_visible()
    assert api.get(url).json()["name"] == "Loyal"
    api.request("DELETE", url, headers={"If-Match": "*"}).raise_for_status()
    press(page, "Save segment")
    expect(page.get_by_text("The segment was removed meanwhile.")).to_be_visible()
    assert page.get_by_label("Name", exact=True).input_value() == "Loyal for long" and condition(page, 1, "value").input_value() == "0"
    look(window, "segment-removed")
    press(page, "Save segment")
    page.wait_for_url(re.compile(r"/segments/loyal\?done=saved(#|$)"))
    assert api.get(url).json()["name"] == "Loyal for long"
    # Sign-in asks for the key once more: 401.
    assert [each for each in window.complaints if "422" not in each and "401" not in each] == []


def test_segments_come_and_go_by_the_api(new_service):
    service = new_service()
    api, url = client(service, "marketing", [APP]), "/v1/admin/segments"
    put = lambda segment, json, version="*", by=api: by.request("PUT", f"{url}/{segment}", json=json, headers=version and {"If-Match": version})
    delete = lambda version: api.request("DELETE", f"{url}/fine", headers={"If-Match": version})
    body = {"name": "No refunds", "condition": {"fact": "refunds.count", "is": 0}}
    assert put("fine", body, None).status_code == 428
    made = put("fine", body)
    assert made.status_code == 200 and made.headers["ETag"] == '"1"' and made.json()["uses"] == []
    assert put("fine", {**body, "name": "Other"}, '"7"').json()["code"] == "changed-meanwhile"
    wrong = put("odd", {**body, "condition": {"segment": "none"}})
    assert wrong.status_code == 422 and wrong.json()["code"] == "invalid-segment" and wrong.json()["fields"][0]["name"] == "condition.segment"
    assert api.get(url).json()["items"] == [{key: value for key, value in made.json().items() if key != "uses"}]
    campaign = api.post(API, written("uses", audience={"segment": "fine"})).json()
    assert campaign["findings"] == [] and campaign["draft"]["campaign"]["segments"] == [{"id": "fine", **body, "version": 1}]
    assert api.get(f"{url}/fine").json()["uses"] == [{"campaign": "uses", "in": "draft", "version": 1, "current": True}]
    # The reach of an audience that names it is counted.
    assert api.post(f"{API}/reach", {"audience": {"segment": "fine"}}).status_code in (200, 202)
    used = delete("*")
    assert used.status_code == 409 and used.json()["code"] == "segment-in-use"
    api.request("POST", f"{API}/uses/discard", json={}, headers={"If-Match": "*"})
    assert delete('"1"').json()["id"] == "fine"
    assert api.get(f"{url}/fine").json()["code"] == "unknown-segment" and api.get(url).json() == {"items": []}
    assert put("fine", body, by=client(service, "viewer", [APP])).status_code == 403


@pytest.mark.parametrize("options", BOTH, ids=["whole", "narrow, without scripts"])
def test_countries_are_picked_by_name_region_and_keyboard(new_service, visit, options):
    service = new_service()
    api = client(service, "marketing", [APP])
    api.post(API, written("countries", audience={"all": [
        {"fact": "subscription.storefront", "group": "20563228", "oneOf": ["USA", "CAN"]}, {"attribute": "country", "oneOf": ["US", "XX"]}]}))
    window = visit(service, access_key(service, "marketing"), **options)
    page = window.page
    page.goto(f"{PATH}/countries/rule")
    saved = lambda: [each["oneOf"] for each in api.get(f"{API}/countries").json()["draft"]["campaign"]["audience"]["all"]]
    # Saved as it is, nothing changes, not even the order.
    press(page, "Save draft")
    page.wait_for_url(re.compile(r"/rule\?done=saved(#|$)"))
    assert saved() == [["USA", "CAN"], ["US", "XX"]]
    first = page.locator("details.pick").nth(0)
    first.locator("> summary").focus()
    page.keyboard.press("Enter")
    typed = condition(page, 1, "Names or codes, with commas")
    typed.fill("Germany, Atlantis")
    typed.press("Tab")
    page.keyboard.press("Enter")
    expect(first.locator("> summary")).to_have_text("Canada, Germany, United States, Atlantis")
    first.locator("> summary").click()
    typed.fill("")
    first.get_by_text("South America").nth(0).click()
    look(window, "countries")
    first.get_by_label("Brazil").check()
    first.get_by_text("North and Central America").nth(0).click()
    first.get_by_label("Canada").uncheck()
    second = page.locator("details.pick").nth(1)
    second.locator("> summary").click()
    second.get_by_role("button", name="European Union").click()
    expect(second.locator("> summary")).to_have_text("European Union, United States, XX")
    press(page, "Save draft")
    page.wait_for_url(re.compile(r"/rule\?done=saved(#|$)"))
    kept = saved()
    assert kept[0] == ["USA", "DEU", "BRA"] and kept[1][:2] == ["US", "XX"] and len(kept[1]) == 29 and "DE" in kept[1]
    fine(window)


def test_who_may_what_is_said_on_the_page(new_service, visit):
    service = new_service()
    client(service, "marketing", [APP]).post(API, written("seen"))
    access_key(service, "marketing")
    window = visit(service, access_key(service, "viewer"))
    page = window.page
    page.goto(f"{PATH}/seen/rule")
    expect(page.get_by_role("heading", name="You can look at this rule, not change it")).to_be_visible()
    expect(page.get_by_text("These can: ")).to_be_visible()
    assert page.get_by_text("marketing-1").count() == 1
    assert page.get_by_role("button", name="Save draft").count() == 0 and page.get_by_label("Name", exact=True).is_disabled()
    look(window, "campaign-read-only")
    assert page.goto(f"{PATH}/new").status == 403
    assert page.goto("/console/apps/com.example.news/campaigns").status == 403
    # A person with several apps is asked which.
    both = visit(service, access_key(service, "marketing", "both", [APP, "com.example.news"]))
    both.page.get_by_role("link", name="Campaigns").click()
    both.page.get_by_role("link", name="com.example.news").click()
    both.page.wait_for_url("**/console/apps/com.example.news/campaigns")
    both.page.get_by_role("link", name="Catalogue").click()
    expect(both.page.get_by_role("heading", name="com.example.news.monthly")).to_be_visible()
    look(both, "catalogue")
