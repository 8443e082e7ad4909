"""An app that has a shared secret and no issuer id: its subscriptions are asked about with their receipts."""
import base64
import json
import pathlib
import subprocess
import time
import zlib

import httpx
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from harness.app_store import SHARED_SECRET, AppStore
from harness.background import another_round
from harness.purchases import DAY, GROUP, HOUR, MINUTE, ago, now
from harness.service import run
from harness.waiting import PATIENCE, wait_until

# The apps of the example have an issuer id.
BUNDLE, PRO = "com.example.old", "com.example.old.monthly"
CATALOGUE = [{"id": GROUP, "products": [{"id": PRO, "period": "P1M"}]}]
WEEKLY = {"period": "P1W"}
STATES = {1: "active", 2: "expired", 3: "billing-retry", 4: "grace-period", 5: "revoked"}


@pytest.fixture
def store(tmp_path, clock):
    """An App Store that sees the same time as the service."""
    (tmp_path / "app-store").mkdir()
    with AppStore(tmp_path / "app-store", environment=clock.environment) as store:
        store.register(BUNDLE)
        yield store
        assert (store.exit_code, store.log_text()) == (None, "")


@pytest.fixture
def service(store, clock, new_service):
    return new_service(extra=configuration(store), environment=clock.environment)


def configuration(store, poll_seconds=1, **app):
    return store.configuration_yaml(BUNDLE, poll_seconds=poll_seconds, eligibility="enforce", subscriptionGroups=CATALOGUE, **app)


def state(service, **who):
    body = {"bundleId": BUNDLE, "products": [PRO], **who}
    answer = service.client("backend").post("/v1/eligibility", body)
    assert answer.status_code == 200, answer.text
    return answer.json()["products"][0]["subscription"]["state"]


def hand_in(service, receipt, customer_id="anna", status=200):
    body = {"bundleId": BUNDLE, "customerId": customer_id, "receiptData": receipt}
    answer = service.client("backend").post("/v1/history/receipts", body)
    assert answer.status_code == status, answer.text
    return answer.json()


def receipt_name(row):
    """An original transaction, or `unverified`."""
    return "unverified" if row["is_unverified"] else bytes(row["name"]).decode()


def kept(service):
    """The rows of the table, by name: an original transaction, or `unverified`."""
    with service.database(service.histories) as connection:
        rows = connection.execute("SELECT * FROM receipt").fetchall()
    return {receipt_name(row): row for row in rows}


def due(service, subscription):
    """When the App Store will be asked about a subscription (ms); None for never."""
    return kept(service)[subscription.original_id]["due_at"]


def asked(store):
    """What verifyReceipt was asked with."""
    return [json.loads(each["body"])["receipt-data"] if isinstance(each["body"], str) else each["body"]["receipt-data"]
            for each in store.requests("verifyReceipt")]


def opened(service, row, context, number=1):
    """A kept receipt by other cryptography: version, key id, nonce, text with tag; inside form, then zlib."""
    secret = (service.folder / f"keys/ReceiptSecret_{number:04}.key").read_bytes()
    sealed = row["sealed"]
    plain = AESGCM(secret).decrypt(sealed[5:17], sealed[17:], sealed[:5] + context)
    assert plain[0] == 1
    return zlib.decompress(plain[1:])


