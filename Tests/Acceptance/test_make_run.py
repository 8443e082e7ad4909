"""`make run` in a folder of its own: what it prints is true, and it never ends without a word."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading

import pytest

from harness.service import BINARY, EXAMPLE, ROOT, free_port
from harness.tutorial import shape
from harness.waiting import PATIENCE, wait_until


class Folder:
    """A tree with the program built, as after `make build`."""

    def __init__(self, path):
        self.path = path
        self.port = free_port()
        self.process = None
        path.mkdir()
        for name in ("scripts", "keys.example"):
            shutil.copytree(ROOT / name, path / name)
        for name in ("Makefile", "Package.swift", EXAMPLE.name):
            shutil.copy(ROOT / name, path / name)
        (path / ".build/release").mkdir(parents=True)
        (path / "Sources").mkdir()
        (path / ".build/release/offersigner").symlink_to(BINARY)
        for old in ("Sources", "Package.swift", "scripts/build"):
            os.utime(path / old, (0, 0))
        # Nothing is built here.
        self.tools = path.with_name("tools")
        self.tools.mkdir()
        self.swift(0)
        self.configure(EXAMPLE.read_text())

    def swift(self, code):
        """What stands in for the toolchain says as much as a build does, and ends with this code."""
        (self.tools / "swift").write_text(
            '#!/bin/sh\necho "swift $*"\nfor step in $(seq 300); do echo "[$step/300] Compiling Module File.swift"; done\n'
            'echo "warning: Using a function in statically linked applications"\n'
            f'[ {code} = 0 ] || echo "File.swift:1:2: error: a mistake"\nexit {code}\n')
        (self.tools / "swift").chmod(0o755)

    def configure(self, text):
        (self.path / "offersigner.yaml").write_text(text.replace("port: 8080", f"port: {self.port}"))

    def start(self):
        self.process = subprocess.Popen(
            ["make", "run"], cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
            # As a person starts it, and not as a part of `make test`.
            env={name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
            | {"PATH": f"{self.tools}:{os.environ['PATH']}"},
        )
        self.said = []
        self.ready = threading.Event()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.said.append(line)
            if "Ctrl-C ends it" in line:
                self.ready.set()

    @property
    def text(self):
        return "".join(self.said)

    def wait_until_it_serves(self):
        wait_until(lambda: self.ready.is_set() or self.process.poll() is not None, message=lambda: self.text)
        assert self.ready.is_set(), self.text
        return self.text

    def end(self):
        """What Ctrl-C does; gives the exit code."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
        code = self.process.wait(timeout=PATIENCE)
        self.reader.join()
        return code

    def run(self):
        """A run that ends by itself: its exit code and what it said."""
        self.start()
        code = self.process.wait(timeout=PATIENCE)
        self.reader.join()
        return code, self.text

    def paste(self, line):
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert (done.returncode, done.stderr) == (0, ""), done
        return json.loads(done.stdout)

    def request(self):
        return next(line for line in self.said if line.startswith("curl "))


@pytest.fixture
def folder(tmp_path):
    folder = Folder(tmp_path / "tree")
    yield folder
    if folder.process:
        folder.end()


def test_the_request_that_it_prints_is_answered_as_the_readme_shows(folder):
    folder.start()
    text = folder.wait_until_it_serves()
    assert text.index("The service runs.") > text.index("Server started and listening")
    request = folder.request()
    # What the documents call $ACCESS_KEY is the key of the request.
    assert "export ACCESS_KEY=$(cat var/access-key)" in text
    assert f"Bearer {(folder.path / 'var/access-key').read_text().strip()}" in request
    assert "curl -sS " in request and '"customerId":"u-123"' in request
    answer = folder.paste(request)
    (result,) = answer["results"]
    assert result["status"] == "signed"
    assert_readme_shows(folder, like=answer)
    folder.end()
    # It had one signal: everything was answered first.
    assert '"message":"stopped"' in folder.text
    # Seals are for a log that is kept.
    assert "audit log sealed" not in folder.text
    # Nothing was asked of Apple.
    assert "App Store" not in folder.text


def assert_readme_shows(folder, like):
    """The README's request gets an answer of the form that the README shows; line ends are added there."""
    readme = (ROOT / "README.md").read_text()
    request, answer = re.search(r"```sh\n(curl -sS .+?)```\s+```json\n(.+?)```", readme, re.DOTALL).groups()
    answer = shape(json.loads(answer))
    assert answer == shape(folder.paste(f"cd {folder.path}; {request.replace(':8080', f':{folder.port}')}"))
    assert answer == shape(like)


def test_the_second_run_uses_what_the_first_has_made(folder):
    folder.start()
    folder.wait_until_it_serves()
    first = folder.request()
    folder.end()
    folder.start()
    folder.wait_until_it_serves()
    assert folder.request() == first and "made a first access key" not in folder.text
    folder.end()
    # A store that does not know the key: it is made anew.
    for file in (folder.path / "var").glob("offersigner*"):
        file.unlink()
    folder.start()
    folder.wait_until_it_serves()
    assert folder.request() != first
    assert folder.paste(folder.request())["results"][0]["status"] == "signed"


def test_a_taken_port_is_named_and_nothing_is_said_to_serve(folder):
    with socket.create_server(("127.0.0.1", folder.port)):
        code, said = folder.run()
    assert code != 0 and f"127.0.0.1:{folder.port} is in use" in said and "The service runs." not in said


