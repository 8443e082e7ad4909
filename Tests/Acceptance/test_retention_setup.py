"""`offersigner retention …` sets Retention Messaging up; what the local App Store makes of it, Apple's own library reads."""
import json
import pathlib
import time
import uuid

import pytest
from appstoreserverlibrary.api_client import APIException, AppStoreServerAPIClient
from appstoreserverlibrary.models.DefaultConfigurationRequest import DefaultConfigurationRequest
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.RealtimeUrlRequest import RealtimeUrlRequest
from appstoreserverlibrary.models.UploadMessageRequestBody import UploadMessageRequestBody

from harness.app_store import BUNDLE, ISSUER
from harness.pictures import png
from harness.waiting import wait_until

PRO = "com.example.pro.monthly"


@pytest.fixture
def service(connected, app_store):
    service = connected(issuerId=ISSUER, appAppleId=1234567890)
    yield service
    app_store.reset()


class Client(AppStoreServerAPIClient):
    """Apple's client, sent to our server."""

    def __init__(self, service, store, environment):
        super().__init__(pathlib.Path(service.key_file).read_bytes(), service.key_id, ISSUER, BUNDLE, environment)
        self._base_url = store.production if environment == Environment.PRODUCTION else store.sandbox


@pytest.fixture
def apple(service, app_store):
    return Client(service, app_store, Environment.PRODUCTION)


@pytest.fixture
def sandbox(service, app_store):
    return Client(service, app_store, Environment.SANDBOX)


def run(service, *arguments, code=0):
    done = service.cli("retention", *arguments, "--app", BUNDLE)
    assert done.returncode == code, f"{arguments}: {done.stdout}{done.stderr}"
    return (done.stdout if code == 0 else done.stderr).strip()


def refused(call, *arguments):
    with pytest.raises(APIException) as caught:
        call(*arguments)
    return caught.value.raw_api_error


def test_the_local_app_store_speaks_as_apples_library_expects(apple, sandbox):
    identifier, message = uuid.uuid4(), uuid.uuid4()
    apple.upload_image(identifier, png(3840, 160))
    assert refused(apple.upload_image, identifier, png(3840, 160)) == 4090000
    assert refused(apple.upload_image, uuid.uuid4(), png(100, 100)) == 4000161
    [image] = apple.get_image_list().imageIdentifiers
    assert (image.imageIdentifier, image.rawImageState, image.rawImageSize) == (identifier, "PENDING", "FULL_SIZE")
    apple.upload_message(message, UploadMessageRequestBody(header="Stay", body="Please"))
    [found] = apple.get_message_list().messageIdentifiers
    assert (found.messageIdentifier, found.rawMessageState) == (message, "PENDING")
    assert refused(apple.configure_default_message, PRO, "en-US", DefaultConfigurationRequest(message)) == 4030017
    assert refused(apple.get_default_message, PRO, "en-US") == 4040020
    assert refused(apple.get_realtime_url) == 4040021
    assert refused(apple.configure_realtime_url, RealtimeUrlRequest("https://a.example/x")) == 4030026
    sandbox.configure_realtime_url(RealtimeUrlRequest("https://a.example/x"))
    assert sandbox.get_realtime_url().realtimeURL == "https://a.example/x"
    sandbox.delete_realtime_url()
    apple.delete_message(message)
    apple.delete_image(identifier)
    assert apple.get_image_list().imageIdentifiers == [] and apple.get_message_list().messageIdentifiers == []


