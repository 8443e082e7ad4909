"""Each wrong key file, made with the openssl command, has its own message."""
import base64
import os
import re
import shutil
import subprocess

import pytest

from harness.checks import openssl, payload, private_key, verifies
from harness.service import EXAMPLE, copy_example_keys, run

ID = "ABCDE12345"
NAME = f"SubscriptionKey_{ID}.p8"
PASSPHRASE = "correct horse"


class Makers:
    """Each makes one file and says under which name."""

    def good(self, file):
        openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file)

    def not_pem(self, file):
        file.write_text("this is not a key\n")

    def empty(self, file):
        file.write_text("")

    def der(self, file):
        self.good(file)
        openssl("pkcs8", "-topk8", "-nocrypt", "-in", file, "-outform", "DER", "-out", file.with_suffix(".der"))
        file.with_suffix(".der").rename(file)

    def sec1(self, file):
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", file)
        assert "BEGIN EC PRIVATE KEY" in file.read_text()

    def sec1_with_parameters(self, file):
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-out", file)
        assert "BEGIN EC PARAMETERS" in file.read_text()

    def rsa(self, file):
        openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", file)

    def rsa_pkcs1(self, file):
        openssl("genrsa", "-traditional", "-out", file, "2048")
        assert "BEGIN RSA PRIVATE KEY" in file.read_text()

    def p384(self, file):
        openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384", "-out", file)

    def secp256k1(self, file):
        openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp256k1", "-out", file)

    def ed25519(self, file):
        openssl("genpkey", "-algorithm", "ED25519", "-out", file)

    def encrypted(self, file):
        openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-aes-256-cbc", "-pass", f"pass:{PASSPHRASE}", "-out", file)
        assert "BEGIN ENCRYPTED PRIVATE KEY" in file.read_text()

    def public(self, file):
        private = file.with_suffix(".private")
        self.good(private)
        openssl("pkey", "-in", private, "-pubout", "-out", file)
        private.unlink()

    def certificate(self, file):
        self.good(file)
        openssl("req", "-x509", "-new", "-key", file, "-subj", "/CN=x", "-out", file.with_suffix(".crt"))
        file.with_suffix(".crt").rename(file)

    def damaged(self, file):
        self.good(file)
        lines = file.read_text().splitlines(keepends=True)
        file.write_text(lines[0] + lines[1] + lines[-1])

    def readable_by_others(self, file):
        self.good(file)
        file.chmod(0o644)

    def writable_by_others(self, file):
        self.good(file)
        file.chmod(0o602)


# What is made, its name, and words that its message must have.
WRONG = [
    ("not_pem", NAME, "PEM"),
    ("sec1", NAME, "SEC1"),
    ("rsa", NAME, "RSA"),
    ("p384", NAME, "curve"),
    ("encrypted", NAME, "encrypted"),
    ("public", NAME, "public"),
    ("certificate", NAME, "certificate"),
    ("damaged", NAME, "PKCS#8"),
    ("ed25519", NAME, "elliptic-curve"),
    ("readable_by_others", NAME, "chmod 600"),
    ("good", f"AuthKey_{ID}.p8", "App Store Connect API key"),
    ("good", "key.p8", "key id"),
]
ALIKE = [
    ("empty", NAME, "PEM"), ("der", NAME, "PEM"), ("rsa_pkcs1", NAME, "RSA"), ("secp256k1", NAME, "curve"),
    ("sec1_with_parameters", NAME, "SEC1"), ("writable_by_others", NAME, "chmod 600"), ("good", f"ApiKey_{ID}.p8", "App Store Connect API key"),
]


@pytest.fixture
def make(tmp_path):
    folder = tmp_path / "keys"
    folder.mkdir(mode=0o700)

    def one(kind, name=NAME):
        file = folder / name
        getattr(Makers(), kind)(file)
        if not kind.endswith("by_others"):
            file.chmod(0o600)
        return file

    return one


