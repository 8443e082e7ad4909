"""Ten thousand random tuples through the signing library itself, without HTTP's limits on what a field may hold."""
import base64
import collections
import concurrent.futures
import itertools
import json
import os
import subprocess
import uuid

import pytest
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator

from harness import checks, tuples
from harness.service import ROOT

COUNT = 10_000
PROBE = ROOT / ".build/release/signing-probe"


class Recorder:
    """Stands in for the key of Apple's library and keeps what it is asked to sign."""

    def sign(self, message, _):
        self.message = message
        return b""


def apples_payload(recorder, request):
    creator = PromotionalOfferSignatureCreator.__new__(PromotionalOfferSignatureCreator)
    creator._signing_key, creator._key_id, creator._bundle_id = recorder, request["keyId"], request["bundleId"]
    creator.create_signature(
        request["productId"], request["offerId"], request["applicationUsername"], uuid.UUID(request["nonce"]),
        request["timestamp"],
    )
    return recorder.message


@pytest.fixture(scope="module")
def signed(tmp_path_factory):
    """(request, payload, signature) of every tuple, and the key file."""
    key_file = tmp_path_factory.mktemp("probe") / "SubscriptionKey_PROBE12345.p8"
    checks.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key_file)
    key_file.chmod(0o600)
    requests = list(tuples.tuples(COUNT, seed=20261121))
    lines = "".join(json.dumps(request, ensure_ascii=False) + "\n" for request in requests)
    done = subprocess.run([str(PROBE), str(key_file)], input=lines.encode(), capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode()
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == COUNT
    found = [
        (request, bytes.fromhex(answer["payload"]), base64.b64decode(answer["signature"], validate=True))
        for request, answer in zip(requests, answers)
    ]
    return found, key_file


def test_the_tuples_hold_every_kind_of_text():
    usernames = [request["applicationUsername"] for request in tuples.tuples(COUNT, seed=20261121)]
    assert sum(name == "" for name in usernames) > 500
    assert sum(len(name) == 255 for name in usernames) > 500
    assert sum(checks.is_uuid(name) for name in usernames) > 1000
    assert any("\u0301" in name or "\u0308" in name for name in usernames), "nothing decomposed"
    assert any(max(map(ord, name), default=0) > 0xFFFF for name in usernames), "nothing beyond the BMP"


def test_every_payload_is_the_seven_fields_of_the_rule(signed):
    for request, payload, _ in signed[0]:
        expected = checks.payload(
            request["bundleId"], request["keyId"], request["productId"], request["offerId"],
            checks.field5(request["applicationUsername"]), request["nonce"], request["timestamp"],
        )
        assert payload == expected, ascii(request)


def test_payloads_equal_those_of_apples_python_library_for_lower_case_usernames(signed):
    recorder, compared = Recorder(), 0
    for request, payload, _ in signed[0]:
        if request["applicationUsername"].lower() == request["applicationUsername"] or checks.is_uuid(
            request["applicationUsername"]
        ):
            assert payload == apples_payload(recorder, request), ascii(request)
            compared += 1
    assert compared > COUNT / 3


def test_every_signature_verifies_with_cryptography(signed):
    found, key_file = signed
    public_key = checks.private_key(key_file).public_key()
    for request, payload, signature in found:
        assert checks.verifies(public_key, signature, payload), ascii(request)


def test_every_signature_verifies_with_the_openssl_command(signed, tmp_path):
    found, key_file = signed
    verifier = checks.OpenSSL(tmp_path / "openssl", key_file)
    # A thousand at a time, so that a failure ends the test early.
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for start in range(0, COUNT, 1000):
            batch = found[start : start + 1000]
            good = list(pool.map(lambda item: verifier.verifies(item[2], item[1]), batch))
            bad = [ascii(item[0]) for item in itertools.compress(batch, [not each for each in good])]
            assert not bad, bad[:3]


def test_the_lengths_of_the_signatures_are_those_of_p256(signed):
    lengths = collections.Counter(len(signature) for _, _, signature in signed[0])
    assert {69, 70, 71, 72} <= set(lengths) <= set(range(66, 73)), lengths
