"""A certificate authority with the structure of Apple's: P-384 root and intermediate, P-256 leaf, the two marker extensions."""
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import serialization

from AppStoreServer.certificates import (
    INTERMEDIATE_OID, INTERMEDIATE_VALIDITY, LEAF_OID, LEAF_VALIDITY, ROOT_VALIDITY, certificate, name, new_key,
)
from AppStoreServer.chain import Chain

ROOT_NAME = name("Test Root CA - G3", "Test Certification Authority")
INTERMEDIATE_NAME = name("Test Worldwide Relations Certification Authority", "G6")
LEAF_NAME = name("Test ECC Mac App Store and iTunes Store Receipt Signing", "Test Worldwide Relations")


class Authority:
    """Owns a root and signs as the App Store does; `chain(…)` makes others, wrong in one way."""

    def __init__(self, validity=ROOT_VALIDITY, root_key=None, root=None, chain=None):
        self.root_key = root_key or new_key("P-384")
        self.root = root or certificate(ROOT_NAME, self.root_key, validity=validity, is_ca=True)
        self.genuine = chain or self.chain()

    def sign(self, payload, *, chain=None, **forgery):
        """A compact JWS by the genuine chain or by another; see Chain.sign for forgeries."""
        return (chain or self.genuine).sign(payload, **forgery)

    # Chains

    def chain(
        self, *, length=3, leaf_key="P-256", intermediate_key="P-384", leaf_oid=LEAF_OID, intermediate_oid=INTERMEDIATE_OID,
        leaf_validity=LEAF_VALIDITY, intermediate_validity=INTERMEDIATE_VALIDITY, intermediate_is_ca=True,
    ):
        """A new chain to this root. An OID of None leaves the marker out; keys are "P-256", "P-384" or "RSA".

        `length`: 1 is a self-signed leaf, as Xcode has it; 2 leaves the root out; 4 has a second intermediate.
        """
        key = new_key(leaf_key)
        if length == 1:
            return Chain([certificate(LEAF_NAME, key, validity=leaf_validity, is_ca=False, oid=leaf_oid)], key)
        issuers, issuer_key = [self.root], self.root_key
        for number in range(2 if length == 4 else 1):
            new = new_key(intermediate_key)
            subject = INTERMEDIATE_NAME if number == 0 else name("Test Second Intermediate")
            issuers.insert(0, certificate(
                subject, new, issuers[0], issuer_key, validity=intermediate_validity, is_ca=intermediate_is_ca,
                oid=intermediate_oid,
            ))
            issuer_key = new
        leaf = certificate(LEAF_NAME, key, issuers[0], issuer_key, validity=leaf_validity, is_ca=False, oid=leaf_oid)
        return Chain([leaf, *issuers][:length], key)

    def with_foreign_leaf(self):
        """Our intermediate and root behind a leaf, of the same name, that another authority issued."""
        stranger = Authority().genuine
        return Chain([stranger.certificates[0], *self.genuine.certificates[1:]], stranger.key)

    def with_foreign_root(self):
        """Our leaf and intermediate before a stranger's root. Genuine all the same: x5c[2] is not what is trusted."""
        return self.genuine.replacing(2, Authority().root)

    def with_reissued_root(self):
        """Another certificate for the root's key, as in Apple's own test data. Genuine."""
        again = certificate(ROOT_NAME, self.root_key, validity=ROOT_VALIDITY, is_ca=True)
        return self.genuine.replacing(2, again)

    # Files

    def save(self, folder):
        """Writes root.pem, and the private parts, by which another process can sign too; the path of root.pem."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "private.pem", *map(_private_pem, (self.root_key, self.genuine.key)))
        _write(folder / "chain.pem", *map(_pem, self.genuine.certificates))
        _write(folder / "root.pem", _pem(self.root))
        return folder / "root.pem"

    @classmethod
    def load(cls, folder):
        folder = pathlib.Path(folder)
        end = b"-----END PRIVATE KEY-----\n"
        pems = (folder / "private.pem").read_bytes().split(end)[:2]
        root_key, leaf_key = [serialization.load_pem_private_key(pem + end, password=None) for pem in pems]
        certificates = x509.load_pem_x509_certificates((folder / "chain.pem").read_bytes())
        root = x509.load_pem_x509_certificate((folder / "root.pem").read_bytes())
        return cls(root_key=root_key, root=root, chain=Chain(certificates, leaf_key))


def _pem(certificate):
    return certificate.public_bytes(serialization.Encoding.PEM)


def _private_pem(key):
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write(file, *parts):
    file.touch(mode=0o600)
    file.write_bytes(b"".join(parts))
