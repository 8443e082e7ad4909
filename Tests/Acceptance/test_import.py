"""`offersigner history import` and `history show`: files of every form, broken off and taken up; redemptions tied to signatures."""
import contextlib
import json
import sqlite3
import subprocess
import uuid

import pytest

from harness.app_store import BUNDLE, SHARED_SECRET
from harness.purchases import DAY, PRO, active, eligibility, hand_in, lapsed, now, signed
from harness.scale import IS_FULL, scaled
from harness.waiting import PATIENCE, wait_until
from AppStoreServer import notifications, receipts

NOTIFICATIONS = f"/v1/appstore/notifications/{BUNDLE}"


def write(file, lines):
    file.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
    return file


def run_import(service, file, *options):
    """(exit code, the report on stdout, the lines of stderr)."""
    done = service.cli("history", "import", "--app", BUNDLE, *options, file)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout), done.stderr.splitlines()


def rejected(file):
    found = file.with_name(f"{file.name}.rejected.jsonl")
    return [json.loads(line) for line in found.read_text().splitlines()] if found.exists() else None


def shown(service, customer):
    done = service.cli("history", "show", "--app", BUNDLE, customer)
    return done.returncode, done.stdout


def receipt_of(customer):
    return receipts.ios7(customer.record(), now())


def state(service, **who):
    return eligibility(service, **who)["subscription"]["state"]


def test_every_form_of_a_line_is_taken(enforcing, app_store, tmp_path):
    authority = app_store.authority
    customers = [app_store.customer() for _ in range(8)]
    lives = [active(customer) for customer in customers]
    legacy = notifications.v1(lives[6], "DID_RENEW", password="another secret of that time", generation="legacy")
    file = write(tmp_path / "forms.jsonl", [
        {"customerId": "receipt", "receipt": receipt_of(customers[0])},
        {"customerId": "signed", **signed(app_store, customers[1])},
        {"customerId": "signed", "signedRenewalInfos": customers[1].signed_renewal_infos(authority)},
        {"notification": notifications.v2(authority, lives[2])},
        receipt_of(customers[3]),
        notifications.v2(authority, lives[4]),
        notifications.v1(lives[5], "DID_RENEW", password=SHARED_SECRET),
        {"notification": legacy},
        "\n", "\r\n",
        # The last line may lack its line feed.
        json.dumps(customers[7].signed_transactions(authority)[-1]),
    ])
    code, report, _ = run_import(enforcing, file)
    assert (code, report["lines"], report["rejected"], rejected(file)) == (0, 11, 0, None)
    assert report["changed"] >= 8 and report["transactions"] >= 12
    assert (state(enforcing, customerId="receipt"), state(enforcing, customerId="signed")) == ("active", "active")
    for life in lives:
        assert state(enforcing, transactionId=life.last["transactionId"]) == "active"
    assert enforcing.counts()["notification"] == 4


def test_a_line_that_cannot_be_used_is_reported_and_the_others_are_kept(enforcing, app_store, tmp_path):
    theirs, own, foreign = app_store.customer(), app_store.customer(), app_store.customer("com.example.news")
    for customer in (theirs, own, foreign):
        active(customer)
    hand_in(enforcing, app_store, theirs, "import-owner")
    lines = [
        ({"customerId": "kept", **signed(app_store, own)}, None),
        ("{\n", "malformed-json"),
        ("7\n", "unknown-form"),
        ({"customerId": "nothing"}, "unknown-form"),
        ({"customerId": "thief", **signed(app_store, theirs)}, "bound-to-another-customer"),
        ({"customerId": "other", **signed(app_store, foreign)}, "bundle-mismatch"),
        (receipt_of(foreign), "bundle-mismatch"),
        ({"customerId": "refused", "receipt": {"status": 21003}}, "receipt-status-21003"),
        ({"customerId": "refused", "receipt": {"answer": "none"}}, "malformed-receipt"),
        (notifications.v2(app_store.authority, theirs.subscriptions[0], tampered={"notificationType": "REFUND"}), "invalid-signature"),
        ({"notification": {"neither": "nor"}}, "malformed-notification"),
        ('"a.b"\n', "malformed-jws"),
    ]
    file = write(tmp_path / "bad.jsonl", [line for line, _ in lines])
    code, report, stderr = run_import(enforcing, file)
    expected = [(number, code) for number, (_, code) in enumerate(lines, start=1) if code]
    assert code == 2 and report["rejected"] == len(expected)
    assert [(each["line"], each["code"]) for each in rejected(file)] == expected
    assert all(each["detail"] for each in rejected(file)) and "rejected.jsonl" in stderr[-1]
    assert state(enforcing, customerId="kept") == "active"
    assert {state(enforcing, customerId=name) for name in ("thief", "other", "refused")} == {"never"}


