"""Requests that schemathesis makes up from the OpenAPI document: no 5xx, and no answer that the document does not allow."""
import copy
import json
import os
import pathlib
import subprocess
import sys

import pytest

from harness.scale import scaled
from harness.waiting import PATIENCE

# A well-formed request may still name a thing that does not exist, or leave out the bundleId of a caller with several apps; signed
# data that is made up is refused, and a notification that is made up is not authentic; a key that is made up is none, and what is decided
# about keys may make no sense: that is all that a good request may fail for.
CONFIGURATION = """
[checks.positive_data_acceptance]
expected-statuses = [{accepted}]

[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 409, 412, 413, 422, 428]

[checks.missing_required_header]
expected-statuses = [403, 428]
"""


def lenient_document(service, folder):
    """The document, but for `null` in optional choices of a body: the service takes it as absent, and the document does not name it, because
    generated clients would make a type of its own of it."""
    document = copy.deepcopy(service.client().contract.document)
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        for name, each in schema.get("properties", {}).items():
            if each.get("$ref") == "#/components/schemas/Environment":
                each.pop("$ref")
                each["enum"] = [*schemas["Environment"]["enum"], None]
            elif "enum" in each and name not in schema.get("required", []):
                each["enum"] = [*each["enum"], None]
                each.pop("type", None)
    file = folder / "openapi.json"
    file.write_text(json.dumps(document))
    return str(file)


# Of one process: Python 3.11 cannot parse in several threads at once when the recursion limit is raised, which Hypothesis does.
WORKERS = "1"


@pytest.mark.timeout(1600)
@pytest.mark.parametrize(
    ("role", "accepted"),
    [("client", "200, 400, 401, 403, 404, 409, 422"), ("security", "200, 201, 202, 400, 401, 403, 404, 409, 422"), ("backend", "200, 400, 401, 404, 409, 422"),
     ("marketing", "200, 201, 400, 401, 403, 404, 409, 412, 422, 428")],
    ids=["client", "security", "backend", "marketing"],
)
def test_no_generated_request_gets_an_answer_outside_the_contract(connected, app_store, tmp_path, role, accepted):
    service = connected()
    # One answer for every transaction; else each of them would be looked for in the sandbox, which is slow on purpose.
    app_store.fault("history", errorCode=4000006)
    # What all roles have in common is left to the first two.
    own = {"backend": "^/v1/(eligibility|history|customers|appstore)", "marketing": "^/v1/admin/campaigns"}
    paths = ["--include-path-regex", own[role]] if role in own else []
    # Made-up requests of a caller who may end the key that signs, or the access key that asks, find those sooner or later.
    paths += ["--exclude-path-regex", "^/v1/admin/(keys/[^/]+/revoke|access/)"]
    before = service.counts()
    configuration = tmp_path / "schemathesis.toml"
    configuration.write_text(CONFIGURATION.format(accepted=accepted))
    done = subprocess.run(
        [
            str(pathlib.Path(sys.executable).with_name("schemathesis")), "--config-file", str(configuration),
            "run", lenient_document(service, tmp_path), "--url", service.url, *paths, "--header", f"Authorization: Bearer {service.tokens[role]}",
            "--checks", "all", "--max-examples", str(scaled(60, 1000)), "--seed", "2063", "--generation-deterministic",
            "--phases", "examples,coverage,fuzzing", "--workers", WORKERS, "--request-timeout", str(PATIENCE), "--warnings", "off",
        ],
        capture_output=True, text=True, cwd=tmp_path, check=False, timeout=1500,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert service.is_running
    assert service.metric("offersigner_http_requests_total") > 300
    for status in ("500", "502", "503"):
        assert service.metric("offersigner_http_requests_total", status=status) == 0
    if role == "security":
        # Access keys are what this role makes, and the audit log says so.
        after = {name: count for name, count in service.counts().items() if name != "access"}
        assert after == {name: before[name] for name in after}, "a role that may not sign left rows"
