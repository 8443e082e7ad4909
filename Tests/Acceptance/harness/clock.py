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
        self._file.write_bytes(bytes(8))
        library = folder / "clock.so"
        # The Swift toolchain brings a C compiler along.
        compiler = shutil.which("clang") or shutil.which("cc")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True, capture_output=True)
        self.environment = {"LD_PRELOAD": str(library), "CLOCK_OFFSET": str(self._file)}

    def set(self, seconds):
        """In place: the file is mapped."""
        with open(self._file, "r+b") as file:
            os.pwrite(file.fileno(), struct.pack("q", seconds), 0)
