"""A program at a terminal: questions come out, answers go in."""
import os
import pty
import select
import subprocess
import time

from harness.waiting import PATIENCE


class Terminal:
    """One run; what it says to the terminal is `said`, what it prints `output`."""

    def __init__(self, command, output=subprocess.PIPE, **options):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(command, stdin=slave, stdout=output, stderr=slave, text=True, **options)
        os.close(slave)
        self.said = ""
        self.read_to = 0

    def expect(self, question):
        """Waits until it has asked this, after what was expected before. Gives what it said meanwhile."""
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
        """Waits for the end, and gives the exit code and the output."""
        output, _ = self.process.communicate(timeout=PATIENCE)
        with os.fdopen(self.master, "rb", buffering=0) as master:
            try:
                while heard := master.read(4096):
                    self.said += heard.decode()
            except OSError:
                # Linux's way to say that the other side is closed.
                pass
        return self.process.returncode, output
