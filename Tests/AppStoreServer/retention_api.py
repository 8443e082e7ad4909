"""The Retention Messaging API: pictures, texts, defaults, the URL, and the performance test of the sandbox."""
import base64
import json
import re
import struct
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

from AppStoreServer import retention
from AppStoreServer.exchange import Answer, error
from AppStoreServer.sender import attempt

MOST = 2000
LIMITS = {"header": (66, 4000162), "body": (144, 4000163)}
MAX_ALT_TEXT = 150
TERMS = {"maxConcurrentRequests": 10, "totalRequests": 100, "totalDuration": 60_000, "successRateThreshold": 95}
KINDS = {"message", "alternateProduct", "promotionalOffer", "advancedCommerceInfo"}


class Shelf:
    """What one app has set up in one environment."""

    def __init__(self):
        self.images, self.messages, self.defaults, self.tests = {}, {}, {}, {}
        self.url = None
        self.passed = False


def answer(request, store, authority, app):
    """The answer of a route `retention…`."""
    shelves = store.retention.setdefault(app["bundleId"], {"Production": Shelf(), "Sandbox": Shelf()})
    return ROUTES[request.route, request.method](request, shelves[request.environment], shelves, store, authority, app)


def _put_image(request, shelf, shelves, store, authority, app):
    identifier = _identifier(request.argument, 4000161)
    if identifier in shelf.images:
        raise error(4090000, "Image already exists.")
    if len(shelf.images) >= MOST:
        raise error(4030014, "Maximum number of images reached.")
    size = request.first("imageSize") or "FULL_SIZE"
    if size not in ("FULL_SIZE", "BULLET_POINT"):
        raise error(4000216, "Invalid image size.")
    if request.headers.get("content-type") != "image/png" or not _fits(request.body, size):
        raise error(4000161, "Invalid request. The image is invalid.")
    shelf.images[identifier] = {"imageState": _first_state(request), "imageSize": size}
    return Answer(200, "")


def _images(request, shelf, *_):
    return Answer(200, {"imageIdentifiers": [{"imageIdentifier": name, **each} for name, each in shelf.images.items()]})


def _delete_image(request, shelf, *_):
    identifier = _identifier(request.argument, 4000161)
    if identifier not in shelf.images:
        raise error(4040014, "Image not found.")
    if any(each["image"] == identifier for each in shelf.messages.values()):
        raise error(4030019, "Image in use.")
    del shelf.images[identifier]
    return Answer(200, "")


def _put_message(request, shelf, shelves, store, authority, app):
    identifier = _identifier(request.argument, 4000000)
    if identifier in shelf.messages:
        raise error(4090001, "Message already exists.")
    if len(shelf.messages) >= MOST:
        raise error(4030016, "Maximum number of messages reached.")
    body = request.json()
    for name, (most, code) in LIMITS.items():
        if not isinstance(body.get(name), str) or len(body[name]) > most:
            raise error(code, f"Invalid request. The {name} is too long or missing.")
    image = body.get("image")
    if image is not None:
        if len(image["altText"]) > MAX_ALT_TEXT:
            raise error(4000175, "Invalid request. The alternative text is too long.")
        if image["imageIdentifier"] not in shelf.images:
            raise error(4040014, "Image not found.")
    shelf.messages[identifier] = {"messageState": _first_state(request), "image": image and image["imageIdentifier"]}
    return Answer(200, "")


def _messages(request, shelf, *_):
    found = [{"messageIdentifier": name, "messageState": each["messageState"]} for name, each in shelf.messages.items()]
    return Answer(200, {"messageIdentifiers": found})


def _delete_message(request, shelf, *_):
    identifier = _identifier(request.argument, 4000000)
    if shelf.messages.pop(identifier, None) is None:
        raise error(4040015, "Message not found.")
    return Answer(200, "")


def _put_default(request, shelf, *_):
    place = _place(request)
    identifier = _identifier(request.json().get("messageIdentifier"), 4000000)
    message = shelf.messages.get(identifier)
    if message is None:
        raise error(4040015, "Message not found.")
    if message["messageState"] != "APPROVED":
        raise error(4030017, "Message not approved.")
    if message["image"] and shelf.images[message["image"]]["imageState"] != "APPROVED":
        raise error(4030018, "Image not approved.")
    shelf.defaults[place] = identifier
    return Answer(200, "")


def _default(request, shelf, *_):
    found = shelf.defaults.get(_place(request))
    if found is None:
        raise error(4040020, "Default message not found.")
    return Answer(200, {"messageIdentifier": found})


def _delete_default(request, shelf, *_):
    if shelf.defaults.pop(_place(request), None) is None:
        raise error(4040020, "Default message not found.")
    return Answer(200, "")


def _put_url(request, shelf, shelves, *_):
    url = request.json().get("realtimeURL")
    if not isinstance(url, str) or not url.startswith("https://") or len(url) > 256:
        raise error(4000215, "Invalid request. The realtime URL is invalid.")
    if request.environment == "Production" and not shelves["Sandbox"].passed:
        raise error(4030026, "A passing performance test is required.")
    shelf.url = url
    return Answer(200, "")


def _url(request, shelf, *_):
    if shelf.url is None:
        raise error(4040021, "Realtime URL not found.")
    return Answer(200, {"realtimeURL": shelf.url})


