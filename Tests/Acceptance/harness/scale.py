"""How much the suite does: ACCEPTANCE_SCALE=ci (the default) or full."""
import os

SCALE = os.environ.get("ACCEPTANCE_SCALE", "ci")
if SCALE not in ("ci", "full"):
    raise SystemExit(f"ACCEPTANCE_SCALE must be ci or full, not {SCALE}")
IS_FULL = SCALE == "full"


def at_most(seconds, alone):
    """How long something may take that takes `seconds` here at the most, and took `alone` where nothing disturbed it.

    A machine that runs other things is slow in both; what a fault costs stands out from that. At full scale the machine is ours, and
    the promise counts as it stands.
    """
    return seconds if IS_FULL else max(seconds, 3 * alone)


def scaled(ci, full):
    """One number for a quick run, another for the whole measure of the issue."""
    return full if IS_FULL else ci
