"""The command line: help, sign and verify, bucket, the configuration."""
import base64
import contextlib
import json
import re
import sqlite3
import uuid

import pytest
from joserfc import jws
from joserfc.jwk import ECKey

from harness import checks
from harness.checks import openssl
from harness.service import EXAMPLE, ROOT, copy_example_keys, run

COMMANDS = [
    [], ["init"], ["serve"], ["sign"], ["verify"], ["check-config"], ["keys"], ["keys", "check"], ["access"], ["access", "create"],
    ["access", "list"], ["access", "revoke"], ["history"], ["history", "import"], ["history", "show"], ["eligibility"], ["bucket"],
    ["campaigns"], ["campaigns", "validate"], ["campaigns", "simulate"], ["campaigns", "diff"],
]


@pytest.fixture
def key_file(tmp_path):
    file = tmp_path / "SubscriptionKey_EXAMPLE123.p8"
    file.write_bytes((ROOT / "keys.example" / file.name).read_bytes())
    file.chmod(0o600)
    return file


def overlay(tmp_path, text, name="overlay.yaml"):
    """Options that lay this over the example configuration, with a store of the test's own."""
    keys = tmp_path / "keys"
    if not keys.exists():
        copy_example_keys(keys)
    base = tmp_path / "base.yaml"
    base.write_text(f"store: {{sqlite: {tmp_path}/store.sqlite}}\nkeys: {{directory: {keys}}}\n")
    file = tmp_path / name
    file.write_text(text)
    return ["--config", EXAMPLE, "--config", base, "--config", file]


# Help


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command) or "offersigner")
def test_every_command_explains_itself(command):
    done = run(*command, "--help")
    assert done.returncode == 0 and done.stderr == ""
    assert "OVERVIEW: " in done.stdout and f"USAGE: {' '.join(['offersigner', *command])}" in done.stdout
    # Every option has an explanation, on its own line or on the next.
    lines = done.stdout.splitlines() + [""]
    for line, following in zip(lines, lines[1:]):
        if line.startswith("  -"):
            assert re.search(r"\S +[A-Z]\S* \S", line) or following.startswith(" " * 20), f"{line} is not explained"


def test_what_nothing_uses_yet_is_not_offered():
    assert "bucket" not in run("--help").stdout


def test_the_version_is_shown():
    done = run("--version")
    assert done.returncode == 0 and re.fullmatch(r"\d+\.\d+\.\d+\S*\n", done.stdout)


@pytest.mark.parametrize("arguments", [["nonsense"], ["sign"], ["verify"], ["keys", "check"], ["bucket"], ["serve", "--nonsense"], ["bucket", "a", "b"]])
def test_a_mistaken_command_fails_and_shows_the_usage(arguments):
    done = run(*arguments)
    assert done.returncode != 0 and done.stdout == "" and "Usage: offersigner" in done.stderr


def test_what_cannot_be_done_as_things_are_is_no_mistaken_command(tmp_path):
    options = overlay(tmp_path, "{}")
    assert run("store", "create", *options).returncode == 0
    for arguments in [
        ["store", "create"], ["audit", "head"], ["access", "revoke", "nothing"], ["keys", "revoke", "NOTHING123"], ["clock", "repair"],
        ["access", "create", "--role", "client", "--app", "com.example.none"],
    ]:
        done = run(*arguments[:2], *options, *arguments[2:])
        assert done.returncode == 1 and done.stdout == "", (arguments, done)
        assert done.stderr.startswith("Error: ") and "Usage" not in done.stderr, (arguments, done.stderr)


@pytest.mark.parametrize(("text", "key", "line"), [
    ("http:\n  host: 0.0.0.0\nenvironment: production\n", "http.host", 2),
    ("apps:\n- bundleId: com.example.other\n  eligibility: enforce\n  subscriptionGroups: []\n  # a comment\n  issuer: x\n", "apps[2].issuer", 6),
    ("appStore:\n  roots: [nothing.pem]\n", "appStore.roots", 2),
    ("metrics:\n\n  port: 8080\n", "metrics.port", 3),
    ("keys: {id: EXAMPLE123}\n", "keys", 1),
])
def test_faults_of_a_configuration_are_reported_with_file_and_line(tmp_path, text, key, line):
    options = overlay(tmp_path, text)
    done = run("check-config", *options)
    assert done.returncode == 1
    told = [each for each in done.stderr.splitlines() if f"configuration: {key}: " in each]
    assert told and all(each.endswith(f"({options[-1]}, line {line})") for each in told), done.stderr


