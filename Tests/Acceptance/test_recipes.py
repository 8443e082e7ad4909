"""The recipes are true: function, proxies and relay run before a service; field maps are those of the API and of the packages."""
import asyncio
import base64
import email.policy
import http.client
import http.server
import json
import os
import pathlib
import re
import ssl
import subprocess
import sys
import threading
import uuid

import httpx
import pytest
import yaml

from harness import https
from harness.checks import private_key, verifies
from harness.checks import payload as message_of
from harness.declarations import declares, field_maps, source
from harness.proxies import opened
from harness.purchases import PRO, hand_in, lapsed, now
from harness.service import ROOT, free_port, run
from harness.typescript import Backend, compile_in, compiled, listens
from harness.waiting import PATIENCE, wait_until
from test_admin import client
from test_campaign_life import published, step
from test_customers import get
from test_events import SECRET, deliveries, endpoint, events, secret_file, send

RECIPES = (ROOT / "docs/recipes.md").read_text()
OPENAPI = json.loads(run("openapi").stdout)
MAPS = field_maps(RECIPES)


def block(language, containing=""):
    [found] = [text for text in re.findall(rf"^```{language}\n(.+?)^```", RECIPES, re.S | re.M) if containing in text]
    return found


# Field maps


def test_what_is_ours_in_the_field_maps_is_in_the_api():
    assert [found.repository for found in MAPS] == [
        "flutter/packages", "hyodotdev/openiap", "RevenueCat/purchases-ios", "adaptyteam/AdaptySDK-iOS"]
    schemas = OPENAPI["components"]["schemas"]
    promotional = {name for kind in ("PayloadSignature", "JWSSignature") for name in schemas[kind]["properties"]}
    for ours, theirs, kind in (row for found in MAPS for row in found.rows):
        field = re.match(r"`(\w+)`", ours)
        allowed = schemas["IntroductoryOfferSignature"]["properties"] if "introductory" in ours else promotional
        assert theirs and kind and (not field or field[1] in allowed), ours
    read = set(re.findall(r"signed\['(\w+)'\]", block("dart")))
    assert read == set(re.findall(r"^\| `(\w+)` \| `SK2", RECIPES, re.M)) <= set(schemas["PayloadSignature"]["properties"])


@pytest.fixture
def declarations():
    """A clone of each repository: `git clone https://github.com/OWNER/NAME $DECLARATIONS/OWNER/NAME`."""
    if "DECLARATIONS" not in os.environ:
        pytest.skip("DECLARATIONS names no folder with clones of the packages; see Tests/Acceptance/README.md")
    return pathlib.Path(os.environ["DECLARATIONS"])


@pytest.mark.parametrize("newest", [False, True], ids=["named", "newest"])
@pytest.mark.parametrize("fields", MAPS, ids=[found.repository for found in MAPS])
def test_what_is_theirs_in_the_field_maps_is_declared(declarations, fields, newest):
    text = source(declarations / fields.repository, "HEAD" if newest else fields.commit, fields.paths)
    missing = [(name, kind) for _, theirs, kind in fields.rows for name in theirs if not declares(text, name, kind)]
    assert missing == []


def test_the_react_native_code_passes_the_type_checker(declarations, package, tmp_path):
    [fields] = [found for found in MAPS if found.repository == "hyodotdev/openiap"]
    native = tmp_path / "node_modules/react-native-iap"
    native.mkdir(parents=True)
    for path in fields.paths:
        types = subprocess.run(
            ["git", "-C", declarations / fields.repository, "show", f"{fields.commit}:{path}"], capture_output=True, text=True, check=True).stdout
        (native / "index.ts").write_text(types + "\nexport declare const requestPurchase: MutationField<'requestPurchase'>\n")
    (tmp_path / "node_modules/offersigner-client").symlink_to(package)
    (tmp_path / "recipe.ts").write_text(block("ts"))
    # As an app's bundler resolves modules; the client's own package is for Node.
    options = {
        **json.loads((package / "tsconfig.json").read_text())["compilerOptions"], "noEmit": True, "module": "ES2022", "moduleResolution": "node",
        "exactOptionalPropertyTypes": False}
    del options["declaration"], options["outDir"], options["rootDir"]
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": ["recipe.ts"]}))
    compile_in(tmp_path)


# The function


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("typescript") / "package")


