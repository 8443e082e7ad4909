"""A proxy in front of PostgreSQL that delays answers, cuts connections and swallows answers.

If it swallows an answer, PostgreSQL may have carried out the statement all the same.
"""
import asyncio

from harness.database_proxy import DatabaseProxy


class FaultyProxy(DatabaseProxy):
    """Forwards connections unchanged until a test sets `is_faulty`."""

    # The shares of the server's messages that are lost, that arrive only half, and that arrive late. The first two end the
    # connection.
    SWALLOWED, TORN, LATE = 0.002, 0.001, 0.02
    # The share of a client's messages that are lost, which ends the connection, too.
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