# Bucket


@pytest.mark.parametrize(
    ("key", "number"), [("ejOoVL", 0), ("bY9fO-", 1), ("SI7p-", 2147483647), ("6LvT0", 2147483648), ("ceQdGm", 4294967295)]
)
def test_bucket_has_the_known_hash_values(key, number):
    done = run("bucket", key)
    assert done.stdout == f"hash={number} bucket={(number * 10_000) >> 32}\n" and done.returncode == 0


def murmur3(data):
    """MurmurHash3 x86 32-bit with seed 0, written from its description."""
    hashed = 0
    rotated = lambda value, by: (value << by | value >> (32 - by)) & 0xFFFFFFFF  # noqa: E731
    tail = len(data) // 4 * 4
    for start in range(0, len(data), 4):
        word = int.from_bytes(data[start : start + 4], "little") * 0xCC9E2D51 & 0xFFFFFFFF
        hashed ^= rotated(word, 15) * 0x1B873593 & 0xFFFFFFFF
        if start < tail:
            hashed = rotated(hashed, 13) * 5 + 0xE6546B64 & 0xFFFFFFFF
    hashed ^= len(data)
    for shift, factor in [(16, 0x85EBCA6B), (13, 0xC2B2AE35)]:
        hashed = (hashed ^ hashed >> shift) * factor & 0xFFFFFFFF
    return hashed ^ hashed >> 16


@pytest.mark.parametrize("key", ["", "a", "ab", "abc", "abcd", "summer:variant:u-123", "日本語", "😀", "e\u0301", "\u00e9", "x" * 1000])
def test_bucket_hashes_the_utf8_of_any_text(key):
    number = murmur3(key.encode())
    assert run("bucket", "--", key).stdout == f"hash={number} bucket={(number * 10_000) >> 32}\n"


# Sign and verify


def sign(key_file, *more):
    return run("sign", "--key", key_file, "--bundle-id", "com.example.app", "--product-id", "p", "--offer-id", "o", *more)


@pytest.mark.parametrize("username", ["", "jane", "Jane Doe", "日本", "😀" * 255, "7E3FB20B-4CDB-47CC-936D-99D65F608138"])
def test_what_sign_signs_verify_accepts_and_cryptography_too(key_file, username):
    [result] = json.loads(sign(key_file, "--application-username", username).stdout)["results"]
    assert result["applicationUsername"] == checks.field5(username)
    message = checks.payload("com.example.app", "EXAMPLE123", "p", "o", result["applicationUsername"], result["nonce"], result["timestamp"])
    assert checks.verifies(checks.private_key(key_file).public_key(), base64.b64decode(result["signature"]), message)
    fields = ["--key", key_file, "--bundle-id", "com.example.app", "--product-id", "p", "--offer-id", "o", "--nonce", result["nonce"],
              "--application-username", result["applicationUsername"], "--timestamp", str(result["timestamp"])]
    done = run("verify", *fields, "--signature", result["signature"])
    assert (done.returncode, done.stdout) == (0, "valid\n"), done.stderr
    fields[fields.index("o")] = "other"
    done = run("verify", *fields, "--signature", result["signature"])
    assert done.returncode != 0 and done.stdout.startswith("not-ours: ")


def test_sign_takes_a_nonce_and_a_timestamp(key_file):
    nonce = str(uuid.uuid4())
    [result] = json.loads(sign(key_file, "--nonce", nonce.upper(), "--timestamp", "1698148900000").stdout)["results"]
    assert (result["nonce"], result["timestamp"]) == (nonce, 1698148900000)


def test_sign_makes_a_jws(key_file):
    done = sign(key_file, "--form", "jws", "--issuer-id", "me", "--transaction-id", "7", "--timestamp", "1698148900999")
    [result] = json.loads(done.stdout)["results"]
    found = jws.deserialize_compact(result["compactJWS"], ECKey.import_key(key_file.read_bytes()), algorithms=["ES256"])
    assert json.loads(found.payload) == {
        "iss": "me", "iat": 1698148900, "aud": "promotional-offer", "bid": "com.example.app", "nonce": result["nonce"],
        "productId": "p", "offerIdentifier": "o", "transactionId": "7",
    }


