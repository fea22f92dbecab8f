"""The same code as `benchproof install`."""

from benchproof.verbs.install import install
from benchproof.verbs.run import run

run(install)
