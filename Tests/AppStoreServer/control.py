"""The control API, by which a test says what the App Store knows and how it misbehaves."""
from AppStoreServer.exchange import Answer
from AppStoreServer.store import DEFAULT_SETTINGS

APP_FIELDS = {"bundleId", "appAppleId", "issuerId", "sharedSecret", "keys", "released"}


class Control:
    """Answers /control/…; 400 says what a request got wrong."""

    def __init__(self, store, sender):
        self._store = store
        self._sender = sender

    def answer(self, request):
        parts = request.path.removeprefix("/control").strip("/").split("/")
        name = f"_{request.method.lower()}_{parts[0] or 'status'}"
        route = getattr(self, name, None)
        if route is None:
            return Answer(404, {"error": f"no {request.method} {request.path}"})
        try:
            return Answer(200, route(request, "/".join(parts[1:])))
        except (ValueError, KeyError, TypeError) as reason:
            return Answer(400, {"error": f"{type(reason).__name__}: {reason}"})

    def _get_status(self, request, _):
        with self._store.lock:
            store = self._store
            return {
                "apps": len(store.apps), "customers": len(store.customers), "requests": len(store.requests), "held": store.faults.held,
            }

    def _post_reset(self, request, _):
        self._store.reset()
        return {}

    def _put_apps(self, request, bundle_id):
        app = {"keys": {}, **request.json(), "bundleId": bundle_id}
        _only(app, APP_FIELDS)
        with self._store.lock:
            self._store.apps[bundle_id] = app
        return {}

    def _put_connect(self, request, _):
        connect = request.json()
        _only(connect, {"keys", "resources"})
        with self._store.lock:
            self._store.connect = {"keys": {}, "resources": [], **connect}
        return {}

    def _put_retention(self, request, bundle_id):
        order = request.json()
        _only(order, {"environment", "identifier", "state"})
        with self._store.lock:
            shelf = self._store.retention[bundle_id][order["environment"]]
            if order["identifier"] in shelf.images:
                shelf.images[order["identifier"]]["imageState"] = order["state"]
            else:
                shelf.messages[order["identifier"]]["messageState"] = order["state"]
        return {}

    def _put_customers(self, request, identifier):
        record = request.json()
        if record["id"] != identifier:
            raise ValueError("the id in the path is another than that in the body")
        with self._store.lock:
            return {"changed": self._store.put(record)}

    def _delete_customers(self, request, identifier):
        with self._store.lock:
            self._store.remove(identifier)
        return {}

    def _post_faults(self, request, _):
        with self._store.lock:
            self._store.faults.add(request.json())
        return {}

    def _delete_faults(self, request, _):
        with self._store.lock:
            self._store.faults.clear()
        return {}

    def _put_settings(self, request, _):
        settings = request.json()
        _only(settings, set(DEFAULT_SETTINGS))
        with self._store.lock:
            self._store.settings |= settings
            return self._store.settings

    def _get_requests(self, request, _):
        wanted = {name: request.first(name) for name in ("route", "environment") if name in request.query}
        with self._store.lock:
            fits = (each for each in self._store.requests if all(each[name] == value for name, value in wanted.items()))
            return {"requests": list(fits)}

    def _delete_requests(self, request, _):
        with self._store.lock:
            self._store.requests.clear()
        return {}

    def _post_notifications(self, request, _):
        return self._sender.send(request.json(), wait=request.first("wait") != "false")

    def _get_notifications(self, request, identifier):
        return self._store.notifications[identifier]


def _only(value, allowed):
    unknown = set(value) - allowed
    if unknown:
        raise ValueError(f"unknown: {sorted(unknown)}")
