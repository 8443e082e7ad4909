"""verifyReceipt's answers in the style of iOS 7, from a customer's record."""
import base64
import datetime
import hashlib
import zoneinfo

from AppStoreServer.status import newest

_PACIFIC = zoneinfo.ZoneInfo("America/Los_Angeles")
_FORMAT = "%Y-%m-%d %H:%M:%S"
SUBSCRIPTION = "Auto-Renewable Subscription"


def gmt(at):
    return datetime.datetime.fromtimestamp(at // 1000, datetime.timezone.utc).strftime(_FORMAT) + " Etc/GMT"


def pacific(at):
    return datetime.datetime.fromtimestamp(at // 1000, _PACIFIC).strftime(_FORMAT) + " America/Los_Angeles"


def date(name, at):
    """One date in its three spellings, all strings."""
    return {name: gmt(at), f"{name}_ms": str(at), f"{name}_pst": pacific(at)}


def flag(value):
    return "true" if value else "false"


def opaque(*parts):
    """A long Base64 text that stands for a receipt in `latest_receipt`: hand it in, and you get this answer again."""
    return base64.b64encode("/".join(("receipt", *parts)).encode()).decode()


def unordered(items):
    """Receipts promise no order, and this one keeps none, the same each time."""
    return sorted(items, key=lambda each: hashlib.sha256(each["transaction_id"].encode()).digest())


def item(transaction, record, with_group=False):
    """One transaction of an iOS 7 style receipt: strings only."""
    found = {
        "quantity": str(transaction.get("quantity", 1)),
        "product_id": transaction["productId"],
        "transaction_id": transaction["transactionId"],
        "original_transaction_id": transaction["originalTransactionId"],
        **date("purchase_date", transaction["purchaseDate"]),
        **date("original_purchase_date", transaction["originalPurchaseDate"]),
    }
    if "expiresDate" in transaction:
        found |= date("expires_date", transaction["expiresDate"])
    if "webOrderLineItemId" in transaction:
        found["web_order_line_item_id"] = transaction["webOrderLineItemId"]
    found["is_trial_period"] = flag(_introductory(transaction) and transaction.get("offerDiscountType") == "FREE_TRIAL")
    if transaction["type"] == SUBSCRIPTION:
        paid = _introductory(transaction) and transaction.get("offerDiscountType") != "FREE_TRIAL"
        found["is_in_intro_offer_period"] = flag(paid)
        if with_group:
            found["subscription_group_identifier"] = transaction["subscriptionGroupIdentifier"]
    if "offerIdentifier" in transaction:
        names = {2: "promotional_offer_id", 3: "offer_code_ref_name", 4: "win_back_offer_id"}
        found[names[transaction["offerType"]]] = transaction["offerIdentifier"]
    found["in_app_ownership_type"] = transaction["inAppOwnershipType"]
    if "appAccountToken" in transaction:
        found["app_account_token"] = transaction["appAccountToken"]
    cancelled = cancelled_at(transaction, record)
    if cancelled is not None:
        found |= {**date("cancellation_date", cancelled), "cancellation_reason": str(transaction.get("revocationReason", 0))}
    if transaction.get("isUpgraded"):
        found["is_upgraded"] = "true"
    return found


def _introductory(transaction):
    return transaction.get("offerType") == 1


def cancelled_at(transaction, record):
    """When it was refunded, or when the upgrade that ended it was bought (ms); None for neither."""
    if not transaction.get("isUpgraded"):
        return transaction.get("revocationDate")
    later = [
        each["purchaseDate"] for each in record["transactions"]
        if each["originalTransactionId"] == transaction["originalTransactionId"]
        and each["purchaseDate"] > transaction["purchaseDate"]
    ]
    return min(later, default=transaction["purchaseDate"])


def subscriptions(record):
    """The transactions of each subscription, by original transaction."""
    found = {}
    for each in record["transactions"]:
        if each["type"] == SUBSCRIPTION:
            found.setdefault(each["originalTransactionId"], []).append(each)
    return found


def pending_renewal_info(record):
    """The renewals, strings only."""
    return [_pending(renewal) for renewal in record["renewals"]]


def _pending(renewal):
    found = {
        "original_transaction_id": renewal["originalTransactionId"],
        "product_id": renewal["productId"],
        "auto_renew_product_id": renewal["autoRenewProductId"],
        "auto_renew_status": str(renewal["autoRenewStatus"]),
    }
    if "expirationIntent" in renewal:
        found["expiration_intent"] = str(renewal["expirationIntent"])
        found["is_in_billing_retry_period"] = str(int(renewal.get("isInBillingRetryPeriod", False)))
    if "gracePeriodExpiresDate" in renewal:
        found |= date("grace_period_expires_date", renewal["gracePeriodExpiresDate"])
    if "priceIncreaseStatus" in renewal:
        found["price_consent_status"] = str(renewal["priceIncreaseStatus"])
    if renewal.get("offerType") == 2:
        found["promotional_offer_id"] = renewal["offerIdentifier"]
    return found


def latest_receipt_info(record, only_current=False):
    """All periods; with `only_current` (exclude-old-transactions) one of each subscription."""
    groups = subscriptions(record).values()
    chosen = [newest(group) for group in groups] if only_current else [each for group in groups for each in group]
    return [item(each, record, with_group=True) for each in chosen]


def ios7(record, at, only_current=False):
    """The answer for an app receipt; strings, numbers and Booleans mixed as Apple mixes them."""
    is_sandbox = record["environment"] == "Sandbox"
    first = min((each["originalPurchaseDate"] for each in record["transactions"]), default=at)
    newest_purchase = max((each["purchaseDate"] for each in record["transactions"]), default=at)
    app_id = 0 if is_sandbox else record["appAppleId"]
    answer = {
        "status": 0,
        "environment": record["environment"],
        "receipt": {
            "receipt_type": "ProductionSandbox" if is_sandbox else "Production",
            "adam_id": app_id,
            "app_item_id": app_id,
            "bundle_id": record["bundleId"],
            "application_version": "42",
            "download_id": 0 if is_sandbox else 500123456789012345,
            "version_external_identifier": 0 if is_sandbox else 861234567,
            **date("receipt_creation_date", newest_purchase),
            **date("request_date", at),
            **date("original_purchase_date", 1375340400000 if is_sandbox else first),
            "original_application_version": "1.0",
            "in_app": unordered(item(each, record) for each in record["transactions"]),
        },
    }
    if subscriptions(record):
        answer |= {
            "latest_receipt_info": unordered(latest_receipt_info(record, only_current)),
            "latest_receipt": opaque(record["environment"], record["bundleId"], record["id"], "ios7"),
            "pending_renewal_info": pending_renewal_info(record),
        }
    return answer
