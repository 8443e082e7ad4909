"""The console in a real browser: the whole rotation, as the security engineer does it, and what an attacker tries."""
import contextlib
import html
import http.client
import json
import re
import socket
import sqlite3
import time
from urllib.parse import urlencode

import httpx
import pytest
from playwright.sync_api import expect

from harness import wire
from harness.browser import Visit, chromium
from harness.checks import openssl
from harness.waiting import PATIENCE, wait_until

APP = "com.example.app"
HOSTILE = '"><script>document.title="owned"</script><img src=x onerror=alert(1)>\u0022\u0301 onfocus=alert(2) autofocus x="'


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture
def visit(browser):
    made = []

    def make(service, **options):
        made.append(Visit(browser, service, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


def access_key(service, role="security", *options):
    made = service.cli("access", "create", "--role", role, "--note", f"{role}-1", *options)
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


def key_file(tmp_path, key_id):
    file = tmp_path / f"SubscriptionKey_{key_id}.p8"
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file)
    return file


@pytest.mark.parametrize("options", [{}, {"size": "narrow", "looks": False}, {"size": "narrow", "scripts": False}], ids=["whole", "narrow", "without scripts"])
def test_a_whole_rotation(new_service, visit, tmp_path, options):
    service = new_service()
    service.client().sign(service.offer_body())
    key = access_key(service)
    window = visit(service, **options)
    page = window.page
    page.goto("/console/keys")
    window.look("sign-in")
    page.get_by_label("Access key").fill("osk_mistyped")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("This key does not work")).to_be_visible()
    page.get_by_label("Access key").fill(key)
    page.get_by_role("button", name="Sign in").click()
    # Back to what was asked for.
    page.wait_for_url("**/console/keys")
    window.look("keys")
    page.get_by_label("Key file").set_input_files(key_file(tmp_path, "BROWSER123"))
    page.get_by_role("button", name="Test and stage").click()
    expect(page.get_by_text("The key is staged")).to_be_visible()
    window.look("keys-staged")
    page.get_by_role("link", name=f"Activate BROWSER123 for {APP}").click()
    window.look("key-activate")
    page.get_by_label("Reason").fill("planned rotation")
    page.get_by_role("button", name="Activate").click()
    expect(page.get_by_text("Done: the key signs from now on")).to_be_visible()
    assert service.client().sign(service.offer_body())[0]["keyIdentifier"] == "BROWSER123"
    window.look("keys-rotated")
    # The other app signs with the old key still; once it does not, a day after the last signature.
    assert page.get_by_text("Do not revoke it in App Store Connect yet").count() == 1
    other = page.get_by_role("link", name=re.compile("Activate BROWSER123 for com.example.news"))
    if other.count():
        other.click()
        page.get_by_role("button", name="Activate").click()
        assert page.get_by_text("Safe to revoke in App Store Connect after").count() >= 1
    page.get_by_role("link", name=f"Roll {APP} back from BROWSER123").click()
    window.look("key-rollback")
    page.get_by_role("button", name="Roll back").click()
    assert service.client().sign(service.offer_body())[0]["keyIdentifier"] == "EXAMPLE123"
    page.get_by_role("link", name=f"Revoke EXAMPLE123 for {APP}").click()
    window.look("key-revoke")
    page.get_by_label("Reason").fill("laptop lost")
    page.get_by_label("Type the key id to confirm").fill("EXAMPLE12")
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("This is not the id of the key")).to_be_visible()
    assert page.get_by_label("Reason").input_value() == "laptop lost"
    window.look("key-revoke-mistyped")
    page.get_by_label("Type the key id to confirm").fill("EXAMPLE123")
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("Done: the key signs nothing for this app any more")).to_be_visible()
    # The staged one has taken over in the same step.
    assert service.client().sign(service.offer_body())[0]["keyIdentifier"] == "BROWSER123"
    page.goto("/console/")
    window.look("overview")
    window.show("narrow")
    page.get_by_role("button", name="Menu").click()
    window.shoot("menu")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/console/sign-in")
    # Browsers report the answer 422 of a form with errors as one.
    assert [each for each in window.complaints if "422" not in each] == []


