"""Mutual TLS: whose access keys are worth nothing without a client certificate, and which certificates are none."""
import contextlib
import os
import re
import socket
import ssl
import time

import httpx
import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID

from harness.https import Authority, HTTPSService, save, self_signed
from harness.service import EXAMPLE, copy_example_keys, run
from harness.waiting import PATIENCE, wait_until

# In s. The service looks once a second.
SOON = 5
# What a client sees of a handshake that the other side refuses; with TLS 1.3 only when it reads.
REFUSED = (httpx.ConnectError, httpx.ReadError, httpx.RemoteProtocolError, httpx.WriteError)


class Parties:
    """A server and those who may or may not be its clients."""

    def __init__(self, folder):
        self.folder = folder
        self.servers = Authority("servers")
        self.clients = Authority("clients")
        self.server = save(folder, "server", *self.servers.issue())
        self.trusted = self.servers.save(folder / "servers.pem")
        self.roots = self.clients.save(folder / "clients.pem")
        self.backend = save(folder, "backend", *self.clients.issue("backend"))

    def service(self, name, mode="optional", roles="[backend]"):
        tls = f", clientCertificates: {self.roots}, clientCertificateMode: {mode}, clientCertificateRoles: {roles}"
        return HTTPSService(self.folder / name, self.server, tls=tls, trusted=self.trusted)


@pytest.fixture(scope="module")
def parties(tmp_path_factory):
    return Parties(tmp_path_factory.mktemp("parties"))


@pytest.fixture(scope="module")
def service(parties):
    """Backends and administrators need a certificate; others may bring one."""
    made = parties.service("service", roles="[backend, admin]")
    made.backend = made.access_key("backend")
    made.admin = made.access_key("admin")
    made.security = made.access_key("security")
    made.start()
    yield made
    made.stop()


def refused(ask, name=""):
    """Fails unless the service ends the handshake; a client that does not trust the service would end it, too."""
    with pytest.raises(REFUSED) as error:
        answer = ask()
        pytest.fail(f"{name}: {answer.status_code}")
    assert "CERTIFICATE_VERIFY_FAILED" not in str(error.value), error.value


def code(answer):
    return answer.status_code, answer.json().get("code")


def test_a_backends_key_is_worth_nothing_without_a_certificate(service, parties):
    assert service.post(service.backend, parties.backend).status_code == 200
    answer = service.post(service.backend)
    assert code(answer) == (401, "unauthorized")
    assert "client certificate" in answer.json()["detail"]
    assert answer.headers["www-authenticate"] == 'Bearer realm="offersigner"'
    # Apps on the same port need none, and may bring one.
    assert service.post().status_code == 200
    assert service.post(client=parties.backend).status_code == 200
    # A caller without the key does not learn that a certificate is missing.
    wrong = service.post(service.backend[:-1] + ("A" if service.backend[-1] != "A" else "B"))
    assert code(wrong) == (401, "unauthorized") and "client certificate" not in wrong.json()["detail"]
    # A certificate alone is no key.
    assert service.post("osk_0000000000000000_x", parties.backend).status_code == 401


def test_a_stolen_key_takes_nothing_from_its_owners_rate_and_is_seen(service, parties):
    before = service.post(service.backend, parties.backend).headers["ratelimit"]
    answers = [service.post(service.backend) for _ in range(5)]
    assert all("ratelimit" not in each.headers for each in answers)
    after = service.post(service.backend, parties.backend).headers["ratelimit"]
    left = [int(re.search(r"r=(\d+)", each)[1]) for each in (before, after)]
    assert left[1] >= left[0] - 1
    line = next(each for each in service.log_text().splitlines() if answers[0].headers["x-request-id"] in each)
    assert f'"caller":"{service.backend.split("_")[1]}"' in line and '"reason":"no valid client certificate"' in line


def test_the_operations_of_administrators_ask_for_it_too(service, parties):
    for client, status in ((None, 401), (parties.backend, 200)):
        with httpx.Client(verify=service.context(client), headers={"Authorization": f"Bearer {service.admin}"}, timeout=PATIENCE) as admin:
            assert admin.get(f"{service.url}/v1/admin/access").status_code == status
    with httpx.Client(verify=service.context(), headers={"Authorization": f"Bearer {service.security}"}, timeout=PATIENCE) as security:
        assert security.get(f"{service.url}/v1/admin/access").status_code == 200