def checked(*arguments):
    return run("keys", "check", *arguments)


def overlay(tmp_path, keys, more=""):
    file = tmp_path / "overlay.yaml"
    file.write_text(f"keys: {{directory: {keys}}}\nstore: {{sqlite: {tmp_path}/store.sqlite}}\n{more}")
    return file


def config_checked(tmp_path, keys, more="", environment=None):
    return run("check-config", "--config", EXAMPLE, "--config", overlay(tmp_path, keys, more), environment=environment)


@pytest.mark.parametrize(("kind", "name", "words"), WRONG + ALIKE, ids=[f"{kind}-{name.split('_')[0]}" for kind, name, _ in WRONG + ALIKE])
def test_a_wrong_key_file_is_refused_and_said_why(make, tmp_path, kind, name, words):
    file = make(kind, name)
    for done in [checked(file), config_checked(tmp_path, file.parent)]:
        said = done.stdout + done.stderr
        assert done.returncode != 0 and str(file) in said, said
        assert words in said, said
        assert "ok, key" not in said and not said.endswith("ok\n")
    if kind not in ("not_pem", "empty", "der"):
        for line in file.read_text().splitlines()[1:-1]:
            assert line not in said, "the message shows the key"


def test_every_kind_of_wrong_file_has_a_message_of_its_own(tmp_path):
    codes = {}
    for index, (kind, name, _) in enumerate(WRONG):
        folder = tmp_path / str(index)
        folder.mkdir()
        file = folder / name
        getattr(Makers(), kind)(file)
        if kind != "readable_by_others":
            file.chmod(0o600)
        said = checked(file).stdout.removeprefix(f"{file}: ")
        codes.setdefault(said.split(":")[0], []).append(kind)
    shared = {code: kinds for code, kinds in codes.items() if len(kinds) > 1}
    assert not shared and len(codes) == len(WRONG)


def test_a_good_key_is_accepted_and_its_fingerprint_shown(make, tmp_path):
    file = make("good")
    done = checked(file)
    assert done.returncode == 0 and ID in done.stdout
    der = openssl("pkey", "-in", file, "-pubout", "-outform", "DER").stdout
    digest = openssl_sha256(der)
    assert digest in done.stdout.lower().replace(":", "")
    done = config_checked(tmp_path, file.parent)
    assert done.returncode == 0 and done.stdout.endswith("ok\n") and ID in done.stdout


def openssl_sha256(data):
    done = subprocess.run(["openssl", "dgst", "-sha256", "-r"], input=data, capture_output=True, check=True)
    return done.stdout.split()[0].decode()


def test_the_command_that_the_sec1_message_names_converts_the_file(make, tmp_path):
    file = make("sec1")
    command = re.search(r"openssl pkcs8 .*", checked(file).stdout)[0].strip()
    new = tmp_path / NAME
    parts = [str(file) if part == "old.pem" else str(new) if "SubscriptionKey_" in part else part for part in command.split()]
    subprocess.run(parts, check=True, capture_output=True)
    new.chmod(0o600)
    assert checked(new).returncode == 0


@pytest.mark.parametrize("ending", ["\\n", "\r\n"], ids=["two characters", "CRLF"])
@pytest.mark.parametrize("is_last_ended", [True, False], ids=["ended", "not ended"])
def test_other_line_ends_are_accepted(make, ending, is_last_ended):
    file = make("good")
    text = file.read_text() if is_last_ended else file.read_text().rstrip()
    file.write_bytes(text.replace("\n", ending).encode())
    assert checked(file).returncode == 0, checked(file).stdout


def test_text_around_the_key_is_accepted(make):
    file = make("good")
    file.write_text("Bag Attributes\n    x: y\n" + file.read_text() + "\n\n")
    assert checked(file).returncode == 0


