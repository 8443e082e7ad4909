"""The tutorials, typed and clicked as they stand: each shows what comes, and ends in what it promises.

With TAKE_PICTURES their pictures are taken anew.
"""
import contextlib
import os
import re
import threading
import time

import httpx
import pytest
from playwright.sync_api import expect

from harness.browser import PICTURES, SIZES, Visit, chromium
from harness.service import run
from harness.tutorial import Tutorial, assert_shown
from harness.waiting import PATIENCE, wait_until
from test_make_run import Folder

APP = "com.example.app"


class Address:
    """What a visit needs to know of the service."""

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}"


@pytest.fixture
def folder(tmp_path):
    folder = Folder(tmp_path / "offersigner")
    folder.start()
    folder.wait_until_it_serves()
    yield folder
    folder.end()


@pytest.fixture
def tutorial(folder):
    made = []

    def make(name):
        made.append(Tutorial(name, folder.path, folder.port))
        return made[-1]

    yield make
    for each in made:
        each.end()


@pytest.fixture
def visit(folder):
    """Opens windows: `visit(key)` signs in with an access key, `visit(link=…)` follows a link."""
    with chromium() as browser:
        made = []

        def open_window(key=None, link=None):
            made.append(Visit(browser, Address(folder.port)))
            if key:
                made[-1].sign_in(key)
            else:
                made[-1].page.goto(link)
                press(made[-1].page, "Sign in")
            return made[-1].page

        yield open_window
        for each in made:
            each.close()


def picture(page, name, height, below=None):
    """Takes a picture for the page: so many pixels of the window, which shows the top of the page, or is scrolled to a part of it."""
    if not os.environ.get("TAKE_PICTURES"):
        return
    page.evaluate("scrollTo(0, 0)")
    if below:
        page.evaluate("top => scrollTo(0, top)", page.locator(below).bounding_box()["y"] - 24)
    page.screenshot(path=PICTURES / f"tutorial-{name}.png", clip={"x": 0, "y": 0, "width": SIZES["wide"][0], "height": height})


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def follow(page, name, **options):
    page.get_by_role("link", name=name, **options).click()


def test_the_first_signature(folder, tutorial, visit):
    page = tutorial("first-signature")
    # The fixture has done this.
    assert_shown(*page.skip("git clone"), folder.text.replace(f":{folder.port}", ":8080"))
    page.type("PATH=")
    for beginning in ("curl", "jq", "jq", "jq", "curl"):
        page.type(beginning)
    page.type("BACKEND_KEY=")
    page.type("bought=")
    page.type("offersigner history show")
    folder.end()
    page.type("sed -i")
    page.skip("make run")
    folder.start()
    assert "com.example.app enforces eligibility" in folder.wait_until_it_serves()
    refused, signed = page.type("for customer").splitlines()
    assert "never-subscribed" in refused and '"signed"' in signed
    window = visit(link=page.type("offersigner console link").strip())
    expect(window.get_by_text("Ready to sign")).to_be_visible()
    picture(window, "overview", height=770)
    assert not page.blocks


