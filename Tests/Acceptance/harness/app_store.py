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
    """Starts the local App Store when it is constructed, and stops it at the end of its `with` block.

    `folder` is where the certificate authority's files and the log go.
    """

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
        # The program prints this line when its port is open. If the program ends first, the line is empty.
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
        """The exit code of the program; None as long as it runs."""
        return self._process.poll()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def log_text(self):
        """What the program has written to its log: complaints only, so it is empty if all is well."""
        return (self.folder / "log").read_text()

    # The service under test

    def configuration_yaml(self, *bundle_ids, poll_seconds=0, catch_up_seconds=0, lapsed_refresh_hours=0, **app):
        """The `appStore:` section of a service's configuration and, if there are bundle ids, an `apps:` section for them.

        By default the service sends no request to the App Store of its own accord: all three intervals are 0. Each app gets its
        shared secret and the settings in `app`, such as `eligibility="enforce"` or `environment="Sandbox"`.
        """
        apps = [{"bundleId": each, "sharedSecret": self._secrets.get(each, SHARED_SECRET), **app} for each in bundle_ids]
        # Each app is written as JSON, which is valid YAML.
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
        """Makes an app known to the local App Store.

        `keys` maps each key id to a public key, or to the path of a file with a private key.
        """
        self._secrets[bundle_id] = shared_secret
        self._call("PUT", f"/apps/{bundle_id}", {
            "appAppleId": app_apple_id, "issuerId": issuer_id, "sharedSecret": shared_secret, "released": released,
            "keys": {key_id: _public_pem(key) for key_id, key in (keys or {}).items()},
        })

    def connect(self, resources, keys):
        """Sets what the local App Store Connect contains.

        `keys` maps each key id to a dictionary: `file` is the path of the private key; `issuerId` and `role` are optional.
        """
        self._call("PUT", "/connect", {"resources": resources, "keys": {
            each: {"pem": _public_pem(key["file"]), **{name: value for name, value in key.items() if name != "file"}}
            for each, key in keys.items()}})

    def admit(self, service):
        """Makes the service's app known, with the public half of the key with which the service signs."""
        self.register(keys={service.key_id: service.key_file}, issuer_id=service.issuer_id)

    def cleared_for(self, service):
        """Removes what other tests have left behind, makes the service's app known, and returns this object."""
        self.reset()
        self.settings(pageSize=20, notFoundCode=4040010)
        self.admit(service)
        return self

    # The customers that it knows

    def customer(self, bundle_id=BUNDLE, **fields):
        """A new customer, whom a test can give purchases. The server does not know the customer before `add` is called."""
        return Customer(bundle_id, **fields)

    def add(self, *customers):
        """Sends customers to the server, with all of their purchases as they are now.

        If the server knows a customer already, only the new and the changed transactions count as changed.
        """
        for customer in customers:
            self._call("PUT", f"/customers/{customer.id}", customer.record())

    def remove(self, customer):
        self._call("DELETE", f"/customers/{customer.id}")

    def settings(self, **settings):
        """Changes settings: pageSize, notFoundCode, notificationURLs, retentionTargets, retentionMilliseconds."""
        self._call("PUT", "/settings", settings)

    def reset(self):
        """Makes the server forget everything, including the apps."""
        self._call("POST", "/reset")

    # Faults, and the requests that the service has sent

    def fault(self, route=None, **fields):
        """Makes the server fail, for example with `store.fault("history", times=2, errorCode=5000001)`.

        Tests/AppStoreServer/README.md lists the faults.
        """
        self._call("POST", "/faults", {**({"route": route} if route else {}), **fields})

    def clear_faults(self):
        self._call("DELETE", "/faults")

    @property
    def held(self):
        """The number of requests that the fault `held` keeps waiting for their answer."""
        return self._call("GET", "")["held"]

    def requests(self, route=None, environment=None):
        """The requests that the service has sent, oldest first, as the server has recorded them."""
        wanted = {name: value for name, value in (("route", route), ("environment", environment)) if value}
        return self._call("GET", "/requests", parameters=wanted)["requests"]

    def forget_requests(self):
        self._call("DELETE", "/requests")

    # Retention Messaging

    def judge(self, identifier, state="APPROVED", environment="Production", bundle_id=BUNDLE):
        """Sets Apple's decision about a picture or text that was uploaded."""
        self._call("PUT", f"/retention/{bundle_id}", {"environment": environment, "identifier": identifier, "state": state})

    def retention_request(self, subscription=None, **options):
        """The body of a real-time request; `options` are those of `retention.request`."""
        return retention.request(self.authority, subscription, **options)

    # Notifications

    def send_v2(self, url, subscription, kind=None, subtype=None, *, sending=None, wait=True, **options):
        """Sends a notification V2 about the newest event of a subscription, or one of the type `kind`.

        `options` are those of `notifications.v2`. `sending` says when it is sent: hourMilliseconds, resendAfterMilliseconds,
        timeoutMilliseconds, at. Returns the body and the attempts.
        """
        body = notifications.v2(self.authority, subscription, kind, subtype, **options)
        return self.send(url, body, version=2, wait=wait, **(sending or {}))

    def send_v1(self, url, subscription, kind=None, *, sending=None, wait=True, **options):
        """Sends a notification V1 in the same way. Its password is the app's shared secret, unless `password` is another one."""
        options.setdefault("password", self._secrets.get(subscription.customer.bundle_id, SHARED_SECRET))
        return self.send(url, notifications.v1(subscription, kind, **options), version=1, wait=wait, **(sending or {}))

    def send(self, url, body, *, version=2, wait=True, **sending):
        """Sends a body: a JSON value, or a text unchanged.

        If the URL is None, each attempt fails as if no server could be reached.
        """
        content = {"text": body} if isinstance(body, str) else {"body": body}
        order = {"version": version, **content, **({"url": url} if url else {}), **sending}
        return self._call("POST", "/notifications", order, {} if wait else {"wait": "false"})

    def notification(self, identifier):
        """The attempts to send a notification so far, and whether it is done."""
        return self._call("GET", f"/notifications/{identifier}")

    def _call(self, method, path, body=None, parameters=None):
        answer = self._control.request(method, path, json=body, params=parameters)
        assert answer.status_code == 200, f"{method} {path}: {answer.text}"
        return answer.json()


def _public_pem(key):
    if isinstance(key, (str, pathlib.Path)):
        key = serialization.load_pem_private_key(pathlib.Path(key).read_bytes(), password=None).public_key()
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
