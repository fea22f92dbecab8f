"""The same code as `benchproof render`."""

from benchproof.verbs.render import render
from benchproof.verbs.run import run

run(render)
