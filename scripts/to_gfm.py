"""The same code as `benchproof to-gfm`."""

from benchproof.verbs.run import run
from benchproof.verbs.to_gfm import to_gfm

run(to_gfm)
