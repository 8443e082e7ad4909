"""Checks the service's answers against its OpenAPI document."""
import functools
import json
import re

import jsonschema
import referencing
import referencing.jsonschema

ROOT_URI = "urn:openapi"


def _known(_, values, value, schema):
    """Checks `x-known-values`. Clients have to accept other values, too, but this version of the service must give only these."""
    if isinstance(value, str) and value not in values:
        yield jsonschema.ValidationError(f"{value!r} is not one of {values}")


VALIDATOR = jsonschema.validators.extend(jsonschema.Draft202012Validator, {"x-known-values": _known})


class Contract:
    """Checks whether the document allows an answer."""

    def __init__(self, document):
        self.document = document
        resource = referencing.Resource(document, referencing.jsonschema.DRAFT202012)
        self._registry = referencing.Registry().with_resource(ROOT_URI, resource)
        self._templates = [
            (re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))), operations)
            for path, operations in document["paths"].items() if "{" in path
        ]

    @property
    def codes(self):
        """The codes of all problems, without those that contain a number, such as a status of the App Store."""
        listed = self.document["components"]["schemas"]["Problem"]["properties"]["code"]["x-codes"]
        return [code for code in listed if "{" not in code]

    def check(self, method, path, status, headers, body):
        """Raises an AssertionError that says what is wrong with an answer. The names in `headers` are in lower case."""
        where = f"{method} {path} → {status}"
        response = self._response(method, path, status, where)
        for name, header in response.get("headers", {}).items():
            self._check_header(name, self._resolve(header), headers, where)
        assert headers.get("x-request-id"), f"{where}: no X-Request-Id"
        if "content" not in response:
            assert body == b"", f"{where}: the contract has no content"
            return
        content = response["content"]
        media = headers.get("content-type", "").split(";")[0]
        assert media in content, f"{where}: Content-Type {media!r}, the contract has {list(content)}"
        if not media.endswith("json"):
            return
        value = json.loads(body)
        if "schema" in content[media]:
            self._validate(value, content[media]["schema"], where)
        if media == "application/problem+json":
            assert value["status"] == status, f"{where}: the body says status {value['status']}"
            assert value["requestId"] == headers["x-request-id"], f"{where}: requestId differs from X-Request-Id"
            assert value["type"] == f"https://offersigner.dev/problems/{value['code']}"
            self._check_code(value, response["x-codes"], where)

    def _check_code(self, problem, codes, where):
        # All problems have one schema, so that generated clients stay simple. It allows every code with every status, so the
        # codes of this status are checked here.
        patterns = (re.escape(code).replace(r"\{status\}", "[0-9]+") for code in codes)
        assert any(re.fullmatch(pattern, problem["code"]) for pattern in patterns), f"{where}: {problem['code']}, the contract has {codes}"
        if problem["code"] in ("unknown-field", "invalid-field"):
            assert problem.get("fields"), f"{where}: no fields"

    def _response(self, method, path, status, where):
        operations = self._operations(path.split("?")[0])
        general = self.document["components"]["responses"]
        if operations is None:
            assert status == 404, f"{where}: the contract has no such path"
            return general["NotFound"]
        operation = operations.get(method.lower())
        if operation is None:
            assert status == 405, f"{where}: the contract has no such method"
            return general["MethodNotAllowed"]
        assert str(status) in operation["responses"], f"{where}: the contract has {sorted(operation['responses'])}"
        return self._resolve(operation["responses"][str(status)])

    def _operations(self, path):
        """The operations that the document has for a path, by method; None if it has no such path."""
        exact = self.document["paths"].get(path)
        fitting = (operations for pattern, operations in self._templates if pattern.fullmatch(path))
        return next(fitting, None) if exact is None else exact

    def _check_header(self, name, header, headers, where):
        value = headers.get(name.lower())
        if value is None:
            assert not header.get("required"), f"{where}: the header {name} is missing"
            return
        if header["schema"].get("type") == "integer":
            value = int(value)
        self._validate(value, header["schema"], f"{where}: header {name}")

    def _resolve(self, node):
        while "$ref" in node:
            target = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            node = target
        return node

    def _validate(self, value, schema, where):
        errors = [f"{error.json_path}: {error.message}" for error in self._validator(json.dumps(schema)).iter_errors(value)]
        assert not errors, f"{where}: {errors}"

    @functools.cache
    def _validator(self, schema):
        # References in a schema begin with `#`, the root of the document. Here they need the whole document's URI.
        absolute = json.loads(schema.replace('"#/', f'"{ROOT_URI}#/'))
        return VALIDATOR(absolute, registry=self._registry)
