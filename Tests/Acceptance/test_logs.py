"""The log: JSON, one line a request, one a signature, and nothing that is secret."""
import base64
import os
import re
import shutil
import subprocess

import pytest

from harness import checks
from harness.service import ROOT
from harness.waiting import PATIENCE, wait_until


@pytest.fixture
def worked(new_service):
    """A service that has had some work of every kind, stopped."""
    service = new_service()
    client = service.client()
    seen = {"service": service, "secrets": [], "requests": {}}

    def note(name, answer):
        seen["requests"][name] = (answer.headers["x-request-id"], answer)
        return answer

    body = service.offer_body(applicationUsername="Secret.Name@example.com", customerId="customer-4711")
    signed = note("signed", client.post("/v1/signatures", body, headers={"X-Request-Id": "my-signature"}))
    token_body = service.offer_body(appAccountToken="7e3fb20b-4cdb-47cc-936d-99d65f608138", form="jws")
    jws = note("jws", client.post("/v1/signatures", token_body, headers={"Idempotency-Key": "secret-idempotency"}))
    three = service.offer_body()
    three["offers"] = three["offers"] * 3
    note("three", client.post("/v1/signatures", three))
    note("invalid", client.post("/v1/signatures", {"offers": []}))
    note("forbidden", service.client("viewer").post("/v1/nonces", {}))
    note("unauthorized", service.client(token="osk_0000000000000000_" + "S3cret" * 7 + "x").post("/v1/nonces", {}))
    note("probe", client.get("/livez"))
    note("nowhere", client.get("/nowhere?token=S3cretQuery"))
    presented = signed.json()["results"][0]
    names = ["productId", "offerId", "applicationUsername", "nonce", "timestamp", "signature", "keyIdentifier"]
    note("verify", client.post("/v1/verify", {"bundleId": service.bundle_id} | {name: presented[name] for name in names}))
    seen["secrets"] = [
        *(token.split("_", 2)[2] for token in service.tokens.values()), "S3cret", "Secret.Name", "secret-idempotency",
        "7e3fb20b-4cdb-47cc-936d-99d65f608138", presented["signature"], jws.json()["results"][0]["compactJWS"].split(".")[2],
    ]
    service.stop()
    seen["log"] = service.log()
    return seen


def lines_of(worked, name, message):
    request_id = worked["requests"][name][0]
    return [line for line in worked["log"] if line.get("requestId") == request_id and line["message"] == message]


def test_every_line_is_a_json_object_with_time_level_and_message(worked):
    assert len(worked["log"]) > 10
    for line in worked["log"]:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"])
        assert line["level"] in {"trace", "debug", "info", "notice", "warning", "error", "critical"}
        assert line["message"]


def test_every_request_has_exactly_one_line_with_its_id_and_what_became_of_it(worked):
    # Load balancers ask once a second: at the level info their probes have no line.
    assert not lines_of(worked, "probe", "request")
    for name, (_, answer) in worked["requests"].items():
        if name == "probe":
            continue
        [line] = lines_of(worked, name, "request")
        assert line["status"] == answer.status_code and line["method"] == answer.request.method, name
        assert line["durationMicroseconds"] >= 0
        assert line.get("problem") == (answer.json()["code"] if answer.status_code >= 400 else None)
    assert lines_of(worked, "signed", "request")[0]["route"] == "/v1/signatures"
    assert lines_of(worked, "signed", "request")[0]["caller"] == worked["service"].tokens["client"].split("_")[1]


def test_every_signature_has_an_audit_line_that_agrees_with_the_ledger(worked):
    service = worked["service"]
    audit = {line["nonce"]: line for line in worked["log"] if line["message"] == "signed"}
    rows = service.rows()
    assert audit.keys() == rows.keys() and len(rows) == 5
    for nonce, row in rows.items():
        line = audit[nonce]
        assert (line["requestId"], line["timestamp"]) == (row["request_id"], row["signed_at"])
        assert (line["caller"], line["keyIdentifier"]) == (row["caller"], row["key_id"])
        assert (line["bundleId"], line["productId"], line["offerId"]) == (row["bundle_id"], row["product_id"], row["offer_id"])
    assert len(lines_of(worked, "three", "signed")) == 3


def test_no_secret_is_in_the_log(worked):
    text = worked["service"].log_text()
    for secret in worked["secrets"]:
        assert secret not in text, secret
    key_file = open(worked["service"].key_file).read()
    body = "".join(key_file.splitlines()[1:-1])
    number = checks.private_key(worked["service"].key_file).private_numbers().private_value
    for form in [body, body[30:80], *key_file.splitlines()[1:-1], f"{number:064x}", str(number)]:
        assert form not in text
        assert form.lower() not in text.lower()
    raw = number.to_bytes(32, "big")
    assert base64.b64encode(raw).decode().rstrip("=") not in text


def test_no_private_key_is_in_the_store(worked):
    number = checks.private_key(worked["service"].key_file).private_numbers().private_value
    contents = b"".join(file.read_bytes() for file in worked["service"].folder.glob("offersigner*.sqlite*"))
    for form in [number.to_bytes(32, "big"), number.to_bytes(32, "little"), f"{number:064x}".encode(), b"PRIVATE KEY"]:
        assert form not in contents


