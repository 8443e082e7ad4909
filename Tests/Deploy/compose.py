"""Runs the commands of deploy/README.md with Docker, in a clone of what is committed, and breaks what they started under load."""
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import time

from caller import Caller

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = "offersigner-test"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


PORT = free_port()
ENVIRONMENT = {**os.environ, "COMPOSE_PROJECT_NAME": PROJECT, "PORT": str(PORT), "SUBNET": "172.30.84.0/24", "DOCKER_BUILDKIT": "1"}


def shell(folder, commands):
    """Runs commands as a reader of the document does; root needs no sudo. Returns the last line that they print."""
    commands = commands.replace("offersigner_one", f"{PROJECT}_one")
    if os.geteuid() == 0:
        commands = commands.replace("sudo ", "")
    print("\n".join(f"$ {line}" for line in commands.splitlines()), flush=True)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        text=True, check=True)
    return (done.stdout.splitlines() or [""])[-1]


def main():
    with tempfile.TemporaryDirectory() as name:
        clone = pathlib.Path(name) / "offersigner"
        subprocess.run(["git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", clone], check=True)
        deploy = clone / "deploy"
        start, first, failover, exchange = re.findall(r"```sh\n(.*?)```", (deploy / "README.md").read_text(), re.S)
        try:
            access_key = shell(clone, start)
            answer = shell(deploy, first.replace("osk_…", access_key).replace(":8080", f":{PORT}"))
            if '"status":"signed"' not in answer:
                raise SystemExit(f"the first request: {answer}")
            caller = Caller(access_key, [PORT])
            with caller.asking():
                for replica in ("one", "two", "three"):
                    shell(deploy, f"docker compose restart replica-{replica}")
                    # The proxy asks once a second whether it is back.
                    time.sleep(5)
            caller.check("replicas restarted one by one", may_be_unknown=False)
            with caller.asking():
                shell(deploy, "docker compose kill --signal KILL replica-two")
                time.sleep(5)
                shell(deploy, "docker compose up --detach replica-two")
            caller.check("a replica killed")
            with caller.asking():
                shell(deploy, failover)
            caller.check("the primary stopped, the standby promoted")
            with caller.asking():
                shell(deploy, exchange)
            caller.check("two databases again")
            state = shell(deploy, "docker compose exec -T primary psql -U postgres -Atc 'SELECT application_name, sync_state FROM pg_stat_replication'")
            if state != "standby|sync":
                raise SystemExit(f"the standby: {state}")
            # Fails if it finds anything.
            shell(deploy, "docker compose run --rm --entrypoint offersigner make-store audit verify --config /etc/offersigner/offersigner.yaml")
        finally:
            subprocess.run(["docker", "compose", "down", "--volumes"], cwd=deploy, env=ENVIRONMENT, check=False)
    print("all as documented")


main()
