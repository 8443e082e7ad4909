"""Reads the audit log without any code of the service's.

It is written from docs/audit.md alone, so it shows that the page suffices.
"""
import base64
import hashlib
import hmac
import json
import struct

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

CODES = {"signed_request": 1, "refused_request": 2, "audit_event": 3}
# Each column with its kind, in the order in which the columns are encoded. The kinds: n is a number, b are bytes, o is optional,
# p is personal, and a is an address, which is personal and which old rows lack. A digit stands for a list of lists: that many
# texts of each inner list are public, and the rest is personal.
COLUMNS = {
    "signed_request": [
        ("signed_at", "n"), ("bundle_id", "b"), ("key_id", "b"), ("form", "b"), ("caller", "b"), ("request_id", "b"), ("nonces", "b"),
        ("digests", "b"), ("customer_id", "p"), ("application_username", "p"), ("transaction_id", "p"), ("offers", "2"), ("address", "a"),
    ],
    "refused_request": [
        ("refused_at", "n"), ("bundle_id", "b"), ("caller", "b"), ("request_id", "b"), ("customer_id", "p"),
        ("application_username", "p"), ("transaction_id", "p"), ("offers", "3"), ("address", "a"),
    ],
    "audit_event": [
        ("at", "n"), ("actor", "b"), ("action", "b"), ("bundle_id", "o"), ("subject", "o"), ("before", "o"), ("after", "o"),
        ("reason", "o"), ("request_id", "o"), ("customer_id", "p"), ("transaction_id", "p"), ("address", "p"),
    ],
}
ABSENT = b"\xff\xff\xff\xff"


def sha256(data):
    return hashlib.sha256(data).digest()


def part(value):
    if value is None:
        return ABSENT
    data = value.encode() if isinstance(value, str) else value
    return struct.pack(">I", len(data)) + data


def split(text, public):
    """Splits a list of lists into its public part and its personal part, both encoded."""
    lists = json.loads(text)
    if all(len(each) == public for each in lists):
        return part(text), b""
    kept, cut, decoder, position = "[", b"", json.JSONDecoder(), 1
    for index in range(len(lists)):
        if index:
            kept, position = kept + ",", position + 1
        start, position, count, end = position, position + 1, 0, None
        while text[position] != "]":
            if text[position] == ",":
                if count == public:
                    end = position
                position += 1
            _, position = decoder.raw_decode(text, position)
            count += 1
        kept += text[start : end or position] + "]"
        if end:
            cut += struct.pack(">I", index) + part(text[end:position])
        position += 1
    return part(kept + "]"), cut


def encoded(table, row, secret):
    out, personal, is_personal = bytes([CODES[table]]) + struct.pack(">q", row["id"]), b"", False
    for name, kind in COLUMNS[table]:
        value = row[name]
        if kind == "n":
            out += struct.pack(">q", value)
        elif kind == "p":
            personal += part(value)
            is_personal = is_personal or value is not None
        elif kind == "a":
            if value is not None:
                personal, is_personal = personal + b"\xff\xff\xff\xfe" + part(value), True
        elif kind in "23":
            kept, cut = split(value, int(kind))
            out, personal, is_personal = out + kept, personal + cut, is_personal or bool(cut)
        else:
            out += part(value)
    if row["personal_digest"] is not None:
        return out + b"\x01" + row["personal_digest"]
    return out + (b"\x01" + hmac.new(secret, personal, "sha256").digest() if is_personal else b"\x00")


def genesis(chain):
    opened = struct.pack(">q", chain["opened_at"])
    return sha256(b"offersigner audit chain 1\n" + bytes([CODES[chain["table_name"]]]) + chain["id"] + chain["writer"] + opened)


def secret_of(database):
    return database.execute("SELECT value FROM secret WHERE name = 'audit'").fetchone()[0]


def rebuild(database, table, first):
    """Computes all links of a table anew from one row on, as an attacker could who can write the store but has no audit key."""
    secret, heads = secret_of(database), {}
    for chain in database.execute("SELECT * FROM audit_chain WHERE table_name = ?", [table]).fetchall():
        heads[chain["number"]] = chain["removed_link"] or genesis(chain)
    for row in database.execute(f"SELECT * FROM {table} ORDER BY id").fetchall():
        heads[row["chain"]] = link = sha256(heads[row["chain"]] + encoded(table, row, secret))
        if row["id"] >= first:
            database.execute(f"UPDATE {table} SET link = ? WHERE id = ?", [link, row["id"]])
        else:
            assert link == row["link"], f"row {row['id']} of {table} does not verify here"
    return heads


def opened_note(note, public_key):
    """Verifies the signature of a signed note, and returns the note's text."""
    text, _, signatures = note.rpartition("\n\n")
    text += "\n"
    name = text.split("\n", 1)[0]
    dash, signer, encoded_signature = signatures.strip().split("\n")[0].split(" ")
    assert (dash, signer) == ("\u2014", name)
    signature = base64.b64decode(encoded_signature)
    raw = public_key.public_bytes_raw()
    assert signature[:4] == sha256(name.encode() + b"\n\x01" + raw)[:4]
    Ed25519PublicKey.from_public_bytes(raw).verify(signature[4:], text.encode())
    return text


def facts(text):
    """Checks that a seal's root is the hash of the lines after it, and returns the parts of the seal."""
    origin, rows, root, *lines = text.removesuffix("\n").split("\n")
    assert base64.b64decode(root) == sha256(b"offersigner audit seal 1\n" + "".join(f"{line}\n" for line in lines).encode())
    return {"origin": origin, "rows": int(rows), "lines": lines}
