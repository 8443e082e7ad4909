"""/metrics: as Prometheus wants it, as the manual says, and true."""
import os
import pathlib
import re
import shutil
import ssl
import subprocess
import time

import httpx
import pytest

from harness import checks
from harness.app_store import BUNDLE
from harness.background import another_round
from harness.service import ROOT, free_port, run
from harness.waiting import PATIENCE, wait_until


def text_of(service):
    return service.client().get("/metrics").text


def described(text):
    """name → (type, help)"""
    types = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    helps = dict(re.findall(r"^# HELP (\S+) (.+)$", text, re.MULTILINE))
    assert types.keys() == helps.keys()
    return {name: (types[name], helps[name]) for name in types}


def sampled(text):
    """name of the metric → names of the labels of its samples, but for those of a histogram's own."""
    labels = {}
    for line in text.splitlines():
        if match := re.fullmatch(r"(\w+?)(?:\{(.*)\})? (\S+)", line):
            name = match[1] if match[1] in described(text) else re.sub("_(bucket|sum|count)$", "", match[1])
            labels.setdefault(name, set()).update(re.findall(r'(\w+)="', match[2] or ""))
    return {name: found - {"le"} for name, found in labels.items()}


MANUAL = (ROOT / "docs/operations.md").read_text().split("\n### Metrics\n")[1].split("\n## ")[0]


def manual():
    """The rows of the manual's table: name → (type, labels, what it says)."""
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.+) \|$", MANUAL, re.MULTILINE)
    histograms = re.findall(r"`(\w+)`", MANUAL.split("are counters,")[1].split("histograms,")[0])
    kinds = {name: "counter" if name.endswith("_total") else "histogram" if name in histograms else "gauge" for name, *_ in rows}
    return {name: (kinds[name], set(re.findall(r"`(\w+)`", labels)), text) for name, labels, text in rows}


@pytest.fixture(scope="module")
def worked(enforcing, app_store):
    """A service with all kinds of events behind it."""
    client = enforcing.client()
    client.sign(enforcing.offer_body(customerId="nobody"))
    client.post("/v1/introductory-offers/signatures", {
        "bundleId": BUNDLE, "products": [{"productId": enforcing.product, "transactionId": "1", "allow": None}],
    })
    news = {"bundleId": "com.example.news", "offers": [{"productId": "com.example.news.monthly", "offerId": "comeback"}]}
    client.sign(news | {"customerId": "nobody"})
    client.problem("/v1/signatures", {})
    app_store.fault("history", httpStatus=500)
    enforcing.client("backend").problem("/v1/history/refresh", {"bundleId": BUNDLE, "transactionId": "1"})
    app_store.clear_faults()
    return enforcing


