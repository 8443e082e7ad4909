"""Looks at the console with a real browser: Debian's Chromium, driven by Playwright."""
import contextlib
import itertools
import os
import pathlib
import shutil

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Locator, expect, sync_playwright

from harness.waiting import PATIENCE

SIZES = {"wide": (1280, 900), "narrow": (390, 844)}
SCHEMES = ["light", "dark"]
expect.set_options(timeout=PATIENCE * 1000)
ROOT = pathlib.Path(__file__).resolve().parents[3]
SHOTS = ROOT / ".build/screenshots"
# The pictures of the manual, which a run with TAKE_PICTURES set takes anew. A number is the height in pixels that is shown from
# the top of the page; a text is the selector of the one part that is shown.
PICTURES = ROOT / "docs/images"
SHOWN = {
    "overview-attention": 760, "campaigns-empty": 500, "campaign-errors": 660, "try-customer": 760, "review-money": 840,
    "campaigns-figures": 640, "segments": 350, "results-winner": 780, "results-revenue": "section:has(> #revenue)", "events": 710,
    "keys-rotated": 440, "access": "section:has(> header > #keys-h)", "audit-verified": 656,
}


_click = Locator.click


def _click_and_load(self, **options):
    """Clicks, and waits until the page that follows has loaded. Playwright's own click returns before that."""
    _click(self, **options)
    self.page.wait_for_load_state()


Locator.click = _click_and_load


@contextlib.contextmanager
def chromium():
    """Starts the browser, and ends it with the block."""
    with sync_playwright() as playwright:
        # A container may have too little shared memory for Chromium. For root, Chromium runs only without its sandbox, which is
        # harmless here, because it opens nothing but the service under test.
        options = ["--disable-dev-shm-usage"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=options)
        yield browser
        browser.close()


class Visit:
    """One window, and all warnings and errors that its pages have caused."""

    def __init__(self, browser, service, size="wide", scheme="light", scripts=True, looks=True):
        self.size, self.scheme, self.scripts, self.looks = size, scheme, scripts, looks
        self.service = service
        self.context = browser.new_context(java_script_enabled=scripts, base_url=service.url)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page = self.context.new_page()
        self.show(size, scheme)
        self.complaints = []
        self.page.on("console", lambda line: self.complaints.append(line.text) if line.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def show(self, size, scheme="light"):
        """Resizes the window, and sets the colour scheme that the operating system prefers."""
        width, height = SIZES[size]
        self.page.set_viewport_size({"width": width, "height": height})
        # With reduced motion, colours change at once. Otherwise axe might check the page in the middle of a transition.
        self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")

    def sign_in(self, key):
        self.page.goto("/console/")
        self.page.get_by_label("Access key").fill(key)
        self.page.get_by_role("button", name="Sign in").click()

    def look(self, name):
        """Checks the page at each size of the window, in light and in dark colours, and keeps a picture of each.

        The page must not scroll sideways, and the accessibility checker axe must find nothing serious. Without scripts, only one
        picture is taken. A session with `looks=False` checks nothing, because another run checks the same pages.
        """
        if not self.looks:
            return
        if not self.scripts:
            self.shoot(f"{name}-{self.size}-no-script")
            return
        for size, scheme in itertools.product(SIZES, SCHEMES):
            self.show(size, scheme)
            view = f"{name}-{size}-{scheme}"
            self.shoot(view)
            width = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert width <= 0, f"{view} scrolls sideways by {width} px"
            if not self.page.evaluate("'axe' in window"):
                self.page.evaluate(AXE_SCRIPT)
            found = self.page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
            serious = [(each["id"], each["nodes"][0]["html"][:200]) for each in found if each["impact"] in ("serious", "critical")]
            assert not serious, f"{view}: {serious}"
        self.show(self.size, self.scheme)
        if name in SHOWN and self.size == "wide" and os.environ.get("TAKE_PICTURES"):
            part, path = SHOWN[name], PICTURES / f"{name}.png"
            if isinstance(part, str):
                self.page.locator(part).screenshot(path=path)
            else:
                self.page.evaluate("scrollTo(0, 0)")
                self.page.screenshot(path=path, clip={"x": 0, "y": 0, "width": SIZES["wide"][0], "height": part})

    def shoot(self, name):
        """Saves a picture of the whole page."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png", full_page=True)

    def close(self):
        self.context.close()