def test_the_first_campaign(folder, tutorial, visit):
    page = tutorial("first-campaign")
    ann, ben = re.findall(r"osk_\S+", page.type("PATH="))
    page.type("for number")

    author = visit(key=ann)
    follow(author, "Campaigns", exact=True)
    expect(author.get_by_role("heading", name="No campaigns yet")).to_be_visible()
    picture(author, "campaigns-empty", height=430)

    follow(author, "Win back lapsed customers")
    author.get_by_label("Name", exact=True).fill("Winter win-back")
    author.get_by_label("Expected without an offer").fill("6")
    author.get_by_label("Smallest difference worth knowing").fill("4")
    author.get_by_label("Hold out").fill("5")
    press(author, "Save draft")
    expect(author.get_by_text("The draft is saved.")).to_be_visible()
    expect(author.get_by_role("heading", name="In plain words")).to_be_visible()
    picture(author, "campaign-form", height=840)
    press(author, "Count them")
    panel = author.locator("#reach")
    panel.get_by_text("of 240 customers that we know fit").wait_for()
    picture(author, "campaign-reach", height=640, below="#reach")

    follow(author.locator("main"), "Try a customer", exact=True)
    expect(author.get_by_label("Campaigns", exact=True)).to_have_value("winter-win-back")
    for customer, says in (
        ("c-5", "No campaign takes customer c-5"), ("c-20", "Customer c-20 is in the control group"), ("c-60", "Customer c-60 gets winback50")):
        author.get_by_label("Customer or transaction id").fill(customer)
        press(author, "Show")
        expect(author.get_by_text(says).first).to_be_visible()
    picture(author, "try", height=760)

    follow(author, "Campaigns", exact=True)
    follow(author, "Winter win-back")
    author.get_by_role("textbox", name="Note to the approver").fill("Half price for three months, against nothing")
    press(author, "Send to review")
    expect(author.get_by_text("You wrote this draft")).to_be_visible()
    expect(author.get_by_text("ben").first).to_be_visible()

    approver = visit(key=ben)
    follow(approver, "Review")
    picture(approver, "review", height=820, below="form[aria-labelledby=decide]")
    approver.get_by_role("textbox", name="Note to ann").fill("Agreed")
    press(approver, "Approve and publish")
    expect(approver.get_by_text("Published. Customers get it")).to_be_visible()

    # As the page says, every process follows within a second.
    time.sleep(1)
    page.type("for number")
    page.type("curl")
    author.goto("/console/campaigns")
    follow(author, "Winter win-back")
    follow(author, "Results", exact=True)
    picture(author, "results", height=800)
    assert not page.blocks


def test_the_first_rotation(folder, tutorial, visit):
    page = tutorial("first-rotation")
    page.type("PATH=")
    assert page.skip("while sleep") is None
    with signing(folder) as keys:
        wait_until(lambda: keys)
        page.type("umask 077")
        page.type("offersigner keys stage")
        digest = page.type("openssl pkey").split()[-1]
        window = visit(link=page.type("offersigner console link").strip())
        follow(window, "Signing keys", exact=True)
        assert window.get_by_text(digest).count() >= 2
        picture(window, "keys-staged", height=760)
        follow(window, f"Activate NEWKEY2345 for {APP}")
        window.get_by_label("Reason").fill("planned rotation")
        picture(window, "key-activate", height=530)
        press(window, "Activate")
        expect(window.get_by_text("Done: the key signs from now on")).to_be_visible()
        wait_until(lambda: keys[-1] == "NEWKEY2345")
        page.type("offersigner keys activate NEWKEY2345 --app com.example.news")
        follow(window, "Signing keys", exact=True)
        expect(window.get_by_text("Safe to revoke in App Store Connect after").first).to_be_visible()
        picture(window, "keys-retiring", height=800, below="section.panel >> nth=0")
        page.type("offersigner keys rollback")
        wait_until(lambda: keys[-1] == "EXAMPLE123")
        page.type("offersigner keys activate NEWKEY2345 --reason")
        wait_until(lambda: keys[-1] == "NEWKEY2345")
        page.type("offersigner keys revoke EXAMPLE123")
        page.type("rm keys/")
    # Not one request failed.
    assert set(keys) == {"EXAMPLE123", "NEWKEY2345"}, keys
    wait_until(lambda: "are complete and unchanged" in run("audit", "verify", cwd=folder.path).stdout)
    page.type("offersigner audit verify")
    follow(window, "Audit log", exact=True)
    window.get_by_label("What").select_option("Signing keys")
    press(window, "Show")
    expect(window.get_by_text("planned rotation").first).to_be_visible()
    picture(window, "audit", height=760)
    assert not page.blocks


@contextlib.contextmanager
def signing(folder):
    """Asks for signatures meanwhile, as the page's small program does; gives the key, or the error, of each answer."""
    key, keys, over = (folder.path / "var/access-key").read_text().strip(), [], threading.Event()

    def ask():
        with httpx.Client(base_url=f"http://127.0.0.1:{folder.port}", headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE) as client:
            while not over.wait(0.05):
                answer = client.post("/v1/signatures", json={
                    "bundleId": APP, "customerId": "u-123", "offers": [{"productId": "com.example.pro.monthly", "offerId": "loyalty20"}]})
                keys.append(answer.json()["results"][0]["keyIdentifier"] if answer.status_code == 200 else answer.text)

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield keys
    finally:
        over.set()
        thread.join()
