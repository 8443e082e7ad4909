"""Receipts and notifications of 16 MiB: all are taken, with memory that is bounded and work that grows with their length alone."""
import asyncio
import base64
import json
import os

import pytest

from AppStoreServer import app_receipts, notifications, receipts
from AppStoreServer.app_receipts import ReceiptAuthority
from harness import wire
from harness.app_store import BUNDLE, SHARED_SECRET
from harness.purchases import DAY, GROUP, HOUR, PRO, active, ago, now
from harness.service import Service
from harness.waiting import PATIENCE

MEBIBYTE = 1 << 20
LARGEST = 16 * MEBIBYTE
RECEIPTS = "/v1/history/receipts"
NOTIFICATIONS = f"/v1/appstore/notifications/{BUNDLE}"
# A receipt of that many transactions has some 14 MB.
MANY = 20_000


@pytest.fixture(scope="module")
def authority():
    return ReceiptAuthority()


@pytest.fixture(scope="module")
def make(app_store, authority, tmp_path_factory):
    """Starts a service of its own: what an earlier one has held says nothing about the next."""
    made = []

    def start(shared_secret=None):
        folder = tmp_path_factory.mktemp("large")
        app = {"bundleId": BUNDLE, "subscriptionGroups": [{"id": GROUP, "products": [{"id": PRO, "period": "P1M"}]}]}
        if shared_secret:
            app["sharedSecret"] = shared_secret
        # JSON is YAML.
        extra = app_store.configuration_yaml() + f"apps: {json.dumps([app])}\n"
        extra = extra.replace("  roots: [", f'  roots: ["{authority.save_root(folder)}", ')
        # Every change of a purchase makes an event; where it would go, nothing listens.
        secret = folder / "webhook"
        secret.touch(mode=0o600)
        secret.write_text("whsec_" + base64.b64encode(bytes(range(32))).decode() + "\n")
        hook = {"name": "crm", "url": "http://127.0.0.1:9/hooks", "types": ["subscription.*", "offer.*"], "secretFile": str(secret)}
        extra += f"events: {json.dumps({'endpoints': [hook]})}\n"
        service = Service(folder / "service", extra=extra)
        service.start()
        made.append(service)
        return service

    yield start
    for service in made:
        service.stop()


def send(service, path, body, token=None):
    """Posts bytes and gives the answer's JSON; the client of the harness would copy them several times."""
    key = f"Authorization: Bearer {token}\r\n" if token else ""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\n{key}Content-Length: {len(body)}\r\n\r\n".encode()

    async def exchange():
        connection = await wire.Connection.open(service.url)
        connection.send(head + body)
        answer = await asyncio.wait_for(connection.answer(), PATIENCE)
        connection.writer.transport.abort()
        return answer

    answer = asyncio.run(exchange())
    assert answer.status == 200, answer
    return answer.json()


def item(number, original, at, product=PRO, until=None):
    """A transaction as verifyReceipt shows it, without the dates of California."""
    dates = receipts.date("purchase_date", at) | receipts.date("original_purchase_date", at)
    if until:
        dates |= receipts.date("expires_date", until) | {"subscription_group_identifier": GROUP}
    return {
        "quantity": "1", "product_id": product, "transaction_id": str(number), "original_transaction_id": str(original),
        **{name: value for name, value in dates.items() if not name.endswith("_pst")},
        "web_order_line_item_id": str(number + 7), "is_trial_period": "false", "is_in_intro_offer_period": "false",
        "in_app_ownership_type": "PURCHASED",
    }


def one_subscription(count, first):
    """So many periods of one subscription, the last of them at present."""
    begin = ago(HOUR * count)
    return [item(first + each, first, begin + HOUR * each, until=begin + HOUR * (each + 1)) for each in range(count)]


def many_subscriptions(count, first):
    """So many subscriptions of a period each, all over."""
    return [item(first + each, first + each, ago(DAY * 90), until=ago(DAY * 60)) for each in range(count)]


def single_purchases(count, first):
    return [item(first + each, first + each, ago(HOUR * each), product="com.example.coins") for each in range(count)]


def redemptions(count, first):
    """Periods of the last days, each of which redeems an offer: far more than any customer can."""
    begin = ago(HOUR)
    step = DAY * 20 // count
    return [{**item(first + each, first, begin - step * (count - each), until=begin - step * (count - each - 1)),
             "promotional_offer_id": f"offer{each % 7}"} for each in range(count)]


