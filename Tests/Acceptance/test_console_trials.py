"""A test of a free trial in a real browser: written, faulty, reviewed with what it costs, tried on customers."""
import re

import pytest
from playwright.sync_api import expect

from harness.app_store import APP_APPLE_ID, ISSUER
from test_console_campaigns import API, BOTH, PATH, access_key, browser, fine, look, press, visit  # noqa: F401
from test_admin import client

PRO = "com.example.pro.monthly"
GIVES = f"introductory offer on {PRO}: free for 1\u00a0week"
WITHHOLDS = f"no introductory offer on {PRO}"


@pytest.mark.parametrize("options", BOTH, ids=["whole", "narrow, without scripts"])
def test_a_trial_is_tested_against_none(new_service, visit, options):  # noqa: F811
    service = new_service()
    window = visit(service, access_key(service, "marketing"), **options)
    page = window.page
    page.goto(f"{PATH}/new")
    page.get_by_label("Name", exact=True).fill("Trial test")
    page.get_by_label("What counts as success").select_option(label="Paid, also after a trial")
    page.get_by_label("Variant 1: offer 1").select_option(label=GIVES)
    page.get_by_label("Variant 2: offer 1").select_option(label=WITHHOLDS)
    page.get_by_label("Introductory offers again").select_option("yes")
    window_input = page.locator("#window")
    window_input.fill("5")
    press(page, "Save draft")
    alert = page.get_by_role("alert")
    assert [text for text in alert.get_by_role("link").all_inner_texts() if "longer window" in text], alert.inner_text()
    look(window, "trial-errors")
    window_input = page.locator("#window")
    window_input.fill("30")
    press(page, "Save draft")
    expect(page.get_by_text("The draft is saved.")).to_be_visible()
    assert page.get_by_label("Variant 1: offer 1").locator("option:checked").inner_text() == GIVES
    assert page.get_by_label("Introductory offers again").input_value() == "yes"
    look(window, "trial-draft")
    press(page, "Send to review")
    page.wait_for_url(re.compile(r"/review\?done=sent(#|$)"))
    words = page.locator(".readback").inner_text()
    assert GIVES in words and WITHHOLDS in words and "begins a paid period within 30\u00a0days" in words, words
    assert "gets it again" in words and "although the App Store would refuse it." in words, words
    look(window, "trial-review")
    [draft] = [client(service, "viewer", ["com.example.app"]).get(f"{API}/trial-test").json()["draft"]["campaign"]]
    assert [each["introductoryOffer"] for each in draft["variants"]] == [
        {"productId": PRO, "allow": True}, {"productId": PRO, "allow": False}]
    assert draft["introductory"] == {"again": True} and draft["goal"]["metric"] == "converted-to-paid"
    assert all("offers" not in each for each in draft["variants"])
    # A new customer is tried on the draft as if the app's backend had named them.
    seen = set()
    for number in range(8):
        page.goto(f"/console/apps/com.example.app/try?id=new-{number}&with=trial-test")
        seen.add(page.locator("main").inner_text().split("Customer new-")[1].split(".")[0])
    assert any("gets the introductory offer" in each for each in seen) and any("gets no introductory offer" in each for each in seen), seen
    look(window, "trial-try")
    fine(window)


@pytest.mark.parametrize("options", BOTH, ids=["whole", "narrow, without scripts"])
def test_a_link_and_another_product(app_store, connected, visit, options):  # noqa: F811
    service = connected(appAppleId=APP_APPLE_ID, issuerId=ISSUER)
    window = visit(service, access_key(service, "marketing"), **options)
    page = window.page
    page.goto(f"{PATH}/new")
    page.get_by_label("Name", exact=True).fill("Code test")
    page.locator("details.more summary", has_text="A link").nth(1).click()
    page.get_by_label("Link or offer code").nth(1).fill("http://example.com/half")
    press(page, "Save draft")
    assert any("not a link" in text for text in page.get_by_role("alert").get_by_role("link").all_inner_texts())
    look(window, "link-errors")
    # A code alone is made a link of the app.
    page.get_by_label("Link or offer code").nth(1).fill("SPRING24")
    press(page, "Save draft")
    link = f"https://apps.apple.com/redeem?ctx=offercodes&id={APP_APPLE_ID}&code=SPRING24"
    assert page.get_by_label("Link or offer code").nth(1).input_value() == link
    assert f"the link {link}" in page.locator(".readback").inner_text()
    look(window, "link-draft")
    # In a retention campaign the App Store proposes another product.
    page.get_by_label("Link or offer code").nth(1).fill("")
    page.get_by_label("Where in the app").fill("retention")
    press(page, "Save draft")
    page.get_by_label("Proposes, with the text").nth(1).select_option(label="a switch to com.example.pro.yearly")
    press(page, "Save draft")
    assert any("with a text" in text for text in page.get_by_role("alert").get_by_role("link").all_inner_texts())
    page.get_by_label("Text that is shown").nth(1).fill("0b8e4c5a-2f0b-4e0e-9e59-1f2c3d4e5f60")
    press(page, "Send to review")
    page.wait_for_url(re.compile(r"/review\?done=sent(#|$)"))
    assert "a switch to com.example.pro.yearly" in page.locator(".readback").inner_text()
    look(window, "switch-review")
    draft = client(service, "viewer", ["com.example.app"]).get(f"{API}/code-test").json()["draft"]["campaign"]
    assert draft["variants"][1]["switchTo"] == {"productId": "com.example.pro.yearly"} and "link" not in draft["variants"][1]
    fine(window)
