"""Keys in a hardware module: SoftHSM signs, and is taken away in every way that can be had without hardware."""
import base64
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time

import httpx
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from harness.checks import openssl, payload, private_key, verifies
from harness.scale import IS_FULL, scaled
from harness.service import ROOT
from harness.waiting import PATIENCE, wait_until

SOFTHSM = "/usr/lib/softhsm/libsofthsm2.so"
KEY = "HARDWARE12"
PIN = "2718-2818-pin"
WRONG_PIN = "not-the-pin"
# In s. What is promised of a token that goes, and of one that comes back.
NOTICED = 1
HEALED = 5
OTHER_APP = "com.example.news"


class Token:
    """A token of SoftHSM with one key, and a module before it that fails on demand."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "tokens").mkdir(parents=True)
        (folder / "softhsm2.conf").write_text(f"directories.tokendir = {folder}/tokens\nlog.level = ERROR\n")
        self.module = folder / "faulty_module.so"
        source = ROOT / "Tests/Acceptance/harness/faulty_module.c"
        compiler = shutil.which("clang") or shutil.which("cc")
        subprocess.run([compiler, "-shared", "-fPIC", "-Wall", "-Werror", "-o", self.module, source], check=True)
        self.environment = {
            "SOFTHSM2_CONF": f"{folder}/softhsm2.conf", "FAULTY_MODULE_TARGET": SOFTHSM, "FAULTY_MODULE_FOLDER": str(folder),
        }
        self._run("softhsm2-util", "--init-token", "--free", "--label", "Offer keys", "--pin", PIN, "--so-pin", "so-pin")
        self.tool("--login", "--pin", PIN, "--keypairgen", "--key-type", "EC:prime256v1", "--label", "offers", "--id", "a1")
        self.tool("--read-object", "--type", "pubkey", "--id", "a1", "-o", folder / "public.der")
        self.public_key = serialization.load_der_public_key((folder / "public.der").read_bytes())
        self.pin_file = folder / "pin"
        self.write_pin(PIN)

    def _run(self, *command):
        done = subprocess.run(
            list(map(str, command)), env={**os.environ, **self.environment}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def tool(self, *arguments):
        return self._run("pkcs11-tool", "--module", SOFTHSM, "--token-label", "Offer keys", *arguments)

    def uri(self, query=""):
        return f"pkcs11:token=Offer%20keys;object=offers;id=%A1;type=private?module-path={self.module}&pin-source=file:{self.pin_file}{query}"

    def write_pin(self, pin):
        new = self.folder / "pin.new"
        new.touch(mode=0o600)
        new.write_text(pin + "\n")
        new.rename(self.pin_file)

    def take_away(self):
        (self.folder / "tokens").rename(self.folder / "tokens.away")

    def put_back(self):
        (self.folder / "tokens.away").rename(self.folder / "tokens")

    def fail(self, fault):
        (self.folder / fault).touch()

    def heal(self, fault):
        (self.folder / fault).unlink()

    def refused_logins(self):
        return [line for line in (self.folder / "logins").read_text().split() if line == "0xa0"]

    def check_not_locked(self):
        assert "locked" not in self.tool("--list-slots").lower()
        assert "offers" in self.tool("--login", "--pin", PIN, "--list-objects", "--type", "privkey")


@pytest.fixture
def token(tmp_path):
    made = Token(tmp_path / "hsm")
    yield made
    shutil.rmtree(made.folder)


@pytest.fixture
def service(new_service, token):
    """The first app's key is in the token, the second one's in memory."""
    service = new_service(extra=f"apps: [{{bundleId: {OTHER_APP}, eligibility: advise}}]", environment=token.environment, start=False)
    keys = service.lay_out_keys()
    (keys / "keys.yaml").write_text(
        "keys:\n"
        f"  - id: {KEY}\n    uri: \"{token.uri()}\"\n    apps: [com.example.app]\n"
        f"  - id: EXAMPLE123\n    file: SubscriptionKey_EXAMPLE123.p8\n    apps: [{OTHER_APP}]\n"
    )
    service.start()
    assert service.bundle_id == "com.example.app" and service.key_id == KEY
    yield service
    check_no_pin(service)


def check_no_pin(service):
    assert PIN not in service.log_text() and WRONG_PIN not in service.log_text()


def check(service, token, result):
    """A result of the payload form is signed by the token's key."""
    assert result["keyIdentifier"] == KEY
    message = payload(
        service.bundle_id, KEY, result["productId"], result["offerId"], result["applicationUsername"], result["nonce"],
        result["timestamp"])
    assert verifies(token.public_key, base64.b64decode(result["signature"]), message)


