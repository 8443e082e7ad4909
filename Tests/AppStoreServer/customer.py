"""An Apple account's purchases in one app, with Apple's field names."""
import copy
import itertools
import secrets
import time
import uuid

from AppStoreServer import receipts
from AppStoreServer.subscription import Subscription


# Begins anywhere. Drawn one by one, twenty thousand customers would have two with the same in every fifth run.
PLACES = itertools.count(secrets.randbelow(10**9))


def now():
    return int(time.time() * 1000)


class Customer:
    """Builds the life of a customer; `record()` is what the server takes. Times are ms; dates in the past are welcome."""

    def __init__(self, bundle_id, app_apple_id=1234567890, environment="Production", app_account_token=None, storefront="USA"):
        self.id = uuid.uuid4().hex
        self.bundle_id = bundle_id
        self.app_apple_id = app_apple_id
        self.environment = environment
        self.app_account_token = app_account_token.lower() if app_account_token else None
        self.storefront = storefront
        self.transactions = []
        self.subscriptions = []
        # Apart from those of others: a thousand each.
        first = next(PLACES) % 10**9 * 1000
        prefix = "2000" if environment == "Sandbox" else "4800"
        self._numbers = (f"{prefix}{first + number:012d}" for number in itertools.count())
        self.app_transaction_id = f"7{self.new_id()}"

    # Buying

    def start(self, product, group="20563228", *, at=None, period="P1M", intro=False, price=9990, **fields):
        """A first subscription in a group.

        `intro`: True or "FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT"; `intro_period`: its length, as "P1W".
        """
        subscription = Subscription(self, group, price)
        self.subscriptions.append(subscription)
        subscription.start(product, at=now() if at is None else at, period=period, intro=intro, **fields)
        return subscription

    def buy(self, product, kind="Consumable", *, at=None, quantity=1, price=990, **fields):
        """A one-time purchase: "Consumable", "Non-Consumable" or "Non-Renewing Subscription". Gives back the transaction."""
        at = now() if at is None else at
        transaction_id = self.new_id()
        return self.add({
            "transactionId": transaction_id, "originalTransactionId": transaction_id, "productId": product, "type": kind,
            "purchaseDate": at, "originalPurchaseDate": at, "quantity": quantity, "transactionReason": "PURCHASE",
            "inAppOwnershipType": "PURCHASED", "price": price, **fields,
        })

    def add(self, transaction):
        """Puts in a transaction with what all of this customer's have; gives back the dictionary that is kept."""
        general = {
            "bundleId": self.bundle_id, "environment": self.environment, "storefront": self.storefront,
            "storefrontId": "143441", "currency": "USD", "appTransactionId": self.app_transaction_id,
        }
        if self.app_account_token:
            general["appAccountToken"] = self.app_account_token
        self.transactions.append({**general, **transaction})
        return self.transactions[-1]

    def new_id(self):
        return next(self._numbers)

    # Showing

    def record(self):
        """Everything, as the server keeps it."""
        return copy.deepcopy({
            "id": self.id, "bundleId": self.bundle_id, "appAppleId": self.app_apple_id, "environment": self.environment,
            "appTransactionId": self.app_transaction_id, "transactions": self.transactions,
            "renewals": [each.renewal for each in self.subscriptions],
        })

    def signed_transactions(self, authority, **forgery):
        return [authority.sign(each, **forgery) for each in self.transactions]

    def signed_renewal_infos(self, authority, **forgery):
        return [authority.sign(each.renewal, **forgery) for each in self.subscriptions]

    def receipt(self, transaction=None):
        """The opaque receipt-data for verifyReceipt: the app's (iOS 7), or the iOS 6 style one of a transaction."""
        style = ("ios6", transaction["transactionId"]) if transaction else ("ios7",)
        return receipts.opaque(self.environment, self.bundle_id, self.id, *style)
