"""Certificates with Apple's structure, one at a time."""
import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

LEAF_OID = "1.2.840.113635.100.6.11.1"
INTERMEDIATE_OID = "1.2.840.113635.100.6.2.1"
DER_NULL = b"\x05\x00"


def day(year, month=1, number=1):
    return datetime.datetime(year, month, number, tzinfo=datetime.timezone.utc)


# Wide enough for signed data of any date that a test thinks of.
ROOT_VALIDITY = (day(2014, 4, 30), day(2044, 4, 30))
INTERMEDIATE_VALIDITY = (day(2015), day(2043))
LEAF_VALIDITY = (day(2016), day(2042))


def new_key(kind):
    """A private key: "P-256", "P-384" or "RSA"."""
    if kind == "RSA":
        return rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return ec.generate_private_key({"P-256": ec.SECP256R1, "P-384": ec.SECP384R1}[kind]())


def name(common_name, unit=None):
    attributes = [
        x509.NameAttribute(NameOID.COMMON_NAME, common_name),
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Test App Store"),
        x509.NameAttribute(NameOID.COUNTRY_NAME, "US"),
    ]
    if unit:
        attributes.insert(1, x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, unit))
    return x509.Name(attributes)


def certificate(subject, key, issuer=None, issuer_key=None, *, validity, is_ca, oid=None):
    """A certificate for `key`, self-signed when there is no issuer (a certificate); `oid` is Apple's marker, a DER NULL."""
    signing_key = issuer_key or key
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(validity[0])
        .not_valid_after(validity[1])
        .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signing_key.public_key()), critical=False)
        .add_extension(_usage(is_ca), critical=True)
    )
    if oid:
        marker = x509.UnrecognizedExtension(x509.ObjectIdentifier(oid), DER_NULL)
        builder = builder.add_extension(marker, critical=False)
    is_p384 = isinstance(signing_key, ec.EllipticCurvePrivateKey) and signing_key.key_size == 384
    return builder.sign(signing_key, hashes.SHA384() if is_p384 else hashes.SHA256())


def _usage(is_ca):
    return x509.KeyUsage(
        digital_signature=not is_ca, content_commitment=False, key_encipherment=False, data_encipherment=False,
        key_agreement=False, key_cert_sign=is_ca, crl_sign=is_ca, encipher_only=False, decipher_only=False,
    )
