"""Made-up verifyReceipt responses of subscribers with a year of monthly periods, in the form that `history import` takes."""

import json
import random
from datetime import datetime, timezone
from pathlib import Path

PERIODS = 12
BUNDLE_ID = "com.example.app"
PRODUCT_ID = "com.example.pro.monthly"
GROUP_ID = "20563228"

_MONTH = 2_592_000_000
_FIRST_START = 1_700_000_000_000
_STARTS_WITHIN = 20_000_000_000
# App Store ids grow with time, over all customers: a customer's lie far apart.
_IDS_BEGIN = 1_600_000_000_000
_IDS_PER_MILLISECOND = 10_000


def write(path: Path, first: int, count: int) -> None:
    """One line for each customer `u-<number>`; the same numbers give the same lines."""
    with path.open("w") as file:
        for number in range(first, first + count):
            file.write(json.dumps(_line(number), separators=(",", ":")) + "\n")


def _line(number: int) -> dict:
    chance = random.Random(number)
    start = _FIRST_START + chance.randrange(_STARTS_WITHIN)
    periods = [_period(start, index, number, chance) for index in range(PERIODS)]
    original = periods[0]["transaction_id"]
    for period in periods:
        period["original_transaction_id"] = original
    receipt = {
        "status": 0,
        "environment": "Production",
        "receipt": {"bundle_id": BUNDLE_ID, "request_date_ms": str(start + PERIODS * _MONTH), "in_app": []},
        "latest_receipt_info": periods,
        "pending_renewal_info": [{
            "original_transaction_id": original, "product_id": PRODUCT_ID, "auto_renew_product_id": PRODUCT_ID,
            "auto_renew_status": "0", "expiration_intent": "1", "is_in_billing_retry_period": "0",
        }],
    }
    return {"customerId": f"u-{number:06d}", "receipt": receipt}


def _period(start: int, index: int, number: int, chance: random.Random) -> dict:
    begin = start + index * _MONTH
    return {
        "quantity": "1",
        "product_id": PRODUCT_ID,
        "transaction_id": str((begin - _IDS_BEGIN) * _IDS_PER_MILLISECOND + chance.randrange(_IDS_PER_MILLISECOND)),
        **_date("purchase_date", begin),
        **_date("original_purchase_date", start),
        **_date("expires_date", begin + _MONTH),
        "web_order_line_item_id": str(begin),
        # Every other customer began with a free trial.
        "is_trial_period": "true" if index == 0 and number % 2 else "false",
        "is_in_intro_offer_period": "false",
        "subscription_group_identifier": GROUP_ID,
        "in_app_ownership_type": "PURCHASED",
    }


def _date(name: str, milliseconds: int) -> dict:
    text = datetime.fromtimestamp(milliseconds / 1000, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
    return {name: f"{text} Etc/GMT", f"{name}_ms": str(milliseconds), f"{name}_pst": f"{text} America/Los_Angeles"}
