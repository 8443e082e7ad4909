"""Traffic that means harm or makes no sense: no 5xx, no row, bounded memory, and the service still answers."""
import asyncio
import contextlib
import json
import os
import random
import resource
import socket
import time

import httpx

from harness import wire
from harness.scale import IS_FULL, scaled
from harness.waiting import PATIENCE, wait_until

VOLUME = scaled(30, 300) * 1_000_000
# What the process may take at its worst, in MB.
MOST_MEMORY = 200
PATHS = ["/v1/signatures", "/v1/nonces", "/v1/verify", "/v1/introductory-offers/signatures", "/livez", "/", "/v1/../etc/passwd"]


class Attacks:
    """Every method gives the bytes of one connection."""

    def __init__(self, service, seed):
        self.randomness = random.Random(seed)
        self.service = service

    def any(self):
        kinds = [getattr(self, name) for name in dir(self) if name.startswith("send_")]
        return self.randomness.choice(kinds)()

    def _token(self):
        return self.randomness.choice([
            "", "osk_", "osk__", "osk_" + "0" * 16 + "_" + "A" * 43, "x" * 5000, "osk_" + "f" * 16 + "_" + "é" * 20,
            self.service.tokens["client"][:-1], self.service.tokens["client"] + "x",
        ])

    def send_random_bytes(self):
        return self.randomness.randbytes(self.randomness.randint(1, 100_000))

    def send_a_huge_header(self):
        return b"POST /v1/signatures HTTP/1.1\r\nHost: x\r\nX-Padding: " + b"a" * self.randomness.randint(20_000, 1_000_000) + b"\r\n\r\n"

    def send_many_headers(self):
        lines = b"".join(b"X-%d: y\r\n" % index for index in range(self.randomness.randint(101, 20_000)))
        return b"GET /livez HTTP/1.1\r\nHost: x\r\n" + lines + b"\r\n"

    def send_a_huge_request_line(self):
        return b"GET /" + b"a" * self.randomness.randint(10_000, 500_000) + b" HTTP/1.1\r\nHost: x\r\n\r\n"

    def send_an_unauthenticated_body(self):
        body = json.dumps({"bundleId": "x" * self.randomness.randint(1, 60_000)}).encode()
        return wire.request(self.randomness.choice(PATHS), body, self._token())

    def send_malformed_json_with_a_good_token(self):
        body = self.randomness.choice([
            b"[" * 60_000, b'{"a":' * 10_000, b"{}" * 20_000, b'{"offers":[' + b"{}," * 15_000 + b"{}]}",
            b"\xff\xfe" * 20_000, b'"' + b"\\u0000" * 10_000 + b'"', b"9" * 60_000, b'{"count":' + b"1" * 50_000 + b"}",
            b'{"bundleId":"\\ud800"}', b'{"count":1e999}', b'{"count":-0}', b"nul", b"", b"\x00" * 60_000,
            self.randomness.randbytes(60_000), b'{"bundleId":"' + b"\xc3\x28" * 100 + b'"}',
        ])
        return wire.request(self.randomness.choice(PATHS[:4]), body, self.service.tokens["client"])

    def send_a_body_over_the_limit(self):
        return wire.request(self.randomness.choice(PATHS[:4]), b" " * self.randomness.randint(65_537, 1_000_000), self._token())

    def send_an_endless_chunked_body(self):
        chunk = b"%x\r\n" % 60_000 + b"[" * 60_000 + b"\r\n"
        head = b"POST /v1/signatures HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        return head + chunk * self.randomness.randint(1, 15)

    def send_a_lying_content_length(self):
        length = self.randomness.choice([b"-1", b"99999999999999999999", b"10, 20", b"0x10", b"5\r\nContent-Length: 6", b""])
        return b"POST /v1/signatures HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + b"\r\n\r\n{}"

    def send_a_smuggled_request(self):
        return (
            b"POST /v1/nonces HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"0\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
        )

    def send_pipelined_nonsense(self):
        return wire.request("/v1/signatures", b"{", self._token()) * self.randomness.randint(2, 200)


async def statuses_of(url, data, hangs_up):
    """Sends it all, whatever happens, and gives back the statuses that came before the end.

    `hangs_up`: says that nothing more will come, and waits for the end; else it leaves soon, in the midst of things.
    """
    try:
        connection = await wire.Connection.open(url)
    except OSError:
        return None
    found = []

    async def read():
        while True:
            found.append((await connection.answer()).status)

    reading = asyncio.create_task(read())
    try:
        connection.send(data)
        await asyncio.wait_for(connection.writer.drain(), PATIENCE)
        if hangs_up:
            connection.writer.write_eof()
    # OSError: the service has closed the connection already.
    except (OSError, asyncio.TimeoutError):
        pass
    await asyncio.wait([reading], timeout=PATIENCE if hangs_up else 0.3)
    assert not hangs_up or reading.done(), "a connection does not end"
    reading.cancel()
    connection.close()
    return found