def check_jws(token, text):
    """Returns the claims of a JWS that the token's key has signed."""
    message, _, signature = text.rpartition(".")
    header, claims, raw = (base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in text.split("."))
    assert len(raw) == 64 and json.loads(header) == {"alg": "ES256", "kid": KEY, "typ": "JWT"}
    der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    assert verifies(token.public_key, der, message.encode())
    return json.loads(claims)


def post(service, body=None):
    return service.client().post("/v1/signatures", body or service.offer_body())


def readiness(service):
    """(whether it is ready, what it says of the keys)."""
    answer = service.client().get("/readyz")
    [keys] = [each for each in answer.json()["checks"] if each["name"] == "keys"]
    assert (answer.status_code == 200) == answer.json()["ready"]
    return keys["ok"], keys["detail"]


def seconds_until(condition, promised):
    begin = time.monotonic()
    wait_until(condition, promised=promised)
    return time.monotonic() - begin


def check_away(service):
    """Not ready in time, and refused with the usual problem."""
    noticed = seconds_until(lambda: not readiness(service)[0], NOTICED)
    _, detail = readiness(service)
    assert KEY in detail and "token Offer keys" in detail
    answer = post(service)
    assert answer.status_code == 503 and answer.json()["code"] == "not-ready" and "retry-after" in answer.headers
    assert service.metric("offersigner_key_module_available", key=KEY) == 0
    return noticed


def check_back(service, token):
    healed = seconds_until(lambda: readiness(service)[0], HEALED)
    answer = post(service)
    assert answer.status_code == 200, answer.text
    check(service, token, answer.json()["results"][0])
    assert service.metric("offersigner_key_module_available", key=KEY) == 1
    return healed


class Load:
    """Asks for signatures of both apps until it is stopped, and keeps the answers."""

    def __init__(self, service):
        self.service, self.ends, self.answers, self.others = service, threading.Event(), [], []
        self.threads = [threading.Thread(target=self._run, args=each) for each in 2 * [(self._ask, self.answers)] + [(self._ask_other, self.others)]]

    def _run(self, ask, answers):
        client = self.service.client()
        while not self.ends.is_set():
            begin = time.monotonic()
            answers.append((ask(client), time.monotonic() - begin))

    def _ask(self, client):
        return client.post("/v1/signatures", self.service.offer_body())

    def _ask_other(self, client):
        # The gate is passed, the history looked up, the memory's key asked: all on the same event loops.
        return client.post("/v1/signatures", {"bundleId": OTHER_APP, "offers": self.service.other_offers})

    def wait_for_more(self, count, status):
        """Waits for so many more answers of this status about the token's key."""
        def found():
            return sum(answer.status_code == status for answer, _ in list(self.answers))

        wanted = found() + count
        wait_until(lambda: found() >= wanted)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        for thread in self.threads:
            thread.join()

    def check(self, token):
        """No wrong signature, and no other answer than 200 and 503. Returns how many there were of each, and the longest wait."""
        for answer, _ in self.answers:
            assert answer.status_code in (200, 503), answer.text
            if answer.status_code == 200:
                check(self.service, token, answer.json()["results"][0])
        assert {answer.status_code for answer, _ in self.others} == {200}
        codes = [answer.status_code for answer, _ in self.answers]
        return codes.count(200), codes.count(503), max(wait for _, wait in self.answers), max(wait for _, wait in self.others)


@pytest.fixture
def loaded(service):
    apps = json.loads(service.cli("check-config", "--json", environment=service.environment).stdout)["apps"]
    [other] = [app for app in apps if app["bundleId"] == OTHER_APP]
    service.other_offers = [{"productId": other["products"][0]["productId"], "offerId": other["products"][0]["offers"][0]}]
    return Load(service)