def test_a_purchase_through_the_function(package, enforcing, app_store, tmp_path):
    store = app_store.cleared_for(enforcing)
    token = str(uuid.uuid4())
    former = store.customer(app_account_token=token)
    subscription = lapsed(former, intro=True)
    hand_in(enforcing, store, former, "recipe")
    backend = Backend(tmp_path / "backend", package, {"recipe": token, "stranger": str(uuid.uuid4())}, enforcing.url, enforcing.tokens["client"])

    def ask(user, attempt="1", **more):
        headers = {**({"Authorization": f"Bearer {user}"} if user else {}), **({"Idempotency-Key": attempt} if attempt else {})}
        return httpx.post(backend.url, json={"productId": PRO, "offerId": "winback50", **more}, headers=headers, timeout=PATIENCE)

    try:
        assert [each.status_code for each in (ask(None), ask("unknown"), ask("recipe", attempt=None))] == [401, 401, 400]
        # A method that no `Request` of the runtime has; the server goes on.
        assert httpx.request("TRACE", backend.url, timeout=PATIENCE).status_code == 400
        # A body that is not an object asks for nothing; `null` would let campaigns choose.
        headers = {"Authorization": "Bearer recipe", "Idempotency-Key": "0"}
        for body in ("null", "[]", "7"):
            answer = httpx.post(backend.url, content=body, headers=headers, timeout=PATIENCE)
            assert (answer.status_code, answer.json()["code"]) == (400, "malformed-json")
        # Whose customer it is, and which app, is the session's and not the request's.
        foreign = ask("stranger", customerId="recipe", appAccountToken=token, bundleId="com.example.other")
        assert (foreign.status_code, foreign.json()["status"], foreign.json()["code"]) == (200, "refused", "never-subscribed")
        first, again, next_attempt = ask("recipe"), ask("recipe"), ask("recipe", "2")
        assert first.status_code == 200 and first.json() == again.json() != next_attempt.json()
        assert ask("recipe", "3", offerId="nothing").json()["code"] == "unknown-offer"
        assert ask("recipe", "4", signedTransactions=["x" * 70_000]).status_code == 413
        assert enforcing.tokens["client"] not in backend.log.read_text()
    finally:
        backend.kill()
    signed = first.json()
    message = message_of(enforcing.bundle_id, signed["keyIdentifier"], PRO, "winback50", token, signed["nonce"], signed["timestamp"])
    assert verifies(private_key(enforcing.key_file).public_key(), base64.b64decode(signed["signature"]), message)
    subscription.resubscribe(at=now() - 1000, offer_id="winback50")
    hand_in(enforcing, store, former, "recipe")
    found = wait_until(lambda: get(enforcing, "recipe").json()["offers"]["redeemed"][0]["signature"])
    assert found["keyIdentifier"] == signed["keyIdentifier"]


# Proxies


def changed(text, replacements):
    for old, new in replacements.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def shipped(name):
    return (ROOT / "deploy" / name).read_text()


def nginx(folder, certificate, port, upstream, read):
    """The command that serves deploy/nginx.conf on another port, before another upstream, with another certificate."""
    (folder / "site.conf").write_text(changed(read("nginx.conf"), {
        "  server 127.0.0.1:8080;": f"  server 127.0.0.1:{upstream};", "listen 443 ssl;": f"listen {port} ssl;",
        "ssl_certificate /etc/letsencrypt/live/offers.example.com/fullchain.pem;": f"ssl_certificate {certificate[0]};",
        "/etc/letsencrypt/live/offers.example.com/privkey.pem": str(certificate[1])}))
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    # As root it would give its requests to a user who cannot enter this folder.
    user = "user root;\n" if os.getuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}daemon off;\npid {folder}/pid;\nworker_processes 1;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}include {folder}/site.conf;\n}}\n")
    command = ["nginx", "-c", folder / "nginx.conf", "-e", folder / "log"]
    return [*command, "-t"], command


def caddy(folder, certificate, port, upstream, read):
    """The same for deploy/Caddyfile."""
    site = changed(read("Caddyfile"), {
        "\noffers.example.com {\n": f"\nhttps://localhost:{port} {{\n\ttls {certificate[0]} {certificate[1]}\n",
        "reverse_proxy 127.0.0.1:8080": f"reverse_proxy 127.0.0.1:{upstream}"})
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system {folder}\n}}\n{site}")
    options = ["--config", folder / "Caddyfile", "--adapter", "caddyfile"]
    return ["caddy", "validate", *options], ["caddy", "run", *options]


