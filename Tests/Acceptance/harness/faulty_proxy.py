"""A proxy before PostgreSQL that delays, cuts connections, and swallows answers: what was sent may have been done."""
import asyncio
import threading

from harness.service import free_port


class FaultyProxy:
    """Passes connections on to a server until faults are wanted."""

    # Of this share of what a server sends: nothing arrives, half of it arrives, it arrives late.
    SWALLOWED, TORN, LATE = 0.002, 0.001, 0.02
    # Of this share of what a client sends nothing is passed on.
    LOST = 0.001

    def __init__(self, cluster, dice):
        self.cluster = cluster
        self.dice = dice
        self.port = free_port()
        self.is_faulty = False
        self.faults = {"swallowed": 0, "torn": 0, "lost": 0, "late": 0}
        self._loop = asyncio.new_event_loop()
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=[started], daemon=True)
        self._thread.start()
        started.wait()

    @property
    def address(self):
        return f"host=127.0.0.1 port={self.port} user=offersigner dbname=offersigner sslmode=disable gssencmode=disable connect_timeout=3"

    def _run(self, started):
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(asyncio.start_server(self._accept, "127.0.0.1", self.port))
        started.set()
        self._loop.run_forever()

    async def _accept(self, reader, writer):
        try:
            server_reader, server_writer = await asyncio.open_unix_connection(f"{self.cluster.primary.folder}/.s.PGSQL.5432")
        except OSError:
            return writer.close()
        ends = [asyncio.ensure_future(self._pass(reader, server_writer, self._to_server)),
                asyncio.ensure_future(self._pass(server_reader, writer, self._to_client))]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
        for each in (writer, server_writer):
            each.close()

    async def _pass(self, reader, writer, fate):
        try:
            while data := await reader.read(65536):
                if self.is_faulty and not await fate(data, writer):
                    return
                writer.write(data)
                await writer.drain()
        except OSError:
            pass

    async def _to_server(self, _data, _writer):
        if self.dice.random() < self.LOST:
            self.faults["lost"] += 1
            return False
        return True

    async def _to_client(self, data, writer):
        fate = self.dice.random()
        if fate < self.SWALLOWED:
            self.faults["swallowed"] += 1
            return False
        fate -= self.SWALLOWED
        if fate < self.TORN:
            self.faults["torn"] += 1
            writer.write(data[: len(data) // 2])
            await writer.drain()
            return False
        fate -= self.TORN
        if fate < self.LATE:
            self.faults["late"] += 1
            await asyncio.sleep(self.dice.uniform(0, 0.1))
        return True

    async def _end(self):
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def close(self):
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
