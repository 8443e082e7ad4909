"""The life of one subscription: each step changes the customer's purchases as the App Store does, and leaves an event."""
import time

from AppStoreServer import status
from AppStoreServer.event import Event
from AppStoreServer.periods import BILLING_RETRY, GRACE, length

EXPIRED_SUBTYPES = {1: "VOLUNTARY", 2: "BILLING_RETRY", 3: "PRICE_INCREASE", 4: "PRODUCT_NOT_FOR_SALE"}


class Subscription:
    """One customer's subscription in one group; made by Customer.start. Steps give it back, so that they can be chained."""

    def __init__(self, customer, group, price):
        self.customer = customer
        self.group = group
        self.price = price
        self.transactions = []
        self.renewal = {}
        self.events = []
        self._next_offer = {}

    @property
    def last(self):
        """The newest transaction."""
        return self.transactions[-1]

    @property
    def original_id(self):
        return self.transactions[0]["originalTransactionId"]

    @property
    def event(self):
        """The newest event: what a notification of now would say."""
        return self.events[-1]

    def status(self, at):
        return status.status(self.transactions, self.renewal, at)

    # Periods

    def start(self, product, *, at, period="P1M", intro=False, intro_period=None, **fields):
        """The first period; an introductory one may have another length."""
        offer = {}
        if intro:
            kind = "FREE_TRIAL" if intro is True else intro
            offer = {"offerType": 1, "offerDiscountType": kind, "price": 0 if kind == "FREE_TRIAL" else self.price // 2}
        self.renewal = {"recentSubscriptionStartDate": at}
        if intro_period:
            end = at + length(intro_period, self.customer.environment)
            offer |= {"offerPeriod": intro_period, "expiresDate": end}
        self._buy(product, at, period, "PURCHASE", {**offer, **fields})
        return self._happened("SUBSCRIBED", "INITIAL_BUY", "INITIAL_BUY", at)

    def renew(self, at=None):
        """The next period, when the last one ends or `at`; brings what waited for it: a downgrade, an offer."""
        recovered = self.renewal.get("isInBillingRetryPeriod", False)
        at = at or self.last["expiresDate"]
        product, offer = self.renewal["autoRenewProductId"], self._next_offer
        self._next_offer = {}
        self._buy(product, at, self._period, "RENEWAL", offer)
        words = ("DID_RENEW", "BILLING_RECOVERY", "DID_RECOVER") if recovered else ("DID_RENEW", None, "DID_RENEW")
        return self._happened(*words, at)

    def resubscribe(self, product=None, *, at, offer_id=None, discount="PAY_AS_YOU_GO", offer_type=2):
        """A new period after a gap, with a promotional offer (2), an offer code (3) or a win-back offer (4) if one is named."""
        self.renewal = {"recentSubscriptionStartDate": at}
        self._buy(product or self.last["productId"], at, self._period, "PURCHASE", self._offer(offer_id, discount, offer_type))
        return self._happened("SUBSCRIBED", "RESUBSCRIBE", "INTERACTIVE_RENEWAL", at)

    def upgrade(self, product, *, at, period=None):
        """At once; the old period ends early, with a refund of the rest."""
        old = self.last
        old["isUpgraded"] = True
        self._buy(product, at, period or self._period, "PURCHASE", {})
        return self._happened("DID_CHANGE_RENEWAL_PREF", "UPGRADE", "CANCEL", at, cancelled=old)

    def downgrade(self, product, *, at):
        """With the next renewal."""
        self.renewal["autoRenewProductId"] = product
        return self._happened("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", "DID_CHANGE_RENEWAL_PREF", at)

    def redeem_promotional_offer(self, offer_id, *, at, discount="PAY_AS_YOU_GO"):
        """By an active subscriber: the offer is the next period's. After a gap it is resubscribe(offer_id=…)."""
        self._next_offer = self._offer(offer_id, discount, 2)
        self.renewal.update({name: value for name, value in self._next_offer.items() if name != "price"})
        return self._happened("OFFER_REDEEMED", None, None, at)

    def extend(self, by, *, at):
        """A renewal date put off by some ms."""
        self.last["expiresDate"] += by
        self.renewal["renewalDate"] = self.last["expiresDate"]
        return self._happened("RENEWAL_EXTENDED", None, None, at)

    def add_seats(self, quantity, *, at, **fields):
        """In mid-period: another transaction of the same period, and both say so."""
        self.last["additionalTransactionReason"] = "SEAT_ADDITION"
        renewal, end = self.renewal, self.last["expiresDate"]
        self._buy(self.last["productId"], at, self._period, "PURCHASE", {
            "expiresDate": end, "quantity": quantity, "additionalTransactionReason": "SEAT_ADDITION", **fields})
        self.renewal = {**renewal, "renewalQuantity": sum(each["quantity"] for each in self.transactions if each["expiresDate"] == end)}
        return self._happened("DID_CHANGE_RENEWAL_PREF", "INCREASE_QUANTITY", None, at)

    # Endings

    def cancel_auto_renew(self, *, at):
        self.renewal.update(autoRenewStatus=0, expirationIntent=1)
        self.renewal.pop("renewalDate", None)
        return self._happened("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", "DID_CHANGE_RENEWAL_STATUS", at)

    def resume_auto_renew(self, *, at):
        self.renewal.update(autoRenewStatus=1, renewalDate=self.last["expiresDate"])
        self.renewal.pop("expirationIntent", None)
        return self._happened("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", "DID_CHANGE_RENEWAL_STATUS", at)

    def billing_retry(self):
        """The renewal could not be charged."""
        self._must_have_ended()
        self.renewal.update(isInBillingRetryPeriod=True, expirationIntent=2)
        return self._happened("DID_FAIL_TO_RENEW", None, "DID_FAIL_TO_RENEW", self.last["expiresDate"])

    def grace(self, lasting=GRACE):
        """The renewal could not be charged, and the customer keeps the service for a while (ms)."""
        self._must_have_ended()
        end = self.last["expiresDate"] + lasting
        self.renewal.update(isInBillingRetryPeriod=True, expirationIntent=2, gracePeriodExpiresDate=end)
        return self._happened("DID_FAIL_TO_RENEW", "GRACE_PERIOD", "DID_FAIL_TO_RENEW", self.last["expiresDate"])

    def end_grace(self):
        return self._happened("GRACE_PERIOD_EXPIRED", None, None, self.renewal["gracePeriodExpiresDate"])

    def expire(self, intent=1, *, at=None):
        """For good: when its last period ended, or after the time of retries; `intent` is Apple's expirationIntent."""
        self._must_have_ended()
        retried = BILLING_RETRY if self.renewal.get("isInBillingRetryPeriod") else 0
        self.renewal.update(autoRenewStatus=0, expirationIntent=intent, isInBillingRetryPeriod=False)
        self.renewal.pop("renewalDate", None)
        # Version 1 tells nothing of it.
        return self._happened("EXPIRED", EXPIRED_SUBTYPES.get(intent), None, at or self.last["expiresDate"] + retried)

    def ask_price_consent(self, price, *, at, accepted=False):
        self.renewal.update(priceIncreaseStatus=int(accepted), renewalPrice=price)
        return self._happened("PRICE_INCREASE", "ACCEPTED" if accepted else "PENDING", "PRICE_INCREASE_CONSENT", at)

    # Refunds and families

    def refund(self, transaction=None, *, at, reason=0, percentage=None):
        """The last period's money back, or that of another transaction; prorated with a percentage (milliunits)."""
        refunded = transaction or self.last
        refunded.update(revocationDate=at, revocationReason=reason, revocationType="REFUND_FULL")
        if percentage is not None:
            refunded.update(revocationType="REFUND_PRORATED", revocationPercentage=percentage)
        return self._happened("REFUND", None, "REFUND", at, refunded, cancelled=refunded)

    def reverse_refund(self, transaction=None, *, at):
        restored = transaction or self.last
        for field in ("revocationDate", "revocationReason", "revocationType", "revocationPercentage"):
            restored.pop(field, None)
        return self._happened("REFUND_REVERSED", None, None, at, restored)

    def share_with(self, member):
        """What a member of the family gets: a subscription of its own identifiers, FAMILY_SHARED."""
        shared = Subscription(member, self.group, self.price)
        member.subscriptions.append(shared)
        return shared.start(
            self.last["productId"], at=self.last["purchaseDate"], period=self._period, inAppOwnershipType="FAMILY_SHARED",
        )

    def revoke_sharing(self, *, at):
        """Said of the member's subscription."""
        self.last.update(revocationDate=at, revocationReason=0, revocationType="FAMILY_REVOKE")
        return self._happened("REVOKE", None, "REVOKE", at)

    # Parts

    def _must_have_ended(self):
        if self.last["expiresDate"] > time.time() * 1000:
            raise ValueError("its last period is not over: let its life begin earlier")

    def _buy(self, product, at, period, reason, fields):
        self._period = period
        transaction_id = self.customer.new_id()
        first = self.transactions[0] if self.transactions else None
        ownership = {"inAppOwnershipType": self.last["inAppOwnershipType"] if first else "PURCHASED"}
        self.transactions.append(self.customer.add({
            "transactionId": transaction_id,
            "originalTransactionId": first["originalTransactionId"] if first else transaction_id,
            "webOrderLineItemId": self.customer.new_id(), "productId": product, "subscriptionGroupIdentifier": self.group,
            "purchaseDate": at, "originalPurchaseDate": first["originalPurchaseDate"] if first else at,
            "expiresDate": at + length(period, self.customer.environment), "quantity": 1,
            "type": "Auto-Renewable Subscription", "transactionReason": reason, "price": self.price, **ownership, **fields,
        }))
        self._renewal_after(product)

    def _renewal_after(self, product):
        last = self.last
        general = ("environment", "appAccountToken", "appTransactionId", "currency", "originalTransactionId")
        self.renewal = {
            **{name: last[name] for name in general if name in last},
            "productId": product, "autoRenewProductId": product, "autoRenewStatus": 1, "isInBillingRetryPeriod": False,
            "recentSubscriptionStartDate": self.renewal["recentSubscriptionStartDate"], "renewalDate": last["expiresDate"],
            "renewalPrice": self.price,
        }

    def _offer(self, offer_id, discount, offer_type):
        if offer_id is None:
            return {}
        price = 0 if discount == "FREE_TRIAL" else self.price // 2
        return {"offerType": offer_type, "offerIdentifier": offer_id, "offerDiscountType": discount, "price": price}

    def _happened(self, kind, subtype, kind_v1, at, transaction=None, cancelled=None):
        self.events.append(Event(kind, subtype, kind_v1, at, transaction or self.last, cancelled))
        return self
