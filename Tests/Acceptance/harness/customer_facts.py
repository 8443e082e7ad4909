"""Computes the facts about a customer a second time, as docs/customers.md describes them, to compare them with the service's.

It starts from the App Store's data, which are transactions and renewal infos with Apple's field names, and uses no code of the
service.
"""

DAY = 24 * 3600 * 1000
HOUR = 3600 * 1000
RETRY = 60 * DAY
KINDS = {2: "promotional", 3: "offer-code", 4: "win-back", 5: "retention"}
OWNERSHIP = {"PURCHASED": "purchased", "FAMILY_SHARED": "family-shared", "ASSIGNED": "assigned"}
# The number of periods of each pay-as-you-go offer in the example catalogue.
INSTALMENTS = {("com.example.pro.monthly", "winback50"): 3, ("com.example.team.monthly", "winback50"): 3}
KNOWN_OFFERS = {
    ("com.example.pro.monthly", "winback50"), ("com.example.pro.monthly", "loyalty20"), ("com.example.pro.yearly", "yearly30"),
    ("com.example.team.monthly", "teamtrial"), ("com.example.team.monthly", "winback50"),
}


def is_own(transaction):
    return transaction.get("inAppOwnershipType", "PURCHASED") == "PURCHASED"


def revoked(transaction):
    # In signed data this date always means a refund, even for a period that was upgraded.
    return transaction.get("revocationDate")


def paid(transaction, now):
    """What the customer paid for a purchase. It must have no seats, and no partial refund."""
    is_refunded = revoked(transaction) is not None and revoked(transaction) <= now
    if not is_own(transaction) or is_refunded or transaction.get("offerDiscountType") == "FREE_TRIAL":
        return 0
    return transaction.get("price")


def age(then, now):
    return None if then is None else max(0, now - then) // DAY


def by_chain(transactions):
    chains = {}
    for each in sorted(transactions, key=lambda each: (each["purchaseDate"], each["transactionId"])):
        chains.setdefault(each["originalTransactionId"], []).append(each)
    return chains


def spans(chains, own, now):
    """The begin and the end of each period, the end excluded.

    A period also ends when a later period of the same subscription begins.
    """
    found = []
    for chain in chains.values():
        periods = [each for each in chain if is_own(each) == own and "expiresDate" in each and each["purchaseDate"] <= now]
        for index, each in enumerate(periods):
            ends = [each["expiresDate"]] + ([revoked(each)] if revoked(each) else [])
            later = [other["purchaseDate"] for other in periods[index + 1:] if other["purchaseDate"] > each["purchaseDate"]]
            found.append((each["purchaseDate"], min(ends + later[:1])))
    return sorted(found)


def days_subscribed(chains, now):
    """How many days the customer was subscribed. Time that lies in several periods counts once."""
    edges = sorted(edge for start, end in spans(chains, True, now) if end > start for edge in ((start, 1), (min(end, now), -1)))
    total, depth, last = 0, 0, None
    for at, step in edges:
        if depth > 0:
            total += at - last
        depth, last = depth + step, at
    return total // DAY


def unbroken_since(chains, own, at, now):
    """Since when the customer has been subscribed without a gap. A gap of up to an hour between two periods does not count."""
    start, all_spans = at, spans(chains, own, now)
    while True:
        earlier = [begin for begin, end in all_spans if begin < start and end + HOUR >= start]
        if not earlier:
            return start
        start = min(earlier)


