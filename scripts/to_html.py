"""The same code as `benchproof to-html`."""

from benchproof.verbs.run import run
from benchproof.verbs.to_html import to_html

run(to_html)
