"""How much the suite does: ACCEPTANCE_SCALE=ci (the default) or full."""
import os

SCALE = os.environ.get("ACCEPTANCE_SCALE", "ci")
if SCALE not in ("ci", "full"):
    raise SystemExit(f"ACCEPTANCE_SCALE must be ci or full, not {SCALE}")
IS_FULL = SCALE == "full"


def scaled(ci, full):
    """One number for a quick run, another for the whole measure of the issue."""
    return full if IS_FULL else ci
