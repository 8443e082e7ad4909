"""Signing keys change while requests go on: none fails, and each is signed with the key that it names."""
import base64
import re
import shutil
import sqlite3
import subprocess
import threading
import time

import pytest

from harness.checks import openssl, payload, private_key, verifies
from harness.service import run
from harness.waiting import wait_until
from test_console import form_token, signed_in

OLD = "EXAMPLE123"
OTHER = "com.example.news"
# In s. Until a decision, or a file that comes or goes, counts in the service.
AT_ONCE = 1


def make_key(service, key_id, folder=None):
    """Puts a new key into the service's folder, or another one, the way a secret is put there: by renaming. Returns its file."""
    file = (folder or service.folder / "keys") / f"SubscriptionKey_{key_id}.p8"
    hidden = file.with_suffix(".new")
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", hidden)
    hidden.chmod(0o600)
    hidden.rename(file)
    return file


def keys(service, *arguments):
    done = service.cli("keys", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def state(service, key_id, app=None):
    """The state of a key in an app, as `keys list` says it."""
    [line] = [
        line.split() for line in keys(service, "list").splitlines()
        if line.startswith(key_id) and line.split()[1] == (app or service.bundle_id)
    ]
    return line[2]


def signing_key(service):
    return service.client().sign(service.offer_body())[0]["keyIdentifier"]


class Load(threading.Thread):
    """Asks for signatures until it is stopped, and keeps the answers."""

    def __init__(self, service):
        super().__init__()
        self.service, self.client, self.ends = service, service.client(), threading.Event()
        self.answers = []

    def run(self):
        while not self.ends.is_set():
            begin = time.monotonic()
            answer = self.client.post("/v1/signatures", self.service.offer_body())
            self.answers.append((begin, answer))

    def wait_for_more(self, count=100):
        wanted = len(self.answers) + count
        wait_until(lambda: len(self.answers) >= wanted)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.join()

    def check(self, files):
        """Every request was answered, and the key that it names has signed it. Returns (instant when it was sent, key id) of each."""
        public = {key_id: private_key(file).public_key() for key_id, file in files.items()}
        found = []
        for instant, answer in self.answers:
            assert answer.status_code == 200, answer.text
            [result] = answer.json()["results"]
            message = payload(
                self.service.bundle_id, result["keyIdentifier"], result["productId"], result["offerId"],
                result["applicationUsername"], result["nonce"], result["timestamp"],
            )
            assert verifies(public[result["keyIdentifier"]], base64.b64decode(result["signature"]), message)
            found.append((instant, result["keyIdentifier"]))
        return found


def test_keys_rotate_under_load_and_no_request_fails(new_service):
    service = new_service()
    files = {OLD: service.folder / "keys" / f"SubscriptionKey_{OLD}.p8"}
    switched, previous = [], OLD
    with Load(service) as load:
        for number in range(5):
            key_id = f"ROTATED{number:03}"
            files[key_id] = make_key(service, key_id)
            # A file that is no key changes nothing.
            (service.folder / "keys" / "SubscriptionKey_BROKEN0000.p8").write_text(f"no key {number}\n")
            begin = time.monotonic()
            keys(service, "activate", key_id, "--reason", "a test")
            # Before the service has looked: what the old key signs is not recorded, and the new one signs instead.
            keys(service, "revoke", previous)
            previous = key_id
            wait_until(lambda: signing_key(service) == key_id, promised=AT_ONCE)
            switched.append((begin, time.monotonic(), key_id))
            load.wait_for_more()
    found = load.check(files)
    # Once one signature has the new key no other one has the old key any more.
    for (_, instant, key_id), (end, _, _) in zip(switched, switched[1:] + [(float("inf"), 0, "")]):
        used = [used for at, used in found if instant < at < end]
        assert set(used) == {key_id} and len(used) > 90
    assert state(service, OLD) == "revoked" and state(service, "ROTATED004") == "active"
    # The choice outlives a restart, whatever comes first by name or stands in the manifest.
    service.stop()
    service.start()
    assert signing_key(service) == "ROTATED004"


def stage(service, tmp_path, by, key_id):
    """Makes a key and stages it on the command line, over HTTP or at the console."""
    file = tmp_path / f"SubscriptionKey_{key_id}.p8"
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file)
    if by == "command line":
        return keys(service, "stage", str(file))
    if by == "console":
        return at_console(service, "", files={"file": (file.name, file.read_bytes())})
    answer = service.client("security").post("/v1/admin/keys", {"keyId": key_id, "pem": file.read_text()})
    assert answer.status_code == 201, answer.text


