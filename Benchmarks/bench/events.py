"""What events cost a signature: its latency at a constant rate, on a service without endpoints and on one that delivers each event."""

import asyncio
import base64
import json
import subprocess
import sys

from bench import latency
from bench.latency import Flow
from bench.places import BENCHMARKS, LOAD_CORE, WORK, pinned
from bench.servers import BenchmarkError, Server, free_port, start_ours

# Signatures a second, and connections.
RATE, CONNECTIONS = 1000, 64


class Receiver(asyncio.Protocol):
    """Answers each request with 204, and counts it."""

    received = 0

    def connection_made(self, transport) -> None:
        self.transport, self.bytes = transport, b""

    def data_received(self, data: bytes) -> None:
        self.bytes += data
        while (end := self.bytes.find(b"\r\n\r\n")) >= 0:
            head = self.bytes[:end].lower()
            length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
            if len(self.bytes) < end + 4 + length:
                return
            self.bytes = self.bytes[end + 4 + length:]
            Receiver.received += 1
            self.transport.write(b"HTTP/1.1 204 No Content\r\n\r\n")


async def receive(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Receiver, "127.0.0.1", port)
    print("ready", flush=True)
    async with server:
        await asyncio.to_thread(sys.stdin.readline)
    print(Receiver.received, flush=True)


def configuration(port: int):
    """Writes the configuration of one endpoint that takes every event; returns its file."""
    WORK.mkdir(parents=True, exist_ok=True)
    secret = WORK / "event-secret"
    secret.touch(mode=0o600)
    secret.write_text("whsec_" + base64.b64encode(bytes(range(32))).decode() + "\n")
    file = WORK / "events.yaml"
    endpoint = {"name": "bench", "url": f"http://127.0.0.1:{port}/", "types": ["*"], "secretFile": str(secret), "allowPrivateAddresses": True}
    file.write_text("events:\n  endpoints:\n    - " + json.dumps(endpoint) + "\n")
    return file


def measure(seconds: int, rounds: int, note) -> list[dict]:
    """In each round p50 and p99 in ms without and with events, in turns; and the events that arrived by the end of the rounds."""
    port = free_port()
    command = pinned(LOAD_CORE, sys.executable, "-c", f"import asyncio; from bench import events; asyncio.run(events.receive({port}))")
    receiver = subprocess.Popen(command, cwd=BENCHMARKS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    receiver.stdout.readline()
    started: list[tuple[str, Server]] = []
    found = []
    try:
        for name, extra in (("without", None), ("with", configuration(port))):
            server, target = start_ours(WORK / f"events-{name}", extra=extra)
            started.append((name, server))
        for number in range(rounds):
            one: dict = {}
            for name, server in started[:: 1 if number % 2 == 0 else -1]:
                [flow] = latency.send(server.port, seconds, [Flow(RATE, CONNECTIONS, latency.requests(server, target))])
                if flow["failed"] or flow["unanswered"]:
                    raise BenchmarkError(f"{name} events: {flow}")
                one[name] = {"p50": flow["p50"], "p99": flow["p99"]}
            note(f"round {number + 1}: " + ", ".join(f"{name} p50 {each['p50']:.2f}, p99 {each['p99']:.2f} ms" for name, each in one.items()))
            found.append(one)
    finally:
        for _, server in started:
            server.stop()
        received, _ = receiver.communicate("\n")
    note(f"{int(received):,} events arrived")
    return found
