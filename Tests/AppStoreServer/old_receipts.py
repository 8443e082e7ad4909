"""verifyReceipt's answers in the style of iOS 6: the receipt of one transaction."""
from AppStoreServer import receipts
from AppStoreServer.status import newest


def item(transaction, record):
    """A transaction of the old style; `expires_date` is ms."""
    found = receipts.item(transaction, record)
    for name in ("expires_date_ms", "expires_date_pst"):
        found.pop(name, None)
    if "expiresDate" in transaction:
        found |= {
            "expires_date": str(transaction["expiresDate"]),
            "expires_date_formatted": receipts.gmt(transaction["expiresDate"]),
            "expires_date_formatted_pst": receipts.pacific(transaction["expiresDate"]),
        }
    return found | {
        "bid": record["bundleId"],
        "bvrs": "42",
        "item_id": "1146327846",
        "app_item_id": str(record["appAppleId"]),
        "version_external_identifier": "836917695",
        "unique_identifier": "00008020-000000000000002E",
        "unique_vendor_identifier": "0C4C3E40-21D8-4BC4-992F-1CB9A6CAEA4C",
    }


def answer(record, transaction, at):
    """The answer for the receipt of one transaction: 0, or 21006 for a subscription that has expired."""
    found = {"status": 0, "receipt": item(transaction, record)}
    if transaction["type"] != receipts.SUBSCRIPTION:
        return found
    last = newest(receipts.subscriptions(record)[transaction["originalTransactionId"]])
    [renewal] = [each for each in record["renewals"] if each["originalTransactionId"] == last["originalTransactionId"]]
    is_over = last["expiresDate"] <= at or "revocationDate" in last
    found["auto_renew_status"] = renewal["autoRenewStatus"]
    found["auto_renew_product_id"] = renewal["autoRenewProductId"]
    if is_over:
        found |= {"status": 21006, "latest_expired_receipt_info": item(last, record)}
    else:
        key = ("ios6", last["transactionId"])
        found |= {
            "latest_receipt_info": item(last, record),
            "latest_receipt": receipts.opaque(record["environment"], record["bundleId"], record["id"], *key),
        }
    if is_over or "expirationIntent" in renewal:
        found["expiration_intent"] = str(renewal.get("expirationIntent", 5))
        found["is_in_billing_retry_period"] = str(int(renewal.get("isInBillingRetryPeriod", False)))
    return found
