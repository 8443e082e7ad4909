"""A chain of certificates and what its leaf signs."""
import time

from AppStoreServer import jws


class Chain:
    """The certificates of an x5c header, leaf first, and the key of the leaf."""

    def __init__(self, certificates, key):
        self.certificates = certificates
        self.key = key
        self.x5c = jws.x5c_of(certificates)

    def sign(self, payload, *, key=None, x5c=None, **forgery):
        """A compact JWS; `signedDate` is now, unless the payload has one (None: leave it out).

        For forgeries: another `key`, another `x5c`, and what jws.sign takes.
        """
        payload = {"signedDate": int(time.time() * 1000), **payload}
        payload = {name: value for name, value in payload.items() if name != "signedDate" or value is not None}
        return jws.sign(payload, key or self.key, self.x5c if x5c is None else x5c, **forgery)

    def replacing(self, index, certificate):
        """The same key behind an x5c in which one certificate is another."""
        certificates = list(self.certificates)
        certificates[index] = certificate
        return Chain(certificates, self.key)
