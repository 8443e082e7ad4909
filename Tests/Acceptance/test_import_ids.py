"""`offersigner history import --ids`: a list with one transaction id of each customer; everything else comes from the App Store."""
import json
import subprocess

from harness.app_store import BUNDLE
from harness.purchases import PRO, YEARLY, active, eligibility, hand_in, lapsed
from harness.scale import scaled


def run_import(service, file, *options):
    done = service.cli("history", "import", "--app", BUNDLE, "--ids", *options, file)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr.splitlines()


def rejected(file):
    return [json.loads(line) for line in file.with_name(file.name + ".rejected.jsonl").read_text().splitlines()]


def people(app_store, count):
    """Customers with different pasts, and the id of their first transaction."""
    made = []
    for number in range(count):
        customer = app_store.customer()
        if number % 3 == 0:
            subscription = lapsed(customer, PRO, intro=number % 2 == 0)
        elif number % 3 == 1:
            subscription = active(customer, YEARLY)
        else:
            subscription = lapsed(customer, YEARLY, intro=True)
        app_store.add(customer)
        made.append((f"u-{number}", customer, subscription.original_id))
    return made


def shown(service, name, product):
    found = eligibility(service, product, customerId=name)
    return {key: found[key] for key in ("introductoryOffer", "promotionalOffers", "winBackOffers", "subscription") if key in found}


def test_verdicts_are_those_of_purchases_handed_in(connected, app_store, tmp_path):
    service = connected()
    count = scaled(12, 600)
    customers = people(app_store, count)
    file = tmp_path / "export.csv"
    rows = [f'"{name}",Pro,"a ""b"", c",{transaction}\r\n' for name, _, transaction in customers]
    file.write_bytes("\ufeffcustomer,plan,note,store_transaction_id\r\n".encode() + "".join(rows).encode())
    code, report, _ = run_import(service, file, "--customer-column", "customer", "--transaction-column", "store_transaction_id")
    assert (code, report["lines"], report["changed"], report["rejected"]) == (0, count + 1, count, 0)
    oracle = connected()
    for name, customer, _ in customers:
        hand_in(oracle, app_store, customer, name)
        for product in (PRO, YEARLY):
            assert shown(service, name, product) == shown(oracle, name, product), (name, product)


def test_lines_that_cannot_be_used_are_reported(connected, app_store, tmp_path):
    service = connected()
    [(name, _, transaction), (_, _, other)] = people(app_store, 2)
    file = tmp_path / "ids.jsonl"
    lines = [
        json.dumps({"customerId": name, "transactionId": transaction, "more": 1}), "", "{", json.dumps({"customerId": name}),
        json.dumps({"customerId": name, "transactionId": int(transaction)}),
        json.dumps({"customerId": "", "transactionId": transaction}), json.dumps({"customerId": "x", "transactionId": "999999"}),
        json.dumps({"customerId": "another", "transactionId": transaction}), json.dumps({"customerId": "u-1", "transactionId": other}),
    ]
    file.write_text("\n".join(lines))
    code, report, stderr = run_import(service, file)
    assert (code, report["lines"], report["changed"]) == (2, 9, 2)
    assert [(each["line"], each["code"]) for each in rejected(file)] == [
        (3, "malformed-json"), (4, "invalid-field"), (5, "invalid-field"), (6, "invalid-field"), (7, "app-store-not-found"),
        (8, "bound-to-another-customer"),
    ]
    assert "999999" in rejected(file)[4]["detail"] and "see " in stderr[-1]
    assert eligibility(service, customerId=name)["subscription"]["state"] == "expired"
    # The same list again asks again, and says the same.
    code, again, _ = run_import(service, file, "--restart")
    assert (code, again["rejected"]) == (2, 6)


def test_a_csv_without_the_column_is_refused_and_an_app_without_issuer_id_too(connected, app_store, tmp_path, new_service):
    file = tmp_path / "ids.csv"
    file.write_text("customer,transactionId\nu,1\n")
    code, report, stderr = run_import(connected(), file)
    assert code not in (0, 2) and report is None
    assert "no columns customerId and transactionId: customer,transactionId" in stderr[-1]
    done = connected().cli("history", "import", "--app", BUNDLE, "--customer-column", "x", file)
    assert done.returncode == 64 and "go with --ids" in done.stderr


def test_the_app_store_asks_for_fewer_requests_and_fails_for_a_while(connected, app_store, tmp_path):
    service = connected()
    customers = people(app_store, 4)
    file = tmp_path / "ids.csv"
    file.write_text("customerId,transactionId\n" + "".join(f"{name},{transaction}\n" for name, _, transaction in customers))
    app_store.fault("history", times=3, retryAfterMilliseconds=700)
    code, report, _ = run_import(service, file)
    assert (code, report["changed"], report["rejected"]) == (0, 4, 0)
    app_store.clear_faults()


def test_a_key_that_the_app_store_refuses_ends_the_import_and_loses_nothing(connected, app_store, tmp_path):
    service = connected()
    customers = people(app_store, 2)
    file = tmp_path / "ids.csv"
    file.write_text("customerId,transactionId\n" + "".join(f"{name},{transaction}\n" for name, _, transaction in customers))
    app_store.fault(httpStatus=401)
    code, report, stderr = run_import(service, file)
    assert code not in (0, 2) and report is None and "app-store-unauthorized" in stderr[-1]
    app_store.clear_faults()
    code, report, _ = run_import(service, file)
    assert (code, report["changed"]) == (0, 2)


def test_an_import_that_was_killed_goes_on_where_it_was(connected, app_store, tmp_path):
    count = scaled(140, 100_000)
    service = connected()
    [(name, _, transaction)] = people(app_store, 1)
    file = tmp_path / "ids.csv"
    file.write_text("customerId,transactionId\n" + f"{name},{transaction}\n" * (count - 1) + "u-1,1\n")
    app_store.forget_requests()

    def asked():
        return sum(each["path"].split("?")[0].endswith(f"/{transaction}") for each in app_store.requests("history"))

    process = subprocess.Popen(
        service.command("history", "import", "--app", BUNDLE, "--ids", file), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert any(line.startswith("line 100: ") for line in iter(process.stderr.readline, ""))
    process.kill()
    process.communicate()
    before = asked()
    code, report, stderr = run_import(service, file)
    assert int(stderr[0].removeprefix("going on at line ")) >= 101
    assert (code, report["lines"], report["changed"] + report["unchanged"], report["rejected"]) == (2, count + 1, count - 1, 1)
    assert [(each["line"], each["code"]) for each in rejected(file)] == [(count + 1, "app-store-not-found")]
    # What was noted is not asked about again.
    assert asked() - before <= count - 100