def at_console(service, path, fields={}, files=None):
    visitor, _ = signed_in(service, service.tokens["security"])
    answer = visitor.post(f"/console/keys{path}", data={**fields, "formToken": form_token(visitor)}, files=files)
    assert answer.status_code == 303 and "done=" in answer.headers["location"], answer.text


def decide(service, by, action, key_id):
    if by == "command line":
        return keys(service, action, key_id)
    if by == "console":
        for app in (service.bundle_id, OTHER):
            at_console(service, f"/{key_id}/{action}", {"app": app, "reason": "a test", "typed": key_id, "next": ""})
        return
    answer = service.client("security").post(f"/v1/admin/keys/{key_id}/{action}", {"reason": "a test"})
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("by", ["command line", "HTTP", "console"])
def test_the_manual_s_rotation_goes_on_after_its_last_step(new_service, tmp_path, by):
    service = new_service()
    assert OLD in (service.folder / "keys/keys.yaml").read_text()
    stage(service, tmp_path, by, "SECOND1234")
    decide(service, by, "activate", "SECOND1234")
    decide(service, by, "revoke", OLD)
    # The manifest still names it.
    (service.folder / "keys" / f"SubscriptionKey_{OLD}.p8").unlink()
    for restarts in (False, True):
        if restarts:
            service.stop()
            service.start()
        wait_until(lambda: signing_key(service) == "SECOND1234", promised=AT_ONCE)
        checked = service.cli("check-config")
        assert checked.returncode == 0 and "not used" not in checked.stdout, checked.stdout + checked.stderr
        assert state(service, "SECOND1234") == "active"
        assert service.client().get("/readyz").status_code == 200
        assert service.metric("offersigner_key_file_faults") == 0
    stage(service, tmp_path, by, "THIRD12345")
    decide(service, by, "activate", "THIRD12345")
    wait_until(lambda: signing_key(service) == "THIRD12345", promised=AT_ONCE)
    staged = service.client("security").get("/v1/admin/audit?action=key.stage").json()["items"]
    assert [event["subject"] for event in staged] == ["THIRD12345", "SECOND1234"]


def test_a_signing_key_that_is_gone_is_an_error_in_its_own_app_only(new_service):
    service = new_service()
    file = make_key(service, "OWNKEY1234")
    keys(service, "activate", "OWNKEY1234", "--app", service.bundle_id)
    wait_until(lambda: signing_key(service) == "OWNKEY1234", promised=AT_ONCE)
    file.unlink()
    wait_until(lambda: service.metric("offersigner_key_file_faults") == 1, promised=AT_ONCE)
    # The service still has it.
    assert signing_key(service) == "OWNKEY1234"
    make_key(service, "OTHERKEY12")
    keys(service, "activate", "OTHERKEY12", "--app", OTHER)
    wait_until(lambda: state(service, "OTHERKEY12", OTHER) == "active", promised=AT_ONCE)
    assert signing_key(service) == "OWNKEY1234"
    service.stop()
    # It is ready, and then check-config fails.
    with pytest.raises(Exception, match=f"no active key for {service.bundle_id}"):
        service.start()
    news = {"bundleId": OTHER, "offers": [{"productId": f"{OTHER}.monthly", "offerId": "comeback"}]}
    assert service.client().sign(news)[0]["code"] == "customer-not-named"
    assert state(service, "OTHERKEY12", OTHER) == "active"
    assert f"no active key for {service.bundle_id}" in service.client().get("/readyz").text
    checked = service.cli("check-config")
    assert checked.returncode != 0 and "OWNKEY1234" in checked.stdout + checked.stderr
    assert service.client().post("/v1/signatures", service.offer_body()).status_code == 503
    keys(service, "activate", OLD, "--app", service.bundle_id)
    wait_until(lambda: service.client().post("/v1/signatures", service.offer_body()).status_code == 200, promised=AT_ONCE)