def test_two_persons_decide(new_service, visit):
    service = new_service(extra=f"apps: [{{bundleId: {APP}, twoPersonKeys: true}}]\n")
    first, second = visit(service), visit(service)
    first.sign_in(access_key(service))
    second.sign_in(access_key(service, "admin"))
    first.page.goto(f"/console/keys/EXAMPLE123/revoke?app={APP}")
    first.page.get_by_label("Reason").fill("found in a public repository")
    first.page.get_by_label("Type the key id to confirm").fill("EXAMPLE123")
    first.page.get_by_label("None").check()
    first.page.get_by_role("button", name="Ask for confirmation and revoke").click()
    expect(first.page.get_by_text("Another person has to confirm.")).to_be_visible()
    assert first.page.get_by_role("button", name="Confirm and revoke now").count() == 0
    assert service.client().sign(service.offer_body())
    second.page.goto("/console/keys")
    expect(second.page.get_by_text("found in a public repository")).to_be_visible()
    second.look("keys-pending")
    second.page.get_by_role("button", name="Confirm and revoke now").click()
    expect(second.page.get_by_text("two persons have decided it")).to_be_visible()
    assert service.client().post("/v1/signatures", service.offer_body()).status_code == 503


def staffed(service):
    """Makes the access keys of a shop in place of those of the instance, for the picture in the manual; gives that of the security engineer."""
    admin = service.client(token=access_key(service, "admin"))
    for each in admin.get("/v1/admin/access").json()["items"]:
        if each["note"] == "instance":
            assert admin.request("DELETE", f"/v1/admin/access/{each['id']}").status_code == 200
    in_a_year = int(time.time() * 1000) + 365 * 86_400_000
    for note, role, limits in [
            ("shop backend", "backend", {"bundleIds": [APP], "expiresAt": in_a_year}), ("iOS app", "client", {"bundleIds": [APP], "expiresAt": in_a_year}),
            ("ann", "marketing", {"bundleIds": [APP]}), ("ben", "approver", {"bundleIds": [APP]}), ("eve", "security", {})]:
        made = admin.post("/v1/admin/access", {"role": role, "note": note, **limits}).json()["accessKey"]
    return made


def test_access_keys_are_made_and_revoked(new_service, visit):
    service = new_service()
    key = staffed(service)
    window = visit(service)
    page = window.page
    window.sign_in(key)
    page.get_by_role("link", name="Access").click()
    window.look("access")
    page.get_by_label("Note").fill("viewer-7")
    page.get_by_label("Time zone").fill("Mars")
    page.get_by_label("Viewer").check()
    page.get_by_role("button", name="Create access key").click()
    assert page.get_by_role("alert").get_by_role("link").all_inner_texts() == [
        "The time zone must be an IANA time zone, such as Europe/Berlin.", "No app is chosen. Choose at least one, or all apps."]
    window.look("access-errors")
    assert page.get_by_label("Note").input_value() == "viewer-7" and page.get_by_label("Viewer").is_checked()
    page.get_by_label("Time zone").fill("Europe/Berlin")
    page.get_by_label(APP, exact=True).check()
    page.get_by_role("button", name="Create access key").click()
    secret = page.locator("#secret").input_value()
    window.look("access-made")
    page.reload()
    assert page.locator("#secret").count() == 0 or page.locator("#secret").input_value() != ""
    viewer = visit(service)
    viewer.sign_in(secret)
    viewer.page.wait_for_url("**/console/")
    assert viewer.page.get_by_role("link", name="Signing keys").count() == 0
    viewer.page.goto("/console/keys")
    expect(viewer.page.get_by_text("those that may: security, admin")).to_be_visible()
    viewer.look("forbidden")
    page.goto("/console/access")
    page.get_by_role("link", name="Revoke viewer-7").first.click()
    window.look("access-revoke")
    page.get_by_role("button", name="Revoke the access key").click()
    expect(page.get_by_text("does not work any more")).to_be_visible()
    wait_until(lambda: "sign-in" in (viewer.page.goto("/console/") and viewer.page.url), promised=1)