@pytest.mark.parametrize("customer_id", [42, True, {}, "", "a\u2063b", "x" * 256])
def test_a_customer_id_that_no_request_could_name_is_rejected_and_not_dropped(enforcing, app_store, tmp_path, customer_id):
    customer = app_store.customer()
    active(customer)
    before = enforcing.counts()
    file = write(tmp_path / "ids.jsonl", [{"customerId": customer_id, **signed(app_store, customer)}])
    code, report, _ = run_import(enforcing, file)
    assert (code, report["rejected"]) == (2, 1) and enforcing.counts() == before


def test_a_misspelt_name_does_not_pass_for_an_absent_one(enforcing, app_store, tmp_path):
    customer = app_store.customer()
    active(customer)
    before = enforcing.counts()
    file = write(tmp_path / "typo.jsonl", [{"customerID": "u-1", **signed(app_store, customer)}])
    code, report, _ = run_import(enforcing, file)
    assert (code, report["rejected"]) == (2, 1) and enforcing.counts() == before


def test_the_same_file_again_changes_nothing(enforcing, app_store, tmp_path):
    customers = [app_store.customer() for _ in range(5)]
    for customer in customers:
        lapsed(customer, intro=True)
    file = write(tmp_path / "twice.jsonl", [{"customerId": customer.id, "receipt": receipt_of(customer)} for customer in customers])
    code, first, _ = run_import(enforcing, file)
    assert (code, first["changed"], first["unchanged"]) == (0, 5, 0)
    before = enforcing.history()
    # It is done; and done again from the first line when that is what is wanted.
    code, again, stderr = run_import(enforcing, file)
    assert code == 0 and stderr[0] == "going on at line 6"
    code, restarted, _ = run_import(enforcing, file, "--restart")
    assert (code, restarted["changed"], restarted["unchanged"]) == (0, 0, 5)
    assert enforcing.history() == before


def compact(number, periods=12):
    """A line with a small receipt: so many months that began in 2024, of a customer of their own."""
    begin = 1_704_067_200_000
    first = 1_000_000_000 + number * 100
    return json.dumps({"customerId": f"u-{number}", "receipt": {
        "status": 0, "environment": "Production", "receipt": {"bundle_id": BUNDLE, "request_date_ms": "1760000000000"},
        "latest_receipt_info": [{
            "transaction_id": str(first + month), "original_transaction_id": str(first), "product_id": PRO,
            "purchase_date_ms": str(begin + 30 * DAY * month), "expires_date_ms": str(begin + 30 * DAY * (month + 1)),
            "is_trial_period": "true" if month == 0 else "false",
        } for month in range(periods)],
    }}) + "\n"