def test_the_console_asks_for_it_too(service, parties):
    plain = httpx.Client(base_url=service.url, verify=service.context(), timeout=PATIENCE)
    answer = plain.post("/console/sign-in", data={"key": service.admin})
    assert answer.status_code == 422 and "client certificate is needed" in answer.text and "set-cookie" not in answer.headers
    window = httpx.Client(base_url=service.url, verify=service.context(parties.backend), timeout=PATIENCE)
    assert window.post("/console/sign-in", data={"key": service.admin}).status_code == 303
    assert window.get("/console/access").status_code == 200
    # The cookie alone opens nothing.
    answer = httpx.get(f"{service.url}/console/access", verify=service.context(), cookies=window.cookies, timeout=PATIENCE)
    assert answer.status_code == 303
    assert plain.post("/console/sign-in", data={"key": service.security}).status_code == 303
    assert plain.get("/console/access").status_code == 200


def strangers(parties):
    """Certificates that are none here, by what is wrong with them."""
    folder, clients = parties.folder, parties.clients
    lower = Authority("lower", clients)
    leaf = clients.issue("leaf")
    made_up = Authority("made up")
    made_up.certificate, made_up.key = leaf
    twin = Authority("clients")
    yield "expired", save(folder, "expired", *clients.issue(seconds=-60))
    yield "not valid yet", save(folder, "early", *clients.issue(begin=1, seconds=172_800))
    yield "another authority", save(folder, "other", *Authority("others").issue("backend"))
    yield "another authority of the same name", save(folder, "twin", *twin.issue("backend"), twin.certificate)
    yield "self-signed", save(folder, "self", *self_signed("backend"))
    yield "self-signed as the authority", save(folder, "root", *self_signed("clients"))
    yield "for servers only", save(folder, "usage", *clients.issue(usage=[ExtendedKeyUsageOID.SERVER_AUTH]))
    yield "of the server's own authority", save(folder, "of-servers", *parties.servers.issue("backend"))
    yield "issued by a client", save(folder, "by-leaf", *made_up.issue("backend"), leaf[0])
    yield "without the certificate between", save(folder, "gap", *lower.issue("backend"))


def test_a_certificate_that_does_not_verify_ends_the_handshake(service, parties):
    for name, files in strangers(parties):
        for token in (service.backend, service.token):
            refused(lambda token=token, files=files: service.post(token, files), name)
    lower = Authority("lower", parties.clients)
    chained = save(parties.folder, "chained", *lower.issue("backend"), lower.certificate)
    assert service.post(service.backend, chained).status_code == 200


def test_a_certificate_without_its_key_is_none(service, parties):
    other = save(parties.folder, "thief", *parties.clients.issue("thief"))
    with pytest.raises(ssl.SSLError):
        service.context((parties.backend[0], other[1]))
    done = os.popen(
        f"openssl s_client -connect 127.0.0.1:{service.port} -cert {parties.backend[0]} -key {other[1]} </dev/null 2>&1").read()
    assert "mismatch" in done.lower() or "unable to load" in done.lower()


def test_where_it_is_required_no_client_connects_without(parties):
    service = parties.service("required", mode="required", roles="[]")
    service.start(parties.backend)
    assert service.post(client=parties.backend).status_code == 200
    for path in ("/livez", "/metrics", "/console/sign-in"):
        refused(lambda path=path: httpx.get(f"{service.url}{path}", verify=service.context(), timeout=PATIENCE), path)
    for name, files in strangers(parties):
        refused(lambda files=files: service.post(service.token, files), name)
    service.stop()


def while_good(parties, use):
    """What `use(files)` gave with a certificate that was good until it had returned; waits until the certificate has expired."""
    for seconds in (3, 12, 48):
        certificate, key = parties.clients.issue("short", seconds=seconds)
        found = use(save(parties.folder, "short", certificate, key))
        left = certificate.not_valid_after_utc.timestamp() - time.time()
        if left > 0:
            # It is good for the whole of its last second.
            time.sleep(left + 1)
            return found
    pytest.fail("the machine is too slow for a certificate that expires soon")


def test_a_certificate_that_expires_on_a_connection_is_none_from_then_on(service, parties):
    def ask(client):
        return client.post(f"{service.url}/v1/nonces", json={"bundleId": "com.example.app"})

    def use(files):
        client = httpx.Client(
            verify=service.context(files), headers={"Authorization": f"Bearer {service.backend}"}, timeout=PATIENCE,
            limits=httpx.Limits(keepalive_expiry=None))
        return client, ask(client)

    client, answer = while_good(parties, use)
    assert answer.status_code == 200
    assert code(ask(client)) == (401, "unauthorized")
    assert len(client._transport._pool.connections) == 1
    client.close()


