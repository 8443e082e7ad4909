"""Access keys: created and revoked while the service runs, limited, and kept as a digest only."""
import contextlib
import hashlib
import re
import socket
import sqlite3
import time

import pytest

from harness import wire
from harness.waiting import PATIENCE, wait_until


def created(service, *options):
    done = service.cli("access", "create", *options)
    assert done.returncode == 0, done.stderr
    token = done.stdout.strip()
    assert re.fullmatch(r"osk_[0-9a-f]{16}_[A-Za-z0-9_-]{43}", token)
    return token


def key_id(token):
    return token.split("_")[1]


def listed(service, token):
    """The line of an access key in `access list`."""
    done = service.cli("access", "list")
    assert done.returncode == 0, done.stderr
    [line] = [line for line in done.stdout.splitlines() if line.startswith(key_id(token))]
    return line


def status(service, token, body=None):
    return service.client(token=token).post("/v1/nonces", body or {"bundleId": service.bundle_id}).status_code


def test_an_access_key_works_as_soon_as_it_is_made_and_no_longer_a_second_after_it_is_revoked(instance):
    token = created(instance, "--role", "backend", "--note", "for a test")
    assert status(instance, token) == 200
    assert re.search(r"backend\s+active\s+.*never\s+all\s+for a test", listed(instance, token))
    done = instance.cli("access", "revoke", key_id(token))
    assert done.returncode == 0 and key_id(token) in done.stdout
    wait_until(lambda: status(instance, token) == 401, promised=1)
    assert " revoked " in listed(instance, token)


def test_a_request_whose_body_comes_after_its_key_was_revoked_does_nothing(instance):
    app = {"bundleId": instance.bundle_id}
    asked = {**app, "customerId": "late"}
    bodies = {
        "/v1/nonces": app, "/v1/eligibility": asked, "/v1/offers": asked, "/v1/signatures": instance.offer_body(),
        "/v1/history/transactions": {**asked, "signedTransactions": []},
        "/v1/admin/campaigns/reach": {**app, "audience": {"fact": "refunds.count", "is": 0}},
        "/v1/admin/access": {"role": "viewer", "note": "late"},
    }
    token, kept = (created(instance, "--role", "admin") for _ in range(2))
    wait_until(lambda: status(instance, token) == status(instance, kept) == 200)
    with contextlib.ExitStack() as ends:
        late = []
        for key in (token, kept):
            for path, body in bodies.items():
                connection = ends.enter_context(socket.create_connection(("127.0.0.1", instance.port), timeout=PATIENCE))
                whole = wire.request(path, body, key)
                connection.sendall(whole[:-5])
                late.append((key, path, connection, whole[-5:]))
        wait_until(lambda: all(wire.is_read(connection) for _, _, connection, _ in late))
        assert instance.cli("access", "revoke", key_id(token)).returncode == 0
        wait_until(lambda: status(instance, token) == 401)
        found = {}
        for key, path, connection, rest in late:
            connection.sendall(rest)
            found[path, key == kept] = int(connection.recv(65536).split()[1])
    assert {path: found[path, False] for path in bodies} == dict.fromkeys(bodies, 401)
    assert {path: found[path, True] for path in bodies} == {**dict.fromkeys(bodies, 200), "/v1/admin/access": 201}


def test_the_log_names_the_key_that_was_refused_if_its_secret_was_right(instance):
    token, viewer = created(instance), instance.tokens["viewer"]
    instance.cli("access", "revoke", key_id(token))
    wait_until(lambda: status(instance, token) == 401)
    for sent, code, caller in [
        (token, "unauthorized", key_id(token)), (viewer, "forbidden", key_id(viewer)), (viewer + "x", "unauthorized", None),
    ]:
        answer = instance.client(token=sent).post("/v1/nonces", {})
        assert answer.json()["code"] == code
        [line] = instance.log_lines_of(answer.headers["x-request-id"])
        assert line.get("caller") == caller


def test_a_note_of_white_space_is_refused_at_every_door(instance):
    done = instance.cli("access", "create", "--note", " \t")
    assert done.returncode != 0 and done.stdout == "" and "--note is empty" in done.stderr, done.stderr
    problem = instance.client("security").post("/v1/admin/access", {"role": "client", "note": " \t"}).json()
    assert problem["code"] == "invalid-field" and problem["fields"] == [{"name": "note", "reason": "is empty"}], problem


