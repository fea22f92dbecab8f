"""The same code as `benchproof import`."""

from benchproof.verbs.import_ import import_
from benchproof.verbs.run import run

run(import_)
