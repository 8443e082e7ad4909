"""Waiting for an event, as long as it takes on a machine that is busy with something else."""
import time

from harness.scale import IS_FULL

# In s. What has not happened by then never will.
PATIENCE = 120


def wait_until(condition, promised=PATIENCE, message="it did not happen"):
    """Returns the first true value of `condition()`.

    `promised`: the seconds that the project promises. They are a verdict at full scale only, on a machine that does nothing else.
    """
    seconds = promised if IS_FULL else PATIENCE
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"{message() if callable(message) else message} within {seconds} s"
        time.sleep(0.02)
    return value
