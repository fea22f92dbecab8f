"""Runs a command and writes what it took: seconds, peak memory in bytes, exit status.

A process of its own, and a small one: the peak that the system tells of a child includes that of
the process which started it.
"""

import json
import os
import sys
import time


def launch(told: str, command: list[str]) -> None:
    """Run `command` and write a JSON list to the file `told`."""
    started = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ)
    # wait4, because it tells the peak of this tree alone, not of all that ran so far.
    _, status, usage = os.wait4(pid, 0)
    time_s = time.perf_counter() - started
    memory_bytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    with open(told, "w", encoding="utf-8") as file:  # noqa: PTH123  # pathlib takes memory
        json.dump([time_s, memory_bytes, os.waitstatus_to_exitcode(status)], file)


if __name__ == "__main__":
    launch(sys.argv[1], sys.argv[2:])