@pytest.mark.parametrize(
    "more",
    [["--form", "jws"], ["--form", "xml"], ["--nonce", "x"], ["--timestamp", "now"], ["--product-id", ""], ["--offer-id", "a\u2063b"],
     ["--application-username", "a\u2063b"], ["--key-id", "OTHER67890"], ["--form", "jws", "--issuer-id", ""],
     ["--form", "jws", "--issuer-id", "me", "--transaction-id", ""], ["--form", "jws", "--issuer-id", "me", "--transaction-id", "a b"]],
    ids=["jws without issuer", "unknown form", "nonce", "timestamp", "empty product", "separator in offer", "separator in username", "key id",
         "empty issuer", "empty transaction", "transaction with a space"],
)
def test_sign_refuses_what_cannot_be_signed(key_file, more):
    done = sign(key_file, *more)
    assert done.returncode != 0 and done.stdout == "" and done.stderr


EXTREMES = ["-1", "0", str(2**53), str(2**63 - 1), str(-(2**63))]


@pytest.mark.parametrize("timestamp", EXTREMES)
def test_an_extreme_timestamp_does_not_crash_sign(key_file, timestamp):
    done = sign(key_file, f"--timestamp={timestamp}")
    assert done.returncode >= 0, f"killed by signal {-done.returncode}"


@pytest.mark.parametrize("timestamp", EXTREMES)
def test_an_extreme_timestamp_does_not_crash_verify(key_file, timestamp):
    fields = ["--key", key_file, "--bundle-id", "a", "--product-id", "p", "--offer-id", "o", "--nonce", str(uuid.uuid4())]
    done = run("verify", *fields, f"--timestamp={timestamp}", "--signature", checks.sign(checks.private_key(key_file), b"x"))
    assert done.returncode >= 0, f"killed by signal {-done.returncode}"
    assert done.returncode != 0


# Configuration


def test_check_config_accepts_the_example_and_touches_every_key(tmp_path):
    done = run("check-config", *overlay(tmp_path, ""))
    assert done.returncode == 0 and done.stdout.endswith("ok\n"), done.stderr
    for word in ["com.example.app", "com.example.news", "EXAMPLE123", "store.sqlite"]:
        assert word in done.stdout


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("htttp: {port: 1}", "htttp"),
        ("http: {prot: 1}", "http.prot"),
        ("limits: {requestPerSecond: 1}", "limits.requestPerSecond"),
        ("apps: [{bundleId: com.example.app, bundleID: x}]", "bundleID"),
        ("apps: [{bundleId: com.example.app, subscriptionGroups: [{id: '1', product: []}]}]", "product"),
        ("apps: [{bundleId: com.example.app, subscriptionGroups: [{id: '1', products: [{id: p, period: P1M, promotionalOffers: [{id: o, kind: free-trial, period: P1M, price: 1}]}]}]}]", "price"),
        ("store: {postgres: x}", "store.postgres"),
        ("http: {port: 70000}", "http.port"),
        ("http: {port: eighty}", "http.port"),
        ("http: 8080", "http"),
        ("limits: {burst: 0}", "limits.burst"),
        ("ledger: {retentionHours: 24}", "ledger.retentionHours"),
        ("environment: staging", "environment"),
        ("apps: {}", "apps"),
        ("apps: [{issuerId: x}]", "bundleId"),
        ("apps: [{bundleId: com.example.app, subscriptionGroups: [{id: '1', products: [{id: p, period: monthly}]}]}]", "period"),
        ("apps: [{bundleId: com.example.app, subscriptionGroups: [{id: '1', products: [{id: p, period: P1M, promotionalOffers: [{id: o, kind: gift, period: P1M}]}]}]}]", "kind"),
        ("a: [", "overlay.yaml"),
        ("- x", "overlay.yaml"),
    ],
    ids=lambda value: value[:40],
)
def test_a_configuration_with_a_mistake_is_refused_and_the_key_named(tmp_path, text, name):
    for command in ("check-config", "serve"):
        done = run(command, *overlay(tmp_path, text))
        assert done.returncode != 0 and name in done.stderr, done.stderr


def test_every_mistake_of_a_configuration_is_named_at_once(tmp_path):
    done = run("check-config", *overlay(tmp_path, "http: {prot: 1}\nlimits: {burst: 0}\nnonsense: 1\n"))
    assert all(name in done.stderr for name in ["http.prot", "limits.burst", "nonsense"])


