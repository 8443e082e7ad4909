"""What the service does unasked: notifications that it fetches, renewals that it asks about."""
from harness.purchases import eligibility
from harness.waiting import wait_until


def asked(store, route="history"):
    """The transactions that the App Store was asked about."""
    return [each["argument"] for each in store.requests(route)]


def state(service, subscription):
    return eligibility(service, transactionId=subscription.original_id)["subscription"]["state"]


def kept(service):
    """The types of the notifications in the store, in the order of their arrival."""
    with service.database(service.histories) as connection:
        return [row["type"] for row in connection.execute("SELECT type FROM notification ORDER BY rowid")]


def due_at(service, subscription):
    """When the App Store will be asked about a subscription (ms); None for never."""
    with service.database(service.histories) as connection:
        [row] = connection.execute(
            "SELECT poll_at FROM purchase_chain WHERE original_transaction_id = ?", [int(subscription.original_id)]
        ).fetchall()
    return row["poll_at"]


def caught_up(service):
    """When it last fetched every notification that there was, by app (ms)."""
    with service.database(service.histories) as connection:
        rows = connection.execute("SELECT name, value FROM progress WHERE name LIKE 'notification-catch-up:%'")
        return {row["name"].partition(":")[2]: int(row["value"]) for row in rows}


def miss(store, subscription, **options):
    """A notification that the App Store could not deliver and has given up."""
    store.send_v2(None, subscription, sending={"resendAfterMilliseconds": []}, **options)


def another_round(service, name, **labels):
    """Waits until a round has both begun and ended well since: `renewal_poll`, `receipt_poll` or `catch_up`."""
    ages = [float("inf")]

    def has_ended():
        ages.append(service.metric(f"offersigner_{name}_age_seconds", **labels))
        return ages[-1] < ages[-2]

    # The first end that is seen may be that of a round under way.
    for _ in range(2):
        ages[-1] = 0
        wait_until(has_ended, message=f"no round of {name} has ended")