def test_the_audit_log_is_read_filtered_and_verified(new_service, visit):
    service = new_service()
    service.client().sign(service.offer_body())
    key = access_key(service)
    window = visit(service)
    page = window.page
    window.sign_in(key)
    page.get_by_role("link", name="Audit log").click()
    expect(page.get_by_role("cell", name="Signed in")).to_be_visible()
    expect(page.get_by_text("1 signature or refusal left out by “All changes”.")).to_be_visible()
    window.look("audit")
    page.get_by_label("What").select_option("Access")
    page.get_by_role("button", name="Show").click()
    assert page.get_by_role("row").count() >= 2 and page.get_by_role("cell", name="Signed in").count() == 0
    page.get_by_label("What").select_option("Signatures")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("cell", name="Signature made")).to_be_visible()
    page.get_by_label("Contains").fill("nothing like this")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("No rows match.")).to_be_visible()
    # A form writes a space as "+".
    expect(page.get_by_label("Contains")).to_have_value("nothing like this")
    page.get_by_role("button", name="Verify now").click()
    expect(page.get_by_text("Chain verified")).to_be_visible()
    # What was found stays on the page, with its time.
    page.reload()
    expect(page.get_by_text("Chain verified")).to_be_visible()
    expect(page.get_by_text("Checked")).to_be_visible()
    window.look("audit-verified")
    assert window.complaints == []
    service.stop()
    with sqlite3.connect(service.store) as store:
        store.execute("UPDATE audit_event SET actor = 'somebody else' WHERE action = 'console.sign-in'")
    service.start()
    window = visit(service)
    window.sign_in(key)
    window.page.goto("/console/audit")
    window.page.get_by_role("button", name="Verify now").click()
    expect(window.page.get_by_role("heading", name="The log was changed")).to_be_visible()


def test_an_address_that_no_page_has_is_answered_with_a_page(new_service, visit):
    service = new_service()
    window = visit(service)
    assert window.page.goto("/console/nothing/here").status == 404
    expect(window.page.get_by_role("heading", name="No such page")).to_be_visible()
    window.sign_in(access_key(service))
    window.page.wait_for_url("**/console/")
    assert window.page.goto("/console/nothing/here").status == 404
    expect(window.page.get_by_role("heading", name="No such page")).to_be_visible()
    expect(window.page.get_by_role("link", name="Signing keys")).to_be_visible()
    window.look("no-such-page")
    # Of the API it stays a problem document.
    assert httpx.get(f"{service.url}/v1/nothing").headers["content-type"].startswith("application/problem+json")


def test_the_filter_of_the_audit_log_names_the_keys_of_the_readers_apps_only(new_service, visit):
    service = new_service()
    for note, app in [("of-this-app", APP), ("of-another-app", "com.example.news")]:
        made = service.cli("access", "create", "--role", "backend", "--note", note, "--app", app)
        assert made.returncode == 0, made.stderr
    window = visit(service)
    window.sign_in(access_key(service, "viewer", "--app", APP))
    window.page.wait_for_url("**/console/")
    window.page.goto("/console/audit")
    named = window.page.get_by_label("Who").locator("option").all_inner_texts()
    assert "of-this-app" in named and "viewer-1" in named and "of-another-app" not in named


def exported(client, query=""):
    answer = client.get(f"/console/audit.jsonl{query}")
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/jsonl" and answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-disposition"] == 'attachment; filename="audit.jsonl"'
    return [json.loads(line) for line in answer.text.splitlines()]


