"""How long subscription periods last, in ms."""
MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR

PRODUCTION = {
    "P3D": 3 * DAY, "P1W": 7 * DAY, "P2W": 14 * DAY, "P1M": 30 * DAY, "P2M": 60 * DAY, "P3M": 90 * DAY, "P6M": 180 * DAY,
    "P1Y": 365 * DAY,
}
SANDBOX = {
    "P3D": 2 * MINUTE, "P1W": 3 * MINUTE, "P2W": 3 * MINUTE, "P1M": 5 * MINUTE, "P2M": 10 * MINUTE, "P3M": 15 * MINUTE,
    "P6M": 30 * MINUTE, "P1Y": HOUR,
}
BILLING_RETRY = 60 * DAY
GRACE = 16 * DAY


def length(period, environment):
    """ms of an ISO 8601 period; the sandbox is in a hurry."""
    return (SANDBOX if environment == "Sandbox" else PRODUCTION)[period]