def test_a_key_that_the_manifest_revokes_signs_no_more_though_its_file_is_gone(new_service):
    service = new_service()
    make_key(service, "OTHERKEY12")
    keys(service, "activate", "OTHERKEY12", "--app", OTHER)
    manifest = service.folder / "keys/keys.yaml"
    (service.folder / "keys" / f"SubscriptionKey_{OLD}.p8").unlink()
    wait_until(lambda: service.metric("offersigner_key_file_faults") == 1, promised=AT_ONCE)
    assert signing_key(service) == OLD
    text = manifest.read_text()
    assert text.count("state: active") == 1
    manifest.write_text(text.replace("state: active", "state: revoked"))
    wait_until(lambda: service.client().post("/v1/signatures", service.offer_body()).status_code == 503, promised=AT_ONCE)
    assert state(service, "OTHERKEY12", OTHER) == "active"


def test_a_key_whose_file_is_gone_is_revoked_though_it_is_in_memory(new_service):
    service = new_service()
    file = make_key(service, "NEXTKEY123")
    keys(service, "activate", "NEXTKEY123", "--app", service.bundle_id)
    wait_until(lambda: signing_key(service) == "NEXTKEY123", promised=AT_ONCE)
    file.unlink()
    wait_until(lambda: service.metric("offersigner_key_file_faults") == 1, promised=AT_ONCE)
    assert signing_key(service) == "NEXTKEY123"
    assert "--even-if-active" in service.cli("keys", "revoke", "NEXTKEY123").stderr
    keys(service, "revoke", "NEXTKEY123", "--even-if-active")
    wait_until(lambda: service.client().post("/v1/signatures", service.offer_body()).status_code == 503, promised=AT_ONCE)


def test_a_key_that_is_revoked_in_one_app_is_revoked_in_the_others(new_service):
    service = new_service()
    make_key(service, "NEXTKEY123")
    keys(service, "revoke", "NEXTKEY123", "--app", service.bundle_id)
    assert state(service, "NEXTKEY123", OTHER) == "staged"
    keys(service, "revoke", "NEXTKEY123")
    assert state(service, "NEXTKEY123", OTHER) == "revoked"
    assert "NEXTKEY123" in service.cli("keys", "revoke", "NEXTKEY123").stderr


def test_an_activation_is_rolled_back_and_a_revoked_key_never_signs_again(new_service):
    service = new_service()
    make_key(service, "NEXTKEY123")
    assert state(service, "NEXTKEY123") == "staged"
    make_key(service, "UNUSED1234")
    keys(service, "revoke", "UNUSED1234")
    assert state(service, "UNUSED1234") == "revoked" and state(service, OLD) == "active"
    keys(service, "activate", "NEXTKEY123")
    wait_until(lambda: signing_key(service) == "NEXTKEY123", promised=AT_ONCE)
    assert "is active" in keys(service, "rollback")
    wait_until(lambda: signing_key(service) == OLD, promised=AT_ONCE)
    refused = service.cli("keys", "revoke", OLD)
    assert refused.returncode != 0 and "activate another first" in refused.stderr
    keys(service, "activate", "NEXTKEY123")
    keys(service, "revoke", OLD)
    wait_until(lambda: signing_key(service) == "NEXTKEY123", promised=AT_ONCE)
    for arguments in (["rollback"], ["activate", OLD]):
        assert service.cli("keys", *arguments).returncode != 0
    keys(service, "revoke", "NEXTKEY123", "--even-if-active", "--reason", "leaked")
    wait_until(lambda: service.client().post("/v1/signatures", service.offer_body()).status_code == 503, promised=AT_ONCE)
    assert service.client().get("/readyz").status_code == 503
    with sqlite3.connect(service.store) as store:
        rows = store.execute("SELECT key_id, state, decided_by, reason FROM key_decision WHERE bundle_id = ? ORDER BY id", [service.bundle_id])
        assert rows.fetchall()[-1] == ("NEXTKEY123", "revoked", "command-line", "leaked")


def test_revoking_takes_effect_where_the_folder_cannot_be_read_any_more(new_service):
    service = new_service()
    service.client().sign(service.offer_body())
    (service.folder / "keys" / f"SubscriptionKey_{OLD}.p8").chmod(0o644)
    # Whether it is the key that signs cannot be seen.
    done = service.cli("keys", "revoke", OLD)
    assert done.returncode != 0 and "--even-if-active" in done.stderr
    keys(service, "revoke", OLD, "--even-if-active")
    wait_until(lambda: service.client().post("/v1/signatures", service.offer_body()).status_code == 503, promised=AT_ONCE)