def test_sixty_days_of_renewals_retries_and_recovery(new_service, store, clock):
    begin = ago(120 * DAY)

    def move(position):
        clock.set((begin + position - now()) // 1000)

    move(0)
    service = new_service(extra=configuration(store) + "clock: {mostAhead: 31536000}\n", environment=clock.environment)
    customer = store.customer(BUNDLE)
    subscription = customer.start(PRO, at=begin, **WEEKLY)
    store.add(customer)
    hand_in(service, customer.receipt())
    seen = []
    restarts = [(20 * DAY, "kill"), (32 * DAY, "kill"), (50 * DAY, "stop")]

    def play(until, step=DAY // 2):
        """Lets time pass up to a day of the story; at every step the service knows what the App Store knows."""
        nonlocal position
        while position < until:
            position = min(position + step, until)
            move(position + 2 * MINUTE)
            if restarts and position >= restarts[0][0]:
                getattr(service, restarts.pop(0)[1])()
                service.start()
            # Whatever is due is asked first: what held by chance must hold after that as well.
            wait_until(lambda: (due(service, subscription) or 2**62) > begin + position + 2 * MINUTE)
            expected = STATES[subscription.status(begin + position + 2 * MINUTE)]
            wait_until(lambda: state(service, transactionId=subscription.original_id) == expected)
            seen.append(expected)

    position = 0
    # Three renewals without a notification: the App Store has them when the time comes.
    for week in (1, 2, 3):
        play(7 * DAY * week - HOUR)
        subscription.renew()
        store.add(customer)
        play(7 * DAY * week)
    # Billing retry for ten days, during which verifyReceipt has its own troubles, and recovery.
    play(28 * DAY - HOUR)
    subscription.billing_retry()
    store.add(customer)
    play(31 * DAY)
    store.fault("verifyReceipt", receiptStatus=21009, times=5)
    store.fault("verifyReceipt", httpStatus=503, times=5)
    play(38 * DAY)
    store.clear_faults()
    subscription.renew(at=begin + 38 * DAY + HOUR)
    store.add(customer)
    # The next question is due within a few hours, and after the failures within six.
    move(38 * DAY + 13 * HOUR)
    position = 38 * DAY + 13 * HOUR
    wait_until(lambda: state(service, transactionId=subscription.original_id) == "active")
    # Grace, and recovery.
    end = subscription.last["expiresDate"] - begin
    play(end - HOUR)
    subscription.grace()
    store.add(customer)
    play(end + 3 * DAY)
    subscription.renew(at=begin + end + 3 * DAY + HOUR)
    store.add(customer)
    move(end + 4 * DAY)
    position = end + 4 * DAY
    wait_until(lambda: state(service, transactionId=subscription.original_id) == "active")
    # Cancelled, and over: then it is asked about no more.
    end = subscription.last["expiresDate"] - begin
    subscription.cancel_auto_renew(at=begin + position)
    store.add(customer)
    play(end - HOUR)
    subscription.expire()
    store.add(customer)
    play(max(end + DAY, 62 * DAY))
    wait_until(lambda: due(service, subscription) is None)
    questions = len(asked(store))
    move(position + 20 * DAY)
    another_round(service, "receipt_poll")
    assert len(asked(store)) == questions
    assert restarts == []
    assert {"active", "billing-retry", "grace-period", "expired"} <= set(seen)
    assert store.requests("history") == store.requests("subscriptions") == []
    assert "receipt-data" not in service.log_text() and customer.receipt() not in service.log_text()
    print(f"{len(seen)} steps over {position // DAY} days, {questions} questions")


def test_what_is_kept_can_be_read_with_the_secret_only_and_in_its_place_only(service, store):
    customer = store.customer(BUNDLE)
    subscription = customer.start(PRO, at=ago(10 * DAY))
    store.add(customer)
    hand_in(service, customer.receipt())
    row = kept(service)[subscription.original_id]
    place = f"subscription\0{BUNDLE}\0".encode()
    assert opened(service, row, place + subscription.original_id.encode()) == base64.b64decode(customer.receipt())
    with pytest.raises(InvalidTag):
        opened(service, row, place + b"1")
    secret = service.folder / "keys/ReceiptSecret_0001.key"
    assert secret.stat().st_mode & 0o777 == 0o600 and len(secret.read_bytes()) == 32
    assert row["due_at"] == subscription.last["expiresDate"] - DAY
    for file in service.folder.rglob("*"):
        if file.is_file() and "histories" in file.name:
            assert customer.receipt().encode() not in file.read_bytes()


def test_a_receipt_that_could_not_be_verified_is_asked_about_by_the_service(service, store, clock):
    customer = store.customer(BUNDLE)
    subscription = customer.start(PRO, at=ago(10 * DAY))
    store.add(customer)
    store.fault("verifyReceipt", receiptStatus=21009)
    hand_in(service, customer.receipt(), status=503)
    assert kept(service)["unverified"]["reason"] == "receipt-status-21009"
    shown = json.loads(service.cli("receipts", "--json").stdout)
    assert shown["receipts"] == [{"bundleId": BUNDLE, "reason": "receipt-status-21009", "count": 1}]
    store.clear_faults()
    service.kill()
    clock.set(120)
    service.start()
    wait_until(lambda: list(kept(service)) == [subscription.original_id])
    assert state(service, customerId="anna") == "active"


def test_what_the_app_store_refuses_is_kept_with_the_reason(service, store):
    customer = store.customer(BUNDLE)
    customer.start(PRO, at=ago(10 * DAY))
    # The App Store knows nothing of it.
    hand_in(service, customer.receipt(), status=422)
    row = kept(service)["unverified"]
    assert (row["reason"], row["due_at"], row["customer_id"]) == ("receipt-status-21003", None, "anna")
    assert "receipt-status-21003" in service.cli("receipts").stdout


def test_a_sandbox_receipt_moves_nothing_of_a_production_app(service, store):
    customer = store.customer(BUNDLE, environment="Sandbox")
    customer.start(PRO, at=now())
    store.add(customer)
    hand_in(service, customer.receipt())
    assert [each["status"] for each in store.requests("verifyReceipt")] == [200, 200]
    assert kept(service) == {}


@pytest.fixture
def both(store, clock, new_service):
    """A service that takes the Sandbox beside Production."""
    return new_service(extra=configuration(store, sandbox=True), environment=clock.environment)


def places(service):
    """Which part of the store keeps what: (what the app goes by, original transaction or `unverified`)."""
    with service.database(service.histories) as connection:
        rows = connection.execute("SELECT app.name AS app_name, is_unverified, receipt.name AS name FROM receipt JOIN app ON app.number = receipt.app").fetchall()
    return sorted((row["app_name"], receipt_name(row)) for row in rows)


def states(service, subscription):
    """In Production and in the Sandbox."""
    return tuple(
        state(service, transactionId=subscription.original_id, **environment)
        for environment in ({}, {"environment": "Sandbox"}))


def sandbox_questions(store):
    return len(store.requests("verifyReceipt", "Sandbox"))


def by_hand(service, store, customer):
    hand_in(service, customer.receipt(), customer_id="reviewer")


def by_notification(service, store, customer):
    answer = store.send_v1(f"{service.url}/v1/appstore/notifications/{BUNDLE}", customer.subscriptions[0])
    assert answer["attempts"][-1]["status"] == 200


def by_import(service, store, customer):
    answer = httpx.post(
        f"{store.sandbox}/verifyReceipt", json={"receipt-data": customer.receipt(), "password": SHARED_SECRET}, timeout=PATIENCE).json()
    file = service.folder / "histories.jsonl"
    file.write_text(json.dumps({"customerId": "reviewer", "receipt": answer}) + "\n")
    service.cli("history", "import", "--app", BUNDLE, str(file)).check_returncode()


@pytest.mark.parametrize("supply", [by_hand, by_notification, by_import], ids=lambda way: way.__name__)
def test_a_sandbox_receipt_is_kept_in_the_sandbox_and_asked_about_there(both, store, clock, supply):
    customer = store.customer(BUNDLE, environment="Sandbox")
    subscription = customer.start(PRO, at=ago(MINUTE))
    store.add(customer)
    supply(both, store, customer)
    assert places(both) == [(f"{BUNDLE}#Sandbox", subscription.original_id)]
    assert states(both, subscription) == ("never", "active")
    # A month lasts five minutes. No notification tells of the renewal; production answers 21007 each time.
    before = sandbox_questions(store)
    # Before the question: an answer without it is followed by a pause.
    subscription.renew()
    store.add(customer)
    clock.set(6 * MINUTE // 1000)
    wait_until(lambda: sandbox_questions(store) > before and states(both, subscription) == ("never", "active"))
    assert kept(both)[subscription.original_id]["reason"] is None
    # And once more, when the next period has passed.
    before = sandbox_questions(store)
    subscription.renew()
    store.add(customer)
    clock.set(11 * MINUTE // 1000)
    wait_until(lambda: sandbox_questions(store) > before and states(both, subscription) == ("never", "active"))
    assert places(both) == [(f"{BUNDLE}#Sandbox", subscription.original_id)]
    assert len(store.requests("verifyReceipt", "Production")) >= sandbox_questions(store) - 1


def test_a_sandbox_receipt_that_could_not_be_verified_finds_its_place_later(both, store, clock):
    customer = store.customer(BUNDLE, environment="Sandbox")
    subscription = customer.start(PRO, at=ago(MINUTE))
    store.add(customer)
    store.fault("verifyReceipt", receiptStatus=21009)
    hand_in(both, customer.receipt(), status=503)
    # Its environment is not known yet.
    assert places(both) == [(BUNDLE, "unverified")]
    store.clear_faults()
    clock.set(120)
    wait_until(lambda: places(both) == [(f"{BUNDLE}#Sandbox", subscription.original_id)])
    assert states(both, subscription) == ("never", "active")
    body = {"bundleId": BUNDLE, "customerId": "anna", "products": [PRO], "environment": "Sandbox"}
    found = both.client("backend").post("/v1/eligibility", body).json()["products"][0]
    assert found["subscription"]["state"] == "active"
    assert both.metric("offersigner_receipts_unreadable") == 0


@pytest.mark.parametrize("generation", ["unified", "legacy"])
def test_the_receipt_of_a_notification_v1_is_asked_with(service, store, generation):
    customer = store.customer(BUNDLE)
    subscription = customer.start(PRO, at=ago(31 * DAY))
    store.add(customer)
    store.send_v1(f"{service.url}/v1/appstore/notifications/{BUNDLE}", subscription, generation=generation)
    subscription.renew()
    store.add(customer)
    wait_until(lambda: state(service, transactionId=subscription.original_id) == "active")
    assert subscription.original_id in kept(service)
    with service.database(service.histories) as connection:
        [body] = [row["body"] for row in connection.execute("SELECT body FROM notification")]
    assert b'"latest_receipt"' not in body and b'"latest_expired_receipt"' not in body and b"unified_receipt" in body


def test_a_wrong_shared_secret_is_reported_once_and_shown(service, store, clock):
    for _ in range(20):
        customer = store.customer(BUNDLE)
        customer.start(PRO, at=ago(29 * DAY))
        store.add(customer)
        hand_in(service, customer.receipt(), customer_id=None)
    store.register(BUNDLE, shared_secret="another")
    store.forget_requests()
    clock.set(3 * DAY // 1000)
    wait_until(lambda: service.metric("offersigner_receipt_secret_refused", app=BUNDLE) == 1)
    # Two more rounds, which do not end well.
    time.sleep(2)
    assert len(asked(store)) == 1
    lines = [line for line in service.log() if "shared secret" in line["message"]]
    assert [(line["level"], line["code"], line["app"]) for line in lines] == [("error", "receipt-status-21004", BUNDLE)]
    assert SHARED_SECRET not in service.log_text()
    store.register(BUNDLE)
    clock.set((3 * DAY + 16 * MINUTE) // 1000)
    wait_until(lambda: service.metric("offersigner_receipt_secret_refused", app=BUNDLE) == 0)
    wait_until(lambda: len(asked(store)) >= 21)


def test_a_lost_secret_is_reported_and_new_receipts_replace_the_old(service, store, clock):
    customer = store.customer(BUNDLE)
    subscription = customer.start(PRO, at=ago(29 * DAY))
    store.add(customer)
    hand_in(service, customer.receipt())
    assert "warning: receipts" not in service.cli("check-config").stdout
    (service.folder / "keys/ReceiptSecret_0001.key").unlink()
    # Missed at once, weeks before its turn comes, and before another start.
    wait_until(lambda: service.metric("offersigner_receipts_unreadable") == 1)
    def told():
        return [line for line in service.log() if "the secret of kept receipts is not in the key folder" in line["message"]]

    wait_until(told)
    [line] = told()
    assert (line["level"], line["receipts"]) == ("error", "1")
    assert service.client().get("/readyz").status_code == 200
    checked = service.cli("check-config")
    assert checked.returncode == 0 and "warning: receipts: 1 of those that are kept cannot be read" in checked.stdout
    clock.set(2 * DAY // 1000)
    wait_until(lambda: kept(service)[subscription.original_id]["reason"] == "receipt-unreadable")
    wait_until(lambda: [line for line in service.log() if line["message"] == "kept receipts cannot be read"])
    assert service.client().get("/readyz").status_code in (200, 503)
    shown = json.loads(service.cli("receipts", "--json").stdout)
    assert {"number": None, "count": 1} in shown["secrets"]
    hand_in(service, customer.receipt())
    assert kept(service)[subscription.original_id]["reason"] is None
    assert json.loads(service.cli("receipts", "--json").stdout)["secrets"] == [{"number": 1, "count": 1}]


def test_check_config_warns_of_what_keeps_receipts_from_being_asked_about(service, store, tmp_path):
    def warnings(extra, environment=None):
        file = tmp_path / "slip.yaml"
        file.write_text(extra)
        # Laid over the others.
        done = run(*service.command("check-config")[1:], "--config", file, environment=environment)
        assert done.returncode == 0, done.stderr
        return [line for line in done.stdout.splitlines() if line.startswith("warning: ") and "receipt" in line]

    assert warnings("") == []
    [line] = warnings("appStore: {pollSeconds: 0}\n")
    assert f"{BUNDLE}: has no issuerId and is polled with receipts, but appStore.pollSeconds is 0" in line
    # The key comes by the environment, and there is no folder.
    inline = {
        "OFFERSIGNER_KEYS_ID": service.key_id,
        "OFFERSIGNER_KEYS_PEM": pathlib.Path(service.key_file).read_text(),
    }
    [line] = warnings(f"keys: {{directory: {json.dumps(str(tmp_path / 'nowhere'))}}}\n", inline)
    assert f"{BUNDLE}: no receipt is kept" in line and "nowhere" in line
    secret = service.folder / "keys/ReceiptSecret_0001.key"
    secret.chmod(0o644)
    lines = warnings("")
    assert len(lines) == 2 and str(secret) in lines[0] and "no receipt is kept" in lines[1], lines
    # What it warns of is so.
    customer = store.customer(BUNDLE)
    customer.start(PRO, at=ago(10 * DAY))
    store.add(customer)
    wait_until(lambda: "no receipt is kept, and none is asked about" in service.log_text())
    hand_in(service, customer.receipt())
    assert kept(service) == {}
    # An app with a Server API needs none.
    assert warnings(f"apps: [{{bundleId: {BUNDLE}, issuerId: 57246542-96fe-1a63-e053-0824d011072a}}]\nappStore: {{pollSeconds: 0}}\n") == []


def test_another_secret_seals_from_now_on_and_the_old_one_opens(service, store, clock):
    customer = store.customer(BUNDLE)
    subscription = customer.start(PRO, at=ago(29 * DAY))
    store.add(customer)
    hand_in(service, customer.receipt())
    done = service.cli("receipts", "rotate-secret")
    assert done.returncode == 0 and "ReceiptSecret_0002.key" in done.stdout, done.stderr
    assert json.loads(service.cli("receipts", "--json").stdout)["secrets"] == [{"number": 1, "count": 1}, {"number": 2, "count": 0}]
    clock.set(2 * DAY // 1000)
    wait_until(lambda: json.loads(service.cli("receipts", "--json").stdout)["secrets"][1]["count"] == 1)
    assert kept(service)[subscription.original_id]["reason"] is None
    (service.folder / "keys/ReceiptSecret_0001.key").unlink()
    assert json.loads(service.cli("receipts", "--json").stdout)["secrets"] == [{"number": 2, "count": 1}]


def test_an_import_keeps_the_latest_receipts(service, store, tmp_path):
    customer = store.customer(BUNDLE)
    subscription = customer.start(PRO, at=ago(10 * DAY))
    store.add(customer)
    answer = httpx.post(
        f"{store.production}/verifyReceipt", json={"receipt-data": customer.receipt(), "password": SHARED_SECRET}, timeout=PATIENCE).json()
    file = tmp_path / "histories.jsonl"
    file.write_text(json.dumps({"customerId": "anna", "receipt": answer}) + "\n")
    done = service.cli("history", "import", "--app", BUNDLE, str(file))
    assert done.returncode == 0, done.stderr
    row = kept(service)[subscription.original_id]
    assert row["verified_at"] is None and row["due_at"] == subscription.last["expiresDate"] - DAY


def test_an_erased_customer_leaves_no_receipt(service, store):
    customer, other = store.customer(BUNDLE), store.customer(BUNDLE)
    for each, name in ((customer, "anna"), (other, "bert")):
        each.start(PRO, at=ago(10 * DAY))
        store.add(each)
        hand_in(service, each.receipt(), customer_id=name)
    done = subprocess.run(
        service.command("audit", "erase", "--app", BUNDLE), input="anna\n", capture_output=True, text=True, check=True)
    assert "removed 1 receipts" in done.stdout
    assert list(kept(service)) == [other.subscriptions[0].original_id]
