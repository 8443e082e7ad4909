"""The HTTP of the local App Store."""
import http.server
import json
import re
import socket
import struct
import sys
import time
import urllib.parse

from AppStoreServer import bearer, connect_api, faults, notification_api, retention_api, server_api, verify_receipt
from AppStoreServer.control import Control
from AppStoreServer.exchange import Answer, Refusal, Request
from AppStoreServer.sender import Sender
from AppStoreServer.store import Store

# SO_LINGER of no time at all: closing resets the connection.
RESET = struct.pack("ii", 1, 0)
ENVIRONMENTS = {"production": "Production", "sandbox": "Sandbox"}
# Route, method (None: any), path after the environment.
ROUTES = [
    ("verifyReceipt", None, "/verifyReceipt"),
    ("subscriptions", "GET", "/inApps/v1/subscriptions/([^/]+)"),
    ("history", "GET", "/inApps/v2/history/([^/]+)"),
    ("transaction", "GET", "/inApps/v1/transactions/([^/]+)"),
    ("set_app_account_token", "PUT", "/inApps/v1/transactions/([^/]+)/appAccountToken"),
    ("consumption", "PUT", "/inApps/v2/transactions/consumption/([^/]+)"),
    ("refunds", "GET", "/inApps/v2/refund/lookup/([^/]+)"),
    ("notificationHistory", "POST", "/inApps/v1/notifications/history"),
    ("testNotification", "POST", "/inApps/v1/notifications/test"),
    ("testNotificationStatus", "GET", "/inApps/v1/notifications/test/([^/]+)"),
    ("retentionImages", "GET", "/inApps/v1/messaging/image/list"),
    ("retentionImage", None, "/inApps/v1/messaging/image/([^/]+)"),
    ("retentionMessages", "GET", "/inApps/v1/messaging/message/list"),
    ("retentionMessage", None, "/inApps/v1/messaging/message/([^/]+)"),
    ("retentionDefault", None, "/inApps/v1/messaging/default/([^/]+/[^/]+)"),
    ("retentionURL", None, "/inApps/v1/messaging/realtime/url"),
    ("performanceTest", "POST", "/inApps/v1/messaging/performanceTest"),
    ("performanceTestResult", "GET", "/inApps/v1/messaging/performanceTest/result/([^/]+)"),
]


class AppStoreServer(http.server.ThreadingHTTPServer):
    """Both environments, and /control, on one port (0: any free one)."""

    daemon_threads = True
    request_queue_size = 1024

    def __init__(self, authority, port=0):
        super().__init__(("127.0.0.1", port), Handler)
        self.authority = authority
        self.store = Store()
        self.sender = Sender(self.store)
        self.control = Control(self.store, self.sender)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request, client_address):
        """Complains of what is wrong here, not of who has gone away with a reset, as a service that ends may."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def answer(self, request):
        """The answer of a route, without faults."""
        store, authority = self.store, self.authority
        try:
            with store.lock:
                if request.route == "connect":
                    return connect_api.answer(request, store, f"{self.url}/connect")
                if request.route is None:
                    return Answer(404, "<html><body>Not Found</body></html>", {"Content-Type": "text/html"})
                if request.route == "verifyReceipt":
                    return verify_receipt.answer(request, store)
                app = bearer.checked(request, store.apps)
                if request.route == "notificationHistory":
                    return notification_api.history(request, store, app)
                if request.route == "testNotification":
                    return notification_api.request_test(request, store, authority, app, self.sender)
                if request.route == "testNotificationStatus":
                    return notification_api.test_result(request, store)
                if (request.route, request.method) in retention_api.ROUTES:
                    return retention_api.answer(request, store, authority, app)
                return getattr(server_api, request.route)(request, store, authority, app)
        except Refusal as refusal:
            return refusal.answer


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    # Head and body leave together.
    wbufsize = -1

    def _serve(self):
        began = time.time()
        request = self._request()
        if request.path.startswith("/control"):
            self._send(self.server.control.answer(request))
            return
        store = self.server.store
        with store.lock:
            fault = (store.faults.next(request.route, request.environment) if request.route else None) or {}
            cleared = store.faults.hold() if fault.get("held") else None
        if cleared:
            cleared.wait()
        time.sleep(fault.get("delayMilliseconds", 0) / 1000)
        answer = None if fault.get("reset") else faults.answer_of(fault, request.environment) or self.server.answer(request)
        with store.lock:
            store.requests.append(_log_entry(request, answer, fault, began))
        if answer is None:
            self.close_connection = True
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            # Before the orderly end that would follow.
            self.connection.close()
        else:
            self._send(answer, malformed=fault.get("malformed"), truncated=fault.get("truncated"))

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _serve

    def _request(self):
        parts = urllib.parse.urlsplit(self.path)
        body = self._chunks() if self.headers.get("Transfer-Encoding", "").lower() == "chunked" else self.rfile.read(
            int(self.headers.get("Content-Length") or 0)
        )
        request = Request(
            self.command, parts.path, urllib.parse.parse_qs(parts.query, keep_blank_values=True),
            {name.lower(): value for name, value in self.headers.items()}, body,
        )
        _, name, *rest = parts.path.split("/", 2)
        if name in ENVIRONMENTS:
            request.environment = ENVIRONMENTS[name]
            request.route, request.argument = _route(self.command, "/" + "".join(rest))
        elif name == "connect" and self.command == "GET":
            request.route, request.argument = "connect", "/" + "".join(rest)
        return request

    def _chunks(self):
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return b"".join(parts)

    def _send(self, answer, malformed=False, truncated=False):
        """`malformed`: a whole answer of half a JSON text; `truncated`: an end in the middle of the answer."""
        headers, body = answer.encoded()
        if malformed:
            body = body[:len(body) // 2]
        self.send_response(answer.status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        if truncated:
            body = body[:len(body) // 2]
            self.close_connection = True
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def _route(method, path):
    for route, wanted, pattern in ROUTES:
        match = re.fullmatch(pattern, path)
        if match and wanted in (None, method):
            return route, urllib.parse.unquote(match[1]) if match.groups() else None
    return None, None


def _log_entry(request, answer, fault, began):
    try:
        body = json.loads(request.body) if request.body else None
    except ValueError:
        body = request.body.decode(errors="replace")
    return {
        "at": int(began * 1000), "took": int((time.time() - began) * 1000), "method": request.method, "path": request.path,
        "query": request.query, "environment": request.environment, "route": request.route, "argument": request.argument,
        "body": body, "status": answer.status if answer else None, "fault": fault or None, **request.notes,
    }
