"""The same code as `benchproof to-gfm`."""

from benchproof.verbs.to_gfm import to_gfm
from benchproof.verbs.run import run

run(to_gfm)
