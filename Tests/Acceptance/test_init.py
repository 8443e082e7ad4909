"""`offersigner init`: questions or options, a configuration that is right, files that only their owner reads, steps that work as printed."""
import contextlib
import json
import os
import re
import shutil
import subprocess

import httpx
import pytest

from harness.checks import openssl
from harness.service import BINARY, ROOT, free_port, run
from harness.terminal import Terminal
from harness.waiting import PATIENCE, wait_until

ANSWERS = {
    "bundle-id": "com.example.own", "issuer-id": "57246542-96fe-1a63-e053-0824d011072a", "apple-id": "1234567890", "group-id": "20563228",
    "product-id": "com.example.own.monthly", "period": "P1M", "offer-id": "it's \"20\" %", "offer-kind": "pay-as-you-go", "offer-period": "P3M",
}
OPTIONAL = {"issuer-id", "apple-id"}


@pytest.fixture
def folder(tmp_path):
    """A folder whose name a shell would take apart."""
    folder = tmp_path / "o'clock: #1"
    folder.mkdir()
    return folder


@pytest.fixture
def key(folder):
    key = folder / "SubscriptionKey_ABCDEFGHIJ.p8"
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key)
    key.chmod(0o600)
    return key


def options(key, **changes):
    answers = {"key": key, **ANSWERS, **{name.replace("_", "-"): value for name, value in changes.items()}}
    return [option for name, value in answers.items() if value is not None for option in (f"--{name}", value)]


