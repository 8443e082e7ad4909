"""CPU time and memory of a process and all its descendants, from /proc."""

import os
from pathlib import Path

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def _stat_fields(pid: int) -> list[str] | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The second field, the program's name, may itself hold spaces and parentheses.
    return text[text.rindex(")") + 2 :].split()


def tree(root: int) -> list[int]:
    """The process and its descendants."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (fields := _stat_fields(int(entry))):
            children.setdefault(int(fields[1]), []).append(int(entry))
    found = [root]
    for pid in found:
        found.extend(children.get(pid, []))
    return found


def cpu_seconds(root: int) -> float:
    """User and system time so far, of every thread of every process in the tree."""
    ticks = 0
    for pid in tree(root):
        if fields := _stat_fields(pid):
            ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS_PER_SECOND


def _status_kib(pid: int, name: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(name + ":")), 0)


def resident_mib(root: int) -> float:
    return sum(_status_kib(pid, "VmRSS") for pid in tree(root)) / 1024


def mapped_mib(root: int) -> float:
    """Of the resident memory what is of files: the system's cache of them, given back whenever it is wanted elsewhere."""
    return sum(_status_kib(pid, "RssFile") for pid in tree(root)) / 1024


def peak_resident_mib(root: int) -> float:
    return sum(_status_kib(pid, "VmHWM") for pid in tree(root)) / 1024
