"""What commands print: control characters that others have written are shown, not obeyed, and a line of the program is its own."""
import json
import re
import unicodedata
import urllib.parse

import pytest

from harness.app_store import BUNDLE
from harness.purchases import active, hand_in
from harness.service import run

# Names the window, clears the screen (in ASCII and beyond), feigns a line, turns the text round, ends a line.
EVIL = "u\x1b]0;owned\x07\x1b[2J\nfeigned\r\x9b2J\u202e\u2028\x7f\u061c\u200e\u200f\u200b\ufeff\xad\U000e0041\t."
SHOWN = r"u\u001b]0;owned\u0007\u001b[2J\nfeigned\r\u009b2J\u202e\u2028\u007f\u061c\u200e\u200f\u200b\ufeff\u00ad\udb40\udc41\t."


def is_obeyed(character):
    return unicodedata.category(character) == "Cc" or character in "\u2028\u2029" or unicodedata.bidirectional(character) in (
        "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


def check(done):
    """Nothing that a terminal would obey is in what a command has written, but for line feeds of its own."""
    for text in (done.stdout, done.stderr):
        assert not [each for each in text.replace("\n", "") if is_obeyed(each)], text
        assert not re.search(r"(?m)^feigned", text), text


@pytest.fixture(scope="module")
def service(enforcing, app_store):
    """A customer, an alias, a note and a reason that nobody should print as they are."""
    for name in (EVIL, "kept"):
        customer = app_store.customer()
        active(customer)
        hand_in(enforcing, app_store, customer, name)
    client = enforcing.client("admin")
    merged = client.post(f"/v1/customers/{urllib.parse.quote('kept', safe='')}/merge", {"bundleId": BUNDLE, "from": EVIL})
    assert merged.status_code == 200, merged.text
    # A refusal keeps what the request said.
    enforcing.client().sign(enforcing.offer_body(customerId=EVIL))
    return enforcing


def cli(service, *command):
    """One run of a command; those about customers name the app."""
    return service.cli(*command, *(["--app", BUNDLE] if command[0] in ("customer", "history", "eligibility", "refunds") else []))


COMMANDS = [
    ("customer", "show", "kept"), ("customer", "show", EVIL), ("customer", "show", "--json", "kept"), ("customer", "timeline", "kept"),
    ("customer", "timeline", "--json", "kept"), ("customer", "export", "kept"), ("history", "show", "kept"), ("history", "show", EVIL),
    ("eligibility", EVIL), ("eligibility", "--json", EVIL), ("access", "list"), ("audit", "export"), ("refunds", "list"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: " ".join(part for part in each if part != EVIL))
def test_control_characters_of_others_are_escaped(service, command):
    done = cli(service, *command)
    assert done.returncode == 0, done.stderr
    check(done)


def test_what_is_escaped_is_still_there(service):
    assert SHOWN in cli(service, "customer", "show", "kept").stdout
    exported = [json.loads(line) for line in cli(service, "audit", "export").stdout.splitlines()]
    # JSON says the same as before.
    assert EVIL in json.dumps(exported, ensure_ascii=False) or any(EVIL in str(each) for each in walk(exported))


def walk(value):
    if isinstance(value, dict):
        for each in value.values():
            yield from walk(each)
    elif isinstance(value, list):
        for each in value:
            yield from walk(each)
    else:
        yield value


def test_messages_about_what_was_given_are_escaped_too(service, tmp_path):
    # About options the program says several lines; what the caller has typed among them may be a line, too.
    option = EVIL.replace("\n", "")
    for command in [
        ("customer", "show", EVIL + "unknown"), ("history", "import", tmp_path / EVIL), ("access", "revoke", EVIL),
        ("keys", "check", tmp_path / EVIL), (option,), ("customer", "show", "--" + option),
    ]:
        done = cli(service, *command) if len(command) > 1 else run(*command)
        assert done.returncode != 0
        check(done)
