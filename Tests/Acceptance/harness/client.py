"""An HTTP client that fails if the contract does not allow an answer."""
import functools
import json
import ssl

import httpx

from harness.contract import Contract
from harness.waiting import PATIENCE

# By default httpx waits 5 s for an answer. On a busy machine a test could then fail although the service is right.
httpx._config.DEFAULT_TIMEOUT_CONFIG.__init__(PATIENCE)
# All clients share one context, because it takes 25 ms of processor time to create one.
TLS = ssl.create_default_context()


@functools.cache
def contract_of(url):
    """The contract, made from the OpenAPI document that the service itself serves."""
    return contract(httpx.get(f"{url}/openapi.json", verify=TLS, timeout=PATIENCE).text)


@functools.cache
def contract(text):
    return Contract(json.loads(text))


class Client:
    """Sends requests to one service with one access key. If the token is empty, no key is sent."""

    def __init__(self, url, token=""):
        self.url = url
        self.contract = contract_of(url)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(base_url=url, headers=headers, verify=TLS, timeout=PATIENCE)

    def request(self, method, path, **options):
        answer = self._http.request(method, path, **options)
        self.contract.check(method, path, answer.status_code, answer.headers, answer.content)
        if answer.status_code == 200 and any(word in answer.text for word in ('"nonce"', '"signature"', '"compactJWS"')):
            if path.startswith("/v1/"):
                assert answer.headers.get("cache-control") == "no-store"
        return answer

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, body=None, **options):
        """Sends a POST with a JSON value or, if there is a `content=`, with those bytes."""
        if "content" not in options:
            # httpx's own way of writing JSON depends on its version. Here non-ASCII characters are always sent as UTF-8.
            options["content"] = json.dumps(body, ensure_ascii=False).encode()
        return self.request("POST", path, **options)

    def sign(self, body, **options):
        """Requests signatures, and returns the results. Fails if the answer is not 200."""
        answer = self.post("/v1/signatures", body, **options)
        assert answer.status_code == 200, answer.text
        return answer.json()["results"]

    def nonces(self, bundle_id, count=1):
        answer = self.post("/v1/nonces", {"bundleId": bundle_id, "count": count})
        assert answer.status_code == 200, answer.text
        return [nonce["nonce"] for nonce in answer.json()["nonces"]]

    def problem(self, path, body=None, **options):
        """Sends a request that must be answered with an error. Returns its status, its code, and the names of the faulty fields.
        """
        answer = self.post(path, body, **options)
        assert answer.status_code >= 400, answer.text
        problem = answer.json()
        return answer.status_code, problem["code"], [field["name"] for field in problem.get("fields", [])]
