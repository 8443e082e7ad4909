"""The part of the App Store Connect API that tells what an app sells, in Apple's names (App Store Connect API 4, OpenAPI)."""
import json
import re
import time

from cryptography.exceptions import InvalidSignature

from AppStoreServer import bearer
from AppStoreServer.exchange import Answer, Refusal
from AppStoreServer.jws import base64url_decoded

LONGEST = 1200
# Path → (type of the elements, where a parent keeps them).
LISTS = [
    (r"/v1/apps", None), (r"/v1/apps/([^/]+)/subscriptionGroups", "subscriptionGroups"),
    (r"/v1/subscriptionGroups/([^/]+)/subscriptions", "subscriptions"),
    (r"/v1/subscriptions/([^/]+)/prices", "prices"), (r"/v1/subscriptions/([^/]+)/introductoryOffers", "introductoryOffers"),
    (r"/v1/subscriptions/([^/]+)/promotionalOffers", "promotionalOffers"),
    (r"/v1/subscriptions/([^/]+)/winBackOffers", "winBackOffers"),
    (r"/v1/subscriptionPromotionalOffers/([^/]+)/prices", "prices"), (r"/v1/winBackOffers/([^/]+)/prices", "prices"),
]


def answer(request, store, url):
    """GET /connect/v1/…: a page of a list. `url` is where the API is, for the links."""
    connect = store.connect
    try:
        _check(request, connect["keys"])
    except (ValueError, KeyError, TypeError, InvalidSignature) as reason:
        request.notes["refusal"] = f"{type(reason).__name__}: {reason}"
        raise _error(401, "NOT_AUTHORIZED", "Authentication credentials are missing or invalid.") from reason
    if request.notes["key"].get("role") == "none":
        raise _error(403, "FORBIDDEN_ERROR", "This request is forbidden for security reasons")
    for pattern, name in LISTS:
        match = re.fullmatch(pattern, request.argument)
        if match:
            elements = _apps(request, connect) if name is None else _children(connect, match[1], name)
            wanted = request.first("filter[territory]")
            if wanted:
                elements = [each for each in elements if each["relationships"]["territory"]["data"]["id"] in wanted.split(",")]
            return _page(request, elements, url, store.settings["pageSize"])
    raise _error(404, "NOT_FOUND", "There is no such resource")


def _apps(request, connect):
    """Those whose bundle id is like the filter: like Apple's, which also finds longer ones."""
    wanted = request.first("filter[bundleId]")
    return [each for each in connect["resources"] if each["type"] == "apps" and (
        wanted is None or each["attributes"]["bundleId"].startswith(wanted))]


def _children(connect, parent, name):
    for each in connect["resources"]:
        if each["id"] == parent and name in each.get("children", {}):
            return each["children"][name]
    raise _error(404, "NOT_FOUND", f"There is no resource of this type with the id '{parent}'")


def _page(request, elements, url, most):
    limit = int(request.first("limit") or 50)
    if not 1 <= limit <= 200:
        raise _error(400, "PARAMETER_ERROR.INVALID", "limit")
    start = int(request.first("cursor") or 0)
    size = min(limit, most)
    page = elements[start:start + size]
    links = {"self": f"{url}{request.argument}"}
    if start + size < len(elements):
        links["next"] = f"{url}{request.argument}?cursor={start + size}&limit={limit}" + (
            "".join(f"&{name}={request.first(name)}" for name in ("include", "filter[territory]") if request.first(name)))
    shown = (request.first("include") or "").split(",")
    data, included = [], {}
    for each in page:
        element = {name: value for name, value in each.items() if name not in ("children", "included")}
        if "relationships" in each:
            element["relationships"] = {name: value for name, value in each["relationships"].items() if name in shown}
            # Only what is asked for comes along, once a page.
            wanted = [value["data"] for value in element["relationships"].values()]
            for other in each.get("included", []):
                if {"type": other["type"], "id": other["id"]} in wanted:
                    included[other["type"], other["id"]] = other
        data.append(element)
    more = {"included": list(included.values())} if shown != [""] else {}
    return Answer(200, {"data": data, "links": links, "meta": {"paging": {"total": len(elements), "limit": limit}}, **more})


def _check(request, keys):
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    assert_that(scheme == "Bearer", "no bearer token")
    head, payload, signature = token.split(".")
    header, claims = json.loads(base64url_decoded(head)), json.loads(base64url_decoded(payload))
    request.notes["token"] = {"header": header, "claims": claims}
    assert_that(header["alg"] == "ES256", "alg is not ES256")
    key = keys[header["kid"]]
    bearer._verify(key["pem"], f"{head}.{payload}".encode(), base64url_decoded(signature))
    assert_that(claims["aud"] == "appstoreconnect-v1", "aud")
    if key.get("issuerId"):
        assert_that(claims["iss"] == key["issuerId"] and "sub" not in claims, "iss is not the team's")
    else:
        assert_that(claims["sub"] == "user" and "iss" not in claims, "an individual key has sub, and no iss")
    assert_that(claims["iat"] <= time.time() + bearer.SKEW, "iat is in the future")
    assert_that(time.time() < claims["exp"] <= claims["iat"] + LONGEST, "expired, or lives for more than twenty minutes")
    request.notes["key"] = key


def assert_that(condition, reason):
    if not condition:
        raise ValueError(reason)


def _error(status, code, title):
    return Refusal(Answer(status, {"errors": [{"status": str(status), "code": code, "title": title, "detail": title}]}))
