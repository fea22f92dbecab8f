"""The same code as `benchproof audit`."""

from benchproof.cli import main

main("audit")