def test_a_replayed_answer_leaves_a_request_line_but_no_second_audit_line(new_service):
    service = new_service()
    client, headers = service.client(), {"Idempotency-Key": "one"}
    ids = [client.post("/v1/signatures", service.offer_body(), headers=headers).headers["x-request-id"] for _ in range(2)]
    assert [len(service.log_lines_of(name, 2 - index)) for index, name in enumerate(ids)] == [2, 1]


def test_a_text_from_outside_cannot_forge_a_line(new_service):
    service = new_service()
    client = service.client()
    client.get("/x%0A%7B%22message%22:%22forged%22%7D")
    client.sign(service.offer_body(customerId='c"\n{"message":"forged"}', applicationUsername="x\n{}"))
    client.post("/v1/nonces", {}, headers={"X-Request-Id": '"},"message":"forged"'})
    service.stop()
    assert all(line["message"] != "forged" for line in service.log())


def test_below_info_there_are_no_request_lines_but_still_audit_lines(new_service):
    service = new_service(extra="logging: {level: warning}\n")
    service.client().sign(service.offer_body())
    service.stop()
    assert [line["message"] for line in service.log() if line["message"] in ("request", "signed")] == ["signed"]


def test_at_debug_probes_have_request_lines(new_service):
    service = new_service(extra="logging: {level: debug}\n")
    answers = {path: service.client("admin").get(path) for path in ("/livez", "/readyz", "/metrics")}
    service.stop()
    for path, answer in answers.items():
        [line] = [line for line in service.log() if line.get("requestId") == answer.headers["x-request-id"]]
        assert (line["level"], line["message"], line["route"], line["status"]) == ("debug", "request", path, 200)


def test_sampled_lines_leave_out_most_signatures_and_no_refusal(new_service):
    service = new_service(extra="logging: {signatures: sampled}\n")
    offer = {"productId": "com.example.pro.monthly", "offerId": "winback50"}
    never = {"bundleId": "com.example.news", "offers": [{"productId": "com.example.news.monthly", "offerId": "comeback"}]}
    client, requests = service.client(), 100
    for _ in range(requests):
        client.sign({"bundleId": "com.example.app", "offers": [offer] * 3})
        client.sign(never)
    service.stop()
    lines = service.log()
    assert len(service.rows()) == 3 * requests
    assert [line["message"] for line in lines].count("refused") == requests
    # More than 20 of 100 requests are chosen once in 10¹⁹ runs. Of a chosen one, every offer has its line.
    chosen = [line["requestId"] for line in lines if line["message"] == "signed"]
    assert len(chosen) == 3 * len(set(chosen)) <= 60


@pytest.mark.parametrize("signatures", ["full", "off"])
def test_lines_of_offers_are_a_setting(new_service, signatures):
    service = new_service(extra=f"logging: {{signatures: {signatures}}}\n")
    offer = {"productId": "com.example.pro.monthly", "offerId": "winback50"}
    service.client().sign({"bundleId": "com.example.app", "offers": [offer] * 3})
    service.stop()
    messages = [line["message"] for line in service.log()]
    assert messages.count("signed") == (3 if signatures == "full" else 0)
    assert "request" in messages and "audit log sealed" in messages
    if signatures == "full":
        # The manual's figures for the size of the log rest on these.
        manual = re.search(r"request line (\d+) bytes, signature (\d+)", (ROOT / "docs/operations.md").read_text())
        lines = service.log_text().splitlines()
        for mark, size in zip(['"route":"/v1/signatures"', '"message":"signed"'], map(int, manual.groups())):
            line = next(each for each in lines if mark in each)
            assert abs(len(line) + 1 - size) < 20, line


@pytest.mark.skipif(not shutil.which("logrotate") or os.geteuid() != 0, reason="needs root and Debian's logrotate")
def test_a_log_in_a_file_is_rotated_while_the_service_writes(new_service, tmp_path):
    service = new_service()
    service.stop()
    folder = tmp_path / "log"
    folder.mkdir(mode=0o700)
    log, old = folder / "offersigner.log", folder / "offersigner.log.1"
    rules = (ROOT / "deploy/offersigner.logrotate").read_text()
    assert "\n/var/log/offersigner/offersigner.log {" in rules and "su offersigner offersigner" in rules
    file = tmp_path / "logrotate"
    file.write_text(rules.replace("/var/log/offersigner", str(folder)).replace("su offersigner offersigner", "su root root"))
    file.chmod(0o644)
    # As by StandardOutput=append:
    with log.open("ab") as output:
        process = subprocess.Popen(service.command("serve"), stdout=output, cwd=ROOT, env=service.environment)
    try:
        wait_until(lambda: b"Server started" in log.read_bytes())
        subprocess.run(["logrotate", "--force", "--state", tmp_path / "state", file], check=True, timeout=PATIENCE)
        assert b"Server started" in old.read_bytes()
        service.client().sign(service.offer_body())
        wait_until(lambda: b'"message":"signed"' in log.read_bytes())
        # It begins anew: no hole of the old length.
        assert log.read_bytes().startswith(b"{") and b"Server started" not in log.read_bytes()
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
