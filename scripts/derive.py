"""The same code as `benchproof derive`."""

from benchproof.verbs.derive import derive
from benchproof.verbs.run import run

run(derive)