def test_what_the_page_of_the_audit_log_shows_can_be_exported(new_service, visit):
    service = new_service(extra="apps: [{bundleId: com.example.other}]\n")
    for _ in range(250):
        service.client().sign(service.offer_body())
    window = visit(service)
    page = window.page
    window.sign_in(access_key(service))
    page.goto("/console/audit")
    page.get_by_label("What").select_option("Signatures")
    page.get_by_label("Contains").fill(service.offer)
    page.get_by_role("button", name="Show").click()
    window.look("audit-signatures")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export JSON Lines").click()
    lines = [json.loads(line) for line in open(download.value.path(), encoding="utf-8")]
    # More than one page of rows, each once, the newest first, as the API has them and as the log has sealed them.
    assert [line["row"] for line in lines] == list(range(250, 0, -1)) and {line["action"] for line in lines} == {"signature.made"}
    viewer, _ = signed_in(service, access_key(service, "viewer"))
    shown = service.client(token=access_key(service, "viewer")).get("/v1/admin/audit?action=signature.made&limit=50").json()["items"]
    assert lines[:50] == shown
    whole = [json.loads(line) for line in service.cli("audit", "export").stdout.splitlines()]
    links = {row["id"]: row["link"] for row in whole if row["type"] == "row" and row["table"] == "signed_request"}
    assert {line["row"]: line["link"] for line in lines} == links
    everything = exported(viewer, "?what=everything")
    assert len({(line["table"], line["row"]) for line in everything}) == len(everything) > 255
    assert exported(viewer, "?what=signatures&q=nothing+like+this") == []
    assert {line["action"] for line in exported(viewer, "?what=sign-ins")} == {"console.sign-in"}
    # Who may see one app gets rows of no other.
    limited, _ = signed_in(service, access_key(service, "viewer", "--app", "com.example.other"))
    assert {line["bundleId"] for line in exported(limited, "?what=everything")} <= {"com.example.other"}
    assert limited.get(f"/console/audit.jsonl?app={APP}").status_code == 403
    marketing, _ = signed_in(service, access_key(service, "marketing"))
    assert marketing.get("/console/audit.jsonl").status_code == 403
    assert httpx.get(f"{service.url}/console/audit.jsonl").status_code == 303
    head = viewer.head("/console/audit.jsonl?what=everything")
    assert head.status_code == 200 and head.content == b"" and head.headers["content-type"] == "application/jsonl"
    assert window.complaints == []


@pytest.fixture
def with_a_long_log(new_service):
    """A service with 100,000 rows in its audit log, 60 MB of export, that closes silent connections after a second."""
    service = new_service(extra="http: {idleTimeoutSeconds: 1}\nconsole: {idleMinutes: 30}\n")
    service.stop()
    with sqlite3.connect(service.store) as store:
        last = store.execute("SELECT max(id) FROM audit_event").fetchone()[0]
        store.executemany(
            "INSERT INTO audit_event (id, at, actor, action, bundle_id, reason, request_id, chain, link)"
            " VALUES (?, ?, 'a', 'customer.bind', ?, ?, 'r', 1, zeroblob(32))",
            ((last + number, 1_700_000_000_000 + number, APP, "x" * 300) for number in range(1, 100_001)))
    service.start()
    return service


def test_a_long_export_takes_no_memory_and_waits_for_who_reads_slowly(with_a_long_log):
    service = with_a_long_log
    client, _ = signed_in(service, access_key(service))
    before = service.memory("VmHWM")
    with client.stream("GET", "/console/audit.jsonl?what=customers", timeout=60) as answer:
        received, lines = 0, 0
        for number, part in enumerate(answer.iter_bytes(1 << 20)):
            received, lines = received + len(part), lines + part.count(b"\n")
            # Far longer in all than a silent connection may last; never as long at a time.
            if number % 8 == 0:
                time.sleep(0.5)
    assert lines == 100_000 and received > 50_000_000
    assert service.memory("VmHWM") - before < 40, "the export was held in memory"
    # Who does not read at all is let go, and so is a service that is to stop.
    for patience in (4, 16, 64):
        with client.stream("GET", "/console/audit.jsonl?what=customers", timeout=60) as answer:
            time.sleep(patience)
            with contextlib.suppress(httpx.HTTPError):
                # What a slow machine has not written yet is nothing that is not read.
                for _ in answer.iter_bytes():
                    pass
                continue
        break
    else:
        pytest.fail("it waits for ever")
    with client.stream("GET", "/console/audit.jsonl?what=customers", timeout=60) as answer:
        service.stop()
        with pytest.raises(httpx.HTTPError):
            for _ in answer.iter_bytes():
                pass


