"""Checks signatures with cryptographic software that is not the service's."""
import base64
import hashlib
import pathlib
import subprocess
import uuid

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from harness.waiting import PATIENCE

SEPARATOR = "\u2063"


def is_uuid(text):
    """Whether the text is a UUID of 36 characters. Python's parser alone would also accept braces and missing hyphens."""
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False


def field5(username):
    """Field 5 as it is signed: a UUID in lower case, any other text unchanged (docs/app-store.md#payload-signatures)."""
    return username.lower() if is_uuid(username) else username


def payload(bundle_id, key_id, product_id, offer_id, username, nonce, timestamp, separator=SEPARATOR):
    """The bytes that a promotional-offer signature covers (docs/app-store.md#payload-signatures)."""
    fields = [bundle_id, key_id, product_id, offer_id, username, nonce, str(timestamp)]
    return separator.join(fields).encode()


def private_key(file):
    return serialization.load_pem_private_key(pathlib.Path(file).read_bytes(), password=None)


def sign(key, message):
    """Signs SHA-256 of a message. Returns the DER signature in standard Base64."""
    return base64.b64encode(key.sign(message, ec.ECDSA(hashes.SHA256()))).decode()


def verifies(public_key, signature, message):
    """Whether the Python package `cryptography` accepts the DER signature."""
    try:
        public_key.verify(signature, message, ec.ECDSA(hashes.SHA256()))
        return True
    except InvalidSignature:
        return False


class OpenSSL:
    """Verifies signatures with the `openssl` command."""

    def __init__(self, folder, key_file):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.public = self.folder / "public.pem"
        openssl("pkey", "-in", key_file, "-pubout", "-out", self.public)

    def verifies(self, signature, message):
        name = hashlib.sha256(signature).hexdigest()
        file = self.folder / name
        file.write_bytes(signature)
        try:
            done = subprocess.run(
                ["openssl", "dgst", "-sha256", "-verify", str(self.public), "-signature", str(file)],
                input=message, capture_output=True, check=False, timeout=PATIENCE, close_fds=False,
            )
        finally:
            file.unlink()
        return done.returncode == 0 and done.stdout == b"Verified OK\n"


def openssl(*arguments, **options):
    return subprocess.run(
        ["openssl", *map(str, arguments)], check=True, capture_output=True, timeout=PATIENCE, stdin=subprocess.DEVNULL, **options
    )
