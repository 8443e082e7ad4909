"""HTTPS from certificate files."""
import socket
import ssl
import subprocess
import time

import httpx
import pytest

from harness.checks import openssl
from harness.scale import scaled
from harness.service import BINARY, EXAMPLE, ROOT, copy_example_keys, run


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", certificate,
        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
    )
    return certificate, key


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def serve(certificate, folder):
    """Process, URL, token and TLS context of a service that speaks HTTPS; scripts/instance knows plain HTTP only."""
    port = free_port()
    keys = copy_example_keys(folder / "keys")
    overlay = folder / "tls.yaml"
    overlay.write_text(
        f"http: {{port: {port}, tls: {{certificate: {certificate[0]}, privateKey: {certificate[1]}}}}}\n"
        f"store: {{sqlite: {folder}/store.sqlite}}\nkeys: {{directory: {keys}}}\n"
    )
    options = ["--config", EXAMPLE, "--config", overlay]
    token = run("access", "create", *options).stdout.strip()
    context = ssl.create_default_context(cafile=str(certificate[0]))
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([BINARY, "serve", *options], stdout=log, stderr=log, cwd=ROOT)
    url, deadline = f"https://localhost:{port}", time.monotonic() + 10
    while True:
        try:
            if httpx.get(f"{url}/readyz", verify=context).status_code == 200:
                break
        except httpx.TransportError:
            pass
        assert process.poll() is None and time.monotonic() < deadline, (folder / "log").read_text()
        time.sleep(0.02)
    return process, url, token, context


@pytest.fixture(scope="module")
def https(certificate, tmp_path_factory):
    """(URL, token, TLS context) of one service."""
    process, *service = serve(certificate, tmp_path_factory.mktemp("https"))
    yield service
    process.terminate()
    assert process.wait(10) == 0


def test_a_signature_comes_over_https(https):
    url, token, context = https
    body = {"bundleId": "com.example.app", "offers": [{"productId": "com.example.pro.monthly", "offerId": "winback50"}]}
    answer = httpx.post(f"{url}/v1/signatures", json=body, headers={"Authorization": f"Bearer {token}"}, verify=context)
    assert answer.status_code == 200 and answer.json()["results"][0]["status"] == "signed"


def test_the_certificate_is_the_one_that_was_configured(https):
    with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        httpx.get(f"{https[0]}/livez")


def test_plain_http_on_the_tls_port_is_not_answered(https):
    with pytest.raises(httpx.TransportError):
        httpx.get(f"{https[0].replace('https', 'http')}/livez", timeout=3)


@pytest.mark.parametrize(("version", "works"), [("-tls1_1", False), ("-tls1_2", True), ("-tls1_3", True)])
def test_nothing_older_than_tls_1_2_is_spoken(https, version, works):
    port = https[0].rsplit(":", 1)[1]
    done = subprocess.run(
        ["openssl", "s_client", version, "-cipher", "ALL:@SECLEVEL=0", "-connect", f"127.0.0.1:{port}"], input=b"", capture_output=True,
        timeout=10, check=False,
    )
    assert (done.returncode == 0) == works, done.stderr


def test_many_tls_connections_are_served(https):
    url, token, context = https
    with httpx.Client(verify=context, limits=httpx.Limits(max_keepalive_connections=0), headers={"Authorization": f"Bearer {token}"}) as client:
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


def test_what_is_half_there_does_not_hold_up_the_end(certificate, tmp_path):
    process, url, token, context = serve(certificate, tmp_path)
    address = ("localhost", int(url.rsplit(":", 1)[1]))

    def connect(data):
        connection = context.wrap_socket(socket.create_connection(address, timeout=10), server_hostname="localhost")
        connection.sendall(data)
        return connection

    half_handshake = socket.create_connection(address, timeout=10)
    half_handshake.sendall(b"\x16\x03\x01")
    # None of them says goodbye (close_notify), as clients that hang do not.
    head = f"POST /v1/signatures HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\nContent-Length: 100\r\n\r\n"
    kept = [half_handshake, connect(b""), connect(b"GET /livez HT"), connect(head.encode() + b"{")]
    time.sleep(0.3)
    start = time.monotonic()
    process.terminate()
    assert process.wait(20) == 0
    assert time.monotonic() - start < scaled(6, 3)
    for connection in kept:
        connection.close()
