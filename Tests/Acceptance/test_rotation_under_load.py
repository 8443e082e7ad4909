"""Signing keys rotate every two seconds while requests come in at 80 % of what the service and this program can do together."""
import base64
import http.client
import json
import threading
import time

import pytest

from harness.checks import openssl, payload, private_key, verifies
from harness.scale import scaled
from test_key_rotation import AT_ONCE, OLD, make_key

SECONDS = scaled(20, 600)
EVERY = 2
OFFERS = 5
THREADS = 4
SHARE = 0.8


class Caller(threading.Thread):
    """One connection. Keeps of each answer when it came, its status, its key ids and its first signature."""

    def __init__(self, service):
        super().__init__()
        self.service, self.ends, self.pause, self.answers = service, threading.Event(), 0.0, []
        body = service.offer_body(applicationUsername="u-123")
        body["offers"] = body["offers"] * OFFERS
        self.body = json.dumps(body)
        self.headers = {"Content-Type": "application/json", "Authorization": f"Bearer {service.tokens['backend']}"}

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=10)
        due = time.monotonic()
        while not self.ends.is_set():
            connection.request("POST", "/v1/signatures", self.body, self.headers)
            answer = connection.getresponse()
            text = answer.read()
            results = json.loads(text)["results"] if answer.status == 200 else [text]
            ids = {result["keyIdentifier"] for result in results} if answer.status == 200 else set()
            self.answers.append((time.monotonic(), answer.status, ids, results[0]))
            due += self.pause
            wait = due - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            else:
                due = time.monotonic()
        connection.close()


def working(callers, seconds):
    """Answers a second over some time."""
    before, begin = sum(len(caller.answers) for caller in callers), time.monotonic()
    time.sleep(seconds)
    return (sum(len(caller.answers) for caller in callers) - before) / (time.monotonic() - begin)


class Rotation:
    """Stages, activates, revokes; notes from when on which key must not sign."""

    def __init__(self, service):
        self.service, self.security = service, service.client("security")
        self.folder = service.folder / "keys"
        self.public = {OLD: private_key(self.folder / f"SubscriptionKey_{OLD}.p8").public_key()}
        self.active, self.retiring, self.ended, self.corrupt = OLD, None, {}, 0

    def activate(self, key_id):
        """As soon as the file is seen, which takes up to a second."""
        deadline = time.monotonic() + AT_ONCE
        while True:
            answer = self.security.post(f"/v1/admin/keys/{key_id}/activate", {"reason": "a test"})
            if answer.status_code != 404 or time.monotonic() > deadline:
                return answer

    def corrupted(self, number):
        file = self.folder / f"SubscriptionKey_BROKEN{number:04}.p8"
        if number % 2:
            openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file)
            file.write_bytes(file.read_bytes()[: 40 + number % 100])
        else:
            file.write_text(f"no key {number}\n")
        file.chmod(0o600)
        assert self.activate(f"BROKEN{number:04}").status_code in (404, 422)
        file.unlink()
        self.corrupt += 1

    def rotate(self, number):
        key_id = f"ROTATE{number:04}"
        self.public[key_id] = private_key(make_key(self.service, key_id)).public_key()
        answer = self.activate(key_id)
        assert answer.status_code == 200, answer.text
        self.ended[self.active] = time.monotonic()
        if self.retiring:
            assert self.security.post(f"/v1/admin/keys/{self.retiring}/revoke", {}).status_code == 200
            if self.retiring != OLD:
                (self.folder / f"SubscriptionKey_{self.retiring}.p8").unlink()
        self.retiring, self.active = self.active, key_id


@pytest.mark.timeout(SECONDS + 600)
def test_keys_rotate_every_two_seconds_under_load(new_service, record_property):
    service = new_service()
    callers = [Caller(service) for _ in range(THREADS)]
    rotation = Rotation(service)
    for caller in callers:
        caller.start()
    try:
        capacity = working(callers, 3)
        for caller in callers:
            caller.pause = THREADS / (SHARE * capacity)
        begin, number = time.monotonic(), 0
        while time.monotonic() < begin + SECONDS:
            number += 1
            (rotation.corrupted if number % 5 == 0 else rotation.rotate)(number)
            time.sleep(max(0, begin + EVERY * number - time.monotonic()))
    finally:
        for caller in callers:
            caller.ends.set()
        for caller in callers:
            caller.join()
    answers = [answer for caller in callers for answer in caller.answers]
    assert rotation.corrupt >= SECONDS // EVERY // 5 - 1 and len(rotation.ended) >= SECONDS // EVERY // 2
    longest = 0
    for instant, status, ids, first in answers:
        assert status == 200, first
        [key_id] = ids
        late = instant - rotation.ended.get(key_id, instant)
        longest = max(longest, late)
        assert late < AT_ONCE, f"{key_id} signed {late:.2f} s after another was activated"
        message = payload(
            service.bundle_id, key_id, first["productId"], first["offerId"], first["applicationUsername"], first["nonce"],
            first["timestamp"])
        assert verifies(rotation.public[key_id], base64.b64decode(first["signature"]), message)
    figures = {
        "requests": len(answers), "signatures": OFFERS * len(answers), "rotations": len(rotation.ended),
        "corrupt files": rotation.corrupt, "capacity": round(capacity), "last signature after": round(longest, 3)}
    for name, value in figures.items():
        record_property(name, value)
    print(figures)
