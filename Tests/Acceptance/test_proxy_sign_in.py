"""Sign-in to the console by a header of an SSO proxy, and other senders of such a header."""
import re
import socket

import httpx
import pytest

from harness.service import EXAMPLE, run
from harness.waiting import PATIENCE, wait_until

HEADER = "X-Forwarded-User"
# The proxy connects from here; another address of the loopback interface is another sender.
PROXY, STRANGER = "127.0.0.7", "127.0.0.8"


def access_key(service, role="security", note=None):
    made = service.cli("access", "create", "--role", role, "--note", note or f"{role}-1")
    assert made.returncode == 0, made.stderr
    token = made.stdout.strip()
    return token, token.split("_")[1]


class Company:
    def __init__(self, make):
        # The ids of access keys stand in the configuration: first the keys, then the service that knows them.
        service = make(extra="{}\n")
        self.keys = {name: access_key(service, role) for name, role in [
            ("alice@example.com", "security"), ("bob@example.com", "viewer"), ("robot", "backend"), ("left@example.com", "admin")]}
        self.unmapped, self.unmapped_id = access_key(service, "admin", "carol@example.com")
        people = ", ".join(f"{{name: {name}, accessKey: '{key[1]}'}}" for name, key in self.keys.items())
        service.stop()
        service.extra = service.folder.with_suffix(".extra.yaml")
        service.extra.write_text(
            f"console: {{proxySignIn: {{addresses: [{PROXY}], people: [{people}]}}}}\nhttp: {{proxies: [{PROXY}, 10.0.0.0/8]}}\n")
        service.start()
        assert service.cli("access", "revoke", self.keys["left@example.com"][1]).returncode == 0
        self.service = service

    def id(self, name):
        return self.keys[name][1]

    def browser(self, address=PROXY, cookies=None):
        transport = httpx.HTTPTransport(local_address=address)
        return httpx.Client(base_url=self.service.url, transport=transport, cookies=cookies, timeout=PATIENCE)

    def sign_in(self, name, browser=None, **form):
        browser = browser or self.browser()
        return browser, browser.post("/console/sign-in", data=form, headers={HEADER: name} if name else {})

    def events(self):
        with self.service.database() as store:
            return store.execute("SELECT actor, after, address FROM audit_event WHERE action = 'console.sign-in' ORDER BY id").fetchall()

    def sessions(self):
        with self.service.database() as store:
            return store.execute("SELECT access_id, proxy_name FROM console_session").fetchall()

    def refused(self, reason):
        return self.service.metric("offersigner_console_proxy_headers_refused_total", reason=reason)


@pytest.fixture(scope="module")
def company(tmp_path_factory):
    from harness.service import Service
    made = []

    def make(**options):
        made.append(Service(tmp_path_factory.mktemp("company") / "service", **options))
        made[-1].start()
        return made[-1]

    yield Company(make)
    for each in made:
        each.stop()


def signed_in(browser, name=None, path="/console/"):
    return browser.get(path, headers={HEADER: name} if name else {}).status_code == 200


def test_the_person_that_the_proxy_names_is_signed_in_with_their_own_key(company):
    browser = company.browser()
    page = browser.get("/console/", headers={HEADER: "alice@example.com"})
    assert page.status_code == 303 and page.headers["location"].startswith("/console/sign-in")
    page = browser.get("/console/sign-in?next=/console/keys", headers={HEADER: "alice@example.com"})
    assert "alice@example.com" in page.text and "Access key" not in page.text
    # Asking for the page does not sign in.
    assert "set-cookie" not in page.headers
    _, answer = company.sign_in("alice@example.com", browser, next="/console/keys")
    assert (answer.status_code, answer.headers["location"]) == (303, "/console/keys")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    page = browser.get("/console/keys", headers={HEADER: "alice@example.com"})
    assert page.status_code == 200 and "Role: security" in page.text
    event = company.events()[-1]
    assert event["actor"] == company.id("alice@example.com")
    assert event["after"] == "by the sign-in proxy, as alice@example.com" and event["address"] == PROXY
    # Forms are of the session, as ever.
    headers = {HEADER: "alice@example.com"}
    assert browser.post("/console/sign-out", data={"formToken": "0" * 64}, headers=headers).status_code == 403
    token = re.search(r'name="formToken" value="([0-9a-f]+)"', page.text)[1]
    other_site = {**headers, "Sec-Fetch-Site": "cross-site"}
    assert browser.post("/console/sign-in", headers=other_site).status_code == 403
    answer = browser.post("/console/sign-out", data={"formToken": token}, headers=headers)
    assert answer.status_code == 303
    # Signed out is signed out, although the proxy goes on naming her.
    assert not signed_in(browser, "alice@example.com")
    assert company.id("alice@example.com") not in [each["access_id"] for each in company.sessions()]


