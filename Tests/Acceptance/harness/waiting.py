"""Waits for events. The time limit is long, because the machine may be busy with something else."""
import time

from harness.scale import IS_FULL

# In s. An event that has not happened by then is taken for one that never will.
PATIENCE = 120


def wait_until(condition, promised=PATIENCE, message="it did not happen"):
    """Calls `condition()` until its value is true, and returns that value.

    `promised` is the time in s that the documentation promises. It is enforced only at full scale, because the machine then does
    nothing else.
    """
    seconds = promised if IS_FULL else PATIENCE
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"{message() if callable(message) else message} within {seconds} s"
        time.sleep(0.02)
    return value