def exchange(service, context, session=None):
    """(Status of a request of the backend's, session, whether it was resumed)."""
    body = b'{"bundleId":"com.example.app"}'
    head = f"POST /v1/nonces HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {service.backend}\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection(("localhost", service.port), timeout=PATIENCE) as plain:
        with context.wrap_socket(plain, server_hostname="localhost", session=session) as connection:
            connection.sendall(head.encode() + body)
            status = int(connection.recv(65536).split()[1])
            return status, connection.session, connection.session_reused


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_resumed_session_is_worth_what_its_certificate_is_worth(service, parties, version):
    def use(files):
        context = service.context(files)
        context.maximum_version = version
        first, session, _ = exchange(service, context)
        second, session, _ = exchange(service, context, session)
        return context, session, [first, second]

    context, session, found = while_good(parties, use)
    assert found == [200, 200]
    try:
        assert exchange(service, context, session)[0] == 401
    except (ssl.SSLError, ConnectionError):
        pass
    # A session without a certificate does not get one by being resumed.
    bare = service.context()
    bare.maximum_version = version
    status, session, _ = exchange(service, bare)
    assert status == 401
    assert exchange(service, bare, session)[0] == 401


def test_other_roots_are_in_force_at_once_for_who_comes(parties, tmp_path):
    service = parties.service("roots")
    service.backend = service.access_key("backend")
    service.start()
    next_clients = Authority("next clients")
    next_files = save(tmp_path, "next", *next_clients.issue("backend"))
    old = parties.roots.read_bytes()
    context = service.context(parties.backend)
    try:
        status, session, _ = exchange(service, context)
        assert status == 200
        next_clients.save(tmp_path / "next-roots.pem")
        os.replace(tmp_path / "next-roots.pem", parties.roots)

        def is_taken():
            with contextlib.suppress(*REFUSED):
                return service.post(service.backend, next_files).status_code == 200

        wait_until(is_taken, promised=SOON, message=service.log_text)
        refused(lambda: service.post(service.backend, parties.backend))
        # Nor by a session of before.
        with pytest.raises((ssl.SSLError, ConnectionError, IndexError)):
            exchange(service, context, session)
        parties.roots.write_bytes(b"nothing of use\n")
        wait_until(lambda: "the TLS certificate cannot be read again" in service.log_text(), promised=SOON)
        assert service.post(service.backend, next_files).status_code == 200
        assert service.post(service.backend).status_code == 401
    finally:
        parties.roots.write_bytes(old)
        service.stop()


@pytest.mark.parametrize(
    ("tls", "word"),
    [
        ("{PAIR, clientCertificateRoles: [backend]}", "http.tls.clientCertificateRoles: needs http.tls.clientCertificates"),
        ("{PAIR, clientCertificateMode: required}", "http.tls.clientCertificateMode: needs http.tls.clientCertificates"),
        ("{clientCertificates: ROOTS}", "http.tls.clientCertificates: needs http.tls.certificate"),
        ("{PAIR, clientCertificates: /nowhere.pem}", "http.tls.clientCertificates: /nowhere.pem cannot be read"),
        ("{PAIR, clientCertificates: KEY}", "holds no PEM of one that can be used"),
        ("{PAIR, clientCertificates: EMPTY}", "holds no PEM of one that can be used"),
        ("{PAIR, clientCertificates: ROOTS, clientCertificateRoles: [backends]}", "backends is not a role"),
        ("{PAIR, clientCertificates: ROOTS, clientCertificateMode: always}", "must be optional or required"),
    ],
)
def test_what_would_let_people_in_unnoticed_is_an_error_at_the_start(parties, tmp_path, tls, word):
    (tmp_path / "empty.pem").write_text("")
    pair = f"certificate: {parties.server[0]}, privateKey: {parties.server[1]}"
    tls = tls.replace("PAIR", pair).replace("ROOTS", str(parties.roots)).replace("KEY", str(parties.server[1]))
    tls = tls.replace("EMPTY", f"{tmp_path}/empty.pem")
    overlay = tmp_path / "tls.yaml"
    keys = copy_example_keys(tmp_path / "keys")
    overlay.write_text(f"http: {{port: 0, tls: {tls}}}\nstore: {{sqlite: {tmp_path}/s.sqlite}}\nkeys: {{directory: {keys}}}\n")
    for command in ("check-config", "serve"):
        done = run(command, "--config", EXAMPLE, "--config", overlay)
        assert done.returncode != 0 and word in done.stderr + done.stdout