async def attack(service, volume, seed):
    attacks, sent, statuses, refused, ended, waits = Attacks(service, seed), 0, {}, 0, 0, []

    async def attacker(hangs_up):
        nonlocal sent, refused, ended
        # Until there is something to say of the honest client, too.
        while sent < volume or len(waits) < 30:
            data = attacks.any()
            sent += len(data)
            found = await statuses_of(service.url, data, hangs_up)
            refused += found is None
            # The others end after 0.3 s, whatever the service does.
            ended += hangs_up
            for status in found or []:
                statuses[status] = statuses.get(status, 0) + 1

    async def slow(stop):
        """Feeds a byte now and then, and never ends."""
        while not stop.is_set():
            try:
                connection = await wire.Connection.open(service.url)
                for byte in b"POST /v1/signatures HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n" + b" " * 60_000:
                    connection.send(bytes([byte]))
                    await connection.writer.drain()
                    await asyncio.sleep(0.1)
                    if stop.is_set():
                        break
                connection.close()
            except OSError:
                await asyncio.sleep(0.1)

    async def good(stop):
        """What an honest client sees meanwhile: the seconds until each answer, and the attacks that ended in this time."""
        while not stop.is_set():
            begin, before = time.monotonic(), ended
            connection = await wire.Connection.open(service.url)
            answer = await connection.exchange(wire.request("/v1/nonces", {"bundleId": service.bundle_id}, service.tokens["client"]))
            connection.close()
            assert answer.status == 200
            waits.append((time.monotonic() - begin, ended - before))
            await asyncio.sleep(0.02)

    stop = asyncio.Event()
    bystanders = [asyncio.create_task(slow(stop)) for _ in range(50)]
    honest = asyncio.create_task(good(stop))
    await asyncio.gather(*(attacker(hangs_up=number % 2 == 0) for number in range(16)))
    stop.set()
    await asyncio.gather(*bystanders, honest)
    return sent, statuses, refused, waits


