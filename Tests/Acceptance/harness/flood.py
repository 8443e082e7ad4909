"""A crowd of clients without access keys, as a process of its own: `python flood.py PORT PATH CONNECTIONS SHAPE [stands-back]`.

Every connection sends the same prebuilt body again and again, whatever the answers are. At the end the process prints one line,
which says how often each status was answered.
"""
import asyncio
import collections
import contextlib
import json
import os
import subprocess
import sys
import time

MEBIBYTE = 1 << 20
# The flood ends only after more requests than this were answered 503, which the service answers if it has no room.
REFUSED = 10
SHAPES = ["names", "values", "escapes", "nested", "receipt"]


def body(shape):
    """A body of about a mebibyte that takes as long to parse as a body of this shape can."""
    if shape == "names":
        one = "{" + ",".join(f'"{number:x}":0' for number in range(64)) + "}"
    elif shape == "values":
        one = "0"
    elif shape == "escapes":
        one = '"' + "\\u00e9" * 1000 + '"'
    elif shape == "nested":
        one = "[" * 28 + "]" * 28
    elif shape == "receipt":
        item = {"transaction_id": "1", "original_transaction_id": "1", "product_id": "p", "purchase_date_ms": "1", "expires_date_ms": "2"}
        items = [{**item, "transaction_id": str(number), "purchase_date_ms": str(number)} for number in range(MEBIBYTE // 140)]
        return json.dumps({"notification_type": "RENEWAL", "unified_receipt": {"latest_receipt_info": items}}).encode()[:]
    return ('{"a":[' + ",".join([one] * ((MEBIBYTE - 16) // (len(one) + 1))) + "]}").encode()


class Flood:
    """Runs the process during its `with` block. After the block, `answers` says how often each status was answered."""

    def __init__(self, service, path, connections, shape, stands_back=False):
        self.arguments = [str(service.port), path, str(connections), shape, *(["stands-back"] if stands_back else [])]
        self.answers = {}

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), *self.arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        assert self.process.stdout.readline() == "begun\n"
        return self

    def __exit__(self, *_):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.answers = json.loads(self.process.stdout.read() or "{}")
        self.process.wait()


async def attack(port, path, connections, shape):
    content = body(shape)
    assert len(content) <= MEBIBYTE
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(content)}\r\n\r\n".encode()
    answers = collections.Counter()

    async def stranger():
        while True:
            writer = None
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                while True:
                    writer.write(head)
                    writer.write(content)
                    line = await reader.readline()
                    answers[line[9:12].decode() or "closed"] += 1
                    rest = await reader.readuntil(b"\r\n\r\n")
                    if b"Connection: close" in rest:
                        break
                    await reader.readexactly(int(rest.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
            except (OSError, asyncio.IncompleteReadError):
                answers["broken"] += 1
            finally:
                if writer:
                    writer.transport.abort()

    crowd = [asyncio.create_task(stranger()) for _ in range(connections)]
    print("begun", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    end = time.monotonic() + 120
    while answers["503"] <= REFUSED and time.monotonic() < end:
        await asyncio.sleep(0.02)
    for each in crowd:
        each.cancel()
    print(json.dumps(answers), flush=True)


if __name__ == "__main__":
    if sys.argv[5:] == ["stands-back"]:
        # Any other process on the same processors, such as the one that measures, runs before this one, and at once. With a high
        # nice value instead, Linux would let this process finish its time slice first.
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    asyncio.run(attack(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]))
