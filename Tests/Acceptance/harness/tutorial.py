"""A page of docs/tutorials, typed step by step as a reader types it."""
import json
import re
import subprocess

from harness.service import ROOT
from harness.waiting import PATIENCE

FOLDER = ROOT / "docs/tutorials"


class Tutorial:
    """The blocks of a page in their order; its commands run in one shell, in a folder with the program built."""

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
        """Passes over a block of commands that the test carries out in another way, and what the page shows of it."""
        (_, command), shown = self._next()
        assert command.startswith(beginning), (self.name, command)
        return shown

    def type(self, beginning):
        """Types the next block of commands, which begins like this; what comes must be what the page shows. Gives what came."""
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
        # What ends without a line feed has got one.
        said = said.removesuffix("\n")
        if shown is not None:
            assert_shown(*shown, said.replace(f":{self.port}", ":8080"))
        return said

    def _next(self):
        """A block of commands, and the block of what it prints, or None."""
        block = self.blocks.pop(0)
        assert block[0] == "sh", (self.name, block)
        shown = self.blocks.pop(0) if self.blocks and self.blocks[0][0] != "sh" else None
        return block, shown


def assert_shown(kind, shown, said):
    """What a page shows is what is said, but for times, numbers and ids; `…` in a line stands for any text, and by itself for any lines."""
    if kind == "json":
        assert values(shown) == values(said), (shown, said)
        return
    pattern = "".join(r"(.*\n)*?" if line.strip() == "…" else f"{re.escape(masked(line)).replace('…', '.*')}\n" for line in shown.splitlines())
    assert re.fullmatch(pattern, masked(said)), (masked(shown), masked(said))


def masked(text):
    """Without what differs each time: access keys, links, hexadecimal digits, numbers; and white space that aligns columns."""
    text = re.sub(r"osk_\S+|(?<=link=)\S+|\b[0-9a-f]{16,}\b", "#", text)
    return re.sub(r"[ \t]+", " ", re.sub(r"\d+", "#", text))


def values(text):
    """The JSON values one after the other: their members, and the values that are always the same."""
    decoder, found, text = json.JSONDecoder(), [], text.strip()
    while text:
        value, end = decoder.raw_decode(text)
        found.append(shape(value))
        text = text[end:].strip()
    return found


def shape(value):
    """Names and order of the members, and the values that are always the same."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value]
    # All but nonces, signatures, ids of requests, and sentences.
    is_fixed = isinstance(value, str) and re.fullmatch(r"(?![0-9a-f]{16}$)[a-z.0-9-]{0,30}", value)
    return value if is_fixed or isinstance(value, bool) else type(value).__name__