def undated(count, first):
    """Subscriptions that are over, in an answer that does not say when it was given."""
    return many_subscriptions(count, first)


SHAPES = [one_subscription, many_subscriptions, single_purchases, redemptions]
CASES = [(form, shape) for form in ("verified", "signed") for shape in SHAPES] + [("verified", undated)]


def ended(items):
    """What verifyReceipt says of the renewals of subscriptions that are over."""
    ids = {each["original_transaction_id"] for each in items if "expires_date" in each}
    return [{"original_transaction_id": id_, "product_id": PRO, "auto_renew_product_id": PRO, "auto_renew_status": "0", "expiration_intent": "1"}
            for id_ in sorted(ids)]


def verified(items, customer, dated=True):
    """The body with verifyReceipt's answer, as a backend that has asked already hands it in."""
    answer = {
        "status": 0, "environment": "Production",
        "receipt": {"bundle_id": BUNDLE, "in_app": [], **(receipts.date("request_date", now()) if dated else {})},
        "latest_receipt_info": items, "pending_renewal_info": ended(items),
    }
    return json.dumps({"bundleId": BUNDLE, "customerId": customer, "verifiedReceipt": answer}, separators=(",", ":")).encode()


def signed(authority, items, customer):
    """The body with a receipt as the device has it."""
    head = {
        "receipt_type": "Production", "bundle_id": BUNDLE, "application_version": "1", "original_application_version": "1",
        **receipts.date("receipt_creation_date", now() // 1000 * 1000), "in_app": items,
    }
    receipt = base64.b64encode(authority.sign(app_receipts.content(head))).decode()
    return json.dumps({"bundleId": BUNDLE, "customerId": customer, "receiptData": receipt}).encode()


def check_memory(service, before):
    """The process has never had more than five times the largest document beyond what it had at rest.

    Three quarters of that are pages of the program's file, so all that it has ever allocated is less than 120 MB.
    """
    peak = service.memory("VmHWM")
    print(f"{before:.0f} MB before, {peak:.0f} MB at most")
    assert peak - before < 5 * LARGEST / MEBIBYTE


@pytest.mark.parametrize(("form", "shape"), CASES, ids=[f"{form} {shape.__name__}" for form, shape in CASES])
def test_the_work_grows_with_the_number_of_transactions(make, authority, form, shape):
    """Reading, merging, storing, events, and the timeline: each with its first quarter, and again with four times as much."""
    service = make()
    token = service.tokens["backend"]

    def seconds(count, first):
        items, customer = shape(count, first), f"c{first}"
        body = verified(items, customer, shape is not undated) if form == "verified" else signed(authority, items, customer)
        before = service.processor_time()
        send(service, RECEIPTS, body, token)
        # Nothing is new: what is stored is read and compared.
        send(service, RECEIPTS, body, token)
        answer = service.client("admin").get(f"/v1/customers/{customer}/timeline", params={"bundleId": BUNDLE, "limit": 200})
        assert answer.status_code == 200, answer.text
        return service.processor_time() - before

    count = MANY // 10
    seconds(count // 4, 10**15)

    def growth(number):
        short, long = (seconds(each * count, 10**15 * (10 * number + each)) for each in (1, 4))
        print(f"{short:.2f} s for {count}, {long:.2f} s for four times as many")
        return long / max(short, 0.1)

    # Four where it is linear, 16 where it is quadratic, each time. Once in a while a busy machine makes seven of four.
    assert any(growth(number) < 7 for number in (1, 2, 3))


@pytest.mark.parametrize("form", ["verified", "signed"])
def test_a_receipt_of_twenty_thousand_transactions_is_taken_in_little_memory(make, authority, form):
    service = make()
    token = service.tokens["backend"]
    items = one_subscription(MANY // 2, 10**15) + single_purchases(MANY // 2, 2 * 10**15)
    body = verified(items, "many") if form == "verified" else signed(authority, items, "many")
    assert len(body) <= LARGEST
    before = service.memory()
    assert send(service, RECEIPTS, body, token) == {"accepted": 1 + MANY // 2, "unchanged": 0, "rejected": []}
    check_memory(service, before)
    # On other threads, each of which has a heap.
    for _ in range(4):
        assert send(service, RECEIPTS, body, token)["unchanged"] == 1 + MANY // 2
    check_memory(service, before)
    client = service.client("admin")
    timeline = client.get("/v1/customers/many/timeline", params={"bundleId": BUNDLE, "limit": 200})
    assert timeline.status_code == 200, timeline.text
    [product] = client.post("/v1/eligibility", {"bundleId": BUNDLE, "customerId": "many", "products": [PRO]}).json()["products"]
    assert product["subscription"]["originalTransactionId"] == str(10**15)


def version1(subscription, size=LARGEST):
    body = notifications.v1(subscription, "REFUND", password=SHARED_SECRET)
    body["unified_receipt"]["latest_receipt"] = ""
    room = size - len(json.dumps(body))
    # Random, so that it cannot be kept in less.
    body["unified_receipt"]["latest_receipt"] = base64.b64encode(os.urandom(room // 4 * 3)).decode()
    return json.dumps(body).encode()


def version2(app_store, subscription, size=LARGEST):
    # Base64 in Base64, twice for what is signed within.
    unknown = "x" * int(size * 0.74)
    body = notifications.v2(app_store.authority, subscription, "REFUND", fields={"inventedByApple": unknown})
    return json.dumps(body).encode()


@pytest.mark.parametrize("version", [1, 2])
def test_a_refund_of_16_mib_is_never_lost(make, app_store, version):
    service = make(shared_secret=SHARED_SECRET)
    customer = app_store.customer()
    subscription = active(customer).refund(at=ago(HOUR))
    body = version1(subscription) if version == 1 else version2(app_store, subscription)
    assert 0.97 * LARGEST < len(body) <= LARGEST
    before = service.memory()
    assert send(service, NOTIFICATIONS, body) == {"status": "stored"}
    check_memory(service, before)
    assert send(service, NOTIFICATIONS, body) == {"status": "known"}
    found = service.client("backend").post(
        "/v1/eligibility", {"bundleId": BUNDLE, "transactionId": subscription.original_id, "products": [PRO]}).json()
    assert found["products"][0]["subscription"]["state"] == "revoked"
    # It is kept, and shown whole.
    bound = service.client("backend").post(
        "/v1/customers/large/transactions", {"bundleId": BUNDLE, "transactionId": subscription.original_id})
    assert bound.status_code == 200, bound.text
    [kept] = service.client("admin").get("/v1/customers/large/export", params={"bundleId": BUNDLE}).json()["notifications"]
    assert kept["type"] == "REFUND"
    if version == 2:
        assert kept["body"].encode() == body
    else:
        # The receipt is not in it, because its holder could query its owner's purchases forever.
        assert "latest_receipt" not in json.loads(kept["body"])["unified_receipt"]


def test_more_than_16_mib_is_refused_by_its_head(make):
    service = make(shared_secret=SHARED_SECRET)
    for path in (RECEIPTS, NOTIFICATIONS):
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {LARGEST + 1}\r\n\r\n"

        async def exchange():
            connection = await wire.Connection.open(service.url)
            connection.send(head.encode())
            return await asyncio.wait_for(connection.answer(), PATIENCE)

        answer = asyncio.run(exchange())
        assert (answer.status, answer.code) == (413, "body-too-large")


def test_a_strangers_large_body_keeps_out_no_usual_notification(make, app_store):
    service = make(shared_secret=SHARED_SECRET)
    subscription = active(app_store.customer())

    async def hold():
        connection = await wire.Connection.open(service.url)
        connection.send(f"POST {NOTIFICATIONS} HTTP/1.1\r\nHost: x\r\nContent-Length: {LARGEST}\r\n\r\n".encode() + b" " * MEBIBYTE)
        while not wire.is_read(connection.writer.get_extra_info("socket")):
            await asyncio.sleep(0.01)
        usual = json.dumps(notifications.v1(subscription, "DID_RENEW", password=SHARED_SECRET)).encode()
        await asyncio.to_thread(send, service, NOTIFICATIONS, usual.ljust(MEBIBYTE))
        # Another large one finds no room, and is repeated by the App Store.
        other = await wire.Connection.open(service.url)
        other.send(f"POST {NOTIFICATIONS} HTTP/1.1\r\nHost: x\r\nContent-Length: {LARGEST}\r\n\r\n".encode())
        answer = await asyncio.wait_for(other.answer(), PATIENCE)
        # Those with an access key have room.
        body = verified(single_purchases(5000, 10**15), "beside")
        await asyncio.to_thread(send, service, RECEIPTS, body, service.tokens["backend"])
        connection.writer.transport.abort()
        return answer

    answer = asyncio.run(hold())
    assert (answer.status, answer.code) == (503, "not-ready")
