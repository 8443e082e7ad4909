"""One answer, checked in full before its server is measured: a fast wrong answer is no figure."""

import base64
import http.client
import json
import subprocess
import tempfile
from pathlib import Path

from bench.servers import BenchmarkError, Server, Target

USERNAME = "customer-000001@example.com"


def check(server: Server, target: Target, offers_per_request: int) -> int:
    """The bytes of the answer's body, once every signature in it has been verified by the openssl command."""
    offers = [target.offers[i % len(target.offers)] for i in range(offers_per_request)]
    body, results = _ask(server, target, offers)
    if len(results) != len(offers):
        raise BenchmarkError(f"{server.name}: {len(results)} results for {len(offers)} offers")
    if len({result.get("nonce") for result in results}) != len(results):
        raise BenchmarkError(f"{server.name}: a nonce came twice")
    # Verifying is a process each: the first and the last stand for the rest.
    for index in {0, len(results) - 1}:
        _verify(server, target, offers[index], results[index])
    return len(body)


def _ask(server: Server, target: Target, offers: list[tuple[str, str]]) -> tuple[bytes, list[dict]]:
    request = {
        "bundleId": target.bundle_id,
        "applicationUsername": USERNAME,
        "offers": [{"productId": product, "offerId": offer} for product, offer in offers],
    }
    headers = {"Content-Type": "application/json"}
    if server.token:
        headers["Authorization"] = f"Bearer {server.token}"
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("POST", "/v1/signatures", json.dumps(request), headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    if response.status != 200:
        raise BenchmarkError(f"{server.name}: {response.status} {body[:300]!r}")
    results = json.loads(body)["results"]
    refused = [result for result in results if result["status"] != "signed"]
    if refused:
        raise BenchmarkError(f"{server.name}: refused: {refused[0]}")
    return body, results


def _verify(server: Server, target: Target, offer: tuple[str, str], result: dict) -> None:
    expected = {"productId": offer[0], "offerId": offer[1], "keyIdentifier": target.key_id, "applicationUsername": USERNAME}
    for name, value in expected.items():
        if result[name] != value:
            raise BenchmarkError(f"{server.name}: {name} is {result[name]!r}, not {value!r}")
    payload = "\u2063".join(
        (target.bundle_id, target.key_id, *offer, USERNAME, result["nonce"], str(result["timestamp"]))
    )
    with tempfile.TemporaryDirectory() as folder:
        signature = Path(folder, "signature")
        signature.write_bytes(base64.b64decode(result["signature"], validate=True))
        verified = subprocess.run(
            ["openssl", "dgst", "-sha256", "-prverify", target.key_file, "-signature", signature],
            input=payload.encode(), capture_output=True,
        )
    if verified.returncode != 0:
        raise BenchmarkError(f"{server.name}: signature does not verify")