def tree(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_what_it_writes_passes_the_check_and_only_its_owner_reads_the_key(folder, key):
    os.umask(0o022)
    done = run("init", *options(key), cwd=folder)
    assert done.returncode == 0, done.stderr
    modes = {name: (folder / name).stat().st_mode & 0o777 for name in tree(folder)}
    assert modes == {key.name: 0o600, "offersigner.yaml": 0o640, "keys/keys.yaml": 0o600, f"keys/{key.name}": 0o600}
    assert (folder / "keys").stat().st_mode & 0o777 == 0o700
    assert (folder / "keys" / key.name).read_bytes() == key.read_bytes()
    assert run("store", "create", cwd=folder).returncode == 0
    checked = run("check-config", cwd=folder)
    assert checked.returncode == 0 and "warning" not in checked.stdout, (checked.stdout, checked.stderr)
    assert f"app {ANSWERS['bundle-id']}: 1 products, 1 promotional offers, signs with ABCDEFGHIJ, eligibility enforced" in checked.stdout
    # Every key has a comment above it, and what a comment refers to is there.
    lines = (folder / "offersigner.yaml").read_text().splitlines()
    for before, line in zip(lines, lines[1:]):
        if re.match(r" *(- )?[a-zA-Z]+:", line):
            assert before.lstrip().startswith("#") or re.match(r" *((- )?id|products|apps|promotionalOffers):", line) or "- bundleId" in line, line
    for page in re.findall(r"docs/[a-z-]+\.md", "\n".join(lines)):
        assert (ROOT / page).exists(), page
    for page, title in re.findall(r"(docs/[a-z-]+\.md), ([A-Z][^);.]+?)[);.\n]", "\n".join(lines)):
        assert re.search(rf"^#+ {title}$", (ROOT / page).read_text(), re.M), (page, title)


def commands(printed):
    """The commands of each step, as they are pasted."""
    steps = re.split(r"^\d\. .*\n\n", printed, flags=re.M)[1:]
    return [step.split("\n\n")[0] for step in steps]


def test_the_next_steps_work_as_printed(folder, key, tmp_path):
    done = run("init", *options(key, issuer_id=None, apple_id=None), "--port", free_port(), cwd=folder)
    assert done.returncode == 0, done.stderr
    prepare, serve, ask = commands(done.stdout)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def paste(command):
        pasted = subprocess.run(["bash", "-c", command], cwd=elsewhere, capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert pasted.returncode == 0, (command, pasted.stderr)
        return pasted.stdout

    paste(f"set -e\n{prepare}")
    assert (folder / "access-key").stat().st_mode & 0o777 == 0o600
    # An app without an issuer id asks nothing of Apple.
    service = subprocess.Popen(
        ["bash", "-c", f"exec {serve}"], cwd=elsewhere, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        url = re.search(r"http://[0-9.:]+", ask)[0]

        def is_ready():
            assert service.poll() is None, service.stdout.read()
            with contextlib.suppress(httpx.ConnectError):
                return httpx.get(f"{url}/readyz", timeout=PATIENCE).status_code == 200

        wait_until(is_ready)
        [result] = json.loads(paste(ask))["results"]
        assert (result["offerId"], result["status"], result["code"]) == (ANSWERS["offer-id"], "refused", "never-subscribed")
        assert '"refused", "never-subscribed"' in done.stdout
    finally:
        service.terminate()
        service.communicate(timeout=PATIENCE)
    assert service.returncode == 0


def test_it_overwrites_nothing(folder, key):
    assert run("init", *options(key), cwd=folder).returncode == 0
    before = tree(folder)
    for arguments, path, remedy in [
        ([], "offersigner.yaml", "--output"), (["--output", "other.yaml"], "keys/keys.yaml", "--keys"),
        (["--output", "none/other.yaml"], "none", "No such file"),
    ]:
        done = run("init", *options(key), *arguments, cwd=folder)
        assert (done.returncode, done.stdout) == (1, "") and path in done.stderr and remedy in done.stderr, done.stderr
    (folder / "keys/keys.yaml").unlink()
    other = folder / "again" / key.name
    other.parent.mkdir()
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", other)
    other.chmod(0o600)
    done = run("init", *options(other), "--output", "other.yaml", cwd=folder)
    assert done.returncode != 0 and "another key" in done.stderr
    # The same key may be in its place already.
    assert run("init", *options(key), "--output", "other.yaml", cwd=folder).returncode == 0
    after = tree(folder)
    assert {name: after[name] for name in before} == before and after.keys() - before.keys() == {"other.yaml", f"again/{key.name}"}


def test_without_a_terminal_every_missing_option_is_named_at_once(folder, key):
    done = run("init", cwd=folder)
    assert done.returncode == 64 and done.stdout == ""
    for name in ["key", *ANSWERS]:
        assert (f"--{name} is missing: " in done.stderr) == (name not in OPTIONAL), name
    assert list(tree(folder)) == [key.name]


WRONG = {
    "bundle-id": ("com.example.my app", "letters, digits, hyphens and periods"),
    "issuer-id": ("me", "a UUID; App Store Connect shows it"),
    "apple-id": ("id123", "integer"),
    "group-id": ("x" * 256, "longer than 255"),
    "product-id": (" ", "must not be empty"),
    "period": ("1 month", "ISO 8601 duration such as P1W"),
    "offer-id": ("a\u2063b", "U+2063"),
    "offer-kind": ("discount", "free-trial or pay-as-you-go or pay-up-front"),
    "offer-period": ("3", "ISO 8601 duration such as P1W"),
}


def test_each_wrong_option_is_named_with_its_remedy(folder, key):
    assert WRONG.keys() == ANSWERS.keys()
    done = run("init", *options(key, **{name: value for name, (value, _) in WRONG.items()}), cwd=folder)
    assert done.returncode == 64
    for name, (_, remedy) in WRONG.items():
        assert re.search(rf"--{name}: .*{re.escape(remedy)}", done.stderr), (name, done.stderr)
    assert list(tree(folder)) == [key.name]


def wrong_keys(key):
    def remade(name, *arguments, mode=0o600):
        file = key.with_name(name)
        openssl("genpkey", *arguments, "-out", file)
        file.chmod(mode)
        return file

    curve = lambda name: ["-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{name}"]
    yield remade("SubscriptionKey_OPEN123456.p8", *curve("P-256"), mode=0o644), "run: chmod 600"
    yield remade("SubscriptionKey_OTHERCURVE.p8", *curve("P-384")), "P-256"
    yield remade("AuthKey_ABCDEFGHIJ.p8", *curve("P-256")), "In-App Purchase key"
    yield remade("downloaded.p8", *curve("P-256")), "--key-id"
    garbage = key.with_name("SubscriptionKey_GARBAGE123.p8")
    garbage.write_text("-----BEGIN PRIVATE KEY-----\nnothing\n-----END PRIVATE KEY-----\n")
    garbage.chmod(0o600)
    yield garbage, "PEM"
    example = key.with_name("SubscriptionKey_RENAMED123.p8")
    shutil.copyfile(ROOT / "keys.example/SubscriptionKey_EXAMPLE123.p8", example)
    example.chmod(0o600)
    yield example, "published example key"
    yield key.with_name("none.p8"), "No such file"


def test_each_unusable_key_is_refused_with_its_remedy(folder, key):
    for file, remedy in wrong_keys(key):
        done = run("init", *options(file), cwd=folder)
        assert done.returncode == 64 and re.search(rf"--key: .*{re.escape(remedy)}", done.stderr), (file.name, done.stderr)
        assert not (folder / "offersigner.yaml").exists() and not (folder / "keys").exists()
    done = run("init", *options(key, key_id="KLMNOPQRST"), cwd=folder)
    assert done.returncode == 64 and "KLMNOPQRST" in done.stderr and key.name in done.stderr
    named = key.rename(key.with_name("downloaded.p8"))
    assert run("init", *options(named, key_id="KLMNOPQRST"), cwd=folder).returncode == 0
    assert (folder / "keys/SubscriptionKey_KLMNOPQRST.p8").exists()


PROMPTS = {
    "bundle-id": "Bundle id of the app", "issuer-id": "Issuer id", "apple-id": "Apple ID of the app", "group-id": "Number of the subscription group",
    "product-id": "Product id", "period": "How long a period of it is", "offer-id": "Promotional offer id", "offer-kind": "Kind of the offer",
    "offer-period": "How long the offer lasts",
}


def test_on_a_terminal_it_asks_again_until_an_answer_is_right(folder, key):
    home = {**os.environ, "HOME": str(folder)}
    terminal = Terminal([BINARY, "init", "--period", "monthly"], cwd=folder, env=home)
    terminal.answer("Key file", key.with_name("none.p8"))
    assert "No such file" in terminal.answer("Key file", f"~/{key.name}")
    for name, prompt in PROMPTS.items():
        wrong, remedy = WRONG[name]
        if name == "period":
            assert f"--{name}: must be" in terminal.expect(prompt)
            terminal.read_to -= len(prompt)
        if name not in OPTIONAL:
            terminal.answer(prompt, "")
            assert "an answer is needed" in terminal.expect("\r\n" + prompt)
            terminal.read_to -= len(prompt)
        if wrong.strip():
            terminal.answer(prompt, wrong)
            assert remedy in terminal.expect("\r\n" + prompt)
            terminal.read_to -= len(prompt)
        # What may be left out is.
        terminal.answer(prompt, "" if name in OPTIONAL else f" {ANSWERS[name]} ")
    code, output = terminal.end()
    assert code == 0 and "3. In another terminal" in output, terminal.said
    text = (folder / "offersigner.yaml").read_text()
    assert "# issuerId:" in text and "# appAppleId:" in text and f'bundleId: "{ANSWERS["bundle-id"]}"' in text
    assert run("store", "create", cwd=folder).returncode == 0 and run("check-config", cwd=folder).returncode == 0


def test_an_input_that_ends_leaves_nothing_behind(folder, key):
    terminal = Terminal([BINARY, "init"], cwd=folder)
    terminal.answer("Key file", key)
    terminal.expect("Bundle id")
    os.write(terminal.master, b"\x04")
    code, output = terminal.end()
    assert (code, output) == (1, "") and "nothing was written" in terminal.said
    assert list(tree(folder)) == [key.name]


def test_on_a_terminal_complete_options_leave_nothing_to_ask(folder, key):
    terminal = Terminal([BINARY, "init", *map(str, options(key, issuer_id=None))], cwd=folder)
    code, _ = terminal.end()
    assert code == 0 and terminal.said == ""


def test_what_cannot_be_written_leaves_nothing_behind(folder, key):
    keys = folder / "keys"
    keys.mkdir(mode=0o700)
    # A configuration of this name cannot be made.
    done = run("init", *options(key), "--output", "x" * 250, cwd=folder)
    assert done.returncode == 1 and "cannot be written: File name too long" in done.stderr
    assert list(tree(folder)) == [key.name]