def test_a_token_signs_every_form(service, token):
    for answer in (post(service, service.offer_body(applicationUsername=name)) for name in ("", "Jane", "ÄÖ")):
        check(service, token, answer.json()["results"][0])
    many = {**service.offer_body(), "offers": 20 * service.offer_body()["offers"]}
    short = 0
    # One in some 250 has a short integer; without one among 6,000 there is something wrong.
    for _ in range(300):
        for result in service.client().sign(many):
            check(service, token, result)
            short += len(base64.b64decode(result["signature"])) < 70
        if short:
            break
    assert short > 0, "6,000 signatures without one short integer"
    [result] = service.client().sign(service.offer_body(form="jws", transactionId="2000000123456789"))
    assert check_jws(token, result["compactJWS"])["aud"] == "promotional-offer"
    answer = service.client("backend").post("/v1/introductory-offers/signatures", {
        "bundleId": service.bundle_id,
        "products": [{"productId": service.product, "transactionId": "2000000123456789", "allow": True}],
    })
    assert check_jws(token, answer.json()["results"][0]["compactJWS"])["aud"] == "introductory-offer-eligibility"
    [result] = service.client().sign(service.offer_body())
    names = ["productId", "offerId", "applicationUsername", "nonce", "keyIdentifier", "signature", "timestamp"]
    examined = service.client().post("/v1/verify", {"bundleId": service.bundle_id, **{name: result[name] for name in names}})
    assert examined.json()["valid"], examined.text


def test_a_key_of_apples_is_put_into_a_token_as_documented(new_service, token):
    manual = (ROOT / "docs/keys.md").read_text()
    commands, manifest = re.search("```sh\n(.*?)```.*?```yaml\n(.*?)```", manual, re.DOTALL).groups()
    key_file = token.folder / "SubscriptionKey_ABCDEFGHIJ.p8"
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key_file)
    public_key = private_key(key_file).public_key()
    subprocess.run(
        ["bash", "-e", "-c", commands.replace("--login", f"--login --pin {PIN}")], cwd=token.folder, check=True,
        env={**os.environ, **token.environment}, capture_output=True)
    assert not (token.folder / "private.der").exists()
    service = new_service(environment=token.environment, start=False)
    keys = service.lay_out_keys()
    (keys / "keys.yaml").write_text(manifest.replace("/etc/offersigner/pin", str(token.pin_file)))
    (keys / "SubscriptionKey_EXAMPLE123.p8").unlink()
    manifest = (keys / "keys.yaml").read_text()
    (keys / "keys.yaml").write_text(manifest.replace("[com.example.app]", f"[com.example.app, {OTHER_APP}]"))
    service.start()
    [result] = service.client().sign(service.offer_body())
    message = payload(
        service.bundle_id, "ABCDEFGHIJ", result["productId"], result["offerId"], result["applicationUsername"], result["nonce"],
        result["timestamp"])
    assert verifies(public_key, base64.b64decode(result["signature"]), message)
    check_no_pin(service)


def test_the_keys_are_listed_without_a_pin(service, token):
    fingerprint = subprocess.run(
        ["openssl", "dgst", "-sha256", token.folder / "public.der"], capture_output=True, text=True, check=True).stdout.split()[-1]
    before = (token.folder / "logins").read_text()
    token.pin_file.unlink()
    [line] = [line for line in service.cli("keys", "list", environment=token.environment).stdout.splitlines() if line.startswith(KEY)]
    assert line.endswith(fingerprint) and (token.folder / "logins").read_text() == before
    done = service.cli("check-config", environment=token.environment)
    assert done.returncode != 0 and "key-file-unreadable" in done.stderr


def test_checking_the_configuration_gives_no_pin(service, token):
    before = (token.folder / "logins").read_text()
    token.write_pin(WRONG_PIN)
    for _ in range(5):
        done = service.cli("check-config", environment=token.environment)
        assert done.returncode == 0 and "in a hardware module" in done.stdout, done.stderr
    assert (token.folder / "logins").read_text() == before


def messages_of_key(service):
    return [line["message"] for line in service.log() if line.get("key") == KEY]


def test_a_token_that_is_taken_away_is_noticed_and_comes_back_without_a_restart(service, token, loaded):
    figures, told = [], []

    def wait_to_be_told(message):
        told.append(message)
        wait_until(lambda: len(messages_of_key(service)) >= len(told))

    with loaded as load:
        for _ in range(scaled(3, 10)):
            load.wait_for_more(40, 200)
            token.take_away()
            noticed = check_away(service)
            wait_to_be_told("the hardware module signs nothing with a key")
            load.wait_for_more(20, 503)
            token.put_back()
            figures.append((round(noticed, 2), round(check_back(service, token), 2)))
            wait_to_be_told("the hardware module signs again")
    signed, refused, longest, other = load.check(token)
    print(f"noticed and healed after {figures} s; {signed} signed, {refused} refused, longest {longest:.2f} s, in memory {other:.2f} s")
    # Once an outage, whatever was asked meanwhile.
    time.sleep(0.5)
    assert messages_of_key(service) == told
    assert not token.refused_logins()


