"""The private key of a running service: after load and rotation, a key that was retired and freed is nowhere in its memory."""
import base64
import http.client
import json
import os
import re

import pytest

from harness.scale import scaled
from harness.waiting import PATIENCE, wait_until
from test_key_rotation import keys, make_key, signing_key
from test_memory import scalar

SIGNATURES = scaled(20_000, 1_000_000)
OFFERS = 20


def forms(number):
    """Every form in which a scalar might lie about, by name. Its bytes, highest first, are also what stands in DER and in PKCS #8."""
    found = {"BE": number, "LE": number[::-1], "hex": number.hex().encode(), "HEX": number.hex().upper().encode()}
    found["hex, LE"] = number[::-1].hex().encode()
    # Base64 of something that it stands in: what is the same whatever is around it.
    for shift in range(3):
        text = base64.b64encode(bytes(shift) + number)
        found[f"Base64, {shift}"] = text[4 if shift else 0 : len(text) // 4 * 4 - 4]
    return found


def memory(pid):
    """The process's memory that can be read, region by region."""
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb") as file:
        for line in maps:
            start, end = (int(place, 16) for place in re.match(r"([0-9a-f]+)-([0-9a-f]+) r", line).groups()) if " r" in line else (0, 0)
            # What the kernel maps for everybody is not the process's.
            if start == end or "[v" in line:
                continue
            try:
                file.seek(start)
                yield file.read(end - start)
            except OSError:
                continue


def copies(pid, numbers):
    """How often each form of each scalar is there."""
    wanted = {(name, form): text for name, number in numbers.items() for form, text in forms(number).items()}
    found = dict.fromkeys(wanted, 0)
    for region in memory(pid):
        for place, text in wanted.items():
            found[place] += region.count(text)
    return found


def sign_many(service, count):
    body = service.offer_body(applicationUsername="u-123")
    body["offers"] = body["offers"] * OFFERS
    text = json.dumps(body)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {service.tokens['backend']}"}
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE)
    for _ in range(count // OFFERS):
        connection.request("POST", "/v1/signatures", text, headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        answer.read()
    connection.close()


@pytest.mark.timeout(scaled(900, 3600))
def test_a_retired_key_is_nowhere_in_memory(new_service):
    if os.geteuid() != 0:
        pytest.skip("reading the memory of a hardened process needs root")
    service = new_service()
    first = make_key(service, "FIRSTKEY01")
    second = make_key(service, "SECONDKEY2")
    wait_until(lambda: '"key":"SECONDKEY2"' in service.log_text())
    numbers = {"first": scalar(first), "second": scalar(second)}
    keys(service, "activate", "FIRSTKEY01")
    wait_until(lambda: signing_key(service) == "FIRSTKEY01")
    sign_many(service, SIGNATURES)
    # So the search finds what is there, and only in the form in which OpenSSL calculates.
    loaded = {place: count for place, count in copies(service.pid, numbers).items() if count}
    assert set(loaded) == {("first", "LE"), ("second", "LE")}, loaded
    keys(service, "activate", "SECONDKEY2")
    wait_until(lambda: signing_key(service) == "SECONDKEY2")
    keys(service, "revoke", "FIRSTKEY01")
    first.unlink()
    sign_many(service, SIGNATURES // 10)
    left = {place: count for place, count in copies(service.pid, numbers).items() if count}
    assert set(left) == {("second", "LE")}, left
    assert signing_key(service) == "SECONDKEY2"