def test_pictures_and_texts(service, apple, app_store, tmp_path):
    picture = tmp_path / "cat.png"
    picture.write_bytes(png(3840, 200))
    image = run(service, "images", "upload", str(picture))
    assert run(service, "images", "list") == f"{image}  PENDING  FULL_SIZE"
    message = run(
        service, "messages", "upload", "--header", "Before you go", "--body", "There is more to come", "--image", image,
        "--alt-text", "A cat")
    given = str(uuid.uuid4())
    assert run(service, "messages", "upload", "--header", "H", "--body", "B", "--id", given.upper()) == given
    assert {str(each.messageIdentifier) for each in apple.get_message_list().messageIdentifiers} == {message, given}
    assert "not approved" in run(service, "default", "set", PRO, "en-US", message, code=1)
    for each in (image, message):
        app_store.judge(each)
    run(service, "default", "set", PRO, "en-US", message)
    assert str(apple.get_default_message(PRO, "en-US").messageIdentifier) == message
    assert run(service, "default", "show", PRO, "en-US") == message
    assert "no default message" in run(service, "default", "show", PRO, "de-DE", code=1)
    assert "does not know this locale" in run(service, "default", "set", PRO, "English", message, code=1)
    assert "a message uses the picture" in run(service, "images", "delete", image, code=1)
    assert json.loads(run(service, "messages", "list", "--json"))["items"] == [
        {"id": message, "state": "APPROVED"}, {"id": given, "state": "PENDING"}]
    run(service, "default", "delete", PRO, "en-US")
    run(service, "messages", "delete", message)
    run(service, "images", "delete", image)
    assert "has no message" in run(service, "messages", "delete", message, code=1)
    assert run(service, "images", "list") == ""


def test_what_the_app_store_would_refuse_is_not_sent(service, app_store, tmp_path):
    app_store.forget_requests()
    for name, content, reason in (
        ("wide.png", png(3841, 160), "3841 × 160"), ("clear.png", png(3840, 160, colour_type=6), "alpha"),
        ("photo.jpg", b"\xff\xd8\xff", "not a PNG"),
    ):
        (tmp_path / name).write_bytes(content)
        assert reason in run(service, "images", "upload", str(tmp_path / name), code=64)
    for arguments, reason in (
        (("--header", "x" * 67, "--body", "b"), "67"), (("--header", "h", "--body", "x" * 145), "145"),
        (("--header", "h", "--body", "b", "--image", str(uuid.uuid4()), "--alt-text", "x" * 151), "151"),
        (("--header", "h", "--body", "b", "--image", str(uuid.uuid4())), "--alt-text"),
    ):
        assert reason in run(service, "messages", "upload", *arguments, code=64)
    for url in ("http://a.example", "https://a.example/" + "x" * 256):
        assert "256" in run(service, "url", "set", url, code=64)
    assert "sandbox" in run(service, "performance-test", "start", "--environment", "production", "1", code=64)
    assert app_store.requests() == []


def test_the_url_and_apples_performance_test(service, app_store):
    url = "https://offers.example.com/v1/appstore/retention/com.example.app"
    assert "no URL" in run(service, "url", "show", code=1)
    assert "performance test" in run(service, "url", "set", url, code=1)
    run(service, "url", "set", "--environment", "sandbox", url)
    assert run(service, "url", "show", "--environment", "sandbox") == url
    customer = app_store.customer(environment="Sandbox")
    subscription = customer.start(PRO, at=int(time.time() * 1000) - 1000)
    app_store.add(customer)
    app_store.settings(retentionTargets={"Sandbox": "http://127.0.0.1:9/"})
    assert "name a sandbox purchase" in run(service, "performance-test", "start", "77", code=1)
    test = run(service, "performance-test", "start", subscription.original_id)
    result = ended(service, test)
    assert result.startswith(f"FAIL  {url}\n0 % succeeded\n") and "100 × SOCKET_ISSUE" in result
    assert "has no such performance test" in run(service, "performance-test", "show", str(uuid.uuid4()), code=1)
    run(service, "url", "delete", "--environment", "sandbox")
    assert "no URL" in run(service, "url", "show", "--environment", "sandbox", code=1)


def ended(service, test):
    """What `performance-test show` prints once the test is over."""
    def shown():
        text = service.cli("retention", "performance-test", "show", "--app", BUNDLE, test).stdout
        return None if text.startswith("PENDING") else text

    return wait_until(shown, message="the test does not end")


def test_without_access_to_retention_messaging(service, app_store):
    app_store.fault("retentionMessages", httpStatus=404)
    assert "ask Apple for access" in run(service, "messages", "list", code=1)
    app_store.clear_faults()
    app_store.fault("retentionMessages", errorCode=4030099, errorMessage="Something new.")
    assert "Something new." in run(service, "messages", "list", code=1)
    app_store.clear_faults()
