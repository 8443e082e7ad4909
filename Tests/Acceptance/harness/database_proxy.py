"""What the proxies between a service and PostgreSQL have in common: a thread that forwards connections."""
import asyncio
import threading

from harness.service import free_port


class DatabaseProxy:
    """Listens from its construction until `close`. Subclasses implement `_accept`, which handles a new connection."""

    def __init__(self, cluster):
        self.cluster = cluster
        self.port = free_port()
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

    async def _server(self):
        return await asyncio.open_unix_connection(f"{self.cluster.primary.folder}/.s.PGSQL.5432")

    async def _until_first_end(self, directions, writers):
        """Runs both directions until one of them ends, and closes both connections."""
        tasks = [asyncio.ensure_future(each) for each in directions]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        for writer in writers:
            writer.close()

    async def _end(self):
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def close(self):
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
