"""The local App Store (Tests/AppStoreServer) as a process, and a client of its control API."""
import json
import os
import pathlib
import subprocess
import sys

import httpx
from cryptography.hazmat.primitives import serialization

TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TESTS))

from AppStoreServer import notifications, retention  # noqa: E402
from AppStoreServer.authority import Authority  # noqa: E402
from AppStoreServer.customer import Customer  # noqa: E402
from harness.waiting import PATIENCE  # noqa: E402

BUNDLE = "com.example.app"
APP_APPLE_ID = 1234567890
ISSUER = "57246542-96fe-1a63-e053-0824d011072a"
SHARED_SECRET = "0123456789abcdef0123456789abcdef"


class AppStore:
    """Starts with its construction; a context manager. `folder` takes the authority and the log."""

    def __init__(self, folder, environment=None):
        self.folder = pathlib.Path(folder)
        self.authority = Authority()
        self.root_pem = self.authority.save(self.folder / "authority")
        self._secrets = {}
        self._log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "AppStoreServer", "--authority", self.root_pem.parent, "--until-input-ends"],
            env={**os.environ, **(environment or {}), "PYTHONPATH": str(TESTS)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log,
        )
        # Ends at once if the program does; it prints the line when its port is open.
        line = self._process.stdout.readline()
        assert line, f"the local App Store did not start: {self.log_text()}"
        self.url = json.loads(line)["url"]
        self.production = f"{self.url}/production"
        self.sandbox = f"{self.url}/sandbox"
        self._control = httpx.Client(base_url=f"{self.url}/control", timeout=PATIENCE)

    def stop(self):
        self._control.close()
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._log):
            pipe.close()

    @property
    def exit_code(self):
        """None as long as it runs."""
        return self._process.poll()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def log_text(self):
        """What the program complained about; empty if all is well."""
        return (self.folder / "log").read_text()

    # The service under test

    def configuration_yaml(self, *bundle_ids, poll_seconds=0, catch_up_seconds=0, lapsed_refresh_hours=0, **app):
        """The service's `appStore:`, which does nothing unasked unless told to; with bundle ids their `apps:` too.

        An app has its shared secret and what `app` says: `eligibility="enforce"`, `environment="Sandbox"`.
        """
        apps = [{"bundleId": each, "sharedSecret": self._secrets.get(each, SHARED_SECRET), **app} for each in bundle_ids]
        # JSON is YAML.
        lines = [f"""appStore:
  roots: [{json.dumps(str(self.root_pem))}]
  verifyReceipt: {{production: "{self.production}/verifyReceipt", sandbox: "{self.sandbox}/verifyReceipt"}}
  serverAPI: {{production: "{self.production}", sandbox: "{self.sandbox}"}}
  pollSeconds: {poll_seconds}
  catchUpSeconds: {catch_up_seconds}
  lapsedRefreshHours: {lapsed_refresh_hours}
"""]
        lines += ["apps:\n", *(f"  - {json.dumps(app)}\n" for app in apps)] if apps else []
        return "".join(lines)

    def register(self, bundle_id=BUNDLE, *, keys=None, app_apple_id=APP_APPLE_ID, issuer_id=ISSUER, shared_secret=SHARED_SECRET,
                 released=True):
        """Makes an app known. `keys`: key id → a public key, or the file of a private one."""
        self._secrets[bundle_id] = shared_secret
        self._call("PUT", f"/apps/{bundle_id}", {
            "appAppleId": app_apple_id, "issuerId": issuer_id, "sharedSecret": shared_secret, "released": released,
            "keys": {key_id: _public_pem(key) for key_id, key in (keys or {}).items()},
        })

    def connect(self, resources, keys):
        """What App Store Connect knows. `keys`: key id → {"file": of the private key, "issuerId"?, "role"?}."""
        self._call("PUT", "/connect", {"resources": resources, "keys": {
            each: {"pem": _public_pem(key["file"]), **{name: value for name, value in key.items() if name != "file"}}
            for each, key in keys.items()}})

    def admit(self, service):
        """Makes the app known with the key that a service signs with."""
        self.register(keys={service.key_id: service.key_file}, issuer_id=service.issuer_id)

    def cleared_for(self, service):
        """Itself, without what other tests left behind, and knowing the service's app."""
        self.reset()
        self.settings(pageSize=20, notFoundCode=4040010)
        self.admit(service)
        return self

    # What it knows

    def customer(self, bundle_id=BUNDLE, **fields):
        """A customer to build on; the server knows nothing of it before `add`."""
        return Customer(bundle_id, **fields)

    def add(self, *customers):
        """Puts customers in, or again as they are now; only what is new or changed counts as changed."""
        for customer in customers:
            self._call("PUT", f"/customers/{customer.id}", customer.record())

    def remove(self, customer):
        self._call("DELETE", f"/customers/{customer.id}")

    def settings(self, **settings):
        """pageSize, notFoundCode, notificationURLs, retentionTargets, retentionMilliseconds."""
        self._call("PUT", "/settings", settings)

    def reset(self):
        """Forgets everything, apps as well."""
        self._call("POST", "/reset")

    # Faults and what was asked

    def fault(self, route=None, **fields):
        """See README.md there: `store.fault("history", times=2, errorCode=5000001)`."""
        self._call("POST", "/faults", {**({"route": route} if route else {}), **fields})

    def clear_faults(self):
        self._call("DELETE", "/faults")

    @property
    def held(self):
        """How many requests the fault `held` keeps waiting."""
        return self._call("GET", "")["held"]

    def requests(self, route=None, environment=None):
        """The requests of the service, oldest first, as the server logged them."""
        wanted = {name: value for name, value in (("route", route), ("environment", environment)) if value}
        return self._call("GET", "/requests", parameters=wanted)["requests"]

    def forget_requests(self):
        self._call("DELETE", "/requests")

    # Retention Messaging

    def judge(self, identifier, state="APPROVED", environment="Production", bundle_id=BUNDLE):
        """What Apple says of a picture or text that was uploaded."""
        self._call("PUT", f"/retention/{bundle_id}", {"environment": environment, "identifier": identifier, "state": state})

    def retention_request(self, subscription=None, **options):
        """The body of a request in real time; `options` are those of retention.request."""
        return retention.request(self.authority, subscription, **options)

    # Notifications

    def send_v2(self, url, subscription, kind=None, subtype=None, *, sending=None, wait=True, **options):
        """Sends the newest event of a subscription, or another type; `options` are those of notifications.v2.

        `sending`: hourMilliseconds, resendAfterMilliseconds, timeoutMilliseconds, at. Gives back body and attempts.
        """
        body = notifications.v2(self.authority, subscription, kind, subtype, **options)
        return self.send(url, body, version=2, wait=wait, **(sending or {}))

    def send_v1(self, url, subscription, kind=None, *, sending=None, wait=True, **options):
        """The same of version 1; the password is the app's shared secret unless `password` says otherwise."""
        options.setdefault("password", self._secrets.get(subscription.customer.bundle_id, SHARED_SECRET))
        return self.send(url, notifications.v1(subscription, kind, **options), version=1, wait=wait, **(sending or {}))

    def send(self, url, body, *, version=2, wait=True, **sending):
        """Sends a body, JSON or a text as it is; a URL of None means that no server was reached."""
        content = {"text": body} if isinstance(body, str) else {"body": body}
        order = {"version": version, **content, **({"url": url} if url else {}), **sending}
        return self._call("POST", "/notifications", order, {} if wait else {"wait": "false"})

    def notification(self, identifier):
        """What has become of a notification by now: attempts, done."""
        return self._call("GET", f"/notifications/{identifier}")

    def _call(self, method, path, body=None, parameters=None):
        answer = self._control.request(method, path, json=body, params=parameters)
        assert answer.status_code == 200, f"{method} {path}: {answer.text}"
        return answer.json()


def _public_pem(key):
    if isinstance(key, (str, pathlib.Path)):
        key = serialization.load_pem_private_key(pathlib.Path(key).read_bytes(), password=None).public_key()
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