def _delete_url(request, shelf, *_):
    if shelf.url is None:
        raise error(4040021, "Realtime URL not found.")
    shelf.url = None
    return Answer(200, "")


def _start_test(request, shelf, shelves, store, authority, app):
    original = request.json().get("originalTransactionId")
    record = store.owner("Sandbox", app["bundleId"], original)
    bought = [each for each in (record or {}).get("transactions", []) if each["originalTransactionId"] == original]
    if request.environment != "Sandbox" or shelf.url is None or not bought:
        raise error(4000211, "Invalid request. The performance test request is invalid.")
    if any(each["result"] == "PENDING" for each in shelf.tests.values()):
        raise error(4000213, "Invalid request. Existing performance test run.")
    identifier = str(uuid.uuid4())
    # The name in the URL leads to wherever a test says: it has no certificate here.
    target = store.settings["retentionTargets"].get("Sandbox", shelf.url)
    terms = {**TERMS, "responseTimeThreshold": store.settings["retentionMilliseconds"]}
    shelf.tests[identifier] = {
        "config": terms, "target": shelf.url, "result": "PENDING", "successRate": 0, "numPending": TERMS["totalRequests"],
        "responseTimes": {}, "failures": {},
    }
    fields = {
        "originalTransactionId": original, "productId": bought[-1]["productId"], "appAppleId": app["appAppleId"],
        "environment": "Sandbox",
    }
    threading.Thread(target=_run, args=(shelf, identifier, target, authority, fields), daemon=True).start()
    return Answer(200, {"config": terms, "requestId": identifier})


def _test_result(request, shelf, *_):
    if request.argument not in shelf.tests:
        raise error(4040018, "Performance test run not found.")
    return Answer(200, shelf.tests[request.argument])


def _run(shelf, identifier, target, authority, fields):
    threshold = shelf.tests[identifier]["config"]["responseTimeThreshold"]

    def one(_):
        body = json.dumps(retention.request(authority, fields=fields)).encode()
        began = time.perf_counter()
        outcome = attempt(target, body, max(5, threshold / 1000))
        return (time.perf_counter() - began) * 1000, _judged(outcome)

    with ThreadPoolExecutor(TERMS["maxConcurrentRequests"]) as pool:
        found = list(pool.map(one, range(TERMS["totalRequests"])))
    times = sorted(took for took, _ in found)
    failures = {}
    for took, reason in found:
        reason = "TIMED_OUT" if reason == "SUCCESS" and took > threshold else reason
        if reason != "SUCCESS":
            failures[reason] = failures.get(reason, 0) + 1
    rate = 100 * (len(found) - sum(failures.values())) // len(found)
    passed = rate >= TERMS["successRateThreshold"]
    shelf.passed = shelf.passed or passed
    shelf.tests[identifier] |= {
        "result": "PASS" if passed else "FAIL", "successRate": rate, "numPending": 0, "failures": failures,
        "responseTimes": {
            "average": int(sum(times) / len(times)), **{f"p{share}": int(times[len(times) * share // 100]) for share in (50, 90, 95, 99)},
        },
    }


def _judged(outcome):
    """Apple's word for an attempt; an answer has to name exactly one thing to show."""
    if outcome["sendAttemptResult"] != "SUCCESS":
        return outcome["sendAttemptResult"]
    if outcome["status"] != 200:
        return "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    try:
        answer = json.loads(outcome["answer"])
        [(kind, shown)] = answer.items()
        uuid.UUID(shown["messageIdentifier"])
        return "SUCCESS" if kind in KINDS else "INVALID_RESPONSE"
    except (ValueError, KeyError, TypeError, AttributeError):
        return "INVALID_RESPONSE"


def _first_state(request):
    return "APPROVED" if request.environment == "Sandbox" else "PENDING"


def _identifier(text, code):
    if not isinstance(text, str) or not re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", text):
        raise error(code, "Invalid request. The identifier is no UUID.")
    return text.lower()


def _place(request):
    product, _, locale = request.argument.partition("/")
    if not re.fullmatch(r"[a-z]{2,3}(-[A-Za-z]+)?", locale):
        raise error(4000164, "Invalid request. The locale is invalid.")
    return product, locale


def _fits(png, size):
    """Whether it is a PNG of the right size, without alpha."""
    if png[:8] != base64.b64decode("iVBORw0KGgo=") or png[12:16] != b"IHDR":
        return False
    width, height = struct.unpack(">II", png[16:24])
    right = (width, height) == (1024, 1024) if size == "BULLET_POINT" else width == 3840 and 160 <= height <= 2160
    return right and png[25] in (0, 2, 3) and b"tRNS" not in png[:1024]


ROUTES = {
    ("retentionImages", "GET"): _images, ("retentionImage", "PUT"): _put_image, ("retentionImage", "DELETE"): _delete_image,
    ("retentionMessages", "GET"): _messages, ("retentionMessage", "PUT"): _put_message,
    ("retentionMessage", "DELETE"): _delete_message, ("retentionDefault", "PUT"): _put_default,
    ("retentionDefault", "GET"): _default, ("retentionDefault", "DELETE"): _delete_default,
    ("retentionURL", "PUT"): _put_url, ("retentionURL", "GET"): _url, ("retentionURL", "DELETE"): _delete_url,
    ("performanceTest", "POST"): _start_test, ("performanceTestResult", "GET"): _test_result,
}