def test_later_files_win_and_lists_of_apps_merge_by_bundle_id(tmp_path):
    more = "apps:\n  - {bundleId: com.example.app, issuerId: another}\n  - {bundleId: com.example.third, subscriptionGroups: []}\n"
    options = overlay(tmp_path, more)
    done = run("check-config", "--json", *options)
    apps = {app["bundleId"]: app for app in json.loads(done.stdout)["apps"]}
    assert apps.keys() == {"com.example.app", "com.example.news", "com.example.third"}, done.stderr
    assert apps["com.example.app"]["issuerId"] == "another"
    assert len(apps["com.example.app"]["products"]) == 3


def test_an_app_without_an_active_key_is_found(tmp_path):
    options = overlay(tmp_path, "apps: [{bundleId: com.example.third, subscriptionGroups: []}]")
    assert run("check-config", *options).returncode == 0, "a key serves every app unless its apps are named"
    (tmp_path / "keys/keys.yaml").write_text(
        "keys: [{id: EXAMPLE123, file: SubscriptionKey_EXAMPLE123.p8, apps: [com.example.app, com.example.news]}]\n")
    done = run("check-config", *options)
    assert done.returncode != 0 and "com.example.third" in done.stderr


def test_environment_variables_win_over_files(tmp_path):
    options = overlay(tmp_path, "http: {port: 1}\n")
    for name in ["OFFERSIGNER_HTTP_PORT", "OFFERSIGNER_LIMITS_BURST", "OFFERSIGNER_ENVIRONMENT"]:
        done = run("check-config", *options, environment={name: "nonsense"})
        assert done.returncode != 0 and "nonsense" not in done.stdout, name
    elsewhere = tmp_path / "elsewhere.sqlite"
    done = run("check-config", *options, environment={"OFFERSIGNER_STORE_SQLITE": str(elsewhere)})
    assert done.returncode == 0 and str(elsewhere) in done.stdout and elsewhere.exists()


def test_an_environment_variable_reaches_the_running_service(new_service):
    service = new_service(environment={"OFFERSIGNER_LIMITS_BURST": "7", "OFFERSIGNER_LIMITS_REQUESTS_PER_SECOND": "5"})
    answer = service.client().post("/v1/nonces", {"bundleId": service.bundle_id})
    assert '"default";q=7;' in answer.headers["ratelimit-policy"]


def test_an_unknown_environment_variable_is_an_error_and_others_are_none_of_its_business(tmp_path):
    options = overlay(tmp_path, "")
    done = run("check-config", *options, environment={"OFFERSIGNER_HTTP_PROT": "1"})
    assert done.returncode != 0 and "OFFERSIGNER_HTTP_PROT" in done.stderr
    assert run("check-config", *options, environment={"OTHER_HTTP_PROT": "1"}).returncode == 0


def test_a_missing_configuration_file_is_an_error(tmp_path):
    done = run("check-config", "--config", tmp_path / "none.yaml")
    assert done.returncode != 0 and "none.yaml" in done.stderr


def test_production_refuses_plain_http_on_a_public_address(tmp_path, key_file):
    keys = tmp_path / "own"
    keys.mkdir(mode=0o700)
    checks.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", keys / "SubscriptionKey_OWN4567890.p8")
    (keys / "SubscriptionKey_OWN4567890.p8").chmod(0o600)
    production = f"environment: production\nkeys: {{directory: {keys}}}\n"
    assert run("store", "create", *overlay(tmp_path, production)).returncode == 0
    for host, works in [("127.0.0.1", True), ("localhost", True), ("0.0.0.0", False), ("192.0.2.1", False), ('"::"', False)]:
        done = run("check-config", *overlay(tmp_path, f"{production}http: {{host: {host}}}\n"))
        assert (done.returncode == 0) == works, (host, done.stderr)
    assert run("check-config", *overlay(tmp_path, f"{production}http: {{host: 0.0.0.0, tlsEndsInProxy: true}}\n")).returncode == 0


