"""Gives the service and its clients separate processors, because in real life clients run on other machines."""
import contextlib
import os


@contextlib.contextmanager
def apart(make):
    """Lets `make` start a service on half of this machine's processors.

    During the `with` block, this process and all processes that it starts use the other half. If the machine has only one
    processor, they share it with the service.
    """
    all_of_them = os.sched_getaffinity(0)
    ours = set(sorted(all_of_them)[: len(all_of_them) // 2]) or all_of_them
    try:
        os.sched_setaffinity(0, all_of_them - ours or all_of_them)
        service = make()
        os.sched_setaffinity(0, ours)
        yield service
    finally:
        os.sched_setaffinity(0, all_of_them)
