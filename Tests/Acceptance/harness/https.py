"""A service that speaks HTTPS, and certificates for the service and for its clients."""
import contextlib
import datetime
import ipaddress
import socket
import ssl
import subprocess

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from harness.service import BINARY, EXAMPLE, ROOT, copy_example_keys, free_port, run, settled_log
from harness.waiting import PATIENCE, wait_until


def pem(*certificates):
    return b"".join(each.public_bytes(serialization.Encoding.PEM) for each in certificates)


def key_pem(key):
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


class Authority:
    """A certificate authority: a root or, if `issuer` is another authority, an intermediate."""

    def __init__(self, name, issuer=None, days=30):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = _build(name, self.key, issuer, days=days, is_authority=True)

    def issue(self, name="localhost", usage=(ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH), begin=-1, seconds=86_400):
        """Returns a new certificate and its key.

        The certificate is valid from `begin` days before or after now, until `seconds` s from now. A negative number lies before now.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        return _build(name, key, self, usage=usage, begin=begin, seconds=seconds), key

    def save(self, file):
        file.write_bytes(pem(self.certificate))
        return file


def self_signed(name="localhost"):
    key = ec.generate_private_key(ec.SECP256R1())
    return _build(name, key, None, usage=(ExtendedKeyUsageOID.CLIENT_AUTH,)), key


def _build(name, key, issuer, usage=(), begin=-1, seconds=86_400, days=None, is_authority=False):
    now = datetime.datetime.now(datetime.timezone.utc)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    end = now + (datetime.timedelta(days=days) if days else datetime.timedelta(seconds=seconds))
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.certificate.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(min(now, end) + datetime.timedelta(days=begin))
        .not_valid_after(end)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
    )
    if usage:
        made = made.add_extension(x509.ExtendedKeyUsage(list(usage)), critical=False)
    if not is_authority:
        names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        made = made.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return made.sign(issuer.key if issuer else key, hashes.SHA256())


def save(folder, name, certificate, key, *chain):
    """Writes a certificate, with the rest of its chain, and its key into two files. Returns their paths."""
    files = folder / f"{name}.pem", folder / f"{name}.key.pem"
    files[0].write_bytes(pem(certificate, *chain))
    files[1].write_bytes(key_pem(key))
    return files


class HTTPSService:
    """A service that speaks HTTPS. It is started here, because scripts/instance knows plain HTTP only."""

    def __init__(self, folder, certificate, tls="", extra="", trusted=None):
        """`tls` is more configuration for `http.tls`, and `extra` is more for the top level.

        Clients trust the certificates in `trusted`.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.port = free_port()
        self.url = f"https://localhost:{self.port}"
        self.store = folder / "store.sqlite"
        self.trusted = trusted or certificate[0]
        keys = folder / "keys" if (folder / "keys").exists() else copy_example_keys(folder / "keys")
        overlay, more = folder / "tls.yaml", folder / "more.yaml"
        overlay.write_text(
            f"http: {{port: {self.port}, tls: {{certificate: {certificate[0]}, privateKey: {certificate[1]}{tls}}}}}\n"
            f"store: {{sqlite: {self.store}}}\nkeys: {{directory: {keys}}}\nappStore: {{pollSeconds: 0, catchUpSeconds: 0}}\n"
        )
        more.write_text(extra or "{}\n")
        self.options = ["--config", EXAMPLE, "--config", overlay, "--config", more]
        self.token = self.access_key()

    def access_key(self, role="client", *options):
        made = run("access", "create", "--role", role, "--note", f"{role}-1", *options, *self.options)
        assert made.returncode == 0, made.stderr
        return made.stdout.strip()

    def context(self, client=None):
        """A TLS context for clients, which trusts the service.

        `client` are the files of a certificate and key to present, or None.
        """
        context = ssl.create_default_context(cafile=str(self.trusted))
        if client:
            context.load_cert_chain(*map(str, client))
        return context

    def start(self, client=None):
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([BINARY, "serve", *map(str, self.options)], stdout=log, stderr=log, cwd=ROOT)

        def is_ready():
            assert self.process.poll() is None, self.log_text()
            with contextlib.suppress(httpx.TransportError):
                return httpx.get(f"{self.url}/readyz", verify=self.context(client), timeout=PATIENCE).status_code == 200

        wait_until(is_ready, message=self.log_text)
        return self

    def stop(self):
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0, self.log_text()

    def log_text(self):
        return settled_log(self.folder / "log")

    def post(self, token=None, client=None, path="/v1/nonces", **options):
        """Sends one request on a new connection."""
        headers = {"Authorization": f"Bearer {token or self.token}"}
        body = {"bundleId": "com.example.app"}
        return httpx.post(f"{self.url}{path}", json=body, headers=headers, verify=self.context(client), timeout=PATIENCE, **options)

    def served(self):
        """The certificate that the service presents on a new connection. It is not verified."""
        context = ssl._create_unverified_context()
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as plain, context.wrap_socket(plain) as connection:
            return x509.load_der_x509_certificate(connection.getpeercert(binary_form=True))
