"""App Store Server Notifications of both versions: who is believed, what they change, and that none is lost."""
import asyncio
import contextlib
import json
import random
import threading
import uuid

import pytest

from harness import wire
from harness.app_store import BUNDLE, SHARED_SECRET
from harness.purchases import DAY, HOUR, PRO, TEAM, active, ago, eligibility, lapsed, now, summary, verdict
from harness.scale import scaled
from harness.waiting import PATIENCE, wait_until
from AppStoreServer import notifications

PATH = f"/v1/appstore/notifications/{BUNDLE}"
TYPES = [
    "SUBSCRIBED", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "OFFER_REDEEMED", "DID_RENEW", "EXPIRED",
    "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "PRICE_INCREASE", "REFUND", "REFUND_DECLINED", "CONSUMPTION_REQUEST",
    "RENEWAL_EXTENDED", "REVOKE", "TEST", "RENEWAL_EXTENSION", "REFUND_REVERSED", "EXTERNAL_PURCHASE_TOKEN", "ONE_TIME_CHARGE",
    "RESCIND_CONSENT", "METADATA_UPDATE", "MIGRATION", "PRICE_CHANGE",
]
SUBTYPES = [
    "ACCEPTED", "ACTIVE_TOKEN_REMINDER", "AUTO_RENEW_DISABLED", "AUTO_RENEW_ENABLED", "BILLING_RECOVERY", "BILLING_RETRY",
    "CREATED", "DOWNGRADE", "FAILURE", "GRACE_PERIOD", "INITIAL_BUY", "PENDING", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE",
    "RESUBSCRIBE", "SUMMARY", "UPGRADE", "UNREPORTED", "VOLUNTARY",
]
TYPES_V1 = [
    "INITIAL_BUY", "CANCEL", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW", "DID_RECOVER",
    "DID_RENEW", "INTERACTIVE_RENEWAL", "PRICE_INCREASE_CONSENT", "REFUND", "REVOKE", "CONSUMPTION_REQUEST", "RENEWAL",
]


@pytest.fixture(scope="module")
def apple(enforcing):
    """The App Store has no access key."""
    return enforcing.client(token="")


@pytest.fixture(scope="module")
def life(app_store):
    return active(app_store.customer())


def post(apple, body, path=PATH):
    answer = apple.post(path, body)
    assert answer.status_code == 200, answer.text
    assert "ratelimit" not in answer.headers
    return answer.json()["status"]


def kept(service):
    """Everything that was received: (version, type, subtype)."""
    with service.database(service.histories) as connection:
        return [tuple(row) for row in connection.execute("SELECT version, type, subtype FROM notification ORDER BY rowid")]


def keys(service):
    """What distinguishes notifications: version 2's UUIDs, as text."""
    with service.database(service.histories) as connection:
        return [row["key"].decode(errors="replace") for row in connection.execute("SELECT key FROM notification")]


def url(service):
    return f"{service.url}{PATH}"


def subscription_state(service, subscription):
    return eligibility(service, transactionId=subscription.original_id)["subscription"]["state"]


# Version 2


@pytest.mark.parametrize(
    ("kind", "subtype"),
    [(kind, None) for kind in [*TYPES, "SOMETHING_NEW"]] + [("DID_RENEW", subtype) for subtype in [*SUBTYPES, "SOMETHING_NEW"]],
)
def test_every_type_and_subtype_is_stored_unknown_ones_too(enforcing, apple, app_store, life, kind, subtype):
    body = notifications.v2(app_store.authority, life, kind, subtype)
    assert post(apple, body) == "stored"
    assert kept(enforcing)[-1] == (2, kind, subtype)


