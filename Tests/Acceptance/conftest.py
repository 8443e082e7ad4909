"""The running service that the tests speak to."""
import pathlib
import resource
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from harness.checks import OpenSSL, private_key  # noqa: E402
from harness.scale import SCALE  # noqa: E402
from harness.service import BINARY, Service  # noqa: E402


def pytest_configure():
    # A thousand connections on either side; the service inherits the limit.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < 8192:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard), hard))


def pytest_report_header():
    return f"acceptance: scale {SCALE}, {BINARY}"


def pytest_sessionstart():
    if not BINARY.exists():
        pytest.exit(f"{BINARY} is missing; run make build", returncode=3)


@pytest.fixture
def new_service(tmp_path):
    """Starts services of a test's own: `new_service(extra=YAML, environment={…}, start=True)`."""
    made = []

    def make(extra=None, environment=None, start=True):
        service = Service(tmp_path / f"service{len(made)}", extra=extra, environment=environment)
        made.append(service)
        if start:
            service.start()
        return service

    yield make
    for service in made:
        # Also one that never became ready, of which nothing but the pid file is known.
        if (service.folder / "pid").exists():
            service.kill()


@pytest.fixture(scope="module")
def instance(tmp_path_factory):
    """One service for all the tests of a file that leave it as it was."""
    service = Service(tmp_path_factory.mktemp("instance") / "service")
    service.start()
    yield service
    if service.is_running:
        service.stop()


@pytest.fixture(scope="module")
def client(instance):
    return instance.client()


@pytest.fixture(scope="module")
def public_key(instance):
    return private_key(instance.key_file).public_key()


@pytest.fixture(scope="module")
def openssl_verifier(instance, tmp_path_factory):
    return OpenSSL(tmp_path_factory.mktemp("openssl"), instance.key_file)