def refuse(service, minutes_ago, *reasons, app=APP):
    """Puts a row of refusals where the store has them, with a time of its own."""
    offers = json.dumps([["p", "o", reason] for reason in reasons])
    with sqlite3.connect(service.store) as store:
        store.execute(
            "INSERT INTO refused_request (id, refused_at, bundle_id, caller, request_id, offers, chain, link)"
            " VALUES ((SELECT coalesce(max(id), 0) + 1 FROM refused_request), ?, ?, 'c', 'r', ?, 0, zeroblob(32))",
            (int(time.time() * 1000) - minutes_ago * 60_000, app, offers))


def test_the_overview_has_the_figures_of_the_last_24_hours(new_service, visit):
    service = new_service(extra="apps: [{bundleId: com.example.other}]\n")
    # From before the restart, and from before the last day.
    for ago, reasons in [(1500, ["never-subscribed"]), (300, ["never-subscribed"] * 5), (30, ["no-history", "of-another-release"])]:
        refuse(service, ago, *reasons)
    refuse(service, 1, "renewal-unconfirmed", app="com.example.other")
    for count in (3, 1, 2):
        service.client().sign(service.offer_body(offers=[service.offer_body()["offers"][0]] * count))
    with sqlite3.connect(service.store) as store:
        store.execute("UPDATE signed_request SET signed_at = signed_at - 1800000 WHERE id = 1")
        store.execute("UPDATE signed_request SET signed_at = signed_at - 900000 WHERE id = 2")
    service.stop()
    service.start()
    window = visit(service)
    page = window.page
    window.sign_in(access_key(service))
    page.wait_for_url("**/console/")
    stats = dict(zip(page.locator(".stat dt").all_inner_texts(), page.locator(".stat").all_inner_texts()))
    assert "\n6\noffers, last 24 h" in stats["Signed"]
    assert "\n8\n57.1\u00a0% of 14 offers, last 24 h" in stats["Refused"]
    # Of this process: it was started a moment ago.
    assert "\n–\n0 signature requests to this process since" in stats["Time to answer"]
    assert [row.split("\t")[-1].strip() for row in page.locator(".bars tbody tr").all_inner_texts()] == ["5", "1", "1", "1"]
    assert "Never subscribed to this app" in page.locator(".bars tbody tr").first.inner_text()
    assert page.locator(".bars").get_by_text("of-another-release").count() == 1
    assert page.locator(".plot .bar").count() == 60
    page.get_by_text("Show the numbers").click()
    assert sum(int(text) for text in page.locator(".chart td:nth-child(2)").all_inner_texts()) == 6
    assert [row.split() for row in page.get_by_role("row").filter(has_text="com.example.other").all_inner_texts()][0][-1] == "1"
    service.client().sign(service.offer_body())
    wait_until(lambda: page.goto("/console/") and "\n7\n" in page.locator(".stat").first.inner_text())
    assert re.search(r"Time to answer\n[\d.]+ ?m?s\n99 of 100 took no longer.*1 signature request to this process since", page.locator(".stats").inner_text())
    window.look("overview-figures")
    # Who may see one app sees its figures.
    other = visit(service)
    other.sign_in(access_key(service, "viewer", "--app", "com.example.other"))
    other.page.wait_for_url("**/console/")
    assert re.search(r"Signed\n0\n[\s\S]*Refused\n1\n", other.page.locator(".stats").inner_text())
    assert other.page.get_by_text("Never subscribed").count() == 0 and other.page.get_by_text("By app").count() == 0
    other.look("overview-one-app")
    assert window.complaints == other.complaints == []


