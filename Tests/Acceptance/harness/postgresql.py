"""A PostgreSQL of a test's own, with a synchronous standby where it wants one."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from harness.waiting import wait_until

BINARIES = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
# It refuses to run as root.
AS_OWNER = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
# What it holds is thrown away: nothing waits for a disk. What a killed process has written the system keeps.
SETTINGS = {"listen_addresses": "", "max_connections": "100", "fsync": "off", "full_page_writes": "off", "wal_keep_size": "64MB"}


class Server:
    """One server: a primary, or a standby of another."""

    def __init__(self, folder, name):
        self.name = name
        self.folder = folder / name
        self.data = self.folder / "data"
        self.folder.mkdir()
        if AS_OWNER:
            shutil.chown(self.folder, "postgres")
        # What it waits for before a commit is done.
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
        """Makes it a standby of another one, from a base backup."""
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

        # What is left of one that was killed may take a moment to go.
        wait_until(has_started, message=lambda: (self.folder / "log").read_text()[-2000:])

    def kill(self):
        """SIGKILL: its children see it and end."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        children = [int(name.name) for name in pathlib.Path("/proc").iterdir() if name.name.isdigit() and parent(name) == pid]
        for each in [pid, *children]:
            try:
                os.kill(each, signal.SIGKILL)
            except ProcessLookupError:
                pass
        wait_until(lambda: not any(pathlib.Path(f"/proc/{each}").exists() and alive(each) for each in [pid, *children]))

    def stop(self):
        # One that was killed has left its number there.
        command = [*AS_OWNER, str(BINARIES[-1] / "pg_ctl"), "-D", str(self.data), "-m", "immediate", "stop"]
        subprocess.run(command, check=False, cwd="/", stdin=subprocess.DEVNULL, capture_output=True)

    def promote(self):
        self.run("pg_ctl", "-D", self.data, "-w", "promote")

    def ask(self, sql, database="offersigner"):
        """Rows of a statement, each a list of texts."""
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
    """A primary and, if wanted, a synchronous standby; gone at the end."""

    def __init__(self, has_standby=False):
        # Paths of sockets are short.
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
        """What a replica connects to: the server that takes writes."""
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
