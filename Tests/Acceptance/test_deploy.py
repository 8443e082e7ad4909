"""What deploy/ has for other programs: they can read it, and it names what there is."""
import ipaddress
import json
import re
import subprocess

import pytest
import yaml

from harness.service import BINARY, ROOT
from harness.waiting import PATIENCE

DEPLOY = ROOT / "deploy"
RULES = DEPLOY / "prometheus/rules.yaml"
# By alert: series that make it fire within two hours, minute by minute, and those of a service that is well.
CASES = {
    "OfferSignerDown": {'up{job="offersigner"}': ("0x120", "1x120")},
    "OfferSignerNothingSigned": {'offersigner_app_active_key{app="a"}': ("0x120", "1x120")},
    "OfferSignerNotReady": {'offersigner_ready{check="store"}': ("0x120", "1x120")},
    "OfferSignerErrors": {'offersigner_http_requests_total{route="/v1/signatures",status="503"}': ("0+10x120", "7x120")},
    "OfferSignerErrorsElsewhere": {
        'offersigner_http_requests_total{route="/v1/appstore/notifications/{bundleId}",status="503"}': ("0+10x120", "7x120")},
    "OfferSignerAppStore": {'offersigner_failures_total{subject="app-store",code="app-store-timed-out"}': ("0+1x120", "9x120")},
    "OfferSignerFailures": {'offersigner_failures_total{subject="store",code="store-damaged"}': ("0+1x120", "3x120")},
    "OfferSignerEvents": {'offersigner_events_pending_age_seconds{endpoint="crm"}': ("4000x120", "60x120")},
    "OfferSignerCommitsFail": {"offersigner_ledger_commit_failures_total": ("0+1x120", "0x120")},
    "OfferSignerCheckpointsFail": {"offersigner_ledger_checkpoint_failures_total": ("0+1x120", "0x120")},
    "OfferSignerCommitsSlow": {
        'offersigner_ledger_commit_seconds_bucket{le="0.25"}': ("0+90x120", "0+100x120"),
        'offersigner_ledger_commit_seconds_bucket{le="1"}': ("0+100x120", "0+100x120"),
        'offersigner_ledger_commit_seconds_bucket{le="+Inf"}': ("0+100x120", "0+100x120"),
    },
    "OfferSignerReplayed": {
        'offersigner_http_requests_total{route="/v1/signatures",status="409"}': ("0+10x120", "0+1x120"),
        'offersigner_http_requests_total{route="/v1/signatures",status="200"}': ("0+90x120", "0+99x120"),
    },
    "OfferSignerNotAdmitted": {'offersigner_http_requests_total{route="/v1/nonces",status="401"}': ("0+100x120", "0+10x120")},
    "OfferSignerKeyFile": {"offersigner_key_file_faults": ("1x120", "0x120")},
    "OfferSignerModuleAway": {'offersigner_key_module_available{key="A"}': ("0x120", "1x120")},
    "OfferSignerReplicasDiffer": {'offersigner_replicas_different{in="keys"}': ("1x120", "0x120")},
    "OfferSignerReplicaGone": {"offersigner_replicas": ("3x90 2x30", "3x100 4x3 3x20")},
    "OfferSignerCampaignLeftOut": {'offersigner_campaigns{app="a",standing="left-out"}': ("1x120", "0x120")},
    "OfferSignerPollingBehind": {"offersigner_renewal_poll_age_seconds": ("30000x120", "60x120")},
    "OfferSignerCatchUpBehind": {'offersigner_catch_up_age_seconds{app="a"}': ("30000x120", "60x120")},
    "OfferSignerReceiptSecret": {'offersigner_receipt_secret_refused{app="a"}': ("1x120", "0x120")},
    "OfferSignerEndUserKeys": {'offersigner_end_user_keys{issuer="i"}': ("0x120", "2x120")},
    "OfferSignerTokensForged": {'offersigner_end_user_tokens_refused_total{reason="invalid-signature"}': ("0+100x120", "0+1x120")},
    "OfferSignerCertificate": {"offersigner_tls_certificate_expiry_timestamp_seconds": ("1000000x120", "9000000x120")},
    "OfferSignerTLSFiles": {"offersigner_tls_file_faults": ("1x120", "0x120")},
    "OfferSignerConnections": {'offersigner_http_connections_refused_total{limit="total"}': ("0+20x120", "5x120")},
    "OfferSignerDescriptors": {
        'process_open_fds{job="offersigner"}': ("90x120", "50x120"), 'process_max_fds{job="offersigner"}': ("100x120", "100x120")},
}


