"""The same code as `benchproof check`."""

from benchproof.verbs.check import check
from benchproof.verbs.run import run

run(check)
