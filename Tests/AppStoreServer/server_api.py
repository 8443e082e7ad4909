"""The App Store Server API: what asks about one customer."""
import hashlib
import json
import uuid

from AppStoreServer import receipts
from AppStoreServer.customer import now
from AppStoreServer.exchange import Answer, error
from AppStoreServer.status import newest, status


def subscriptions(request, store, authority, app):
    """GET /inApps/v1/subscriptions/{anyTransactionId}."""
    record = _owner(request, store, app)
    at = now()
    wanted = {int(number) for number in request.query.get("status", [])} or {1, 2, 3, 4, 5}
    renewals = {each["originalTransactionId"]: each for each in record["renewals"]}
    groups = {}
    for original, transactions in receipts.subscriptions(record).items():
        last = newest(transactions)
        group = groups.setdefault(last["subscriptionGroupIdentifier"], [])
        number = status(transactions, renewals[original], at)
        if number in wanted:
            group.append({
                "originalTransactionId": original, "status": number, "signedTransactionInfo": authority.sign(last),
                "signedRenewalInfo": authority.sign(renewals[original]),
            })
    return Answer(200, {
        **_identity(record),
        "data": [{"subscriptionGroupIdentifier": group, "lastTransactions": last} for group, last in groups.items() if last],
    })


def transaction(request, store, authority, app):
    """GET /inApps/v1/transactions/{transactionId}."""
    record = _owner(request, store, app)
    found = [each for each in record["transactions"] if each["transactionId"] == request.argument]
    if not found:
        raise error(4040010, "Transaction id not found.")
    return Answer(200, {"signedTransactionInfo": authority.sign(found[0])})


def set_app_account_token(request, store, authority, app):
    """PUT /inApps/v1/transactions/{originalTransactionId}/appAccountToken: for every transaction of the subscription, from now on."""
    record = _owner(request, store, app)
    found = [each for each in record["transactions"] if each["originalTransactionId"] == request.argument]
    if not found:
        raise error(4000187, "Invalid request. The transaction ID provided is not an original transaction ID.")
    try:
        token = str(uuid.UUID(request.json()["appAccountToken"]))
    except (ValueError, KeyError, TypeError):
        raise error(4000183, "Invalid request. The app account token field must be a valid UUID.") from None
    for transaction in found:
        transaction["appAccountToken"] = token
    return Answer(200, "")


DELIVERY = {"DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM", "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER"}
PREFERENCES = {"GRANT_FULL", "GRANT_PRORATED", "DECLINE"}
CONSUMPTION_FIELDS = {
    "customerConsented", "consumptionPercentage", "deliveryStatus", "refundPreference", "sampleContentProvided"}


def consumption(request, store, authority, app):
    """PUT /inApps/v2/transactions/consumption/{transactionId}: takes what Apple's page takes, and nothing else.

    Apple publishes no numbers of its newer errors; those have 4000000 here, and the error's name as message.
    """
    record = _owner(request, store, app)
    found = [each for each in record["transactions"] if each["transactionId"] == request.argument]
    if not found:
        raise error(4040010, "Transaction id not found.")
    [transaction] = found
    body = request.json()
    status, share, preference = (body.get(name) for name in ("deliveryStatus", "consumptionPercentage", "refundPreference"))
    is_renewable = transaction["type"] == "Auto-Renewable Subscription"
    is_whole = isinstance(share, int) and not isinstance(share, bool)
    faults = [
        (transaction.get("inAppOwnershipType", "PURCHASED") != "PURCHASED", 4000185, "FamilyTransactionNotSupportedError"),
        ("advancedCommerceInfo" in transaction, 4000000, "AdvancedCommerceTransactionNotSupportedError"),
        (set(body) - CONSUMPTION_FIELDS, 4000000, f"unknown: {sorted(set(body) - CONSUMPTION_FIELDS)}"),
        (body.get("customerConsented") is not True, 4000035, "InvalidCustomerConsentedError"),
        (status not in DELIVERY, 4000036, "InvalidDeliveryStatusError"),
        (not isinstance(body.get("sampleContentProvided"), bool), 4000041, "InvalidSampleContentProvidedError"),
        ("refundPreference" in body and preference not in PREFERENCES, 4000000, "InvalidRefundPreferenceError"),
        ("consumptionPercentage" in body and not (is_whole and 0 <= share <= 100_000), 4000000, "ConsumptionPercentageOutOfRangeError"),
        ("consumptionPercentage" in body and is_renewable, 4000000, "ConsumptionPercentageAutoRenewableSubscriptionError"),
        (status != "DELIVERED" and share, 4000000, "UndeliveredConsumptionPercentageNonZeroError"),
        (preference == "GRANT_PRORATED" and not is_renewable and not (is_whole and 0 < share < 100_000), 4000000,
         "GRANT_PRORATED needs a consumptionPercentage above 0 and below 100000"),
    ]
    for is_fault, code, name in faults:
        if is_fault:
            raise error(code, name)
    return Answer(202, "")


