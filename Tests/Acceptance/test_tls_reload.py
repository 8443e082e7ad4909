"""TLS files that are replaced while requests run: no connection is cut off, new ones get the files in force."""
import os
import threading
import time

import httpx
import pytest

from harness.https import Authority, HTTPSService, key_pem, pem, save
from harness.waiting import PATIENCE, wait_until

# In s. The service looks once a second.
SOON = 5
COMPLAINT = "the TLS certificate cannot be read again"


@pytest.fixture
def authority():
    return Authority("servers")


@pytest.fixture
def service(tmp_path, authority):
    files = save(tmp_path, "server", *authority.issue())
    trusted = authority.save(tmp_path / "authority.pem")
    made = HTTPSService(tmp_path / "service", files, trusted=trusted, extra="http: {idleTimeoutSeconds: 3600}\n")
    made.files = files
    made.start()
    yield made
    made.stop()


def keeping(service):
    """A client that closes no connection by itself."""
    return httpx.Client(verify=service.context(), timeout=PATIENCE, limits=httpx.Limits(keepalive_expiry=None))


class Traffic:
    """Requests without a pause, on connections that are kept and on new ones; anything but 200 is kept as a fault."""

    def __init__(self, service):
        self.service = service
        self.faults = []
        self.counts = [0] * 4
        self.ends = False
        self.threads = [threading.Thread(target=self.run, args=(number,)) for number in range(4)]

    def run(self, number):
        limits = httpx.Limits(max_keepalive_connections=1 if number % 2 else 0)
        context = self.service.context()
        headers = {"Authorization": f"Bearer {self.service.token}"}
        with httpx.Client(verify=context, limits=limits, headers=headers, timeout=PATIENCE) as client:
            while not self.ends:
                try:
                    status = client.post(f"{self.service.url}/v1/nonces", json={"bundleId": "com.example.app"}).status_code
                    if status not in (200, 429):
                        self.faults.append(status)
                except httpx.HTTPError as error:
                    self.faults.append(repr(error))
                self.counts[number] += 1
                time.sleep(0.02)

    def __enter__(self):
        for each in self.threads:
            each.start()
        return self

    def __exit__(self, *_):
        try:
            wait_until(lambda: min(self.counts) > 5)
        finally:
            self.ends = True
            for each in self.threads:
                each.join()
        assert self.faults == []


def becomes(service, certificate):
    """Waits until new connections get a certificate."""
    wait_until(lambda: service.served() == certificate, promised=SOON, message=service.log_text)


def fault(service):
    text = httpx.get(f"{service.url}/metrics", verify=service.context(), timeout=PATIENCE).text
    return next(float(line.split()[-1]) for line in text.splitlines() if line.startswith("offersigner_tls_file_faults "))


def complained(service, times=1):
    wait_until(lambda: service.log_text().count(COMPLAINT) >= times, promised=SOON, message=service.log_text)


def test_a_renewed_pair_is_served_and_no_connection_is_cut_off(service, authority, tmp_path):
    with keeping(service) as kept, Traffic(service):
        assert kept.get(f"{service.url}/livez").status_code == 200
        longest = 0
        # As certbot and Kubernetes do it: new files, put into place one after the other.
        for number in range(3):
            certificate, key = authority.issue()
            files = save(tmp_path, f"next{number}", certificate, key)
            begin = time.monotonic()
            os.replace(files[0], service.files[0])
            time.sleep(0.1)
            os.replace(files[1], service.files[1])
            longest = max(longest, time.monotonic() - begin)
            becomes(service, certificate)
        stream = kept.get(f"{service.url}/livez")
        assert stream.status_code == 200
    # In place, as an editor or a copy does it.
    certificate, key = authority.issue()
    service.files[1].write_bytes(key_pem(key))
    service.files[0].write_bytes(pem(certificate))
    becomes(service, certificate)
    # Files that are not a pair at two looks are complained of: not so short a time as it is here, but for a machine that stood still.
    assert COMPLAINT not in service.log_text() or longest > 0.9
    assert fault(service) == 0


def test_a_connection_that_was_there_goes_on_with_what_it_has(service, authority, tmp_path):
    with keeping(service) as kept:
        kept.get(f"{service.url}/livez")
        stream = next(iter(kept._transport._pool.connections))
        other = Authority("others")
        certificate, key = other.issue()
        for new, old in zip(save(tmp_path, "next", certificate, key), service.files):
            os.replace(new, old)
        becomes(service, certificate)
        # A new connection would not trust it.
        assert kept.get(f"{service.url}/livez").status_code == 200
        assert next(iter(kept._transport._pool.connections)) is stream
    with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        httpx.get(f"{service.url}/livez", verify=service.context(), timeout=PATIENCE)


@pytest.mark.parametrize("kind", ["not a pair", "half a certificate", "half a key", "nothing", "gone", "no PEM"])
def test_files_that_cannot_be_used_change_nothing_and_are_reported(service, authority, kind):
    before = service.served()
    certificate, key = authority.issue()
    whole, whole_key = pem(certificate), key_pem(key)
    with Traffic(service):
        match kind:
            case "not a pair": service.files[0].write_bytes(whole)
            case "half a certificate":
                service.files[1].write_bytes(whole_key)
                service.files[0].write_bytes(whole[: len(whole) // 2])
            case "half a key":
                service.files[0].write_bytes(whole)
                service.files[1].write_bytes(whole_key[: len(whole_key) // 2])
            case "nothing": service.files[0].write_bytes(b"")
            case "gone": service.files[0].unlink()
            case "no PEM": service.files[1].write_bytes(b"nonsense\n")
        complained(service)
        assert service.served() == before
        assert fault(service) == 1
        # Longer than from one look to the next.
        time.sleep(1.2)
        # Once, not at every look; and never what is in a key.
        assert service.log_text().count(COMPLAINT) == 1
        assert whole_key.splitlines()[1].decode() not in service.log_text()
        service.files[1].write_bytes(whole_key)
        service.files[0].write_bytes(whole)
        becomes(service, certificate)
    assert fault(service) == 0


def test_a_second_fault_is_reported_again(service, authority):
    certificate, key = authority.issue()
    service.files[0].write_bytes(b"one")
    complained(service)
    service.files[0].write_bytes(b"another")
    complained(service, 2)
    service.files[1].write_bytes(key_pem(key))
    service.files[0].write_bytes(pem(certificate))
    becomes(service, certificate)
