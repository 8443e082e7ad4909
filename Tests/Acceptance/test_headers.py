"""What comes with every answer, and the paths that need no access key."""
import asyncio
import socket

import httpx
import pytest

from harness import wire
from harness.service import free_port
from harness.waiting import PATIENCE
from harness.wire import USUAL_IDLE


def test_a_given_request_id_comes_back_in_the_header_and_in_the_problem(client):
    for name in ["a", "x" * 128, "6f0c2a1e-8a55", "!~{}\"\\"]:
        answer = client.post("/v1/signatures", {}, headers={"X-Request-Id": name})
        assert answer.status_code == 400
        assert answer.headers["x-request-id"] == name == answer.json()["requestId"]
        for path in ["/livez", "/readyz", "/nowhere"]:
            assert client.get(path, headers={"X-Request-Id": name}).headers["x-request-id"] == name


def test_a_request_id_of_another_form_is_replaced(client):
    for name in ["", "with space", "x" * 129, "tab\tinside", "é"]:
        for path in ["/v1/nonces", "/livez"]:
            answer = client.request("POST" if path != "/livez" else "GET", path, headers={"X-Request-Id": name.encode()})
            assert answer.headers["x-request-id"] != name and answer.headers["x-request-id"].isalnum()


def test_request_ids_that_the_service_makes_are_all_different(client):
    assert len({client.get("/livez").headers["x-request-id"] for _ in range(200)}) == 200


@pytest.mark.parametrize("path", ["/v1/nonces", "/v1/signatures", "/v1/introductory-offers/signatures"])
def test_answers_with_nonces_or_signatures_are_not_to_be_stored(instance, client, path):
    body = {
        "/v1/nonces": {"bundleId": instance.bundle_id},
        "/v1/signatures": instance.offer_body(),
        "/v1/introductory-offers/signatures": {
            "bundleId": instance.bundle_id, "products": [{"productId": instance.product, "transactionId": "1", "allow": False}],
        },
    }[path]
    answer = client.post(path, body)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")


def test_a_problem_may_quote_a_nonce_and_is_not_to_be_stored_either(instance, client):
    [nonce] = client.nonces(instance.bundle_id)
    client.sign(instance.offer_body(nonce=nonce))
    replayed = client.post("/v1/signatures", instance.offer_body(nonce=nonce))
    assert nonce in replayed.json()["detail"]
    for answer in [replayed, client.get("/nowhere"), client.post("/v1/verify", {})]:
        assert answer.headers["cache-control"] == "no-store"


def test_two_authorizations_are_none(instance):
    token, other = (f"Bearer {instance.tokens[role]}" for role in ("client", "viewer"))
    for pair in ([token, other], [other, token], [token, token]):
        answer = httpx.post(f"{instance.url}/v1/nonces", headers=[("Authorization", value) for value in pair], json={}, timeout=PATIENCE)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")


