"""docs/api.md says the same as the OpenAPI document: paths, roles, codes, limits."""
import re

import pytest

from harness.service import ROOT

MANUAL = (ROOT / "docs/api.md").read_text()


@pytest.fixture(scope="module")
def document(client):
    return client.contract.document


def operations(document):
    return {f"{method.upper()} {path}": each for path, methods in document["paths"].items() for method, each in methods.items()}


def resolved(document, node):
    while "$ref" in node:
        target = document
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        node = target
    return node


def anchor(heading):
    return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")


SECTIONS = {anchor(heading): text for heading, text in re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", MANUAL, re.MULTILINE)}
# The first table: operations with a section each, and sections about several operations.
TABLE = re.findall(r"^\| \[`(\w+ \S+)`\]\(#(\S+)\) \| .+ \| (.+) \|$", MANUAL.split("\n## ")[0], re.MULTILINE)
GROUPS = re.findall(r"^\| \[([^`\]]+)\]\(#(\S+)\) \| .+ \| (.+) \|$", MANUAL.split("\n## ")[0], re.MULTILINE)


def rows(text):
    """Each row of the tables of a text: the first cell of its table's head, and its own cells."""
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *body = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
        yield from ((head[0], cells) for cells in body)


def described(link):
    """The operations of a section about several, each with its row: it is named in full, or as a step."""
    for head, cells in rows(SECTIONS[link]):
        if head == "operation" or head.startswith("step"):
            prefix = "".join(re.findall(r"`(.*)…`", head))
            yield from ((prefix + name, cells) for name in re.findall(r"`([^`]+)`", cells[0]))


LINKS = {operation: link for operation, link, _ in TABLE} | {operation: link for _, link, _ in GROUPS for operation, _ in described(link)}


def section(operation):
    return SECTIONS[LINKS[operation]]


def lines(word, operation):
    """What an operation's section says after `Errors:` or `Roles:`, or of this operation among others after `Errors of …:`, that last."""
    found = re.findall(rf"\b{word}(?: of ([^:]*))?: (.*)", section(operation))
    for which, said in sorted(found, key=lambda each: each[0] != ""):
        names = re.findall(r"`([^`]+)`", which)
        if not names or any(operation == name or operation.startswith(f"{name} ") or operation.endswith(f"/{name}") for name in names):
            yield said


def errors_of(operation):
    """The statuses and codes that the section of an operation names for it, and those statuses that have codes of signed data."""
    found = [cells[2] for name, cells in described(LINKS[operation]) if name == operation and len(cells) > 2]
    pairs, of_signed_data = set(), set()
    for errors in [*found, *lines("Errors", operation)]:
        status = None
        for number, code, link in re.findall(r"\b([45]\d\d)\b|`([a-z][a-z0-9-]*)`|(\(#signed-data\))", errors):
            status = number or status
            if code:
                pairs.add((status, code))
            if link:
                of_signed_data.add(status)
    return pairs, of_signed_data


# Whose the shared errors are, by the words of the manual's table.
SHARED = {
    "all": lambda operation, each: True,
    "those with roles": lambda operation, each: "x-roles" in each,
    "those with roles and a body": lambda operation, each: "x-roles" in each and "requestBody" in each,
    "those for [end users](#tokens-of-end-users)": lambda operation, each: f"`{operation.split()[1]}`" in END_USERS,
    "those with roles outside of `/v1/admin`; all of campaigns and segments": lambda operation, each: "x-roles" in each
    and not re.search(r" /v1/admin/(?!campaigns|segments)", operation),
    "those of one campaign, `/v1/admin/campaigns/{id}…`": lambda operation, each: "/v1/admin/campaigns/{id}" in operation,
    "those that need `If-Match`": lambda operation, each: "If-Match" in str(each.get("parameters")),
}
END_USERS = MANUAL.split("\n### Tokens of end users\n")[1].split("themselves")[0]


def shared_errors(operation, each):
    table = dict(cells for _, cells in rows(MANUAL.split("\n### Shared errors\n")[1].split("\n### ")[0]))
    assert table.keys() == SHARED.keys()
    found = set()
    for which, errors in table.items():
        if SHARED[which](operation, each):
            for status, codes in re.findall(r"(\d{3})((?: `[a-z-]+`)+)", errors):
                found |= {(status, code) for code in re.findall(r"`([a-z-]+)`", codes)}
    return found


def codes_of(document, response):
    """The codes that a response can have; none where it is no problem or a body of its own."""
    return {code for code in resolved(document, response).get("x-codes", []) if "{" not in code}


def table_of_codes(heading):
    """The first words in code font of each row of a section's tables."""
    return {code for _, cells in rows(SECTIONS[anchor(heading)]) for code in re.findall(r"`([a-z0-9-]+)`", cells[0])}


def test_every_operation_has_a_section_and_its_roles(document):
    expected = {
        operation: ", ".join(f"`{role}`" for role in each["x-roles"]) if "x-roles" in each else "no access key"
        for operation, each in operations(document).items()
    }
    found = {operation: roles for operation, _, roles in TABLE}
    for title, link, roles in GROUPS:
        assert link == anchor(title)
        group = {operation: [*lines("Roles", operation)][-1].removesuffix(".") for operation, _ in described(link)}
        assert len(group) == len([*described(link)]) and not found.keys() & group.keys(), f"{title}: an operation twice"
        assert roles == "by operation" or {roles} == set(group.values()), title
        found |= group
    assert found == expected
    assert [link for operation, link, _ in TABLE] == [anchor(operation) for operation, _, _ in TABLE]
    assert {link for _, link, _ in TABLE} <= SECTIONS.keys()


def test_every_status_and_code_of_an_operation_is_named_with_it(document):
    signed_data = table_of_codes("Signed data")
    for operation, each in operations(document).items():
        possible = {
            (status, code) for status, response in each["responses"].items() if status[0] != "2" for code in codes_of(document, response)}
        own, of_signed_data = errors_of(operation)
        shared = shared_errors(operation, each)
        assert not own & shared, f"{operation}: {own & shared} are shared"
        assert own | shared <= possible, f"{operation} cannot answer {(own | shared) - possible}"
        unnamed = possible - own - shared
        assert {code for _, code in unnamed} <= signed_data and {status for status, _ in unnamed} == of_signed_data, f"{operation}: {unnamed}"


def test_every_code_is_in_the_table_of_errors_and_no_other(client):
    listed = table_of_codes("Errors") | table_of_codes("Signed data")
    assert listed == set(client.contract.codes)


def test_every_reason_of_a_refusal_is_named(document):
    schemas = document["components"]["schemas"]
    for schema, operation in [("RefusedOffer", "POST /v1/signatures"), ("RefusedIntroductoryOffer", "POST /v1/introductory-offers/signatures")]:
        for code in schemas[schema]["properties"]["code"]["x-known-values"]:
            assert f"`{code}`" in section(operation), f"{operation}: {code}"


def test_every_field_of_a_request_is_in_the_table_of_its_operation(document):
    for operation, each in operations(document).items():
        body = each.get("requestBody", {}).get("content", {}).get("application/json")
        if body is None or "/appstore/" in operation:
            continue
        fields = {name for head, cells in rows(section(operation)) if head == "field" for name in re.findall(r"`([^`]+)`", cells[0])}
        missing = set(resolved(document, body["schema"])["properties"]) - fields
        assert not missing, f"{operation}: {missing}"


def test_the_reasons_of_verdicts_are_those_of_the_manual_of_eligibility(document):
    manual = (ROOT / "docs/eligibility.md").read_text()
    table = manual.split("<!-- reasons:")[1].split("<!-- end of reasons -->")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)) == set(
        document["components"]["schemas"]["Reason"]["properties"]["code"]["x-known-values"]
    )
