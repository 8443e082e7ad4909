"""scripts/instance: what outside suites start the service with."""
import subprocess

from harness.app_store import BUNDLE
from harness.service import INSTANCE
from harness.waiting import PATIENCE

THIRD_APP = """
apps:
  - bundleId: com.example.third
    eligibility: advise
    subscriptionGroups: [{id: "1", products: [{id: third, period: P1M, promotionalOffers: [{id: back, kind: free-trial, period: P1M}]}]}]
"""


def test_an_app_that_is_laid_over_the_example_can_sign_at_once(new_service):
    service = new_service(extra=THIRD_APP)
    [result] = service.client().sign({"bundleId": "com.example.third", "offers": [{"productId": "third", "offerId": "back"}]})
    assert (result["status"], service.bundle_id) == ("signed", BUNDLE)


def test_a_port_of_the_configuration_laid_over_it_counts(new_service):
    other = new_service()
    other.stop()
    service = new_service(extra=f"http: {{port: {other.port}}}\n", start=False)
    service.start()
    assert service.url == other.url and service.client().get("/livez").status_code == 200


def test_a_port_that_another_service_has_is_refused(instance, tmp_path):
    done = subprocess.run(
        [INSTANCE, "start", tmp_path / "other", "--port", str(instance.port)], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode != 0 and done.stdout == "" and f"port {instance.port}: Address already in use" in done.stderr
