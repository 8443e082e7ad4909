"""A real browser that looks at the console: Debian's Chromium, driven by Playwright."""
import contextlib
import os
import pathlib
import shutil

from playwright.sync_api import sync_playwright

SIZES = {"wide": (1280, 900), "narrow": (390, 844)}
SHOTS = pathlib.Path(__file__).resolve().parents[3] / ".build/screenshots"


@contextlib.contextmanager
def chromium():
    """The browser; ends with the block."""
    with sync_playwright() as playwright:
        # Root's browser has no sandbox; it sees nothing but the service under test.
        # A container may have little shared memory.
        options = ["--disable-dev-shm-usage"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=options)
        yield browser
        browser.close()


class Visit:
    """One window, and everything that it complains of."""

    def __init__(self, browser, service, size="wide", scheme="light", scripts=True):
        width, height = SIZES[size]
        self.name = f"{size}-{scheme}{'' if scripts else '-no-script'}"
        self.service = service
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, java_script_enabled=scripts, base_url=service.url)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("console", lambda line: self.complaints.append(line.text) if line.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def sign_in(self, key):
        self.page.goto("/console/")
        self.page.get_by_label("Access key").fill(key)
        self.page.get_by_role("button", name="Sign in").click()

    def shoot(self, name):
        """Keeps a picture of the whole page."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}-{self.name}.png", full_page=True)

    def close(self):
        self.context.close()
