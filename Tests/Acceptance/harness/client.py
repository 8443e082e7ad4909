"""An HTTP client that lets no answer pass which the contract does not allow."""
import functools
import json
import ssl

import httpx

from harness.contract import Contract
from harness.waiting import PATIENCE

# httpx gives up after 5 s where a call does not say otherwise, which would be a verdict on the machine.
httpx._config.DEFAULT_TIMEOUT_CONFIG.__init__(PATIENCE)
# One for all: each of its own would take 25 ms of a processor.
TLS = ssl.create_default_context()


@functools.cache
def contract_of(url):
    """The service's own document."""
    return contract(httpx.get(f"{url}/openapi.json", verify=TLS, timeout=PATIENCE).text)


@functools.cache
def contract(text):
    return Contract(json.loads(text))


class Client:
    """Speaks to one service with one access key; an empty token sends none."""

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
        """POSTs a JSON value, or `content=` as it is."""
        if "content" not in options:
            # Not httpx's own JSON: that one escapes nothing and cannot send lone surrogates either.
            options["content"] = json.dumps(body, ensure_ascii=False).encode()
        return self.request("POST", path, **options)

    def sign(self, body, **options):
        """Signs and gives back the results; fails if the answer is not 200."""
        answer = self.post("/v1/signatures", body, **options)
        assert answer.status_code == 200, answer.text
        return answer.json()["results"]

    def nonces(self, bundle_id, count=1):
        answer = self.post("/v1/nonces", {"bundleId": bundle_id, "count": count})
        assert answer.status_code == 200, answer.text
        return [nonce["nonce"] for nonce in answer.json()["nonces"]]

    def problem(self, path, body=None, **options):
        """(status, code, names of the fields) of an answer that is an error."""
        answer = self.post(path, body, **options)
        assert answer.status_code >= 400, answer.text
        problem = answer.json()
        return answer.status_code, problem["code"], [field["name"] for field in problem.get("fields", [])]
