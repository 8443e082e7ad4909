"""Starts a PostgreSQL server for a single test, with a synchronous standby if the test needs one."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from harness.waiting import wait_until

BINARIES = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
# PostgreSQL refuses to run as root, so root starts it as the user `postgres`.
AS_OWNER = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
# The data is thrown away after the test, so PostgreSQL need not wait for a disk. Data that a killed process has written is not
# lost, because the operating system still has it.
SETTINGS = {"listen_addresses": "", "max_connections": "100", "fsync": "off", "full_page_writes": "off", "wal_keep_size": "64MB"}


class Server:
    """One PostgreSQL server: a primary, or the standby of another server."""

    def __init__(self, folder, name):
        self.name = name
        self.folder = folder / name
        self.data = self.folder / "data"
        self.folder.mkdir()
        if AS_OWNER:
            shutil.chown(self.folder, "postgres")
        # The name of the standby that must have received a commit before the commit succeeds; empty for none.
        self.standby = ""

    def run(self, program, *arguments):
        """Runs one of PostgreSQL's programs."""
        done = subprocess.run(
            [*AS_OWNER, str(BINARIES[-1] / program), *map(str, arguments)], capture_output=True, text=True, check=False, cwd="/",
            stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"
        return done.stdout

    def make(self):
        self.run("initdb", "-D", self.data, "-U", "offersigner", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")

    def copy(self, primary):
        """Makes this server a standby of the primary, from a base backup."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.run(
            "pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "-d",
            f"host={primary.folder} user=offersigner application_name={self.name}")

    def start(self):
        settings = {**SETTINGS, "unix_socket_directories": self.folder, "synchronous_standby_names": self.standby}
        options = " ".join(f"-c {name}={value or chr(39) * 2}" for name, value in settings.items())
        command = [*AS_OWNER, str(BINARIES[-1] / "pg_ctl"), "-D", str(self.data), "-l", str(self.folder / "log"), "-o", options, "-w", "start"]

        def has_started():
            return subprocess.run(command, check=False, cwd="/", stdin=subprocess.DEVNULL, capture_output=True).returncode == 0

        # After a server was killed, its last processes may take a moment to end. Until then the new one does not start.
        wait_until(has_started, message=lambda: (self.folder / "log").read_text()[-2000:])

    def kill(self):
        """Kills the server and its child processes with SIGKILL, and waits until they are gone."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        children = [int(name.name) for name in pathlib.Path("/proc").iterdir() if name.name.isdigit() and parent(name) == pid]
        for each in [pid, *children]:
            try:
                os.kill(each, signal.SIGKILL)
            except ProcessLookupError:
                pass
        wait_until(lambda: not any(pathlib.Path(f"/proc/{each}").exists() and alive(each) for each in [pid, *children]))

    def stop(self):
        # A server that was killed has left its process id in the folder. That this command then fails does no harm.
        command = [*AS_OWNER, str(BINARIES[-1] / "pg_ctl"), "-D", str(self.data), "-m", "immediate", "stop"]
        subprocess.run(command, check=False, cwd="/", stdin=subprocess.DEVNULL, capture_output=True)

    def promote(self):
        self.run("pg_ctl", "-D", self.data, "-w", "promote")

    def ask(self, sql, database="offersigner"):
        """Runs a statement. Returns its rows, each as a list of texts."""
        out = self.run("psql", "-h", self.folder, "-U", "offersigner", "-d", database, "-XqAtc", sql)
        return [line.split("|") for line in out.splitlines()]


def parent(entry):
    try:
        return int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
    except (OSError, IndexError):
        return None


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Cluster:
    """A primary and, if the test needs one, a synchronous standby. Both are removed at the end of the `with` block."""

    def __init__(self, has_standby=False):
        # The path of a socket may have only about 100 characters, so the folder has a short name.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pg"))
        self.folder.chmod(0o755)
        self.servers = [Server(self.folder, name) for name in (["one", "two"] if has_standby else ["one"])]
        self.primary = self.servers[0]
        self.primary.make()
        if has_standby:
            self.primary.start()
            self.servers[1].copy(self.primary)
            self.primary.stop()
            self.primary.standby = "two"
        for server in self.servers:
            server.start()
        self.primary.ask("CREATE DATABASE offersigner", "postgres")

    @property
    def address(self):
        """The connection string for a replica of the service. It leads to whichever server is the primary."""
        hosts = ",".join(str(server.folder) for server in self.servers)
        return f"host={hosts} user=offersigner dbname=offersigner target_session_attrs=read-write connect_timeout=3"

    def fail_over(self):
        """Kills the primary and promotes the standby."""
        self.primary.kill()
        self.primary = next(server for server in self.servers if server is not self.primary)
        self.primary.promote()

    def close(self):
        for server in self.servers:
            server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
