"""Campaigns as code: validate, simulate and diff, as a marketer at a terminal sees them, and the manual's examples."""
import json
import re

import pytest
import yaml

from harness.app_store import BUNDLE
from harness.purchases import active, hand_in, lapsed
from harness.service import EXAMPLE, ROOT, run

MANUAL = (ROOT / "docs/campaigns.md").read_text()
EXAMPLES = re.findall(r"```yaml\n(.*?)```", MANUAL, re.DOTALL)
CAMPAIGN = """\
campaigns:
  - id: winback
    name: Win back
    bundleId: com.example.app
    holdout: 500
    audience:
      all:
        - {fact: subscription.state, group: 20563228, is: expired}
        - {attribute: country, oneOf: [US, CA, NO]}
        - {attribute: level, above: 2}
    variants:
      - {id: control, weight: 5000}
      - {id: half, weight: 5000, offers: [{productId: com.example.pro.monthly, offerId: winback50}]}
"""


@pytest.fixture
def file(tmp_path):
    def write(text, name="campaigns.yaml"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def validate(*files):
    return run("campaigns", "validate", *files, "--config", EXAMPLE)


def murmur3(text):
    """MurmurHash3 x86 32-bit with seed 0, written from its description."""
    data = text.encode()
    hashed = 0
    tail = len(data) // 4 * 4
    for start in range(0, len(data), 4):
        word = int.from_bytes(data[start : start + 4], "little") * 0xCC9E2D51 & 0xFFFFFFFF
        hashed ^= (word << 15 | word >> 17) * 0x1B873593 & 0xFFFFFFFF
        if start < tail:
            hashed = ((hashed << 13 | hashed >> 19) & 0xFFFFFFFF) * 5 + 0xE6546B64 & 0xFFFFFFFF
    hashed ^= len(data)
    for shift, factor in [(16, 0x85EBCA6B), (13, 0xC2B2AE35)]:
        hashed = (hashed ^ hashed >> shift) * factor & 0xFFFFFFFF
    return hashed ^ hashed >> 16


def bucket(campaign, purpose, unit):
    return murmur3(f"{campaign}:{purpose}:{unit}") * 10_000 >> 32


# The manual


TERMINAL = dict(zip(["validate", "simulate", "diff"], re.findall(r"```text\n(.*?)```", MANUAL, re.DOTALL)))


def test_what_the_manual_shows_of_validate_is_what_is_printed(file):
    path = file(EXAMPLES[0].replace("[expired]", "[lapsed]").replace("weight: 5000}", "weight: 4000}"))
    assert validate(path).stdout.replace(f"{path}:", "campaigns.yaml:") == TERMINAL["validate"]


def test_what_the_manual_shows_of_simulate_is_what_is_printed(file, app_store, enforcing):
    lapsed(customer := app_store.customer())
    hand_in(enforcing, app_store, customer, "u-123")
    [command] = re.findall(r"^    offersigner (campaigns simulate .*)$", MANUAL, re.MULTILINE)
    arguments = command.replace("campaigns.yaml", str(file(EXAMPLES[0]))).split()
    printed = enforcing.cli(*arguments).stdout
    # How long ago it lapsed depends on today.
    days = re.compile(r"(?<=and 90 – found: )\d+")
    assert days.sub("", printed) == days.sub("", TERMINAL["simulate"])


def test_what_the_manual_shows_of_diff_is_what_is_printed(file):
    more = "offerId: winback50}, {productId: com.example.pro.yearly, offerId: yearly30}]"
    old = file(EXAMPLES[0].replace("enrolment: 10000", "enrolment: 2500"), "old.yaml")
    new = file(EXAMPLES[0].replace("[US, CA]", "[US, CA, MX]").replace("offerId: winback50}]", more), "new.yaml")
    assert run("campaigns", "diff", old, new).stdout == TERMINAL["diff"]


# Validate


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: re.search("- id: (.*?)( |\n)", text)[1])
def test_every_example_of_the_manual_is_right(file, text):
    done = validate(file(text))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.endswith(", no errors, no warnings\n") and done.stdout.count("\n") == 1


