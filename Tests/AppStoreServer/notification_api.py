"""The App Store Server API: notifications that were sent, and a test of sending."""
import base64
import json
import uuid

from AppStoreServer import notifications
from AppStoreServer.customer import now
from AppStoreServer.exchange import Answer, error
from AppStoreServer.jws import claims_of
from AppStoreServer.periods import DAY

REMEMBERED = 180 * DAY


def history(request, store, app):
    """POST /inApps/v1/notifications/history: version 2, oldest first."""
    try:
        body = request.json()
    except ValueError:
        raise error(4000000, "Bad request.") from None
    start, end = body.get("startDate"), body.get("endDate")
    _check(start, end, body)
    found = [each for each in store.notifications.values() if _fits(each, request.environment, app, body, store)]
    found.sort(key=lambda each: each["at"])
    first = _first(request.first("paginationToken"), body)
    page = found[first:first + store.settings["pageSize"]]
    answer = {"notificationHistory": [_item(each) for each in page], "hasMore": len(found) > first + len(page)}
    if answer["hasMore"]:
        answer["paginationToken"] = _token(first + len(page), body)
    return Answer(200, answer)


def request_test(request, store, authority, app, sender):
    """POST /inApps/v1/notifications/test."""
    url = store.settings["notificationURLs"].get(request.environment)
    if url is None:
        raise error(4040007, "No App Store Server Notification URL found for provided app in this environment.")
    body = notifications.v2_test(authority, app["bundleId"], app["appAppleId"], request.environment)
    token = f"{uuid.uuid4()}_{now()}"
    store.tests[token] = sender.send({"version": 2, "url": url, "body": body}, wait=False)["id"]
    return Answer(200, {"testNotificationToken": token})


def test_result(request, store):
    """GET /inApps/v1/notifications/test/{token}."""
    notification = store.notifications.get(store.tests.get(request.argument))
    if notification is None or not notification["attempts"]:
        raise error(4040008, "Either the test notification token is expired or the notification and status are not available.")
    return Answer(200, _item(notification))


def _check(start, end, body):
    if not isinstance(start, int):
        raise error(4000015, "Invalid request. The start date is invalid.")
    if not isinstance(end, int):
        raise error(4000016, "Invalid request. The end date is invalid.")
    if start >= end:
        raise error(4000013, "Invalid request. The end date precedes the start date or the dates are the same.")
    if start < now() - REMEMBERED:
        raise error(4000012, "Invalid request. The start date is earlier than the allowed start date.")
    if "transactionId" in body and "notificationType" in body:
        raise error(4000019, "Invalid request. Supply either a transaction id or a notification type, but not both.")


def _fits(notification, environment, app, body, store):
    if notification["version"] != 2 or not body["startDate"] <= notification["at"] < body["endDate"]:
        return False
    try:
        claims = claims_of(notification["body"]["signedPayload"])
        about = claims.get("data") or claims.get("summary") or claims.get("appData") or {}
    except (ValueError, KeyError, TypeError, IndexError):
        # A body that a test broke.
        return False
    if (about.get("environment"), about.get("bundleId")) != (environment, app["bundleId"]):
        return False
    if body.get("onlyFailures") and any(each["sendAttemptResult"] == "SUCCESS" for each in notification["attempts"]):
        return False
    for name, field in (("notificationType", "notificationType"), ("notificationSubtype", "subtype")):
        if name in body and claims.get(field) != body[name]:
            return False
    if "transactionId" in body:
        owner = store.owner(environment, app["bundleId"], body["transactionId"])
        if owner is None or "signedTransactionInfo" not in about:
            return False
        mentioned = claims_of(about["signedTransactionInfo"])["transactionId"]
        return store.owner(environment, app["bundleId"], mentioned) is owner
    return True


def _item(notification):
    attempts = [{name: each[name] for name in ("attemptDate", "sendAttemptResult")} for each in notification["attempts"]]
    return {"signedPayload": notification["body"]["signedPayload"], "sendAttempts": attempts}


def _token(position, body):
    return base64.urlsafe_b64encode(json.dumps([position, body], sort_keys=True).encode()).decode()


def _first(token, body):
    if token is None:
        return 0
    try:
        position, of = json.loads(base64.urlsafe_b64decode(token))
    except ValueError:
        position, of = None, None
    if position is None or of != body:
        raise error(4000014, "Invalid request. The pagination token is invalid.")
    return position
