"""How the supervisor and its worker's process talk: one JSON object a line, both ways."""

import json
import os
import queue
import sys
import threading
from collections.abc import Mapping
from typing import Any, TextIO


def encode(message: Mapping[str, Any]) -> str:
    """A message as its line."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False) + "\n"


class Line:
    """The worker's end. What frameworks print goes to standard error instead.

    When the supervisor is gone the worker goes as well: a measurement without it would only
    disturb the next one.
    """

    def __init__(self) -> None:
        self._out: TextIO = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        self._told: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in sys.stdin:
            self._told.put(json.loads(line))
        os._exit(1)

    def hear(self) -> dict[str, Any]:
        """The supervisor's next message."""
        return self._told.get()

    def say(self, **message: Any) -> None:
        """Send a message."""
        self._out.write(encode(message))
        self._out.flush()

    def ask(self, **message: Any) -> dict[str, Any]:
        """Send a message and wait for its answer: nothing is measured while the other works."""
        self.say(**message)
        return self.hear()