# A service with customers, each minute from its first scrape on: what is not named here stays at 0.
WELL = {
    'up{job="offersigner"}': "1x120", 'offersigner_ready{check="store"}': "1x120", 'offersigner_ready{check="keys"}': "1x120",
    'offersigner_app_active_key{app="a"}': "1x120", 'offersigner_key_module_available{key="A"}': "1x120",
    'offersigner_http_requests_total{route="/v1/signatures",status="200"}': "0+600x120",
    'offersigner_http_requests_total{route="/v1/nonces",status="401"}': "0x120",
    'offersigner_http_requests_total{route="/v1/signatures",status="503"}': "0x120",
    'offersigner_http_requests_total{route="/v1/signatures",status="500"}': "0x120",
    'offersigner_http_requests_total{route="/v1/history/refresh",status="200"}': "0+5x120",
    'offersigner_http_requests_total{route="/v1/history/refresh",status="503"}': "0x120",
    'offersigner_http_requests_total{route="/v1/appstore/notifications/{bundleId}",status="200"}': "0+30x120",
    'offersigner_http_requests_total{route="/v1/appstore/notifications/{bundleId}",status="503"}': "0x120",
    'offersigner_failures_total{subject="app-store",code="app-store-timed-out"}': "0x120",
    'offersigner_failures_total{subject="store",code="store-unavailable"}': "0x120",
    'offersigner_failures_total{subject="service",code="internal-error"}': "0x120",
    'offersigner_failures_total{subject="load",code="not-ready"}': "0x120",
    "offersigner_ledger_commit_failures_total": "0x120",
}
REFUSED = 'offersigner_http_requests_total{route="/v1/signatures",status="503"}'
FAILED = 'offersigner_http_requests_total{route="/v1/signatures",status="500"}'
SIGNED = 'offersigner_http_requests_total{route="/v1/signatures",status="200"}'
UNKNOWN = 'offersigner_failures_total{subject="service",code="internal-error"}'
COMMITS = "offersigner_ledger_commit_failures_total"
UNAVAILABLE = 'offersigner_failures_total{subject="store",code="store-unavailable"}'
# What happens, which series show it, and which alerts an operator gets: pages (critical), warnings, or nothing.
SITUATIONS = {
    "nothing happens": ({}, {}),
    "a restart: one scrape fails, and all counts begin anew": ({
        'up{job="offersigner"}': "1x60 0 1x60", SIGNED: "0+600x60 _ 0+600x60", FAILED: "3x60 _ 0x60",
        'offersigner_ready{check="store"}': "1x60 _ 1x60"}, {}),
    "the service is down": ({'up{job="offersigner"}': "1x60 0x60", SIGNED: "0+600x60"}, {"OfferSignerDown": "critical"}),
    "it is not ready for one scrape": ({'offersigner_ready{check="store"}': "1x60 0 1x60"}, {}),
    "it is not ready": ({'offersigner_ready{check="store"}': "1x60 0x60"}, {"OfferSignerNotReady": "critical"}),
    "its first 500 failures come within a minute": (
        {FAILED: "0x30 500x90", UNKNOWN: "0x30 500x90"}, {"OfferSignerErrors": "critical"}),
    "one request of 10,000 fails": ({FAILED: "0x30 1x90", UNKNOWN: "0x30 1x90"}, {}),
    "one of three requests fails, at night": (
        {SIGNED: "0x30 1x30 2x60", FAILED: "0x40 1x80", UNKNOWN: "0x40 1x80"}, {}),
    "every request fails, one a minute": (
        {SIGNED: "9x120", FAILED: "0x30 0+1x90", UNKNOWN: "0x30 0+1x90"},
        {"OfferSignerErrors": "critical", "OfferSignerFailures": "warning"}),
    "one request in ten fails": (
        {FAILED: "0x30 0+60x90", UNKNOWN: "0x30 0+60x90"}, {"OfferSignerErrors": "critical", "OfferSignerFailures": "warning"}),
    "every request of customers fails, and then the service is down": (
        {FAILED: "0x30 0+600x60 stale", UNKNOWN: "0x30 0+600x60 stale", SIGNED: "0+600x30 18000x60 stale", 'up{job="offersigner"}': "1x90 0x30"},
        {"OfferSignerErrors": "critical", "OfferSignerFailures": "warning", "OfferSignerDown": "critical"}),
    "the database is away for a second": ({REFUSED: "0x30 8x90", UNAVAILABLE: "0x30 92x90", COMMITS: "0x30 1x90"}, {}),
    "the database is away": (
        {REFUSED: "0x30 0+600x90", SIGNED: "0+600x30 18000x90", UNAVAILABLE: "0x30 0+600x90", COMMITS: "0x30 0+60x90",
         'offersigner_ready{check="store"}': "1x30 0x90"},
        {"OfferSignerErrors": "critical", "OfferSignerNotReady": "critical", "OfferSignerCommitsFail": "critical",
         "OfferSignerFailures": "warning"}),
    "more is asked than the processors can sign": (
        {REFUSED: "0x30 0+100x90", 'offersigner_failures_total{subject="load",code="not-ready"}': "0x30 0+100x90"},
        {"OfferSignerErrors": "critical"}),
    "the App Store is away": (
        {'offersigner_http_requests_total{route="/v1/history/refresh",status="503"}': "0x30 0+5x90",
         'offersigner_failures_total{subject="app-store",code="app-store-timed-out"}': "0x30 0+10x90"},
        {"OfferSignerAppStore": "warning"}),
    "the App Store fails once": ({'offersigner_failures_total{subject="app-store",code="app-store-timed-out"}': "0x30 3x90"}, {}),
    "notifications are not stored": (
        {'offersigner_http_requests_total{route="/v1/appstore/notifications/{bundleId}",status="503"}': "0x30 0+20x90"},
        {"OfferSignerErrorsElsewhere": "warning"}),
    "an app lost its key": ({'offersigner_app_active_key{app="a"}': "1x30 0x90"}, {"OfferSignerNothingSigned": "critical"}),
    "a hardware module is away": ({'offersigner_key_module_available{key="A"}': "1x30 0x90"}, {"OfferSignerModuleAway": "critical"}),
    "a client goes on with a revoked key": (
        {'offersigner_http_requests_total{route="/v1/nonces",status="401"}': "0x30 0+200x90"}, {"OfferSignerNotAdmitted": "warning"}),
}