def test_a_second_port_for_metrics_keeps_the_rules_of_the_first(new_service):
    port = free_port()
    service = new_service(extra=f"metrics: {{port: {port}}}\nhttp: {{idleTimeoutSeconds: 1}}\n")
    moved = service.client().get("/metrics")
    assert (moved.status_code, moved.json()["code"]) == (404, "not-found")
    # Kept connections would be closed after a second, perhaps as the next request is on its way.
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, headers={"Connection": "close"}) as second:
        found = second.get("/metrics", headers={"X-Request-Id": "scrape"})
        assert found.status_code == 200 and found.headers["x-request-id"] == "scrape"
        assert "offersigner_" in found.text
        for method, path, status, code in [("GET", "/livez", 404, "not-found"), ("POST", "/metrics", 405, "method-not-allowed")]:
            refused = second.request(method, path)
            assert (refused.status_code, refused.json()["code"]) == (status, code)
            assert refused.headers["content-type"] == "application/problem+json" and refused.headers["x-request-id"]
    with socket.create_connection(("127.0.0.1", port), timeout=USUAL_IDLE - 5) as half:
        half.send(b"GET /met")
        assert half.recv(100) == b""


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/metrics", "/openapi.json", "/docs", "/", "/nowhere", "/v1/nonces"])
def test_an_answer_to_head_has_the_headers_of_get_and_no_body(instance, path):
    async def exchange():
        connection = await wire.Connection.open(instance.url)
        connection.send(f"HEAD {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        head = await connection.reader.readuntil(b"\r\n\r\n")
        # Nothing in between: the next answer begins where this one ends.
        next_answer = await connection.exchange(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        connection.close()
        return head.decode().lower(), next_answer

    head, next_answer = asyncio.run(exchange())
    other = instance.client(token="").get(path)
    assert head.startswith(f"http/1.1 {other.status_code} ")
    assert f"content-type: {other.headers['content-type']}\r\n" in head and "content-length: 0\r\n" not in head
    assert (next_answer.status, next_answer.json()) == (200, {"alive": True})


def test_a_request_target_may_have_scheme_and_authority(instance):
    async def exchange(method, target):
        connection = await wire.Connection.open(instance.url)
        answer = await connection.exchange(
            f"{method} {target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {instance.tokens['client']}\r\n"
            f"Content-Length: 2\r\n\r\n{{}}".encode())
        connection.close()
        return answer.status, answer.json().get("code")

    for base in ["http://example.com", "https://example.com:8443", ""]:
        assert asyncio.run(exchange("POST", f"{base}/v1/signatures?a=b")) == (400, "invalid-field")
        assert asyncio.run(exchange("GET", f"{base}/livez")) == (200, None)
    assert asyncio.run(exchange("POST", "http://example.com")) == (405, "method-not-allowed")


def test_every_answer_to_a_known_caller_tells_the_rate(instance, client):
    for body, status in [(instance.offer_body(), 200), ({}, 400), ({"bundleId": "x", "offers": [{"productId": "a", "offerId": "b"}]}, 404)]:
        answer = client.post("/v1/signatures", body)
        assert answer.status_code == status
        assert answer.headers["ratelimit"].startswith('"default";r=') and answer.headers["ratelimit-policy"].startswith('"default";q=')
    assert "ratelimit" not in instance.client(token="").post("/v1/signatures", {}).headers


def test_health_metrics_and_the_contract_need_no_access_key(instance):
    client = instance.client(token="")
    assert client.get("/livez").json() == {"alive": True}
    ready = client.get("/readyz").json()
    assert ready["ready"] is True
    assert {check["name"] for check in ready["checks"]} == {"keys", "store", "clock", "migrations"}
    assert all(check["ok"] for check in ready["checks"])
    assert client.get("/metrics").headers["content-type"].startswith("text/plain; version=0.0.4")
    assert client.get("/openapi.json").json()["openapi"].startswith("3.1")


def test_the_metrics_count_what_happened(new_service):
    # One of its own: requests that other tests have broken off may still be recorded in theirs.
    instance = new_service()
    client = instance.client()

    def counted():
        return {
            "signed": instance.metric("offersigner_signatures_total", outcome="signed", key=instance.key_id, app=instance.bundle_id),
            "200": instance.metric("offersigner_http_requests_total", route="/v1/signatures", status="200"),
            "404": instance.metric("offersigner_http_requests_total", route="/v1/signatures", status="404"),
            "times": instance.metric("offersigner_http_request_seconds_count", route="/v1/signatures"),
            "commits": instance.metric("offersigner_ledger_commit_seconds_count"),
        }

    before = counted()
    body = instance.offer_body()
    client.sign(body | {"offers": body["offers"] * 3})
    client.sign(body)
    client.problem("/v1/signatures", body | {"bundleId": "no.such.app"})
    after = counted()
    assert {name: after[name] - before[name] for name in before} == {"signed": 4, "200": 2, "404": 1, "times": 3, "commits": 2}
    assert instance.metric("offersigner_ledger_queue_depth") == 0


def test_paths_that_do_not_exist_do_not_make_metrics_of_their_own(instance, client):
    for index in range(20):
        client.get(f"/made-up-{index}")
    text = client.get("/metrics").text
    assert "made-up" not in text and 'route="other"' in text


def test_a_query_does_not_change_the_path(instance, client):
    answer = client.post("/v1/nonces?x=1", {"bundleId": instance.bundle_id})
    assert answer.status_code == 200


def test_http_1_0_and_connection_close_are_answered_and_closed(instance):
    async def ask(head):
        connection = await wire.Connection.open(instance.url)
        connection.send(head)
        data = await asyncio.wait_for(connection.reader.read(), USUAL_IDLE - 5)
        connection.close()
        return data

    for head in [b"GET /livez HTTP/1.0\r\n\r\n", b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"]:
        data = asyncio.run(ask(head))
        assert data.split(b" ")[1] == b"200" and data.endswith(b'{"alive":true}')


@pytest.mark.parametrize(
    "data",
    [b"nonsense\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"POST /v1/nonces HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
     b"GET /livez HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 40_000 + b"\r\n\r\n"],
    ids=["no HTTP", "HTTP/9.9", "length x", "long header"],
)
def test_what_is_not_http_is_refused_with_a_4xx_and_the_connection_closed(instance, data):
    async def ask():
        connection = await wire.Connection.open(instance.url)
        connection.send(data)
        answer = await asyncio.wait_for(connection.answer(), PATIENCE)
        try:
            rest = await asyncio.wait_for(connection.reader.read(), USUAL_IDLE - 5)
        except ConnectionResetError:
            # What the service did not read of a long head makes the kernel say it this way.
            rest = b""
        connection.close()
        return answer, rest

    answer, rest = asyncio.run(ask())
    assert 400 <= answer.status < 500 and rest == b"", f"after the answer came {rest[:200]}"
    assert answer.headers.get("x-request-id"), "docs/api.md: every answer has X-Request-Id"
    assert answer.headers["content-type"] == "application/problem+json"
    codes = instance.client().contract.codes
    assert answer.code in codes, f"the contract does not have the code {answer.code}"
