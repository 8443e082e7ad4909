"""U+0000, which PostgreSQL keeps in no text: in a filter, a search, a cursor or an id of a path the answer is the same on both stores."""
import json
import re

import httpx
import pytest

from harness.service import run
from harness.waiting import PATIENCE

DOCUMENT = json.loads(run("openapi").stdout)
NULL = "a%00b"


def resolved(value):
    while "$ref" in value:
        found = DOCUMENT
        for name in value["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        value = found
    return value


def operations():
    """(method, path, parameters in the path, parameters in the query) of everything that the document lists."""
    for path, item in DOCUMENT["paths"].items():
        shared = item.get("parameters", [])
        for method, operation in item.items():
            if method not in ("get", "post", "put", "delete"):
                continue
            parameters = [resolved(each) for each in shared + operation.get("parameters", [])]
            names = {place: [each["name"] for each in parameters if each["in"] == place] for place in ("path", "query")}
            yield method, path, names["path"], names["query"]


IN_QUERY = [(method, path, name) for method, path, _, query in operations() for name in query if method == "get"]
IN_PATH = [(method, path, name) for method, path, names, _ in operations() for name in names]


def ask(instance, method, path, query=""):
    address = instance.url + re.sub(r"\{\w+\}", "x", path) + query
    body = {} if method in ("post", "put") else None
    return httpx.request(method, address, headers={"Authorization": f"Bearer {instance.tokens['admin']}"}, json=body, timeout=PATIENCE)


@pytest.mark.parametrize(("method", "path", "name"), IN_QUERY)
def test_in_a_query(instance, method, path, name):
    answer = ask(instance, method, path, f"?{name}={NULL}")
    assert answer.status_code == 400, answer.text
    assert [each["name"] for each in answer.json()["fields"]] == [name]


@pytest.mark.parametrize(("method", "path", "name"), IN_PATH)
def test_in_a_path(instance, method, path, name):
    answer = ask(instance, method, path.replace(f"{{{name}}}", NULL))
    # What is looked up in the configuration is not found there, and the store is not asked.
    assert answer.status_code in (400, 404), answer.text
    assert answer.json()["code"] in ("invalid-field", "unknown-app", "malformed-json", "unknown-field", "malformed-notification", "malformed-retention-request"), answer.text
