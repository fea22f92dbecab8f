"""The same code as `benchproof verify`."""

from benchproof.verbs.verify import verify
from benchproof.verbs.run import run

run(verify)
