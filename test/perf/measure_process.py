"""Runs one command and prints what it took: the argument and the result are JSON (see measure-process.mjs)."""

import json
import os
import signal
import sys
import tempfile
import threading
import time


def tail(file, most: int) -> str:
    file.seek(max(0, file.seek(0, os.SEEK_END) - most))
    return file.read().decode("utf8", "replace")


def main() -> None:
    request = json.loads(sys.argv[1])
    for path in request["warm"]:
        with open(path, "rb", buffering=0) as file:
            while file.read(1 << 20):
                pass
    # What earlier processes left to be written would otherwise be written while this one is measured.
    os.sync()
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as output, open(os.devnull, "rb") as nothing:
        actions = [
            (os.POSIX_SPAWN_DUP2, nothing.fileno(), 0),
            (os.POSIX_SPAWN_DUP2, output.fileno(), 1),
            (os.POSIX_SPAWN_DUP2, errors.fileno(), 2),
        ]
        command = request["command"]
        started = time.perf_counter()
        pid = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
        timer = threading.Timer(request["limitMs"] / 1000, os.kill, (pid, signal.SIGKILL))
        if request["limitMs"] > 0:
            timer.start()
        _, status, usage = os.wait4(pid, 0)
        wall = time.perf_counter() - started
        timer.cancel()
        report = {
            "wallMs": wall * 1000,
            "cpuMs": (usage.ru_utime + usage.ru_stime) * 1000,
            # macOS counts bytes, everybody else KiB.
            "peakBytes": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
            "exitCode": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            "stdout": tail(output, 4_000_000),
            "stderr": tail(errors, 20_000),
        }
    print(json.dumps(report))


main()
