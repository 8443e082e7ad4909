"""A receiver of events, in place of a system of the company's. It can fail, hang, redirect, answer 410, and be killed.

It is a process of its own, which runs this file as a program. `Receiver` starts and ends that process.
"""
import http.server
import json
import os
import pathlib
import subprocess
import sys
import time

from harness.waiting import wait_until

STATUSES = {"accepts": 204, "fails": 500, "redirects": 302, "gone": 410}


class Receiver:
    """Starts and ends the process, sets its mode, and reads what it has received."""

    def __init__(self, folder, port, secret):
        self.folder, self.port, self.secret = pathlib.Path(folder), port, secret
        self.folder.mkdir()
        self.mode = "accepts"
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "harness.webhooks", str(self.folder), str(self.port)], cwd=pathlib.Path(__file__).parents[1],
            env={**os.environ, "WEBHOOK_SECRET": self.secret})
        wait_until(lambda: (self.folder / "ready").exists())

    def kill(self):
        self.process.kill()
        self.process.wait()
        (self.folder / "ready").unlink(missing_ok=True)

    @property
    def mode(self):
        return (self.folder / "mode").read_text()

    @mode.setter
    def mode(self, mode):
        (self.folder / "mode.new").write_text(mode)
        (self.folder / "mode.new").rename(self.folder / "mode")

    @property
    def requests(self):
        """The requests that the process has received, in order: each with the mode at the time, the path, the headers, the body
        and the event.

        Only requests whose signature the Standard Webhooks library has verified are recorded.
        """
        file = self.folder / "requests"
        text = file.read_text() if file.exists() else ""
        return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]

    @property
    def accepted(self):
        return [each for each in self.requests if each["mode"] == "accepts"]


def serve(folder, port):
    from standardwebhooks import Webhook

    folder, webhook = pathlib.Path(folder), Webhook(os.environ["WEBHOOK_SECRET"])

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            mode, headers = (folder / "mode").read_text(), {name.lower(): value for name, value in self.headers.items()}
            # If the signature is wrong, this raises an exception, so that the request is neither recorded nor answered.
            event = webhook.verify(body, headers)
            with open(folder / "requests", "a") as file:
                file.write(json.dumps({"mode": mode, "path": self.path, "headers": headers, "body": body, "event": event}) + "\n")
            if mode == "hangs":
                time.sleep(3600)
            self.send_response(STATUSES[mode])
            if mode == "redirects":
                self.send_header("location", "/elsewhere")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    (folder / "ready").touch()
    server.serve_forever()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