def test_a_key_that_was_activated_and_is_not_there_leaves_the_old_one_signing(new_service):
    service = new_service()
    make_key(service, "NEXTKEY123")
    keys(service, "activate", "NEXTKEY123")
    wait_until(lambda: signing_key(service) == "NEXTKEY123", promised=AT_ONCE)
    # A key that was activated where it is, and is not here.
    elsewhere = service.folder / "elsewhere"
    shutil.copytree(service.folder / "keys", elsewhere)
    make_key(service, "MISSING123", elsewhere)
    done = service.cli(
        "keys", "activate", "MISSING123", "--app", service.bundle_id,
        environment={**service.environment, "OFFERSIGNER_KEYS_DIRECTORY": str(elsewhere)})
    assert done.returncode == 0, done.stderr
    wait_until(lambda: "MISSING123 was activated" in service.log_text())
    assert signing_key(service) == "NEXTKEY123"
    # Not a good file: the command says so, and nothing changes.
    file = make_key(service, "OTHERKEY12")
    file.chmod(0o644)
    assert "readable" in service.cli("keys", "activate", "OTHERKEY12").stderr
    assert signing_key(service) == "NEXTKEY123"
    file.chmod(0o600)
    keys(service, "activate", "OTHERKEY12")
    wait_until(lambda: signing_key(service) == "OTHERKEY12", promised=AT_ONCE)


def test_the_list_says_when_an_old_key_can_be_revoked_in_app_store_connect(new_service):
    service = new_service()
    signed = service.client().sign(service.offer_body())
    make_key(service, "NEXTKEY123")
    keys(service, "activate", "NEXTKEY123")
    [line] = [l for l in keys(service, "list").splitlines() if l.startswith(OLD) and f" {service.bundle_id} " in l]
    stamps = re.findall(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", line)
    assert len(stamps) == 2
    seconds = [time.mktime(time.strptime(stamp[:19], "%Y-%m-%dT%H:%M:%S")) for stamp in stamps]
    assert seconds[1] - seconds[0] == 86400
    fingerprint = subprocess.run(
        f"openssl pkey -in {service.folder}/keys/SubscriptionKey_{OLD}.p8 -pubout -outform DER | openssl dgst -sha256",
        shell=True, capture_output=True, text=True, check=True,
    ).stdout.split()[-1]
    assert line.endswith(fingerprint)
    assert signed[0]["keyIdentifier"] == OLD


@pytest.mark.parametrize("arguments", [["activate", "UNKNOWN123"], ["activate", OLD], ["rollback"], ["revoke", OLD, "--app", "com.example.none"]])
def test_a_decision_that_makes_no_sense_is_refused_with_a_remedy(instance, arguments):
    done = instance.cli("keys", *arguments)
    assert done.returncode != 0 and len(done.stderr.strip()) > 20
    assert state(instance, OLD) == "active"


def test_a_file_is_staged_as_it_comes_and_a_bad_one_changes_nothing(new_service):
    service = new_service()
    before = service.metric("offersigner_keys_loaded_timestamp_seconds")
    folder = service.folder / "keys"
    make_key(service, "NEXTKEY123")
    wait_until(lambda: '"key":"NEXTKEY123"' in service.log_text(), promised=AT_ONCE)
    assert service.metric("offersigner_keys_loaded_timestamp_seconds") > before
    assert signing_key(service) == OLD
    # The one that is loaded signs, whatever becomes of its file.
    bad = folder / "SubscriptionKey_BADKEY1234.p8"
    bad.write_text("no key\n")
    bad.chmod(0o600)
    wait_until(lambda: service.metric("offersigner_key_file_faults") == 1, promised=AT_ONCE)
    ready = service.client().get("/readyz")
    assert ready.status_code == 200
    [detail] = [check["detail"] for check in ready.json()["checks"] if check["name"] == "keys"]
    assert "BADKEY1234" in detail and "not used" in detail
    assert "a key file is not used" in service.log_text()
    copy = folder / "SubscriptionKey_COPYKEY123.p8"
    copy.write_bytes((folder / f"SubscriptionKey_{OLD}.p8").read_bytes())
    copy.chmod(0o600)
    wait_until(lambda: service.metric("offersigner_key_file_faults") == 2, promised=AT_ONCE)
    copy.unlink()
    bad.unlink()
    wait_until(lambda: service.metric("offersigner_key_file_faults") == 0, promised=AT_ONCE)
    # A file that has become bad where it is needed: the key in memory keeps signing.
    (folder / f"SubscriptionKey_{OLD}.p8").rename(folder / "away")
    wait_until(lambda: service.metric("offersigner_key_file_faults") == 1, promised=AT_ONCE)
    assert signing_key(service) == OLD
    (folder / "away").rename(folder / f"SubscriptionKey_{OLD}.p8")
    wait_until(lambda: service.metric("offersigner_key_file_faults") == 0, promised=AT_ONCE)
    keys(service, "activate", "NEXTKEY123")
    wait_until(lambda: signing_key(service) == "NEXTKEY123", promised=AT_ONCE)


def test_keys_come_as_a_mounted_secret_does_and_the_first_by_name_takes_nothing_over(new_service, tmp_path):
    """A Kubernetes secret: the files are links through ..data, which is swapped whole."""
    mount = tmp_path / "mount"

    def put(version, *key_ids):
        data = mount / version
        data.mkdir(parents=True)
        mount.chmod(0o755)
        data.chmod(0o755)
        for key_id in key_ids:
            file = data / f"SubscriptionKey_{key_id}.p8"
            if (kept := tmp_path / file.name).exists():
                file.write_bytes(kept.read_bytes())
            else:
                openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file)
                kept.write_bytes(file.read_bytes())
            file.chmod(0o600)
        (mount / "..new").symlink_to(version)
        (mount / "..new").rename(mount / "..data")
        for key_id in key_ids:
            link = mount / f"SubscriptionKey_{key_id}.p8"
            if not link.is_symlink():
                link.symlink_to(f"..data/SubscriptionKey_{key_id}.p8")

    put("..1", "MIDDLE1234")
    service = new_service(extra=f"keys: {{directory: {mount}}}\n")
    assert signing_key(service) == "MIDDLE1234"
    put("..2", "MIDDLE1234", "AAAAAA1234")
    wait_until(lambda: '"key":"AAAAAA1234"' in service.log_text(), promised=AT_ONCE)
    assert signing_key(service) == "MIDDLE1234"
    service.stop()
    service.start()
    assert signing_key(service) == "MIDDLE1234"
    keys(service, "activate", "AAAAAA1234")
    wait_until(lambda: signing_key(service) == "AAAAAA1234", promised=AT_ONCE)
    put("..3", "AAAAAA1234")
    (mount / "SubscriptionKey_MIDDLE1234.p8").unlink()
    wait_until(lambda: '"a signing key is gone"' in service.log_text(), promised=AT_ONCE)
    assert signing_key(service) == "AAAAAA1234"


