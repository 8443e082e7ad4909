"""What `make dist` packs: unpacked elsewhere, it is whole and it serves; the systemd unit in it; the install section, run as printed."""
import contextlib
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess

import httpx
import pytest

from harness.checks import openssl
from harness.service import BINARY, EXAMPLE, ROOT, free_port, run
from harness.terminal import Terminal
from harness.waiting import PATIENCE, wait_until


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The tree without its sources; its program counts as up to date."""
    tree = tmp_path_factory.mktemp("tree")
    for name in ("scripts", "keys.example", "docs", "deploy"):
        shutil.copytree(ROOT / name, tree / name)
    for name in ("Package.swift", EXAMPLE.name, "README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md"):
        shutil.copy(ROOT / name, tree / name)
    (tree / "Sources").mkdir()
    (tree / ".build/release").mkdir(parents=True)
    (tree / ".build/release/offersigner").symlink_to(BINARY)
    for name in ("Sources", "Package.swift", "scripts/build"):
        os.utime(tree / name, (0, 0))
    return tree


def pack(tree):
    done = subprocess.run([tree / "scripts/dist"], cwd=tree, capture_output=True, text=True, check=False, timeout=5 * PATIENCE)
    assert done.returncode == 0, done.stderr
    return tree / done.stdout.strip().splitlines()[-1]


@pytest.fixture(scope="module")
def archive(tree):
    return pack(tree)


@pytest.fixture(scope="module")
def unpacked(archive, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    subprocess.run(["tar", "xzf", archive], cwd=folder, check=True, timeout=PATIENCE)
    (only,) = folder.iterdir()
    assert only.name == archive.name.removesuffix(".tar.gz")
    return only


def test_its_name_says_version_and_architecture(archive):
    assert archive.name == f"offersigner-{run('--version').stdout.strip()}-linux-{platform.machine()}.tar.gz"


def test_the_checksums_are_those_of_the_files(archive, unpacked):
    subprocess.run(["sha256sum", "--check", "--strict", f"{archive.name}.sha256"], cwd=archive.parent, check=True, timeout=PATIENCE)
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=unpacked, check=True, timeout=PATIENCE)
    listed = {line.split("  ")[1] for line in (unpacked / "SHA256SUMS").read_text().splitlines()}
    found = {str(file.relative_to(unpacked)) for file in unpacked.rglob("*") if file.is_file()} - {"SHA256SUMS"}
    assert listed == found
    assert {"offersigner", "offersigner.example.yaml", "offersigner.service", "docs/operations.md"} <= found


def test_no_page_links_to_what_is_not_there(unpacked):
    links = 0
    for page in unpacked.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
            if not re.match(r"[a-z]+:", target):
                links += 1
                assert (page.parent / target).exists(), (page.name, target)
    assert links > 100


def test_the_same_program_makes_the_same_archive(tree, archive):
    first = hashlib.sha256(archive.read_bytes()).hexdigest()
    for file in (tree / "docs").iterdir():
        os.utime(file)
    assert hashlib.sha256(pack(tree).read_bytes()).hexdigest() == first


def test_what_is_unpacked_checks_its_configuration_and_serves(unpacked, tmp_path):
    def command(*arguments):
        return subprocess.run(
            [unpacked / "offersigner", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=PATIENCE)

    assert command("--version").stdout == run("--version").stdout
    port = free_port()
    configuration = tmp_path / "offersigner.yaml"
    configuration.write_text((unpacked / EXAMPLE.name).read_text().replace("port: 8080", f"port: {port}"))
    shutil.copytree(unpacked / "keys.example", tmp_path / "keys")
    (tmp_path / "keys").chmod(0o700)
    for key in (tmp_path / "keys").glob("*.p8"):
        key.chmod(0o600)
    checked = command("check-config")
    assert checked.returncode == 0 and checked.stdout.endswith("ok\n"), checked.stderr
    token = command("access", "create", "--role", "client").stdout.strip()
    service = subprocess.Popen([unpacked / "offersigner", "serve"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE) as client:
            def is_ready():
                assert service.poll() is None, service.stdout.read()
                with contextlib.suppress(httpx.ConnectError):
                    return client.get("/readyz").status_code == 200

            wait_until(is_ready)
            answer = client.post("/v1/signatures", content=json.dumps({
                "bundleId": "com.example.app", "customerId": "u-123",
                "offers": [{"productId": "com.example.pro.monthly", "offerId": "winback50"}],
            }))
            assert answer.json()["results"][0]["status"] == "signed"
    finally:
        service.terminate()
        said, _ = service.communicate(timeout=PATIENCE)
    assert service.returncode == 0 and '"message":"stopped"' in said


def test_the_manual_page_and_the_completions_know_every_command(unpacked):
    commands = set(re.findall(r"^  ([a-z-]+) +[A-Z]", run("--help").stdout.split("SUBCOMMANDS:")[1], re.M))
    assert {"init", "serve", "check-config"} <= commands
    share = unpacked / "share"
    page = share / "man/man1/offersigner.1"
    sections = re.findall(r"^\.SS (.+)$", page.read_text(), re.M)
    assert commands <= {section.split()[0].replace("\\", "") for section in sections} and "bucket" not in sections
    if shutil.which("man"):
        done = subprocess.run(
            ["man", "--warnings=w", "--local-file", page], capture_output=True, text=True, check=True, timeout=PATIENCE,
            env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
        assert done.stderr == "" and "--config file" in done.stdout
    for file in ("bash-completion/completions/offersigner", "zsh/site-functions/_offersigner", "fish/vendor_completions.d/offersigner.fish"):
        text = (share / file).read_text()
        assert all(re.search(rf"\b{name}\b", text) for name in commands), file
    # As a shell completes it.
    script = f"source {share}/bash-completion/completions/offersigner; COMP_WORDS=(offersigner ini); COMP_CWORD=1; COMP_LINE='offersigner ini'; COMP_POINT=15; _offersigner offersigner ini offersigner; echo ${{COMPREPLY[*]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout.strip() == "init", done.stderr


def test_the_swift_runtime_is_in_the_program(unpacked):
    needed = subprocess.run(
        ["readelf", "--dynamic", unpacked / "offersigner"], capture_output=True, text=True, check=True, timeout=PATIENCE).stdout
    libraries = set(re.findall(r"Shared library: \[([a-zA-Z_+-]+)", needed))
    assert libraries <= {"libssl", "libcrypto", "libpq", "libsqlite", "libstdc++", "libz", "libm", "libc", "libgcc_s", "libdl", "libpthread", "libutil", "librt", "ld-linux-x", "ld-linux-aarch"}


def test_the_unit_leaves_the_service_little_to_do_harm_with(unpacked):
    unit = unpacked / "offersigner.service"
    done = subprocess.run(
        ["systemd-analyze", "security", "--no-pager", "--offline=true", "--threshold=29", unit],
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout[-400:] + done.stderr
    level = float(re.search(r"Overall exposure level for offersigner.service: ([0-9.]+)", done.stdout).group(1))
    assert level < 3.0


def test_the_unit_names_what_the_install_section_makes(unpacked):
    unit = (unpacked / "offersigner.service").read_text()
    manual = (unpacked / "docs/operations.md").read_text()
    install = manual.split("## Install\n")[1].split("\n## ")[0]
    for path in re.findall(r"(/(?:usr/local|etc|var)/\S+)", unit):
        assert path in install or f"{path.rsplit('/', 1)[0]}/\n" in install, path
    assert "/etc/offersigner/tls" in install and "offersigner.service /etc/systemd/system/" in install


# Nothing of the machine changes: what the commands write to lies in copies that only this process sees. Packages are installed already,
# and no systemd runs here, so the unit's own command line starts the service.
FRAME = """set -eu
mkdir etc local lib usrshare
cp -a /etc/. etc
mount --bind etc /etc
mount --bind local /usr/local/bin
mount --bind usrshare /usr/local/share
lib=$PWD/lib
mkdir -p /etc/systemd/system
apt-get() { [ "$1" = install ] && shift && dpkg -s "$@" >/dev/null; }
systemctl() { echo "systemctl $*" >>"$CALLS"; }
"""
START = """
unit() { sed -n "s/^$1=//p" /etc/systemd/system/offersigner.service; }
cd "$(unit WorkingDirectory)"
exec runuser -u "$(unit User)" -- $(unit ExecStart)
"""


def is_possible():
    return os.geteuid() == 0 and subprocess.run(["unshare", "-m", "true"], check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(not is_possible(), reason="needs root and mount namespaces")
def test_the_install_section_as_printed_leads_to_a_signature(archive, tmp_path):
    install = (ROOT / "docs/operations.md").read_text().split("## Install\n")[1].split("\n## ")[0]
    unpack, lay_out, start = re.findall(r"^```sh\n(.*?)^```$", install, re.S | re.M)
    for file in archive.parent.glob(f"{archive.name}*"):
        shutil.copy(file, tmp_path)
    port, calls = free_port(), tmp_path / "calls"
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", tmp_path / "SubscriptionKey_ABCDEFGHIJ.p8")
    prepare = """
    mount --bind "$lib" /var/lib
    mv ../SubscriptionKey_ABCDEFGHIJ.p8 .
    chmod 600 SubscriptionKey_ABCDEFGHIJ.p8
    touch fullchain.pem privkey.pem
    """
    # Without purchases nobody may have an offer.
    advise = "test -s /usr/local/share/man/man1/offersigner.1; sed -i 's/eligibility: enforce/eligibility: advise/' /etc/offersigner/offersigner.yaml"
    script = tmp_path / "install"
    script.write_text("\n".join([FRAME, unpack, prepare, lay_out, advise, start, START]))
    terminal = Terminal(
        ["unshare", "-m", "bash", script], cwd=tmp_path,
        env={**os.environ, "CALLS": str(calls), "OFFERSIGNER_HTTP_PORT": str(port)}, output=(tmp_path / "out").open("w"))
    service = terminal.process
    for question, answer in [
        ("Key file", "SubscriptionKey_ABCDEFGHIJ.p8"), ("Bundle id", "com.example.app"), ("Issuer id", ""), ("Apple ID", ""), ("group", "20563228"),
        ("Product id", "com.example.pro.monthly"), ("How long", "P1M"), ("offer id", "winback50"), ("Kind", "pay-as-you-go"), ("How long", "P3M"),
    ]:
        terminal.answer(question, answer)
    said = (tmp_path / "out").read_text
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
            def is_ready():
                assert service.poll() is None, said()
                with contextlib.suppress(httpx.ConnectError):
                    return client.get("/readyz").status_code == 200

            wait_until(is_ready, message=said)
            [key] = re.findall(r"^(\S{40,})$", said(), re.M)
            answer = client.post("/v1/signatures", headers={"Authorization": f"Bearer {key}"}, json={
                "bundleId": "com.example.app", "customerId": "u-123",
                "offers": [{"productId": "com.example.pro.monthly", "offerId": "winback50"}],
            })
            assert answer.json()["results"][0]["status"] == "signed", answer.text
    finally:
        service.terminate()
        service.wait(timeout=PATIENCE)
    assert "runuser -u offersigner -- offersigner store create --config /etc/offersigner/offersigner.yaml" in said()
    assert calls.read_text().split("\n") == ["systemctl daemon-reload", "systemctl enable --now offersigner", ""]
