"""The private key in the memory of a process that uses it: once while it is loaded, nowhere once it is freed."""
import json
import os
import pathlib
import re
import subprocess

import pytest

from harness.service import ROOT

PROBE = ROOT / ".build/release/signing-probe"
MASK = 0x5A


def masked(secret):
    """As the probe takes it, so that its own arguments are not what it finds."""
    return bytes(byte ^ MASK for byte in secret).hex()


@pytest.fixture(scope="module")
def key_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("memory") / "SubscriptionKey_MEMORY1234.p8"
    subprocess.run(
        ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", str(path)], check=True
    )
    path.chmod(0o600)
    return path


@pytest.fixture(scope="module")
def scan(key_file):
    def run(*secrets):
        command = [str(PROBE), str(key_file), "--scan", *map(masked, secrets)]
        # What is freed stays in the heap: it must not be given back between the probe's look at its map and its search.
        environment = {**os.environ, "MALLOC_TRIM_THRESHOLD_": str(1 << 30)}
        done = subprocess.run(command, capture_output=True, check=True, timeout=120, env=environment)
        return json.loads(done.stdout)

    return run


def scalar(key_file: pathlib.Path) -> bytes:
    text = subprocess.run(
        ["openssl", "pkey", "-in", str(key_file), "-text", "-noout"], capture_output=True, text=True, check=True
    ).stdout
    digits = re.sub(r"[^0-9a-f]", "", re.search(r"priv:(.*?)pub:", text, re.DOTALL)[1])
    return bytes.fromhex(digits)[-32:].rjust(32, b"\0")


def test_the_private_scalar_stands_once_in_memory_while_loaded_and_nowhere_after(scan, key_file):
    number = scalar(key_file)
    # OpenSSL keeps numbers with their lowest byte first.
    found = scan(number[::-1], number)
    assert found["live"] == [1, 0], "one copy, in the form in which OpenSSL calculates"
    assert found["freed"] == [0, 0]


def test_nothing_of_the_pem_stays_in_memory(scan, key_file):
    lines = key_file.read_text().splitlines()[1:3]
    found = scan(*(line.encode() for line in lines))
    assert found == {"live": [0, 0], "freed": [0, 0]}


def test_the_scan_finds_what_is_there(scan, key_file):
    found = scan(key_file.name.encode())
    assert found["live"][0] > 0
