"""The running service that the tests speak to."""
import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from harness.app_store import BUNDLE, AppStore  # noqa: E402
from harness.checks import OpenSSL, private_key  # noqa: E402
from harness.clock import Clock  # noqa: E402
from harness.scale import SCALE  # noqa: E402
from harness.service import BINARY, Service, speaking_to  # noqa: E402


def pytest_configure():
    # A shell that starts the suite in the background has them ignored, and all that the tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    # A thousand connections on either side; the service inherits the limit.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < 8192:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard), hard))


def pytest_report_header():
    return f"acceptance: scale {SCALE}, {BINARY}"


def pytest_sessionstart():
    if not BINARY.exists():
        pytest.exit(f"{BINARY} is missing; run make build", returncode=3)


def pytest_collection_modifyitems(items):
    # Those that take longest first: what begins last decides when all workers have ended.
    items.sort(key=lambda item: item.path.stem not in ("test_schemathesis", "test_signing_probe", "test_console_campaigns"))


@pytest.fixture
def new_service(tmp_path):
    """Starts services of a test's own: `new_service(extra=YAML, environment={…}, start=True, parent=FOLDER)`."""
    made = []

    def make(extra=None, environment=None, start=True, parent=None):
        service = Service((parent or tmp_path) / f"service{len(made)}", extra=extra, environment=environment)
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
def app_store(tmp_path_factory):
    """A local App Store for all the tests of a file."""
    with AppStore(tmp_path_factory.mktemp("app-store")) as store:
        yield store
    assert (store.exit_code, store.log_text()) == (0, "")


@pytest.fixture(scope="module")
def enforcing(app_store, tmp_path_factory):
    """One service for all the tests of a file, which speaks to the local App Store; com.example.app enforces eligibility."""
    with speaking_to(app_store, tmp_path_factory.mktemp("enforcing"), BUNDLE, eligibility="enforce") as service:
        yield service


@pytest.fixture
def connected(app_store, new_service):
    """Starts services of a test's own that speak to the local App Store; takes what configuration_yaml takes."""

    def make(start=True, extra="", **options):
        service = new_service(extra=app_store.configuration_yaml(BUNDLE, **options) + extra, start=False)
        # Its background asks the App Store as soon as it runs.
        app_store.register(keys={file.stem.removeprefix("SubscriptionKey_"): file for file in service.lay_out_keys().glob("*.p8")})
        if start:
            service.start()
        return service

    return make


@pytest.fixture(scope="module")
def client(instance):
    return instance.client()


@pytest.fixture(scope="module")
def public_key(instance):
    return private_key(instance.key_file).public_key()


@pytest.fixture(scope="module")
def openssl_verifier(instance, tmp_path_factory):
    return OpenSSL(tmp_path_factory.mktemp("openssl"), instance.key_file)


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 6 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("mounting a small tmpfs needs root")
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=6m", "offersigner-test", str(folder)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"no tmpfs can be mounted here: {done.stderr.strip()}")
    yield folder
    with contextlib.suppress(subprocess.CalledProcessError):
        subprocess.run(["umount", "--lazy", str(folder)], check=True, capture_output=True)


@pytest.fixture
def clock(tmp_path):
    """The time that a service started with its `environment` sees."""
    return Clock(tmp_path)