def history(request, store, authority, app):
    """GET /inApps/v2/history/{anyTransactionId}: what was made or changed since `revision`, a page at a time."""
    record = _owner(request, store, app)
    if request.first("sort") not in (None, "ASCENDING", "DESCENDING"):
        raise error(4000021, "Invalid request. The sort parameter is invalid.")
    changes = [each for each in store.history(record) if _fits(each[1], request)]
    page, revision, has_more = _page(changes, request, store)
    signed = [authority.sign(each) for each in page]
    return Answer(200, {**_identity(record), "revision": revision, "hasMore": has_more, "signedTransactions": signed})


def refunds(request, store, authority, app):
    """GET /inApps/v2/refund/lookup/{anyTransactionId}."""
    record = _owner(request, store, app)
    changes = [each for each in store.history(record) if "revocationDate" in each[1]]
    page, revision, has_more = _page(changes, request, store)
    return Answer(200, {"revision": revision, "hasMore": has_more, "signedTransactions": [authority.sign(each) for each in page]})


def _owner(request, store, app):
    if not request.argument.isdigit():
        raise error(4000006, "Invalid transaction id.")
    record = store.owner(request.environment, app["bundleId"], request.argument)
    if record is None:
        code = store.settings["notFoundCode"]
        raise error(code, "Original transaction id not found." if code == 4040005 else "Transaction id not found.")
    return record


def _identity(record):
    fields = {"environment": record["environment"], "bundleId": record["bundleId"]}
    return fields if record["environment"] == "Sandbox" else {**fields, "appAppleId": record["appAppleId"]}


def _page(changes, request, store):
    """(transactions, revision, hasMore). A revision is good only for the query that it came from."""
    query = {name: values for name, values in request.query.items() if name != "revision"}
    digest = hashlib.sha256(json.dumps([request.path, query], sort_keys=True).encode()).hexdigest()[:16]
    descending = request.first("sort") == "DESCENDING"
    position = _position(request.first("revision"), digest)
    if descending:
        changes = [each for each in reversed(changes) if position is None or each[0] < position]
    else:
        changes = [each for each in changes if position is None or each[0] > position]
    page = changes[:store.settings["pageSize"]]
    position = page[-1][0] if page else position or 0
    return [each for _, each in page], f"{position}_{digest}", len(changes) > len(page)


def _position(revision, digest):
    if revision is None:
        return None
    number, _, of = revision.partition("_")
    if of != digest or not number.isdigit():
        raise error(4000005, "Invalid request revision.")
    return int(number)


def _fits(transaction, request):
    """Whether the query's filters let a transaction through."""
    kinds = {
        "AUTO_RENEWABLE": "Auto-Renewable Subscription", "NON_RENEWABLE": "Non-Renewing Subscription",
        "CONSUMABLE": "Consumable", "NON_CONSUMABLE": "Non-Consumable",
    }
    wanted = {
        "productId": request.query.get("productId"),
        "type": [kinds.get(kind) for kind in request.query.get("productType", [])],
        "subscriptionGroupIdentifier": request.query.get("subscriptionGroupIdentifier"),
        "inAppOwnershipType": request.query.get("inAppOwnershipType"),
    }
    if any(values and transaction.get(name) not in values for name, values in wanted.items()):
        return False
    revoked = request.first("revoked")
    if revoked is not None and (revoked.lower() == "true") != ("revocationDate" in transaction):
        return False
    start, end = request.first("startDate"), request.first("endDate")
    date = transaction["purchaseDate"]
    return (start is None or date >= int(start)) and (end is None or date < int(end))