@pytest.mark.parametrize(
    ("kind", "about"),
    [
        ("TEST", {"data": {"bundleId": BUNDLE, "appAppleId": 1234567890, "environment": "Production"}}),
        ("RENEWAL_EXTENSION", {"summary": {
            "requestIdentifier": "r", "bundleId": BUNDLE, "appAppleId": 1234567890, "environment": "Production", "productId": PRO,
            "succeededCount": 5, "failedCount": 0,
        }}),
        ("EXTERNAL_PURCHASE_TOKEN", {"externalPurchaseToken": {
            "externalPurchaseId": "b2158121-7af9-49d4-9561-1f588205523e", "tokenCreationDate": 1698148950000, "bundleId": BUNDLE,
            "appAppleId": 1234567890,
        }}),
        ("RESCIND_CONSENT", {"appData": {
            "bundleId": BUNDLE, "appAppleId": 1234567890, "environment": "Production", "signedAppTransactionInfo": "x.y.z",
        }}),
        ("SUBSCRIBED", {"data": {
            "bundleId": BUNDLE, "appAppleId": 1234567890, "environment": "Production", "somethingNew": {"a": [1, 2.5, None]},
        }, "somethingElse": True}),
    ],
    ids=["data", "summary", "token", "app data", "new fields"],
)
def test_notifications_about_no_transaction_are_stored_too(enforcing, apple, app_store, life, kind, about):
    body = notifications.v2(app_store.authority, life, kind, fields={"data": None, **about})
    assert post(apple, body) == "stored" and kept(enforcing)[-1] == (2, kind, None)


def test_a_notification_tells_of_a_subscription_that_no_other_source_has_named(enforcing, apple, app_store):
    token = str(uuid.uuid4())
    customer = app_store.customer(app_account_token=token)
    subscription = customer.start(PRO, at=ago(DAY), intro=True, intro_period="P1W")
    assert post(apple, notifications.v2(app_store.authority, subscription)) == "stored"
    found = eligibility(enforcing, appAccountToken=token)
    assert summary(found) == (
        "active", ("ineligible", ["introductory-offer-used", "current-subscriber"], subscription.original_id),
        ("eligible", ["active-subscriber"], subscription.original_id),
    )
    assert found["subscription"]["willRenew"] is True


def test_the_state_follows_the_notifications(enforcing, apple, app_store):
    subscription = app_store.customer().start(PRO, at=ago(31 * DAY))

    def told():
        post(apple, notifications.v2(app_store.authority, subscription))
        return subscription_state(enforcing, subscription)

    assert told() == "expired"
    subscription.grace()
    assert told() == "grace-period"
    subscription.renewal["gracePeriodExpiresDate"] = ago(HOUR)
    subscription.end_grace()
    assert told() == "billing-retry"
    subscription.renew(at=ago(HOUR))
    assert told() == "active"
    subscription.cancel_auto_renew(at=now())
    assert told() == "active"
    assert eligibility(enforcing, transactionId=subscription.original_id)["subscription"]["willRenew"] is False


def test_a_refund_counts_and_a_reversed_one_no_longer(enforcing, apple, app_store):
    subscription = active(app_store.customer())
    post(apple, notifications.v2(app_store.authority, subscription))
    assert subscription_state(enforcing, subscription) == "active"
    post(apple, notifications.v2(app_store.authority, subscription.refund(at=now())))
    assert subscription_state(enforcing, subscription) == "revoked"
    found = eligibility(enforcing, transactionId=subscription.original_id)
    assert verdict(found["promotionalOffers"][0])[:2] == ("eligible", ["revoked-subscriber"])
    post(apple, notifications.v2(app_store.authority, subscription.reverse_refund(at=now())))
    assert subscription_state(enforcing, subscription) == "active"


def test_the_end_of_family_sharing_counts(enforcing, apple, app_store):
    owner, member = app_store.customer(), app_store.customer()
    shared = active(owner).share_with(member)
    post(apple, notifications.v2(app_store.authority, shared))
    assert subscription_state(enforcing, shared) == "active"
    post(apple, notifications.v2(app_store.authority, shared.revoke_sharing(at=now())))
    assert kept(enforcing)[-1] == (2, "REVOKE", None) and subscription_state(enforcing, shared) == "revoked"


def test_a_late_notification_does_not_undo_a_newer_one(enforcing, apple, app_store):
    subscription = active(app_store.customer())
    early = notifications.v2(app_store.authority, subscription, at=ago(HOUR))
    post(apple, notifications.v2(app_store.authority, subscription.refund(at=now())))
    assert post(apple, early) == "stored"
    assert subscription_state(enforcing, subscription) == "revoked"


def test_the_same_again_is_known_and_changes_nothing(enforcing, apple, app_store):
    subscription = active(app_store.customer())
    identifier = str(uuid.uuid4())
    body = notifications.v2(app_store.authority, subscription, identifier=identifier)
    assert post(apple, body) == "stored"
    before = enforcing.history()
    assert post(apple, body) == "known"
    # The App Store signs each attempt anew.
    assert post(apple, notifications.v2(app_store.authority, subscription, identifier=identifier)) == "known"
    assert enforcing.history() == before
    assert post(apple, notifications.v2(app_store.authority, subscription)) == "stored"


