"""A wall clock for one service, which the test sets while it runs."""
import os
import pathlib
import shutil
import struct
import subprocess

SOURCE = pathlib.Path(__file__).with_name("clock.c")


class Clock:
    """Seconds by which the processes that are given `environment` see another time than the machine's."""

    def __init__(self, folder):
        self._file = folder / "clock-offset"
        self._file.write_bytes(bytes(16))
        library = folder / "clock.so"
        # The Swift toolchain brings a C compiler along.
        compiler = shutil.which("clang") or shutil.which("cc")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True, capture_output=True)
        self.environment = {"LD_PRELOAD": str(library), "CLOCK_OFFSET": str(self._file)}

    def set(self, seconds, synchronised=False):
        """In place: the file is mapped. Whether NTP has set the clock is what the kernel says."""
        with open(self._file, "r+b") as file:
            os.pwrite(file.fileno(), struct.pack("qq", seconds, synchronised), 0)
