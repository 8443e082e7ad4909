"""The commands that the documents print: they exist, with their options; requests are answered as printed."""
import functools
import re
import subprocess
import uuid

import pytest

from harness.app_store import BUNDLE
from harness.purchases import hand_in, lapsed
from harness.service import BINARY, ROOT

DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])


@functools.cache
def usage(*words):
    """The help of a command; None if there is no such command."""
    shown = subprocess.run([BINARY, "help", *words], capture_output=True, text=True, check=False)
    return shown.stdout if shown.returncode == 0 and f"USAGE: offersigner {' '.join(words)}".strip() in shown.stdout else None


def commands(text):
    """The arguments of each `offersigner …` in a text: in a block, an indented line, or between backticks."""
    text = text.replace("\\\n", " ")
    lines = re.findall(r"^(?:    |runuser -u \S+ -- |)offersigner +([a-z].*)$", text, re.MULTILINE)
    return [re.split(r"\s#|\s[<>|;&]", line)[0].split() for line in lines + re.findall(r"`offersigner ([a-z][^`]*)`", text)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_commands_and_options_exist(document):
    for words in commands(document.read_text()):
        depth = 0
        while depth < len(words) and re.fullmatch(r"[a-z-]+", words[depth]) and usage(*words[: depth + 1]):
            depth += 1
        assert depth, f"{document.name}: offersigner {' '.join(words)}"
        for option in re.findall(r"(?<![\w-])--[a-z-]+", " ".join(words)):
            assert re.search(rf"{option}\b", usage(*words[:depth])), f"{document.name}: offersigner {' '.join(words)}: {option}"


def test_the_commands_are_found():
    found = {" ".join(words[:2]) for document in DOCUMENTS for words in commands(document.read_text())}
    assert {"access create", "audit verify", "store create", "backup /backup/2026-11-21", "retention images"} <= found
    assert usage("access", "create") and usage("access", "invent") is None


def requests(name):
    return re.findall(r"^```sh\n(curl .*?)^```$", (ROOT / "docs" / f"{name}.md").read_text(), re.S | re.M)


def paste(service, role, request):
    """What a shell gets for a printed request."""
    request = request.replace("http://127.0.0.1:8080", service.url).replace("curl -sS", "curl -sS -w '\\n%{http_code}'")
    ran = subprocess.run(
        ["bash", "-c", request], env={"PATH": "/usr/bin:/bin", "ACCESS_KEY": service.tokens[role]},
        capture_output=True, text=True, check=True)
    body, _, status = ran.stdout.rpartition("\n")
    return int(status), body


def test_printed_requests(enforcing, app_store):
    store = app_store.cleared_for(enforcing)
    [request] = requests("api")
    customer = store.customer(app_account_token="7e3fb20b-4cdb-47cc-936d-99d65f608138")
    lapsed(customer, intro=True)
    hand_in(enforcing, store, customer, "u-123")
    status, body = paste(enforcing, "client", request)
    assert status == 200 and '"status":"signed"' in body, body

    [request] = requests("customers")
    other = store.customer(app_account_token=str(uuid.uuid4()))
    lapsed(other, intro=True)
    hand_in(enforcing, store, other, "anon-1")
    status, body = paste(enforcing, "backend", request)
    assert status == 200 and BUNDLE in request, body


def test_what_leaves_nothing_of_a_customer_in_the_files(new_service):
    """The commands of docs/customers.md on the files of a service that has stopped."""
    service = new_service()
    service.stop()
    [script] = re.findall(r"^```sh\n(sqlite3 .*?)^```$", (ROOT / "docs/customers.md").read_text(), re.S | re.M)
    done = subprocess.run(
        ["bash", "-ec", script.replace("/var/lib/offersigner", str(service.store.parent))], capture_output=True, text=True, check=True)
    # Not busy, and nothing is left in the logs.
    assert done.stdout.split() == ["0|0|0", "0|0|0"], done.stdout
