"""The Server API's bearer token, checked as Apple checks it."""
import json
import time
import uuid

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from AppStoreServer.exchange import Answer, Refusal
from AppStoreServer.jws import base64url_decoded

SKEW = 60
LONGEST = 3600


def checked(request, apps):
    """The app (as it was put in) that the token speaks for; otherwise a 401, whose reason only the request log tells."""
    try:
        app = _app(request, apps)
        if request.environment == "Production" and not app.get("released", True):
            request.notes["refusal"] = "the app was never released"
            raise Refusal(Answer(401, ""))
        return app
    except (ValueError, KeyError, TypeError, InvalidSignature) as reason:
        request.notes["refusal"] = f"{type(reason).__name__}: {reason}"
        raise Refusal(Answer(401, f"Unauthenticated\n\nRequest ID: {uuid.uuid4()}\n")) from reason


def _app(request, apps):
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    _require(scheme == "Bearer", "no bearer token")
    head, payload, signature = token.split(".")
    header, claims = json.loads(base64url_decoded(head)), json.loads(base64url_decoded(payload))
    request.notes["token"] = {"header": header, "claims": claims}
    _require(header["alg"] == "ES256", "alg is not ES256")
    _require(header.get("typ", "JWT") == "JWT", "typ is not JWT")
    app = apps.get(claims["bid"])
    _require(app is not None, "bid is no app of ours")
    _require(header["kid"] in app["keys"], "kid is no key of the app's")
    _verify(app["keys"][header["kid"]], f"{head}.{payload}".encode(), base64url_decoded(signature))
    _require(claims["aud"] == "appstoreconnect-v1", "aud")
    _require(claims["iss"] == app["issuerId"], "iss is not the app's issuer")
    # Apple's own Python library leaves iat out.
    now, issued, expires = time.time(), claims.get("iat"), claims["exp"]
    for moment in (expires, *([] if issued is None else [issued])):
        _require(isinstance(moment, int) and not isinstance(moment, bool), "iat and exp are integers")
    _require(issued is None or issued <= now + SKEW, "iat is in the future")
    _require(expires > now, "expired")
    _require(expires - (now if issued is None else issued) <= LONGEST, "lives for more than an hour")
    return app


def _verify(pem, message, signature):
    _require(len(signature) == 64, "the signature has not 64 bytes")
    halves = (int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    key = serialization.load_pem_public_key(pem.encode())
    key.verify(utils.encode_dss_signature(*halves), message, ec.ECDSA(hashes.SHA256()))


def _require(condition, reason):
    if not condition:
        raise ValueError(reason)
