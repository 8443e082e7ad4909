"""The private key of a running service: after load and rotation, a key that was retired and freed is nowhere in its memory, and an
uploaded one stands there once."""
import base64
import http.client
import json
import os
import re

import httpx
import pytest

from harness.https import Authority, HTTPSService, save
from harness.scale import scaled
from harness.waiting import PATIENCE, wait_until
from test_console import form_token, key_file
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
            # What the kernel maps for every process is not the process's.
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


def upload(by, url, token, file, verify):
    """Sends a key file; what is expected of the service is that it takes it, but for a caller without an access key."""
    body = json.dumps({"keyId": "UPLOADED01", "pem": file.read_text()})
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with httpx.Client(base_url=url, verify=verify, timeout=PATIENCE) as client:
        match by:
            case "console":
                client.post("/console/sign-in", data={"key": token})
                answer = client.post(
                    "/console/keys", data={"formToken": form_token(client)}, files={"file": (file.name, file.read_bytes())})
                assert answer.status_code == 303 and answer.headers["location"].endswith("done=staged"), answer.text
            case "API":
                assert client.post("/v1/admin/keys", content=body, headers=headers).status_code == 201
            case "API, in pieces":
                pieces = (body[place : place + 50].encode() for place in range(0, len(body), 50))
                assert client.post("/v1/admin/keys", content=pieces, headers=headers).status_code == 201
            case "API, without access":
                assert client.post("/v1/admin/keys", content=body).status_code == 401


def found_of(pid, file):
    """The forms in which the key of a file stands in a process's memory, and how often one of its lines does at most."""
    forms = {form for (_, form), count in copies(pid, {"key": scalar(file)}).items() if count}
    lines = [line.encode() for line in file.read_text().splitlines()[1:-1]]
    return forms, max(sum(region.count(line) for region in memory(pid)) for line in lines)


UPLOADS = ["API", "API, in pieces", "API, without access", "console"]


@pytest.mark.skipif(os.geteuid() != 0, reason="reading the memory of a hardened process needs root")
@pytest.mark.parametrize("by", UPLOADS)
def test_an_uploaded_key_leaves_no_copy_in_memory(new_service, tmp_path, by):
    service = new_service()
    file = key_file(tmp_path, "UPLOADED01")
    upload(by, service.url, service.tokens["security"], file, True)
    assert found_of(service.pid, file) == (set() if "without" in by else {"LE"}, 0)


@pytest.mark.skipif(os.geteuid() != 0, reason="reading the memory of a hardened process needs root")
@pytest.mark.parametrize("by", UPLOADS)
def test_an_uploaded_key_leaves_only_the_copy_of_the_tls_library_over_tls(tmp_path, by):
    authority = Authority("authority")
    trusted = authority.save(tmp_path / "authority.pem")
    service = HTTPSService(tmp_path / "https", save(tmp_path, "server", *authority.issue()), trusted=trusted).start()
    try:
        file = key_file(tmp_path, "UPLOADED01")
        upload(by, service.url, service.access_key("security"), file, service.context())
        forms, count = found_of(service.process.pid, file)
        # BoringSSL frees the buffer in which it decrypts a record without wiping it: see the threat model.
        assert forms == (set() if "without" in by else {"LE"}) and count <= 1
    finally:
        service.stop()
