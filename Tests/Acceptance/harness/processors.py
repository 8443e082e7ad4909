"""Which processors a process may use: strangers and customers have machines of their own in real life."""
import contextlib
import os


@contextlib.contextmanager
def apart(make):
    """Lets `make` start a service on half of this machine's processors; this process, and all that it starts, has the others meanwhile.

    On a machine with one processor they share it.
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