def candidates(chains, renewals, account_of, now):
    """The newest period of each subscription, separately for own and for shared ones.

    If the customer has several own subscriptions with one Apple account, only the newest of their periods is kept.
    """
    found = []
    for original, chain in chains.items():
        for own in (True, False):
            periods = [each for each in chain if is_own(each) == own and "expiresDate" in each and each["purchaseDate"] <= now]
            if not periods:
                continue
            last = max(periods, key=lambda each: (each["purchaseDate"], not each.get("isUpgraded"), each["transactionId"]))
            renewal = renewals.get(original)
            if renewal and renewal["signedDate"] < last["purchaseDate"]:
                date = renewal.get("renewalDate")
                if not date or date - last["purchaseDate"] <= last["expiresDate"] - date:
                    renewal = None
            found.append((last, renewal, own))
    newest = {}
    for last, _, own in found:
        if own:
            key = account_of[last["originalTransactionId"]]
            newest[key] = max(newest.get(key, (0, "")), (last["purchaseDate"], last["transactionId"]))
    return [
        each for each in found
        if not each[2] or newest[account_of[each[0]["originalTransactionId"]]] == (each[0]["purchaseDate"], each[0]["transactionId"])
    ]


def state_of(last, renewal, now):
    if revoked(last) and revoked(last) <= now:
        return "revoked"
    if last["expiresDate"] > now:
        return "active"
    renewal = renewal or {}
    if renewal.get("gracePeriodExpiresDate", 0) > now:
        return "grace-period"
    if renewal.get("isInBillingRetryPeriod") and now < last["expiresDate"] + RETRY:
        return "billing-retry"
    return "expired"


CURRENT = ("active", "grace-period", "billing-retry")


def unconfirmed(last, renewal, now):
    if state_of(last, renewal, now) != "expired" or now >= last["expiresDate"] + RETRY:
        return False
    return renewal is None or (renewal.get("autoRenewStatus") != 0 and renewal["signedDate"] < last["expiresDate"])


def weight(each, now):
    state = state_of(each[0], each[1], now)
    return state in CURRENT, state == "active", each[0]["purchaseDate"], each[0]["transactionId"]


def subscription(group, transactions, renewals, now):
    chains = by_chain(transactions)
    account_of = {each["originalTransactionId"]: each["appTransactionId"] for each in transactions}
    found = candidates(chains, renewals, account_of, now)
    last, renewal, own = max(found, key=lambda each: weight(each, now))
    state, renewal = state_of(last, renewal, now), renewal or {}
    expires, grace = last["expiresDate"], renewal.get("gracePeriodExpiresDate")
    since, until = {
        "active": lambda: (unbroken_since(chains, own, last["purchaseDate"], now), expires),
        "grace-period": lambda: (expires, grace),
        "billing-retry": lambda: (expires, expires + RETRY),
        "expired": lambda: (max(expires, grace or 0), None),
        "revoked": lambda: (revoked(last), None),
    }[state]()
    is_unconfirmed = state not in CURRENT and any(unconfirmed(*each[:2], now) for each in found)
    will_renew = {0: False, 1: True}.get(renewal.get("autoRenewStatus"))
    mine = [each for each in transactions if is_own(each) and each["purchaseDate"] <= now]
    intro = [each for each in mine if each.get("offerType") == 1]
    first_intro = min(intro, key=lambda each: (each["purchaseDate"], each["transactionId"]), default=None)
    return {
        "subscriptionGroupId": group, "state": state, "since": since, "until": until, "renewalUnconfirmed": is_unconfirmed,
        "productId": last["productId"], "transactionId": last["transactionId"],
        "originalTransactionId": last["originalTransactionId"], "ownership": OWNERSHIP[last.get("inAppOwnershipType", "PURCHASED")],
        "expiresAt": expires, "willRenew": will_renew, "nextProductId": renewal.get("autoRenewProductId"),
        "expirationIntent": renewal.get("expirationIntent"), "priceIncreaseStatus": renewal.get("priceIncreaseStatus"),
        "gracePeriodExpiresAt": grace,
        "billingRetryEndsAt": expires + RETRY
        if renewal.get("isInBillingRetryPeriod") and state in ("grace-period", "billing-retry") else None,
        "statedAt": renewal.get("signedDate"), "price": last.get("price"), "paid": paid(last, now), "currency": last.get("currency"),
        "storefront": last.get("storefront"), "renewalPrice": renewal.get("renewalPrice"),
        "firstSubscribedAt": min((each["purchaseDate"] for each in mine), default=None),
        "daysSubscribed": days_subscribed(chains, now),
        "billingPlan": {"BILLED_UPFRONT": "upfront", "MONTHLY": "monthly"}.get(last.get("billingPlanType")), "commitment": None,
        "paidPeriods": sum(1 for each in mine if revoked(each) is None and each.get("price") != 0
                           and each.get("offerDiscountType") != "FREE_TRIAL"),
        "knownFromStart": True,
        "daysSinceLapse": age(since, now) if state in ("expired", "revoked") and not is_unconfirmed else None,
        "daysUntilRenewal": max(0, until - now) // DAY if state == "active" and will_renew else None,
        "introductory": {
            "used": bool(intro), "usedAt": first_intro and first_intro["purchaseDate"],
            "transactionId": first_intro and first_intro["transactionId"], "usedByAppleAccount": False,
        },
    }