def test_a_key_from_environment_variables_may_have_two_characters_for_line_ends(make, tmp_path):
    file = make("good")
    for text in [file.read_text(), file.read_text().replace("\n", "\\n"), file.read_text().strip().replace("\n", "\\n")]:
        environment = {"OFFERSIGNER_KEYS_ID": ID, "OFFERSIGNER_KEYS_PEM": text}
        done = config_checked(tmp_path, tmp_path / "no-such-folder", environment=environment)
        assert done.returncode == 0 and ID in done.stdout, done.stderr
    done = config_checked(tmp_path, file.parent, environment={"OFFERSIGNER_KEYS_PEM": file.read_text()})
    assert done.returncode != 0 and "keys" in done.stderr


def test_an_encrypted_key_needs_its_own_passphrase(make, tmp_path):
    file = make("encrypted")
    right, wrong, with_line_end = tmp_path / "right", tmp_path / "wrong", tmp_path / "line-end"
    right.write_text(PASSPHRASE)
    with_line_end.write_text(PASSPHRASE + "\n")
    wrong.write_text("battery staple")
    without = checked(file)
    refused = checked(file, "--passphrase-file", wrong)
    assert without.returncode != 0 and refused.returncode != 0
    assert without.stdout.split(": ")[1] != refused.stdout.split(": ")[1], "the two have one code"
    assert "passphrase" in without.stdout and "passphrase" in refused.stdout
    for file_of_passphrase in (right, with_line_end):
        assert checked(file, "--passphrase-file", file_of_passphrase).returncode == 0
    assert config_checked(tmp_path, file.parent).returncode != 0
    assert config_checked(tmp_path, file.parent, environment={"OFFERSIGNER_KEYS_PASSPHRASE": PASSPHRASE}).returncode == 0
    assert config_checked(tmp_path, file.parent, environment={"OFFERSIGNER_KEYS_PASSPHRASEFILE": str(right)}).returncode == 0
    done = config_checked(tmp_path, file.parent, environment={"OFFERSIGNER_KEYS_PASSPHRASE": "battery staple"})
    assert done.returncode != 0 and "battery" not in done.stderr + done.stdout


def test_an_encrypted_key_signs(make, tmp_path, new_service):
    file = make("encrypted")
    passphrase = tmp_path / "passphrase"
    passphrase.write_text(PASSPHRASE)
    plain = tmp_path / "plain.pem"
    openssl("pkey", "-in", file, "-passin", f"pass:{PASSPHRASE}", "-out", plain)
    service = new_service(extra=f"keys: {{directory: {file.parent}, passphraseFile: {passphrase}}}\n")
    [result] = service.client().sign(service.offer_body())
    assert result["keyIdentifier"] == ID == service.key_id
    message = payload(
        service.bundle_id, ID, result["productId"], result["offerId"], "", result["nonce"], result["timestamp"]
    )
    assert verifies(private_key(plain).public_key(), base64.b64decode(result["signature"]), message)


def test_an_id_that_contradicts_the_name_is_refused(make, tmp_path):
    file = make("good")
    done = checked(file, "--id", "ZZZZZ99999")
    assert done.returncode != 0 and "ZZZZZ99999" in done.stdout and NAME in done.stdout
    assert checked(file, "--id", ID).returncode == 0
    (file.parent / "keys.yaml").write_text(f"keys: [{{id: ZZZZZ99999, file: {NAME}}}]\n")
    done = config_checked(tmp_path, file.parent)
    assert done.returncode != 0 and "ZZZZZ99999" in done.stderr and "key-id-mismatch" in done.stderr


def test_an_id_may_be_given_for_a_name_that_does_not_tell(make):
    file = make("good", "key.p8")
    done = checked(file, "--id", ID)
    assert done.returncode == 0 and ID in done.stdout


def test_one_key_under_two_ids_is_refused(make, tmp_path):
    file = make("good")
    shutil.copy(file, file.with_name("SubscriptionKey_OTHER67890.p8"))
    done = config_checked(tmp_path, file.parent)
    assert done.returncode != 0 and ID in done.stderr and "OTHER67890" in done.stderr


