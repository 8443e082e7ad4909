"""What a subscription's status is, from its dates."""
from AppStoreServer.periods import BILLING_RETRY

ACTIVE, EXPIRED, RETRY, GRACE, REVOKED = 1, 2, 3, 4, 5


def newest(transactions):
    """The transaction that says how the subscription stands."""
    return max(transactions, key=lambda each: (not each.get("isUpgraded", False), each["purchaseDate"], each["expiresDate"]))


def status(transactions, renewal, at):
    """Apple's status number of one subscription at a time (ms)."""
    last = newest(transactions)
    if "revocationDate" in last:
        return REVOKED
    if last["expiresDate"] > at:
        return ACTIVE
    if renewal.get("gracePeriodExpiresDate", 0) > at:
        return GRACE
    if renewal.get("isInBillingRetryPeriod") and last["expiresDate"] + BILLING_RETRY > at:
        return RETRY
    return EXPIRED