def redemptions(transactions, now):
    found = []
    for chain in by_chain([each for each in transactions if is_own(each) and each["purchaseDate"] <= now]).values():
        previous, periods, until = None, 0, 0
        for each in chain:
            if each.get("offerType") not in KINDS:
                previous = None
                continue
            offer = (each["offerType"], each.get("offerIdentifier"), each["productId"])
            named = (each["productId"], each.get("offerIdentifier"))
            most = INSTALMENTS.get(named, 1) if each["offerType"] == 2 and named in KNOWN_OFFERS else None
            goes_on = each.get("transactionReason") == "RENEWAL" or each["purchaseDate"] <= until + HOUR
            if previous == offer and goes_on and "expiresDate" in each and (most is None or periods < most):
                periods += 1
                found[-1]["periods"] = periods
            else:
                periods = 1
                found.append({
                    "kind": KINDS[each["offerType"]], "offerId": each.get("offerIdentifier"), "productId": each["productId"],
                    "subscriptionGroupId": each.get("subscriptionGroupIdentifier"), "transactionId": each["transactionId"],
                    "redeemedAt": each["purchaseDate"], "periods": 1, "refunded": revoked(each) is not None,
                    "price": each.get("price"), "paid": paid(each, now), "currency": each.get("currency"), "signature": None,
                })
            previous, until = offer, min(each.get("expiresDate", 0), revoked(each) or each.get("expiresDate", 0))
    return sorted(found, key=lambda each: (each["redeemedAt"], each["transactionId"]))


def facts(transactions, renewals, now):
    """The facts that follow from transactions and renewal infos alone.

    `renewals` are the renewal infos by original transaction id, each with the signedDate with which the service received it.
    """
    groups = {}
    for each in transactions:
        if each["type"] == "Auto-Renewable Subscription":
            groups.setdefault(each["subscriptionGroupIdentifier"], []).append(each)
    subscriptions = [subscription(group, groups[group], renewals, now) for group in sorted(groups)]
    mine = [each for each in transactions if is_own(each) and each["purchaseDate"] <= now]
    bought = [each["purchaseDate"] for each in mine]
    redeemed = redemptions(transactions, now)
    taken_back = sorted(
        (each for each in mine if revoked(each) and revoked(each) <= now), key=lambda each: (revoked(each), each["transactionId"]))
    used = [each["introductory"]["used"] for each in subscriptions]
    return {
        "customer": {
            "purchases": len(mine), "firstPurchaseAt": min(bought, default=None), "lastPurchaseAt": max(bought, default=None),
            "daysSinceFirstPurchase": age(min(bought, default=None), now),
        },
        "subscriptions": subscriptions,
        "introductory": {"used": any(used)},
        "offers": {
            "redeemedCount": len(redeemed), "daysSinceLast": age(redeemed[-1]["redeemedAt"], now) if redeemed else None,
            "redeemed": redeemed,
        },
        "refunds": {"count": len(taken_back), "items": [
            {"transactionId": each["transactionId"], "productId": each["productId"], "purchasedAt": each["purchaseDate"],
             "refundedAt": revoked(each), "price": each.get("price"), "paid": paid(each, now),
             "currency": each.get("currency")} for each in taken_back]},
    }
