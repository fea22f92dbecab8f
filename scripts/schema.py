"""The same code as `benchproof schema`."""

from benchproof.verbs.run import run
from benchproof.verbs.schema import schema

run(schema)
