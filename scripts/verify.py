"""The same code as `benchproof verify`."""

from benchproof.verbs.run import run
from benchproof.verbs.verify import verify

run(verify)
