"""How much the tests do: little with ACCEPTANCE_SCALE=ci, which is the default, or all with `full`."""
import os

SCALE = os.environ.get("ACCEPTANCE_SCALE", "ci")
if SCALE not in ("ci", "full"):
    raise SystemExit(f"ACCEPTANCE_SCALE must be ci or full, not {SCALE}")
IS_FULL = SCALE == "full"


def scaled(ci, full):
    """Returns `ci` in a quick run, and `full` in a run at full scale."""
    return full if IS_FULL else ci