def test_a_mistyped_store_is_an_error_in_production_and_said_to_be_new_elsewhere(tmp_path):
    keys = tmp_path / "own"
    keys.mkdir(mode=0o700)
    checks.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", keys / "SubscriptionKey_OWN4567890.p8")
    (keys / "SubscriptionKey_OWN4567890.p8").chmod(0o600)
    options = overlay(tmp_path, f"environment: production\nkeys: {{directory: {keys}}}\n")
    for command in [["check-config"], ["serve"], ["access", "create", "--role", "client"], ["keys", "list"], ["audit", "verify"]]:
        done = run(*command, *options)
        assert done.returncode != 0 and f"{tmp_path}/store.sqlite does not exist" in done.stderr, command
        assert "offersigner store create" in done.stderr
    assert not list(tmp_path.glob("store*.sqlite"))
    assert run("store", "create", *options).stdout.splitlines() == [f"made {tmp_path}/{name}" for name in ("store.sqlite", "store-histories.sqlite")]
    assert run("check-config", *options).returncode == 0
    again = run("store", "create", *options)
    assert again.returncode != 0 and "there already" in again.stderr
    # A lost file of purchases is no empty one.
    (tmp_path / "store-histories.sqlite").unlink()
    done = run("check-config", *options)
    assert done.returncode != 0 and "store-histories.sqlite does not exist" in done.stderr
    # With the log that a command which failed may leave beside it.
    for file in tmp_path.glob("store.sqlite*"):
        file.unlink()
    elsewhere = run("check-config", *overlay(tmp_path, ""))
    assert elsewhere.returncode == 0 and f"{tmp_path}/store.sqlite: new" in elsewhere.stdout
    assert f"{tmp_path}/store.sqlite: writable" in run("check-config", *overlay(tmp_path, "")).stdout


def test_no_command_shows_a_secret_of_the_configuration(tmp_path):
    secrets = "keys: {passphrase: hush-hush}\napps: [{bundleId: com.example.app, sharedSecret: top-secret}]\n"
    faults = ["", "nonsense: 1\n", "keys: {}\n", "x: {a: hush-hush, a: top-secret}\n", "x: {y: \"hush-hush}\n", "x: [hush-hush, @top-secret]\n"]
    for text in [secrets + fault for fault in faults]:
        done = run("check-config", *overlay(tmp_path, text))
        assert "hush-hush" not in done.stdout + done.stderr and "top-secret" not in done.stdout + done.stderr


@pytest.mark.parametrize("command", ["check-config", "serve"])
@pytest.mark.parametrize(
    ("content", "told"),
    [(b"no certificate", "root certificate file 1"), (b"", "root certificate file 1"),
     (b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "root certificate file 1")],
    ids=["text", "empty", "damaged"],
)
def test_a_root_that_is_not_a_certificate_is_reported_before_anything_is_served(tmp_path, command, content, told):
    root = tmp_path / "root.pem"
    root.write_bytes(content)
    done = run(command, *overlay(tmp_path, f"http: {{port: 0}}\nappStore: {{roots: [{root}]}}\n"))
    assert done.returncode not in (0, -4, -5, -6) and "appStore.roots" in done.stderr and told in done.stderr


def test_production_asks_the_app_store_over_https_only(tmp_path):
    text = "environment: production\nhttp: {tlsEndsInProxy: true}\nappStore: {serverAPI: {production: 'http://127.0.0.1:1'}}\n"
    done = run("check-config", *overlay(tmp_path, text))
    assert done.returncode != 0 and "appStore.serverAPI.production" in done.stderr


def test_a_store_that_is_no_database_or_cannot_be_made_is_found(tmp_path):
    (tmp_path / "garbage.sqlite").write_bytes(b"garbage" * 1000)
    for path, named in [(tmp_path / "garbage.sqlite", "garbage.sqlite"), ("/proc/none/store.sqlite", "/proc/none"), (tmp_path, str(tmp_path))]:
        done = run("check-config", *overlay(tmp_path, f"store: {{sqlite: {path}}}\n"))
        assert done.returncode != 0 and named in done.stderr, done.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: 1\nb: {c: 1, c: 2}\n", "overlay.yaml is not YAML: line 2: twice in one map: c"),
        ("a: 1\nb: [\n", "overlay.yaml is not YAML: line 3, column 1"),
        ("apps: [{bundleId: a}, {bundleId: b, subscriptiongroups: []}]", "].subscriptiongroups: no such key; do you mean subscriptionGroups?"),
        ("limits: {requestPerSecond: 1}", "do you mean requestsPerSecond?"),
        ("keys: {passphraseFile: /none.txt}", "keys.passphraseFile: /none.txt cannot be read: No such file"),
        ("keys: {directory: /none}", "keys.directory: /none: No such file"),
        ("http: {port: 7001}\nmetrics: {port: 7001}", "metrics.port: 7001 is http.port, too"),
        ("http: {tls: {certificate: /none.pem, privateKey: /none.pem}}", "http.tls.certificate: /none.pem cannot be read: No such file"),
    ],
    ids=lambda value: value[:30],
)
def test_faults_are_reported_with_their_place_and_a_remedy(tmp_path, text, told):
    done = run("check-config", *overlay(tmp_path, text))
    assert done.returncode != 0 and told in done.stderr, done.stderr


