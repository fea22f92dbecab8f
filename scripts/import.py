"""The same code as `benchproof import`."""

from benchproof.cli import main

main("import")