def rules():
    return yaml.safe_load(RULES.read_text())["groups"][0]["rules"]


def alerts():
    return [rule for rule in rules() if "alert" in rule]


def documented():
    return set(re.findall(r"(?m)^\| `(\w+)` \|", (ROOT / "docs/operations.md").read_text()))


def used(text):
    """The metrics of ours that expressions name."""
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in re.findall(r"\boffersigner_\w+", text)}


def promtool(*arguments):
    done = subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr


def test_alerts_can_be_read_and_name_metrics_that_there_are():
    promtool("check", "rules", RULES)
    assert used("\n".join(rule["expr"] for rule in rules())) <= documented()
    recorded = {rule["record"] for rule in rules() if "record" in rule}
    named = {name for rule in rules() for name in re.findall(r"\boffersigner:[\w:]+", rule["expr"])}
    assert recorded == named
    for rule in alerts():
        assert rule["labels"]["severity"] in ("warning", "critical") and set(rule["annotations"]) == {"summary", "description"}


@pytest.mark.parametrize("is_ill", [True, False], ids=["ill", "well"])
def test_each_alert_fires_for_what_it_is_about_and_no_other(tmp_path, is_ill):
    assert set(CASES) == {rule["alert"] for rule in alerts()}
    tests = []
    for alert, series in CASES.items():
        expected = [{"labels": f'{{alertname="{alert}"}}', "value": 1}] if is_ill else []
        tests.append({
            "interval": "1m",
            "input_series": [{"series": name, "values": values[0 if is_ill else 1]} for name, values in series.items()],
            "promql_expr_test": [{
                "expr": 'count by (alertname) (ALERTS{alertstate="firing"})', "eval_time": "110m",
                "exp_samples": expected,
            }],
        })
    file = tmp_path / "rules.test.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": tests}))
    promtool("test", "rules", file)


