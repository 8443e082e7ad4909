"""Runs a program at a terminal, so that a test can read its questions and type answers."""
import os
import pty
import select
import subprocess
import time

from harness.waiting import PATIENCE


class Terminal:
    """One run of a program. `said` is what it has written to the terminal; its standard output is kept apart."""

    def __init__(self, command, output=subprocess.PIPE, **options):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(command, stdin=slave, stdout=output, stderr=slave, text=True, **options)
        os.close(slave)
        self.said = ""
        self.read_to = 0

    def expect(self, question):
        """Waits until the program asks this question. Returns what it has written since the question before."""
        end = time.monotonic() + PATIENCE
        while question not in self.said[self.read_to:]:
            readable, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            try:
                heard = os.read(self.master, 4096) if readable else b""
            except OSError:
                heard = b""
            assert heard, (question, self.said, self.process.poll())
            self.said += heard.decode()
        start, self.read_to = self.read_to, self.said.index(question, self.read_to) + len(question)
        return self.said[start:self.read_to]

    def answer(self, question, answer):
        meanwhile = self.expect(question)
        os.write(self.master, f"{answer}\n".encode())
        return meanwhile

    def end(self):
        """Waits until the program ends. Returns its exit code and its standard output."""
        output, _ = self.process.communicate(timeout=PATIENCE)
        with os.fdopen(self.master, "rb", buffering=0) as master:
            try:
                while heard := master.read(4096):
                    self.said += heard.decode()
            except OSError:
                # Linux reports this error if the other side of the terminal is closed, which is the normal end.
                pass
        return self.process.returncode, output
