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


def section(operation):
    return MANUAL.split(f"\n## {operation}\n")[1].split("\n## ")[0]


def codes_of(document, response):
    """The codes that a response can have; none where it is no problem or a body of its own."""
    return {code for code in resolved(document, response).get("x-codes", []) if "{" not in code}


def table_of_codes(heading):
    """The first words in code font of each row of a section's tables."""
    rows = [line.split("|")[1] for line in section(heading).splitlines() if line.startswith("| ") and not line.startswith("| code")]
    return {code for row in rows for code in re.findall(r"`([a-z0-9-]+)`", row)}


def test_every_operation_is_in_the_table_with_its_roles(document):
    rows = re.findall(r"^\| \[`(\w+ \S+)`\]\(#(\S+)\) \| .+ \| (.+) \|$", MANUAL, re.MULTILINE)
    found = {operation: roles for operation, _, roles in rows}
    expected = {
        operation: ", ".join(f"`{role}`" for role in each["x-roles"]) if "x-roles" in each else "no access key"
        for operation, each in operations(document).items()
    }
    assert found == expected
    for operation, anchor, _ in rows:
        assert f"\n## {operation}\n" in MANUAL, f"no section for {operation}"
        assert anchor == re.sub(r"[^a-z0-9 -]", "", operation.lower()).replace(" ", "-")


def test_every_status_and_code_of_an_operation_is_named_with_it(document):
    signed_data = table_of_codes("Signed data")
    for operation, each in operations(document).items():
        if operation.startswith("GET"):
            continue
        text = section(operation)
        errors = text.split("\nErrors: ")[1]
        names = set(re.findall(r"`([a-z0-9-]+)`", errors)) | (signed_data if "(#signed-data)" in errors else set())
        for status, response in each["responses"].items():
            if status.startswith("2"):
                continue
            assert re.search(rf"\b{status}\b", errors), f"{operation} does not name {status}"
            codes = codes_of(document, response)
            # Where there is only one, which every operation has, the status is enough.
            assert codes <= names | {"unauthorized", "forbidden", "body-too-large", "rate-limited", "internal-error", "not-ready"}, operation
        possible = {code for response in each["responses"].values() for code in codes_of(document, response)}
        named = set(re.findall(r"`([a-z][a-z0-9]*(?:-[a-z0-9]+)+)`", errors))
        assert named <= possible, f"{operation} cannot answer {named - possible}"


def test_every_code_is_in_the_table_of_errors_and_no_other(client):
    listed = table_of_codes("Errors") | table_of_codes("Signed data")
    assert listed == set(client.contract.codes)


def test_every_reason_of_a_refusal_is_named(document):
    schemas = document["components"]["schemas"]
    for schema, operation in [("RefusedOffer", "POST /v1/signatures"), ("RefusedIntroductoryOffer", "POST /v1/introductory-offers/signatures")]:
        for code in schemas[schema]["properties"]["code"]["enum"]:
            assert f"`{code}`" in section(operation), f"{operation}: {code}"


def test_every_field_of_a_request_is_in_the_table_of_its_operation(document):
    for operation, each in operations(document).items():
        body = each.get("requestBody", {}).get("content", {}).get("application/json")
        if body is None or "/appstore/" in operation:
            continue
        properties = resolved(document, body["schema"])["properties"]
        for name in properties:
            assert re.search(rf"^\| .*`{name}`.* \|", section(operation), re.MULTILINE), f"{operation}: {name}"


def test_the_reasons_of_verdicts_are_those_of_the_manual_of_eligibility(document):
    manual = (ROOT / "docs/eligibility.md").read_text()
    table = manual.split("<!-- reasons:")[1].split("<!-- end of reasons -->")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)) == set(
        document["components"]["schemas"]["Reason"]["properties"]["code"]["enum"]
    )
