"""The bodies of App Store Server Notifications, both versions."""
import uuid

from AppStoreServer import old_receipts, receipts
from AppStoreServer.customer import now
from AppStoreServer.status import newest


def v2(authority, subscription, kind=None, subtype=None, *, identifier=None, at=None, data=None, fields=None, **forgery):
    """`{"signedPayload": JWS}` about the newest event of a subscription, or of another type.

    `identifier` is the notificationUUID; `data` and `fields` override what is in `data` and on top (None leaves a field out);
    a forgery is one of the whole, the transactions within stay genuine.
    """
    event, customer = subscription.event, subscription.customer
    at = at or now()
    if kind is None:
        kind, subtype = event.kind, event.subtype
    signed_date = {"signedDate": at}
    payload = {
        "notificationType": kind, "subtype": subtype, "notificationUUID": identifier or str(uuid.uuid4()), "version": "2.0",
        "signedDate": at,
        "data": _present({
            "appAppleId": customer.app_apple_id, "bundleId": customer.bundle_id, "bundleVersion": "42",
            "environment": customer.environment, "status": subscription.status(at),
            "signedTransactionInfo": authority.sign({**event.transaction, **signed_date}),
            "signedRenewalInfo": authority.sign({**subscription.renewal, **signed_date}),
            **(data or {}),
        }),
    }
    return {"signedPayload": authority.sign(_present({**payload, **(fields or {})}), **forgery)}


def v2_test(authority, bundle_id, app_apple_id, environment):
    """The TEST notification."""
    data = {"appAppleId": app_apple_id, "bundleId": bundle_id, "environment": environment}
    return {"signedPayload": authority.sign({
        "notificationType": "TEST", "notificationUUID": str(uuid.uuid4()), "version": "2.0", "data": data,
    })}


def v1(subscription, kind=None, *, password, generation="unified", at=None, fields=None):
    """The JSON of version 1: generation "unified" (since 2021), or "legacy", with the receipt on top as well."""
    customer, event = subscription.customer, subscription.event
    record = customer.record()
    at = at or now()
    kind = kind or event.kind_v1
    if kind is None:
        raise ValueError(f"version 1 says nothing about {event.kind}; name a type")
    renewal = subscription.renewal
    info = receipts.latest_receipt_info(record)
    latest = receipts.ios7(record, at)["latest_receipt"]
    body = {
        "notification_type": kind,
        "password": password,
        "environment": "Sandbox" if customer.environment == "Sandbox" else "PROD",
        "bid": customer.bundle_id,
        "bvrs": "42",
        "original_transaction_id": subscription.original_id,
        "auto_renew_product_id": renewal["autoRenewProductId"],
        "auto_renew_status": receipts.flag(renewal["autoRenewStatus"]),
        "unified_receipt": {
            "status": 0,
            "environment": customer.environment,
            "latest_receipt": latest,
            "latest_receipt_info": sorted(info, key=lambda each: -int(each["purchase_date_ms"]))[:100],
            "pending_renewal_info": receipts.pending_renewal_info(record),
        },
    }
    if kind == "DID_CHANGE_RENEWAL_STATUS":
        body |= receipts.date("auto_renew_status_change_date", event.at)
    if "expirationIntent" in renewal:
        body["expiration_intent"] = str(renewal["expirationIntent"])
    cancelled = event.cancelled if kind in ("CANCEL", "REFUND") else None
    if cancelled:
        body |= receipts.date("cancellation_date", receipts.cancelled_at(cancelled, record))
    if generation == "legacy":
        last = cancelled or newest(subscription.transactions)
        is_expired = last["expiresDate"] <= at
        name = "latest_expired_receipt" if is_expired else "latest_receipt"
        body |= {name: latest, f"{name}_info": old_receipts.item(last, record)}
    return _present({**body, **(fields or {})})


def _present(fields):
    return {name: value for name, value in fields.items() if value is not None}