def test_the_manual_explains_every_key_operator_and_fact(file):
    """What the program knows, it names when it is given something else."""
    text = "campaigns: [{x: 1, schedule: {x: 1}, limits: {x: 1}, goal: {x: 1}, audience: {fact: x}, variants: [{x: 1, offers: [{x: 1}]}]}]"
    told = validate(file(text)).stdout
    names = set(re.findall(r"\w+", " ".join(re.findall("one of (?:the keys )?(.*)", told))))
    assert {"exclusionGroup", "until", "perCustomer", "detect", "versionAtLeast", "weight", "offerId"} <= names
    for name in names:
        assert re.search(rf"[`.]{name}[`:.[]", MANUAL), name
    unknown = CAMPAIGN.replace("subscription.state", "subscription.status")
    [facts] = re.findall(r"is not a fact. Use one of: (.*)\.$", validate(file(unknown)).stdout, re.MULTILINE)
    assert len(facts.split(", ")) >= 17
    for fact in facts.split(", "):
        assert f"\n| `{fact}` |" in MANUAL, fact


def test_each_finding_has_its_file_line_and_field(file):
    bad = CAMPAIGN.replace("is: expired", "is: lapsed").replace("weight: 5000}", "weight: 4000}").replace("winback50", "winback")
    done = validate(file(CAMPAIGN, "good.yaml"), path := file(bad.replace("id: winback\n", "id: other\n", 1), "bad.yaml"))
    lines = done.stdout.splitlines()
    assert done.returncode == 1 and done.stderr == ""
    assert [line.split(": ")[:3] for line in lines if ": error: " in line] == [
        [f"{path}:8", "error", "campaigns[0].audience.all[0].is"], [f"{path}:11", "error", "campaigns[0].variants"],
        [f"{path}:13", "error", "campaigns[0].variants[1].offers[0].offerId"],
    ]
    assert "`subscription.state` is never `lapsed`. Use one of: never, active" in done.stdout
    assert re.fullmatch(r"2 campaigns, no segments, 3 errors, (no|\d+) warnings?", lines[-1])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("campaigns:\n  - id: 7\n    colour: red\n    audience:\n", [
            ":3: error: campaigns[0].colour: is not known here", ":4: error: campaigns[0].audience: is empty: give it a value",
            ":2: error: campaigns[0].name: is missing", ":2: error: campaigns[0].variants: is missing"]),
        ("campaigns: [\n", [": error: is not YAML: line 2"]),
        ("a: 1\na: 2\n", [": error: is not YAML: line 1: twice in one map: a"]),
        ("- id: x\n", [":1: error: must have keys of its own: campaigns, segments"]),
        ("", [": error: must have keys of its own: campaigns, segments"]),
        (CAMPAIGN.replace("com.example.app", "com.example.none"), [
            ":4: error: campaigns[0].bundleId: The configuration has no app `com.example.none`. It has: `com.example.app`"]),
        (CAMPAIGN + CAMPAIGN.split("\n", 1)[1], [":14: error: campaigns[1].id: Another campaign has the id `winback`."]),
        (CAMPAIGN.replace("level, above: 2", "level, above: '2'"), [
            ":10: error: campaigns[0].audience.all[2].above: Give a number."]),
        (CAMPAIGN.replace("    holdout: 500\n", "    schedule: {until: 2020-01-01}\n"), [
            ":5: error: campaigns[0].schedule.until: The end is in the past"]),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else "",
)
def test_faults_are_reported_with_their_line(file, text, told):
    path = file(text)
    done = validate(path)
    assert done.returncode == 1 and done.stderr == ""
    for each in told:
        assert f"{path}{each}" in done.stdout, done.stdout


def test_segments_are_checked_too_and_found_across_files(file):
    segments = file("segments:\n  - {id: lapsed, name: Lapsed, condition: {fact: subscription.state, group: 20563228, is: expired}}\n", "s.yaml")
    using = CAMPAIGN.replace("{attribute: level, above: 2}", "{segment: lapsed}")
    alone = validate(file(using))
    assert alone.returncode == 1 and "campaigns[0].audience.all[2].segment: The segment `lapsed` does not exist." in alone.stdout
    both = validate(file(using), segments)
    assert both.returncode == 0 and both.stdout == "1 campaign, 1 segment, no errors, no warnings\n"
    wrong = validate(file("segments:\n  - {id: a, name: A, condition: {segment: b}}\n  - {id: b, name: B, condition: {segment: a}}\n"))
    assert wrong.returncode == 1 and ":2: error: segments[0].condition.segment: The segments refer to each other in a circle" in wrong.stdout


def test_warnings_alone_do_not_fail(file):
    done = validate(file(CAMPAIGN.replace("holdout: 500", "holdout: 10000")))
    assert done.returncode == 0 and ":5: warning: campaigns[0].holdout: " in done.stdout
    assert done.stdout.endswith("1 campaign, no segments, no errors, 1 warning\n")