def test_hostile_traffic_makes_no_5xx_no_row_and_takes_bounded_memory(new_service):
    service = new_service()
    service.client().sign(service.offer_body())
    before = service.counts()
    sent, statuses, refused, honest = asyncio.run(attack(service, VOLUME, seed=1))
    assert sent >= VOLUME and refused == 0
    assert not [status for status in statuses if status >= 500], statuses
    assert {400, 401, 413} <= set(statuses), f"the attacks did not arrive: {statuses}"
    assert not statuses.keys() & {201, 202, 204}
    assert service.is_running and service.counts() == before
    assert service.memory("VmHWM") < MOST_MEMORY, f"{service.memory('VmHWM'):.0f} MB at the most"
    seconds, attacks = (sorted(each)[len(honest) // 2] for each in zip(*honest))
    # It has its turn before twice as many attacks as wait for the service.
    assert attacks < 16, f"an honest client waits too long: {attacks} attacks, {seconds:.2f} s"
    assert seconds < 1 or not IS_FULL, f"an honest client waits too long: {seconds:.2f} s"
    service.client().sign(service.offer_body())
    assert service.log(), "the log is no JSON any more"


def test_memory_does_not_grow_with_the_volume_of_hostile_traffic(new_service):
    service = new_service()
    asyncio.run(attack(service, VOLUME // 3, seed=2))
    after_one = service.memory()
    asyncio.run(attack(service, VOLUME // 3 * 2, seed=3))
    assert service.memory() < after_one + 40, f"{after_one:.0f} MB, then {service.memory():.0f} MB"


def test_a_connection_on_which_nothing_comes_is_closed(new_service):
    service = new_service(extra="http: {idleTimeoutSeconds: 1}\n")
    # What counts where the configuration says nothing, in s.
    usual = 75

    async def stall(data):
        begin = time.monotonic()
        connection = await wire.Connection.open(service.url)
        connection.send(data)
        await asyncio.wait_for(connection.reader.read(), usual)
        connection.close()
        return time.monotonic() - begin

    async def all_of_them():
        return await asyncio.gather(
            stall(b""), stall(b"POST /v1/sig"), stall(b"POST /v1/signatures HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"),
            stall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"),
        )

    assert all(0.5 < seconds < (5 if IS_FULL else usual) for seconds in asyncio.run(all_of_them()))


def test_the_service_asks_for_as_many_open_files_as_it_may_have(new_service):
    service = new_service(start=False)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        service.start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert resource.prlimit(service.pid, resource.RLIMIT_NOFILE) == (min(hard, 65_536), hard)


def descriptors(service):
    return len(os.listdir(f"/proc/{service.pid}/fd"))


def sockets(service):
    folder = f"/proc/{service.pid}/fd"
    count = 0
    for name in os.listdir(folder):
        # A file may be closed between the two looks.
        with contextlib.suppress(FileNotFoundError):
            count += os.readlink(f"{folder}/{name}").startswith("socket:")
    return count


def test_more_connections_than_file_descriptors_do_not_stop_the_service(new_service, tmp_path):
    service = new_service()
    os.system(f"prlimit --pid {service.pid} --nofile=128:128")

    async def crowd():
        connections = []
        for _ in range(300):
            try:
                connections.append(await asyncio.wait_for(wire.Connection.open(service.url), 2))
            except (OSError, asyncio.TimeoutError):
                if len(connections) > 200:
                    break
        await asyncio.to_thread(wait_until, lambda: descriptors(service) > 80)
        for connection in connections:
            connection.close()
        return len(connections)

    assert asyncio.run(crowd()) > 128

    def signs():
        assert service.is_running, "the service has ended"
        with contextlib.suppress(httpx.TransportError):
            return service.client().sign(service.offer_body())

    wait_until(signs, promised=10)


def test_a_service_out_of_descriptors_keeps_some_for_itself_says_so_and_keeps_no_core_busy(new_service):
    service = new_service()
    # The fewest of some looks: a look may meet a file that is open for a moment only.
    own, own_sockets = min((descriptors(service), sockets(service)) for _ in range(20))
    os.system(f"prlimit --pid {service.pid} --nofile=128:128")
    connections = [socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) for _ in range(300)]
    try:
        wait_until(lambda: descriptors(service) > 80)
        # Until it rests.
        time.sleep(0.5)
        before = service.processor_time()
        # Longer than it takes the threads of tasks to look after each other, for which they open a file.
        time.sleep(2)
        assert service.processor_time() - before < 0.2, "waiting keeps a core busy"
        # Three more than the one that is one too many may be accepted in one go. What the service opens for itself meanwhile does not count.
        assert 80 < own + sockets(service) - own_sockets <= 128 - 32 + 4
    finally:
        for connection in connections:
            connection.close()
    wait_until(lambda: service.metric("offersigner_http_accept_failures_total") > 0, promised=5)
    told = [line for line in service.log() if line["message"].startswith("connections cannot be accepted")]
    assert [(line["level"], line["reason"]) for line in told] == [("error", "Too many open files")]
    service.client().sign(service.offer_body())


def test_a_body_is_not_read_to_its_end_once_it_is_too_large(instance):
    async def upload():
        connection = await wire.Connection.open(instance.url)
        connection.send(b"POST /v1/signatures HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000000\r\n\r\n")
        answer = await asyncio.wait_for(connection.answer(), PATIENCE)
        sent = 0
        try:
            while sent < 100_000_000:
                connection.send(b" " * 1_000_000)
                await connection.writer.drain()
                sent += 1_000_000
        except ConnectionError:
            pass
        return answer.status, sent

    status, sent = asyncio.run(upload())
    assert status == 413 and sent < 100_000_000


def test_expect_continue_is_answered(instance):
    async def ask():
        connection = await wire.Connection.open(instance.url)
        whole = wire.request("/v1/nonces", {"bundleId": instance.bundle_id}, instance.tokens["client"], {"Expect": "100-continue"})
        head, body = whole.split(b"\r\n\r\n", 1)
        connection.send(head + b"\r\n\r\n")
        first = await asyncio.wait_for(connection.reader.readuntil(b"\r\n\r\n"), PATIENCE)
        connection.send(body)
        answer = await asyncio.wait_for(connection.answer(), PATIENCE)
        connection.close()
        return first, answer.status

    first, status = asyncio.run(ask())
    assert first.startswith(b"HTTP/1.1 100 ") and status == 200


def test_a_client_that_leaves_before_its_answer_does_no_harm(instance, client):
    async def leave():
        for _ in range(200):
            connection = await wire.Connection.open(instance.url)
            connection.send(wire.request("/v1/signatures", instance.offer_body(), instance.tokens["client"]))
            connection.writer.transport.abort()

    asyncio.run(leave())
    client.sign(instance.offer_body())


def test_pipelined_requests_are_answered_in_order(instance):
    async def ask():
        connection = await wire.Connection.open(instance.url)
        connection.send(b"".join(
            wire.request("/v1/nonces", {"bundleId": instance.bundle_id, "count": count}, instance.tokens["client"], {"X-Request-Id": f"r{count}"})
            for count in range(1, 51)
        ))
        found = [await asyncio.wait_for(connection.answer(), PATIENCE) for _ in range(50)]
        connection.close()
        return [(answer.headers["x-request-id"], len(answer.json()["nonces"])) for answer in found]

    assert asyncio.run(ask()) == [(f"r{count}", count) for count in range(1, 51)]