def test_promtool_has_nothing_to_say_against_them(worked):
    assert shutil.which("promtool"), "promtool is missing: scripts/prerequisites prometheus"
    done = subprocess.run(
        ["promtool", "check", "metrics"], input=text_of(worked), capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_manual_and_the_service_agree_on_every_metric(worked):
    text = text_of(worked)
    # The manual names the usual ones of a process in a sentence.
    usual, found, table = {}, described(text), manual()
    for name in [each for each in found if each.startswith("process_")]:
        usual[name] = found.pop(name)
        assert f"`{name}`" in MANUAL, name
    assert usual and found == {name: (kind, help) for name, (kind, _, help) in table.items()}
    for name, labels in sampled(text).items():
        assert labels <= (set() if name in usual else table[name][1]), name
    # Whatever the manual promises of labels is there, where there is a value at all.
    for name in ("offersigner_failures_total", "offersigner_store_bytes", "offersigner_key_state", "offersigner_signatures_total"):
        assert sampled(text)[name] == table[name][1], name


def test_what_they_say_of_the_process_is_what_the_kernel_says(worked):
    process = pathlib.Path(f"/proc/{worked.pid}")
    assert abs(worked.metric("process_resident_memory_bytes") / 2**20 - worked.memory()) < 32
    assert abs(worked.metric("process_virtual_memory_bytes") / 2**20 - worked.memory("VmSize")) < 256
    assert abs(worked.metric("process_open_fds") - len(list((process / "fd").iterdir()))) < 10
    limit = re.search(r"Max open files\s+(\d+)", (process / "limits").read_text())[1]
    assert worked.metric("process_max_fds") == int(limit)
    # The kernel shows whole ticks.
    tick, before = 1 / os.sysconf("SC_CLK_TCK"), worked.processor_time()
    assert before - tick <= worked.metric("process_cpu_seconds_total") <= worked.processor_time() + 2 * tick
    started = int((process / "stat").read_text().rsplit(")", 1)[1].split()[19]) * tick
    booted = int(re.search(r"btime (\d+)", pathlib.Path("/proc/stat").read_text())[1])
    assert abs(worked.metric("process_start_time_seconds") - (booted + started)) < 2


def test_they_tell_the_version_the_keys_and_the_sizes_of_the_store(worked):
    version = run("--version").stdout.strip()
    assert worked.metric("offersigner_build_info", version=version) == 1
    key = pathlib.Path(worked.key_file)
    assert worked.metric("offersigner_key_state", key=worked.key_id, state="active") == 1
    assert worked.metric("offersigner_app_active_key", app=BUNDLE) == 1
    assert worked.metric("offersigner_key_file_timestamp_seconds", key=worked.key_id) == int(key.stat().st_mtime)
    loaded = worked.metric("offersigner_keys_loaded_timestamp_seconds")
    # The time of the start is known to a second or two.
    assert worked.metric("process_start_time_seconds") - 2 <= loaded <= time.time()
    for file, path in {"signatures": worked.store, "histories": worked.histories}.items():
        assert worked.metric("offersigner_store_bytes", file=file, part="main") == path.stat().st_size > 0
        wal = path.with_name(path.name + "-wal")
        assert worked.metric("offersigner_store_bytes", file=file, part="wal") == wal.stat().st_size


def test_a_failure_is_counted_by_what_does_not_work(worked):
    assert worked.metric("offersigner_failures_total", subject="app-store") >= 1
    assert worked.metric("offersigner_failures_total", subject="store") == 0


def test_the_age_of_polling_and_catching_up_grows_while_the_app_store_is_away(connected, app_store):
    def age(name, **labels):
        return service.metric(f"offersigner_{name}_age_seconds", **labels)

    service = connected(poll_seconds=1, catch_up_seconds=1)
    try:
        app_store.admit(service)
        # It falls with each round.
        for name, labels in {"renewal_poll": {}, "catch_up": {"app": BUNDLE}}.items():
            another_round(service, name, **labels)
        asked = len(app_store.requests("notificationHistory"))
        # A 401 would mean an app that was never released, which has missed nothing.
        app_store.fault("notificationHistory", httpStatus=403)
        wait_until(lambda: any(each["status"] == 403 for each in app_store.requests("notificationHistory")[asked:]))
        ages = []
        wait_until(lambda: ages.append(age("catch_up", app=BUNDLE)) or ages[-1] > ages[0] + 3)
        assert ages == sorted(ages), "it falls although nothing was fetched"
        # Nothing is due: no question is left without an answer.
        another_round(service, "renewal_poll")
        message = "missed notifications could not be fetched"
        lines = [line for line in service.log() if line["message"] == message and line["app"] == BUNDLE]
        assert {(line["level"], line["subject"]) for line in lines} == {("warning", "app-store")}
        # One for each way to fail.
        assert len(lines) == len({line["code"] for line in lines})
    finally:
        app_store.clear_faults()
    another_round(service, "catch_up", app=BUNDLE)


def test_without_rounds_in_the_background_there_is_no_age(worked):
    assert not {"offersigner_renewal_poll_age_seconds", "offersigner_catch_up_age_seconds"} & sampled(text_of(worked)).keys()


def test_the_expiry_of_the_tls_certificate_is_reported(new_service, tmp_path):
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    checks.openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", certificate,
        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
    )
    port = free_port()
    service = new_service(extra=f"metrics: {{port: {port}}}\nhttp: {{tls: {{certificate: {certificate}, privateKey: {key}}}}}\n")
    text = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE).text
    [expiry] = re.findall(r"^offersigner_tls_certificate_expiry_timestamp_seconds (\S+)$", text, re.MULTILINE)
    told = checks.openssl("x509", "-in", certificate, "-noout", "-enddate", text=True).stdout.strip().removeprefix("notAfter=")
    assert float(expiry) == ssl.cert_time_to_seconds(told)
    service.kill()
