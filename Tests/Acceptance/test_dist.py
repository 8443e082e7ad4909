"""What `make dist` packs: unpacked elsewhere, it is whole and it serves; the systemd unit in it; the install section, run as printed.

`make release`: bill of materials, checksums, signature, notes; what docs/verify.md prints.
"""
import contextlib
import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import tarfile

import httpx
import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from harness.checks import openssl
from harness.service import BINARY, EXAMPLE, ROOT, free_port, run
from harness.terminal import Terminal
from harness.waiting import PATIENCE, wait_until


COMMITTED = 1_790_000_000
VERSION = "Sources/OfferSigner/Application/ProgramVersion.swift"


def git(tree, *arguments):
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"]
    dates = {f"GIT_{each}_DATE": f"{COMMITTED} +0000" for each in ("AUTHOR", "COMMITTER")}
    return subprocess.run(
        ["git", *identity, *arguments], cwd=tree, env={**os.environ, **dates}, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A working copy with little of its sources; its program counts as up to date."""
    tree = tmp_path_factory.mktemp("tree")
    for name in ("scripts", "keys.example", "docs", "deploy", "Clients/Swift"):
        shutil.copytree(ROOT / name, tree / name)
    for name in (
        "Package.swift", "Package.versions", EXAMPLE.name, "README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", ".gitignore", VERSION,
        "Clients/TypeScript/package.json",
    ):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    git(tree, "init", "--quiet")
    git(tree, "add", "--all")
    git(tree, "commit", "--quiet", "--message=all")
    shutil.copy(ROOT / "Package.resolved", tree)
    (tree / ".build/release").mkdir(parents=True)
    (tree / ".build/release/offersigner").symlink_to(BINARY)
    (tree / ".build/checkouts").symlink_to(ROOT / ".build/checkouts")
    for path in [tree / "Package.swift", tree / "scripts/build", tree / "Sources", *(tree / "Sources").rglob("*")]:
        os.utime(path, (0, 0))
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
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=archive.parent, check=True, timeout=PATIENCE)
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=unpacked, check=True, timeout=PATIENCE)
    listed = {line.split("  ")[1] for line in (unpacked / "SHA256SUMS").read_text().splitlines()}
    found = {str(file.relative_to(unpacked)) for file in unpacked.rglob("*") if file.is_file()} - {"SHA256SUMS"}
    assert listed == found
    assert {"offersigner", "offersigner.example.yaml", "offersigner.service", "docs/operations.md"} <= found
    assert {f"deploy/{each}" for each in ("nginx.conf", "Caddyfile", "haproxy.cfg", "prometheus/rules.yaml", "grafana/offersigner.json")} <= found
    assert {"clients/swift/Package.swift", "clients/swift/LICENSE", "clients/swift/Sources/OfferSignerClient/OfferSigner.swift"} <= found


def test_no_page_links_to_what_is_not_there(unpacked):
    links = 0
    for page in unpacked.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
            if not re.match(r"[a-z]+:", target):
                links += 1
                assert (page.parent / target).exists(), (page.name, target)
    assert links > 100


def test_the_same_program_makes_the_same_files(tree, archive):
    names = [archive, archive.with_name("SHA256SUMS")]
    first = [file.read_bytes() for file in names]
    for file in (tree / "docs").iterdir():
        os.utime(file)
        file.chmod(0o600)
    pack(tree)
    assert [file.read_bytes() for file in names] == first
    with tarfile.open(archive) as opened:
        assert {(member.mtime, member.uid, member.uname) for member in opened} == {(COMMITTED, 0, "")}


def test_no_path_of_the_build_is_in_the_program(unpacked):
    content = (unpacked / "offersigner").read_bytes()
    assert str(ROOT).encode() not in content
    assert b"\0Sources/COpenSSLShim/" in content


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
    for file in (archive, archive.with_name("SHA256SUMS")):
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
            # The log may be in between.
            [key] = re.findall(r"^(osk_\S+)$", said(), re.M)
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


def bill(archive):
    return json.loads(archive.with_name(archive.name.replace(".tar.gz", ".cdx.json")).read_text())


def test_the_bill_of_materials_is_valid(archive):
    validator = JsonStrictValidator(SchemaVersion.V1_6)
    document = bill(archive)
    assert validator.validate_str(json.dumps(document)) is None
    document["components"][0]["scope"] = "often"
    assert validator.validate_str(json.dumps(document)) is not None


def test_the_bill_of_materials_lists_what_the_program_is_made_of(archive, unpacked):
    document = bill(archive)
    itself = document["metadata"]["component"]
    assert itself["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256((unpacked / "offersigner").read_bytes()).hexdigest()}]
    listed = {component["name"]: component for component in document["components"]}
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        found = listed[pin["identity"]]
        revision = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=ROOT / ".build/checkouts" / pathlib.Path(pin["location"]).name.removesuffix(".git"),
            capture_output=True, text=True, check=True).stdout.strip()
        assert found["version"] == pin["state"]["version"] and found["externalReferences"][0]["comment"] == f"revision {revision}"
    scopes = {name: listed[name]["scope"] for name in ("swift-nio-ssl", "grdb.swift", "yams", "async-http-client", "swift-crypto")}
    assert list(scopes.values()) == ["required"] * 3 + ["excluded"] * 2, scopes
    assert listed["swift-nio-ssl"]["components"][0]["name"] == "boringssl"
    for package in ("libssl3", "libsqlite3-0", "libpq5", "libc6", "libstdc++6", "zlib1g"):
        said = subprocess.run(["dpkg", "-s", package], capture_output=True, text=True, check=True).stdout
        assert f"\nVersion: {listed[package]['version']}\n" in said


def test_a_package_of_another_version_is_an_error(tree, archive):
    pins = (tree / "Package.resolved").read_text()
    (tree / "Package.resolved").write_text(pins.replace('"1.8.1"', '"1.8.0"').replace('"2.37.6"', '"2.37.5"'))
    try:
        done = subprocess.run([tree / "scripts/dist"], capture_output=True, text=True, check=False, timeout=PATIENCE)
    finally:
        (tree / "Package.resolved").write_text(pins)
    assert done.returncode != 0
    faults = re.findall(r"sbom: (\S+) is resolved to (\S+), Package.swift or Package.versions says (\S+)", done.stderr)
    assert faults == [("swift-nio-ssl", "2.37.5", "2.37.6"), ("swift-system", "1.8.0", "1.8.1")]


@pytest.mark.parametrize("file", ["docs/operations.md", "Clients/TypeScript/package.json"])
def test_a_version_that_differs_is_found(tree, tmp_path, file):
    copy = shutil.copytree(tree, tmp_path / "tree", symlinks=True, ignore=shutil.ignore_patterns("dist", ".git"))
    version = subprocess.run([copy / "scripts/version"], capture_output=True, text=True, check=True).stdout.strip()
    text = (copy / file).read_text()
    (copy / file).write_text(text.replace(version, f"{version}1"))
    done = subprocess.run([copy / "scripts/version"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and f"{file}:" in done.stderr


def release(tree, key):
    return subprocess.run(
        [tree / "scripts/release"], cwd=tree, env={**os.environ, "RELEASE_KEY": str(key)}, capture_output=True, text=True, check=False,
        timeout=5 * PATIENCE)


@pytest.fixture(scope="module")
def released(tree, archive, tmp_path_factory):
    """A folder as people download it: the files of a release, and the public key."""
    key = tmp_path_factory.mktemp("key") / "secret"

    def refused(because):
        done = release(tree, key)
        assert done.returncode == 1 and because in done.stderr, done.stderr

    changes = tree / "CHANGELOG.md"
    refused("CHANGELOG.md has no section")
    changes.write_text(re.sub(r"(?m)^## .*$", lambda line: re.sub("unreleased", "2026-12-01", line[0]), changes.read_text(), count=1))
    refused("the tree has changes")
    git(tree, "commit", "--quiet", "--all", "--message=date")
    refused("offersigner.pub is missing")
    subprocess.run(["minisign", "-G", "-W", "-p", tree / "offersigner.pub", "-s", key], check=True, capture_output=True)
    git(tree, "add", "offersigner.pub")
    git(tree, "commit", "--quiet", "--message=key")
    done = release(tree, key)
    assert done.returncode == 0, done.stderr
    folder = tmp_path_factory.mktemp("released")
    files = {archive.name, archive.name.replace(".tar.gz", ".cdx.json"), "SHA256SUMS", "SHA256SUMS.minisig", "NOTES.md"}
    assert {file.name for file in archive.parent.iterdir()} == files
    for name in files:
        shutil.copy(archive.parent / name, folder)
    shutil.copy(tree / "offersigner.pub", folder)
    return folder


def test_the_notes_are_the_section_of_the_version(released):
    sections = re.split(r"(?m)^## ", (ROOT / "CHANGELOG.md").read_text())
    assert (released / "NOTES.md").read_text() == sections[1].split("\n", 1)[1]


def verify(folder):
    """Runs what docs/verify.md prints, each block for itself."""
    shown = (ROOT / "docs/verify.md").read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```$", shown, re.S | re.M)
    assert len(blocks) == 3
    return [subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", block], cwd=folder, capture_output=True, text=True, check=False) for block in blocks]


def test_a_release_is_verified_as_printed(released):
    minisign, openssl, listed = verify(released)
    assert minisign.returncode == 0 and minisign.stdout.count(": OK") == 2, minisign.stderr
    commit = re.search(r"Trusted comment: offersigner (\S+), commit ([0-9a-f]{40})", minisign.stdout)
    assert commit[1] == run("--version").stdout.strip()
    assert openssl.returncode == 0 and "Signature Verified Successfully" in openssl.stdout, openssl.stderr
    assert listed.returncode == 0 and "required pkg:deb/debian/libssl3@" in listed.stdout, listed.stderr


def test_what_was_changed_is_not_verified(released, tmp_path):
    folder = shutil.copytree(released, tmp_path / "released")
    sums = folder / "SHA256SUMS"
    sums.write_text(sums.read_text().replace("0", "1", 1))
    minisign, openssl, _ = verify(folder)
    assert minisign.returncode != 0 and "Signature verification failed" in minisign.stderr
    assert openssl.returncode != 0
