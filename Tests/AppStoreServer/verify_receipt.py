"""POST …/verifyReceipt."""
import base64
import hmac
import re

from AppStoreServer import old_receipts, receipts
from AppStoreServer.customer import now
from AppStoreServer.exchange import Answer


def answer(request, store):
    """HTTP 200 whatever happens; `status` says what did."""
    return Answer(200, _answer(request, store))


def _answer(request, store):
    if request.method != "POST":
        return {"status": 21000}
    try:
        body = request.json()
        key = base64.b64decode(body["receipt-data"], validate=True)
    except (KeyError, ValueError, TypeError):
        return {"status": 21002}
    try:
        # An app receipt (app_receipts.py) has the opaque key within.
        within = re.search(rb"receipt/[!-~]+", key) if key.startswith(b"0") else None
        key = within[0] if within else key
        prefix, environment, bundle_id, identifier, style, *transaction = key.decode().split("/")
    except ValueError:
        # Base64, but nothing that the App Store ever signed.
        return {"status": 21003}
    record = store.customers.get(identifier)
    if record is None or (record["environment"], record["bundleId"], prefix) != (environment, bundle_id, "receipt"):
        return {"status": 21003}
    request.notes["customer"] = identifier
    if environment != request.environment:
        return {"status": 21007 if environment == "Sandbox" else 21008}
    if not _password_fits(body.get("password"), store.apps.get(bundle_id, {}), record):
        return {"status": 21004}
    if style == "ios6":
        found = [each for each in record["transactions"] if [each["transactionId"]] == transaction]
        return old_receipts.answer(record, found[0], now()) if found else {"status": 21003}
    return receipts.ios7(record, now(), only_current=body.get("exclude-old-transactions") is True)


def _password_fits(password, app, record):
    """Where there are subscriptions, it must be there."""
    secret = app.get("sharedSecret")
    if secret is None or (password is None and not receipts.subscriptions(record)):
        return True
    return isinstance(password, str) and hmac.compare_digest(password.encode(), secret.encode())