@pytest.mark.parametrize("name", ["carol@example.com", "mallory", "Alice@example.com", "alice@example.com.", "robot", "left@example.com"])
def test_no_other_person_is_signed_in(company, name):
    """Unknown, another spelling, a key for programs, a revoked key; nor does the note of a key count."""
    before = len(company.sessions())
    browser, answer = company.sign_in(name)
    assert answer.status_code == 422 and "set-cookie" not in answer.headers
    assert not signed_in(browser, name)
    # Nor with another person's key, while the proxy says who it is.
    _, answer = company.sign_in(name, key=company.unmapped)
    assert answer.status_code == 422 and "set-cookie" not in answer.headers
    assert len(company.sessions()) == before


UNUSABLE = [b"", b" ", b"alice@example.com, bob@example.com", b"alice@example.com\tx", b"alice bob", "ålice@example.com".encode(),
            b"alice@example.com\xff", b"a" * 255, b"alice@example.com\x01", b"alice@example.com\x7f"]


def raw(company, lines, address=PROXY, method=b"POST /console/sign-in"):
    """The answer to a request with these lines among its headers."""
    with socket.create_connection(("127.0.0.1", company.service.port), timeout=PATIENCE, source_address=(address, 0)) as connection:
        head = [method + b" HTTP/1.1", b"Host: a", b"Content-Length: 0", b"Connection: close", *lines]
        connection.sendall(b"\r\n".join(head) + b"\r\n\r\n")
        answer = b""
        while part := connection.recv(65536):
            answer += part
    return answer


def test_a_header_that_is_no_name_is_refused(company):
    before = len(company.sessions())
    for value in UNUSABLE:
        answer = raw(company, [b"X-Forwarded-User: " + value])
        assert answer.split()[1] in (b"400", b"422"), value
        assert b"set-cookie" not in answer.lower(), value
    twice = [b"X-Forwarded-User: alice@example.com"] * 2
    for lines in (twice, [twice[0], b"x-forwarded-user: bob@example.com"], [twice[0], b"X-Forwarded-User:"]):
        answer = raw(company, lines)
        assert answer.split()[1] == b"422" and b"set-cookie" not in answer.lower()
    # What only looks like the header is none: then a key is asked for.
    for line in (b"X_Forwarded_User: alice@example.com", b"X-Forwarded-Users: alice@example.com", b"X-Forwarded-User : alice@example.com"):
        answer = raw(company, [line])
        assert answer.split()[1] in (b"400", b"422") and b"set-cookie" not in answer.lower(), line
    assert len(company.sessions()) == before
    assert company.refused("unusable") >= 5


def test_the_header_of_another_sender_means_nothing(company):
    before = company.refused("elsewhere")
    stranger = company.browser(STRANGER)
    for headers in ({HEADER: "alice@example.com"}, {HEADER: "alice@example.com", "X-Forwarded-For": PROXY}):
        page = stranger.get("/console/sign-in", headers=headers)
        # As if it were not there.
        assert page.text == stranger.get("/console/sign-in").text and "alice" not in page.text
        answer = stranger.post("/console/sign-in", data={"key": "osk_x_y"}, headers=headers)
        assert answer.status_code in (422, 429) and "set-cookie" not in answer.headers and "alice" not in answer.text
    assert company.refused("elsewhere") >= before + 4
    lines = [each for each in company.service.log() if each["message"] == "a header of the sign-in proxy does not count"]
    told = [each for each in lines if each["reason"] == "elsewhere"]
    assert len(told) == 1 and told[0]["address"] == STRANGER and "alice" not in str(told)


