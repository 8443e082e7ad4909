"""A store that is full, read-only or gone: 503, never a signature without its row, and back without a restart."""
import contextlib

from harness.scale import scaled
from harness.waiting import wait_until


def refused(client, body):
    """Asks for a signature that cannot be given; fails on anything but a well-behaved 503."""
    answer = client.post("/v1/signatures", body)
    assert answer.status_code == 503, answer.text
    assert answer.json()["code"] == "not-ready"
    assert int(answer.headers["retry-after"]) >= 1
    assert "signature" not in answer.json() and "results" not in answer.json()


def recovers(service):
    """The results of the first request that is signed again."""
    client = service.client()

    def results():
        return client.post("/v1/signatures", service.offer_body()).json().get("results")

    return wait_until(results, promised=5)


def is_ready(service, check="store"):
    answer = service.client().get("/readyz")
    checks = {each["name"]: each["ok"] for each in answer.json()["checks"]}
    assert (answer.status_code == 200) == answer.json()["ready"] == all(checks.values())
    return checks[check]


def test_a_full_disk_means_503_and_no_signature_without_its_row(new_service, small_disk):
    store = small_disk / "offersigner.sqlite"
    service = new_service(extra=f"store: {{sqlite: {store}}}\n")
    client = service.client()
    acknowledged = {result["nonce"] for result in client.sign(service.offer_body())}
    for turn in range(scaled(2, 5)):
        ballast = small_disk / "ballast"
        with open(ballast, "wb", buffering=0) as file:
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"x" * 4096)
        # What SQLite has allocated already may still take some rows.
        body = service.offer_body()
        body["offers"] = body["offers"] * 20
        for _ in range(2000):
            answer = client.post("/v1/signatures", body)
            if answer.status_code != 200:
                break
            acknowledged |= {result["nonce"] for result in answer.json()["results"]}
        assert answer.status_code == 503, "the disk is full, and everything is signed"
        for index in range(20):
            refused(client, service.offer_body())
            headers = {"Idempotency-Key": f"full-{turn}-{index}"}
            assert client.post("/v1/signatures", body, headers=headers).status_code == 503
        # A trial needs less room than a signature: it may take the last of it.
        wait_until(lambda: not is_ready(service), promised=5)
        ballast.unlink()
        acknowledged |= {result["nonce"] for result in recovers(service)}
        # The keys of refused requests are free.
        acknowledged |= {result["nonce"] for result in client.sign(body, headers={"Idempotency-Key": f"full-{turn}-0"})}
        assert set(service.rows(store)) == acknowledged
        wait_until(lambda: is_ready(service), promised=5)
    service.kill()
    service.start()
    assert set(service.rows(store)) == acknowledged


def test_a_nonce_that_was_refused_for_want_of_space_is_still_good(new_service, small_disk):
    store = small_disk / "offersigner.sqlite"
    service = new_service(extra=f"store: {{sqlite: {store}}}\n")
    client = service.client()
    [nonce] = client.nonces(service.bundle_id)
    ballast = small_disk / "ballast"
    with open(ballast, "wb", buffering=0) as file:
        with contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 4096)
    body = service.offer_body()
    body["offers"] = body["offers"] * 20
    for _ in range(2000):
        if client.post("/v1/signatures", body).status_code == 503:
            break
    refused(client, service.offer_body(nonce=nonce))
    ballast.unlink()
    recovers(service)
    client.sign(service.offer_body(nonce=nonce))


def test_a_read_only_store_means_503_until_it_can_be_written_again(new_service):
    service = new_service()
    client = service.client()
    client.sign(service.offer_body())
    rows = set(service.rows())
    service.store.chmod(0o444)
    for _ in range(20):
        refused(client, service.offer_body())
    wait_until(lambda: not is_ready(service), promised=5)
    assert set(service.rows()) == rows
    service.store.chmod(0o644)
    acknowledged = {result["nonce"] for result in recovers(service)}
    assert set(service.rows()) == rows | acknowledged
    wait_until(lambda: is_ready(service), promised=5)


def test_a_store_that_was_moved_away_means_503_until_it_is_back(new_service, tmp_path):
    service = new_service()
    client = service.client()
    client.sign(service.offer_body())
    rows = set(service.rows())
    away = tmp_path / "away.sqlite"
    service.store.rename(away)
    for _ in range(20):
        refused(client, service.offer_body())
    wait_until(lambda: not is_ready(service), promised=5)
    assert not service.store.exists(), "the service made an empty store in place of the lost one"
    away.rename(service.store)
    acknowledged = {result["nonce"] for result in recovers(service)}
    assert set(service.rows()) == rows | acknowledged
    wait_until(lambda: is_ready(service), promised=5)
    service.kill()
    service.start()
    assert set(service.rows()) == rows | acknowledged


def test_a_store_that_another_one_took_the_place_of_means_503(new_service, tmp_path):
    service, other = new_service(), new_service()
    other.stop()
    client = service.client()
    client.sign(service.offer_body())
    away = tmp_path / "away.sqlite"
    service.store.rename(away)
    service.store.write_bytes(other.store.read_bytes())
    refused(client, service.offer_body())
    service.store.unlink()
    away.rename(service.store)
    recovers(service)


def test_a_deleted_log_of_the_store_means_503_and_not_lost_rows(new_service):
    service = new_service()
    client = service.client()
    client.sign(service.offer_body())
    service.store.with_name("offersigner.sqlite-wal").unlink()
    refused(client, service.offer_body())


def test_check_config_warns_when_the_histories_seem_to_be_lost(new_service, tmp_path):
    service = new_service()

    def check(mode):
        overlay = tmp_path / f"{mode}.yaml"
        overlay.write_text("apps:\n" + "".join(f"  - {{bundleId: com.example.{app}, eligibility: {mode}}}\n" for app in ["app", "news"]))
        done = service.cli("check-config", "--config", overlay)
        assert done.returncode == 0, done.stderr
        return "no purchase histories" in done.stdout

    assert not check("enforce"), "a new store has lost nothing"
    service.client().sign(service.offer_body())
    assert check("enforce") and not check("advise")
    binding = {"bundleId": service.bundle_id, "transactionId": "7"}
    service.client("backend").post("/v1/customers/u-1/transactions", binding).raise_for_status()
    assert not check("enforce")


def test_while_the_store_is_away_nonces_and_health_are_still_answered(new_service):
    service = new_service()
    client = service.client()
    service.store.chmod(0o444)
    assert client.get("/livez").json() == {"alive": True}
    assert client.post("/v1/nonces", {"bundleId": service.bundle_id}).status_code in (200, 503)
    assert client.get("/metrics").status_code == 200
    service.store.chmod(0o644)
    recovers(service)


def test_a_failed_commit_shows_in_the_metrics(new_service):
    service = new_service()
    service.client().sign(service.offer_body())
    assert service.metric("offersigner_ledger_commit_failures_total") == 0
    service.store.chmod(0o444)
    refused(service.client(), service.offer_body())
    assert service.metric("offersigner_ledger_commit_failures_total") >= 1
    service.store.chmod(0o644)
