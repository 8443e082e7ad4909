"""What goes wrong on purpose."""
import threading
import time

from AppStoreServer.exchange import Answer

FIELDS = {
    "route", "environment", "times", "delayMilliseconds", "httpStatus", "errorCode", "errorMessage", "receiptStatus",
    "retryable", "retryableName", "retryAfterMilliseconds", "headers", "body", "malformed", "truncated", "reset", "held",
}


class Faults:
    """Faults in the order in which they were set; each answers the next `times` requests to its route, all of them without."""

    def __init__(self):
        self._waiting = []
        # How many requests are held, and what lets them go.
        self.held = 0
        self._cleared = threading.Event()

    def add(self, fault):
        """Raises ValueError for an unknown field."""
        unknown = set(fault) - FIELDS
        if unknown:
            raise ValueError(f"unknown in a fault: {sorted(unknown)}")
        self._waiting.append(dict(fault))

    def clear(self):
        self._waiting.clear()
        self._cleared.set()
        self._cleared = threading.Event()
        self.held = 0

    def hold(self):
        """What a request that is held has to wait for."""
        self.held += 1
        return self._cleared

    def next(self, route, environment):
        """The fault for this request, or None; counts it."""
        for fault in self._waiting:
            if fault.get("route", route) == route and fault.get("environment", environment) == environment:
                if fault.get("times") is not None:
                    fault["times"] -= 1
                    if fault["times"] <= 0:
                        self._waiting.remove(fault)
                return {name: value for name, value in fault.items() if name != "times"}
        return None


def answer_of(fault, environment):
    """What a fault answers instead of the route; None where it only delays, breaks or cuts the route's own answer."""
    headers = dict(fault.get("headers", {}))
    if "retryAfterMilliseconds" in fault:
        # The Server API's own custom: a UNIX time in ms.
        headers["Retry-After"] = str(int(time.time() * 1000) + fault["retryAfterMilliseconds"])
        fault = {"errorCode": 4290000, "errorMessage": "Rate limit exceeded.", **fault}
    if "receiptStatus" in fault:
        answer = {"status": fault["receiptStatus"], "environment": environment}
        if "retryable" in fault:
            answer[fault.get("retryableName", "is_retryable")] = fault["retryable"]
        return Answer(200, answer, headers)
    if "body" in fault:
        return Answer(fault.get("httpStatus", 200), fault["body"], headers)
    if "errorCode" in fault:
        # 4290000 is a 429, 5000001 a 500: the status is how the code begins.
        status = fault.get("httpStatus", fault["errorCode"] // 10000)
        error = {"errorCode": fault["errorCode"], "errorMessage": fault.get("errorMessage", "Set by a test.")}
        return Answer(status, error, headers)
    if "httpStatus" in fault:
        return Answer(fault["httpStatus"], "<html><body>Set by a test.</body></html>", {"Content-Type": "text/html", **headers})
    return None
