"""Commands of the operations manual, run as they stand there."""
import re
import sqlite3
import subprocess
import uuid

from harness.app_store import BUNDLE
from harness.purchases import PRO, active, hand_in
from harness.service import ROOT
from harness.waiting import PATIENCE

MANUAL = (ROOT / "docs/operations.md").read_text()


def test_the_install_section_makes_every_folder_that_the_manual_names():
    install = MANUAL.split("## Install\n")[1].split("\n## ")[0]
    for folder in set(re.findall(r"(/etc/offersigner/[a-z]+)/", MANUAL)):
        assert re.search(rf"install -d .*{folder}\b", install), folder


def test_what_erases_a_customer_leaves_nothing_of_them(connected, app_store):
    service = connected(eligibility="enforce")
    token = str(uuid.uuid4())
    customer = app_store.customer(app_account_token=token)
    active(customer)
    offers = [{"productId": PRO, "offerId": "winback50"}]
    outcomes = []
    for step in (None, lambda: hand_in(service, app_store, customer, "u-123")):
        if step:
            step()
        for who in ("u-123", "u-124"):
            body = {"bundleId": BUNDLE, "customerId": who, "offers": offers}
            [result] = service.client().sign(body | ({"appAccountToken": token} if step and who == "u-123" else {}))
            outcomes.append((who, result["status"]))
    assert outcomes == [("u-123", "refused"), ("u-124", "refused"), ("u-123", "signed"), ("u-124", "refused")]
    service.stop()
    traces = ["u-123", token, *(each["transactionId"] for each in customer.transactions)]
    assert all(trace in dump(service) for trace in traces)

    script = re.search(r"```sh\n(cat .*?)^```$", MANUAL.split("### Erase a customer")[1], re.S | re.M)[1]
    script = script.replace("var/", f"{service.folder}/").replace("com.example.app", BUNDLE)
    script = re.sub(r"'[0-9a-f]{8}-[0-9a-f-]{27}'", f"'{token}'", script)
    script = script.replace("offersigner audit erase", " ".join(service.command("audit", "erase")))
    subprocess.run(["sh", "-ec", script], cwd=service.folder, text=True, check=True, timeout=PATIENCE)
    assert service.cli("audit", "verify").returncode == 0
    left = dump(service)
    assert [trace for trace in traces if trace in left] == []
    assert left.count("u-124") == 2 and "signed_request" in left


def dump(service):
    """All that the store holds, as SQL."""
    text = ""
    for file in (service.store, service.histories):
        with sqlite3.connect(file) as database:
            text += "\n".join(line for line in database.iterdump() if line.startswith("INSERT"))
    return text
