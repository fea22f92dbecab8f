"""The same code as `benchproof figures`."""

from benchproof.verbs.figures import figures
from benchproof.verbs.run import run

run(figures)