def test_each_situation_pages_warns_or_is_silent(tmp_path):
    tests = []
    for name, (series, alerts) in SITUATIONS.items():
        assert series.keys() <= WELL.keys(), name
        tests.append({
            "name": name, "interval": "1m",
            "input_series": [{"series": each, "values": values} for each, values in (WELL | series).items()],
            "promql_expr_test": [{
                "expr": 'count by (alertname, severity) (max_over_time(ALERTS{alertstate="firing"}[2h]))', "eval_time": "119m",
                "exp_samples": [
                    {"labels": f'{{alertname="{alert}", severity="{severity}"}}', "value": 1} for alert, severity in alerts.items()],
            }],
        })
    file = tmp_path / "situations.test.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": tests}))
    promtool("test", "rules", file)


def test_the_dashboard_names_metrics_that_there_are(tmp_path):
    dashboard = json.loads((DEPLOY / "grafana/offersigner.json").read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert len(expressions) > 8 and used("\n".join(expressions)) <= documented()
    assert all(panel["title"] and panel["gridPos"] for panel in dashboard["panels"])
    records = [{"record": "of:panel", "expr": each.replace("$__rate_interval", "5m"), "labels": {"at": str(place)}}
               for place, each in enumerate(expressions)]
    file = tmp_path / "panels.yaml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": records}]}))
    promtool("check", "rules", file)


def test_the_image_has_the_libraries_that_the_program_needs():
    needed = re.findall(r"NEEDED.*\[(.*)\]", subprocess.run(["readelf", "-d", BINARY], capture_output=True, text=True, check=True).stdout)
    owners = subprocess.run(["dpkg", "-S", *[f"*/{name}" for name in needed]], capture_output=True, text=True, check=False).stdout
    packages = {line.split(":")[0] for line in owners.splitlines() if re.fullmatch(r".*: /(usr/)?lib/\S+-linux-gnu/[^/]+", line)}
    # Debian's smallest image has these.
    packages -= {"libc6", "libgcc-s1", "libstdc++6", "zlib1g"}
    installed = re.search(r"--no-install-recommends (.*?) \\\n", (DEPLOY / "Dockerfile").read_text())[1].split()
    assert packages == set(installed) - {"ca-certificates"}


def test_what_compose_mounts_and_waits_for_is_there():
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    commands = "".join(re.findall(r"```sh\n(.*?)```", (DEPLOY / "README.md").read_text(), re.S))
    for service in services.values():
        assert set(service.get("depends_on", [])) <= set(services)
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            assert not source.startswith("./") or (DEPLOY / source).exists() or re.search(rf"[ >]{re.escape(source[2:])}( |$)", commands, re.M), source
    done = subprocess.run(["bash", "-n", DEPLOY / "replication.sh"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def keys_of(tree, path=""):
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from keys_of(value, f"{path}{name}.")
        else:
            yield f"{path}{name}"


def test_manifests_fit_together_and_name_settings_that_there_are():
    found = {each["kind"]: each for each in yaml.safe_load_all((DEPLOY / "kubernetes/offersigner.yaml").read_text())}
    pod = found["Deployment"]["spec"]["template"]
    assert found["Service"]["spec"]["selector"].items() <= pod["metadata"]["labels"].items()
    assert found["PodDisruptionBudget"]["spec"]["minAvailable"] < found["Deployment"]["spec"]["replicas"]
    [container] = pod["spec"]["containers"]
    assert {each["name"] for each in container["volumeMounts"]} == {each["name"] for each in pod["spec"]["volumes"]}
    configuration = yaml.safe_load(found["ConfigMap"]["data"]["offersigner.yaml"])
    documented = set(re.findall(r"(?m)^\| `([\w.]+)", (ROOT / "docs/configuration.md").read_text()))
    assert set(keys_of(configuration)) - {"apps"} <= documented
    assert configuration["http"]["port"] in [each["containerPort"] for each in container["ports"]]
    mounted = {each["mountPath"] for each in container["volumeMounts"]}
    assert configuration["keys"]["directory"] in mounted
    assert found["PodDisruptionBudget"]["spec"]["unhealthyPodEvictionPolicy"] == "AlwaysAllow"
    # Whoever may claim any address is no more than a few machines.
    assert all(ipaddress.ip_network(each).num_addresses <= 256 for each in configuration["http"]["proxies"])
    start, life = container["startupProbe"], container["livenessProbe"]
    assert start["httpGet"] == life["httpGet"]
    assert start["periodSeconds"] * start["failureThreshold"] > life["periodSeconds"] * life["failureThreshold"]
