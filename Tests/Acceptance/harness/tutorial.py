"""Carries out a page of docs/tutorials step by step, as a reader would type it."""
import json
import re
import subprocess

from harness.service import ROOT
from harness.waiting import PATIENCE

FOLDER = ROOT / "docs/tutorials"


class Tutorial:
    """Carries out the code blocks of a page in order. All commands run in one shell, in a folder that has the program."""

    def __init__(self, name, folder, port):
        self.name, self.port = name, port
        text = (FOLDER / f"{name}.md").read_text()
        self.blocks = re.findall(r"^```(sh|json|text)\n(.*?)^```$", text, re.S | re.M)
        self.shell = subprocess.Popen(
            ["bash"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def end(self):
        self.shell.stdin.close()
        self.shell.wait(timeout=PATIENCE)
        self.shell.stdout.close()

    def skip(self, beginning):
        """Skips the next block of commands, because the test carries it out in another way.

        Returns the block with its expected output.
        """
        (_, command), shown = self._next()
        assert command.startswith(beginning), (self.name, command)
        return shown

    def type(self, beginning):
        """Runs the next block of commands, which has to begin with this text. Fails unless it prints what the page shows.

        Returns what it has printed.
        """
        (_, command), shown = self._next()
        assert command.startswith(beginning), (self.name, command)
        self.shell.stdin.write(f"{command.replace(':8080', f':{self.port}')}\nprintf '\\nthe end: %s\\n' $?\n")
        self.shell.stdin.flush()
        said = ""
        for line in self.shell.stdout:
            if line.startswith("the end: "):
                break
            said += line
        assert line == "the end: 0\n", (self.name, command, said)
        # The shell prints a line feed before its end mark. It is removed here, so that the output is as it was.
        said = said.removesuffix("\n")
        if shown is not None:
            assert_shown(*shown, said.replace(f":{self.port}", ":8080"))
        return said

    def _next(self):
        """The next block of commands, and the block that shows its output, or None if the page does not show it."""
        block = self.blocks.pop(0)
        assert block[0] == "sh", (self.name, block)
        shown = self.blocks.pop(0) if self.blocks and self.blocks[0][0] != "sh" else None
        return block, shown


def assert_shown(kind, shown, said):
    """Fails unless an output is what the page shows. Times, numbers and ids may differ.

    `…` in a line of the page stands for any text. A line that consists only of `…` stands for any number of lines.
    """
    if kind == "json":
        assert values(shown) == values(said), (shown, said)
        return
    pattern = "".join(r"(.*\n)*?" if line.strip() == "…" else f"{re.escape(masked(line)).replace('…', '.*')}\n" for line in shown.splitlines())
    assert re.fullmatch(pattern, masked(said)), (masked(shown), masked(said))


def masked(text):
    """The text without what differs in each run: access keys, links, numbers, and hexadecimal numbers.

    Several spaces become one, because they only align columns.
    """
    text = re.sub(r"osk_\S+|(?<=link=)\S+|\b[0-9a-f]{16,}\b", "#", text)
    return re.sub(r"[ \t]+", " ", re.sub(r"\d+", "#", text))


def values(text):
    """Returns the `shape` of each JSON value in a text that consists of several values, one after the other."""
    decoder, found, text = json.JSONDecoder(), [], text.strip()
    while text:
        value, end = decoder.raw_decode(text)
        found.append(shape(value))
        text = text[end:].strip()
    return found


def shape(value):
    """A JSON value in a form that is the same in each run. A value that differs is replaced by the name of its type."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value]
    # Codes, ids of products and the like are the same in each run. Nonces, signatures, ids of requests and sentences are not
    # compared.
    is_fixed = isinstance(value, str) and re.fullmatch(r"(?![0-9a-f]{16}$)[a-z.0-9-]{0,30}", value)
    return value if is_fixed or isinstance(value, bool) else type(value).__name__