def haproxy(folder, certificate, port, upstream, read):
    """The same for deploy/haproxy.cfg, with one replica."""
    pair = folder / "pair.pem"
    pair.write_text("".join(each.read_text() for each in certificate))
    lines = changed(read("haproxy.cfg"), {'bind "${LISTEN}"': f"bind 127.0.0.1:{port} ssl crt {pair}"}).splitlines()
    lines = [line.replace("${REPLICA_ONE}", f"127.0.0.1:{upstream}") for line in lines if "REPLICA_T" not in line]
    (folder / "haproxy.cfg").write_text("\n".join(lines) + "\n")
    command = ["haproxy", "-db", "-f", folder / "haproxy.cfg"]
    return [*command, "-c"], command


@pytest.fixture(params=[nginx, caddy], ids=["nginx", "caddy"])
def proxy(request, tmp_path):
    """`proxy(upstream port)` starts one that speaks HTTPS, with every door open; gives its URL and what trusts it.

    `read` gives the text of a file of deploy/.
    """
    started = []

    def start(upstream, read=opened):
        folder, port = tmp_path / "proxy", free_port()
        folder.mkdir()
        authority = https.Authority("test")
        authority.save(folder / "root.pem")
        certificate = https.save(folder, "server", *authority.issue())
        check, serve = request.param(folder, certificate, port, upstream, read)
        environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        done = subprocess.run(check, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        with open(folder / "output", "w") as output:
            started.append(subprocess.Popen(serve, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output))
        wait_until(lambda: listens(port), message=lambda: (folder / "output").read_text())
        return f"https://localhost:{port}", ssl.create_default_context(cafile=str(folder / "root.pem"))

    yield start
    for process in started:
        process.terminate()
        process.wait()


def test_a_proxy_ends_tls_and_says_where_requests_come_from(proxy, new_service):
    service = new_service(extra="http: {tlsEndsInProxy: true, proxies: [127.0.0.1]}\n")
    url, trusted = proxy(service.port)
    # 127.0.0.5 stands for a client elsewhere; what it claims itself does not count.
    transport = httpx.HTTPTransport(local_address="127.0.0.5", verify=trusted)
    headers = {"X-Forwarded-For": "203.0.113.9"}
    with httpx.Client(base_url=url.replace("localhost", "127.0.0.1"), transport=transport, headers={**headers, "Host": url[8:]}, timeout=PATIENCE) as away:
        token = {"Authorization": f"Bearer {service.tokens['client']}"}
        body = service.offer_body()
        first, again = (away.post("/v1/signatures", json=body, headers={**token, "Idempotency-Key": "one"}) for _ in range(2))
        assert first.status_code == 200 and first.content == again.content and again.headers["Idempotency-Replayed"] == "true"
        with service.database() as store:
            assert [row[0] for row in store.execute("SELECT address FROM signed_request")] == ["127.0.0.5"]
        assert [away.get(path).status_code for path in ("/metrics", "/readyz", "/openapi.json", "/console/")] == [404, 404, 200, 303]
        # The service's own answers to bodies that are too long.
        for path, size in [("/v1/signatures", 100_000), ("/v1/eligibility", 1_500_000)]:
            assert away.post(path, content=b" " * size, headers=token).json()["code"] == "body-too-large"
        # The console knows that it is on HTTPS, and that the form is its own.
        signed_in = away.post("/console/sign-in", data={"key": service.tokens["admin"]}, headers={"Origin": url})
        assert signed_in.status_code == 303 and "__Host-" in signed_in.headers["set-cookie"], signed_in.text
        assert away.post(f"/v1/appstore/notifications/{service.bundle_id}", json={"signedPayload": "x"}).status_code in (400, 401)


@pytest.mark.parametrize("proxy", [nginx, caddy, haproxy], ids=["nginx", "caddy", "haproxy"], indirect=True)
@pytest.mark.parametrize("read", [shipped, opened])
def test_a_proxy_publishes_what_was_switched_on_and_nothing_else(proxy, new_service, read):
    service = new_service(extra="http: {tlsEndsInProxy: true, proxies: [127.0.0.1]}\n")
    url, trusted = proxy(service.port, read)
    host, port = url.removeprefix("https://").split(":")
    token = service.tokens["admin"]
    paths = [path.replace("{bundleId}", service.bundle_id).replace("{", "").replace("}", "") for path in service.client().get("/openapi.json").json()["paths"]]

    def ask(method, path):
        """The status and the body, of a path as it stands: HTTP clients tidy it."""
        connection = http.client.HTTPSConnection(host, int(port), context=trusted, timeout=PATIENCE)
        try:
            connection.request(method, path, headers={"Authorization": f"Bearer {token}", "Content-Length": "0"})
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), answer.getheader("X-Request-Id")
        finally:
            connection.close()

    wait_until(lambda: ask("POST", f"/v1/appstore/notifications/{service.bundle_id}")[2] is not None)
    hidden = {"/metrics", "/readyz", "/livez"}
    for path in [*paths, "/console/", "/console/keys"]:
        is_open = path.startswith("/v1/appstore/") or (read is opened and path not in hidden)
        # Every answer of the service has a request id, and no proxy's own has.
        assert (ask("GET", path)[2] is not None) == is_open, path
        if not is_open:
            assert ask("POST", path)[0] == 404, path
    for path in () if read is opened else [
        "/v1/appstore/../admin/keys", "/v1/appstore/%2e%2e/admin/keys", "/v1/appstore/..%2fadmin/keys", "//v1/admin/keys", "/v1//admin/keys",
        "/V1/ADMIN/KEYS", "/v1/appstore/../../metrics", "/v1/appstore/;/../admin/keys", "/v1/appstore/%2e%2e%2f%2e%2e%2fmetrics",
    ]:
        status, body, _ = ask("GET", path)
        assert "keyId" not in body and "offersigner_" not in body and status in (400, 404), (path, status, body)


