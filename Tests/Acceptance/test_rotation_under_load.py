"""Signing keys rotate again and again while requests come in at 80 % of what the service and this program can do together."""
import base64
import http.client
import json
import threading
import time

import pytest

from harness.checks import openssl, payload, private_key, verifies
from harness.scale import scaled
from harness.waiting import PATIENCE, wait_until
from test_key_rotation import AT_ONCE, OLD, make_key

ROTATIONS = scaled(10, 300)
# In s.
EVERY = scaled(0.5, 2)
OFFERS = 5
THREADS = 4
SHARE = 0.8


class Caller(threading.Thread):
    """One connection. Keeps of each answer when it was asked for, its status, its key ids and its first signature."""

    def __init__(self, service):
        super().__init__()
        self.service, self.ends, self.pause, self.answers = service, threading.Event(), 0.0, []
        body = service.offer_body(applicationUsername="u-123")
        body["offers"] = body["offers"] * OFFERS
        self.body = json.dumps(body)
        self.headers = {"Content-Type": "application/json", "Authorization": f"Bearer {service.tokens['backend']}"}

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=PATIENCE)
        due = time.monotonic()
        while not self.ends.is_set():
            asked = time.monotonic()
            connection.request("POST", "/v1/signatures", self.body, self.headers)
            answer = connection.getresponse()
            text = answer.read()
            results = json.loads(text)["results"] if answer.status == 200 else [text]
            ids = {result["keyIdentifier"] for result in results} if answer.status == 200 else set()
            self.answers.append((asked, answer.status, ids, results[0]))
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
        return self.security.post(f"/v1/admin/keys/{key_id}/activate", {"reason": "a test"})

    def corrupted(self, number):
        file = self.folder / f"SubscriptionKey_BROKEN{number:04}.p8"
        hidden = file.with_suffix(".new")
        if number % 2:
            openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", hidden)
            hidden.write_bytes(hidden.read_bytes()[: 40 + number % 100])
        else:
            hidden.write_text(f"no key {number}\n")
        hidden.chmod(0o600)
        # Whole keys are never seen of it.
        hidden.rename(file)
        wait_until(lambda: self.service.metric("offersigner_key_file_faults") == 1, promised=AT_ONCE)
        assert self.activate(f"BROKEN{number:04}").status_code in (404, 422)
        file.unlink()
        wait_until(lambda: self.service.metric("offersigner_key_file_faults") == 0, promised=AT_ONCE)
        self.corrupt += 1

    def rotate(self, number):
        key_id = f"ROTATE{number:04}"
        self.public[key_id] = private_key(make_key(self.service, key_id)).public_key()
        # As soon as the file is seen.
        answer = wait_until(lambda: (found := self.activate(key_id)).status_code != 404 and found, promised=AT_ONCE)
        assert answer.status_code == 200, answer.text
        self.ended[self.active] = time.monotonic()
        if self.retiring:
            assert self.security.post(f"/v1/admin/keys/{self.retiring}/revoke", {}).status_code == 200
            if self.retiring != OLD:
                (self.folder / f"SubscriptionKey_{self.retiring}.p8").unlink()
        self.retiring, self.active = self.active, key_id


@pytest.mark.timeout(ROTATIONS * EVERY + 600)
def test_keys_rotate_again_and_again_under_load(new_service, record_property):
    service = new_service()
    callers = [Caller(service) for _ in range(THREADS)]
    rotation = Rotation(service)
    for caller in callers:
        caller.start()
    try:
        capacity = working(callers, scaled(1, 3))
        for caller in callers:
            caller.pause = THREADS / (SHARE * capacity)
        begin = time.monotonic()
        for number in range(1, ROTATIONS + 1):
            (rotation.corrupted if number % 5 == 0 else rotation.rotate)(number)
            time.sleep(max(0, begin + EVERY * number - time.monotonic()))
    finally:
        for caller in callers:
            caller.ends.set()
        for caller in callers:
            caller.join()
    answers = [answer for caller in callers for answer in caller.answers]
    for asked, status, ids, first in answers:
        assert status == 200, first
        [key_id] = ids
        late = asked - rotation.ended.get(key_id, asked)
        assert late <= 0, f"{key_id} signed what was asked for {late:.3f} s after another was activated"
        message = payload(
            service.bundle_id, key_id, first["productId"], first["offerId"], first["applicationUsername"], first["nonce"],
            first["timestamp"])
        assert verifies(rotation.public[key_id], base64.b64decode(first["signature"]), message)
    figures = {
        "requests": len(answers), "signatures": OFFERS * len(answers), "rotations": len(rotation.ended),
        "corrupt files": rotation.corrupt, "capacity": round(capacity)}
    for name, value in figures.items():
        record_property(name, value)
    print(figures)
