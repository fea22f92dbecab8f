"""One measurement at a time on a machine, whoever started it."""

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

# One folder for everybody: TMPDIR differs between users, and on macOS it always does.
FOLDER = Path("/tmp") if Path("/tmp").is_dir() else Path(tempfile.gettempdir())


@contextmanager
def measuring_alone(tell: Callable[[str], None]) -> Iterator[None]:
    """Hold the machine's measuring lock; wait, and tell so, while another process holds it.

    Two measurements at once would measure each other. The lock goes with its process, even a
    killed one.
    """
    path = FOLDER / "benchproof-measuring.lock"
    handle = _opened(path)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell("another measurement runs on this machine: waiting for its end")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _opened(path: Path) -> int:
    """The lock's file, whoever made it: to lock it takes no right to write it."""
    try:
        return os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
