"""A proxy before PostgreSQL whose connections fall silent without being closed, as if the machine on one side had lost its power."""
import asyncio

from harness.database_proxy import DatabaseProxy


class SilentProxy(DatabaseProxy):
    """Passes connections on. Once silenced, nothing passes in either direction, and no end hears of it."""

    def __init__(self, cluster):
        # What clients have sent so far, and at which of their bytes all falls silent; None: never.
        self.sent = 0
        self._last = None
        self._open = set()
        super().__init__(cluster)

    @property
    def is_silent(self):
        return self._last is not None and self.sent >= self._last

    def silence(self, after):
        """After so many more bytes that clients send; the last message may be cut in two."""
        self._last = self.sent + after

    def resume(self, cut):
        """Lets new connections pass again. What was silent goes on where it stopped, or is closed."""
        def end():
            self._last = None
            for wake, writers in list(self._open):
                if cut:
                    for writer in writers:
                        writer.close()
                wake.set()

        self._loop.call_soon_threadsafe(end)

    async def _accept(self, reader, writer):
        wake = asyncio.Event()
        connection = (wake, (writer,))
        self._open.add(connection)
        try:
            if self.is_silent:
                await wake.wait()
            server_reader, server_writer = await self._server()
        except OSError:
            self._open.discard(connection)
            return writer.close()
        self._open.discard(connection)
        connection = (wake, (writer, server_writer))
        self._open.add(connection)
        directions = [self._pass(reader, server_writer, wake, counts=True), self._pass(server_reader, writer, wake, counts=False)]
        await self._until_first_end(directions, [writer, server_writer])
        self._open.discard(connection)

    async def _pass(self, reader, writer, wake, counts):
        try:
            # At most half a megabyte stays here: the sender's buffers fill up.
            while data := await reader.read(65536):
                now = len(data)
                if counts:
                    now = len(data) if self._last is None else max(0, min(len(data), self._last - self.sent))
                    self.sent += now
                elif self.is_silent:
                    now = 0
                writer.write(data[:now])
                if now < len(data):
                    wake.clear()
                    await wake.wait()
                    self.sent += len(data) - now if counts else 0
                    writer.write(data[now:])
                await writer.drain()
        except OSError:
            pass
