"""Runs the local App Store until it is stopped."""
import argparse
import json
import os
import pathlib
import signal
import threading

from AppStoreServer.authority import Authority
from AppStoreServer.server import AppStoreServer


def main():
    parser = argparse.ArgumentParser(prog="serve", description=__doc__)
    parser.add_argument("--authority", type=pathlib.Path, required=True, help="folder of the authority; made if it is not there")
    parser.add_argument("--port", type=int, default=0, help="0, the default, is any free port")
    parser.add_argument("--until-input-ends", action="store_true", help="stop when standard input ends, as when the parent dies")
    arguments = parser.parse_args()
    folder = arguments.authority.resolve()
    if not (folder / "root.pem").exists():
        Authority().save(folder)
    server = AppStoreServer(Authority.load(folder), arguments.port)
    # Not on this thread: shutdown waits for the loop that the signal interrupts.
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown, daemon=True).start())
    if arguments.until_input_ends:
        threading.Thread(target=_stop_at_end_of_input, args=(server,), daemon=True).start()
    print(json.dumps({"url": server.url, "root": str(folder / "root.pem")}), flush=True)
    try:
        server.serve_forever(poll_interval=0.05)
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()


def _stop_at_end_of_input(server):
    # Not sys.stdin: a thread that waits in there holds up the end of the program.
    while os.read(0, 4096):
        pass
    server.shutdown()


main()