def test_json_says_the_same_and_wants_its_quotes(file):
    document = yaml.safe_load(CAMPAIGN.replace("20563228", '"20563228"').replace("NO]", '"NO"]'))
    assert validate(file(json.dumps(document), "campaigns.json")).stdout == "1 campaign, no segments, no errors, no warnings\n"
    document["campaigns"][0]["audience"]["all"][0]["group"] = 20563228
    done = validate(path := file(json.dumps(document), "campaigns.json"))
    assert done.stdout == f"{path}: error: campaigns[0].audience.all[0].group: must be a text: put it in quotes\n1 error\n"
    done = validate(path := file("{\n\n]", "campaigns.json"))
    assert done.returncode == 1 and f"{path}: error: is not JSON: line 3" in done.stdout


def test_a_missing_file_is_reported(tmp_path):
    done = validate(tmp_path / "none.yaml")
    assert done.returncode == 1 and done.stdout.startswith(f"{tmp_path}/none.yaml: error: cannot be read: No such file")


# Simulate


@pytest.fixture(scope="module")
def customers(app_store, enforcing):
    """Ids of customers whose subscription has lapsed, and of one whose runs."""
    ids = [f"lapsed-{number}" for number in range(8)]
    for each in ids:
        lapsed_customer = app_store.customer()
        lapsed(lapsed_customer)
        hand_in(enforcing, app_store, lapsed_customer, each)
    running = app_store.customer()
    active(running)
    hand_in(enforcing, app_store, running, "running")
    return ids


def simulate(service, path, customer, *more):
    return service.cli("campaigns", "simulate", path, "--app", BUNDLE, "--customer", customer, *more)


FITTING = ["--attribute", "country=NO", "--attribute", "level=3"]


def test_every_customer_gets_what_the_hash_says(file, enforcing, customers):
    path, found = file(CAMPAIGN.replace("holdout: 500", "holdout: 3000")), set()
    for customer in customers:
        done = simulate(enforcing, path, customer, *FITTING)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        if bucket("winback", "holdout", customer) < 3000:
            told, offers = "held out: gets nothing, for comparison", "offers: none"
        elif bucket("winback", "variant", customer) < 5000:
            told, offers = "variant control, which offers nothing", "offers: none"
        else:
            told, offers = "variant half", "offers:"
        lines = done.stdout.splitlines()
        assert f"  {told}" in lines and offers in lines, done.stdout
        for purpose in ["holdout", "enrol", "variant"]:
            number = murmur3(f"winback:{purpose}:{customer}")
            assert re.search(rf"^    {purpose} +hash {number} +bucket {number * 10_000 >> 32} ", done.stdout, re.MULTILINE), done.stdout
        found.add(told)
    assert len(found) == 3, "the customers are too much alike"


def test_an_offer_comes_with_what_eligibility_says_of_it(file, enforcing, customers):
    one = next(each for each in customers if bucket("winback", "variant", each) >= 5000 and bucket("winback", "holdout", each) >= 500)
    done = simulate(enforcing, file(CAMPAIGN), one, *FITTING)
    lines = done.stdout.splitlines()
    at = lines.index("offers:")
    assert lines[at + 1] == "  winback50 of com.example.pro.monthly, by winback, variant half"
    assert lines[at + 2].startswith("    eligibility: eligible: ")
    assert re.fullmatch(rf"{one} in {BUNDLE}, Production, as of \S+Z, history: partial", lines[0])
    assert lines[1:3] == ["attribute country (not verified): NO", "attribute level (not verified): 3"]


def test_obstacles_are_reported_with_the_value_that_was_found(file, enforcing, customers):
    done = simulate(enforcing, file(CAMPAIGN), "running", "--attribute", "country=DE")
    assert "  passed over: the customer does not fit the audience\n" in done.stdout
    parts = [re.sub(" +", " ", line.strip()) for line in done.stdout.splitlines() if " – found: " in line]
    assert parts == [
        "no subscription state in group 20563228 is expired – found: active",
        "no attribute country (not verified) is one of US, CA, NO – found: DE",
        "unknown attribute level (not verified) is more than 2 – found: not known",
    ]
    unknown = simulate(enforcing, file(CAMPAIGN), customers[0], "--attribute", "country=US")
    assert "passed over: it is not known whether the customer fits the audience\n" in unknown.stdout
    # Before the subscription lapsed it ran.
    earlier = simulate(enforcing, file(CAMPAIGN), customers[0], *FITTING, "--at", "2020-01-01T00:00:00Z")
    assert "found: never" in earlier.stdout