def test_a_wrong_pin_is_given_once_in_an_outage_and_the_right_one_heals_it(service, token):
    token.write_pin(WRONG_PIN)
    token.take_away()
    check_away(service)
    token.put_back()
    wait_until(token.refused_logins, promised=5)
    # For several tries to bring it back, which come at least once a second.
    time.sleep(2.2)
    check_away(service)
    assert len(token.refused_logins()) == 1
    token.check_not_locked()
    # An operator's word has it given once more, no oftener.
    os.kill(service.pid, signal.SIGHUP)
    wait_until(lambda: len(token.refused_logins()) == 2, promised=5)
    time.sleep(1.2)
    assert len(token.refused_logins()) == 2
    token.write_pin(PIN)
    print(f"healed {check_back(service, token):.2f} s after the right PIN")
    token.check_not_locked()


def test_a_service_that_starts_with_a_wrong_pin_gives_it_once_and_waits_for_the_right_one(service, token):
    service.stop()
    token.write_pin(WRONG_PIN)
    process = subprocess.Popen(
        service.command("serve"), env=service.environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: is_listening(service))
        check_away(service)
        time.sleep(1.2)
        assert len(token.refused_logins()) == 1
        token.write_pin(PIN)
        check_back(service, token)
    finally:
        process.terminate()
        assert process.wait(PATIENCE) == 0
    token.check_not_locked()


def is_listening(service):
    try:
        return service.client().get("/livez").status_code == 200
    except httpx.HTTPError:
        return False


def test_signatures_that_do_not_verify_never_leave(service, token, loaded):
    with loaded as load:
        load.wait_for_more(20, 200)
        token.fail("wrong")
        check_away(service)
        load.wait_for_more(5, 503)
        token.heal("wrong")
        check_back(service, token)
    load.check(token)


def test_sessions_that_are_none_any_more_are_replaced(service, token):
    token.fail("closed")
    # Longer than from one look at the sessions to the next.
    time.sleep(1)
    token.heal("closed")
    check_back(service, token)


def test_a_module_that_does_not_return_delays_no_other_request(service, token, loaded):
    with loaded as load:
        load.wait_for_more(20, 200)
        token.fail("hang")
        noticed = seconds_until(lambda: not readiness(service)[0], NOTICED)
        # Those that wait in the module, and those that come later, are answered although it still does not return.
        wait_until(lambda: any(answer.status_code == 503 and wait > 4 for answer, wait in list(load.answers)))
        # The keys in memory sign all the while.
        others = len(load.others)
        wait_until(lambda: len(load.others) > others + 50)
        load.wait_for_more(5, 503)
        assert post(service).status_code == 503
        token.heal("hang")
        healed = check_back(service, token)
    _, _, longest, other = load.check(token)
    print(f"noticed after {noticed:.2f} s, healed after {healed:.2f} s, longest wait {longest:.2f} s, in memory {other:.2f} s")
    if IS_FULL:
        assert longest < 6 and other < 1


@pytest.mark.parametrize(("change", "complaint"), [
    (lambda uri: uri + "&pin-value=1234", "pin-value: a PIN does not belong into a manifest"),
    (lambda uri: uri.replace("object=offers", "object=none"), "key-not-in-token"),
    (lambda uri: uri.replace("token=Offer", "token=No"), "key-token-missing"),
    (lambda uri: uri.replace("faulty_module.so", "pin"), "key-module-unusable"),
    (lambda uri: uri.replace("id=", "slot-id="), "slot-id: a slot's number changes; use token or serial"),
])
def test_a_uri_that_leads_to_no_key_is_reported_with_a_remedy(service, token, change, complaint):
    manifest = service.folder / "keys/keys.yaml"
    manifest.write_text(manifest.read_text().replace(token.uri(), change(token.uri())))
    done = service.cli("check-config", environment=token.environment)
    assert done.returncode != 0 and complaint in done.stderr, done.stderr
    assert "1234" not in done.stderr


def test_the_pin_file_is_checked_like_a_key_file(service, token):
    token.pin_file.chmod(0o644)
    done = service.cli("check-config", environment=token.environment)
    assert done.returncode != 0 and "chmod 600" in done.stderr, done.stderr
