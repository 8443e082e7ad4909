"""Compares the tables of fields in docs/recipes.md with the source of the packages that they are about.

The declarations are in Dart, TypeScript and Swift, and are found with regular expressions.
"""
import dataclasses
import re
import subprocess


@dataclasses.dataclass
class FieldMap:
    """One table: the repository and commit that declare the names, and the rows.

    A row has our name, the package's names, and their type.
    """

    repository: str
    commit: str
    paths: list
    rows: list


def field_maps(document):
    found = re.findall(r"^Declared in \[([^\]]+)\]\([^)]+\) at `([0-9a-f]+)` \([^)]+\), (.+):\n\n\|.*\n\|-.*\n((?:\|.*\n)+)", document, re.M)
    return [FieldMap(repository, commit, re.findall(r"`([^`]+)`", paths), [row(line) for line in table.splitlines()])
            for repository, commit, paths, table in found]


def row(line):
    ours, theirs, kind = (cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1])
    return ours, re.findall(r"`([^`]+)`", theirs), kind.strip("`")


def source(clone, commit, paths):
    """The text of files at a commit of a cloned repository, without comments."""
    texts = [subprocess.run(["git", "-C", clone, "show", f"{commit}:{path}"], capture_output=True, text=True, check=True).stdout for path in paths]
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", "\n".join(texts), flags=re.S)


def bodies(text, name):
    """The head and the body of each declaration and extension of a type."""
    for match in re.finditer(rf"^[^\n]*\b(?:class|struct|interface|protocol|extension)\s+(?:\w+\.)*{name}\b[^{{;]*{{", text, re.M):
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        yield match[0], text[match.end(): end - 1]


def outermost(body):
    """A body without the parts in braces, so that only the declarations of its members are left."""
    depth, kept = 0, []
    for character in body:
        depth -= character == "}"
        if depth == 0:
            kept.append(character)
        depth += character == "{"
    return "".join(kept)


def declares(text, name, kind):
    """Whether a source declares `Type.member` or `Type.member(label:)` publicly and with the type `kind`.

    If `kind` is `not public`: whether the source declares the member, but not publicly.
    """
    owner, member = name.rsplit(".", 1)
    found = list(bodies(text, owner.rsplit(".", 1)[-1]))
    function = re.fullmatch(r"(\w+)\((\w+):\)", member)
    if not function and kind == "not public":
        heads = [head for head, _ in bodies(text, member)]
        return heads != [] and not any(re.search(r"\b(public|open)\b", head) for head in heads)
    if not function:
        return any(re.search(rf"\bfinal {re.escape(kind)} {member};|(?<![\w.]){member}\??: {re.escape(kind)};", body) for _, body in found)
    word, label = function.groups()
    declared = []
    for head, body in found:
        for match in re.finditer(rf"^([^\n]*?)\b{'' if word == 'init' else 'func '}{word}\(([^)]*)\)", outermost(body), re.M):
            # A member of a public extension or protocol is public, even if it does not say so.
            public = re.search(r"\bpublic\b", match[1]) or (re.search(r"\b(extension|protocol)\b", head) and re.search(r"\bpublic\b", head))
            declared.append((bool(public), match[2]))
    if kind == "not public":
        return bool(declared) and not any(public for public, _ in declared)
    return any(public and re.search(rf"(?:^|[\s,]){label}(?: \w+)?: {re.escape(kind)}\s*(?:,|=|$)", parameters) for public, parameters in declared)