def test_a_missing_file_and_a_folder_in_place_of_a_file_are_refused(tmp_path):
    for file in [tmp_path / NAME, tmp_path]:
        done = checked(file, "--id", ID)
        assert done.returncode != 0 and str(file) in done.stdout + done.stderr


def test_several_files_are_all_checked_and_one_bad_one_spoils_the_exit_code(make):
    good, bad = make("good"), make("p384", "SubscriptionKey_BAD1234567.p8")
    done = checked(good, bad)
    assert done.returncode != 0
    assert re.search(rf"{good}: ok", done.stdout) and re.search(rf"{bad}: key-other-curve", done.stdout)


@pytest.mark.parametrize("state", [["active", "active"], ["retiring", "retired"], ["staged", "revoked"], ["active", "gone"]])
def test_a_manifest_without_exactly_one_active_key_per_app_is_refused(make, tmp_path, state):
    first, second = make("good"), make("good", "SubscriptionKey_OTHER67890.p8")
    (first.parent / "keys.yaml").write_text(
        f"keys:\n  - {{id: {ID}, file: {first.name}, state: {state[0]}}}\n  - {{id: OTHER67890, file: {second.name}, state: {state[1]}}}\n"
    )
    done = config_checked(tmp_path, first.parent)
    assert done.returncode != 0 and "active" in done.stderr


def test_the_published_example_key_is_for_development_only(tmp_path):
    keys = copy_example_keys(tmp_path / "example")
    assert config_checked(tmp_path, keys).returncode == 0
    done = config_checked(tmp_path, keys, "environment: production\n")
    assert done.returncode != 0 and "example key" in done.stderr
    # Another name and id do not hide it.
    (keys / "keys.yaml").unlink()
    (keys / "SubscriptionKey_EXAMPLE123.p8").rename(keys / NAME)
    done = config_checked(tmp_path, keys, "environment: production\n")
    assert done.returncode != 0 and "example key" in done.stderr


def test_a_key_of_ones_own_is_accepted_in_production(make, tmp_path):
    keys = make("good").parent
    # Makes the store.
    assert config_checked(tmp_path, keys).returncode == 0
    assert config_checked(tmp_path, keys, "environment: production\n").returncode == 0


def test_the_service_does_not_start_with_a_wrong_key(make, tmp_path):
    file = make("p384")
    done = run("serve", "--config", EXAMPLE, "--config", overlay(tmp_path, file.parent, "http: {port: 0}\n"))
    assert done.returncode != 0 and "curve" in done.stderr + done.stdout


def test_a_key_folder_that_others_may_write_into_is_refused_and_said_how_to_mend(make, tmp_path):
    file = make("good")
    file.parent.chmod(0o770)
    for done in [checked(file), config_checked(tmp_path, file.parent)]:
        said = done.stdout + done.stderr
        assert done.returncode != 0 and "key-folder-writable-by-others" in said and f"chmod go-w {file.parent}" in said, said
    file.parent.chmod(0o750)
    assert checked(file).returncode == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("which", ["the key", "its folder", "the manifest"])
def test_keys_of_another_user_are_refused_with_a_remedy(make, tmp_path, which):
    file = make("good")
    manifest = file.parent / "keys.yaml"
    manifest.write_text(f"keys: [{{id: {ID}, file: {NAME}}}]\n")
    path = {"the key": file, "its folder": file.parent, "the manifest": manifest}[which]
    os.chown(path, 4711, 4711)
    done = config_checked(tmp_path, file.parent)
    assert done.returncode != 0 and "key-file-owned-by-another" in done.stderr and f"chown 0 {path}" in done.stderr, done.stderr
    assert (checked(file).returncode != 0) == (which != "the manifest")
    os.chown(path, 0, 0)
    assert config_checked(tmp_path, file.parent).returncode == 0
