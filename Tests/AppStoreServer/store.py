"""What the server knows: apps, customers, the order in which transactions were made or changed, notifications, requests."""
import threading
import uuid

from AppStoreServer.faults import Faults

# retentionMilliseconds is what Apple's performance test asks for.
DEFAULT_SETTINGS = {
    "pageSize": 20, "notFoundCode": 4040010, "notificationURLs": {}, "retentionTargets": {}, "retentionMilliseconds": 500,
}


class Store:
    """Held by one lock, `lock`; the routes take it."""

    def __init__(self):
        self.lock = threading.RLock()
        self.faults = Faults()
        self.reset()

    def reset(self):
        """Forgets everything, apps as well."""
        with self.lock:
            self.apps = {}
            self.customers = {}
            self.requests = []
            self.notifications = {}
            self.tests = {}
            # Of App Store Connect: who may ask, and what there is.
            self.connect = {"keys": {}, "resources": []}
            # Of Retention Messaging: bundle id → environment → retention_api.Shelf.
            self.retention = {}
            self.settings = dict(DEFAULT_SETTINGS)
            self.faults.clear()
            self._changes = 0
            self._changed = {}
            self._owners = {}

    # Customers

    def put(self, record):
        """Adds or replaces a customer; what is new or changed moves to the end of the history. Gives back how much that was."""
        before = {each["transactionId"]: each for each in self.customers.get(record["id"], {}).get("transactions", [])}
        self.customers[record["id"]] = record
        changed = [each for each in record["transactions"] if before.get(each["transactionId"]) != each]
        place = (record["environment"], record["bundleId"])
        for each in changed:
            self._changes += 1
            self._changed[(*place, each["transactionId"])] = self._changes
        for identifier in _identifiers(record):
            self._owners[(*place, identifier)] = record["id"]
        return len(changed)

    def remove(self, identifier):
        self.customers.pop(identifier, None)
        self._owners = {key: owner for key, owner in self._owners.items() if owner != identifier}

    def owner(self, environment, bundle_id, identifier):
        """The record of the customer who has a transactionId, originalTransactionId or appTransactionId; None if there is none."""
        return self.customers.get(self._owners.get((environment, bundle_id, identifier)))

    def history(self, record):
        """(number of the change, transaction), oldest change first."""
        place = (record["environment"], record["bundleId"])
        found = [(self._changed[(*place, each["transactionId"])], each) for each in record["transactions"]]
        return sorted(found, key=lambda each: each[0])

    # Notifications

    def note(self, notification):
        """Keeps a notification; its identifier."""
        notification["id"] = notification.get("id") or uuid.uuid4().hex
        with self.lock:
            self.notifications[notification["id"]] = notification
        return notification["id"]


def _identifiers(record):
    yield record["appTransactionId"]
    for each in record["transactions"]:
        yield each["transactionId"]
        yield each["originalTransactionId"]
