"""What the OpenAPI document promises to generators of clients."""
import pytest

from harness.service import run

# What generators leave out, or make useless types of.
PUZZLES = {"oneOf", "anyOf", "allOf", "not", "if", "then", "else", "dependentSchemas", "patternProperties"}


@pytest.fixture(scope="module")
def document(client):
    return client.get("/openapi.json").json()


def nodes(document, node, seen=()):
    """Every schema within one, references followed."""
    if isinstance(node, list):
        for each in node:
            yield from nodes(document, each, seen)
    elif isinstance(node, dict):
        reference = node.get("$ref")
        if reference in seen:
            return
        if reference:
            target = document
            for part in reference.removeprefix("#/").split("/"):
                target = target[part]
            yield from nodes(document, target, (*seen, reference))
            return
        yield node
        for name, each in node.items():
            if name not in ("examples", "default", "enum", "const"):
                yield from nodes(document, each, seen)


def operations(document):
    return [(f"{method} {path}", each) for path, methods in document["paths"].items() for method, each in methods.items()]


def test_its_version_is_the_programs(document):
    assert document["info"]["version"] == run("--version").stdout.strip()


def test_requests_are_flat(document):
    bodies = [(name, each["requestBody"]) for name, each in operations(document) if "requestBody" in each]
    assert len(bodies) > 8
    for name, body in bodies:
        for schema in nodes(document, body["content"]["application/json"]["schema"]):
            assert not PUZZLES & set(schema), f"{name}: {schema}"


def test_answers_are_open(document):
    # A generated client refuses a value that is not in a closed list.
    known = 0
    for name, each in operations(document):
        for node in nodes(document, each["responses"]):
            assert "enum" not in node or node["enum"] == ["GET, HEAD", "POST"], f"{name}: {node}"
            known += "x-known-values" in node
    assert known > 60


def test_every_problem_has_the_one_schema_and_says_its_codes(document):
    problems = 0
    known = set(document["components"]["schemas"]["Problem"]["properties"]["code"]["x-codes"])
    used = set()
    for response in document["components"]["responses"].values():
        content = response["content"].get("application/problem+json")
        if content:
            assert content["schema"] == {"$ref": "#/components/schemas/Problem"}
            assert response["x-codes"], response["description"]
            used |= set(response["x-codes"])
            problems += 1
    assert problems > 20
    assert used == known
    for name, each in operations(document):
        for status, response in each["responses"].items():
            assert "application/problem+json" not in response.get("content", {}), f"{name} {status} has a problem of its own"


def test_every_operation_has_a_name_of_its_own(document):
    names = [each["operationId"] for _, each in operations(document)]
    assert len(set(names)) == len(names)


def test_lists_are_lists(document):
    for name, schema in document["components"]["schemas"].items():
        for each in nodes(document, schema):
            # TypeScript clients make a Set of it, which has no first element.
            assert "uniqueItems" not in each, name
