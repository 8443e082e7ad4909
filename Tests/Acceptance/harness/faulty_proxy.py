"""A proxy before PostgreSQL that delays, cuts connections, and swallows answers: what was sent may have been done."""
import asyncio

from harness.database_proxy import DatabaseProxy


class FaultyProxy(DatabaseProxy):
    """Passes connections on to a server until faults are wanted."""

    # Of this share of what a server sends: nothing arrives, half of it arrives, it arrives late.
    SWALLOWED, TORN, LATE = 0.002, 0.001, 0.02
    # Of this share of what a client sends nothing is passed on.
    LOST = 0.001

    def __init__(self, cluster, dice):
        self.dice = dice
        self.is_faulty = False
        self.faults = {"swallowed": 0, "torn": 0, "lost": 0, "late": 0}
        super().__init__(cluster)

    async def _accept(self, reader, writer):
        try:
            server_reader, server_writer = await self._server()
        except OSError:
            return writer.close()
        directions = [self._pass(reader, server_writer, self._to_server), self._pass(server_reader, writer, self._to_client)]
        await self._until_first_end(directions, [writer, server_writer])

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
