"""Runs a job in a worker's process: keeps what it tells, ends it when it hangs, outlives its death.

A framework can crash its process, or stop answering; the sweep must not. The worker measures, the
supervisor alone writes files, and only while the worker waits for it.
"""

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from benchproof.collectors import messages
from benchproof.collectors.frameworks.base import Variant
from benchproof.collectors.header import header
from benchproof.collectors.plan import CellKey, Job, cell_keys
from benchproof.collectors.progress import Progress
from benchproof.collectors.store import RawFiles
from benchproof.model.keys import Precision, Status, VariantKind

PROGRAM = (sys.executable, "-m", "benchproof.collectors.worker")
EAGER = "eager"
THREAD_VARIABLES = (
    "GOTO_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
)  # fmt: skip
MOST_DEATHS = 3  # between cells, where no cell can be held to account
START_LIMIT_S = 300.0  # importing a framework from a cold disk may take minutes
Told = dict[str, Any]


@dataclass
class Death:
    """How a worker ended before its job was done, and the cell that it was at."""

    reason: str
    key: CellKey | None = None
    is_control: bool = False


@dataclass
class Worker:
    """A worker's process and the line to it; use as a context manager."""

    what: str
    job: Job
    program: Sequence[str] = PROGRAM
    _process: subprocess.Popen[bytes] = field(init=False)
    _pending: bytes = b""

    def __enter__(self) -> "Worker":
        # Its own session: Ctrl-C reaches the supervisor alone, which ends the worker in order.
        self._process = subprocess.Popen(
            self.program,
            env=_environment(self.job),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self.say(what=self.what, job=self.job.to_json())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def say(self, **message: Any) -> None:
        """Send a message; a worker that is gone does not hear it, which its end will tell."""
        stream: IO[bytes] | None = self._process.stdin
        assert stream is not None
        with suppress(BrokenPipeError):
            stream.write(messages.encode(message).encode())
            stream.flush()

    def hear(self, limit_s: float) -> Told | None:
        """The worker's next message; None where it ended. TimeoutError after `limit_s`."""
        stream = self._process.stdout
        assert stream is not None
        end = time.monotonic() + limit_s
        with selectors.DefaultSelector() as selector:
            selector.register(stream, selectors.EVENT_READ)
            while b"\n" not in self._pending:
                if not selector.select(max(0.0, end - time.monotonic())):
                    raise TimeoutError
                chunk = os.read(stream.fileno(), 1 << 16)
                if not chunk:
                    return None
                self._pending += chunk
        line, _, self._pending = self._pending.partition(b"\n")
        heard: Told = json.loads(line)
        return heard

    def kill(self) -> None:
        """End the process and whatever it started, such as compilers."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def ended_how(self) -> str | None:
        """How the process ended, in words; None where it ended well."""
        try:
            status = self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.kill()
            return "the worker's process closed its line"
        if status == 0:
            return None
        if status > 0:
            return f"the worker's process ended with status {status}"
        name = signal.Signals(-status).name
        hint = ", perhaps out of memory" if name == "SIGKILL" else ""
        return f"the worker's process was killed by {name}{hint}"


def run_job(job: Job, folder: Path, progress: Progress, program: Sequence[str] = PROGRAM) -> None:
    """Measure a job into `folder/NAME/`, from the first cell that is not there.

    InputError where the folder holds other evidence. Ctrl-C leaves what was measured.
    """
    _Launches(job, RawFiles(job, folder / job.name), progress, program).run()


class _Launches:
    """The launches that it takes to get a job done."""

    def __init__(
        self, job: Job, files: RawFiles, progress: Progress, program: Sequence[str]
    ) -> None:
        self.job = job
        self.files = files
        self.progress = progress
        self.program = program
        self.started = _now()
        self.is_open = False
        self.kinds: Mapping[str, str] = {}

    def run(self) -> None:
        """Launch until no cell is left; a cell on which a launch dies has failed."""
        deaths = 0
        while (death := self._launch()) is not None:
            if death.key is not None:
                self._fail(death.key, death)
                continue
            deaths += 1
            if not self.is_open or deaths > MOST_DEATHS:
                self._give_up(Status.FAILED, death.reason)
                break
        self.files.close(_now())

    def _launch(self) -> Death | None:
        """One worker's life; None where it got to the end of the job."""
        doing: Told = {"stage": "start"}
        with Worker("cells", self.job, self.program) as worker:
            while True:
                starting = doing["stage"] == "start"
                limit_s = START_LIMIT_S if starting else self.job.protocol.time_limit_s
                try:
                    heard = worker.hear(limit_s)
                except TimeoutError:
                    worker.kill()
                    return _death(f"no sign of life for {limit_s:g} s", doing)
                if heard is None:
                    how = worker.ended_how()
                    return None if how is None else _death(how, doing)
                doing = heard.get("at") or {"stage": "between cells"}
                self._take(worker, heard)

    def _take(self, worker: Worker, heard: Told) -> None:
        if "missing" in heard:
            self._give_up(Status.SKIPPED, heard["missing"])
        elif "hello" in heard:
            self._meet(heard)
            done = [asdict(key) for key in self.files.done]
            worker.say(done=done, has_control=self.files.has_control)
        elif "cell" in heard:
            key = CellKey(**heard["key"])
            self._keep(key, heard["cell"], control=heard["control"])
            worker.say(kept=True)

    def _meet(self, heard: Told) -> None:
        if self.is_open:
            return
        self.is_open = True
        hello = heard["hello"]
        self.kinds = hello["kinds"]
        self.files.open(header(self.job, hello), self.started)
        keys = {CellKey(**key) for key in heard["cells"]}
        done = len(keys & set(self.files.done))
        control = not self.files.has_control
        self.progress.expect(len(keys) + control, done)

    def _keep(self, key: CellKey, cell: Told, *, control: bool) -> None:
        self.files.add(key.workload, cell, control=control)
        label = f"{self.job.device} {self.job.framework} {key}"
        self.progress.cell(f"{label} (A/A control)" if control else label, cell)

    def _fail(self, key: CellKey, death: Death) -> None:
        """The cell that a launch died on has failed, for the reason of the death."""
        cell = _untimed(key, self.kinds[key.variant], Status.FAILED, death.reason)
        self._keep(key, cell, control=death.is_control)

    def _give_up(self, status: Status, reason: str) -> None:
        """Every workload and batch that is left ends with one reason.

        It is told of the variants that were asked for, or of eager where none was named: which
        others there are is the framework's to say.
        """
        if not self.is_open:
            self.files.open(header(self.job, None), self.started)
            self.is_open = True
        self.progress.tell(f"{self.job.name}: {status}: {reason}")
        done = {(key.workload, key.batch, key.precision) for key in self.files.done}
        variants = [_supposed(name) for name in self.job.variants or (EAGER,)]
        kinds = {variant.name: variant.kind for variant in variants}
        for key in cell_keys(self.job, variants, (Precision.FP32,)):
            if (key.workload, key.batch, key.precision) not in done:
                cell = _untimed(key, kinds[key.variant], status, reason)
                self.files.add(key.workload, cell)


def _supposed(name: str) -> Variant:
    """A variant by its name alone, where no framework told its kind."""
    return Variant(name, VariantKind.EAGER if name == EAGER else VariantKind.COMPILED)


def measure_ceilings(job: Job, program: Sequence[str] = PROGRAM) -> list[Told]:
    """Ceilings of the job's device as its framework reaches them; empty where it has none there."""
    with Worker("ceilings", job, program) as worker:
        limit_s = START_LIMIT_S
        while True:
            try:
                heard = worker.hear(limit_s)
            except TimeoutError:
                return []
            if heard is None or "missing" in heard:
                return []
            if "ceilings" in heard:
                worker.say(kept=True)
                found: list[Told] = heard["ceilings"]
                return found
            limit_s = job.protocol.time_limit_s


def _environment(job: Job) -> dict[str, str]:
    """The worker's environment: as many threads for one framework as for another.

    Snakemake, and many a shell, limit the libraries that read these variables; others would go on
    with all cores. `--threads` limits all of them.
    """
    kept = {name: value for name, value in os.environ.items() if name not in THREAD_VARIABLES}
    return kept | ({"OMP_NUM_THREADS": str(job.threads)} if job.threads else {})


def _death(how: str, doing: Told) -> Death:
    told = doing.get("key")
    key = CellKey(**told) if told else None
    return Death(f"{how}, at: {doing['stage']}", key, bool(doing.get("control")))


def _untimed(key: CellKey, kind: str, status: Status, reason: str) -> Told:
    return {
        "variant": key.variant,
        "kind": kind,
        "batch": key.batch,
        "precision": key.precision,
        "status": status,
        "reason": reason,
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
