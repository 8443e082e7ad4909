"""Sends HTTP/1.1 byte by byte, so that a test decides exactly when requests arrive together and where connections break."""
import asyncio
import dataclasses
import json
import socket
import sys
import time
import urllib.parse

from harness.waiting import PATIENCE


class Unanswered(Exception):
    """The connection ended before the answer was complete."""


@dataclasses.dataclass
class Answer:
    status: int
    headers: dict
    body: bytes

    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """The code of the problem in the answer; None if the answer is not a problem."""
        return self.json().get("code") if self.status >= 400 else None

    @property
    def is_last(self):
        return self.headers.get("connection", "").lower() == "close"


def request(path, body, token, headers=None, method="POST"):
    """The bytes of one request. `body` is a JSON value or bytes."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: test", "Content-Type: application/json", f"Content-Length: {len(content)}"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


# How long the service keeps an idle connection by default, in s. If a connection is closed earlier, there is another reason.
USUAL_IDLE = 75


def is_read(connection):
    """Whether the other end of this connection has accepted it, and has read all that was sent.

    The other end must be a process on this machine.
    """

    def place(address):
        return f"{int.from_bytes(socket.inet_aton(address[0]), sys.byteorder):08X}:{address[1]:04X}"

    ends = [place(connection.getpeername()), place(connection.getsockname())]
    with open("/proc/net/tcp") as table:
        for fields in map(str.split, table):
            if fields[1:3] == ends:
                # The first field ends with the number of bytes that are not read yet. The second is the inode of the socket,
                # which is 0 until the connection is accepted.
                return fields[4].endswith(":00000000") and fields[9] != "0"
    return False


class Connection:
    """One connection, which is kept open for several requests."""

    def __init__(self, reader, writer):
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, url):
        parts = urllib.parse.urlsplit(url)
        return cls(*await asyncio.open_connection(parts.hostname, parts.port, limit=1 << 20))

    def send(self, data):
        self.writer.write(data)

    async def answer(self):
        try:
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = dict(line.lower().split(": ", 1)[:1] + line.split(": ", 1)[1:] for line in head[1:] if line)
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise Unanswered(repr(error)) from error
        return Answer(int(head[0].split()[1]), headers, body)

    async def exchange(self, data):
        try:
            self.send(data)
        except ConnectionError as error:
            raise Unanswered(repr(error)) from error
        return await self.answer()

    def close(self):
        self.writer.close()


class Volley:
    """Many requests that arrive at the same moment.

    Each is sent on a connection of its own, first without its last byte. Then the last bytes of all are sent at once.
    """

    def __init__(self, connections):
        self.connections = connections

    @classmethod
    async def open(cls, url, count):
        connections = []
        while len(connections) < count:
            step = min(100, count - len(connections))
            connections += await asyncio.gather(*(Connection.open(url) for _ in range(step)))
        return cls(connections)

    async def fire(self, requests):
        assert len(requests) == len(self.connections)
        for connection, data in zip(self.connections, requests):
            connection.send(data[:-1])
        await asyncio.gather(*(connection.writer.drain() for connection in self.connections))
        await asyncio.sleep(0.05)
        for connection, data in zip(self.connections, requests):
            connection.send(data[-1:])
        return await asyncio.wait_for(asyncio.gather(*(connection.answer() for connection in self.connections)), PATIENCE)

    def close(self):
        for connection in self.connections:
            connection.close()


@dataclasses.dataclass
class Load:
    """What came of the requests that `press` has sent."""

    answers: list = dataclasses.field(default_factory=list)
    # The requests without an answer: when each had been sent, by time.monotonic(), and the error. The time is None if the
    # connection broke before that.
    unanswered: list = dataclasses.field(default_factory=list)
    refused: int = 0

    def nonces(self):
        """The nonces in all answers with status 200. A nonce that was acknowledged twice occurs twice."""
        return [
            result["nonce"] for answer in self.answers if answer.status == 200 for result in answer.json()["results"]
        ]

    def statuses(self):
        found = {}
        for answer in self.answers:
            found[answer.status] = found.get(answer.status, 0) + 1
        return found


async def press(url, make_request, load, connections, reconnect=False):
    """Sends requests on many connections until every connection has ended.

    `make_request(worker, turn)` returns the bytes to send.
    """

    async def work(worker):
        turn = 0
        while True:
            sent = None
            try:
                connection = await Connection.open(url)
            except ConnectionRefusedError:
                load.refused += 1
                return
            except ConnectionError as error:
                load.unanswered.append((sent, f"while connecting: {error!r}"))
                return
            try:
                while True:
                    sent = None
                    connection.send(make_request(worker, turn))
                    sent = time.monotonic()
                    answer = await connection.answer()
                    turn += 1
                    load.answers.append(answer)
                    if answer.is_last:
                        break
            except (Unanswered, ConnectionError) as error:
                load.unanswered.append((sent, str(error)))
                return
            finally:
                connection.close()
            if not reconnect:
                return

    await asyncio.gather(*(work(worker) for worker in range(connections)))


async def press_until(is_enough, end, url, make_request, load, connections, reconnect=False):
    """Does the same, and calls `end()` as soon as `is_enough()` is true. `end` ends the service."""
    pressing = asyncio.ensure_future(press(url, make_request, load, connections, reconnect))
    while not is_enough() and not pressing.done():
        await asyncio.sleep(0.005)
    # It runs on another thread, so that requests are still being sent meanwhile.
    await asyncio.to_thread(end)
    await asyncio.wait_for(pressing, PATIENCE)