def test_a_run_beside_another_run_says_so(folder):
    folder.start()
    folder.wait_until_it_serves()
    second = subprocess.run(["make", "run"], cwd=folder.path, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert second.returncode != 0 and "is in use, by another make run" in second.stderr and "The service runs." not in second.stdout
    assert folder.paste(folder.request())["results"][0]["status"] == "signed"


def test_another_program_on_the_port_is_not_taken_for_the_service(folder):
    # It takes the port after the look whether it is free; the service itself cannot listen and ends, but not at once.
    stranger = folder.path / "stranger.py"
    stranger.write_text(
        "import http.server, os, pathlib\n"
        "class Ready(http.server.BaseHTTPRequestHandler):\n"
        "    def do_GET(self):\n"
        "        self.send_response(200), self.end_headers(), self.wfile.write(b'{\"ready\":true}')\n"
        f"server = http.server.HTTPServer(('127.0.0.1', {folder.port}), Ready)\n"
        "server.timeout = 0.1\n"
        "pathlib.Path('listens').touch()\n"
        "while os.path.exists(__file__): server.handle_request()\n")
    program = folder.path / ".build/release/offersigner"
    program.unlink()
    # What is logged meanwhile says that it is still at it.
    program.write_text(
        f'#!/bin/sh\n[ "$1" = serve ] || exec {BINARY} "$@"\n'
        f"{sys.executable} stranger.py >/dev/null 2>&1 &\n"
        "until [ -e listens ]; do echo starting; sleep 0.1; done\n"
        "for turn in 1 2 3 4 5 6 7 8 9 10; do echo starting; sleep 0.1; done\n"
        "exit 3\n")
    program.chmod(0o755)
    try:
        code, said = folder.run()
    finally:
        stranger.unlink()
    assert code != 0 and "the service ended with code 3" in said and "The service runs." not in said


def test_a_service_that_logs_only_warnings_is_found_ready_all_the_same(folder):
    folder.configure(EXAMPLE.read_text() + "logging: {level: warning}\n")
    folder.start()
    assert "Server started" not in folder.wait_until_it_serves()
    assert folder.paste(folder.request())["results"][0]["status"] == "signed"


def test_a_catalogue_without_an_offer_is_an_error(folder):
    folder.configure(
        "environment: development\nhttp: {host: 127.0.0.1, port: 8080}\nstore: {sqlite: var/offersigner.sqlite}\nkeys: {directory: keys}\n"
        "apps: [{bundleId: com.example.bare, appAppleId: 1, environment: Production, subscriptionGroups: "
        "[{id: '1', products: [{id: com.example.bare.monthly, level: 1, period: P1M}]}]}]\n")
    code, said = folder.run()
    assert code != 0 and "no promotional offer" in said and "The service runs." not in said


def test_the_offer_is_of_the_first_app_that_has_one_and_a_refusal_is_foretold(folder):
    folder.configure(
        "environment: development\nhttp: {host: 127.0.0.1, port: 8080}\nstore: {sqlite: var/offersigner.sqlite}\nkeys: {directory: keys}\n"
        "apps:\n"
        "- {bundleId: com.example.bare, appAppleId: 1, environment: Production, subscriptionGroups: "
        "[{id: '1', products: [{id: com.example.bare.monthly, level: 1, period: P1M}]}]}\n"
        "- {bundleId: com.example.news, appAppleId: 2, environment: Production, subscriptionGroups: "
        "[{id: '2', products: [{id: com.example.news.monthly, level: 1, period: P1M, promotionalOffers: "
        "[{id: comeback, kind: pay-as-you-go, period: P2M}]}]}]}\n")
    folder.start()
    said = folder.wait_until_it_serves()
    assert 'com.example.news enforces eligibility' in said
    (result,) = folder.paste(folder.request())["results"]
    assert (result["productId"], result["offerId"]) == ("com.example.news.monthly", "comeback")
    assert (result["status"], result["code"]) == ("refused", "never-subscribed")


def test_what_is_wrong_with_the_configuration_is_said(folder):
    folder.configure(EXAMPLE.read_text() + "nonsense: 1\n")
    code, said = folder.run()
    assert code != 0 and "nonsense" in said and "offersigner.yaml cannot be served" in said


def test_it_builds_only_when_something_has_changed_and_then_shows_the_progress(folder):
    folder.start()
    assert "swift build" not in folder.wait_until_it_serves()
    folder.end()
    (folder.path / "Sources/New.swift").write_text("")
    folder.start()
    said = folder.wait_until_it_serves()
    assert said.index("one to three minutes") < said.index("swift build -c release --product offersigner") < said.index("built in 0 min")
    # A line a minute, and nothing of what the linker warns of.
    assert "Compiling" not in said and "statically linked" not in said
    folder.end()
    (folder.path / ".build/release/offersigner").unlink()
    folder.swift(1)
    code, said = folder.run()
    assert code != 0 and "10 to 15 minutes" in said and "swift build" in said and "The service runs." not in said
    assert "error: a mistake" in said and "Compiling" not in said and ".build/build.log" in said
    assert (folder.path / ".build/build.log").read_text().count("Compiling") == 300


def test_the_example_makes_no_calls_to_apple():
    example = EXAMPLE.read_text()
    assert re.search(r"catchUpSeconds: 0\b", example) and re.search(r"pollSeconds: 0\b", example) and re.search(r"lapsedRefreshHours: 0\b", example)
