"""Commands of the operations manual, run as they stand there."""
import re
import sqlite3
import subprocess

from harness.service import ROOT

MANUAL = (ROOT / "docs/operations.md").read_text()


def test_the_backups_are_complete_and_for_their_owner_only(new_service, tmp_path):
    service = new_service()
    service.client().sign(service.offer_body())
    backup = tmp_path / "backup"
    backup.mkdir()
    commands = re.findall(r'^    (\(umask .+sqlite3 .+)$', MANUAL.split("## Backup and restore")[1], re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        command = command.replace("/backup/", f"{backup}/").replace("var/", f"{service.folder}/")
        subprocess.run(["bash", "-c", f"umask 022; {command}"], check=True, capture_output=True, timeout=60)
    copies = sorted(backup.iterdir())
    assert len(copies) == 4
    for copy in copies:
        assert copy.stat().st_mode & 0o777 == 0o600, copy.name
        with sqlite3.connect(copy) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    for copy in copies:
        if "histories" not in copy.name:
            with sqlite3.connect(copy) as database:
                assert database.execute("SELECT count(*) FROM ledger").fetchone() == (1,)


def test_the_install_section_makes_every_folder_that_the_manual_names():
    install = MANUAL.split("## Install\n")[1].split("\n## ")[0]
    for folder in set(re.findall(r"(/etc/offersigner/[a-z]+)/", MANUAL)):
        assert re.search(rf"install -d .*{folder}\b", install), folder
