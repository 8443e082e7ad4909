"""Looks at what the service does of its own accord: it fetches missed notifications, and asks the App Store about renewals."""
from harness.purchases import eligibility
from harness.waiting import wait_until


def asked(store, route="history"):
    """The ids of the transactions that the service has asked the App Store about."""
    return [each["argument"] for each in store.requests(route)]


def state(service, subscription):
    return eligibility(service, transactionId=subscription.original_id)["subscription"]["state"]


def kept(service):
    """The types of the notifications in the store, in the order of their arrival."""
    with service.database(service.histories) as connection:
        return [row["type"] for row in connection.execute("SELECT type FROM notification ORDER BY rowid")]


def due_at(service, subscription):
    """When the service will ask the App Store about a subscription, in ms since 1970; None if it will not."""
    with service.database(service.histories) as connection:
        [row] = connection.execute(
            "SELECT poll_at FROM purchase_chain WHERE original_transaction_id = ?", [int(subscription.original_id)]
        ).fetchall()
    return row["poll_at"]


def caught_up(service):
    """When the service last finished fetching all missed notifications, in ms since 1970, by app."""
    with service.database(service.histories) as connection:
        rows = connection.execute("SELECT name, value FROM progress WHERE name LIKE 'notification-catch-up:%'")
        return {row["name"].partition(":")[2]: int(row["value"]) for row in rows}


def miss(store, subscription, **options):
    """Makes the App Store send a notification that reaches no server, and that it does not send again."""
    store.send_v2(None, subscription, sending={"resendAfterMilliseconds": []}, **options)


def another_round(service, name, **labels):
    """Waits until a round of background work has begun and has succeeded since this call.

    `name` is `renewal_poll`, `receipt_poll` or `catch_up`.
    """
    ages = [float("inf")]

    def has_ended():
        ages.append(service.metric(f"offersigner_{name}_age_seconds", **labels))
        return ages[-1] < ages[-2]

    # The first round whose end is seen may have begun before this call. The second one has not.
    for _ in range(2):
        ages[-1] = 0
        wait_until(has_ended, message=f"no round of {name} has ended")