def test_a_link_signs_in_once(new_service, visit):
    service = new_service()
    link = service.cli("console", "link", "--base-url", service.url).stdout.strip()
    # Who only looks at it, such as a mail filter, does not use it up.
    assert httpx.get(link).status_code == 200
    window = visit(service)
    window.page.goto(link)
    window.page.get_by_role("button", name="Sign in").click()
    window.page.wait_for_url("**/console/")
    expect(window.page.get_by_text("administrator")).to_be_visible()
    other = visit(service)
    other.page.goto(link)
    other.page.get_by_role("button", name="Sign in").click()
    expect(other.page.get_by_text("This link does not work any more")).to_be_visible()
    window.page.goto("/console/sessions")
    expect(window.page.get_by_text("1 session")).to_be_visible()
    window.look("sessions")
    window.page.get_by_role("button", name="Sign out everywhere").click()
    window.page.goto("/console/")
    window.page.wait_for_url("**/console/sign-in**")


def signed_in(service, key):
    client = httpx.Client(base_url=service.url)
    answer = client.post("/console/sign-in", data={"key": key})
    assert answer.status_code == 303 and answer.headers["location"] == "/console/"
    return client, answer


def form_token(client, path="/console/keys"):
    return re.search(r'name="formToken" value="([0-9a-f]+)"', client.get(path).text)[1]


@pytest.mark.parametrize(
    ("path", "fields", "keeps"),
    [
        ("/console/keys/EXAMPLE123/revoke", {"app": APP, "reason": "x", "typed": "EXAMPLE123", "next": ""}, False),
        (f"/console/apps/{APP}/campaigns/new", {"name": "Said & meant"}, True),
    ])
def test_a_form_whose_session_ends_while_it_arrives_does_nothing(new_service, path, fields, keeps):
    service = new_service()
    key = access_key(service, "admin")
    for ends in (True, False):
        client, _ = signed_in(service, key)
        form = urlencode({**fields, "formToken": form_token(client)}).encode()
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items()),
            "Content-Type": "application/x-www-form-urlencoded"}
        sent = wire.request(path, form, None, headers).replace(b"Content-Type: application/json\r\n", b"")
        with socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) as connection:
            connection.sendall(sent[:-5])
            wait_until(lambda: wire.is_read(connection))
            if ends:
                assert client.post("/console/sign-out", data={"formToken": form_token(client)}).status_code == 303
            connection.sendall(sent[-5:])
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            page, place = answer.read().decode(), answer.headers.get("location", "")
        if not ends:
            # The same form of a session that goes on acts.
            assert answer.status in (303, 422) and "sign-in" not in place
        elif keeps:
            assert answer.status == 401 and "what you wrote is kept" in page and "name=Said+%26+meant" in html.unescape(page)
        else:
            assert answer.status == 303 and place.startswith("/console/sign-in")
            assert service.client().sign(service.offer_body())