def test_the_raw_notification_is_kept(enforcing, apple, app_store, life):
    body = notifications.v2(app_store.authority, life)
    post(apple, body)
    with enforcing.database(enforcing.histories) as connection:
        [raw] = connection.execute("SELECT body FROM notification ORDER BY rowid DESC LIMIT 1").fetchone()
    assert json.loads(raw) == body


def test_a_sandbox_notification_is_for_a_sandbox_app(connected, app_store):
    service = connected(environment="Sandbox")
    customer = app_store.customer(environment="Sandbox", app_apple_id=None)
    subscription = customer.start(PRO, at=now())
    body = notifications.v2(app_store.authority, subscription, data={"appAppleId": None})
    assert post(service.client(token=""), body) == "stored"
    assert subscription_state(service, subscription) == "active"


# Version 1


@pytest.mark.parametrize("generation", ["unified", "legacy"])
@pytest.mark.parametrize("kind", [*TYPES_V1, "SOMETHING_NEW"])
def test_every_type_of_version_1_is_stored(enforcing, apple, app_store, kind, generation):
    customer = app_store.customer()
    subscription = active(customer, intro=True)
    body = notifications.v1(subscription, kind, password=SHARED_SECRET, generation=generation)
    assert post(apple, body) == "stored"
    assert kept(enforcing)[-1] == (1, kind, None)
    assert subscription_state(enforcing, subscription) == "active"


@pytest.mark.parametrize("generation", ["unified", "legacy"])
def test_a_refund_of_version_1_counts(enforcing, apple, app_store, generation):
    subscription = active(app_store.customer())
    post(apple, notifications.v1(subscription, "DID_RENEW", password=SHARED_SECRET, generation=generation))
    assert subscription_state(enforcing, subscription) == "active"
    post(apple, notifications.v1(subscription.refund(at=now()), password=SHARED_SECRET, generation=generation))
    assert kept(enforcing)[-1] == (1, "REFUND", None) and subscription_state(enforcing, subscription) == "revoked"


def test_a_cancel_that_an_upgrade_causes_is_no_refund(enforcing, apple, app_store):
    subscription = active(app_store.customer()).upgrade(TEAM, at=ago(DAY))
    post(apple, notifications.v1(subscription, password=SHARED_SECRET))
    assert kept(enforcing)[-1] == (1, "CANCEL", None)
    found = eligibility(enforcing, transactionId=subscription.original_id)["subscription"]
    assert (found["state"], found["productId"]) == ("active", TEAM)


def test_version_1_is_recognised_by_its_content(enforcing, apple, app_store):
    subscription = active(app_store.customer())
    body = notifications.v1(subscription, "DID_RENEW", password=SHARED_SECRET, at=now())
    assert post(apple, body) == "stored"
    before = enforcing.history()
    assert post(apple, body) == "known"
    answer = apple.post(PATH, content=json.dumps(body, indent=4).encode())
    assert answer.json() == {"status": "known"} and enforcing.history() == before
    assert post(apple, {**body, "notification_type": "DID_RECOVER"}) == "stored"


@pytest.mark.parametrize(
    "password",
    [None, "", "x", SHARED_SECRET[:-1], SHARED_SECRET + "0", SHARED_SECRET.upper(), " " + SHARED_SECRET, 1234, [SHARED_SECRET], {}],
    ids=lambda value: repr(value)[:12],
)
def test_version_1_without_the_shared_secret_is_not_authentic(enforcing, apple, app_store, password):
    subscription = active(app_store.customer()).refund(at=now())
    before = enforcing.counts()
    body = notifications.v1(subscription, password=password)
    answer = apple.post(PATH, body)
    assert (answer.status_code, answer.json()["code"]) == (401, "shared-secret-mismatch")
    assert answer.headers["www-authenticate"] == 'AppStore realm="offersigner"'
    assert enforcing.counts() == before


def test_version_1_for_another_app_is_not_authentic(enforcing, apple, app_store):
    subscription = active(app_store.customer("com.example.news"))
    before = enforcing.counts()
    body = notifications.v1(subscription, "DID_RENEW", password=SHARED_SECRET)
    assert apple.problem(PATH, body) == (401, "bundle-mismatch", [])
    # An app that has no shared secret believes no sender.
    assert apple.problem("/v1/appstore/notifications/com.example.news", body) == (401, "shared-secret-missing", [])
    assert enforcing.counts() == before