def test_a_key_signs_nothing_any_more_only_once_it_is_revoked_for_all_apps(new_service):
    service = new_service()
    visitor, _ = signed_in(service, service.tokens["security"])
    for app, done in [(service.bundle_id, "signs nothing for this app any more"), (OTHER, "Done: the key signs nothing any more")]:
        asked = visitor.get(f"/console/keys/{OLD}/revoke?app={app}").text
        assert f"never signs for {app} again" in asked
        fields = {"formToken": form_token(visitor), "app": app, "typed": OLD, "next": "", "reason": ""}
        revoked = visitor.post(f"/console/keys/{OLD}/revoke", data=fields, follow_redirects=True).text
        assert done in revoked
        assert (f"Signs nothing for {service.bundle_id} any more." in revoked) == (app == service.bundle_id)


def test_console_and_command_line_print_fingerprints_alike(new_service):
    service = new_service()
    visitor, _ = signed_in(service, service.tokens["security"])
    [fingerprint] = {line.split()[-1] for line in keys(service, "list").splitlines() if line.startswith(OLD)}
    page = visitor.get("/console/keys").text
    assert f">{fingerprint}</code>" in page and "Fingerprint of the public key (SHA-256)" in page
    assert "openssl dgst -sha256</code>" in page
    shown = keys(service, "show", OLD)
    assert re.search(rf"^fingerprint \(SHA-256\) +{fingerprint}$", shown, re.M), shown
    assert "FINGERPRINT (SHA-256)" in keys(service, "list")
    file = service.folder / "keys" / f"SubscriptionKey_{OLD}.p8"
    assert f"fingerprint (SHA-256) {fingerprint}" in run("keys", "check", str(file)).stdout
