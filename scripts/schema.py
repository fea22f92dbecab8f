"""The same code as `benchproof schema`."""

from benchproof.verbs.schema import schema
from benchproof.verbs.run import run

run(schema)
