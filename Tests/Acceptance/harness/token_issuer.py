"""An issuer of tokens for end users. It has keys of every kind, makes good and bad tokens, and publishes its public keys."""
import base64
import hashlib
import hmac
import http.server
import json
import threading
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils

ISSUER = "https://accounts.example.com/"
AUDIENCE = "example-ios"


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value):
    return b64(value.to_bytes((value.bit_length() + 7) // 8, "big"))


def make_key(algorithm, bits=2048):
    if algorithm == "RS256":
        return rsa.generate_private_key(public_exponent=65537, key_size=bits)
    return ec.generate_private_key(ec.SECP256R1()) if algorithm == "ES256" else ed25519.Ed25519PrivateKey.generate()


def jwk(key, kid=None, **members):
    """The public half of a key as a JSON Web Key. Members that are None are left out."""
    public = key.public_key()
    if isinstance(key, rsa.RSAPrivateKey):
        numbers = public.public_numbers()
        found = {"kty": "RSA", "n": number(numbers.n), "e": number(numbers.e), "alg": "RS256"}
    elif isinstance(key, ec.EllipticCurvePrivateKey):
        numbers = public.public_numbers()
        size = (key.curve.key_size + 7) // 8
        found = {
            "kty": "EC", "crv": {"secp256r1": "P-256", "secp384r1": "P-384"}[key.curve.name],
            "x": b64(numbers.x.to_bytes(size, "big")), "y": b64(numbers.y.to_bytes(size, "big")), "alg": "ES256",
        }
    else:
        raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        found = {"kty": "OKP", "crv": "Ed25519", "x": b64(raw), "alg": "EdDSA"}
    found |= {"use": "sig", "kid": kid} | members
    return {name: value for name, value in found.items() if value is not None}


def signature(key, algorithm, message):
    if algorithm == "none":
        return b""
    if algorithm == "HS256":
        # This is an attack: the published public key is used as the secret of an HMAC.
        return hmac.new(key, message, hashlib.sha256).digest()
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(message, padding.PKCS1v15(), hashes.SHA256())
    if isinstance(key, ec.EllipticCurvePrivateKey):
        r, s = utils.decode_dss_signature(key.sign(message, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")
    return key.sign(message)


def pem(key):
    return key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


class TokenIssuer:
    def __init__(self, name=ISSUER):
        self.name = name
        self.keys = {}
        for algorithm in ["ES256", "RS256", "EdDSA"]:
            self.keys[f"{algorithm}-1"] = (make_key(algorithm), algorithm)

    def add(self, kid, algorithm):
        self.keys[kid] = (make_key(algorithm), algorithm)

    def drop(self, kid):
        return self.keys.pop(kid)

    def jwks(self, *more):
        return json.dumps({"keys": [jwk(key, kid) for kid, (key, _) in self.keys.items()] + list(more)})

    def claims(self, sub="u-1", **changed):
        """The claims of a good token, with the given changes. Claims that are None are left out."""
        now = int(time.time())
        claims = {"iss": self.name, "aud": AUDIENCE, "sub": sub, "iat": now, "exp": now + 600} | changed
        return {name: value for name, value in claims.items() if value is not None}

    def token(self, sub="u-1", kid="ES256-1", header=None, signed_with=None, algorithm=None, **claims):
        """A token.

        `header` changes members of its header; None removes a member. `signed_with` and `algorithm` replace the key and the
        algorithm with which it is signed.
        """
        key, own = self.keys.get(kid, (None, None))
        key, own = (signed_with if signed_with is not None else key), algorithm or own
        head = {"typ": "JWT", "alg": own, "kid": kid} | (header or {})
        head = {name: value for name, value in head.items() if value is not None}
        text = f"{b64(json.dumps(head).encode())}.{b64(json.dumps(self.claims(sub, **claims)).encode())}"
        return f"{text}.{b64(signature(key, own, text.encode()))}"


class KeyServer:
    """Publishes a document during its `with` block.

    It counts the requests; a test can change the status, the headers and the delay.
    """

    def __init__(self, document, path="/jwks.json"):
        self.document = document
        self.path = path
        self.status = 200
        self.headers = {}
        self.delay = 0
        self.asked = 0
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                server.asked += 1
                time.sleep(server.delay)
                body = server.document.encode() if self.path == server.path else b""
                self.send_response(server.status if self.path == server.path else 404)
                for name, value in {"Content-Length": str(len(body)), **server.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(body)
                except BrokenPipeError:
                    pass

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}{path}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def app_yaml(jwks, bundle_id="com.example.app", issuer=ISSUER, audiences=(AUDIENCE,), tokens=None, **app):
    """An element of the configuration's `apps:`, with which the app accepts tokens of this issuer."""
    return {
        "bundleId": bundle_id, **app,
        "endUserTokens": {"issuer": issuer, "audiences": list(audiences), "jwks": jwks, **(tokens or {})},
    }