def test_an_import_that_was_killed_is_taken_up_again_and_complete(connected, tmp_path):
    service = connected()
    service.stop()
    # How far it has come is noted every 15 s or million transactions.
    count = scaled(6000, 120_000)
    file = tmp_path / "large.jsonl"
    with file.open("w") as sink:
        sink.writelines(compact(number) for number in range(count))
        sink.write("this is no JSON\n")

    def contents():
        with service.database(service.histories) as connection:
            return [tuple(connection.execute(f"SELECT count(*), sum({column}) FROM {table}").fetchone()) for table, column in [
                ("purchase_chain", "updated_at"), ("purchase_transaction", "transaction_id"), ("notification", "rowid"),
            ]]

    command = service.command("history", "import", "--app", BUNDLE, file)
    process = subprocess.Popen(["nice", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if IS_FULL:
        progress = process.stderr.readline()
        assert progress.startswith("line ") and "transactions" in progress
    wait_until(lambda: contents()[0][0] > 0)
    # Holds it up between two batches. It is nice, so that it has not ended by then.
    with contextlib.closing(sqlite3.connect(service.histories, timeout=PATIENCE, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        process.kill()
        process.communicate()
        connection.execute("ROLLBACK")
    assert process.returncode == -9, "it was done before it could be killed"
    assert 0 < contents()[0][0] < count
    code, report, stderr = run_import(service, file)
    assert (code, report["lines"], report["rejected"], report["transactions"]) == (2, count + 1, 1, count * 12)
    assert report["changed"] + report["unchanged"] == count and report["transactionsPerSecond"] > 0
    assert stderr[-2].startswith(f"line {count + 1}: {count * 12} transactions")
    if IS_FULL:
        assert stderr[0].startswith("going on at line ") and 1 < int(stderr[0].split()[-1]) < count
    assert [(each["line"], each["code"]) for each in rejected(file)] == [(count + 1, "malformed-json")]
    before = contents()
    assert (before[0][0], before[1][0]) == (count, count * 11)
    code, again, _ = run_import(service, file, "--restart")
    assert (code, again["changed"], again["unchanged"]) == (2, 0, count) and contents() == before
    service.start()
    for number in (0, count // 2, count - 1):
        renewal = str(1_000_000_000 + number * 100 + 11)
        for who in ({"customerId": f"u-{number}"}, {"transactionId": renewal}):
            found = eligibility(service, **who)
            assert (found["subscription"]["state"], found["introductoryOffer"]["status"]) == ("expired", "ineligible")


def test_the_service_goes_on_during_an_import(enforcing, app_store, tmp_path):
    customer = app_store.customer()
    active(customer)
    file = tmp_path / "meanwhile.jsonl"
    with file.open("w") as sink:
        sink.writelines(compact(2_000_000 + number) for number in range(scaled(4000, 40_000)))
    process = subprocess.Popen(
        ["nice", *enforcing.command("history", "import", "--app", BUNDLE, file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    signed_meanwhile = 0
    while process.poll() is None:
        name = str(uuid.uuid4())
        body = {**enforcing.offer_body(customerId=name), "signedTransactions": customer.signed_transactions(app_store.authority)[:1]}
        if signed_meanwhile:
            body.pop("signedTransactions")
        enforcing.client().sign(body)
        signed_meanwhile += 1
    assert process.returncode == 0 and signed_meanwhile > 3


@pytest.mark.parametrize("arguments", [["missing.jsonl"], []], ids=["no such file", "no file"])
def test_a_file_that_is_not_there_is_said(enforcing, arguments):
    done = enforcing.cli("history", "import", "--app", BUNDLE, *arguments)
    assert done.returncode not in (0, 2) and done.stdout == "" and done.stderr


def test_with_several_apps_one_has_to_be_named(enforcing, tmp_path):
    file = write(tmp_path / "any.jsonl", ["\n"])
    for command in (["history", "import", file], ["history", "show", "u"], ["eligibility", "u"]):
        done = enforcing.cli(*command)
        assert done.returncode not in (0, 2) and "--app" in done.stderr and "com.example.news" in done.stderr
        done = enforcing.cli(*command, "--app", "com.example.other")
        assert done.returncode not in (0, 2) and "com.example.other" in done.stderr


# What is shown


def test_a_customers_history_is_shown_as_a_timeline(enforcing, app_store):
    token = str(uuid.uuid4())
    customer = app_store.customer(app_account_token=token)
    subscription = customer.start(PRO, at=1_780_000_000_000, intro=True, intro_period="P1W").renew()
    customer.buy("com.example.coins", at=1_780_000_000_000 + DAY)
    subscription.refund(at=1_780_000_000_000 + 10 * DAY)
    hand_in(enforcing, app_store, customer, "timeline")
    apple = enforcing.client(token="")
    assert apple.post(NOTIFICATIONS, notifications.v2(app_store.authority, subscription)).status_code == 200
    first, last = (each["transactionId"] for each in subscription.transactions)
    for name in ["timeline", first, last, token, token.upper()]:
        code, text = shown(enforcing, name)
        assert code == 0, name
        assert f"original transaction {first}, group 20563228, appAccountToken {token}" in text
        lines = [line.strip() for line in text.splitlines()]
        expected = [
            f"2026-05-28T20:26:40Z  {PRO}, transaction {first}, introductory offer, until 2026-06-04T20:26:40Z, "
            "price 0 thousandths of USD, storefront USA, FREE_TRIAL",
            f"2026-06-04T20:26:40Z  {PRO}, transaction {last}, until 2026-07-04T20:26:40Z, "
            "price 9990 thousandths of USD, paid 0, storefront USA, revocationReason 0, revocationType REFUND_FULL",
            f"2026-06-07T20:26:40Z  refunded or revoked: transaction {last}",
        ]
        places = [lines.index(line) for line in expected]
        assert places == sorted(places)
        assert sum("notification V2 REFUND received" in line for line in lines) == 1
        assert any(line.startswith("as of ") and "will renew" in line for line in lines)
    assert "com.example.coins" in shown(enforcing, "timeline")[1]


def test_an_unknown_customer_is_reported_as_unknown(enforcing):
    code, text = shown(enforcing, "nobody at all")
    assert code == 1 and text == "nothing is known of nobody at all\n"


def test_eligibility_on_the_command_line_is_that_of_the_http_answer(enforcing, app_store):
    customer = app_store.customer()
    lapsed(customer, intro=True)
    hand_in(enforcing, app_store, customer, "both-ways")
    done = enforcing.cli("eligibility", "--app", BUNDLE, "--product", PRO, "--json", "both-ways")
    answer = enforcing.client().post("/v1/eligibility", {"bundleId": BUNDLE, "customerId": "both-ways", "products": [PRO]}).json()
    by_command = json.loads(done.stdout)
    assert done.returncode == 0 and by_command["products"] == answer["products"]
    assert by_command["historyUpdatedAt"] == answer["historyUpdatedAt"]
    done = enforcing.cli("eligibility", "--app", BUNDLE, "--product", "none", "both-ways")
    assert done.returncode not in (0, 2) and "none" in done.stderr
    done = enforcing.cli("eligibility", "--app", BUNDLE, "--at", "yesterday", "both-ways")
    assert done.returncode not in (0, 2) and "yesterday" in done.stderr


# Redemptions


def sign(service, offer="winback50", **fields):
    body = {"bundleId": BUNDLE, "offers": [{"productId": PRO, "offerId": offer}], **fields}
    [result] = service.client().sign(body)
    assert result["status"] == "signed"
    return result["nonce"]


def tied(service):
    """Nonces by the transaction that redeemed them, for transactions that have been looked at."""
    with service.database(service.histories) as connection:
        rows = connection.execute("SELECT transaction_id, nonce FROM redemption WHERE searched_at IS NOT NULL").fetchall()
    return {str(row["transaction_id"]): row["nonce"] and str(uuid.UUID(bytes=row["nonce"])) for row in rows}


def test_a_redemption_is_tied_to_the_signature_that_allowed_it(connected, app_store):
    service = connected(eligibility="enforce")
    token = str(uuid.uuid4())
    bound, by_token, renews = app_store.customer(), app_store.customer(app_account_token=token), app_store.customer()
    others, unsigned = app_store.customer(), app_store.customer()
    for customer, name in [(bound, "bound"), (by_token, None), (others, "others"), (unsigned, "unsigned")]:
        lapsed(customer)
        hand_in(service, app_store, customer, name)
    running = active(renews)
    hand_in(service, app_store, renews, "renews")

    nonces = {
        "bound": sign(service, customerId="bound"), "by token": sign(service, appAccountToken=token),
        "renews": sign(service, customerId="renews"),
    }
    # Another offer, and the same for another customer: not what was redeemed.
    sign(service, customerId="others")
    sign(service, "loyalty20", customerId="bound")
    bound.subscriptions[0].resubscribe(at=now(), offer_id="winback50")
    by_token.subscriptions[0].resubscribe(at=now(), offer_id="winback50")
    unsigned.subscriptions[0].resubscribe(at=now(), offer_id="winback50")
    running.redeem_promotional_offer("winback50", at=now()).renew(at=now())
    hand_in(service, app_store, bound)
    hand_in(service, app_store, by_token)
    hand_in(service, app_store, unsigned)
    body = notifications.v2(app_store.authority, running)
    assert service.client(token="").post(NOTIFICATIONS, body).status_code == 200

    redeemed = {
        name: customer.transactions[-1]["transactionId"]
        for name, customer in [("bound", bound), ("by token", by_token), ("renews", renews), ("unsigned", unsigned)]
    }
    if not IS_FULL:
        # It looks every ten seconds, and at its start.
        service.stop()
        service.start()
    found = wait_until(lambda: len(tied(service)) == 4 and tied(service))
    assert found == {transaction: nonces.get(name) for name, transaction in redeemed.items()}
    assert f"signed by us, nonce {nonces['bound']}" in shown(service, "bound")[1]
    assert f"signed by us, nonce {nonces['by token']}" in shown(service, token)[1]
    assert "signed by us" not in shown(service, "unsigned")[1]
    assert set(nonces.values()) <= set(service.rows())


def test_one_signature_is_tied_to_one_redemption(connected, app_store):
    service = connected(eligibility="enforce")
    customer = app_store.customer()
    subscription = lapsed(customer)
    hand_in(service, app_store, customer, "twice")
    nonce = sign(service, customerId="twice")
    subscription.resubscribe(at=now() - 1000, offer_id="winback50")
    subscription.resubscribe(at=now(), offer_id="winback50")
    hand_in(service, app_store, customer)
    # At its start it looks at once.
    service.stop()
    service.start()
    found = wait_until(lambda: len(tied(service)) == 2 and tied(service))
    assert sorted(found.values(), key=str) == sorted([nonce, None], key=str)


def test_a_redemption_whose_customer_is_named_later_is_tied_then(connected, app_store):
    """The notification often comes before the app's backend says whose subscription it is."""
    service = connected(eligibility="advise")
    customer = app_store.customer()
    nonce = sign(service, customerId="late")
    subscription = customer.start(PRO, at=now(), offerType=2, offerIdentifier="winback50", offerDiscountType="PAY_AS_YOU_GO")
    assert service.client(token="").post(NOTIFICATIONS, notifications.v2(app_store.authority, subscription)).status_code == 200
    service.stop()
    service.start()
    redeemed = subscription.original_id
    wait_until(lambda: redeemed in tied(service))
    hand_in(service, app_store, customer, "late")
    service.stop()
    service.start()
    wait_until(lambda: tied(service).get(redeemed) == nonce)
