"""How a step of the DAG runs its verb: paths in, one line of error out, exit status 2.

The command line proper is `benchproof.cli`; a step goes without it because importing typer takes
longer than most steps do.
"""

import inspect
import sys
from collections.abc import Callable
from pathlib import Path

from benchproof.errors import BenchproofError

FAILED = 2
INTERRUPTED = 130


def run(verb: Callable[..., int | None]) -> None:
    """Run a verb with the paths of the command line, and leave with its exit status."""
    paths = [Path(argument) for argument in sys.argv[1:]]
    signature = inspect.signature(verb)
    try:
        signature.bind(*paths)
    except TypeError:
        print(f"usage: {sys.argv[0]} {' '.join(signature.parameters).upper()}", file=sys.stderr)
        sys.exit(FAILED)
    sys.exit(guarded(lambda: verb(*paths)))


def guarded(action: Callable[[], int | None]) -> int:
    """Exit status of an action; an error that a user can mend is told in one line."""
    try:
        return action() or 0
    except BenchproofError as bad:
        print("benchproof:", *str(bad).splitlines(), file=sys.stderr)
    except UnicodeEncodeError as bad:
        name = ascii(bad.object[:100])
        print(f"benchproof: {name}: a name that is not UTF-8; rename the file", file=sys.stderr)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        sys.stdout = None  # whoever read it has left: nothing more can be told
        return INTERRUPTED
    except MemoryError:
        print("benchproof: not enough memory for this input; give less of it", file=sys.stderr)
    except OSError as bad:
        where = bad.filename or "standard output"
        print(f"benchproof: {where}: {bad.strerror}; check the path", file=sys.stderr)
    return FAILED
