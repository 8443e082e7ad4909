"""Lines that an import leaves out: each is reported once, however many there are and however often the import stops."""
import json
import os
import subprocess

from harness.scale import scaled
from harness.waiting import PATIENCE


def peak(service, file):
    """The most memory of an import, in MB, and its totals."""
    process = subprocess.Popen(service.command("history", "import", "--app", service.bundle_id, file), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=service.environment)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 2
    return usage.ru_maxrss / 1024, json.loads(output)


def test_rejected_lines_take_no_memory(new_service, tmp_path):
    service = new_service()
    few, many = tmp_path / "few.jsonl", tmp_path / "many.jsonl"
    count = scaled(300_000, 3_000_000)
    few.write_text("1\n" * (count // 10))
    many.write_text("1\n" * count)
    (less, _), (more, totals) = peak(service, few), peak(service, many)
    print(f"{less:.0f} and {more:.0f} MB")
    assert totals["lines"] == totals["rejected"] == count
    with (tmp_path / "many.jsonl.rejected.jsonl").open() as report:
        for number, line in enumerate(report, 1):
            assert json.loads(line)["line"] == number
    assert number == count
    # A rejected line takes some 100 bytes, which would be 30 MB.
    assert more - less < 15


def killed_import(service, folder, count):
    """The file and the report of an import that was killed as soon as it had reported something; None if it had ended before."""
    file, report = folder / f"{count}.jsonl", folder / f"{count}.jsonl.rejected.jsonl"
    file.write_text("1\n" * count)
    process = subprocess.Popen(service.command("history", "import", "--app", service.bundle_id, file), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=service.environment)
    # The file is there before its first line is.
    while not (report.exists() and report.stat().st_size) and process.poll() is None:
        pass
    process.kill()
    return (file, report) if process.wait(PATIENCE) < 0 else None


def test_an_import_that_is_killed_reports_each_line_once(new_service, tmp_path):
    service = new_service()
    # On a busy machine the import may end before this process has its turn: then a longer one is killed.
    count, killed = 200_000, None
    while killed is None:
        count *= 2
        killed = killed_import(service, tmp_path, count)
    file, report = killed
    assert 0 < len(report.read_text().splitlines()) < count
    done = service.cli("history", "import", "--app", service.bundle_id, file)
    assert done.returncode == 2, done.stderr
    assert [json.loads(line)["line"] for line in report.read_text().splitlines()] == list(range(1, count + 1))
