"""Sends notifications, and sends them again as the App Store does."""
import http.client
import json
import socket
import threading
import time
import urllib.parse

from AppStoreServer.customer import now

# After the attempt before, in hours.
RESENDS = {1: (6, 24, 48), 2: (1, 12, 24, 48, 72)}
HOUR_MILLISECONDS = 10
FIELDS = {"version", "url", "body", "text", "at", "hourMilliseconds", "resendAfterMilliseconds", "timeoutMilliseconds"}


class Sender:
    """Delivers to a service under test; what came of it is kept with the notification."""

    def __init__(self, store):
        self._store = store

    def send(self, order, wait=True):
        """Carries out an order, see README.md; without `wait` gives back the notification while it is under way.

        Without a URL nothing is sent: the App Store could not reach a service.
        """
        unknown = set(order) - FIELDS
        if unknown:
            raise ValueError(f"unknown in a notification: {sorted(unknown)}")
        kept = {"version": order["version"], "body": order.get("body"), "at": order.get("at", now())}
        kept |= {"attempts": [], "done": False}
        self._store.note(kept)
        work = threading.Thread(target=self._carry_out, args=(order, kept), daemon=True)
        work.start()
        if wait:
            work.join()
        return kept

    def _carry_out(self, order, kept):
        # `text` is a body that is no JSON value, or one whose spelling matters.
        content = order["text"].encode() if "text" in order else json.dumps(order["body"]).encode()
        timeout = order.get("timeoutMilliseconds", 120_000) / 1000
        for delay in (0, *_delays(order)):
            time.sleep(delay / 1000)
            kept["attempts"].append(attempt(order.get("url"), content, timeout))
            if kept["attempts"][-1]["sendAttemptResult"] == "SUCCESS":
                break
        kept["done"] = True


def _delays(order):
    hour = order.get("hourMilliseconds", HOUR_MILLISECONDS)
    return order.get("resendAfterMilliseconds", [hours * hour for hours in RESENDS[order["version"]]])


def attempt(url, content, timeout):
    """Sends once; what came of it, with Apple's word for it."""
    began = now()
    try:
        status, text = _post(url, content, timeout) if url else (None, None)
    except Exception as reason:  # Whatever keeps it from arriving is an outcome, not a failure of the sender.
        return {"attemptDate": began, "sendAttemptResult": _outcome(reason), "reason": repr(reason)}
    if status is None:
        return {"attemptDate": began, "sendAttemptResult": "NO_RESPONSE"}
    result = "SUCCESS" if 200 <= status <= 206 else "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    return {"attemptDate": began, "sendAttemptResult": result, "status": status, "answer": text, "took": now() - began}


def _outcome(reason):
    if isinstance(reason, (socket.timeout, TimeoutError)):
        return "TIMED_OUT"
    if isinstance(reason, (http.client.RemoteDisconnected, http.client.IncompleteRead, ConnectionResetError)):
        return "PREMATURE_CLOSE"
    return "SOCKET_ISSUE" if isinstance(reason, OSError) else "INVALID_RESPONSE"


def _post(url, content, timeout):
    """(status, text). Follows no redirection."""
    parts = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=timeout)
    try:
        headers = {"Content-Type": "application/json;charset=utf-8", "User-Agent": "App Store Server Notifications"}
        connection.request("POST", parts.path or "/", body=content, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")
    finally:
        connection.close()