def test_a_proxy_keeps_its_connections_and_passes_on_what_the_service_reads(proxy):
    connections, seen = set(), []

    class Upstream(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            connections.add(self.client_address)
            self.rfile.read(int(self.headers["content-length"]))
            seen.append({name.lower(): value for name, value in self.headers.items()})
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    upstream = http.server.ThreadingHTTPServer(("127.0.0.1", free_port()), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    try:
        url, trusted = proxy(upstream.server_port)
        sent = {"authorization": "Bearer osk_x_y", "idempotency-key": "one", "x-request-id": "two", "traceparent": "00-0-0-01"}
        for _ in range(20):
            # Each from a connection of its own.
            assert httpx.post(f"{url}/v1/signatures", content=b"{}", headers=sent, verify=trusted, timeout=PATIENCE).status_code == 200
    finally:
        upstream.shutdown()
        upstream.server_close()
    assert len(seen) == 20 and len(connections) == 1
    assert sent.items() <= seen[0].items() and seen[0]["host"] == url.removeprefix("https://") and seen[0]["x-forwarded-for"] == "127.0.0.1"


# Slack and e-mail


class Slack:
    """An incoming webhook; what was posted."""

    def __init__(self):
        posted = self.posted = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                posted.append(json.loads(self.rfile.read(int(self.headers["content-length"])))["text"])
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", free_port()), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class MailServer:
    """Takes mail over SMTP with STARTTLS and AUTH, as long as it is `open`."""

    def __init__(self, context):
        self.context, self.port, self.open, self.messages, self.users = context, free_port(), False, [], []
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        asyncio.run_coroutine_threadsafe(asyncio.start_server(self.serve, "127.0.0.1", self.port), self.loop).result(PATIENCE)

    async def serve(self, reader, writer):
        is_safe = False
        writer.write(b"220 mail\r\n")
        while line := (await reader.readline()).decode().strip():
            word = line.split()[0].upper()
            if word == "EHLO":
                writer.write(b"250-mail\r\n250 AUTH PLAIN\r\n" if is_safe else b"250-mail\r\n250 STARTTLS\r\n")
            elif word == "STARTTLS":
                writer.write(b"220 go\r\n")
                await writer.drain()
                await writer.start_tls(self.context)
                is_safe = True
            elif word == "AUTH":
                self.users.append(base64.b64decode(line.split()[2]).split(b"\0")[1:])
                writer.write(b"235 in\r\n")
            elif word == "RCPT" and not self.open:
                writer.write(b"451 later\r\n")
            elif word == "DATA":
                writer.write(b"354 go\r\n")
                text = await reader.readuntil(b"\r\n.\r\n")
                self.messages.append(email.message_from_bytes(text[:-3], policy=email.policy.default))
                writer.write(b"250 taken\r\n")
            elif word == "QUIT":
                writer.write(b"221 bye\r\n")
                break
            else:
                writer.write(b"250 ok\r\n" if is_safe else b"530 first STARTTLS\r\n")
            await writer.drain()
        writer.close()


EXPORTS = {
    "RevenueCat": (["rc_last_seen_app_user_id_alias", "original_store_transaction_id"], """\
rc_original_app_user_id;rc_last_seen_app_user_id_alias;store;is_sandbox;store_transaction_id;original_store_transaction_id
$RCAnonymousID:1;u-1;app_store;false;2000000000000001;2000000000000001
$RCAnonymousID:1;u-1;app_store;false;2000000000000002;2000000000000001
$RCAnonymousID:2;u-2;app_store;true;2000000000000003;2000000000000003
$RCAnonymousID:3;u-3;play_store;false;GPA.1;GPA.1
"u;4";"u;4";app_store;false;2000000000000004;2000000000000004
"""),
    "Adapty": (["customer_user_id", "original_transaction_id"], """\
profile_id,event_type,original_transaction_id,environment,customer_user_id,store
1,subscription_renewed,2000000000000001,Production,u-1,app_store
1,trial_started,2000000000000001,Production,u-1,app_store
2,trial_started,2000000000000002,Sandbox,u-2,app_store
3,trial_started,2000000000000003,Production,,app_store
4,trial_started,2000000000000004,Production,u;4,app_store
"""),
}


@pytest.mark.parametrize("platform", EXPORTS)
def test_an_export_becomes_a_list_of_transaction_ids(tmp_path, platform):
    columns, export = EXPORTS[platform]
    (tmp_path / "ids.py").write_text(block("python", "DictReader"))
    done = subprocess.run([sys.executable, tmp_path / "ids.py", *columns], input=export, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["customerId,transactionId", "u-1,2000000000000001", "u;4,2000000000000004"]
    assert all(f"`{column}`" in RECIPES for column in columns)


def test_the_relay_tells_slack_and_sends_mail_each_once(new_service, tmp_path):
    folder = tmp_path / "relay"
    folder.mkdir()
    authority = https.Authority("mail")
    certificate = https.save(folder, "mail", *authority.issue())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    slack, mail, port = Slack(), MailServer(context), free_port()
    (folder / "relay.py").write_text(block("python", "SLACK_URL"))
    environment = {
        **os.environ, "PORT": str(port), "WEBHOOK_SECRET": SECRET, "SLACK_URL": f"http://127.0.0.1:{slack.server.server_port}/",
        "SMTP_HOST": "localhost", "SMTP_PORT": str(mail.port), "SMTP_USER": "relay", "SMTP_PASSWORD": "geheim",
        "MAIL_FROM": "offersigner@example.com", "MAIL_TO": "team@example.com", "SSL_CERT_FILE": str(authority.save(folder / "root.pem"))}
    with open(folder / "output", "w") as output:
        relay = subprocess.Popen([sys.executable, "relay.py"], cwd=folder, env=environment, stderr=output)
    try:
        wait_until(lambda: listens(port), message=lambda: (folder / "output").read_text())
        [printed] = yaml.safe_load(block("yaml"))["events"]["endpoints"]
        wrong = "whsec_" + "A" * 43 + "="
        service = new_service(
            extra="events:\n  endpoints:\n" + endpoint(printed["name"], port, secret_file(tmp_path), types=printed["types"])
            + endpoint("forger", port, secret_file(tmp_path, "wrong", wrong)))
        people = {name: client(service, role, [service.bundle_id]) for name, role in {"ann": "marketing", "eve": "approver"}.items()}
        published(people, "spring")
        step(people["eve"], "spring", "pause", reason="<!channel>\nsee <https://example.com|this> & that")
        send(service, "forger")
        # Mail is away: what Slack has had does not go there again.
        wait_until(lambda: slack.posted and mail.users)
        mail.open = True

        def arrived():
            events(service, "replay", "--endpoint", printed["name"], "--state", "pending")
            return {each["state"] for each in deliveries(service, endpoint=printed["name"])} == {"delivered"}

        wait_until(arrived, message=lambda: (folder / "output").read_text())
        wait_until(lambda: any((each["lastAttempt"] or {}).get("status") == 401 for each in deliveries(service, endpoint="forger")))
    finally:
        relay.kill()
        relay.wait()
    assert [text.split(":")[0] for text in slack.posted] == ["campaign.review_requested", "campaign.published", "campaign.paused"]
    assert "reason &lt;!channel&gt; see &lt;https://example.com|this&gt; &amp; that" in slack.posted[2]
    assert [message["subject"].split(":")[0] for message in mail.messages] == [text.split(":")[0] for text in slack.posted]
    last = mail.messages[-1]
    assert (last["from"], last["to"]) == ("offersigner@example.com", "team@example.com")
    assert "<!channel> see" in last.get_content() and set(map(tuple, mail.users)) == {(b"relay", b"geheim")}