def test_revoking_takes_a_whole_key_and_never_repeats_it(instance):
    token = created(instance)
    assert instance.cli("access", "revoke", token).stdout == f"revoked {key_id(token)}\n"
    unknown = token.replace(key_id(token), "0" * 16)
    done = instance.cli("access", "revoke", unknown)
    assert done.returncode != 0 and token.split("_", 2)[2] not in done.stdout + done.stderr
    wait_until(lambda: status(instance, token) == 401)


def test_a_revoked_key_stays_revoked_after_a_restart(new_service):
    service = new_service()
    token = created(service)
    service.cli("access", "revoke", key_id(token))
    service.stop()
    service.start()
    assert status(service, token) == 401 and status(service, service.tokens["client"]) == 200


def test_a_key_for_named_apps_is_for_no_other(instance):
    token = created(instance, "--app", "com.example.news")
    client = instance.client(token=token)
    assert status(instance, token, {"bundleId": "com.example.news"}) == 200
    for path, body in [
        ("/v1/nonces", {"bundleId": "com.example.app"}),
        ("/v1/signatures", instance.offer_body()),
        ("/v1/nonces", {"bundleId": "com.example.unknown"}),
    ]:
        assert client.problem(path, body) == (403, "forbidden", [])
    both = created(instance, "--app", "com.example.news", "--app", "com.example.app")
    assert [status(instance, both, {"bundleId": name}) for name in ("com.example.news", "com.example.app")] == [200, 200]


def test_a_key_for_one_app_need_not_name_it_and_one_for_several_must(instance):
    token = created(instance, "--app", "com.example.news")
    offers = {"offers": [{"productId": "com.example.news.monthly", "offerId": "comeback"}]}
    instance.client(token=token).sign(offers)
    assert instance.client().problem("/v1/signatures", offers) == (400, "invalid-field", ["bundleId"])


def test_a_key_expires(new_service):
    """The command line knows days only, so the key that ends soon is made with the API."""
    service = new_service()
    token = created(service, "--expires-in-days", "1")
    assert status(service, token) == 200
    with sqlite3.connect(service.store, timeout=PATIENCE) as connection:
        [(created_at, expires_at)] = connection.execute("SELECT created_at, expires_at FROM access WHERE id = ?", [key_id(token)])
        assert expires_at - created_at == 86_400_000
    connection.close()
    end = int(time.time() * 1000) + 3000
    made = service.client("security").post("/v1/admin/access", {"role": "client", "note": "ends soon", "expiresAt": end})
    assert made.status_code == 201, made.text
    token = made.json()["accessKey"]
    wait_until(lambda: status(service, token) == 401)
    assert time.time() * 1000 >= end
    assert " expired " in listed(service, token)


def test_only_the_sha_256_of_a_secret_is_stored(new_service):
    service = new_service()
    tokens = [created(service), *service.tokens.values()]
    service.client().sign(service.offer_body())
    with service.database() as connection:
        digests = dict(connection.execute("SELECT id, secret_digest FROM access").fetchall())
    files = list(service.folder.glob("offersigner*.sqlite*"))
    contents = b"".join(file.read_bytes() for file in files)
    for token in tokens:
        _, name, secret = token.split("_", 2)
        assert digests[name] == hashlib.sha256(secret.encode()).digest()
        assert name.encode() in contents, "the store is not where this test looks"
        assert secret.encode() not in contents


def test_listing_shows_no_secret(instance):
    token = created(instance)
    done = instance.cli("access", "list")
    assert key_id(token) in done.stdout
    for each in [token, *instance.tokens.values()]:
        assert each.split("_", 2)[2] not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["create", "--role", "owner"], "owner"),
        (["create", "--app", "com.example.unknown"], "com.example.unknown"),
        (["create", "--expires-in-days", "0"], "expires-in-days"),
        (["create", "--expires-in-days", "-1"], "expires-in-days"),
        (["create", "--expires-in-days", "soon"], "expires-in-days"),
        (["revoke", "0000000000000000"], "0000000000000000"),
        (["revoke"], "id"),
    ],
)
def test_a_mistaken_access_command_says_what_is_wrong_and_changes_nothing(instance, arguments, word):
    before = instance.counts()
    done = instance.cli("access", *arguments)
    assert done.returncode != 0 and word in done.stderr and done.stdout == ""
    assert instance.counts() == before
