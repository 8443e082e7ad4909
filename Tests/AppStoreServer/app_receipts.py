"""Receipts as the device has them: PKCS#7 signed with RSA, over fields in ASN.1, from verifyReceipt's answer about them."""
import subprocess
import tempfile
import pathlib

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.serialization import pkcs7

from AppStoreServer.certificates import (
    INTERMEDIATE_OID, INTERMEDIATE_VALIDITY, LEAF_OID, LEAF_VALIDITY, ROOT_VALIDITY, certificate, name, new_key,
)

INTEGER, OCTETS, UTF8, IA5, SEQUENCE, SET = 0x02, 0x04, 0x0C, 0x16, 0x30, 0x31
ITEM = {
    1701: "quantity", 1702: "product_id", 1703: "transaction_id", 1704: "purchase_date", 1705: "original_transaction_id",
    1706: "original_purchase_date", 1708: "expires_date", 1711: "web_order_line_item_id", 1712: "cancellation_date",
    1713: "is_trial_period", 1719: "is_in_intro_offer_period", 1721: "promotional_offer_id",
}
NUMBERS = ("quantity", "web_order_line_item_id")


def element(tag, content):
    """One element in DER."""
    size = len(content)
    length = bytes([size]) if size < 0x80 else (lambda part: bytes([0x80 | len(part)]) + part)(size.to_bytes((size.bit_length() + 7) // 8))
    return bytes([tag]) + length + content


def parts(content):
    """The elements of a constructed one, in DER: (tag, content)."""
    found = []
    while content:
        size = content[1] & 0x7F if content[1] & 0x80 else 0
        length = int.from_bytes(content[2:2 + size]) if size else content[1]
        found.append((content[0], content[2 + size:2 + size + length]))
        content = content[2 + size + length:]
    return found


def listing_digests(receipt, count):
    """A signed receipt whose unsigned list of digest algorithms names SHA-1 so often."""
    [(_, outer)] = parts(receipt)
    kind, (tag, inner) = parts(outer)
    [(_, signed)] = parts(inner)
    version, (_, digests), *rest = parts(signed)
    sha1 = element(SEQUENCE, bytes.fromhex("06052b0e03021a"))
    changed = [version, (SET, digests + sha1 * count), *rest]
    body = b"".join(element(*each) for each in changed)
    return element(SEQUENCE, element(*kind) + element(tag, element(SEQUENCE, body)))


def integer(value):
    return element(INTEGER, value.to_bytes(value.bit_length() // 8 + 1))


def date(text):
    """A date of verifyReceipt in a receipt's spelling; empty if there is none."""
    return element(IA5, text.replace(" Etc/GMT", "Z").replace(" ", "T").encode())


def text(value):
    return element(UTF8, value.encode())


def fields(values):
    """The SET of (number, encoded value)."""
    parts = [element(SEQUENCE, integer(number) + integer(1) + element(OCTETS, value)) for number, value in values]
    return element(SET, b"".join(parts))


def item(shown):
    """A purchase; what verifyReceipt says beyond a receipt's fields is left out."""
    found = []
    for number, name_ in ITEM.items():
        value = shown.get(name_)
        if name_.endswith("_date"):
            found.append((number, date(value or "")))
        elif value is not None:
            is_flag = value in ("true", "false")
            found.append((number, integer(int(value == "true")) if is_flag else integer(int(value)) if name_ in NUMBERS else text(value)))
    return fields(found)


def content(shown, opaque=""):
    """The signed content, from the field `receipt` of verifyReceipt's answer."""
    head = [
        (0, text(shown["receipt_type"])), (2, text(shown["bundle_id"])), (3, text(shown["application_version"])),
        (4, opaque.encode()), (12, date(shown["receipt_creation_date"])), (19, text(shown["original_application_version"])),
        (21, date("")),
    ]
    return fields(head + [(17, item(each)) for each in shown["in_app"]])


class ReceiptAuthority:
    """An RSA root, an intermediate and a leaf like Apple's; other chains are wrong in one way."""

    def __init__(self, leaf_oid=LEAF_OID, leaf_validity=LEAF_VALIDITY):
        keys = [new_key("RSA") for _ in range(3)]
        root = certificate(name("Test Root CA"), keys[0], validity=ROOT_VALIDITY, is_ca=True)
        middle = certificate(
            name("Test Worldwide Relations", "G5"), keys[1], root, keys[0], validity=INTERMEDIATE_VALIDITY, is_ca=True,
            oid=INTERMEDIATE_OID)
        self._middle, self._middle_key, self._root = middle, keys[1], root
        self.certificates, self.key = self._chain(keys[2], leaf_oid, leaf_validity)

    def _chain(self, key, oid, validity):
        leaf = certificate(
            name("Test Store Receipt Signing"), key, self._middle, self._middle_key, validity=validity, is_ca=False, oid=oid)
        return [leaf, self._middle, self._root], key

    def other_leaf(self, oid=LEAF_OID, validity=LEAF_VALIDITY):
        """Another leaf of the same authority: (certificates, key)."""
        return self._chain(new_key("RSA"), oid, validity)

    def save_root(self, folder):
        """Writes the root in PEM; its path."""
        path = pathlib.Path(folder) / "receipt-root.pem"
        path.write_bytes(_pem(self._root))
        return path

    def sign(self, content_, chain=None):
        """Signed with SHA-256 by Python's cryptography."""
        certificates, key = chain or (self.certificates, self.key)
        builder = pkcs7.PKCS7SignatureBuilder().set_data(content_).add_signer(certificates[0], key, hashes.SHA256())
        for each in certificates[1:]:
            builder = builder.add_certificate(each)
        return builder.sign(serialization.Encoding.DER, [pkcs7.PKCS7Options.Binary, pkcs7.PKCS7Options.NoAttributes])

    def sign_with_openssl(self, content_, *options):
        """Signed by the openssl program: `-md sha1`, `-stream` for BER of indefinite length."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "key").write_bytes(self.key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
            (folder / "leaf").write_bytes(_pem(self.certificates[0]))
            (folder / "others").write_bytes(b"".join(map(_pem, self.certificates[1:])))
            return subprocess.run(
                ["openssl", "cms", "-sign", "-binary", "-nodetach", "-noattr", "-outform", "DER", "-signer", folder / "leaf",
                 "-inkey", folder / "key", "-certfile", folder / "others", *options],
                input=content_, stdout=subprocess.PIPE, check=True).stdout


def _pem(each):
    return each.public_bytes(serialization.Encoding.PEM)
