"""A wall clock for one service, which a test can set while the service runs."""
import os
import pathlib
import shutil
import struct
import subprocess

SOURCE = pathlib.Path(__file__).with_name("clock.c")


class Clock:
    """Sets the wall clock of all processes that are started with its `environment`. The machine's clock stays as it is."""

    def __init__(self, folder):
        self._file = folder / "clock-offset"
        self._file.write_bytes(bytes(16))
        library = folder / "clock.so"
        # A machine that builds the service has clang, because the Swift toolchain contains it.
        compiler = shutil.which("clang") or shutil.which("cc")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True, capture_output=True)
        self.environment = {"LD_PRELOAD": str(library), "CLOCK_OFFSET": str(self._file)}

    def set(self, seconds, synchronised=False):
        """Sets by how many seconds the clock is ahead, and whether the kernel reports that NTP has set the clock.

        The file is written in place, because the processes have mapped it into their memory.
        """
        with open(self._file, "r+b") as file:
            os.pwrite(file.fileno(), struct.pack("qq", seconds, synchronised), 0)