def test_placements_schedules_and_exclusion_groups_pass_over_too(file, enforcing, customers):
    def variant(name, extra):
        return f"  - {{id: {name}, name: N, bundleId: {BUNDLE}, {extra}, variants: [{{id: a, weight: 10000}}]}}\n"

    text = "campaigns:\n" + variant("elsewhere", "placement: paywall") + variant("later", "schedule: {from: 2099-01-01}")
    text += variant("over", "schedule: {until: 2020-01-01}") + variant("first", "exclusionGroup: g, priority: 2")
    text += variant("second", "exclusionGroup: g, priority: 1") + variant("cancel", "placement: retention") + variant("few", "enrolment: 0")
    done = simulate(enforcing, file(text), customers[0], "--placement", "settings")
    told = dict(re.findall(r"^(\w+) \(N\), priority \d\n  (.*)$", done.stdout, re.MULTILINE))
    assert list(told)[:2] == ["first", "second"]
    assert told == {
        "first": "variant a, which offers nothing", "second": "passed over: first of the same exclusion group (g) takes the customer",
        "elsewhere": "passed over: it is for placement paywall only", "later": "passed over: it begins at 2099-01-01T00:00:00Z",
        "over": "passed over: it ended at 2020-01-01T00:00:00Z", "cancel": "passed over: it is for placement retention only",
        "few": "passed over: the customer is not among the 0 % that are let in",
    }


def test_the_json_has_all_that_was_looked_at(file, enforcing, customers):
    done = simulate(enforcing, file(CAMPAIGN), customers[1], *FITTING, "--json")
    answer = json.loads(done.stdout)
    assert (answer["customerId"], answer["environment"], answer["attributes"]) == (customers[1], "Production", {"country": "NO", "level": 3})
    [campaign] = answer["campaigns"]
    assert campaign["unit"] == {"kind": "customer", "id": customers[1]} and campaign["audience"]["holds"] == "yes"
    assert [part["value"] for part in campaign["audience"]["parts"]] == ["expired", "NO", 3]
    assert {purpose: each["bucket"] for purpose, each in campaign["buckets"].items()} == {
        purpose: bucket("winback", purpose, customers[1]) for purpose in ["holdout", "enrol", "variant"]}
    taken = [each["campaign"] for each in answer["assignments"]]
    assert taken == ["winback"] and "revision" not in campaign


def test_mistakes_are_reported(file, enforcing, customers):
    nobody = simulate(enforcing, file(CAMPAIGN), "nobody", *FITTING)
    assert nobody.stderr == "note: nothing is known of nobody: tried as a customer without purchases\n"
    # Tried as if the backend had named a new customer.
    assert "passed over: the customer does not fit the audience" in nobody.stdout and "buckets of customer nobody" in nobody.stdout
    typo = simulate(enforcing, file(CAMPAIGN), customers[0], "--attribute", "county=US")
    assert "note: no campaign asks for attribute county\n" in typo.stderr
    assert simulate(enforcing, file(CAMPAIGN), customers[0], "--attribute", "US").returncode != 0
    other = simulate(enforcing, file(CAMPAIGN.replace("com.example.app", "com.example.news")), customers[0])
    assert other.returncode == 1 and other.stderr == f"the files have no campaign of {BUNDLE}\n"
    broken = simulate(enforcing, path := file("campaigns: 1"), customers[0])
    assert broken.returncode == 1 and f"{path}:1: error: campaigns: must be a list, not a number" in broken.stderr
    half = simulate(enforcing, file(CAMPAIGN.replace("weight: 5000}", "weight: 50}")), customers[0])
    assert "note: winback cannot be tried: variants: 50 + 5000 is not 10000" in half.stderr and "offers: none" in half.stdout


# Diff


def test_a_difference_is_reported_in_words(file):
    old = file(CAMPAIGN, "old.yaml")
    new = file(
        CAMPAIGN.replace("[US, CA, NO]", "[NO, US, MX]").replace("holdout: 500", "enrolment: 2500")
        .replace("variants:", "variants:\n      - {id: third, weight: 0}"), "new.yaml")
    done = run("campaigns", "diff", old, new)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "campaign winback of com.example.app\n"
        "  enrolment: 100 % → 25 %\n"
        "  holdout: 5 % → 0 %\n"
        "  audience: attribute country (not verified) is one of US, CA, NO → also MX, no longer CA\n"
        "  variant third: new; it has 0 %, no offer\n")
    assert run("campaigns", "diff", old, old).stdout == "no difference\n"