def test_a_folder_without_configuration_is_named(tmp_path):
    for command in [["check-config"], ["serve"], ["access", "create"]]:
        done = run(*command, cwd=tmp_path)
        assert done.returncode != 0 and f"no offersigner.yaml in {tmp_path}" in done.stderr
    assert not (tmp_path / "var").exists()


def test_a_key_file_that_the_manifest_does_not_list_is_staged_or_said_to_be_unusable(tmp_path):
    options = overlay(tmp_path, "")
    assert "warning" not in run("check-config", *options).stdout
    file = tmp_path / "keys/SubscriptionKey_NEWKEY6789.p8"
    file.write_bytes((tmp_path / "keys/SubscriptionKey_EXAMPLE123.p8").read_bytes())
    file.chmod(0o600)
    done = run("check-config", *options)
    assert done.returncode == 0 and "EXAMPLE123 and NEWKEY6789 are the same key" in done.stdout
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file)
    assert "key NEWKEY6789: staged, every app" in run("check-config", *options).stdout


def test_check_config_says_who_is_only_advised_and_whose_issuer_id_is_none(tmp_path):
    text = "apps: [{bundleId: com.example.own, issuerId: me, eligibility: enforce}]\n"
    lines = run("check-config", *overlay(tmp_path, text)).stdout.splitlines()
    [own] = [line for line in lines if line.startswith("app com.example.own:")]
    [example] = [line for line in lines if line.startswith("app com.example.app:")]
    assert own.endswith("eligibility enforced") and "only advised" in example
    assert [line for line in lines if "issuerId is not a UUID" in line and "com.example.own" in line]


def test_check_config_finds_a_clock_behind_the_ledger(new_service):
    service = new_service()
    service.client().sign(service.offer_body())
    service.stop()
    with contextlib.closing(sqlite3.connect(service.store)) as store, store:
        store.execute("UPDATE signed_request SET signed_at = signed_at + 3600000")
    done = service.cli("check-config")
    assert done.returncode != 0 and "clock: the clock is 3" in done.stderr


def test_a_port_in_use_is_reported_with_its_key(instance, tmp_path):
    for text, key in [
        (f"http: {{port: {instance.port}}}", "http.host, http.port"),
        (f"http: {{port: 0}}\nmetrics: {{port: {instance.port}}}", "metrics.host, metrics.port"),
    ]:
        done = run("serve", *overlay(tmp_path, text))
        told = f"configuration: {key}: cannot listen on 127.0.0.1:{instance.port}: Address already in use"
        assert done.returncode != 0 and told in done.stderr, done.stderr


def test_a_store_that_all_users_could_read_is_its_owners_again(tmp_path):
    options = overlay(tmp_path, "")
    store = tmp_path / "store.sqlite"
    assert run("check-config", *options).returncode == 0
    store.chmod(0o644)
    assert run("check-config", *options).returncode == 0
    assert store.stat().st_mode & 0o777 == 0o600


def test_an_import_of_a_file_that_is_not_there_says_so(tmp_path):
    done = run("history", "import", "--app", "com.example.app", tmp_path / "none.jsonl", *overlay(tmp_path, ""))
    assert done.returncode != 0 and done.stderr.strip() == f"Error: {tmp_path}/none.jsonl: No such file or directory"


def test_a_missing_key_file_or_a_folder_is_reported(tmp_path):
    done = run("keys", "check", tmp_path / "none.p8", tmp_path)
    assert done.returncode != 0
    assert f"{tmp_path}/none.p8: No such file" in done.stdout and f"{tmp_path}: not a regular file" in done.stdout


def test_the_reference_names_every_key_with_its_type_and_default():
    lines = run("check-config", "--reference").stdout.splitlines()
    assert lines[0].count("|") == 6 and len(lines) > 30
    for key in ["http.port", "store.sqlite", "limits.burst", "apps[].bundleId", "keys.passphrase"]:
        assert any(line.startswith(f"| `{key}` |") for line in lines), key
