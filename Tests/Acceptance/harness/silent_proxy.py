"""A proxy in front of PostgreSQL that can stop forwarding without closing connections, as if a machine had lost its power."""
import asyncio

from harness.database_proxy import DatabaseProxy


class SilentProxy(DatabaseProxy):
    """Forwards connections. Once it is silenced, it forwards nothing in either direction, and neither side gets an error."""

    def __init__(self, cluster):
        # The number of bytes that clients have sent so far, and the number at which the proxy falls silent; None for never.
        self.sent = 0
        self._last = None
        self._open = set()
        super().__init__(cluster)

    @property
    def is_silent(self):
        return self._last is not None and self.sent >= self._last

    def silence(self, after):
        """Falls silent after clients have sent `after` more bytes. The last message may therefore be cut in two."""
        self._last = self.sent + after

    def resume(self, cut):
        """Forwards again. If `cut`, the silent connections are closed; otherwise they go on where they stopped."""
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
            # The proxy reads no more than this before it forwards, so what a silent connection still sends fills the sender's own
            # buffers.
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