def test_the_api_knows_no_such_header(company):
    browser = company.browser()
    for path in ("/v1/admin/keys", "/v1/admin/access"):
        assert browser.get(path, headers={HEADER: "alice@example.com"}).status_code == 401


def test_a_session_is_over_when_the_proxy_names_another_person(company):
    for name in ("bob@example.com", "mallory", "", None):
        browser, answer = company.sign_in("alice@example.com")
        assert answer.status_code == 303 and signed_in(browser, "alice@example.com")
        assert not signed_in(browser, name if name is not None else None)
        # Not only refused: ended.
        assert not signed_in(browser, "alice@example.com"), name
    # Bob gets a session of his own.
    browser, _ = company.sign_in("alice@example.com")
    company.sign_in("bob@example.com", browser)
    page = browser.get("/console/", headers={HEADER: "bob@example.com"})
    assert page.status_code == 200 and "Role: viewer" in page.text
    assert not signed_in(browser, "alice@example.com")


def test_a_stolen_cookie_is_worth_nothing_around_the_proxy(company):
    browser, _ = company.sign_in("alice@example.com")
    thief = company.browser(STRANGER, cookies=browser.cookies)
    for headers in ({}, {HEADER: "alice@example.com"}):
        assert thief.get("/console/", headers=headers).status_code == 303
    assert not signed_in(browser, "alice@example.com"), "the session survives what was tried with it"


def test_a_key_still_signs_in_where_no_proxy_speaks(company):
    for address in (STRANGER, PROXY):
        browser, answer = company.sign_in(None, company.browser(address), key=company.unmapped)
        assert answer.status_code == 303 and signed_in(browser)
    # Behind the proxy, with a person's name, the session is over.
    assert not signed_in(browser, "alice@example.com") and not signed_in(browser)
    # One's own key is oneself.
    browser, _ = company.sign_in(None, company.browser(), key=company.keys["alice@example.com"][0])
    assert signed_in(browser, "alice@example.com") and signed_in(browser)


def test_revoking_the_key_ends_the_session(company):
    browser, _ = company.sign_in("bob@example.com")
    assert signed_in(browser, "bob@example.com")
    assert company.service.cli("access", "revoke", company.id("bob@example.com")).returncode == 0
    wait_until(lambda: not signed_in(browser, "bob@example.com"), promised=2)
    _, answer = company.sign_in("bob@example.com", browser)
    assert answer.status_code == 422


FORWARDED = [
    # A sender who connects directly has their own address, whatever they claim.
    (STRANGER, ["203.0.113.9"], STRANGER), (PROXY, [], PROXY), (PROXY, ["203.0.113.9"], "203.0.113.9"),
    # What the client has claimed stands before what the proxy has added.
    (PROXY, ["198.51.100.1, 203.0.113.9"], "203.0.113.9"), (PROXY, ["198.51.100.1", "203.0.113.9"], "203.0.113.9"),
    (PROXY, ["203.0.113.9, 10.1.2.3"], "203.0.113.9"), (PROXY, ["10.1.2.3"], "10.1.2.3"), (PROXY, ["nonsense, 10.1.2.3"], "10.1.2.3"),
    (PROXY, ["203.0.113.9, nonsense"], PROXY), (PROXY, ["203.0.113.9,"], PROXY), (PROXY, [""], PROXY),
    (PROXY, ["2001:db8::7"], "2001:db8::7"), (PROXY, ["203.0.113.9:1234"], PROXY), (PROXY, ["127.1"], PROXY),
]


