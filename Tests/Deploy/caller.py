"""A caller of many threads that asks for signatures while something fails, and knows what became of each nonce."""
import collections
import contextlib
import http.client
import itertools
import json
import threading
import time

THREADS, NONCES_A_CALL = 8, 100
# An answer that says nothing about the nonce, or no answer: it may have been used.
UNKNOWN = "unknown"


class Caller:
    """Each thread asks one of `ports`, below the rate that the example allows."""

    def __init__(self, access_key, ports):
        self.headers = {"Authorization": f"Bearer {access_key}", "Content-Type": "application/json"}
        self.ports = itertools.cycle(ports)
        self.local = threading.local()
        self.outcomes = {}
        self.signed_at = [time.monotonic()]
        self.stopping = False

    def post(self, path, body):
        here = self.local.__dict__
        if "port" not in here:
            here["port"] = next(self.ports)
        connection = here.pop("connection", None) or http.client.HTTPConnection("127.0.0.1", here["port"], timeout=30)
        connection.request("POST", path, json.dumps({"bundleId": "com.example.app", **body}), self.headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.getheader("Connection") != "close":
            here["connection"] = connection
        return answer.status, json.loads(text)

    def nonces(self):
        """Unused ones, once the service issues them."""
        while not self.stopping:
            with contextlib.suppress(OSError, http.client.HTTPException):
                status, answer = self.post("/v1/nonces", {"count": NONCES_A_CALL})
                if status == 200:
                    return [each["nonce"] for each in answer["nonces"]]
            time.sleep(0.2)
        return []

    def sign(self, nonce):
        """`signed`, the code of a refusal, or unknown."""
        offer = {"productId": "com.example.pro.monthly", "offerId": "winback50", "nonce": nonce}
        try:
            status, answer = self.post("/v1/signatures", {"applicationUsername": "customer", "offers": [offer]})
        except (OSError, http.client.HTTPException):
            return UNKNOWN
        return answer["results"][0]["status"] if status == 200 else UNKNOWN if status == 503 else answer["code"]

    def sign_for_certain(self, nonce):
        while (outcome := self.sign(nonce)) in (UNKNOWN, "rate-limited"):
            time.sleep(0.5)
        return outcome

    def run(self):
        while not self.stopping:
            for nonce in self.nonces():
                self.outcomes[nonce] = outcome = self.sign(nonce)
                if outcome == "signed":
                    self.signed_at.append(time.monotonic())
                time.sleep(0.1)
                if self.stopping:
                    break

    @contextlib.contextmanager
    def asking(self):
        """All threads ask until the end of the block."""
        threads = [threading.Thread(target=self.run) for _ in range(THREADS)]
        self.stopping = False
        for thread in threads:
            thread.start()
        try:
            self.wait_for_signature()
            yield
            # What was under way has ended by then.
            time.sleep(5)
            self.wait_for_signature()
        finally:
            self.stopping = True
            for thread in threads:
                thread.join()

    def wait_for_signature(self):
        begin = time.monotonic()
        while self.signed_at[-1] < begin:
            if time.monotonic() - begin > 90:
                raise SystemExit("no signature for 90 seconds")
            time.sleep(0.01)

    def check(self, what, may_be_unknown=True):
        """Nothing but signatures, and what `may_be_unknown`; every nonce that was signed with is refused now."""
        found = collections.Counter(self.outcomes.values())
        longest = max(later - earlier for earlier, later in itertools.pairwise(sorted(self.signed_at)))
        print(f"== {what}: {dict(found)}; the longest time without a signature: {longest:.1f} s", flush=True)
        if not found["signed"] or set(found) > {"signed", UNKNOWN} or found[UNKNOWN] and not may_be_unknown:
            raise SystemExit("not only signatures")
        again = collections.Counter(self.sign_for_certain(nonce) for nonce, outcome in self.outcomes.items() if outcome == "signed")
        if set(again) != {"nonce-replayed"}:
            raise SystemExit(f"nonces that were signed with, again: {dict(again)}")
        self.outcomes, self.signed_at = {}, [time.monotonic()]
