"""HTTPS from certificate files."""
import socket
import subprocess

import httpx
import pytest

from harness.checks import openssl
from harness.https import HTTPSService
from harness.service import EXAMPLE, copy_example_keys, free_port, run
from harness.waiting import PATIENCE, wait_until
from harness.wire import is_read


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", certificate,
        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
    )
    return certificate, key


@pytest.fixture(scope="module")
def https(certificate, tmp_path_factory):
    """(URL, token, TLS context) of one service."""
    service = HTTPSService(tmp_path_factory.mktemp("https"), certificate).start()
    yield service.url, service.token, service.context()
    service.stop()


def test_a_signature_comes_over_https(https):
    url, token, context = https
    body = {"bundleId": "com.example.app", "offers": [{"productId": "com.example.pro.monthly", "offerId": "winback50"}]}
    answer = httpx.post(f"{url}/v1/signatures", json=body, headers={"Authorization": f"Bearer {token}"}, verify=context, timeout=PATIENCE)
    assert answer.status_code == 200 and answer.json()["results"][0]["status"] == "signed"


def test_the_certificate_is_the_one_that_was_configured(https):
    with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        httpx.get(f"{https[0]}/livez", timeout=PATIENCE)


def test_plain_http_on_the_tls_port_is_answered_with_use_https(https):
    for method in ("GET", "POST"):
        answer = httpx.request(method, f"{https[0].replace('https', 'http')}/livez", timeout=PATIENCE)
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed-request")
        assert "https://" in answer.json()["detail"] and answer.headers["connection"] == "close"


@pytest.mark.parametrize(("version", "works"), [("-tls1_1", False), ("-tls1_2", True), ("-tls1_3", True)])
def test_nothing_older_than_tls_1_2_is_spoken(https, version, works):
    port = https[0].rsplit(":", 1)[1]
    done = subprocess.run(
        ["openssl", "s_client", version, "-cipher", "ALL:@SECLEVEL=0", "-connect", f"127.0.0.1:{port}"], input=b"", capture_output=True,
        timeout=PATIENCE, check=False,
    )
    assert (done.returncode == 0) == works, done.stderr


def test_many_tls_connections_are_served(https):
    url, token, context = https
    limits, headers = httpx.Limits(max_keepalive_connections=0), {"Authorization": f"Bearer {token}"}
    with httpx.Client(verify=context, limits=limits, headers=headers, timeout=PATIENCE) as client:
        assert {client.post(f"{url}/v1/nonces", json={"bundleId": "com.example.app"}).status_code for _ in range(50)} == {200}


@pytest.mark.parametrize("fault", ["one of the two", "missing file", "no certificate"])
def test_certificate_files_that_do_not_work_are_an_error_at_the_start(certificate, tmp_path, fault):
    (tmp_path / "nonsense.pem").write_text("nonsense")
    tls = {
        "one of the two": f"{{certificate: {certificate[0]}}}",
        "missing file": f"{{certificate: {tmp_path}/none.pem, privateKey: {certificate[1]}}}",
        "no certificate": f"{{certificate: {tmp_path}/nonsense.pem, privateKey: {certificate[1]}}}",
    }[fault]
    overlay = tmp_path / "tls.yaml"
    keys = copy_example_keys(tmp_path / "keys")
    overlay.write_text(f"http: {{port: {free_port()}, tls: {tls}}}\nstore: {{sqlite: {tmp_path}/s.sqlite}}\nkeys: {{directory: {keys}}}\n")
    done = run("serve", "--config", EXAMPLE, "--config", overlay)
    assert done.returncode != 0 and "http.tls" in done.stderr + done.stdout
    done = run("check-config", "--config", EXAMPLE, "--config", overlay)
    assert done.returncode != 0 and "http.tls" in done.stderr, "check-config finds nothing wrong"


def is_closed_by_the_service(connection):
    established = 1
    return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != established


def test_what_is_half_there_does_not_hold_up_the_end(certificate, tmp_path):
    service = HTTPSService(tmp_path / "service", certificate, extra="http: {idleTimeoutSeconds: 3600, eventLoops: 1}\n").start()
    process, token, context, address = service.process, service.token, service.context(), ("localhost", service.port)

    def connect(data):
        connection = context.wrap_socket(socket.create_connection(address, timeout=PATIENCE), server_hostname="localhost")
        connection.sendall(data)
        return connection

    half_handshake = socket.create_connection(address, timeout=PATIENCE)
    half_handshake.sendall(b"\x16\x03\x01")
    # None of them says goodbye (close_notify), as clients that hang do not.
    head = f"POST /v1/signatures HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\nContent-Length: 100\r\n\r\n"
    silent, half = connect(b""), connect(head.encode() + b"{")
    kept = [half_handshake, silent, connect(b"GET /livez HT"), half]
    wait_until(lambda: all(map(is_read, kept)))
    process.terminate()
    # The end of the connection with half a request begins 2.5 s after the signal. By then the silent one, whose end began after 0.4 s, has
    # been closed without the client's goodbye.
    assert half.recv(1) == b""
    assert is_closed_by_the_service(silent)
    wait_until(lambda: process.poll() is not None, promised=3)
    assert process.returncode == 0
    for connection in kept:
        connection.close()