def test_the_shared_secret_is_neither_in_the_store_nor_in_the_log(connected, app_store):
    service = connected(extra="logging: {level: trace}\n")
    apple = service.client(token="")
    subscription = active(app_store.customer())
    wrong = "wrong-" + "secret" * 4
    body = notifications.v1(subscription, "DID_RENEW", password=SHARED_SECRET)
    post(apple, body)
    escaped = json.dumps({**body, "notification_type": "DID_RECOVER"}).replace('"password"', '"pass\\u0077ord"')
    assert apple.post(PATH, content=escaped.encode()).json() == {"status": "stored"}
    assert apple.problem(PATH, {**body, "password": wrong})[0] == 401
    assert apple.problem(PATH, content=json.dumps(body).encode()[:-1])[0] == 400
    service.stop()
    files = [service.folder / "log", *service.folder.glob("offersigner*.sqlite*")]
    assert len(files) >= 2 and b"DID_RENEW" in b"".join(file.read_bytes() for file in files), "there is nothing to look through"
    for secret in (SHARED_SECRET, wrong):
        assert [file.name for file in files if secret.encode() in file.read_bytes()] == []


# What is none


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[]", b"null", b'"x"', b"{}", b'{"signedPayload":1}', b'{"signedPayload":null}',
        b'{"notificationType":"REFUND"}', b'{"signedPayload":"a.b.c","signedPayload":"a.b.c"}', b'{"signedPayload":"\xff"}',
    ],
)
def test_a_body_that_is_no_notification_is_malformed(enforcing, apple, content):
    before = enforcing.counts()
    assert apple.problem(PATH, content=content) == (400, "malformed-notification", [])
    assert enforcing.counts() == before


@pytest.mark.parametrize("bundle_id", ["com.example.other", BUNDLE.upper(), f"{BUNDLE}%20", "x"])
def test_an_app_that_is_not_configured_receives_nothing(enforcing, apple, app_store, life, bundle_id):
    before = enforcing.counts()
    path = f"/v1/appstore/notifications/{bundle_id}"
    assert apple.problem(path, notifications.v2(app_store.authority, life)) == (404, "unknown-app", [])
    assert apple.problem(path, content=b"{") == (404, "unknown-app", [])
    assert enforcing.counts() == before


@pytest.mark.parametrize("path", ["/v1/appstore/notifications", "/v1/appstore/notifications/", f"{PATH}/", f"{PATH}/x"])
def test_there_is_nothing_beside_the_path(apple, path):
    assert apple.problem(path, {}) == (404, "not-found", [])


def test_a_notification_is_only_posted(apple):
    for method in ["GET", "PUT", "DELETE"]:
        assert apple.request(method, PATH).status_code == 405


# None is lost


@contextlib.contextmanager
def read_only(service):
    service.histories.chmod(0o444)
    yield
    service.histories.chmod(0o644)


@contextlib.contextmanager
def moved_away(service):
    away = service.histories.with_name("away.sqlite")
    service.histories.rename(away)
    yield
    away.rename(service.histories)


@pytest.mark.parametrize("broken", [read_only, moved_away], ids=["read-only", "moved away"])
@pytest.mark.parametrize("version", [1, 2])
def test_while_the_store_is_away_the_answer_is_503_and_the_app_stores_next_attempt_is_stored(connected, app_store, broken, version):
    service = connected()
    subscription = active(app_store.customer())
    # For as long as it may take until the store is back.
    sending = {"resendAfterMilliseconds": [200] * 5 * PATIENCE}
    send = app_store.send_v2 if version == 2 else app_store.send_v1
    with broken(service):
        sent = send(url(service), subscription.refund(at=now()), wait=False, sending=sending)
        wait_until(lambda: app_store.notification(sent["id"])["attempts"])
        answer = service.client(token="").post(PATH, notifications.v2(app_store.authority, subscription))
        assert answer.status_code == 503 and answer.json()["code"] == "not-ready" and int(answer.headers["retry-after"]) >= 1
    attempts = wait_until(lambda: (found := app_store.notification(sent["id"]))["done"] and found["attempts"])
    assert attempts[0]["status"] == 503 and attempts[-1]["sendAttemptResult"] == "SUCCESS"
    assert kept(service) == [(version, "REFUND", None)]
    assert subscription_state(service, subscription) == "revoked"