def test_what_an_attacker_tries_is_harmless(new_service):
    service = new_service()
    key = access_key(service)
    client, answer = signed_in(service, key)
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    page = client.get("/console/keys")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert page.headers["x-frame-options"] == "DENY" and page.headers["cache-control"] == "no-store"
    assert not re.search(r"<script(?![^>]*\bsrc=)|\bstyle=|\bon\w+=", page.text), "something inline"
    change = {"app": APP, "reason": "x", "typed": "EXAMPLE123", "next": ""}
    other, _ = signed_in(service, key)
    attempts = [
        (client, {}, {}), (client, {"formToken": "0" * 64}, {}), (client, {"formToken": form_token(other)}, {}),
        (client, {"formToken": form_token(client)}, {"Sec-Fetch-Site": "cross-site"}),
        (client, {"formToken": form_token(client)}, {"Origin": "https://evil.example"}),
        (client, {"formToken": form_token(client)}, {"Origin": "null"}),
    ]
    for who, fields, headers in attempts:
        answer = who.post("/console/keys/EXAMPLE123/revoke", data={**change, **fields}, headers=headers)
        assert answer.status_code == 403, answer.text
    # A form from a person who is not signed in, and of a session after sign-out.
    token = form_token(client)
    stolen = httpx.Client(base_url=service.url, cookies=client.cookies)
    assert client.post("/console/sign-out", data={"formToken": token}).status_code == 303
    for who in (httpx.Client(base_url=service.url), stolen):
        answer = who.post("/console/keys/EXAMPLE123/revoke", data={**change, "formToken": token})
        assert answer.status_code == 303 and answer.headers["location"].startswith("/console/sign-in")
    assert service.client().sign(service.offer_body())
    # The token of an access key opens no page, and no cookie the API.
    assert httpx.get(f"{service.url}/console/keys", headers={"Authorization": f"Bearer {key}"}).status_code == 303
    assert other.get("/v1/admin/keys").status_code == 401
    for next_page in ("https://evil.example/", "//evil.example/", "/console/../../x", "/console/%2E./x", "/console/\\evil"):
        answer = httpx.post(f"{service.url}/console/sign-in", data={"key": key, "next": next_page})
        assert answer.headers["location"] == "/console/"
    # Only a form of a campaign is sent again, and none that is longer than what is kept.
    for next_page, kept in (("/console/sign-in", "key=evil"), (f"/console/apps/{APP}/campaigns/new", "a=" + "x" * 33_000)):
        answer = httpx.post(f"{service.url}/console/sign-in", data={"key": key, "next": next_page, "kept": kept})
        assert answer.status_code == 303 and answer.headers["location"] == next_page
    # A link on the page cannot make it sign in another person's session.
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
        answer = httpx.post(f"{service.url}/console/sign-in", data={"key": key}, headers=headers)
        assert answer.status_code == 403 and "set-cookie" not in answer.headers
    programs = httpx.post(f"{service.url}/console/sign-in", data={"key": access_key(service, "backend")})
    assert programs.status_code == 422 and "for programs" in programs.text
    for sent, status in [({"link": "x"}, 422)] * 5 + [({"key": "x"}, 422)] * 5 + [({"key": key}, 429), ({"link": "x"}, 429)]:
        answer = httpx.post(f"{service.url}/console/sign-in", data={**sent, "kept": "a=b"})
        assert (answer.status_code, 'value="a=b"' in answer.text) == (status, True)


def test_markup_in_what_people_write_stays_text(new_service, visit, tmp_path):
    service = new_service()
    key = service.cli("access", "create", "--role", "admin", "--note", HOSTILE).stdout.strip()
    (service.folder / "keys" / "SubscriptionKey_<b>x.p8").write_text("no key")
    window = visit(service)
    window.sign_in(key)
    page = window.page
    page.goto(f"/console/keys/EXAMPLE123/activate?app={APP}")
    page.get_by_label("Reason").fill(HOSTILE)
    page.get_by_role("button", name="Activate").click()
    for path in ("/console/", "/console/keys", "/console/access", "/console/sessions", "/console/keys/%3Cscript%3E/activate?app=%3Cb%3E"):
        page.goto(path)
        assert page.title() != "owned" and page.locator("[onfocus], [onerror], main script").count() == 0, path
    assert [each for each in window.complaints if "404" not in each and "409" not in each and "422" not in each] == []


def test_wrong_keys_are_slowed_down(new_service):
    service = new_service()
    codes = []
    # Ten at once, and ten a minute: a slow machine gets some more.
    while 429 not in codes and len(codes) < 60:
        codes.append(httpx.post(f"{service.url}/console/sign-in", data={"key": "osk_x_y"}, timeout=PATIENCE).status_code)
    assert codes[:10] == [422] * 10 and codes[-1] == 429


def test_a_session_ends_by_itself(new_service):
    service = new_service(extra="console: {idleMinutes: 1}\n")
    client, _ = signed_in(service, access_key(service))
    assert client.get("/console/keys").status_code == 200
    with sqlite3.connect(service.store) as store:
        store.execute("UPDATE console_session SET used_at = used_at - 61000")
    assert client.get("/console/keys").status_code == 303