@pytest.mark.parametrize(("peer", "forwarded", "address"), FORWARDED)
def test_the_address_on_record_is_the_last_that_a_trusted_proxy_has_added(company, peer, forwarded, address):
    browser = company.browser(peer)
    headers = [("X-Forwarded-For", each) for each in forwarded]
    assert browser.post("/console/sign-in", data={"key": company.unmapped}, headers=headers).status_code == 303
    assert company.events()[-1]["address"] == address
    token = {"Authorization": f"Bearer {company.service.tokens['client']}"}
    assert browser.post("/v1/signatures", json=company.service.offer_body(), headers=[*headers, *token.items()]).status_code == 200
    with company.service.database() as store:
        assert store.execute("SELECT address FROM signed_request ORDER BY id DESC").fetchone()[0] == address


def test_wrong_keys_are_slowed_down_by_the_clients_address(company):
    browser = company.browser()

    def code(address):
        return browser.post("/console/sign-in", data={"key": "osk_x_y"}, headers={"X-Forwarded-For": address}).status_code

    wait_until(lambda: code("203.0.113.77") == 429)
    assert code("203.0.113.78") == 422
    # Claiming other addresses gives no new tries.
    wait_until(lambda: (code("203.0.113.77"), code("198.51.100.1, 203.0.113.77")) == (429, 429))


GOOD = "addresses: [10.0.0.7], people: [{name: a, accessKey: '0123456789abcdef'}]"


@pytest.mark.parametrize(
    ("extra", "word"),
    [
        ("console: {proxySignIn: {addresses: [10.0.0.7]}}", "console.proxySignIn.people: is missing"),
        ("console: {proxySignIn: {people: [{name: a, accessKey: '0123456789abcdef'}]}}", "console.proxySignIn.addresses: is missing"),
        ("console: {proxySignIn: {header: X-User}}", "console.proxySignIn.addresses: is missing"),
        (f"console: {{proxySignIn: {{header: Cookie, {GOOD}}}}}", "console.proxySignIn.header"),
        (f"console: {{proxySignIn: {{header: 'X User', {GOOD}}}}}", "console.proxySignIn.header"),
        ("console: {proxySignIn: {" + GOOD.replace("10.0.0.7", "0.0.0.0/0") + "}}", "0.0.0.0/0 is not an IP address"),
        ("console: {proxySignIn: {" + GOOD.replace("10.0.0.7", "proxy.local") + "}}", "proxy.local is not an IP address"),
        ("console: {proxySignIn: {" + GOOD.replace("10.0.0.7", "10.0.0.7/8") + "}}", "10.0.0.7/8 is not an IP address"),
        ("console: {proxySignIn: {" + GOOD.replace("0123456789abcdef", "osk_0123456789abcdef_S3cret") + "}}", "must be the id"),
        ("console: {proxySignIn: {" + GOOD.replace("name: a", "name: 'a b'") + "}}", "visible ASCII"),
        ("console: {proxySignIn: {addresses: [10.0.0.7], people: [{name: a}]}}", "needs name and accessKey"),
        ("console: {proxySignIn: {addresses: [10.0.0.7], people: [{name: a, accessKey: '0123456789abcdef'}, {name: b, accessKey: '0123456789abcdef'}]}}", "stands for two names"),
        ("console: {proxySignIn: {addresses: [10.0.0.7], people: [{name: a, accessKey: '0123456789abcdef'}, {name: a, accessKey: '0123456789abcdee'}]}}", "a appears twice"),
        ("http: {proxies: ['::/0']}", "::/0 is not an IP address"),
    ],
)
def test_what_would_let_too_many_in_is_an_error_at_the_start(tmp_path, extra, word):
    (tmp_path / "extra.yaml").write_text(extra + "\n")
    done = run("check-config", "--config", EXAMPLE, "--config", tmp_path / "extra.yaml", cwd=tmp_path)
    assert done.returncode != 0 and word in done.stderr + done.stdout
    assert "S3cret" not in done.stderr + done.stdout
