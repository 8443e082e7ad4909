"""Customers with typical purchases from the example catalogue, and short forms of the service's answers about them."""
import time
import uuid

from harness.app_store import BUNDLE
from AppStoreServer.periods import DAY, HOUR, MINUTE  # noqa: F401

PRO, YEARLY, TEAM = "com.example.pro.monthly", "com.example.pro.yearly", "com.example.team.monthly"
GROUP = "20563228"


def now():
    return int(time.time() * 1000)


def ago(duration):
    return now() - duration


def lapsed(customer, product=PRO, intro=False, **fields):
    """A subscription that lasted two months and ended 40 days ago."""
    subscription = customer.start(product, at=ago(100 * DAY), intro=intro, **fields).renew()
    return subscription.cancel_auto_renew(at=ago(45 * DAY)).expire()


def active(customer, product=PRO, intro=False, **fields):
    """A subscription in its second month."""
    return customer.start(product, at=ago(40 * DAY), intro=intro, **fields).renew()


def signed(store, customer):
    """The signed data that a backend sends to the service for a customer."""
    return {
        "signedTransactions": customer.signed_transactions(store.authority),
        "signedRenewalInfos": customer.signed_renewal_infos(store.authority),
    }


def hand_in(service, store, customer, customer_id=None, **changed):
    """Sends all signed data of a customer to the service, as a backend does. The service must accept all of it."""
    body = {"bundleId": customer.bundle_id, "customerId": customer_id, **signed(store, customer), **changed}
    answer = service.client("backend").post("/v1/history/transactions", body)
    assert answer.status_code == 200, answer.text
    assert answer.json()["rejected"] == []
    return answer.json()


def redeem_all(service, store, offer, name, count):
    """Lets a customer who is known by a name redeem that many signatures of an offer, one after the other."""
    customer = store.customer(app_account_token=str(uuid.uuid4()))
    subscription = lapsed(customer)
    for _ in range(count):
        subscription.resubscribe(at=now(), offer_id=offer, discount="PAY_UP_FRONT")
    hand_in(service, store, customer, name)


def eligibility(service, product=PRO, role="client", **who):
    """Asks /v1/eligibility about one product. Returns that product's part of the answer."""
    answer = service.client(role).post("/v1/eligibility", {"bundleId": BUNDLE, "products": [product], **who})
    assert answer.status_code == 200, answer.text
    [found] = answer.json()["products"]
    return found


def verdict(value):
    """A verdict in short form: its status, the codes of its reasons, and the transaction that decided, or None."""
    return value["status"], [reason["code"] for reason in value["reasons"]], value.get("evidence", {}).get("transactionId")


def summary(found):
    """A product's part of an answer in short form: the subscription's state, the verdict on the introductory offer, and the
    verdict on the promotional offers, which must be the same for all of them.
    """
    [promotional] = {str(verdict(each)): verdict(each) for each in found["promotionalOffers"]}.values()
    return found["subscription"]["state"], verdict(found["introductoryOffer"]), promotional
