"""Compact JWS with an x5c header, genuine or forged."""
import base64
import hashlib
import hmac
import json

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils

from AppStoreServer.certificates import new_key

_DIGESTS = {256: hashes.SHA256(), 384: hashes.SHA384()}


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def base64url_decoded(text):
    """The bytes; ValueError for anything but base64url without padding."""
    if "=" in text:
        raise ValueError("padding")
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def claims_of(token):
    """The payload, unverified."""
    return json.loads(base64url_decoded(token.split(".")[1]))


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def x5c_of(certificates):
    """Standard Base64 of the DER, as x5c wants it."""
    return [base64.b64encode(each.public_bytes(serialization.Encoding.DER)).decode() for each in certificates]


def sign(payload, key, x5c, *, alg="ES256", header=None, tampered=None, der_signature=False):
    """A compact JWS.

    `alg` names the header's algorithm, and the signature is made by it: "none" leaves it empty, "HS256" keys an HMAC with the
    PEM of the public key, "RS256" takes an RSA key (a new one, when `key` is none). `tampered` holds fields that are put into
    the payload after signing; `header` overrides fields of the header (None leaves one out).
    """
    fields = {"alg": alg, "x5c": x5c, **(header or {})}
    head = base64url(compact({name: value for name, value in fields.items() if value is not None}))
    signature = _signature(alg, key, f"{head}.{base64url(compact(payload))}".encode(), der_signature)
    return f"{head}.{base64url(compact({**payload, **(tampered or {})}))}.{base64url(signature)}"


def _signature(alg, key, message, der_signature):
    if alg == "none":
        return b""
    if alg == "HS256":
        form = (serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        return hmac.new(key.public_key().public_bytes(*form), message, hashlib.sha256).digest()
    if isinstance(key, rsa.RSAPrivateKey) or alg == "RS256":
        rsa_key = key if isinstance(key, rsa.RSAPrivateKey) else new_key("RSA")
        return rsa_key.sign(message, padding.PKCS1v15(), hashes.SHA256())
    signature = key.sign(message, ec.ECDSA(_DIGESTS[key.key_size]))
    if der_signature:
        return signature
    size = key.key_size // 8
    return b"".join(number.to_bytes(size, "big") for number in utils.decode_dss_signature(signature))