def test_the_order_of_campaigns_means_nothing(file):
    head, first = CAMPAIGN.split("\n", 1)
    second = first.replace("id: winback\n", "id: other\n", 1)
    one, two = file(f"{head}\n{first}{second}", "one.yaml"), file(f"{head}\n{second}{first}", "two.yaml")
    assert run("campaigns", "diff", one, two).stdout == "no difference\n"
    gone = run("campaigns", "diff", one, file(CAMPAIGN, "three.yaml")).stdout
    assert gone.startswith("campaign other of com.example.app\n  taken out: Win back; control 50 %, half 50 %; audience: ")


def test_a_file_that_cannot_be_read_has_no_difference(file):
    done = run("campaigns", "diff", path := file("campaigns: {}"), file(CAMPAIGN, "new.yaml"))
    assert done.returncode == 1 and done.stdout == "" and f"{path}:1: error: campaigns: must be a list" in done.stderr


# In the store and out of it

WITH_SEGMENT = """\
segments:
  - {id: lapsed, name: Lapsed, condition: {fact: subscription.state, group: 20563228, is: expired}}
campaigns:
  - id: winback
    name: "yes"
    bundleId: com.example.app
    holdout: 500
    audience:
      all:
        - {segment: lapsed}
        - not: {any: [{attribute: country, oneOf: [US, "NO"]}, {attribute: level, above: 2}]}
    variants:
      - {id: control, weight: 5000}
      - {id: half, weight: 5000, offers: [{productId: com.example.pro.monthly, offerId: winback50}]}
"""


def test_an_import_waits_for_another_person_and_is_exported_unchanged(new_service, file):
    service = new_service()
    done = service.cli("campaigns", "import", "--dry-run", str(file(WITH_SEGMENT)))
    assert (done.returncode, done.stdout) == (0, "winback of com.example.app: would be made\n"), done.stderr
    done = service.cli("campaigns", "import", "--submit", str(file(WITH_SEGMENT)))
    assert (done.returncode, done.stdout) == (0, "winback of com.example.app: in review\n"), done.stderr
    # Nothing counts before it is approved.
    exported = service.cli("campaigns", "export")
    assert exported.stdout == "campaigns: []\n", exported.stdout
    exported = service.cli("campaigns", "export", "--drafts")
    assert exported.returncode == 0
    [campaign] = yaml.safe_load(exported.stdout)["campaigns"]
    assert campaign["name"] == "yes" and campaign["variants"] == yaml.safe_load(WITH_SEGMENT)["campaigns"][0]["variants"]
    assert campaign["audience"]["all"][0] == {"fact": "subscription.state", "group": "20563228", "is": "expired"}
    again = file(exported.stdout, "exported.yaml")
    assert run("campaigns", "diff", str(again), str(again)).stdout == "no difference\n"
    assert service.cli("campaigns", "import", str(again)).stdout == "winback of com.example.app: nothing to change\n"
    approver = service.client(role="approver")
    approved = approver.request(
        "POST", "/v1/admin/campaigns/winback/approve", json={"bundleId": BUNDLE, "publish": True}, headers={"If-Match": "*"})
    assert approved.status_code == 200 and approved.json()["draft"] is None, approved.text
    assert service.cli("campaigns", "export").stdout == exported.stdout
    wider = file(exported.stdout.replace("priority: 0", "priority: 3"), "wider.yaml")
    assert "draft saved" in service.cli("campaigns", "import", str(wider)).stdout
    events = [row["action"] for row in service.client(role="admin").get("/v1/admin/audit?limit=200").json()["items"]]
    assert [event for event in reversed(events) if event.startswith("campaign.")] == [
        "campaign.create", "campaign.submit", "campaign.approve", "campaign.publish", "campaign.save"]


def test_what_cannot_be_imported_is_reported(new_service, file):
    service = new_service()
    done = service.cli("campaigns", "import", str(file(CAMPAIGN.replace("com.example.app", "com.example.none"))))
    assert done.returncode == 1 and "com.example.none" in done.stderr
    done = service.cli("campaigns", "import", "--submit", str(file(CAMPAIGN.replace("weight: 5000}", "weight: 4000}"))))
    assert done.returncode == 1 and "100 %" in done.stderr
    assert service.cli("campaigns", "export", "none").returncode == 1