def test_on_a_full_disk_no_notification_is_answered_200_that_is_not_stored(connected, app_store, small_disk):
    store = small_disk / "offersigner.sqlite"
    service = connected(extra=f"store: {{sqlite: {store}}}\n")
    customer = app_store.customer()
    subscription = active(customer)
    answered, refused = [], None
    with open(small_disk / "ballast", "wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"x" * 4096)
    for _ in range(2000):
        identifier = str(uuid.uuid4())
        body = notifications.v2(app_store.authority, subscription, identifier=identifier)
        status = service.client(token="").post(PATH, body).status_code
        if status == 503:
            refused = identifier
            break
        assert status == 200
        answered.append(identifier)
    assert refused, "the disk is full, and everything is stored"
    (small_disk / "ballast").unlink()
    assert wait_until(lambda: service.client(token="").post(PATH, body).status_code == 200)
    service.kill()
    with service.database(small_disk / "offersigner-histories.sqlite") as connection:
        stored = {row["key"].decode() for row in connection.execute("SELECT key FROM notification")}
    assert stored == {*answered, refused}


def test_a_crash_loses_no_notification_that_was_answered_200(connected, app_store):
    service = connected()
    randomness = random.Random(200)
    answered, subscriptions = set(), {}
    for turn in range(scaled(3, 20)):
        pool = []
        for number in range(40):
            subscription = lapsed(app_store.customer())
            if number % 2:
                subscription.refund(at=now())
            for _ in range(10):
                identifier = str(uuid.uuid4())
                pool.append((identifier, notifications.v2(app_store.authority, subscription, identifier=identifier)))
                subscriptions[identifier] = (subscription.original_id, "revoked" if number % 2 else "expired")
        sent, load = [], wire.Load()

        async def work(worker):
            connection = await wire.Connection.open(service.url)
            try:
                for number in range(10_000):
                    # Every third one was sent before, perhaps a moment ago by another sender.
                    again = number % 3 == 2 and sent
                    identifier, body = randomness.choice(sent) if again else pool[(worker + 16 * number) % len(pool)]
                    sent.append((identifier, body))
                    answer = await connection.exchange(wire.request(PATH, body, None))
                    load.answers.append(answer)
                    if answer.status == 200:
                        answered.add(identifier)
            except wire.Unanswered as error:
                load.unanswered.append(str(error))
            finally:
                connection.close()

        async def press():
            await asyncio.gather(*(work(worker) for worker in range(16)))

        # At any moment, which is after so many answers: a busy machine gives fewer in the same time.
        count = randomness.randrange(60, 400)
        killer = threading.Thread(target=lambda: (wait_until(lambda: len(load.answers) >= count), service.kill()))
        killer.start()
        asyncio.run(press())
        killer.join()
        assert set(load.statuses()) == {200}, load.statuses()
        service.start()
        stored = keys(service)
        assert len(stored) == len(set(stored)), "a notification is stored twice"
        missing = answered - set(stored)
        assert not missing, f"{len(missing)} of {len(answered)} notifications answered 200 are not in the store"
    # What they said was merged in the same transaction.
    for identifier in randomness.sample(sorted(answered), 40):
        original, state = subscriptions[identifier]
        assert eligibility(service, transactionId=original)["subscription"]["state"] == state
    before = service.history()
    apple = service.client(token="")
    for identifier, body in randomness.sample([each for each in pool if each[0] in answered], 20):
        assert post(apple, body) == "known"
    assert service.history() == before
    with service.database(service.histories) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_a_hundred_of_the_same_at_once_are_stored_once(connected, app_store):
    service = connected()
    subscription = active(app_store.customer()).refund(at=now())
    body = notifications.v2(app_store.authority, subscription)

    async def fire():
        volley = await wire.Volley.open(service.url, 100)
        answers = await volley.fire([wire.request(PATH, body, None)] * 100)
        volley.close()
        return answers

    statuses = [answer.json()["status"] for answer in asyncio.run(fire())]
    assert sorted(statuses) == ["known"] * 99 + ["stored"]
    assert kept(service) == [(2, "REFUND", None)]
