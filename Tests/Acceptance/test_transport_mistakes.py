"""What happens to receipts, key files and signatures on their way is named, at every door; no key and no receipt is repeated."""
import base64
import gzip
import json
import os
import re
import subprocess
import uuid
from urllib.parse import quote

import pytest

from AppStoreServer import app_receipts, receipts
from AppStoreServer.app_receipts import ReceiptAuthority
from harness.app_store import BUNDLE
from harness.checks import openssl
from harness.purchases import DAY, GROUP, PRO, ago, now
from harness.service import EXAMPLE, copy_example_keys, run
from harness.waiting import wait_until

OFFLINE = "com.example.offline"
RECEIPTS, TRANSACTIONS = "/v1/history/receipts", "/v1/history/transactions"


# Receipts


@pytest.fixture
def offline(app_store, new_service, tmp_path):
    """A service that reads receipts itself, and a customer's receipt in Base64."""
    authority = ReceiptAuthority()
    app = {"bundleId": OFFLINE, "subscriptionGroups": [{"id": GROUP, "products": [{"id": PRO, "period": "P1M"}]}]}
    extra = app_store.configuration_yaml().replace("  roots: [", f'  roots: ["{authority.save_root(tmp_path)}", ')
    service = new_service(extra=extra + f"apps: {json.dumps([app])}\n")
    customer = app_store.customer(OFFLINE)
    customer.start(PRO, at=ago(100 * DAY)).renew()
    shown = receipts.ios7(customer.record(), now())["receipt"] | receipts.date("receipt_creation_date", now() // 1000 * 1000)
    # Until the text has all that a way can change.
    for length in range(100):
        text = base64.b64encode(authority.sign(app_receipts.content(shown, opaque="x" * length))).decode()
        if "+" in text and "/" in text and text.endswith("="):
            return service, text
    raise AssertionError("no such receipt")


def wrapped(text, width=64, end="\n"):
    return end.join(text[start:start + width] for start in range(0, len(text), width))


HARMLESS = {
    "lines of 64": wrapped, "lines of 76 with CR LF": lambda text: wrapped(text, 76, "\r\n") + "\r\n",
    "white space around": lambda text: f"  {text}\n", "a byte order mark": lambda text: f"\ufeff{text}",
}
MISTAKES = {
    "URL-safe": (lambda text: text.replace("+", "-").replace("/", "_"), "URL-safe"),
    "URL-safe in lines": (lambda text: wrapped(text.replace("+", "-").replace("/", "_")), "URL-safe"),
    "+ as a space": (lambda text: text.replace("+", " "), "+ became a space"),
    "percent-encoded": (lambda text: text.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D"), "percent-encoded"),
    "a JWS": (lambda text: "eyJhbGciOiJFUzI1NiJ9.eyJ0cmFuc2FjdGlvbklkIjoiMSJ9.c2lnbmF0dXJl", "signedTransactions"),
    "Unity's JSON": (lambda text: json.dumps({"Store": "AppleAppStore", "TransactionID": "1", "Payload": text}), "field Payload"),
    "Unity's JSON, encoded twice": (lambda text: json.dumps(json.dumps({"Store": "AppleAppStore", "Payload": text}))[1:-1], "field Payload"),
    "quoted": (json.dumps, "quotation marks"),
    "a data URL": (lambda text: f"data:application/octet-stream;base64,{text}", "follows the comma"),
    "hexadecimal": (lambda text: base64.b64decode(text).hex(), "hexadecimal"),
    "a description": (lambda text: f"<{base64.b64decode(text).hex(' ', -4)}>", "base64EncodedString"),
    "a new description": (lambda text: "{length = 5000, bytes = 0x" + base64.b64decode(text)[:8].hex(" ", -4) + " ... }", "base64EncodedString"),
    "a JavaScript object": (lambda text: "[object Object]", "JavaScript"),
    "without padding": (lambda text: text.rstrip("="), "not whole"),
    "cut off, in lines": (lambda text: wrapped(text)[:-3], "not whole"),
    "Base64 twice": (lambda text: base64.b64encode(text.encode()).decode(), "Base64 of Base64"),
}


def imported(service, tmp_path, line):
    """The report about the only line of a file: the summary, and the rejection if there is one."""
    file = tmp_path / f"{uuid.uuid4()}.jsonl"
    file.write_text(json.dumps(line) + "\n")
    done = service.cli("history", "import", "--app", line.pop("app", OFFLINE), str(file))
    rejected = file.with_name(file.name + ".rejected.jsonl")
    return json.loads(done.stdout), json.loads(rejected.read_text()) if rejected.exists() and rejected.read_text() else None


def test_line_breaks_in_a_receipt_do_no_harm(offline, tmp_path):
    service, text = offline
    backend = service.client("backend")
    for name, change in HARMLESS.items():
        report = backend.post(RECEIPTS, {"bundleId": OFFLINE, "customerId": "u-1", "receiptData": change(text)})
        assert report.status_code == 200 and report.json()["rejected"] == [], (name, report.text)
        summary, rejected = imported(service, tmp_path, {"customerId": "u-1", "receiptData": change(text)})
        assert summary["rejected"] == 0 and rejected is None, (name, rejected)


def test_what_happened_to_a_receipt_is_named(offline, tmp_path):
    service, text = offline
    for name, (change, words) in MISTAKES.items():
        answer = service.client("backend").post(RECEIPTS, {"bundleId": OFFLINE, "receiptData": change(text)})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid-field"), (name, answer.text)
        [field] = answer.json()["fields"]
        assert field["name"] == "receiptData" and words in field["reason"], (name, field)
        _, rejected = imported(service, tmp_path, {"customerId": "u", "receiptData": change(text)})
        assert rejected["code"] == "malformed-receipt" and words in rejected["detail"], (name, rejected)
        for said in (answer.text, json.dumps(rejected)):
            assert text[:40] not in said, name


# An AppTransaction among transactions


def test_an_app_transaction_is_named_wherever_transactions_are_taken(connected, app_store, tmp_path):
    service = connected()
    app_transaction = app_store.authority.sign({
        "receiptType": "Production", "bundleId": BUNDLE, "appAppleId": 1234567890, "applicationVersion": "42",
        "originalApplicationVersion": "1.0", "originalPurchaseDate": ago(DAY), "receiptCreationDate": now(), "appTransactionId": "704289572311",
    })
    backend = service.client("backend")
    [rejected] = backend.post(TRANSACTIONS, {"bundleId": BUNDLE, "signedTransactions": [app_transaction]}).json()["rejected"]
    assert (rejected["code"], rejected["field"]) == ("malformed-payload", "signedTransactions") and "AppTransaction" in rejected["detail"], rejected
    for path, body in [
        ("/v1/signatures", {"offers": service.offer_body()["offers"]}), ("/v1/eligibility", {}),
    ]:
        problem = backend.post(path, {"bundleId": BUNDLE, "customerId": "u", "signedTransactions": [app_transaction], **body}).json()
        assert problem["code"] == "malformed-payload" and "AppTransaction" in problem["detail"], problem
    for line in (app_transaction, {"customerId": "u", "signedTransactions": [app_transaction]}):
        file = tmp_path / "history.jsonl"
        file.write_text(json.dumps(line) + "\n")
        service.cli("history", "import", "--restart", "--app", BUNDLE, str(file))
        rejected = json.loads((tmp_path / "history.jsonl.rejected.jsonl").read_text())
        assert rejected["code"] == "malformed-payload" and "AppTransaction" in rejected["detail"], rejected


# Key files


def key_text(folder):
    file = folder / "good.pem"
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file)
    return file.read_text()


def lines(text):
    return text.splitlines()


# What was done to the file, the code and words of what is said. Those that are texts can also come as JSON or in a variable.
CHANGED = {
    "line breaks lost": (lambda text: "".join(lines(text)), "key-line-breaks", "line breaks are lost"),
    "line breaks lost but the last": (lambda text: "".join(lines(text)) + "\n", "key-line-breaks", "line breaks are lost"),
    "line breaks as spaces": (lambda text: " ".join(lines(text)), "key-line-breaks", "become spaces"),
    "indented": (lambda text: "".join(f"  {line}\n" for line in lines(text)), "key-indented", "indented"),
    "CR alone": (lambda text: text.replace("\n", "\r"), "key-line-breaks", "CR alone"),
    "LF CR": (lambda text: text.replace("\n", "\n\r"), "key-line-breaks", "LF CR"),
    "percent-encoded": (lambda text: quote(text), "key-damaged", "percent-encoded"),
    "RTF": (lambda text: "{\\rtf1\\ansi " + text.replace("\n", "\\\n") + "}", "key-rich-text", "RTF"),
    "Base64 of the PEM": (lambda text: base64.b64encode(text.encode()).decode(), "key-base64-of-pem", "Base64 of a PEM"),
    "no first and last line": (lambda text: "\n".join(lines(text)[1:-1]), "key-frame-missing", "BEGIN PRIVATE KEY"),
}
OF_BYTES = {
    "UTF-16, little endian": (lambda text: b"\xff\xfe" + text.encode("utf-16-le"), "key-utf-16", "UTF-16"),
    "UTF-16, big endian": (lambda text: b"\xfe\xff" + text.encode("utf-16-be"), "key-utf-16", "UTF-16"),
    "UTF-16 without a mark": (lambda text: text.encode("utf-16-le"), "key-utf-16", "UTF-16"),
    "UTF-32": (lambda text: text.encode("utf-32"), "key-utf-16", "UTF-32"),
    "DER": (lambda text: base64.b64decode("".join(lines(text)[1:-1])), "key-not-pem", "in DER"),
    "gzip": (lambda text: gzip.compress(text.encode()), "key-not-pem", "compressed"),
}


@pytest.mark.parametrize("name", [*CHANGED, *OF_BYTES])
def test_what_happened_to_a_key_file_is_named_at_every_door(tmp_path, name):
    text = key_text(tmp_path)
    change, code, words = (CHANGED | OF_BYTES)[name]
    contents = change(text)
    folder = tmp_path / "keys"
    folder.mkdir(mode=0o700)
    file = folder / "SubscriptionKey_CHANGED123.p8"
    file.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
    file.chmod(0o600)
    overlay = tmp_path / "overlay.yaml"
    overlay.write_text(f"keys: {{directory: {folder}}}\nstore: {{sqlite: {tmp_path}/store.sqlite}}\n")
    configured = ("--config", EXAMPLE, "--config", overlay)
    said = [
        run("keys", "check", file), run("check-config", *configured), run("doctor", *configured), run("keys", "list", *configured),
        run("serve", *configured), run("verify", "--key", file, *VERIFY), run("sign", "--key", file, *SIGN),
    ]
    if isinstance(contents, str):
        environment = {"OFFERSIGNER_KEYS_ID": "CHANGED123", "OFFERSIGNER_KEYS_PEM": contents}
        said.append(run("check-config", *configured, environment=environment))
    # A folder with a good key, to which the changed one is added.
    copy_example_keys(tmp_path / "good")
    overlay.write_text(overlay.read_text().replace(str(folder), str(tmp_path / "good")))
    said.append(run("keys", "stage", *configured, file))
    for done in said:
        output = done.stdout + done.stderr
        assert done.returncode != 0 and words in output, (done.args, output)
        for line in lines(text)[1:-1]:
            assert line not in output and line[:12] not in output, done.args
    assert f"{code}: " in said[0].stdout, said[0].stdout


VERIFY = [
    "--bundle-id", "a", "--product-id", "p", "--offer-id", "o", "--nonce", str(uuid.uuid4()), "--timestamp", "1700000000000", "--signature", "MEU=",
]
SIGN = ["--bundle-id", "a", "--product-id", "p", "--offer-id", "o"]


def test_what_happened_to_an_uploaded_key_is_named(instance, tmp_path):
    text = key_text(tmp_path)
    security = instance.client("security")
    for name, (change, _, words) in CHANGED.items():
        problem = security.post("/v1/admin/keys", {"keyId": "CHANGED123", "pem": change(text)}).json()
        assert problem["code"] == "unusable-key" and words in problem["detail"], (name, problem)
        assert lines(text)[1][:12] not in json.dumps(problem), name
    assert lines(text)[1] not in instance.log_text()


def test_the_commands_that_the_messages_name_mend_the_files(tmp_path):
    text = key_text(tmp_path)
    for name in ("indented", "CR alone", "LF CR", "Base64 of the PEM", *OF_BYTES):
        change, _, _ = (CHANGED | OF_BYTES)[name]
        contents, file = change(text), tmp_path / "SubscriptionKey_CHANGED123.p8"
        file.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        file.chmod(0o600)
        said = run("keys", "check", file).stdout
        command = re.search(r": ((iconv|base64|sed|tr|gunzip|openssl) .*) > SubscriptionKey_<KEYID>.p8", said)[1].replace("FILE", str(file))
        mended = subprocess.run(["bash", "-c", command], capture_output=True, check=True).stdout
        os.truncate(file, 0)
        file.write_bytes(mended)
        assert run("keys", "check", file).returncode == 0, (name, command)


def test_a_key_folder_with_one_changed_file_says_so_at_the_start(new_service, tmp_path):
    service = new_service(start=False)
    folder = service.lay_out_keys()
    file = folder / "SubscriptionKey_CHANGED123.p8"
    file.write_text(" ".join(lines(key_text(tmp_path))))
    file.chmod(0o600)
    service.start()
    wait_until(lambda: [line for line in service.log() if "become spaces" in json.dumps(line)])
    assert service.client().sign(service.offer_body())
